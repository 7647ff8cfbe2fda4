"""Dates and times that give wrong numbers, and cells that look alike and are right."""

from __future__ import annotations

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed
from tests.checks.tables import cells
from tests.observe.stepper import run_body

SETUP = """
import datetime as dt
texts = pd.DataFrame({
    "dmy": ["01/02/2024", "05/02/2024", "11/02/2024", "02/03/2024", "09/03/2024"],
    "mixed": ["13/02/2024", "05/02/2024", "11/03/2024", "02/03/2024", "09/03/2024"],
    "styles": ["13/02/2024", "02/27/2024", "11/03/2024", "02/03/2024", "09/03/2024"],
    "iso": ["2024-01-02", "2024-03-05", "2024-04-09", "2024-05-06", "2024-07-08"],
    "full": ["02/01/2024", "05/03/2024", "19/04/2024", "25/05/2024", "30/07/2024"],
    "us": ["02/01/2024", "03/05/2024", "04/19/2024", "05/25/2024", "07/30/2024"],
    "letters": ["01/02/2024", "01/05/2024", "02/01/2024", "02/09/2024", "05/01/2024"],
    "born": ["01.02.58", "05.02.84", "11.02.91", "02.03.77", "09.03.66"],
    "eur": [1, 2, 3, 4, 5],
})
numbers = pd.DataFrame({
    "s": [1700000000, 1710000000], "ms": [1700000000000, 1710000000000], "serial": [45000, 45100],
    "day": [20240131, 20240201], "year": [2020, 2021], "tick": [0, 3600], "minutes": [20, 35],
})
orders = pd.DataFrame({"at": pd.date_range("2024-02-27 07:30", "2024-04-02", freq="5h")})
orders["eur"] = range(len(orders))
orders["day"] = orders["at"].dt.normalize()
orders["utc"] = orders["at"].dt.tz_localize("UTC")
jobs = pd.DataFrame({"opened": pd.to_datetime(["2024-01-01 08:00", "2024-01-02 09:00", "2024-01-03 22:00"]),
                     "done": pd.to_datetime(["2024-01-01 12:00", "2024-01-04 10:00", "2024-01-04 06:00"])})
jobs["took"] = jobs["done"] - jobs["opened"]
rides = pd.DataFrame({"day": pd.date_range("2023-01-01", "2024-02-29"), "n": 1})
even = pd.DataFrame({"day": pd.date_range("2022-01-01", "2023-12-31"), "n": 1})
months = pd.Series(range(29), index=pd.date_range("2022-01-01", periods=30, freq="MS").delete(7), dtype=float)
whole = months.asfreq("MS")
daily = pd.Series(range(60), index=pd.date_range("2024-01-01", periods=62).delete([10, 20]), dtype=float)
trading = pd.Series(range(58), index=pd.bdate_range("2024-01-01", periods=60).delete([10, 20]), dtype=float)
visits = pd.Series(10, index=pd.date_range("2024-01-01", "2024-06-09"))
full_months = pd.Series(10, index=pd.date_range("2024-01-01", "2024-06-30"))
log = pd.DataFrame({"at": pd.to_datetime(["2024-01-02", "2024-01-01", "2024-01-05", "2024-01-09"]), "v": [2, 1, 4, 3]})
berlin = pd.Series(pd.date_range("2024-10-26", periods=3, tz="Europe/Berlin"))
clocks = pd.Series(pd.to_datetime(["2024-10-27 01:30", "2024-10-27 02:30", "2024-10-27 04:00"]))
people = pd.DataFrame({"born": pd.to_datetime(["1980-06-10", "1991-01-05", "2003-05-30"])})
today = pd.Timestamp("2024-06-01")
by_name = pd.Series([4, 2, 1, 3], index=["Apr", "Feb", "Jan", "Mar"])
in_order = pd.Series([1, 2, 3, 4], index=["Jan", "Feb", "Mar", "Apr"])
weekdays = pd.Series([1, 2, 3], index=["Friday", "Monday", "Sunday"])
load = pd.Series(1.0, index=pd.date_range("2024-01-01", "2024-01-03 23:00", freq="h"))
noon = pd.Series(1.0, index=pd.date_range("2024-01-01 12:00", periods=5))
"""

