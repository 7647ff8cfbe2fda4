"""`dates-in-order-of-letters`: dates that are text are compared, or gone through, by their letters."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.purpose import attributes, be
from reflex_magic.checks.syntax import call
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_ORDERING = frozenset({"Categorical", "CategoricalDtype", "reindex"})


class DatesInOrderOfLetters(Check):
    """Dates, months or weekdays are text that is not in the order of time.

    Found where texts such as 31/12/2024 are compared with ``<`` or `between`, and values come out on another side
    than their days, whichever number is the day; and where a table by month ("Apr", "Aug", ...), weekday or such
    dates, in the order of the letters, is summed up, shifted, subtracted or plotted from row to row, or is sorted by
    them.

    At most 1,000 texts are looked at. Silent on texts in ISO order, where the letters happen to agree, and where the
    cell puts the rows in order itself (`reindex`, an ordered categorical).

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"month": ["Jan", "Feb", "Mar", "Apr"], "eur": [1, 2, 3, 4]})
        %%reflect
        so_far = sales.groupby("month")["eur"].sum().cumsum()
        %%clean
        so_far = sales.groupby("month", sort=False)["eur"].sum().cumsum()
    """

    name = "dates-in-order-of-letters"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if op.kind == "text_dates":
                f = op.facts
                message = (
                    f"{f['misplaced']:,} of {count(f['looked'], 'date')} {be(f['misplaced'])} on another side by their"
                    " letters than by their days:"
                    " they are compared as text"
                )
                advice = "Convert them first: pd.to_datetime with a format."
                yield self.finding(op, Severity.MAY, message, advice, dict(f))
            elif op.kind == "name_order" and _ORDERING.isdisjoint(attributes(run.cell)):
                f = op.facts
                message = (
                    f"{count(f['labels'], 'row')} by {f['what']} stand in the order of the letters, not of time, when"
                    f" `{_method(run, op)}` goes through them"
                )
                advice = "Group by dates or periods, or put the rows in order with `reindex`."
                yield self.finding(op, Severity.MAY, message, advice, dict(f))


def _method(run: Run, op: Operation) -> str:
    node = call(run.cell, op)
    return getattr(node.func, "attr", "") if node is not None else ""
