"""What is asked of dates and durations: their parts, their last day, their order.

Facts of kind `duration_part`, of ``.seconds``, ``.dt.seconds``
    values. longer: durations of a day or more. negative: durations below zero. (Nothing where there is neither.)

Facts of kind `calendar_part`, of ``.dt.month``, ``.dt.quarter``, ``month_name``, ``isocalendar``, ``strftime``
    part: month, quarter or week; "" for a format that has a year. format: of `strftime`, else "". rows. years:
    distinct years. most, fewest: the number of years in which one month (quarter, week) occurs. other_year: rows, of
    those looked at, whose year by weeks is not their calendar year. looked. minutes: the format has minutes where a
    month stands, and the dates are of several months and have no minutes. months: it has a month where minutes stand.

Facts of kind `utc_part`, of ``.dt.date``, ``.dt.hour``, ``floor("D")``, ``resample("D")`` and others on times in UTC
    part. rows. (Nothing where all are midnight.)

Facts of kind `last_day`, of ``times <= day`` and ``times.between(first, day)``
    cut: times after midnight of the last day. rows. day: of the month. month_end: it is the month's last. text: the
    day is written as text. (Nothing where no time is cut, or the bound has a time of day.)

Facts of kind `text_dates`, of ``texts < "31/12/2024"`` and its like
    looked: texts that are dates. misplaced: those that are on the other side of the day, whichever number is the day.

Facts of kind `name_order`, of what depends on the order of a table by month or weekday
    labels. misplaced: neighbours of which the second is the earlier one. what: "months", "weekdays" or "dates". (Only
    where they are in the order of the letters.)

Facts of kind `stamp_days`, of ``groupby``, ``nunique``, ``value_counts`` and ``unique`` of a column of times
    column. looked, stamps, days: rows looked at, distinct times and distinct days among them. (Only where one day has
    several.)
"""

from __future__ import annotations

import ast
import datetime as dt
import operator
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe import live
from reflex_magic.observe.keys import sample
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind

DAY, NONE = np.timedelta64(1, "D"), np.timedelta64(0, "D")

GLANCE = 50
"""Texts that are looked at first: where all are in ISO order, their letters are as good as their days."""

MORE = 20_000
"""Rows, evenly spaced, in which years and months are counted once those looked at are of several years."""

_ACCESSORS = tuple(type(pd.Series([], dtype=kind).dt) for kind in ("M8[ns]", "m8[ns]"))
_YEAR = re.compile(r"%-?[YyGgCcDFsx]")
_MONTH = re.compile(r"%-?[mbBh]")
_DAY_FORMATS = frozenset({"D", "d", "1D", "W", "B", "ME", "MS", "M"})


def held(value: Any) -> Any:
    """The series or index of dates or durations before ``.dt``, or the value itself; None for what holds none."""
    if type(value) in _ACCESSORS:
        value = value._parent  # it has no public name
    dated = live.is_series(value) or type(value) in (pd.DatetimeIndex, pd.TimedeltaIndex)
    return value if dated and value.dtype.kind in "mM" else None


def wall(data: Any) -> Any:
    """Dates as the clock of their zone shows them, as NumPy's; without the missing ones."""
    index = pd.DatetimeIndex(data)
    times = (index if index.tz is None else index.tz_localize(None)).to_numpy().astype("M8[us]")
    return times[~np.isnat(times)]


def is_dated(value: Any) -> bool:
    """Whether a value may hold dates or durations."""
    return live.is_series(value) or type(value) in (*_ACCESSORS, pd.DatetimeIndex, pd.TimedeltaIndex)