FOUND = """
%% day-and-month-swapped
texts["day"] = pd.to_datetime(texts["dmy"])
%% day-and-month-swapped
when = pd.to_datetime(texts.dmy.tolist())
%% day-and-month-swapped
when = texts["mixed"].apply(pd.Timestamp)
%% day-and-month-swapped
when = texts["mixed"].map(pd.Timestamp)
%% day-and-month-swapped
when = pd.to_datetime(texts["mixed"], format="mixed")
%% day-and-month-swapped
when = pd.to_datetime(texts["mixed"].iloc[::-1], errors="coerce").dropna()
%% day-and-month-swapped
when = pd.to_datetime(texts["us"], format="mixed", dayfirst=True)
%% day-and-month-swapped
when = pd.to_datetime(texts["styles"], format="mixed")
%% day-and-month-swapped
when = pd.to_datetime(texts["iso"], dayfirst=True)
%% time-unit-missed
at = pd.to_datetime(numbers["s"])
%% time-unit-missed
at = pd.to_datetime(numbers["ms"], unit="s")
%% time-unit-missed
at = pd.to_datetime(numbers["s"], unit="ms")
%% time-unit-missed
at = pd.to_datetime(numbers["serial"])
%% time-unit-missed
at = pd.to_datetime(numbers["serial"], unit="D")
%% time-unit-missed
at = pd.to_datetime(numbers["day"])
%% time-unit-missed
at = pd.to_datetime(numbers["year"])
%% time-unit-missed
took = pd.to_timedelta(numbers["minutes"])
%% time-unit-missed
orders["unix"] = orders["at"].dt.as_unit("us").astype("int64") // 10**9
%% time-unit-missed
unix = orders["at"].dt.as_unit("us").astype("int64")
seconds = unix / 1e9
%% last-day-cut
march = orders[(orders["at"] >= "2024-03-01") & (orders["at"] <= "2024-03-31")]
%% last-day-cut
march = orders[orders["at"].between("2024-03-01", "2024-03-31")]
%% last-day-cut
week = orders[(orders["at"] >= "2024-03-04") & (orders["at"] <= pd.Timestamp("2024-03-10"))]
%% last-day-cut
end = pd.Timestamp("2024-03-15")
eur = orders.loc[orders["at"] <= end, "eur"].sum()
%% last-day-cut
eur = orders.query("'2024-03-01' <= at <= '2024-03-31'")["eur"].sum()
%% last-day-cut
end = pd.Timestamp("2024-03-01") + pd.offsets.MonthEnd(1)
eur = orders.loc[orders["at"].le(end), "eur"].sum()
%% last-day-cut
eur = orders.loc[orders["utc"] <= "2024-03-31", "eur"].sum()
%% utc-days-as-local-days
# orders per local day
per_day = orders.groupby(orders["utc"].dt.date)["eur"].sum()
%% utc-days-as-local-days
zone = "Europe/Berlin"
orders["hour"] = orders["utc"].dt.hour
%% utc-days-as-local-days
local_day = orders["utc"].dt.floor("D")
%% utc-days-as-local-days
# local date of each order
by = orders.set_index("utc")["eur"].resample("D").sum()
%% duration-without-its-days
hours = jobs["took"].dt.seconds / 3600
%% duration-without-its-days
longest = jobs["took"].max().seconds
%% duration-without-its-days
jobs["hours"] = (jobs["done"] - jobs["opened"]).dt.seconds / 3600
%% years-mixed-in-months
monthly = rides.groupby(rides["day"].dt.month)["n"].sum()
%% years-mixed-in-months
rides["month"] = rides["day"].dt.month_name()
monthly = rides.groupby("month").agg(n=("n", "sum"))
%% years-mixed-in-months
monthly = rides.groupby(rides["day"].dt.strftime("%b"))["n"].count()
%% years-mixed-in-months
rides["m"] = rides["day"].dt.month
table = rides.pivot_table(index="m", values="n", aggfunc="sum")
%% years-mixed-in-months
n = rides["day"].dt.month.value_counts()
%% years-mixed-in-months
by_quarter = rides.groupby(rides["day"].dt.quarter).size()
%% week-without-its-year
week = rides["day"].dt.strftime("%Y-%V")
%% week-without-its-year
keys = [rides["day"].dt.year, rides["day"].dt.isocalendar().week]
n = rides.groupby(keys).size()
%% week-without-its-year
rides["year"] = rides["day"].dt.year
rides["week"] = rides["day"].dt.isocalendar().week
n = rides.groupby(["year", "week"])["n"].sum()
%% week-without-its-year
key = rides["day"].dt.year * 100 + rides["day"].dt.isocalendar().week
%% dates-in-order-of-letters
early = texts[texts["full"] < "20/03/2024"]
%% dates-in-order-of-letters
n = texts["full"].between("01/03/2024", "31/05/2024").sum()
%% dates-in-order-of-letters
so_far = by_name.cumsum()
%% dates-in-order-of-letters
growth = by_name.pct_change()
%% dates-in-order-of-letters
table = in_order.sort_index()
%% dates-in-order-of-letters
step = weekdays.diff()
%% rows-counted-as-periods
growth = months / months.shift(12) - 1
%% rows-counted-as-periods
growth = months.pct_change(12)
%% rows-counted-as-periods
growth = (months + 1).pct_change()
%% rows-counted-as-periods
mean_7d = daily.rolling(7).mean()
%% rows-counted-as-periods
# 30-day mean
smooth = daily.rolling(30).mean()
%% rows-counted-as-periods
change = daily.diff(7)
%% rows-not-in-order-of-time
gap = log["at"].diff()
%% rows-not-in-order-of-time
log["gap"] = log["at"] - log["at"].shift()
mean = log["gap"].mean()
%% rows-not-in-order-of-time
total = log.set_index("at")["v"].cumsum()
%% rows-not-in-order-of-time
mean = log.set_index("at")["v"].rolling(2).mean()
%% hours-moved-by-clock-change
ends = berlin + pd.Timedelta(days=1)
%% hours-moved-by-clock-change
tomorrow = berlin.iloc[1] + dt.timedelta(days=1)
%% hours-moved-by-clock-change
at = clocks.dt.tz_localize("Europe/Berlin", ambiguous="NaT")
%% part-of-period-compared
worst = visits.resample("ME").sum().idxmin()
%% part-of-period-compared
monthly = visits.resample("MS").sum()
growth = monthly.pct_change()
last = growth.iloc[-1]
%% part-of-period-compared
monthly = visits.groupby(visits.index.to_period("M")).sum()
low = monthly.min()
%% years-of-365-days
people["age"] = (today - people["born"]).dt.days // 365
%% years-of-365-days
age = today - people["born"]
years = age.dt.days // 365
%% years-of-365-days
years = ((today - people["born"]).dt.days / 365).astype(int)
%% years-of-365-days
months_old = (today - people["born"]).dt.days // 30
%% births-in-the-future
texts["birthday"] = pd.to_datetime(texts["born"], format="%d.%m.%y")
%% births-in-the-future
dob = pd.to_datetime(texts["born"].tolist(), format="%d.%m.%y")
%% minutes-for-months
when = pd.to_datetime(texts["iso"], format="%Y-%M-%d")
%% minutes-for-months
key = rides["day"].dt.strftime("%Y-%M")
%% minutes-for-months
clock = orders["at"].dt.strftime("%H:%m")
%% times-counted-as-days
per_day = orders.groupby("at")["eur"].sum()
%% times-counted-as-days
n_days = orders["at"].nunique()
%% times-counted-as-days
# orders per day
n = orders["at"].value_counts()
%% new-index-misses-times
out = load.reindex(pd.date_range("2024-01-01", "2024-01-03", freq="h"))
%% new-index-misses-times
out = noon.reindex(pd.date_range("2024-01-01", periods=5))
"""

