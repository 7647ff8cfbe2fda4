"""`values-lost-in-constructor`: new labels for data that has its own, and every value is gone."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class ValuesLostInConstructor(Check):
    """``pd.DataFrame(frame, columns=[...])`` and ``pd.Series(series, index=...)`` select by label; they rename nothing.

    Reported when the data had values and none is in the result. Also when records (a list of dicts) spell one name in
    two ways, so that a column is in two halves, and the cell adds one of them up; a note when it does not.

    Example
    -------
    ::

        import pandas as pd
        hours = pd.Series([3, 4], index=["mon", "tue"])
        %%reflect
        week = pd.Series(hours, index=["Monday", "Tuesday"])
        %%clean
        week = hours.set_axis(["Monday", "Tuesday"])
    """

    name = "values-lost-in-constructor"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("construct"):
            if op.facts["lost"]:
                words = " and ".join(op.facts["given"])
                yield self.finding(
                    op,
                    Severity.MAY,
                    f"none of the values is in the result of {count(op.facts['rows'], 'row')}: {words} select by"
                    " label here,"
                    " and the data has others",
                    "Rename with set_axis(...), or give the bare values: .to_numpy().",
                    {"rows": op.facts["rows"], "given": list(op.facts["given"])},
                )
            for one, other in op.facts["split"]:
                used = uses(run.cell, op, (one, other))
                touched = [c for c in (one, other) if c in used.columns or c in used.texts]
                if len(touched) < 2:
                    matters = any(used.of(c, "sum", "key", "order") for c in touched)
                    yield self.finding(
                        op,
                        Severity.MAY if matters else Severity.NOTE,
                        f"`{one}` and `{other}` are two spellings of one name: each has values where the other has"
                        " none",
                        "Spell the keys alike before the table is made.",
                        {"rows": op.facts["rows"]},
                    )
