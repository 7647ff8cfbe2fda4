"""`recoding-misses-spellings`: a table has a value, but not as it is spelled in the data."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import LEFT_OUT, looks_at_missing, says_so
from reflex_magic.checks.syntax import call, calls, mentions, target
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


def _is_handled(cell: Cell, op: Operation) -> bool:
    node, result = call(cell, op), target(cell, op.span)
    into = result.names | result.columns
    filled = [on for _, method, on in calls(cell) if method in ("fillna", "combine_first")]
    known = any(on is node or not mentions(on).isdisjoint(into) for on in filled)
    return known or looks_at_missing(cell, None, into)


_ADVICE = {
    "recode": "Bring both to one spelling first: .str.strip() and .str.lower() or .str.upper().",
    "lookup": "Bring both to one type first: .astype(str) or .astype(int), and .str.zfill(n) for leading zeros.",
}


def _otherwise_alike(run: Run, op: Operation) -> int:
    """Values that differ from a key in type or zeros, where none differs in case or blanks."""
    if op.kind != "lookup" or any(
        o.kind == "recode" and o.span == op.span and o.facts["variants"] for o in run.operations
    ):
        return 0
    return int(op.facts["alike"])


class RecodingMissesSpellings(Check):
    """Values are not found in a recoding table from which they differ only in case, blanks or type.

    `map` makes them missing, `replace` leaves them as they are. For `map`, a number and the same number as text, or
    with leading zeros, count as well. Silent for values that the table
    does not have in any spelling, when a comment says that values are left out, and when the cell fills
    what `map` left missing or tests it.

    Example
    -------
    ::

        import pandas as pd
        parcels = pd.DataFrame({"zone": ["A", "b", "C "], "kg": [1.0, 2.0, 4.0]})
        rates = {"A": 1.0, "B": 1.5, "C": 2.0}
        %%reflect
        parcels["rate"] = parcels["zone"].map(rates)
        %%clean
        parcels["rate"] = parcels["zone"].str.strip().str.upper().map(rates)
    """

    name = "recoding-misses-spellings"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            variants = op.facts["variants"] if op.kind == "recode" else _otherwise_alike(run, op)
            if not variants or says_so(run.cell, op.span, LEFT_OUT) or _is_handled(run.cell, op):
                continue
            values = op.facts["values"]
            differ = "differs" if variants == 1 else "differ"
            how = "case or blanks" if op.kind == "recode" else "how they are written, as a number or as text"
            yield self.finding(
                op,
                Severity.MAY,
                f"{variants:,} of {count(values, 'value')} {differ} from a key of the table only in {how},"
                f" and {'is' if variants == 1 else 'are'} not recoded by `{op.expression}`",
                _ADVICE[op.kind],
                {"values": values, "unmatched": op.facts["unmatched"], "variants": variants},
            )