SILENT = """
%% texts with their format
a = pd.to_datetime(texts["dmy"], format="%d/%m/%Y")
b = pd.to_datetime(texts["mixed"], format="%d/%m/%Y")
c = pd.to_datetime(texts["full"], dayfirst=True)
d = pd.to_datetime(texts["us"])
e = pd.to_datetime(texts["iso"])
%% in the order of the letters: sorted as text, not by date
a = pd.to_datetime(texts["letters"], dayfirst=True)
%% one date in ISO order that cannot be exchanged
a = pd.to_datetime(pd.Series(["2024-03-03", "2024-05-05"]), dayfirst=True)
%% four dates could be in order by chance
a = pd.to_datetime(texts["dmy"].head(4))
%% not in order either way
a = pd.to_datetime(texts["dmy"].iloc[[2, 0, 4, 1, 3]])
%% two styles that are told apart
day = texts["styles"].str[:2].astype(int) > 12
a = pd.to_datetime(texts["styles"].where(day), format="%d/%m/%Y", errors="coerce")
n = a.isna().sum()
%% numbers with their unit
a = pd.to_datetime(numbers["s"], unit="s")
b = pd.to_datetime(numbers["ms"], unit="ms")
c = pd.to_datetime(numbers["serial"], unit="D", origin="1899-12-30")
d = pd.to_datetime(numbers["day"].astype(str), format="%Y%m%d")
e = pd.to_datetime(numbers["year"].astype(str), format="%Y")
f = pd.to_timedelta(numbers["minutes"], unit="min")
%% seconds from the start of a test
at = pd.to_datetime(numbers["tick"], unit="s")
%% seconds of the day as times
at = pd.to_datetime(numbers["serial"], unit="s")
%% nanoseconds of a clock
took = pd.to_timedelta(numbers["s"])
%% epochs
a = orders["at"].dt.as_unit("ns").astype("int64") // 10**9
b = orders["at"].dt.as_unit("us").astype("int64") // 10**6
c = orders["at"].dt.as_unit("s").astype("int64")
d = (orders["at"] - pd.Timestamp(0)) // pd.Timedelta("1s")
%% the next day is the end
march = orders[(orders["at"] >= "2024-03-01") & (orders["at"] < "2024-04-01")]
%% the end has a time
march = orders[orders["at"] <= "2024-03-31 23:59:59"]
%% days without times
march = orders[(orders["day"] >= "2024-03-01") & (orders["day"] <= "2024-03-31")]
%% text of a day in loc
march = orders.set_index("at").loc["2024-03-01":"2024-03-31"]
%% split in two
cut = pd.Timestamp("2024-03-15")
train, test = orders[orders["at"] <= cut], orders[orders["at"] > cut]
%% the first of a month
early = orders[orders["at"] <= "2024-03-01"]
%% a window of seven days, computed
start = orders["at"].min().normalize()
end = start + pd.Timedelta(days=7)
week = orders[(orders["at"] >= start) & (orders["at"] <= end)]
%% midnight is meant
early = orders[orders["at"] <= "2024-03-31"]  # up to midnight
%% what was open at a moment
moment = pd.Timestamp("2024-01-04")
still = jobs[(jobs["opened"] <= moment) & (jobs["done"] > moment)]
%% between without the end
march = orders[orders["at"].between("2024-03-01", "2024-03-31", inclusive="left")]
%% UTC days
per_day = orders.groupby(orders["utc"].dt.date)["eur"].sum()
%% UTC days, said so
# per UTC day, not per local day
per_day = orders.groupby(orders["utc"].dt.date)["eur"].sum()
%% a folder that looks like a zone
folder = "data/Europe/Sales"
per_day = orders.groupby(orders["utc"].dt.date)["eur"].sum()
%% converted first
# orders per local day
orders["local"] = orders["utc"].dt.tz_convert("Europe/Berlin")
per_day = orders.groupby(orders["local"].dt.date)["eur"].sum()
%% both, by their names
orders["local_hour"] = orders["utc"].dt.tz_convert("Europe/Berlin").dt.hour
orders["utc_hour"] = orders["utc"].dt.hour
%% converted to UTC
# local times of the shops, by days of the head office
at = orders["at"].dt.tz_localize("Europe/Berlin", ambiguous=True, nonexistent="shift_forward").dt.tz_convert("UTC")
per_day = orders.groupby(at.dt.date)["eur"].sum()
%% naive times
# orders per local day
per_day = orders.groupby(orders["at"].dt.date)["eur"].sum()
%% whole durations
hours = jobs["took"].dt.total_seconds() / 3600
%% days and the rest
days, rest = jobs["took"].dt.days, jobs["took"].dt.seconds
%% short durations
minutes = jobs["took"].iloc[[0, 2]].dt.seconds / 60
%% time of day
seconds = (jobs["done"] - jobs["done"].dt.normalize()).dt.seconds
%% the rest on purpose
rest = jobs["took"].dt.seconds  # without the days
%% over midnight
worked = (pd.to_datetime("2024-01-01 06:00") - pd.to_datetime("2024-01-01 22:00")).seconds / 3600
%% months with their year
a = rides.groupby(rides["day"].dt.to_period("M"))["n"].sum()
b = rides.groupby([rides["day"].dt.year, rides["day"].dt.month])["n"].sum()
%% months with their year in columns
rides["year"], rides["month"] = rides["day"].dt.year, rides["day"].dt.month
c = rides.groupby(["year", "month"])["n"].sum()
d = rides.pivot_table(index="month", columns="year", values="n", aggfunc="sum")
%% one year
one = rides[rides["day"].dt.year == 2023]
monthly = one.groupby(one["day"].dt.month)["n"].sum()
%% means by month
monthly = rides.groupby(rides["day"].dt.month)["n"].mean()
%% seasonal totals of full years
monthly = even.groupby(even["day"].dt.month)["n"].sum()
%% seasons
# seasonal pattern over all years
monthly = rides.groupby(rides["day"].dt.month)["n"].sum()
%% month as a feature
rides["month"] = rides["day"].dt.month
n = rides.groupby("n").size()
%% weeks with their year
iso = rides["day"].dt.isocalendar()
n = rides.groupby([iso.year, iso.week]).size()
a = rides["day"].dt.strftime("%G-W%V")
b = rides["day"].dt.to_period("W")
%% weeks and years as features
rides["year"] = rides["day"].dt.year
rides["week"] = rides["day"].dt.isocalendar().week
features = rides[["year", "week"]]
%% weeks where none differs
spring = rides[rides["day"].between("2023-03-01", "2023-06-01")]
keys = [spring["day"].dt.year, spring["day"].dt.isocalendar().week]
n = spring.groupby(keys).size()
%% ISO text
early = texts[texts["iso"] < "2024-04-01"]
%% other texts
late = texts[texts["full"] < "a"]
%% letters that agree with the days
n = texts["full"].lt("31/12/2024").sum()
%% in order
so_far = in_order.cumsum()
%% months put in order
so_far = by_name.reindex(["Jan", "Feb", "Mar", "Apr"]).cumsum()
%% weekdays as categories
names = ["Monday", "Friday", "Sunday"]
index = pd.CategoricalIndex(weekdays.index, categories=names, ordered=True)
step = weekdays.set_axis(index).sort_index().diff()
%% a sum by month names
total = by_name.sum()
%% nothing is missing
growth = whole.shift(12)
a = whole.pct_change(12, fill_method=None)
b = load.rolling(24).mean()
%% a window of time
mean_7d = daily.rolling("7D").mean()
%% trading days with one on a Saturday
some = pd.concat([trading, pd.Series([1.0], index=[pd.Timestamp("2024-02-03")])]).sort_index()
sma_20d = some.rolling(20).mean()
%% trading days
mean = trading.rolling(20).mean()
ret = trading.shift(5)
%% days one after another
step = daily.diff()
%% observations
mean_7d = daily.rolling(7).mean()  # seven observations
%% by freq
before = months.shift(12, freq="MS")
%% sorted
gap = log["at"].sort_values().diff()
total = log.set_index("at").sort_index()["v"].cumsum()
%% newest first
newest = log.sort_values("at", ascending=False).set_index("at")
step = newest["v"].diff(-1)
%% largest first
share = log.set_index("at")["v"].sort_values(ascending=False).cumsum() / log["v"].sum()
%% looks for steps back
gap = log["at"].diff()
back = (gap < pd.Timedelta(0)).sum()
%% without the sign
gap = log["at"].diff().abs()
%% in groups
log["k"] = [1, 2, 2, 2]
gap = log.groupby("k")["at"].diff()
%% durations, some negative
late = jobs["done"] - pd.Timestamp("2024-01-02")
%% days of the calendar
ends = berlin + pd.DateOffset(days=1)
%% no change in between
ends = berlin.iloc[[0]] + pd.Timedelta(days=1)
%% hours
ends = berlin + pd.Timedelta(hours=6)
%% elapsed
ends = berlin + pd.Timedelta(days=1)  # exactly 24 hours
%% UTC has no change
ends = orders["utc"] + pd.Timedelta(days=1)
%% no hour is lost
at = clocks.iloc[[0, 2]].dt.tz_localize("Europe/Berlin", ambiguous="NaT")
%% lost hours are counted
at = clocks.dt.tz_localize("Europe/Berlin", ambiguous="NaT")
n = at.isna().sum()
%% lost hours left out
at = clocks.dt.tz_localize("Europe/Berlin", ambiguous="NaT")  # ambiguous hours are dropped
%% full months
worst = full_months.resample("ME").sum().idxmin()
%% the last left out
worst = visits.resample("ME").sum().iloc[:-1].idxmin()
%% means of a month that has begun
worst = visits.resample("ME").mean().idxmin()
%% totals shown
monthly = visits.resample("ME").sum()
best = monthly.max()
%% said so
# the last month is not complete
worst = visits.resample("ME").sum().idxmin()
%% length in years
years = (today - people["born"]).dt.days / 365
%% rough
years = (today - people["born"]).dt.days // 365  # approximate age
%% a year with its leap days
years = (today - people["born"]).dt.days // 365.25
%% where the calendar agrees
recent = pd.Series(pd.to_datetime(["2023-01-05", "2023-02-01"]))
years = (today - recent).dt.days // 365
%% days as days
n = (today - people["born"]).dt.days
%% years of four digits
born = pd.to_datetime(texts["dmy"], format="%d/%m/%Y")
%% recent years of two digits
born = pd.to_datetime(pd.Series(["05.02.84", "11.02.91"]), format="%d.%m.%y")
%% contracts
ends = pd.to_datetime(pd.Series(["05.02.34", "11.02.41"]), format="%d.%m.%y")
%% formats that are right
a = rides["day"].dt.strftime("%Y-%m")
b = orders["at"].dt.strftime("%Y-%m-%d %H:%M")
c = orders["at"].dt.strftime("%M:%S")
d = pd.to_datetime(pd.Series(["12:30", "01:45"]), format="%M:%S")
%% times as times
by = orders.groupby("at")["eur"].sum()
%% days as days of a name
per_day = orders.groupby("day")["eur"].sum()
n_days = orders["at"].dt.date.nunique()
%% not by day
n_orders = orders["at"].nunique()
%% the index ends with the data
out = load.reindex(pd.date_range("2024-01-01", "2024-01-03 23:00", freq="h"))
%% fewer days
out = load.reindex(pd.date_range("2024-01-01", "2024-01-02 23:00", freq="h"))
%% every day of the month
out = daily.reindex(pd.date_range("2024-01-01", "2024-01-31"))
"""


