"""`day-and-month-swapped`: dates are read with day and month exchanged."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


class DayAndMonthSwapped(Check):
    """Dates such as 3/11/2024 are read in one order, and the data show the other.

    They show it where a number above 12 can only be the day: others of the same column were then read the
    other way round, one by one (`apply`, ``format="mixed"``), or became missing (``errors="coerce"``). Where all
    numbers are 12 or less, they show it where the dates stand in order once day and month are exchanged, and do
    not as they were read; five different dates at least. Also dates in ISO order (year, month, day) of which
    `dayfirst=True` exchanged month and day.

    At most 1,000 values are looked at. Silent where nothing in the data tells the order. A format that is written out
    is doubted by the order of the dates in a note only.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"day": ["28/02/2024", "03/04/2024", "07/04/2024"], "eur": [1, 2, 3]})
        %%reflect
        sales["day"] = sales["day"].apply(pd.Timestamp)
        %%clean
        sales["day"] = pd.to_datetime(sales["day"], format="%d/%m/%Y")
    """

    name = "day-and-month-swapped"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if op.kind == "parse_dates" and (told := _told(op)):
                yield self._finding(op, *told)

    def _finding(self, op: Operation, message: str, advice: str, severity: Severity) -> Finding:
        evidence = {k: v for k, v in op.facts.items() if isinstance(v, int)}
        return self.finding(op, severity, message, advice, evidence)


def _told(op: Operation) -> tuple[str, str, Severity] | None:
    f = op.facts
    if f.get("iso_swapped"):
        message = f"month and day of {count(f['iso_swapped'], 'date')} in ISO order (year, month, day) were exchanged"
        return message, 'Leave out dayfirst, or give format="ISO8601".', Severity.MAY
    if "turned" not in f:
        return None
    day, month = f["day_only"], f["month_only"]
    if day and month:
        either = f["read_day"] + f["read_month"]
        if not either:
            return None
        order = "month" if f["read_month"] else "day"
        message = (
            f"{count(day, 'date')} can only have the day first, {month:,} only the month;"
            f" {either:,} others could have either, and were read with the {order} first"
        )
        return message, "Find out where each style comes from, and read each with its own format.", Severity.MAY
    if day and f["read_month"]:
        return _one_way(day, f["read_month"], f["lost"], "day", "month", 'format="%d/%m/%Y" or its like'), *_ASK
    if month and f["read_day"]:
        return _one_way(month, f["read_day"], f["lost"], "month", "day", 'format="%m/%d/%Y" or its like'), *_ASK
    if f["turned"]:
        order = "month" if f["read_month"] else "day"
        message = (
            f"{f['turned']:,} different dates are in order if day and month are exchanged, and are"
            " not as they were read,"
            f" {order} first"
        )
        severity = Severity.NOTE if f["format"] else Severity.MAY
        return message, "Say which one stands first: dayfirst=, or a format.", severity
    return None


_ASK = ("If they are all of one style, give its format to pd.to_datetime.", Severity.MAY)


def _one_way(sure: int, others: int, lost: int, first: str, read: str, form: str) -> str:
    became = f" and {lost:,} of them became missing" if lost else ""
    return (
        f"{count(sure, 'date')} can only have the {first} first{became}; {others:,} others, which"
        " could have either, were"
        f" read with the {read} first ({form} reads all alike)"
    )
