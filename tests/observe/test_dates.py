"""Facts about dates and times, and the properties that are watched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reflex_magic.core.outcome import Completed, Operation
from tests.observe.stepper import run_body


def noted(body: str, setup: str = "") -> list[Operation]:
    run = run_body(body, setup)
    assert isinstance(run.outcome, Completed), run.outcome
    return list(run.operations)


def facts(kind: str, body: str, setup: str = "") -> Mapping[str, Any]:
    (found,) = [op.facts for op in noted(body, setup) if op.kind == kind]
    return found


SPANS = "spans = pd.Series(pd.to_timedelta(['1h', '25h', None, '-3h']))\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = spans.dt.seconds", {"values": 4, "longer": 1, "negative": 1}),
        ("x = pd.TimedeltaIndex(spans).seconds", {"values": 4, "longer": 1, "negative": 1}),
        ("x = spans[1].seconds", {"values": 1, "longer": 1, "negative": 0}),
        ("x = spans[1].to_pytimedelta().seconds", {"values": 1, "longer": 1, "negative": 0}),
        ("def f(s):\n    return s.dt.seconds\nx = spans.dt.seconds", {"values": 4, "longer": 1, "negative": 1}),
        ("x = [s.dt.seconds for s in [spans, spans]]", {"values": 4, "longer": 1, "negative": 1}),
    ],
)
def test_the_seconds_of_durations(body: str, expected: dict[str, int]) -> None:
    assert facts("duration_part", body, SPANS) == expected


@pytest.mark.parametrize(
    "body",
    [
        "x = spans[:1].dt.seconds",
        "x = spans.dt.total_seconds()",
        "x = [s.seconds for s in spans.dropna()]",
        "class Clock:\n    seconds = 5\nx = Clock().seconds",
        "class Clock:\n    pass\nc = Clock()\nc.seconds = spans\nc.seconds += spans\ndel c.seconds",
    ],
)
def test_what_is_not_noted(body: str) -> None:
    assert not [op for op in noted(body, SPANS) if op.kind == "duration_part"]


def test_a_property_that_is_called_still_is() -> None:
    body = (
        "class Column:\n    def month(self):\n        return 7\nclass Frame:\n    dt = Column()\nx = Frame().dt.month()"
    )
    assert run_body(body).handle["x"] == 7  # type: ignore[index]


def test_a_pattern_has_no_probe() -> None:
    body = "class Part:\n    month = 1\nmatch 1:\n    case Part.month if Part.month:\n        x = 'm'"
    run = run_body(body)
    assert isinstance(run.outcome, Completed)
    assert run.handle["x"] == "m"  # type: ignore[index]


def test_a_property_stands_where_it_is_written() -> None:
    (op,) = [o for o in noted("x = (\n    spans\n    .dt.seconds\n) / 3600", SPANS) if o.kind == "duration_part"]
    assert op.expression == "spans .dt.seconds"
    assert (op.span.line, op.span.end_line) == (3, 4)


@pytest.mark.parametrize(
    ("texts", "call", "expected"),
    [
        (["13/02/2024", "03/05/2024"], "format='mixed'", {"day_only": 1, "read_month": 1}),
        (["02/13/2024", "03/05/2024"], "format='mixed', dayfirst=True", {"month_only": 1, "read_day": 1}),
        (["03/05/2024", "13/02/2024"], "errors='coerce'", {"day_only": 1, "lost": 1, "read_month": 1}),
        (["2024-03-05", "2024-04-06"], "dayfirst=True", {"iso_swapped": 2}),
        (["03.05.24", "13.02.25", None], "format='%d.%m.%y'", {"day_only": 1, "read_day": 1, "short": 2, "future": 0}),
        (["2024-05-02"], "format='%Y-%M-%d'", {"minutes": True}),
        (["2024-00-02"], "format='%Y-%M-%d'", {"minutes": False}),
    ],
)
def test_texts_that_become_dates(texts: list[str], call: str, expected: dict[str, int]) -> None:
    setup = f"s = pd.Series({texts!r}, dtype=object)"
    for body in (f"x = pd.to_datetime(s, {call})", f"x = pd.to_datetime(s.tolist(), {call})"):
        found = facts("parse_dates", body, setup)
        assert {k: v for k, v in found.items() if v and k not in ("function", "format", "looked")} == {
            k: v for k, v in expected.items() if v
        }
        assert expected.keys() <= found.keys()


def test_texts_in_iso_order_say_nothing() -> None:
    operations = noted("x = pd.to_datetime(s)", "s = pd.Series(['2024-03-05', '2024-04-06'])")
    assert [op.kind for op in operations] == ["coerce"]


@pytest.mark.parametrize(
    ("numbers", "call", "fits"),
    [
        ([1_700_000_000, 1_710_000_000], "", ("s",)),
        ([1_700_000_000, 1_710_000_000], "unit='ms'", ("s",)),
        ([1_700_000_000_000, None], "unit='s'", ("ms",)),
        ([45_000, 45_001.5], "", ("spreadsheet day",)),
        ([20240131, 20240201], "", ("yyyymmdd",)),
        ([2020, 2024], "", ("year",)),
        ([5, 17], "", ()),
        ([1_700_000_000, 17], "", ()),
    ],
)
def test_numbers_that_become_dates(numbers: list[float], call: str, fits: tuple[str, ...]) -> None:
    found = facts("number_dates", f"x = pd.to_datetime(s, {call})", f"s = pd.Series({numbers!r})")
    assert found["outside"] == found["values"] == sum(n is not None for n in numbers)
    assert found["fits"] == fits


def test_dates_where_they_belong() -> None:
    found = facts("number_dates", "x = pd.to_datetime(s, unit='s')", "s = pd.Series([1_700_000_000, 0])")
    assert (found["values"], found["outside"]) == (1, 0)


TIMES = (
    "at = pd.Series(pd.to_datetime(['2024-03-31 00:00', '2024-03-31 09:00', None, '2024-04-01 00:00']))\n"
    "berlin = at.dt.tz_localize('Europe/Berlin')\n"
    "frame = pd.DataFrame({'at': at})\n"
)


@pytest.mark.parametrize(
    "body",
    [
        "x = at <= '2024-03-31'",
        "x = at.le(pd.Timestamp('2024-03-31'))",
        "x = at.between('2024-03-01', '2024-03-31')",
        "x = pd.DatetimeIndex(at) <= '2024-03-31'",
        "x = berlin <= '2024-03-31'",
        "x = berlin <= pd.Timestamp('2024-03-30 23:00', tz='UTC').tz_convert('Europe/Berlin')",
        "x = frame.query('at <= \"2024-03-31\"')",
    ],
)
def test_times_after_the_midnight_of_the_last_day(body: str) -> None:
    found = facts("last_day", body, TIMES)
    assert (found["rows"], found["cut"], found["month_end"]) == (4, 1, True)


@pytest.mark.parametrize(
    "body",
    [
        "x = at <= '2024-03-31 12:00'",
        "x = at <= '2024-03-30'",
        "x = at < '2024-03-31'",
        "x = at.between('2024-03-01', '2024-03-31', inclusive='left')",
        "x = at <= pd.Series(at)",
        "x = at.dt.normalize() <= '2024-03-31'",
    ],
)
def test_no_time_of_the_last_day_is_cut(body: str) -> None:
    assert not [op for op in noted(body, TIMES) if op.kind == "last_day"]


def test_months_are_counted_by_the_clock_of_their_zone() -> None:
    setup = "at = pd.Series(pd.date_range('2023-12-31 23:30', periods=2, freq='h', tz='UTC'))\n"
    assert facts("calendar_part", "x = at.dt.month", setup)["years"] == 2
    setup += "at = at.dt.tz_convert('Asia/Tokyo')"
    assert facts("calendar_part", "x = at.dt.month", setup)["years"] == 1


def test_a_month_by_the_years_in_which_it_occurs() -> None:
    setup = "at = pd.Series(pd.date_range('2022-01-01', '2024-03-31'))"
    found = facts("calendar_part", "x = at.dt.month", setup)
    assert (found["years"], found["most"], found["fewest"]) == (3, 3, 2)
    found = facts("calendar_part", "x = at.dt.quarter", setup)
    assert (found["years"], found["most"], found["fewest"]) == (3, 3, 2)


@pytest.mark.parametrize(
    ("index", "call", "expected"),
    [
        ("pd.date_range('2024-01-31', periods=8, freq='ME').delete(3)", "shift(2)", ("M", 1, 2)),
        ("pd.date_range('2024-01-01', periods=9, freq='QS').delete(3)", "diff(4)", ("Q", 1, 3)),
        ("pd.date_range('2024-01-01', periods=9, freq='h').delete(3)", "rolling(3)", ("h", 1, 2)),
        ("pd.date_range('2024-01-01', periods=9, tz='UTC').delete([3, 4])", "pct_change()", ("D", 1, 1)),
        ("pd.period_range('2024-01', periods=9, freq='M').delete(3)", "shift(3)", ("M", 1, 3)),
    ],
)
def test_rows_that_are_further_apart(index: str, call: str, expected: tuple[str, int, int]) -> None:
    found = facts("row_steps", f"x = s.{call}", f"i = {index}\ns = pd.Series(1.0, index=i)")
    assert (found["step"], found["gaps"], found["apart"]) == expected


@pytest.mark.parametrize(
    "index",
    [
        "pd.date_range('2024-01-01', periods=9)",
        "pd.date_range('2024-01-01', periods=9, freq='MS')",
        "pd.bdate_range('2024-01-01', periods=9).delete(3)",
        "pd.DatetimeIndex(['2024-01-01', '2024-01-04', '2024-02-09', '2024-02-11', '2024-07-01'])",
        "pd.RangeIndex(9)",
        "pd.date_range('2024-01-01', periods=9).delete(3)[::-1]",
    ],
)
def test_rows_that_have_no_gap_or_no_distance(index: str) -> None:
    operations = noted("x = s.shift(2)", f"i = {index}\ns = pd.Series(1.0, index=i)")
    assert not [op for op in operations if op.kind == "row_steps"]


def test_the_share_of_the_last_period() -> None:
    setup = "s = pd.Series(1, index=pd.date_range('2023-11-01', '2024-02-10'))"
    assert facts("periods", "x = s.resample('ME')", setup) == {"unit": "month", "full": 3, "last": 0.34}
    assert facts("periods", "x = s.sample(frac=1, random_state=1).index.to_period('M')", setup)["full"] == 3
    for part in ("s[:'2024-01-25']", "s.iloc[::20]"):
        assert "periods" not in {op.kind for op in noted(f"x = {part}.resample('ME')", setup)}


def test_ages_by_the_calendar() -> None:
    setup = (
        "born = pd.Series(pd.to_datetime(['2000-06-01', '2000-06-02', None, '2030-01-01']))\n"
        "today = pd.Timestamp('2024-06-01')\n"
    )
    found = facts("elapsed", "x = (today - born).dt.days // 365", setup)
    assert (found["looked"], found["years"]) == (2, 1)
    assert not [op for op in noted("x = (today - born).dt.days / 7", setup) if op.kind == "elapsed"]
    assert facts("elapsed", "x = (today - born[1]).days // 365", setup)["years"] == 1


@pytest.mark.parametrize("body", ["x = s.reindex(days)", "x = frame.reindex(days)"])
def test_a_new_index_that_no_time_meets(body: str) -> None:
    setup = (
        "s = pd.Series(1, index=pd.date_range('2024-01-01 09:00', periods=3))\nframe = s.to_frame()\n"
        "days = pd.date_range('2024-01-01', periods=5)\n"
    )
    assert facts("reindex_times", body, setup) == {"rows": 3, "labels": 5, "late": 0, "met": 0, "days": 3}
