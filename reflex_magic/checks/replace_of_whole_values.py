"""`replace-of-whole-values`: ``replace`` without ``.str`` replaces whole values, and none is one."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, listed
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class ReplaceOfWholeValues(Check):
    """``column.replace("$", "")`` replaces values that are "$", and none is, though many have it.

    Only for signs and for what stands with a number ("12 kg"), replaced by a text. Silent when some value is
    the text itself.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"price": ["$12", "$35", "$7"]})
        %%reflect
        sales["price"] = sales["price"].replace("$", "")
        %%clean
        sales["price"] = sales["price"].str.replace("$", "")
    """

    name = "replace-of-whole-values"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("replace_whole"):
            f = op.facts
            yield self.finding(
                op,
                Severity.MAY,
                f"`replace` looks for whole values, and no value of {listed(f['columns'])} is `{f['key']}`:"
                f" {f['held']:,} of {count(f['looked'], 'text')} {'has' if f['held'] == 1 else 'have'} it and"
                f" {'stays' if f['held'] == 1 else 'stay'} as {'it is' if f['held'] == 1 else 'they are'}",
                "Replace within the texts: .str.replace(...).",
                {"held": f["held"], "looked": f["looked"], "columns": list(f["columns"])},
            )
