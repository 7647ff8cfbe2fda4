"""`concat-mixes-numbers-and-text`: a column holds numbers in one table, and numbers as text in another."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, listed
from reflex_magic.checks.syntax import calls, mentions
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_CONVERTING = frozenset({"astype", "to_numeric", "zfill", "replace", "map", "to_datetime"})


class ConcatMixesNumbersAndText(Check):
    """Tables are put under each other, and one column then holds ``7`` and ``"7"``.

    They are in two groups, never equal, and cannot be added up. Silent when the text does not read as
    numbers (a row ``"total"`` below years), and when the cell converts the column afterwards.

    Example
    -------
    ::

        import pandas as pd
        may = pd.DataFrame({"user": [7, 8], "clicks": [1, 2]})
        june = pd.DataFrame({"user": ["7", "9"], "clicks": [4, 8]})
        %%reflect
        both = pd.concat([may, june], ignore_index=True)
        users = both["user"].nunique()
        %%clean
        both = pd.concat([may, june.astype({"user": int})], ignore_index=True)
        users = both["user"].nunique()
    """

    name = "concat-mixes-numbers-and-text"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("concat"):
            if not op.facts["mixed"]:
                continue
            converted = [
                mentions(node)
                for node, method, _ in calls(run.cell)
                if method in _CONVERTING and node.lineno > op.span.end_line
            ]
            names = [n for n in op.facts["mixed"] if not any(n in said for said in converted)]
            if names:
                yield self.finding(
                    op,
                    Severity.MAY,
                    f"{listed(names)} {'holds' if len(names) == 1 else 'hold'} numbers in one of {op.facts['parts']:,}"
                    " tables and numbers written as text in another: they are never equal and do not add up",
                    "Convert before: .astype(...) in each table, or dtype= when it is read.",
                    {"parts": op.facts["parts"], "rows": list(op.facts["rows"]), "columns": names},
                )
