"""`total-row-among-data`: the last row of a file is the total, and is added up with the others."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, listed
from reflex_magic.checks.intent import LEFT_OUT, says_so
from reflex_magic.checks.usage import ADDS, AGGREGATES, ORDERS, Uses, uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_HANDLING = ("[:-1]", "[: -1]", "head(-1)", "skipfooter", ".drop(", "index[-1]", "str.contains", "startswith", "nrows")


class TotalRowAmongData(Check):
    r"""A report ends with a row of totals, or has subtotals in between, and what is computed counts everything twice.

    Told from the frame: a last row that is labelled as a total, or has no label, and is the sum of those above.
    Reported when the rows are then added up, averaged, ordered, grouped or counted; a note otherwise. Silent when the
    cell names the label, cuts off the last row, or drops rows without a label.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("shop,eur\nUlm,10\nJena,20\nBonn,5\nTotal,35\n")
        %%reflect
        sales = pd.read_csv(file)
        mean = sales["eur"].mean()
        %%clean
        sales = pd.read_csv(file)
        sales = sales[sales["shop"] != "Total"]
        mean = sales["eur"].mean()
    """

    name = "total-row-among-data"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not (op.facts["total"] or op.facts["within"]):
                continue
            total = op.facts["total"]
            used = uses(run.cell, op, total.get("sums", ()))
            if _handled(run, op, used, total.get("word", "")):
                continue
            matters = bool(op.facts["within"] or total.get("sums")) and _computes(used, run)
            yield self.finding(
                op,
                Severity.MAY if matters else Severity.NOTE,
                _message(op),
                "Leave such rows out before anything is computed: a filter on the label, or skipfooter=.",
                {"rows": op.facts["rows"], "subtotals": op.facts["within"], "sums": list(total.get("sums", ()))},
            )


def _message(op: Operation) -> str:
    total, within = op.facts["total"], op.facts["within"]
    if total and total["sums"]:
        return f"the last row of {op.facts['rows']:,} is the sum of those above in {listed(total['sums'])}"
    if within:
        return f"{count(within, 'row')} among the records {'is a subtotal' if within == 1 else 'are subtotals'}"
    return f"the last row of {op.facts['rows']:,} is labelled as a total"


def _computes(used: Uses, run: Run) -> bool:
    whole = used.whole & (ADDS | ORDERS | AGGREGATES | {"groupby", "value_counts", "describe", "len", "nunique"})
    return bool(whole) or any(not d.isdisjoint({"sum", "order", "compare", "key"}) for d in used.columns.values())


def _handled(run: Run, op: Operation, used: Uses, word: str) -> bool:
    plain = {text.strip().lower() for text in used.texts}
    named = word.lower() in plain or any(word and text and text in word.lower() for text in plain if len(text) > 2)
    source = run.cell.python
    drops = not word and ("dropna" in source or "notna" in source or "isna" in source)
    return bool(named or drops or any(sign in source for sign in _HANDLING)) or says_so(run.cell, op.span, LEFT_OUT)
