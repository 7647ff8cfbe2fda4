"""Ordinary cells with dates that are right: none of them gets a must or a may finding."""

from __future__ import annotations

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.finding import Severity
from reflex_magic.core.outcome import Completed
from tests.observe.stepper import run_body

SETUP = """
import datetime as dt
rng = np.random.default_rng(7)
hours = pd.date_range("2023-01-01", "2024-06-14 21:00", freq="h")
meter = pd.DataFrame({"ts": hours, "kwh": rng.gamma(2, 1, len(hours)), "site": rng.choice(["a", "b"], len(hours))})
price = pd.Series(100 + rng.normal(0, 1, 300).cumsum(), index=pd.bdate_range("2023-01-02", periods=300), name="close")
orders = pd.DataFrame({
    "id": range(600),
    "placed": pd.Timestamp("2023-01-01 08:00") + pd.to_timedelta(rng.integers(0, 365 * 24 * 3600, 600), unit="s"),
    "eur": rng.gamma(2, 30, 600).round(2), "user": rng.integers(1, 80, 600),
})
orders["shipped"] = orders["placed"] + pd.to_timedelta(rng.integers(3600, 8 * 86400, 600), unit="s")
raw = pd.DataFrame({"date": orders["placed"].dt.strftime("%d.%m.%Y"), "us": orders["placed"].dt.strftime("%m/%d/%Y"),
                    "iso": orders["placed"].dt.strftime("%Y-%m-%d"),
                    "stamp": orders["placed"].dt.strftime("%Y-%m-%dT%H:%M:%S"),
                    "epoch": (orders["placed"] - pd.Timestamp(0)) // pd.Timedelta("1s")})
feed = pd.DataFrame({"at": orders["placed"].dt.tz_localize("UTC"), "n": 1})
staff = pd.DataFrame({"born": pd.to_datetime(["1980-06-10", "1991-01-05", "2003-05-30"]),
                      "hired": pd.to_datetime(["2010-02-01", "2015-07-15", "2023-01-01"])})
sales = pd.DataFrame({"month": pd.period_range("2022-01", "2023-12", freq="M"), "eur": range(24)})
rain = pd.Series(rng.gamma(1, 3, 1461), index=pd.date_range("2020-01-01", "2023-12-31"), name="mm")
events = pd.DataFrame({"start": pd.to_datetime(["2024-01-01 22:30", "2024-01-02 09:00"]),
                       "end": pd.to_datetime(["2024-01-02 00:15", "2024-01-02 10:30"])})
"""