class DurationPart(Kind):
    """``durations.dt.seconds`` and ``duration.seconds``."""

    name = "duration_part"
    operators = frozenset({".dt.seconds", ".seconds"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return is_dated(receiver) or type(receiver) in (pd.Timedelta, dt.timedelta)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = values["receiver"]
        if type(data) in (pd.Timedelta, dt.timedelta):
            data = pd.Series([data], dtype="m8[us]")
        data = held(data)
        if data is None or data.dtype.kind != "m" or len(data) > ROWS:
            return None
        spans = data.to_numpy()
        longer, negative = (int(np.count_nonzero(found)) for found in (spans >= DAY, spans < NONE))
        return {"values": len(data), "longer": longer, "negative": negative} if longer or negative else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["longer"] + facts["negative"])


_PARTS = {"month": "month", "month_name": "month", "quarter": "quarter", "week": "week", "isocalendar": "week"}


class CalendarPart(Kind):
    """``dates.dt.month`` and its like, and ``dates.dt.strftime(...)``."""

    name = "calendar_part"
    operators = frozenset({".dt.month", ".dt.quarter", ".month", ".quarter"})
    methods = frozenset({"month_name", "isocalendar", "strftime"})
    arguments = frozenset({"0", "date_format"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return is_dated(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = held(values["receiver"])
        if data is None or data.dtype.kind != "M" or not 0 < len(data) <= ROWS:
            return None
        form = values.get("0", values.get("date_format", "")) if call.method == "strftime" else ""
        if type(form) is not str:
            return None
        part = _PARTS.get(call.method, "")
        if call.method == "strftime" and not _YEAR.search(form):
            part = "month" if _MONTH.search(form) else "week" if re.search(r"%-?[UWV]", form) else ""
        few = wall(sample(data))
        if not len(few):
            return None
        facts: Facts = {"part": part, "format": form, "rows": len(data), "looked": len(few), **_years(data, few, part)}
        if part == "week" or "%V" in form:
            index = pd.DatetimeIndex(few)
            facts["other_year"] = int((index.isocalendar()["year"].to_numpy() != index.year.to_numpy()).sum())
        named = set(re.findall(r"%-?([A-Za-z])", form))
        if "M" in named and not named & set("mbBhHIjcxXTRrpS"):
            on_the_hour = bool((few == few.astype("M8[h]")).all())
            several = len(np.unique(few.astype("M8[M]"))) > 1
            facts["minutes"] = bool(named & {"Y", "y"}) and on_the_hour and several
        facts["months"] = bool(re.search(r"%[HI]:%m", form)) and "M" not in named
        return facts

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts.get("other_year", 0) + facts.get("years", 0))


def _years(data: Any, few: Any, part: str) -> Facts:
    """In how many years the months (quarters) occur; looked for in more rows, where the first are of several years."""
    years = len(np.unique(few.astype("M8[Y]")))
    if part not in ("month", "quarter") or years < 2:
        return {"years": years, "most": 1, "fewest": 1}
    more = wall(data if len(data) <= MORE else data.take(np.linspace(0, len(data) - 1, MORE, dtype=int)))
    months = np.unique(more.astype("M8[M]")).astype(int)
    if part == "quarter":
        months = np.unique(months // 3) * 3
    counts = np.unique(months % 12, return_counts=True)[1]
    return {"years": len(np.unique(months // 12)), "most": int(counts.max()), "fewest": int(counts.min())}


class UtcPart(Kind):
    """``times.dt.date``, ``times.dt.floor("D")``, ``frame.resample("D")`` where the times are in UTC."""

    name = "utc_part"
    operators = frozenset(
        {".dt.date", ".dt.day", ".dt.hour", ".dt.dayofweek", ".dt.weekday", ".dt.month", ".hour", ".dayofweek"}
    )
    methods = frozenset({"day_name", "floor", "normalize", "strftime", "resample"})
    arguments = frozenset({"0", "rule", "freq", "on"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return is_dated(receiver) or live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = values["receiver"]
        if call.method in ("floor", "resample"):
            if values.get("0", values.get("rule", values.get("freq"))) not in _DAY_FORMATS:
                return None
            if call.method == "resample":
                data = data[values["on"]] if "on" in values else data.index
        data = held(data)
        dtype: Any = None if data is None else data.dtype
        if not isinstance(dtype, pd.DatetimeTZDtype) or str(dtype.tz) not in ("UTC", "UTC+00:00"):
            return None
        few = wall(sample(data))
        if (few == few.astype("M8[D]")).all():
            return None
        return {"part": call.method, "rows": len(data)}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return 0.0


class LastDay(Kind):
    """``times <= day``, ``times.between(first, day)`` and ``frame.query("times <= 'day'")``."""

    name = "last_day"
    operators = frozenset({"<="})
    methods = frozenset({"le", "between", "query"})
    arguments = frozenset({"0", "1", "other", "right", "inclusive", "expr"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or type(receiver) is pd.DatetimeIndex or live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = values["receiver"]
        if live.is_frame(data):
            if call.method != "query":
                return None
            told = [_cut(data[name], bound) for name, bound in _in_query(data, values.get("0", values.get("expr")))]
            return max((f for f in told if f), key=self.telling, default=None)
        if call.method == "between":
            if values.get("inclusive", "both") not in ("both", "right"):
                return None
            return _cut(data, values.get("1", values.get("right")))
        return _cut(data, values.get("0", values.get("other")))

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["cut"])


def _in_query(frame: Any, text: Any) -> list[tuple[str, str]]:
    """The columns of a query that must not be above a day, with the day."""
    if not isinstance(text, str):
        return []
    found = []
    for node in ast.walk(ast.parse(text.strip().replace("\n", " "), mode="eval")):
        match node:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.LtE()], comparators=[ast.Constant(value=str() as bound)]):
                found.append((name, bound))
            case ast.Compare(comparators=[ast.Name(id=name), ast.Constant(value=str() as bound)], ops=[_, ast.LtE()]):
                found.append((name, bound))
    return [(name, bound) for name, bound in found if name in frame.columns]


def _cut(data: Any, bound: Any) -> Facts | None:
    """What a comparison with a day leaves of that day."""
    data = held(data)
    if data is None or data.dtype.kind != "M" or len(data) > ROWS:
        return None
    if isinstance(bound, str):
        if not re.fullmatch(r"\s*\d{4}-?\d\d-?\d\d\s*", bound):
            return None
    elif type(bound) not in (pd.Timestamp, dt.datetime, dt.date, np.datetime64):
        return None
    day = pd.Timestamp(bound)
    if day is pd.NaT or day != day.normalize():
        return None
    dates = data.dt if live.is_series(data) else data
    zone, unit = dates.tz, dates.unit
    if zone is not None:
        day = day.tz_localize(zone) if day.tz is None else day.tz_convert(zone)
    start, end = (_naive(t) for t in (day, day + pd.DateOffset(days=1)))
    times = data.to_numpy(dtype=f"M8[{unit}]")
    cut = int(np.count_nonzero((times > start) & (times < end)))
    if not cut:
        return None
    end_of = {"month_end": bool(day.is_month_end), "text": isinstance(bound, str)}
    return {"rows": len(data), "cut": cut, "day": day.day, **end_of}


def _naive(stamp: Any) -> Any:
    """The moment as NumPy counts it, in UTC."""
    return (stamp if stamp.tz is None else stamp.tz_convert("UTC").tz_localize(None)).to_datetime64()


_TWO_NUMBERS = re.compile(r"\s*(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?!\d)")
_YEAR_FIRST = re.compile(r"\s*(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?!\d)")
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip


class TextDates(Kind):
    """``texts < "31/12/2024"`` and ``texts.between("01/03/2024", "31/03/2024")``."""

    name = "text_dates"
    operators = frozenset({"<", "<=", ">", ">="})
    methods = frozenset({"lt", "le", "gt", "ge", "between"})
    arguments = frozenset({"0", "1", "other", "left", "right"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) and live.is_text_dtype(receiver.dtype)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        low = values.get("0", values.get("other", values.get("left")))
        if call.method == "between":
            bounds = [(">=", low), ("<=", values.get("1", values.get("right")))]
        else:
            bounds = [(call.method, low)]
        limits = [
            (text, read, _COMPARED[op]) for op, text in bounds if isinstance(text, str) and (read := _readings(text))
        ]
        if len(limits) != len(bounds):
            return None
        texts = [t for t in sample(values["receiver"]).tolist() if isinstance(t, str)]
        if all(_ISO.match(t) for t in (*texts[:GLANCE], *(text for text, *_ in limits))):
            return None
        dates = [(t, read) for t in texts if (read := _readings(t))]
        misplaced = sum(any(_is_misplaced(text, read, *limit) for limit in limits) for text, read in dates)
        return {"looked": len(dates), "misplaced": misplaced} if misplaced else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["misplaced"])


_Day = tuple[int, int, int]
_Readings = tuple[_Day | None, _Day | None]


def _is_misplaced(text: str, read: _Readings, limit: str, limits: _Readings, by: Callable[[Any, Any], Any]) -> bool:
    """Whether the letters say something else than the days, whichever number is the day."""
    said = by(text, limit)
    meant = [by(a, b) for a, b in zip(read, limits, strict=True) if a and b]
    return bool(meant) and said not in meant


def _readings(text: str) -> _Readings | None:
    """The days that a text may mean: with the day first, and with the month first; None for no date."""
    if found := _YEAR_FIRST.match(text):
        day = (int(found[1]), int(found[3]), int(found[4]))
        return day, day
    if not (found := _TWO_NUMBERS.match(text)):
        return None
    first, second, year = int(found[1]), int(found[3]), int(found[4])
    readings = (
        (year, second, first) if second <= 12 and first <= 31 else None,
        (year, first, second) if first <= 12 and second <= 31 else None,
    )
    return readings if any(readings) else None


_MONTHS = {
    name: i
    for i, name in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"))
}
_WEEKDAYS = {name: i for i, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_FULL = re.compile(
    r"(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?"
    r"|oct|nov|dec)(?:[ -]+(\d{4}))?"
    r"|(monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|wed|thu|fri|sat|sun)"
    r"|(\d\d)[-/.](\d{4})|(\d\d)[-/.](\d\d)[-/.](\d{4})",
    re.IGNORECASE,
)


class NameOrder(Kind):
    """``by_month.cumsum()`` and what else goes through a table row by row."""

    name = "name_order"
    methods = frozenset({"cumsum", "diff", "pct_change", "shift", "rolling", "expanding", "plot", "sort_index"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        index = values["result" if call.method == "sort_index" else "receiver"].index
        if type(index) is not pd.Index or not live.is_text_dtype(index.dtype) or not 3 <= len(index) <= 400:
            return None
        labels = index.tolist()
        found = [_FULL.fullmatch(t) if isinstance(t, str) else None for t in labels]
        if not all(found) or labels != sorted(set(labels)):
            return None
        ranked = [_rank(f) for f in found if f]
        if len({what for what, _ in ranked}) > 1:
            return None
        misplaced = sum(a > b for (_, a), (_, b) in pairwise(ranked))
        return {"labels": len(labels), "misplaced": misplaced, "what": ranked[0][0]} if misplaced else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["misplaced"])


def _rank(found: re.Match[str]) -> tuple[str, tuple[int, ...]]:
    """What a label is, and its place in time."""
    month, year, weekday, number, of_year, first, second, last = found.groups()
    if month:
        return "months", (int(year or 0), _MONTHS[month[:3].lower()])
    if weekday:
        return "weekdays", (_WEEKDAYS[weekday[:3].lower()],)
    if number:
        return "dates", (int(of_year), int(number))
    return "dates", (int(last), int(second), int(first))


class StampDays(Kind):
    """``frame.groupby("at")``, ``times.nunique()`` and ``times.value_counts()`` of a column that has times of day."""

    name = "stamp_days"
    methods = frozenset({"groupby", "nunique", "value_counts", "unique", "drop_duplicates"})
    arguments = frozenset({"0", "by", "subset"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, key = values["receiver"], values.get("0", values.get("by", values.get("subset")))
        if live.is_frame(data):
            if type(key) is list and len(key) == 1:
                key = key[0]
            data = data[key] if type(key) is str and key in data.columns else key
        elif call.method == "groupby":
            data = key
        if not live.is_series(data) or data.dtype.kind != "M":
            return None
        few = wall(sample(data))
        if (few == few.astype("M8[D]")).all():
            return None
        stamps, days = (len(np.unique(found)) for found in (few, few.astype("M8[D]")))
        if stamps == days:
            return None
        return {"column": str(data.name), "looked": len(few), "stamps": stamps, "days": days}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["stamps"] - facts["days"])
