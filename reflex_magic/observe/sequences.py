"""Rows as points in time: their order, their distance, the periods they fill, and zones.

Facts of kind `row_steps`, of ``rolling``, ``shift``, ``diff`` and ``pct_change`` by rows, where the index is dates in
order
    method. periods: rows. step: "h", "D", "W", "M" or "Q", the usual distance of two rows. gaps: distances that are
    longer. apart: rows whose partner, `periods` rows before, is not `periods` steps before; of a rolling window, its
    first row. rows.

Facts of kind `time_order`, of what goes through rows one by one, where the index is dates and not in order, nor the
values
    method. rows. back: rows earlier than the row before.

Facts of kind `steps_back`, of ``times.diff()`` and ``times - times.shift()``
    steps. negative: those below zero. (Only where some, and fewer than half, are.)

Facts of kind `periods`, of ``resample``, ``to_period`` and ``strftime("%Y-%m")`` by week, month, quarter or year
    unit. full: the periods before the last that have data up to their end, at most 12. last: the share of the last
    period up to its last date. (Only where the last period ends early, and those before do not.)

Facts of kind `day_moves`, of ``times + timedelta`` by whole days, where the times have a zone
    rows. moved: those whose time of day is another afterwards. alike: all had the same time of day.

Facts of kind `localize`, of ``tz_localize``
    rows. lost: times that became missing.

Facts of kind `elapsed`, of ``dates - dates`` in a cell that divides by 365 or 30
    looked. years, months: rows in which days // 365, or days // 30, is not the number of whole years or months.

Facts of kind `reindex_times`, of ``reindex`` by dates
    rows, labels. late: rows on the day of the last new label, and after it. met: new labels, of
    those looked at, that are there. days: where no label is, rows, of those looked at, whose day is a new label.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe import live
from reflex_magic.observe.keys import sample
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind

_TIMES = (pd.DatetimeIndex, pd.PeriodIndex)
_SECONDS = {"h": 3600, "D": 86_400, "W": 604_800}
_ACCESSOR = type(pd.Series([], dtype="M8[ns]").dt)

DAY = np.timedelta64(1, "D")

WEEKENDS = 0.05
"""Days of which fewer are on a weekend are days of business."""

COLUMNS = 20
"""Columns of a table of which it is asked whether the rows are in their order."""

LONGEST = 100_000
"""Rows of which the distances are looked at; longer tables are not noted."""


class RowSteps(Kind):
    """``series.shift(12)`` where a row is a month, and its like."""

    name = "row_steps"
    methods = frozenset({"rolling", "shift", "diff", "pct_change"})
    arguments = frozenset({"0", "window", "periods", "1", "freq"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        index = values["receiver"].index
        periods = values.get("0", values.get("window", values.get("periods", 1)))
        if type(index) not in _TIMES or type(periods) is not int or periods < 1 or "freq" in values:
            return None
        if not 4 <= len(index) <= LONGEST or not index.is_monotonic_increasing or not index.is_unique:
            return None
        told = _positions(index)
        if told is None:
            return None
        step, places = told
        gaps = int((np.diff(places) > 1).sum())
        if not gaps:
            return None
        back = periods - 1 if call.method == "rolling" else periods
        apart = int((places[back:] - places[: len(places) - back] != back).sum()) if back else 0
        return {
            "method": call.method,
            "periods": periods,
            "step": step,
            "gaps": gaps,
            "apart": apart,
            "rows": len(index),
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["apart"])


def _positions(index: Any) -> tuple[str, Any] | None:
    """The usual distance of rows, and the place of each row counted in it; None where there is none or no gap."""
    if type(index) is pd.PeriodIndex:
        unit = str(index.freqstr)[:1]
        return (unit, index.asi8) if unit in "hDWMQ" and len(str(index.freqstr).partition("-")[0]) == 1 else None
    naive = index.tz_localize(None) if index.tz is not None else index
    seconds = (naive - naive[0]).total_seconds().to_numpy()
    distances = np.diff(seconds)
    usual = float(np.median(distances))
    if distances.max() == usual:
        return None
    for step, length in _SECONDS.items():
        if usual == length and (seconds % length == 0).all():
            # Where hardly a row is on a weekend, the days between two rows are not missing.
            if step == "D" and (naive.day_of_week >= 5).mean() < WEEKENDS:
                return None
            return step, (seconds // length).astype(int)
    month = naive.year.to_numpy() * 12 + naive.month.to_numpy()
    same = len(set(naive.day)) == 1 or bool(naive.is_month_end.all())
    if same and 28 * 86_400 <= usual <= 31 * 86_400:
        return "M", month
    if same and 89 * 86_400 <= usual <= 92 * 86_400 and len(set(month % 3)) == 1:
        return "Q", month // 3
    return None


class TimeOrder(Kind):
    """``series.cumsum()`` and its like where the index is dates."""

    name = "time_order"
    methods = frozenset(
        {"cumsum", "cumprod", "diff", "shift", "pct_change", "rolling", "expanding", "ffill", "interpolate"}
    )
    arguments = frozenset({"0", "window"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, index = values["receiver"], values["receiver"].index
        if type(index) not in _TIMES or len(index) > ROWS or _is_sorted(index):
            return None
        # Rows in the order of a value, the largest first, are summed up on purpose.
        columns = [data] if live.is_series(data) else [data.iloc[:, i] for i in range(min(data.shape[1], COLUMNS))]
        if any(map(_is_sorted, columns)):
            return None
        return {"method": call.method, "rows": len(index), "back": int((index[1:] < index[:-1]).sum())}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["back"])


def _is_sorted(values: Any) -> bool:
    """Whether values are in order, whichever way."""
    try:
        return bool(values.is_monotonic_increasing or values.is_monotonic_decreasing)
    except TypeError:  # values that cannot be compared
        return False


class StepsBack(Kind):
    """``times.diff()`` and ``times - times.shift()``."""

    name = "steps_back"
    methods = frozenset({"diff"})
    operators = frozenset({"-"})
    arguments = frozenset({"0"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return (live.is_series(receiver) and receiver.dtype.kind == "M") or live.is_groupby(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        steps: Any = values["result"]
        if not live.is_series(steps) or getattr(steps.dtype, "kind", "") != "m" or not 0 < len(steps) <= ROWS:
            return None
        if call.method == "-" and "shift" not in call.words:
            return None
        spans = steps.to_numpy()
        negative = int(np.count_nonzero(spans < np.timedelta64(0, "s")))
        if not negative:
            return None
        there = len(spans) - int(np.count_nonzero(np.isnat(spans)))
        return {"steps": there, "negative": negative} if negative < there / 2 else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["negative"])


EARLY = 0.6
"""A last period with data for less than this share of it is not full."""

FULL = 0.85
"""A period with data up to here or beyond is full."""

PERIODS = 12
"""Periods before the last that are looked at."""

_UNITS = {"M": "month", "Q": "quarter", "Y": "year"}
_FORMATS = {"%Y-%m": "M", "%Y/%m": "M", "%m/%Y": "M", "%Y%m": "M", "%b %Y": "M", "%Y": "Y"}


class Periods(Kind):
    """``frame.resample("ME")``, ``dates.dt.to_period("M")`` and ``dates.dt.strftime("%Y-%m")``."""

    name = "periods"
    methods = frozenset({"resample", "to_period", "strftime"})
    arguments = frozenset({"0", "rule", "freq", "date_format", "on"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or live.is_frame(receiver) or type(receiver) in (_ACCESSOR, pd.DatetimeIndex)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, rule = values["receiver"], values.get("0", values.get("rule", values.get("freq")))
        if call.method == "strftime":
            rule = _FORMATS.get(values.get("0", values.get("date_format", "")))
        if type(rule) is not str or rule[:1] not in _UNITS or rule[1:] not in ("", "E", "S"):
            return None
        if call.method == "resample":
            data = data[values["on"]] if "on" in values else data.index
        elif type(data) is _ACCESSOR:
            data = data._parent  # it has no public name
        index = pd.DatetimeIndex(data) if live.is_series(data) and data.dtype.kind == "M" else data
        if type(index) is not pd.DatetimeIndex or not 0 < len(index) <= ROWS:
            return None
        index = index.tz_localize(None) if index.tz is not None else index
        return _last_period(index, rule[:1])

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["full"])


def _last_period(index: Any, unit: str) -> Facts | None:
    """How far the last period has data, where those before have data to their ends."""
    end = index.max()
    if end is pd.NaT or (last := _share(end, period := end.to_period(unit))) >= EARLY:
        return None
    ordered = index if index.is_monotonic_increasing else sample(index.dropna()).sort_values()
    full = 0
    while full < PERIODS and (before := int(ordered.searchsorted(period.start_time))):
        period -= 1
        if ordered[before - 1] < period.start_time or _share(ordered[before - 1], period) < FULL:
            return None
        full += 1
    return {"unit": _UNITS[unit], "full": full, "last": round(last, 2)} if full > 1 else None


def _share(stamp: Any, period: Any) -> float:
    """How much of a period has gone at the end of a day."""
    gone = stamp.normalize() + pd.Timedelta(days=1) - period.start_time
    return float(gone / (period.end_time - period.start_time))


class DayMoves(Kind):
    """``times + pd.Timedelta(days=1)`` where the times have a zone."""

    name = "day_moves"
    operators = frozenset({"+", "-"})
    arguments = frozenset({"0"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or type(receiver) in (pd.DatetimeIndex, pd.Timestamp)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        times, step, result = values["receiver"], values["0"], values["result"]
        if type(step) not in (pd.Timedelta, dt.timedelta) or pd.Timedelta(step) % pd.Timedelta(days=1):
            return None
        if type(times) is pd.Timestamp:
            times, result = pd.DatetimeIndex([times]), pd.DatetimeIndex([result])
        if getattr(times.dtype, "tz", None) is None or str(times.dtype.tz) == "UTC" or len(times) > ROWS:
            return None
        before, after = (pd.DatetimeIndex(sample(t)).tz_localize(None) for t in (times, result))
        of_day = before - before.normalize()
        moved = int(((after - after.normalize()) != of_day).sum())
        return {"rows": len(before), "moved": moved, "alike": len(of_day.unique()) == 1} if moved else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["moved"])


class Localize(Kind):
    """``times.dt.tz_localize(zone, ambiguous="NaT")``."""

    name = "localize"
    methods = frozenset({"tz_localize"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return type(receiver) in (_ACCESSOR, pd.DatetimeIndex)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        if {"ambiguous", "nonexistent"}.isdisjoint(call.keywords):
            return None
        before, after = values["receiver"], values["result"]
        before = before._parent if type(before) is _ACCESSOR else before
        lost = int(after.isna().sum()) - int(before.isna().sum())
        return {"rows": len(before), "lost": lost} if lost > 0 else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["lost"])


_BY_DAYS = re.compile(r"/\s*(365|30)\b(?!\.)")


class Elapsed(Kind):
    """``dates - dates`` in a cell that divides by 365 or by 30."""

    name = "elapsed"
    operators = frozenset({"-"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or type(receiver) in (pd.Timestamp, dt.datetime, dt.date)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        if not _BY_DAYS.search(call.cell.python):
            return None
        ends = [_dates(values[name], values["result"]) for name in ("receiver", "0")]
        if ends[0] is None or ends[1] is None:
            return None
        later, earlier = (pd.DatetimeIndex(end) for end in ends)
        known = (later >= earlier) & later.notna() & earlier.notna()
        later, earlier = later[known], earlier[known]
        days = (later - earlier).days.to_numpy()
        whole = ((later.year - earlier.year) * 12 + later.month - earlier.month).to_numpy()
        rest = [end.day.to_numpy() * DAY + (end - end.normalize()).to_numpy() for end in (later, earlier)]
        whole = whole - (rest[0] < rest[1])
        years, months = (int(np.count_nonzero(told)) for told in (days // 365 != whole // 12, days // 30 != whole))
        return {"looked": len(days), "years": years, "months": months}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["years"] + facts["months"])


def _dates(value: Any, result: Any) -> Any:
    """Dates without a zone, as many as are looked at of the result; None for what holds none."""
    if live.is_series(value):
        if value.dtype.kind != "M" or not live.is_series(result) or not len(value) == len(result) <= ROWS:
            return None
        dates = pd.DatetimeIndex(sample(value))
    elif isinstance(value, dt.date):
        dates = pd.DatetimeIndex([value] * (len(sample(result)) if live.is_series(result) else 1))
    else:
        return None
    return dates if dates.tz is None else dates.tz_localize(None)


class ReindexTimes(Kind):
    """``frame.reindex(dates)``."""

    name = "reindex_times"
    methods = frozenset({"reindex"})
    arguments = frozenset({"0", "index", "method"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        old, new = values["receiver"].index, values.get("0", values.get("index"))
        if type(old) is not pd.DatetimeIndex or type(new) is not pd.DatetimeIndex or "method" in values:
            return None
        if not 0 < len(old) <= ROWS or not 0 < len(new) <= ROWS or old.tz != new.tz:
            return None
        end = new.max()
        late = 0
        if end == end.normalize() and not (sample(new) == sample(new).normalize()).all():
            late = int(((old > end) & (old < end + pd.DateOffset(days=1))).sum())
        met = int((old.get_indexer(sample(new)) >= 0).sum())
        # Only where none of a sample is met, all are looked at.
        days = 0 if met or old.isin(new).any() else int(sample(old).normalize().isin(new).sum())
        return {"rows": len(old), "labels": len(new), "late": late, "met": met, "days": days}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["late"] + facts["days"])
