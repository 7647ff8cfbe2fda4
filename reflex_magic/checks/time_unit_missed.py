"""`time-unit-missed`: numbers become dates or durations in another unit than they count."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.purpose import is_in
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_ADVICE = {
    "s": 'unit="s"',
    "ms": 'unit="ms"',
    "us": 'unit="us"',
    "ns": 'unit="ns"',
    "year": '.astype(str) and format="%Y"',
    "yyyymmdd": '.astype(str) and format="%Y%m%d"',
    "spreadsheet day": 'unit="D", origin="1899-12-30"',
}
_WORDS = {"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}
_POWERS = {"ns": 9, "us": 6, "ms": 3, "s": 0}


class TimeUnitMissed(Check):
    """Numbers are read as times in a unit that puts all of them into 1970 or a far future.

    Found where another unit makes all of them dates between 1980 and 2060: seconds, milliseconds, days of a
    spreadsheet, years, or numbers such as 20240131. Durations are found where `to_timedelta` has no unit, so that
    numbers are nanoseconds, and all are below a thousandth of a second. Dates turned into numbers are found where
    these are divided by more than a second has of their unit: since pandas 3, dates count microseconds.

    Silent where one value is as it should be, and where no other unit fits: numbers may count from a start of their
    own.

    Example
    -------
    ::

        import pandas as pd
        log = pd.DataFrame({"at": [1700000000, 1700000060]})
        %%reflect
        log["at"] = pd.to_datetime(log["at"])
        %%clean
        log["at"] = pd.to_datetime(log["at"], unit="s")
    """

    name = "time-unit-missed"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            told = None
            if op.kind == "number_dates":
                told = _read(op)
            elif op.kind == "epoch":
                told = _divided(run.cell, op)
            if told:
                evidence = {k: v for k, v in op.facts.items() if k != "function"}
                yield self.finding(op, Severity.MAY, *told, evidence)


def _read(op: Operation) -> tuple[str, str] | None:
    f = op.facts
    if f["outside"] < f["values"]:
        return None
    if f["function"] == "to_timedelta":
        if f["unit"]:
            return None
        message = (
            f"all {count(f['values'], 'duration')} are below a thousandth of a second: without unit="
            " numbers count nanoseconds"
        )
        return message, 'Say what the numbers count: unit="s", "min", "h", "D".'
    if not f["fits"]:
        return None
    unit = f["fits"][0]
    reads = _WORDS.get(f["unit"] or "ns", f["unit"])
    message = (
        f"none of {count(f['values'], 'date')} is between 1971 and 2060 when the numbers count {reads};"
        f" as {_WORDS.get(unit, unit)} all of them are"
    )
    return message, f"Say what the numbers are: {_ADVICE[unit]}."


def _divided(cell: Cell, op: Operation) -> tuple[str, str] | None:
    unit = op.facts["unit"]
    for node in cell.nodes:
        match node:
            case ast.BinOp(left=left, op=ast.Div() | ast.FloorDiv(), right=right) if is_in(cell, op, left):
                power = _power(right)
                if power in (9, 6, 3) and power > _POWERS[unit]:
                    message = (
                        f"these numbers count {_WORDS[unit]}, and are divided by 10**{power}:"
                        f" the result is 10**{power - _POWERS[unit]} times too small for seconds"
                    )
                    return (
                        message,
                        'Set the unit first, .astype("datetime64[s]"), or divide the time by pd.Timedelta("1s").',
                    )
    return None


def _power(node: ast.expr) -> int | None:
    """The power of ten that stands here."""
    match node:
        case ast.BinOp(left=ast.Constant(value=10), op=ast.Pow(), right=ast.Constant(value=int() as power)):
            return power
        case ast.Constant(value=int() | float() as number):
            return next((p for p in (9, 6, 3) if number == 10**p), None)
    return None
