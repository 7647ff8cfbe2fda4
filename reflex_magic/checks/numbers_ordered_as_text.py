"""`numbers-ordered-as-text`: written numbers or dates are ordered by their letters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import ORDER, says_so
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_LABEL = re.compile(
    r"(?:^|_|\b)(?:id|ids|code|codes|no|nr|key|zip|plz|postcode|sku|number|num|version|phone|room|house|label|ref)(?:_|\b|$)"
    r"|[a-z](?:Id|ID|No|Nr|Code)$",
    re.IGNORECASE,
)


class NumbersOrderedAsText(Check):
    """The largest, the first or the order of written numbers is that of their letters: "9" is above "10".

    `sort_values`, `max`, `min`, `idxmax`, `rank`, `sorted` and comparisons such as ``> "5"``; also dates that begin
    with the day; also `round`, which leaves text as it is. Silent when the order of the letters is that of the
    numbers, as it is for codes of one length, when not nearly all values are numbers, and when a comment says that
    the order is that of the text. A note where whole numbers are sorted that may be labels, by the name of the
    column.

    Example
    -------
    ::

        import pandas as pd
        cars = pd.DataFrame({"car": ["Ara", "Bex", "Cor"], "kw": ["98.4", "110.2", "9.6"]})
        %%reflect
        strongest = cars.sort_values("kw", ascending=False).iloc[0]
        %%clean
        cars["kw"] = cars["kw"].astype(float)
        strongest = cars.sort_values("kw", ascending=False).iloc[0]
    """

    name = "numbers-ordered-as-text"
    frames = ("pandas", "polars", "pyarrow")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            ordered = op.kind == "text_order" and op.facts["wrong"]
            compared = op.kind == "compare" and op.facts["how"] == "digits"
            if not (ordered or compared) or says_so(run.cell, op.span, ORDER):
                continue
            if ordered:
                yield self._ordered(op)
            else:
                f = op.facts
                message = (
                    f"`{f['column']}` holds text, and `{f['op']}` compares letters: {f['near']:,} of"
                    f" {count(f['looked'], 'written number')} {'is' if f['near'] == 1 else 'are'} on the wrong side"
                )
                yield self._finding(op, Severity.MAY, message, {n: f[n] for n in ("rows", "matched", "near", "looked")})

    def _ordered(self, op: Operation) -> Finding:
        f = op.facts
        what, one = f"`{f['column']}`" if f["column"] else "the data", "date" if f["dates"] else "number"
        told = {name: f[name] for name in ("looked", "numbers", "misplaced", "changed")}
        if f["method"] == "round":
            message = (
                f"{what} holds text, which `round` leaves as it is: {f['changed']:,} written numbers have a fraction"
            )
            return self._finding(op, Severity.MAY, message, told)
        label = (
            f["plain"] and not f["dates"] and f["method"] in ("sort_values", "sorted") and _LABEL.search(f["column"])
        )
        message = (
            f"{what} holds {count(f['looked'], f'written {one}')} as text, and `{f['method']}` goes by their letters:"
            f" {f['misplaced']:,} of them {'comes' if f['misplaced'] == 1 else 'come'} before a lower one"
        )
        return self._finding(op, Severity.NOTE if label else Severity.MAY, message, told)

    def _finding(self, op: Operation, severity: Severity, message: str, told: dict[str, int]) -> Finding:
        advice = "Convert to numbers or dates first, or say in a comment that the order of the text is meant."
        return self.finding(op, severity, message, advice, told)
