"""What dates are made from: texts and numbers.

Facts of kind `parse_dates`, of ``to_datetime`` of texts, and of ``apply`` or ``map`` with it
    Of texts, at most 1,000, evenly spaced. function. format: as written, "" for none. looked: texts looked at. Of
    those that begin with two numbers and a year ("3/11/2024"): day_only, month_only: the first, or the second, number
    is above 12. read_day, read_month: either could be the day; the first was read as the day, or as the month. lost:
    those above 12 that became missing. iso_swapped: texts in ISO order of which month and day were exchanged. turned:
    the dates are in order if the two numbers are exchanged, and are not as they were read; distinct dates. future,
    short: of the dates with a year of two digits, those after next year; all of them. minutes: the format has minutes
    where a month stands, and all dates are in January.

Facts of kind `number_dates`, of ``to_datetime`` and ``to_timedelta`` of numbers
    function. unit: as written, "" for none. values: numbers looked at. outside: dates in 1970 or beyond 2200, or
    durations below a thousandth of a second. fits: the units in which all numbers are dates between 1980 and 2060.

Facts of kind `epoch`, of ``series.astype(int)`` where the series holds dates or durations
    unit: in which the numbers count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe import live
from reflex_magic.observe.keys import sample
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind

ORDERED = 5
"""Fewest distinct dates whose order tells which number is the day: by chance 1 in 120 would be in order."""

GLANCE = 50
"""Texts that are looked at first: where all are in ISO order, there is nothing to tell."""

YEARS = (1980, 2060)
"""Years in which the dates of data are expected, where a number could be read in several units."""

_TWO_NUMBERS = re.compile(r"\s*(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d\d)(?!\d)")
_ISO = re.compile(r"\s*\d{4}-(\d\d)-(\d\d)(?!\d)")
_ENDS_IN_SHORT_YEAR = re.compile(r"\s*\d{1,2}[/. -](?:\d{1,2}|[A-Za-z]{3,9})[/. -]\d\d(?:\s.*)?")
_READERS = (pd.to_datetime, pd.Timestamp)


class Parsing(Kind):
    """``pd.to_datetime(texts)`` and ``texts.apply(pd.to_datetime)``."""

    name = "parse_dates"
    methods = frozenset({"to_datetime", "apply", "map"})
    functions = frozenset({"to_datetime"})
    arguments = frozenset({"0", "arg", "func", "format", "1"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_pandas_module(receiver) or (live.is_series(receiver) and live.is_text_dtype(receiver.dtype))

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        texts, result = values["receiver"], values["result"]
        if live.is_pandas_module(texts):
            texts = values.get("0", values.get("arg"))
        elif not any(values.get("0", values.get("func")) is reader for reader in _READERS):
            return None
        form = values.get("format")
        form = form if type(form) is str else ""
        pairs = _pairs(texts, result, form, iso="dayfirst" in call.keywords)
        if not pairs:
            return None
        found = {**_orders(pairs, form), **_short_years(pairs, form), **_minutes(pairs, form)}
        return {"function": call.method, "format": form, "looked": len(pairs), **found} if found else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(sum(facts.get(n, 0) for n in ("iso_swapped", "read_month", "read_day", "future", "lost")) + 1)


_Pair = tuple[str, int, int, int, int]
"""A text, with the year (0 for a missing date), month, day and minute that were read."""


def _pairs(texts: Any, result: Any, form: str, *, iso: bool) -> list[_Pair]:
    """Texts, evenly spaced, with what was read; nothing where their order of day and month is no question."""
    if type(texts) in (list, tuple):
        texts = pd.Index(texts, dtype=object)
    if not (live.is_series(texts) or type(texts) is pd.Index) or not live.is_text_dtype(texts.dtype):
        return []
    if not (live.is_series(result) or type(result) is pd.DatetimeIndex) or not 0 < len(result) == len(texts) <= ROWS:
        return []
    if getattr(result.dtype, "kind", "") != "M":
        return []
    written = sample(texts).tolist()
    if not form and not iso and all(isinstance(t, str) and _ISO.match(t) for t in written[:GLANCE]):
        return []
    read = pd.DatetimeIndex(sample(result))
    parts = [
        np.nan_to_num(part.to_numpy()).astype(int).tolist() for part in (read.year, read.month, read.day, read.minute)
    ]
    return [(t, *p) for t, *p in zip(written, *parts, strict=True) if isinstance(t, str)]


def _orders(pairs: list[_Pair], form: str) -> Facts:
    """In which order day and month were read."""
    counts = dict.fromkeys(("day_only", "month_only", "read_day", "read_month", "lost", "iso_swapped"), 0)
    texts, dates = [], []
    for text, year, month, day, _ in pairs:
        if found := _TWO_NUMBERS.match(text):
            first, second = int(found[1]), int(found[3])
            counts["day_only"] += first > 12 >= second
            counts["month_only"] += second > 12 >= first
            counts["lost"] += not year and max(first, second) > 12 >= min(first, second)
            if year and max(first, second) <= 12 and first != second:
                counts["read_day"] += day == first
                counts["read_month"] += month == first
            texts.append(text)
            if year:
                dates.append((year, month, day))
        elif not form and year and (found := _ISO.match(text)) and found[1] != found[2]:
            counts["iso_swapped"] += (day, month) == (int(found[1]), int(found[2]))
    if not any(counts.values()):
        return {}
    turned = 0
    if not counts["day_only"] and not counts["month_only"] and not _ordered(texts):
        turned = _in_order_if_turned(dates)
    return {**counts, "turned": turned}


def _in_order_if_turned(dates: list[tuple[int, int, int]]) -> int:
    """Distinct dates, where they are in order once day and month are exchanged, and are not as they stand."""
    distinct = len(set(dates))
    if distinct < ORDERED or _ordered(dates) or not _ordered([(year, day, month) for year, month, day in dates]):
        return 0
    return distinct


def _ordered(values: list[Any]) -> bool:
    return all(a <= b for a, b in pairwise(values)) or all(a >= b for a, b in pairwise(values))


def _short_years(pairs: list[_Pair], form: str) -> Facts:
    """Dates of which the century was guessed."""
    if form and "%y" not in form:
        return {}
    short = [year for text, year, *_ in pairs if year and (form or _ENDS_IN_SHORT_YEAR.fullmatch(text))]
    now = pd.Timestamp.now().year
    return {"short": len(short), "future": sum(year > now + 1 for year in short)} if short else {}


def _minutes(pairs: list[_Pair], form: str) -> Facts:
    if not _is_month_as_minutes(form):
        return {}
    read = [(month, minute) for _, year, month, _, minute in pairs if year]
    return {"minutes": all(m == 1 for m, _ in read) and any(minute for _, minute in read)}


def _is_month_as_minutes(form: str) -> bool:
    """Whether a format names minutes beside a year and no month, hour or day of the year."""
    named = set(re.findall(r"%-?([A-Za-z])", form))
    return bool("M" in named and named & {"Y", "y"} and not named & set("mbBhHIjcxDFSU"))


class NumberDates(Kind):
    """``pd.to_datetime(numbers)`` and ``pd.to_timedelta(numbers)``."""

    name = "number_dates"
    methods = frozenset({"to_datetime", "to_timedelta"})
    functions = frozenset({"to_datetime", "to_timedelta"})
    arguments = frozenset({"0", "arg", "unit", "1", "format", "origin"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_pandas_module(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, result = values.get("0", values.get("arg")), values["result"]
        if not live.is_series(data) or not live.is_number_dtype(data.dtype) or not 0 < len(data) <= ROWS:
            return None
        if not {"format", "origin"}.isdisjoint(values) or not live.is_series(result):
            return None
        unit = values.get("unit", values.get("1") if call.method == "to_timedelta" else None)
        looked, read = sample(data), sample(result)
        there = (looked.notna() & read.notna() & (looked != 0)).to_numpy()
        numbers, read = looked.to_numpy()[there].astype(float), read[there]
        if not len(numbers):
            return None
        facts = {"function": call.method, "unit": unit if type(unit) is str else "", "values": len(numbers)}
        if call.method == "to_timedelta":
            return {**facts, "outside": int((abs(read) < pd.Timedelta(1, "ms")).sum()), "fits": ()}
        days = unit == "D"  # days of a spreadsheet are dates 70 years ahead when they count from 1970
        years = read.dt.year
        outside = int(((years == 1970) | (years > (YEARS[1] if days else 2200))).sum())
        fits = _fitting(numbers.tolist(), written=bool(facts["unit"]) and not days) if outside else ()
        return {**facts, "outside": outside, "fits": fits}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["outside"])


def _fitting(numbers: list[float], *, written: bool) -> tuple[str, ...]:
    """The units in which all numbers are dates of our time."""
    low, high = min(numbers), max(numbers)
    seconds = [(pd.Timestamp(year, 1, 1) - pd.Timestamp(0)).total_seconds() for year in YEARS]
    found = [
        u
        for u, n in (("s", 1), ("ms", 1e3), ("us", 1e6), ("ns", 1e9))
        if seconds[0] * n <= low and high < seconds[1] * n
    ]
    if not written and all(n % 1 == 0 for n in numbers):
        found += ["year"] if YEARS[0] <= low and high < YEARS[1] else []
        found += ["yyyymmdd"] if all(_is_written_day(int(n)) for n in numbers) else []
    days = [(pd.Timestamp(year, 1, 1) - pd.Timestamp(1899, 12, 30)).days for year in YEARS]
    if not written and days[0] <= low and high < days[1]:
        found.append("spreadsheet day")
    return tuple(found)


def _is_written_day(number: int) -> bool:
    return YEARS[0] <= number // 10_000 < YEARS[1] and 1 <= number // 100 % 100 <= 12 and 1 <= number % 100 <= 31


class Epoch(Kind):
    """``dates.astype("int64")``: what a unit of the numbers is."""

    name = "epoch"
    methods = frozenset({"astype"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return (live.is_series(receiver) or type(receiver) is pd.DatetimeIndex) and receiver.dtype.kind in "mM"

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        if getattr(values["result"].dtype, "kind", "") not in "iu":
            return None
        dtype: Any = values["receiver"].dtype
        return {"unit": dtype.unit if isinstance(dtype, pd.DatetimeTZDtype) else np.datetime_data(dtype)[0]}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return 0.0
