"""Which format reads every date of a column."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

_DAYS = ("%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d/%m/%y", "%m/%d/%y", "%y/%m/%d")
_NAMED = ("%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y", "%d-%b-%Y", "%d-%b-%y", "%d-%B-%Y")
_JOINED = ("%Y%m%d", "%Y%m%d%H%M%S", "%Y%m%d %H:%M", "%Y%m%d %H:%M:%S")
_MONTHS = ("%Y-%m", "%Y/%m", "%m/%Y", "%m.%Y", "%m-%Y", "%b %Y", "%B %Y", "%b-%Y")
_TIMES = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f", " %I:%M %p", " %I:%M:%S %p", "T%H:%M", "T%H:%M:%S")

ISO = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?")
"""Dates that are read alike everywhere."""


@dataclass(frozen=True, slots=True)
class Formats:
    """What reads all of a column's texts: the formats, or that all are ISO 8601."""

    formats: tuple[str, ...] = ()
    iso: bool = False


def _candidates() -> Iterable[str]:
    for time in _TIMES:
        for day in _DAYS:
            for separator in "/.-":
                yield day.replace("/", separator) + time
        for day in _NAMED:
            yield day + time
    yield from _JOINED
    yield from _MONTHS


def formats(texts: Iterable[str]) -> Formats:
    """The formats that read every one of `texts`; several when day and month can be told either way.

    The day of a date written `13/04/2024` tells for the whole column.
    """
    every = list(texts)
    if not every:
        return Formats()
    if all(ISO.fullmatch(t) and _is_date(t) for t in every):
        return Formats(iso=True)
    return Formats(concrete(every))


def concrete(texts: Iterable[str]) -> tuple[str, ...]:
    """The formats, written out, that read every one of `texts`; of those that read them alike, the first."""
    every = list(texts)
    different: dict[tuple[datetime, ...], str] = {}
    for form in _candidates():
        if every and all(_reads(form, t) for t in every):
            different.setdefault(tuple(datetime.strptime(t, form) for t in every), form)
    return tuple(different.values())


def ordered_as(written: str, formats: Iterable[str]) -> tuple[str, ...]:
    """The formats in which year, month and day come in the order, and with the marks, that a written format gives.

    Other marks are those of another source, whose order need not be the same; and two digits in the place of a year
    of four that comes first may be a day.
    """
    own = order(written)
    alike = [f for f in formats if order(f) == own and _marks(f) == _marks(written)]
    return tuple(f for f in alike if own and not (own[0] == "y" and f[:2] != written[:2]))


def _marks(form: str) -> str:
    """The marks between year, month and day."""
    return re.sub(r"%[YymBbd]|[ T]?%[HIMSfpz].*", "", form)


def order(form: str) -> str:
    """Year, month and day as y, m and d, in the order in which a format has them."""
    parts = re.findall(r"%([YymBbd])", form)
    return "".join("y" if p in "Yy" else "d" if p == "d" else "m" for p in parts)


def _reads(form: str, text: str) -> bool:
    try:
        read = datetime.strptime(text, form)
    except ValueError:
        return False
    # two digits for a year are not a year: "%y" would read the "20" of 2024 as 2020
    return 1900 <= read.year <= 2200


def in_the_future(form: str, texts: Iterable[str]) -> int:
    """How many texts a format with years of two digits puts into the future, as it does a birthday of 1947."""
    if "%y" not in form:
        return 0
    now = datetime.now()
    return sum(datetime.strptime(t, form) > now for t in texts)


def _is_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return False
    return True


def day_first(goal: str) -> bool | None:
    """Whether the goal says that the day (True) or the month (False) comes first; None when it says neither."""
    said = goal.casefold()
    first = ("dd/mm", "dd.mm", "dd-mm", "day/month", "day first", "day-first", "european date", "uk date")
    second = ("mm/dd", "mm-dd", "month/day", "month first", "month-first", "american date", "us date")
    # a "status date" is no US date
    told = [any(re.search(rf"(?<![a-z]){p}", said) for p in phrases) for phrases in (first, second)]
    return told[0] if told[0] is not told[1] else None