CELLS = """
meter["day"] = meter["ts"].dt.date
daily = meter.groupby("day")["kwh"].sum()
%%
daily = meter.set_index("ts")["kwh"].resample("D").sum()
weekly = daily.resample("W").mean()
%%
by_hour = meter.groupby(meter["ts"].dt.hour)["kwh"].mean()
peak = by_hour.idxmax()
%%
profile = meter.pivot_table(index=meter["ts"].dt.hour, columns=meter["ts"].dt.day_of_week, values="kwh", aggfunc="mean")
%%
monthly = meter.groupby(pd.Grouper(key="ts", freq="MS"))["kwh"].sum()
print(monthly.head())
%%
monthly = meter.resample("ME", on="ts")["kwh"].sum()
share = monthly / monthly.sum()
%%
meter["month"] = meter["ts"].dt.to_period("M")
table = meter.pivot_table(index="month", columns="site", values="kwh", aggfunc="sum")
%%
year = meter[meter["ts"].dt.year == 2023]
by_month = year.groupby(year["ts"].dt.month)["kwh"].sum()
%%
meter = meter.sort_values("ts")
meter["prev"] = meter["kwh"].shift(1)
meter["change"] = meter["kwh"].diff()
%%
smooth = meter.set_index("ts")["kwh"].rolling(24).mean()
%%
smooth = meter.set_index("ts")["kwh"].rolling("24h").mean()
%%
jan = meter[(meter["ts"] >= "2023-01-01") & (meter["ts"] < "2023-02-01")]
%%
jan = meter.set_index("ts").loc["2023-01"]
total = jan["kwh"].sum()
%%
cutoff = pd.Timestamp("2024-01-01")
train = meter[meter["ts"] < cutoff]
test = meter[meter["ts"] >= cutoff]
%%
returns = price.pct_change().dropna()
vol = returns.rolling(20).std()
%%
ma_fast, ma_slow = price.rolling(20).mean(), price.rolling(50).mean()
signal = ma_fast > ma_slow
%%
log_returns = np.log(price / price.shift(1)).dropna()
%%
monthly_last = price.resample("ME").last()
monthly_returns = monthly_last.pct_change()
%%
drawdown = price / price.cummax() - 1
worst = drawdown.idxmin()
%%
orders["delay"] = orders["shipped"] - orders["placed"]
orders["days"] = orders["delay"].dt.days
mean_days = orders["delay"].dt.total_seconds().mean() / 86400
%%
orders["delay_days"] = (orders["shipped"] - orders["placed"]).dt.days
late = orders[orders["delay_days"] > 5]
%%
orders["weekday"] = orders["placed"].dt.day_name()
by_weekday = orders.groupby("weekday")["eur"].sum()
print(by_weekday.sort_values(ascending=False))
%%
names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
by_weekday = orders["placed"].dt.day_name().value_counts().reindex(names)
%%
orders["month"] = orders["placed"].dt.month
monthly = orders.groupby("month")["eur"].sum()
%%
monthly = orders.groupby(orders["placed"].dt.strftime("%Y-%m"))["eur"].sum()
growth = monthly.pct_change()
%%
first = orders.groupby("user")["placed"].min()
orders["cohort"] = orders["user"].map(first).dt.to_period("M")
sizes = orders.groupby("cohort")["user"].nunique()
%%
snapshot = orders["placed"].max() + pd.Timedelta(days=1)
rfm = orders.groupby("user").agg(
    recency=("placed", lambda s: (snapshot - s.max()).days), frequency=("id", "count"), money=("eur", "sum")
)
%%
orders = orders.sort_values(["user", "placed"])
orders["gap"] = orders.groupby("user")["placed"].diff()
sessions = (orders["gap"] > pd.Timedelta(minutes=30)).groupby(orders["user"]).cumsum()
%%
by_day = orders.sort_values("placed")
wait = by_day["placed"].diff().dt.total_seconds() / 60
%%
per_day = orders.set_index("placed").resample("D")["eur"].sum()
mean = per_day.rolling(7).mean()
%%
per_day = orders["placed"].dt.date.value_counts().sort_index()
%%
n_days = orders["placed"].dt.normalize().nunique()
%%
active = orders[orders["placed"] > orders["placed"].max() - pd.Timedelta(days=30)]
%%
quarter = orders.groupby(orders["placed"].dt.quarter)["eur"].sum()
best = quarter.idxmax()
%%
orders["hour"] = orders["placed"].dt.hour
busy = orders.groupby("hour").size().idxmax()
%%
a = pd.to_datetime(raw["date"], format="%d.%m.%Y")
b = pd.to_datetime(raw["date"], dayfirst=True)
c = pd.to_datetime(raw["us"])
d = pd.to_datetime(raw["iso"])
e = pd.to_datetime(raw["stamp"])
%%
raw["at"] = pd.to_datetime(raw["epoch"], unit="s")
first = raw["at"].min()
%%
raw["at"] = pd.to_datetime(raw["epoch"] * 1000, unit="ms", utc=True).dt.tz_convert("Europe/Madrid")
per_day = raw.groupby(raw["at"].dt.date).size()
%%
recent = raw[raw["iso"] >= "2023-06-01"]
%%
raw["iso"] = pd.to_datetime(raw["iso"])
raw = raw.sort_values("iso")
steps = raw["iso"].diff().dt.days.dropna()
%%
feed["hour"] = feed["at"].dt.hour
by_hour = feed.groupby("hour")["n"].sum()
%%
feed["local"] = feed["at"].dt.tz_convert("America/New_York")
by_day = feed.groupby(feed["local"].dt.date)["n"].sum()
%%
feed["at"] = feed["at"].dt.tz_localize(None)
by_day = feed.resample("D", on="at")["n"].sum()
%%
today = pd.Timestamp("2024-06-01")
age = today.year - staff["born"].dt.year
age -= (staff["born"].dt.strftime("%m%d") > today.strftime("%m%d")).astype(int)
%%
tenure = (pd.Timestamp("2024-06-01") - staff["hired"]).dt.days / 365.25
%%
tenure_years = ((pd.Timestamp("2024-06-01") - staff["hired"]).dt.days / 365.25).round(1)
%%
days = (pd.Timestamp("2024-06-01") - staff["hired"]).dt.days
weeks = days // 7
%%
due = staff["hired"] + pd.DateOffset(months=6)
trial_over = due < pd.Timestamp("2024-01-01")
%%
sales["yoy"] = sales["eur"] / sales["eur"].shift(12) - 1
%%
yoy = sales.set_index("month")["eur"].pct_change(12)
%%
monthly_mean = rain.groupby(rain.index.month).mean()
%%
yearly = rain.groupby(rain.index.year).sum()
driest = yearly.idxmin()
%%
table = rain.groupby([rain.index.year, rain.index.month]).sum().unstack()
%%
wet = rain.resample("MS").sum()
climate = wet.groupby(wet.index.month).mean()
%%
wettest = rain.resample("YE").sum().idxmax()
driest_month = rain.resample("ME").sum().idxmin()
%%
month_totals = rain.groupby(rain.index.month).sum() / 4
%%
anomaly = rain - rain.groupby(rain.index.day_of_year).transform("mean")
%%
week_of_year = rain.index.isocalendar().week
by_week = rain.groupby(week_of_year.to_numpy()).mean()
%%
events["minutes"] = (events["end"] - events["start"]).dt.seconds / 60
%%
events["length"] = events["end"] - events["start"]
events["hms"] = events["length"].dt.components["hours"]
%%
span = events["end"].max() - events["start"].min()
print(span.days, span.seconds // 3600)
%%
calendar = pd.DataFrame({"day": pd.date_range("2024-01-01", "2024-12-31")})
calendar["week"] = calendar["day"].dt.isocalendar().week
calendar["weekend"] = calendar["day"].dt.day_of_week >= 5
%%
slots = pd.date_range("2024-03-30", "2024-04-02", freq="h", tz="Europe/Berlin")
load = pd.Series(1.0, index=slots)
per_day = load.resample("D").sum()
%%
full = pd.date_range(orders["placed"].min().normalize(), orders["placed"].max().normalize())
per_day = orders.groupby(orders["placed"].dt.normalize()).size().reindex(full, fill_value=0)
%%
started = dt.datetime(2024, 1, 5, 9, 0)
elapsed = dt.datetime(2024, 1, 5, 11, 30) - started
print(elapsed.seconds / 60)
%%
until = dt.date(2023, 6, 30)
first_half = orders[orders["placed"].dt.date <= until]
%%
day = pd.Timestamp("2023-03-15")
that_day = orders[orders["placed"].dt.normalize() == day]
%%
end = pd.Timestamp("2023-06-30 23:59:59")
open_at_end = orders[(orders["placed"] <= end) & (orders["shipped"] > end)]
%%
window = orders[orders["placed"].between("2023-03-01", "2023-03-31 23:59:59")]
%%
text = orders["placed"].dt.strftime("%d %b %Y %H:%M")
clock = orders["placed"].dt.strftime("%I:%M %p")
stamp = orders["placed"].dt.strftime("%Y%m%d_%H%M%S")
%%
unix = orders["placed"].astype("datetime64[s]").astype("int64")
%%
orders["ym"] = orders["placed"].dt.year * 100 + orders["placed"].dt.month
by = orders.groupby("ym")["eur"].sum()
%%
placed = orders["placed"].dt
features = pd.DataFrame({"month": placed.month, "dow": placed.day_of_week, "eur": orders["eur"]})
corr = features.corr()
%%
seasonal = meter.groupby([meter["ts"].dt.month, meter["ts"].dt.hour])["kwh"].mean().unstack()
%%
to_date = orders.sort_values("placed").set_index("placed")["eur"].cumsum()
%%
gaps = meter["ts"].diff().value_counts()
%%
lag = price.shift(5)
weekly_return = price / lag - 1
%%
filled = price.asfreq("D").ffill()
mean7 = filled.rolling(7).mean()
%%
newest = orders.sort_values("placed", ascending=False).head(10)
oldest = orders["placed"].min()
%%
took = pd.to_timedelta(orders["id"], unit="min")
%%
valid = pd.to_datetime(pd.Series(["2024-02-30", "2024-02-28"]), format="%Y-%m-%d", errors="coerce").notna()
%%
years = pd.to_datetime(pd.Series([2019, 2020, 2021]).astype(str), format="%Y")
%%
parts = pd.to_datetime(pd.DataFrame({"year": [2024, 2024], "month": [1, 2], "day": [5, 6]}))
"""


@pytest.mark.parametrize("body", [cell.strip() for cell in CELLS.split("%%\n")])
def test_nothing_is_reported(body: str) -> None:
    run = run_body(body, SETUP)
    assert isinstance(run.outcome, Completed), run.outcome
    assert [(f.code, f.message) for f in check_all(run) if f.severity is not Severity.NOTE] == []