def findings(body: str) -> list[Finding]:
    run = run_body(body, SETUP)
    assert isinstance(run.outcome, Completed), run.outcome
    return check_all(run)


@pytest.mark.parametrize(("code", "body"), cells(FOUND))
def test_found(code: str, body: str) -> None:
    told = {f.code: f.severity for f in findings(body) if f.severity is not Severity.NOTE}
    assert told.get(code) is (Severity.MUST if code == "minutes-for-months" else Severity.MAY), told


@pytest.mark.parametrize(("title", "body"), cells(SILENT), ids=[title for title, _ in cells(SILENT)])
def test_silent(title: str, body: str) -> None:
    assert [(f.code, f.message) for f in findings(body) if f.severity is not Severity.NOTE] == [], title


@pytest.mark.parametrize(
    ("code", "body"),
    [
        ("last-day-cut", 'early = orders[orders["at"] <= "2024-03-01"]'),
        ("day-and-month-swapped", 'a = pd.to_datetime(texts["dmy"], format="%m/%d/%Y")'),
        ("years-mixed-in-months", 'm = even.groupby(even["day"].dt.month)["n"].sum()'),
        ("rows-counted-as-periods", "step = daily.diff()"),
        ("births-in-the-future", 'ends = pd.to_datetime(pd.Series(["05.02.34", "11.02.41"]), format="%d.%m.%y")'),
        ("part-of-period-compared", 'mean = visits.resample("ME").sum().mean()'),
        ("hours-moved-by-clock-change", "a = (berlin + pd.to_timedelta([0, 1, 2], unit='h')) + pd.Timedelta(days=1)"),
    ],
)
def test_a_note_only(code: str, body: str) -> None:
    assert [f.severity for f in findings(body) if f.code == code] == [Severity.NOTE]


def test_steps_between_groups_that_are_left_out() -> None:
    body = """
two = pd.concat([log.sort_values("at").assign(k=k) for k in "ab"], ignore_index=True)
two["gap"] = two["at"].diff()
two.loc[two["k"] != two["k"].shift(), "gap"] = pd.NaT
"""
    assert "rows-not-in-order-of-time" not in {f.code for f in findings(body)}
    assert "rows-not-in-order-of-time" in {f.code for f in findings("\n".join(body.split("\n")[:3]))}


def test_the_goal_speaks_of_local_time() -> None:
    run = run_body("per_day = orders.groupby(orders['utc'].dt.date).size()", SETUP)
    assert check_all(run, goal="Orders per day; the feed is in UTC.") == []
    (finding,) = check_all(run, goal="Orders per local day in Vancouver; the feed is in UTC.")
    assert finding.code == "utc-days-as-local-days"


def test_the_goal_speaks_of_all_years() -> None:
    run = run_body("m = rides.groupby(rides['day'].dt.month)['n'].sum()", SETUP)
    assert [f.code for f in check_all(run)] == ["years-mixed-in-months"]
    assert check_all(run, goal="Rides by month, across all years") == []


def test_messages_have_counts() -> None:
    (cut,) = findings('n = orders.loc[orders["at"] <= "2024-03-31", "eur"].sum()')
    assert cut.message.startswith("5 of 167 times are later on the last day")
    assert cut.evidence == {"rows": 167, "cut": 5}
    (part,) = findings('seconds = jobs["took"].dt.seconds')
    assert part.message.startswith("1 of 3 durations is a day or longer")
