"""Everyday analysis cells that are right, by domain: none of them gets a must or a may finding."""

from __future__ import annotations

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.finding import Severity
from reflex_magic.core.outcome import Completed
from tests.observe.stepper import run_body

SETUPS = {
    "retail": """
rng = np.random.default_rng(1)
n = 120
orders = pd.DataFrame({
    "order_id": np.arange(1001, 1001 + n),
    "customer_id": rng.integers(1, 26, n),
    "sku": rng.choice(["A1", "B2", "C3", "D4"], n),
    "qty": rng.integers(1, 9, n),
    "price": rng.choice([4.5, 9.99, 20.0, 35.25], n),
    "channel": rng.choice(["web", "store", "phone"], n, p=[0.6, 0.3, 0.1]),
    "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 180, n), unit="D"),
})
orders["discount"] = np.where(rng.random(n) < 0.3, np.nan, rng.choice([0.0, 0.05, 0.1], n))
customers = pd.DataFrame({
    "customer_id": np.arange(1, 31),
    "segment": rng.choice(["new", "loyal", "vip"], 30),
    "city": rng.choice([" Bern", "basel ", "Zug", None], 30),
})
products = pd.DataFrame({"sku": ["A1", "B2", "C3", "D4"], "name": ["Cup", "Mug", "Pot", "Pan"],
                         "cost": [2.0, 5.0, 11.0, 19.0]})
""",
    "clinic": """
rng = np.random.default_rng(2)
n = 80
visits = pd.DataFrame({
    "patient": rng.integers(100, 130, n),
    "visit": pd.Timestamp("2023-03-01") + pd.to_timedelta(rng.integers(0, 300, n), unit="D"),
    "sbp": rng.normal(128, 15, n).round(0),
    "glucose": rng.normal(5.6, 1.1, n).round(1),
    "ward": rng.choice(["A", "B", "C"], n),
})
visits.loc[rng.choice(n, 12, replace=False), "sbp"] = np.nan
patients = pd.DataFrame({
    "patient": np.arange(100, 130),
    "sex": rng.choice(["F", "M"], 30),
    "born": pd.Timestamp("1940-01-01") + pd.to_timedelta(rng.integers(0, 20000, 30), unit="D"),
    "height_cm": rng.normal(170, 9, 30).round(0),
    "weight_kg": rng.normal(74, 12, 30).round(1),
})
""",
    "energy": """
rng = np.random.default_rng(3)
idx = pd.date_range("2024-02-01", periods=240, freq="h")
load = pd.DataFrame({"kw": (50 + 20 * np.sin(np.arange(240) * 2 * np.pi / 24) + rng.normal(0, 3, 240)).round(2),
                     "temp": rng.normal(6, 4, 240).round(1)}, index=idx)
load.index.name = "time"
load.iloc[[17, 18, 90, 200], 0] = np.nan
""",
    "web": """
rng = np.random.default_rng(4)
n = 200
logs = pd.DataFrame({
    "ts": pd.Timestamp("2024-05-06 00:00", tz="UTC") + pd.to_timedelta(np.sort(rng.integers(0, 172800, n)), unit="s"),
    "user": rng.choice(["u%02d" % i for i in range(20)], n),
    "path": rng.choice(["/", "/shop", "/shop/cart", "/help", "/login?next=/shop"], n),
    "status": rng.choice([200, 200, 200, 301, 404, 500], n),
    "ms": rng.lognormal(4, 0.7, n).round(1),
})
""",
    "hr": """
rng = np.random.default_rng(5)
n = 60
staff = pd.DataFrame({
    "emp_id": np.arange(1, n + 1),
    "name": ["%s %s" % (f, l) for f, l in zip(rng.choice(["Ana", "Ben", "Cleo", "Dev"], n),
                                            rng.choice(["Ito", "Kim", "Lund", "Moss", "Ng"], n))],
    "dept": rng.choice(["Sales", "IT", "Ops", "Legal"], n),
    "salary": rng.normal(62000, 11000, n).round(-2),
    "hired": pd.Timestamp("2012-01-01") + pd.to_timedelta(rng.integers(0, 4000, n), unit="D"),
    "manager_id": np.where(np.arange(n) < 4, np.nan, rng.integers(1, 5, n)),
})
staff["left"] = staff["hired"] + pd.to_timedelta(np.where(rng.random(n) < 0.25, 700, np.nan), unit="D")
""",
    "finance": """
rng = np.random.default_rng(6)
days = pd.bdate_range("2023-01-02", periods=150)
px = pd.DataFrame({t: (100 * np.exp(np.cumsum(rng.normal(0, 0.012, 150)))).round(2) for t in ["AAA", "BBB", "CCC"]},
                  index=days)
px.index.name = "date"
trades = pd.DataFrame({"date": rng.choice(days, 40), "ticker": rng.choice(["AAA", "BBB", "CCC"], 40),
                       "side": rng.choice(["buy", "sell"], 40), "shares": rng.integers(1, 50, 40)})
""",
    "sports": """
rng = np.random.default_rng(7)
teams = ["Reds", "Blues", "Greens", "Golds"]
games = pd.DataFrame([(r, h, a) for r in range(1, 4) for h in teams for a in teams if h != a],
                     columns=["round", "home", "away"])
games["hg"] = rng.poisson(1.6, len(games))
games["ag"] = rng.poisson(1.2, len(games))
runs = pd.DataFrame({"runner": ["R%d" % i for i in range(24)], "cat": rng.choice(["U20", "Open", "M40"], 24),
                     "time": ["00:%02d:%02d" % (s // 60, s % 60) for s in rng.integers(2040, 3540, 24)]})
""",
    "farm": """
rng = np.random.default_rng(8)
plots = pd.DataFrame([(p, y, c) for p in range(1, 11) for y in (2020, 2021, 2022, 2023)
                      for c in [["wheat", "maize", "barley"][(p + y) % 3]]], columns=["plot", "year", "crop"])
plots["area_ha"] = plots["plot"].map(dict(zip(range(1, 11), rng.uniform(1, 6, 10).round(2))))
plots["yield_t"] = (plots["area_ha"] * rng.normal(6, 1, len(plots))).round(2)
plots.loc[[3, 17, 29], "yield_t"] = np.nan
rain = pd.DataFrame({"day": pd.date_range("2023-01-01", periods=300), "mm": rng.gamma(0.5, 6, 300).round(1)})
""",
    "transport": """
rng = np.random.default_rng(9)
n = 90
trips = pd.DataFrame({
    "line": rng.choice(["S1", "S2", "T7"], n), "stop": rng.choice(["North", "Mid", "South"], n),
    "planned": pd.Timestamp("2024-06-03 05:00") + pd.to_timedelta(np.arange(n) * 10, unit="min"),
    "riders": rng.integers(0, 140, n)})
trips["actual"] = trips["planned"] + pd.to_timedelta(rng.exponential(3, n).round(1), unit="min")
trips.loc[[5, 40], "actual"] = pd.NaT
""",
    "school": """
rng = np.random.default_rng(10)
pupils = pd.DataFrame({"pupil": np.arange(1, 41), "form": rng.choice(["7A", "7B", "8A"], 40)})
marks = pd.DataFrame([(p, s) for p in range(1, 41) for s in ("maths", "latin", "art")], columns=["pupil", "subject"])
marks["score"] = rng.normal(66, 13, 120).clip(0, 100).round(0)
marks.loc[rng.choice(120, 9, replace=False), "score"] = np.nan
""",
    "stars": """
rng = np.random.default_rng(11)
n = 100
stars = pd.DataFrame({"star": ["HD%d" % (1000 + 7 * i) for i in range(n)],
                      "spec": rng.choice(["G2V", "K1III", "M4V", "F5V"], n),
                      "vmag": rng.normal(8, 2, n).round(2), "plx_mas": rng.gamma(2, 8, n).round(2)})
stars.loc[[4, 9], "plx_mas"] = np.nan
stars.loc[[11], "plx_mas"] = -0.3
obs = pd.DataFrame({"star": rng.choice(stars["star"][:6], 60), "mjd": np.sort(rng.uniform(60000, 60100, 60)),
                    "flux": rng.normal(1, 0.02, 60)})
""",
    "survey": """
rng = np.random.default_rng(12)
n = 150
answers = pd.DataFrame({"resp": np.arange(n), "age": rng.integers(18, 85, n), "region": rng.choice(["N", "S", "E"], n),
                        "q1": rng.choice(["agree", "neutral", "disagree", None], n),
                        "q2": rng.choice(["Yes", "yes ", "No", "no", "n/a"], n), "q3": rng.integers(1, 6, n),
                        "weight": rng.uniform(0.5, 2, n).round(2),
                        "tools": rng.choice(["python;r", "excel", "python", "r;excel;sas", None], n)})
""",
}

CELLS: list[tuple[str, str]] = [
    (
        "retail",
        """
orders["revenue"] = orders["qty"] * orders["price"] * (1 - orders["discount"].fillna(0))
by_channel = orders.groupby("channel")["revenue"].agg(["sum", "mean", "count"]).round(2)
by_channel.sort_values("sum", ascending=False)
""",
    ),
    (
        "retail",
        """
# every order keeps its row; customers are unique
full = orders.merge(customers, on="customer_id", how="left", validate="many_to_one")
assert len(full) == len(orders)
full.groupby("segment")["order_id"].nunique()
""",
    ),
    (
        "retail",
        """
priced = orders.merge(products, on="sku")
priced["margin"] = (priced["price"] - priced["cost"]) * priced["qty"]
top3 = priced.groupby("name")["margin"].sum().nlargest(3)
print(top3)
""",
    ),
    (
        "retail",
        """
monthly = (
    orders.assign(revenue=lambda d: d["qty"] * d["price"])
    .set_index("day")
    .resample("MS")["revenue"]
    .sum()
)
growth = monthly.pct_change().mul(100).round(1)
growth
""",
    ),
    (
        "retail",
        """
# customers who never ordered
never = customers[~customers["customer_id"].isin(orders["customer_id"])]
print(f"{len(never)} of {len(customers)} customers have no order")
never.sort_values("customer_id")
""",
    ),
    (
        "retail",
        """
customers["city"] = customers["city"].str.strip().str.title()
city_counts = customers["city"].value_counts(dropna=False)
city_counts
""",
    ),
    (
        "retail",
        """
# recency, frequency, monetary
now = orders["day"].max()
rfm = orders.assign(value=orders["qty"] * orders["price"]).groupby("customer_id").agg(
    recency=("day", lambda s: (now - s.max()).days),
    frequency=("order_id", "nunique"),
    monetary=("value", "sum"),
)
rfm["m_quartile"] = pd.qcut(rfm["monetary"], 4, labels=["low", "mid", "high", "top"])
rfm.sort_values("monetary", ascending=False).head(5)
""",
    ),
    (
        "retail",
        """
share = orders.pivot_table(index="channel", columns="sku", values="qty", aggfunc="sum", fill_value=0)
share = share.div(share.sum(axis=1), axis=0)
assert np.allclose(share.sum(axis=1), 1)
share.round(3)
""",
    ),
    (
        "retail",
        """
# running spend of each customer, in date order
ordered = orders.sort_values(["customer_id", "day", "order_id"])
ordered["spend"] = ordered["qty"] * ordered["price"]
ordered["running_spend"] = ordered.groupby("customer_id")["spend"].cumsum()
ordered[["customer_id", "day", "spend", "running_spend"]].head(10)
""",
    ),
    (
        "retail",
        """
first = orders.sort_values("day").drop_duplicates("customer_id", keep="first")
first_month = first["day"].dt.to_period("M").value_counts().sort_index()
first_month
""",
    ),
    (
        "retail",
        """
big_web = orders.query("channel == 'web' and qty >= 5")
rest = orders.drop(big_web.index)
assert len(big_web) + len(rest) == len(orders)
print(big_web["price"].describe())
""",
    ),
    (
        "retail",
        """
# average price per unit sold, weighted by quantity
value = (orders["price"] * orders["qty"]).groupby(orders["sku"]).sum()
units = orders.groupby("sku")["qty"].sum()
avg_price = (value / units).round(2)
avg_price
""",
    ),
    (
        "retail",
        """
labels = {"web": "Online", "store": "Shop", "phone": "Phone"}
orders["channel_name"] = orders["channel"].map(labels)
assert orders["channel_name"].notna().all()
pd.crosstab(orders["channel_name"], orders["day"].dt.month)
""",
    ),
    (
        "retail",
        """
orders["size"] = pd.cut(orders["qty"], bins=[0, 2, 5, 8], labels=["1-2", "3-5", "6-8"])
orders["size"].value_counts(sort=False)
""",
    ),
    (
        "clinic",
        """
visits = visits.merge(patients, on="patient", how="left")
visits["age"] = (visits["visit"] - visits["born"]).dt.days // 365.25
visits.groupby("sex")["age"].describe().round(1)
""",
    ),
    (
        "clinic",
        """
patients["bmi"] = patients["weight_kg"] / (patients["height_cm"] / 100) ** 2
bands = pd.cut(patients["bmi"], [0, 18.5, 25, 30, np.inf], right=False,
               labels=["under", "normal", "over", "obese"])
bands.value_counts().reindex(["under", "normal", "over", "obese"])
""",
    ),
    (
        "clinic",
        """
# last visit of each patient
last = visits.sort_values("visit").groupby("patient").tail(1).set_index("patient")
assert last.index.is_unique
last["sbp"].isna().sum()
""",
    ),
    (
        "clinic",
        """
missing = visits.isna().mean().mul(100).round(1)
print(missing[missing > 0])
complete = visits.dropna(subset=["sbp"])
print(len(visits) - len(complete), "visits without a pressure")
""",
    ),
    (
        "clinic",
        """
# fill a missing pressure with the median of its ward
ward_median = visits.groupby("ward")["sbp"].transform("median")
visits["sbp_filled"] = visits["sbp"].fillna(ward_median)
assert visits["sbp_filled"].notna().all()
visits.head()
""",
    ),
    (
        "clinic",
        """
visits = visits.sort_values(["patient", "visit"])
visits["gap_days"] = visits.groupby("patient")["visit"].diff().dt.days
visits["change"] = visits.groupby("patient")["glucose"].diff()
visits.loc[visits["gap_days"].notna(), ["patient", "gap_days", "change"]].head()
""",
    ),
    (
        "clinic",
        """
high = visits["sbp"] >= 140
measured = visits["sbp"].notna()
rate = high[measured].groupby(visits.loc[measured, "ward"]).mean()
print(rate.map("{:.0%}".format))
""",
    ),
    (
        "clinic",
        """
def flag(row):
    if pd.isna(row["sbp"]):
        return "unknown"
    return "high" if row["sbp"] >= 140 else "ok"

visits["flag"] = visits.apply(flag, axis=1)
visits["flag"].value_counts()
""",
    ),
    (
        "clinic",
        """
z = visits.groupby("ward")["glucose"].transform(lambda s: (s - s.mean()) / s.std())
outliers = visits.loc[z.abs() > 2, ["patient", "ward", "glucose"]]
outliers.sort_values("glucose")
""",
    ),
    (
        "clinic",
        """
per_patient = visits.groupby("patient", as_index=False).agg(n=("visit", "size"), mean_sbp=("sbp", "mean"))
report = patients.merge(per_patient, on="patient", how="left")
report["n"] = report["n"].fillna(0).astype(int)
assert report["n"].sum() == len(visits)
""",
    ),
    (
        "clinic",
        """
quarter = visits["visit"].dt.to_period("Q").astype(str)
table = pd.crosstab(quarter, visits["ward"], margins=True, margins_name="total")
assert table.loc["total", "total"] == len(visits)
table
""",
    ),
    (
        "clinic",
        """
corr = visits[["sbp", "glucose"]].corr().loc["sbp", "glucose"]
n_pairs = visits[["sbp", "glucose"]].dropna().shape[0]
print(f"r = {corr:.2f} over {n_pairs} pairs")
""",
    ),
    (
        "energy",
        """
daily = load["kw"].resample("D").agg(["mean", "max", "count"])
print(daily.round(1))
incomplete = daily.index[daily["count"] < 24]
incomplete
""",
    ),
    (
        "energy",
        """
filled = load["kw"].interpolate(method="time")
assert filled.notna().all()
energy_kwh = filled.resample("D").sum()
energy_kwh.round(0)
""",
    ),
    (
        "energy",
        """
load["ma24"] = load["kw"].rolling(24, min_periods=18).mean()
load["ma24"].dropna().head()
""",
    ),
    (
        "energy",
        """
profile = load.groupby(load.index.hour)["kw"].mean()
peak_hour = profile.idxmax()
print(f"peak at {peak_hour}:00 with {profile.max():.1f} kW")
""",
    ),
    (
        "energy",
        """
local = load.tz_localize("UTC").tz_convert("Europe/Zurich")
night = local.between_time("22:00", "05:59")
print(night["kw"].mean(), local["kw"].mean())
""",
    ),
    (
        "energy",
        """
load["heating_degree"] = (18 - load["temp"]).clip(lower=0)
hdd = load["heating_degree"].resample("D").mean()
hdd.describe().round(2)
""",
    ),
    (
        "energy",
        """
peaks = load["kw"].groupby(load.index.date).idxmax()
top = load.loc[peaks.to_numpy(), ["kw"]].sort_values("kw", ascending=False).head(3)
top
""",
    ),
    (
        "energy",
        """
load["weekend"] = load.index.day_of_week >= 5
summary = load.groupby("weekend")["kw"].agg(["mean", "std", "count"])
summary.rename(index={False: "workday", True: "weekend"})
""",
    ),
    (
        "energy",
        """
load["lag24"] = load["kw"].shift(24)
pairs = load[["kw", "lag24"]].dropna()
mae = (pairs["kw"] - pairs["lag24"]).abs().mean()
print(f"naive forecast error {mae:.2f} kW on {len(pairs)} hours")
""",
    ),
    (
        "energy",
        """
duration = load["kw"].dropna().sort_values(ascending=False).reset_index(drop=True)
p95 = duration.iloc[int(len(duration) * 0.05)]
share_above = (load["kw"].dropna() > p95).mean()
assert share_above <= 0.06
""",
    ),
    (
        "web",
        """
logs["error"] = logs["status"] >= 500
rate = logs.groupby("path")["error"].mean().sort_values(ascending=False)
rate.map("{:.1%}".format)
""",
    ),
    (
        "web",
        """
hourly = logs.set_index("ts").resample("h").size()
assert hourly.sum() == len(logs)
busiest = hourly.idxmax()
print(busiest, hourly.max())
""",
    ),
    (
        "web",
        """
# a session ends after 30 minutes without a request
logs = logs.sort_values(["user", "ts"])
gap = logs.groupby("user")["ts"].diff()
logs["session"] = (gap.isna() | (gap > pd.Timedelta(minutes=30))).cumsum()
sessions = logs.groupby("session").agg(user=("user", "first"), start=("ts", "min"), hits=("path", "size"))
assert sessions["hits"].sum() == len(logs)
""",
    ),
    (
        "web",
        """
logs["section"] = logs["path"].str.split("?").str[0].str.strip("/").str.split("/").str[0].replace("", "home")
logs["section"].value_counts()
""",
    ),
    (
        "web",
        """
latency = logs.groupby("path")["ms"].quantile([0.5, 0.95]).unstack()
latency.columns = ["p50", "p95"]
latency.sort_values("p95", ascending=False).round(1)
""",
    ),
    (
        "web",
        """
logs["local"] = logs["ts"].dt.tz_convert("Europe/Berlin")
by_hour = logs["local"].dt.hour.value_counts().sort_index()
by_hour.reindex(range(24), fill_value=0)
""",
    ),
    (
        "web",
        """
logs["klass"] = (logs["status"] // 100).astype(str) + "xx"
pd.crosstab(logs["path"], logs["klass"], normalize="index").round(2)
""",
    ),
    (
        "web",
        """
has_query = logs["path"].str.contains("?", regex=False)
print(has_query.sum(), "requests with a query string")
logs[has_query].groupby("user").size().nlargest(3)
""",
    ),
    (
        "web",
        """
first_seen = logs.groupby("user")["ts"].min().dt.floor("D")
new_users = first_seen.value_counts().sort_index()
assert new_users.sum() == logs["user"].nunique()
new_users.cumsum()
""",
    ),
    (
        "web",
        """
import re
line = re.compile(r'(?P<ip>\\S+) "(?P<verb>[A-Z]+) (?P<url>\\S+)" (?P<code>\\d{3})')
raw = pd.Series(['10.0.0.1 "GET /a" 200', '10.0.0.2 "POST /b" 500', 'broken', '10.0.0.1 "GET /c" 404'])
parsed = raw.str.extract(line)
good = parsed.dropna().assign(code=lambda d: d["code"].astype(int))
print(len(raw) - len(good), "lines could not be read")
""",
    ),
    (
        "web",
        """
import json
events = ['{"user": "a", "cart": {"n": 2, "sum": 9.5}}', '{"user": "b", "cart": {"n": 0, "sum": 0}}']
flat = pd.json_normalize([json.loads(e) for e in events])
flat = flat.rename(columns=lambda c: c.replace("cart.", "cart_"))
flat["avg"] = flat["cart_sum"] / flat["cart_n"].replace(0, np.nan)
flat
""",
    ),
    (
        "hr",
        """
stats = staff.groupby("dept")["salary"].agg(["median", "min", "max", "size"])
stats["spread"] = stats["max"] - stats["min"]
stats.sort_values("median", ascending=False)
""",
    ),
    (
        "hr",
        """
staff[["first", "last"]] = staff["name"].str.split(" ", n=1, expand=True)
staff["email"] = (staff["first"].str[0] + "." + staff["last"]).str.lower() + "@example.org"
staff["email"].head()
""",
    ),
    (
        "hr",
        """
# name the manager of everyone; the heads have none
managers = staff[["emp_id", "name"]].rename(columns={"emp_id": "manager_id", "name": "manager"})
org = staff.merge(managers, on="manager_id", how="left")
assert len(org) == len(staff)
org["manager"] = org["manager"].fillna("(head)")
org["manager"].value_counts()
""",
    ),
    (
        "hr",
        """
today = pd.Timestamp("2025-01-01")
end = staff["left"].fillna(today)
staff["tenure_years"] = ((end - staff["hired"]).dt.days / 365.25).round(1)
staff.groupby("dept")["tenure_years"].mean().round(2)
""",
    ),
    (
        "hr",
        """
staff["rank_in_dept"] = staff.groupby("dept")["salary"].rank(ascending=False, method="min").astype(int)
top2 = staff[staff["rank_in_dept"] <= 2].sort_values(["dept", "rank_in_dept"])
top2[["dept", "name", "salary", "rank_in_dept"]]
""",
    ),
    (
        "hr",
        """
still_here = staff["left"].isna()
print(f"{still_here.sum()} of {len(staff)} are still here")
turnover = (~still_here).groupby(staff["dept"]).mean()
turnover.round(2)
""",
    ),
    (
        "hr",
        """
raised = staff.copy()
raised.loc[raised["dept"] == "IT", "salary"] *= 1.03
cost = raised["salary"].sum() - staff["salary"].sum()
assert np.isclose(cost, 0.03 * staff.loc[staff["dept"] == "IT", "salary"].sum())
""",
    ),
    (
        "hr",
        """
by_year = staff.groupby([staff["hired"].dt.year, "dept"]).size().unstack(fill_value=0)
by_year.index.name = "year"
assert by_year.to_numpy().sum() == len(staff)
by_year
""",
    ),
    (
        "hr",
        """
bins = [0, 50_000, 60_000, 70_000, np.inf]
names = ["<50k", "50-60k", "60-70k", "70k+"]
staff["band"] = pd.cut(staff["salary"], bins=bins, labels=names, right=False)
staff["band"].value_counts(normalize=True, sort=False).round(2)
""",
    ),
    (
        "hr",
        """
conditions = [staff["salary"] > 75000, staff["salary"] > 60000]
staff["grade"] = np.select(conditions, ["senior", "mid"], default="junior")
staff.groupby("grade")["salary"].agg(["min", "max"])
""",
    ),
    (
        "hr",
        """
dept_mean = staff.groupby("dept")["salary"].transform("mean")
staff["vs_dept"] = staff["salary"] / dept_mean - 1
staff.nsmallest(3, "vs_dept")[["name", "dept", "vs_dept"]]
""",
    ),
    (
        "finance",
        """
ret = px.pct_change().dropna()
vol = ret.std() * np.sqrt(252)
print(vol.map("{:.1%}".format))
""",
    ),
    (
        "finance",
        """
drawdown = px / px.cummax() - 1
worst = drawdown.min()
assert (worst <= 0).all()
pd.DataFrame({"worst": worst, "on": drawdown.idxmin()})
""",
    ),
    (
        "finance",
        """
month_end = px.resample("ME").last()
monthly = month_end.pct_change().dropna()
best = monthly.idxmax()
print(best.dt.strftime("%Y-%m"))
""",
    ),
    (
        "finance",
        """
long = px.reset_index().melt(id_vars="date", var_name="ticker", value_name="close")
booked = trades.merge(long, on=["date", "ticker"], how="left", validate="many_to_one")
assert booked["close"].notna().all()
sign = booked["side"].map({"buy": 1, "sell": -1})
booked["cash"] = -sign * booked["shares"] * booked["close"]
booked.groupby("ticker")["cash"].sum().round(2)
""",
    ),
    (
        "finance",
        """
signed = trades["shares"].where(trades["side"] == "buy", -trades["shares"])
position = trades.assign(signed=signed).pivot_table(index="date", columns="ticker", values="signed", aggfunc="sum")
position = position.reindex(px.index).fillna(0).cumsum()
value = (position * px).sum(axis=1)
value.tail()
""",
    ),
    (
        "finance",
        """
log_ret = np.log(px).diff()
cov = log_ret.cov() * 252
w = np.array([0.5, 0.3, 0.2])
risk = float(np.sqrt(w @ cov.to_numpy() @ w))
print(f"portfolio risk {risk:.2%}")
""",
    ),
    (
        "finance",
        """
fast, slow = px["AAA"].rolling(10).mean(), px["AAA"].rolling(40).mean()
above = (fast > slow)[slow.notna()]
crossings = above.astype(int).diff().fillna(0).ne(0)
print(crossings.sum(), "crossings")
""",
    ),
    (
        "finance",
        """
index = px / px.iloc[0] * 100
assert (index.iloc[0] == 100).all()
final = index.iloc[-1].sort_values(ascending=False)
final.round(1)
""",
    ),
    (
        "finance",
        """
import io
text = "date;amount;text\\n31.01.2024;1.234,50;Rent\\n15.02.2024;-80,00;Food\\n03.03.2024;2.000,00;Pay\\n"
bank = pd.read_csv(io.StringIO(text), sep=";", decimal=",", thousands=".", dtype={"date": str})
bank["date"] = pd.to_datetime(bank["date"], format="%d.%m.%Y")
assert bank["amount"].sum() == 3154.5
bank.set_index("date")["amount"].cumsum()
""",
    ),
    (
        "finance",
        """
def payment(principal, annual_rate, years):
    r = annual_rate / 12
    n = years * 12
    return principal * r / (1 - (1 + r) ** -n)

offers = pd.DataFrame({"bank": ["X", "Y", "Z"], "rate": [0.031, 0.029, 0.034], "years": [20, 25, 15]})
offers["monthly"] = [payment(200_000, r, y) for r, y in zip(offers["rate"], offers["years"])]
offers["total"] = offers["monthly"] * 12 * offers["years"]
offers.sort_values("total").round(2)
""",
    ),
    (
        "finance",
        """
trades = trades.sort_values("date")
weekly = trades.groupby([pd.Grouper(key="date", freq="W-FRI"), "side"])["shares"].sum().unstack(fill_value=0)
assert weekly.to_numpy().sum() == trades["shares"].sum()
weekly.head()
""",
    ),
    (
        "sports",
        """
home = games.rename(columns={"home": "team", "hg": "gf", "ag": "ga"})[["round", "team", "gf", "ga"]]
away = games.rename(columns={"away": "team", "ag": "gf", "hg": "ga"})[["round", "team", "gf", "ga"]]
long = pd.concat([home, away], ignore_index=True)
long["points"] = np.select([long["gf"] > long["ga"], long["gf"] == long["ga"]], [3, 1], default=0)
table = long.groupby("team")[["gf", "ga", "points"]].sum()
table["played"] = long.groupby("team").size()
table["gd"] = table["gf"] - table["ga"]
table.sort_values(["points", "gd", "gf"], ascending=False)
""",
    ),
    (
        "sports",
        """
games["result"] = np.sign(games["hg"] - games["ag"]).map({1: "home", 0: "draw", -1: "away"})
games["result"].value_counts(normalize=True).round(2)
""",
    ),
    (
        "sports",
        """
runs["time"] = pd.to_timedelta(runs["time"])
runs["place"] = runs["time"].rank(method="min").astype(int)
runs["gap"] = runs["time"] - runs["time"].min()
runs.sort_values("place").head(5)
""",
    ),
    (
        "sports",
        """
runs["seconds"] = pd.to_timedelta(runs["time"]).dt.total_seconds()
runs["pace"] = runs["seconds"] / 10 / 60
winners = runs.loc[runs.groupby("cat")["seconds"].idxmin(), ["cat", "runner", "pace"]]
winners.round(2)
""",
    ),
    (
        "sports",
        """
ratings = dict.fromkeys(sorted(set(games["home"])), 1500.0)
for g in games.itertuples():
    expected = 1 / (1 + 10 ** ((ratings[g.away] - ratings[g.home]) / 400))
    actual = 1.0 if g.hg > g.ag else 0.5 if g.hg == g.ag else 0.0
    ratings[g.home] += 20 * (actual - expected)
    ratings[g.away] -= 20 * (actual - expected)
assert np.isclose(sum(ratings.values()), 1500 * len(ratings))
pd.Series(ratings).sort_values(ascending=False).round(0)
""",
    ),
    (
        "sports",
        """
grid = games.pivot_table(index="home", columns="away", values="hg", aggfunc="mean")
assert np.isnan(np.diag(grid)).all()
grid.round(2)
""",
    ),
    (
        "sports",
        """
clean_sheets = (games["ag"] == 0).groupby(games["home"]).sum()
clean_sheets.name = "home_clean_sheets"
clean_sheets.sort_values(ascending=False)
""",
    ),
    (
        "sports",
        """
total = games.assign(goals=games["hg"] + games["ag"]).groupby("round")["goals"].agg(["sum", "mean"])
over = (games["hg"] + games["ag"]).gt(2.5).mean()
print(f"{over:.0%} of the games had three goals or more")
total
""",
    ),
    (
        "farm",
        """
# tonnes per hectare over all plots of a crop with a known yield
known = plots.dropna(subset=["yield_t"])
sums = known.groupby("crop")[["yield_t", "area_ha"]].sum()
sums["t_per_ha"] = sums["yield_t"] / sums["area_ha"]
sums.round(2)
""",
    ),
    (
        "farm",
        """
plots = plots.sort_values(["plot", "year"])
plots["previous_crop"] = plots.groupby("plot")["crop"].shift()
rotation = pd.crosstab(plots["previous_crop"], plots["crop"])
rotation
""",
    ),
    (
        "farm",
        """
rain["month"] = rain["day"].dt.month
monthly = rain.groupby("month")["mm"].agg(total="sum", wet_days=lambda s: (s >= 1).sum())
monthly.loc[monthly["total"].idxmax()]
""",
    ),
    (
        "farm",
        """
# longest dry spell
dry = rain["mm"] < 1
block = (dry != dry.shift()).cumsum()
spells = dry.groupby(block).agg(["first", "size"])
longest = spells.loc[spells["first"], "size"].max()
print(longest, "days")
""",
    ),
    (
        "farm",
        """
rain["week_mm"] = rain["mm"].rolling(7).sum()
wettest = rain.loc[rain["week_mm"].idxmax()]
print(wettest["day"].date(), round(wettest["week_mm"], 1))
""",
    ),
    (
        "farm",
        """
wide = plots.pivot(index="plot", columns="year", values="yield_t")
complete = wide.dropna()
trend = complete[2023] - complete[2020]
print(len(wide) - len(complete), "plots left out")
trend.describe().round(2)
""",
    ),
    (
        "farm",
        """
prices = {"wheat": 230.0, "maize": 195.0, "barley": 180.0}
plots["income"] = plots["yield_t"] * plots["crop"].map(prices)
# income of the plots with a known yield, with their number
income = plots.dropna(subset=["yield_t"]).groupby("year")["income"].agg(["sum", "count"])
income.round(0)
""",
    ),
    (
        "farm",
        """
for year, part in plots.groupby("year"):
    best = part.loc[part["yield_t"].idxmax()]
    print(year, best["plot"], best["crop"], best["yield_t"])
""",
    ),
    (
        "farm",
        """
cumulative = rain.set_index("day")["mm"].cumsum()
reached = cumulative[cumulative >= 200].index[0]
assert cumulative.is_monotonic_increasing
print("200 mm reached on", reached.date())
""",
    ),
    (
        "transport",
        """
trips["delay_min"] = (trips["actual"] - trips["planned"]).dt.total_seconds() / 60
ran = trips.dropna(subset=["delay_min"])
punctual = (ran["delay_min"] < 3).groupby(ran["line"]).mean()
punctual.round(3)
""",
    ),
    (
        "transport",
        """
cancelled = trips["actual"].isna()
print(f"{cancelled.sum()} cancelled")
trips.loc[cancelled, "riders"] = 0
trips["riders"].describe()
""",
    ),
    (
        "transport",
        """
trips["period"] = pd.cut(trips["planned"].dt.hour, [0, 9, 15, 24], right=False, labels=["am", "mid", "pm"])
load = trips.groupby(["line", "period"], observed=True)["riders"].mean().unstack()
load.round(0)
""",
    ),
    (
        "transport",
        """
trips = trips.sort_values("planned")
trips["headway"] = trips.groupby("line")["planned"].diff()
trips.groupby("line")["headway"].median()
""",
    ),
    (
        "transport",
        """
stops = pd.DataFrame({"stop": ["North", "Mid", "South"], "zone": [1, 1, 2]})
zoned = trips.merge(stops, on="stop", how="left", indicator=True)
assert (zoned["_merge"] == "both").all()
zoned.drop(columns="_merge").groupby("zone")["riders"].sum()
""",
    ),
    (
        "transport",
        """
weather = pd.DataFrame({"at": pd.date_range("2024-06-03 04:00", periods=20, freq="h"), "rain": [0, 1, 0, 2] * 5})
joined = pd.merge_asof(trips.sort_values("planned"), weather, left_on="planned", right_on="at")
assert len(joined) == len(trips)
joined.groupby(joined["rain"] > 0)["riders"].mean()
""",
    ),
    (
        "transport",
        """
lat = np.radians(np.array([47.37, 46.95, 46.20]))
lon = np.radians(np.array([8.54, 7.45, 6.15]))
dlat, dlon = np.diff(lat), np.diff(lon)
a = np.sin(dlat / 2) ** 2 + np.cos(lat[:-1]) * np.cos(lat[1:]) * np.sin(dlon / 2) ** 2
km = 2 * 6371 * np.arcsin(np.sqrt(a))
print(km.round(1), km.sum().round(1))
""",
    ),
    (
        "transport",
        """
busiest = trips.groupby(["line", "stop"])["riders"].sum().reset_index()
busiest = busiest.sort_values("riders", ascending=False).drop_duplicates("line")
busiest
""",
    ),
    (
        "school",
        """
wide = marks.pivot(index="pupil", columns="subject", values="score")
wide["mean"] = wide[["art", "latin", "maths"]].mean(axis=1)
wide.sort_values("mean", ascending=False).head(5).round(1)
""",
    ),
    (
        "school",
        """
joined = marks.merge(pupils, on="pupil")
assert len(joined) == len(marks)
joined.groupby(["form", "subject"])["score"].mean().unstack().round(1)
""",
    ),
    (
        "school",
        """
def grade(score):
    for limit, letter in [(80, "A"), (65, "B"), (50, "C")]:
        if score >= limit:
            return letter
    return "D"

marks["grade"] = marks["score"].map(grade, na_action="ignore")
marks["grade"].value_counts(dropna=False).sort_index()
""",
    ),
    (
        "school",
        """
passed = marks.dropna(subset=["score"]).assign(ok=lambda d: d["score"] >= 50)
rates = passed.groupby("subject")["ok"].agg(["mean", "sum", "count"])
assert (rates["sum"] <= rates["count"]).all()
rates
""",
    ),
    (
        "school",
        """
absent = marks[marks["score"].isna()]
names = absent.groupby("pupil")["subject"].apply(", ".join)
names.reset_index(name="missed")
""",
    ),
    (
        "school",
        """
marks["percentile"] = marks.groupby("subject")["score"].rank(pct=True).mul(100).round(0)
marks.loc[marks["percentile"] >= 90].sort_values(["subject", "percentile"], ascending=[True, False])
""",
    ),
    (
        "school",
        """
attendance = pd.DataFrame({"pupil": [1, 2, 3, 3, 5], "absences": [2, 0, 1, 3, 4]})
per_pupil = attendance.groupby("pupil", as_index=False)["absences"].sum()
roll = pupils.merge(per_pupil, on="pupil", how="left").fillna({"absences": 0})
assert roll["absences"].sum() == attendance["absences"].sum()
""",
    ),
    (
        "stars",
        """
near = stars[stars["plx_mas"] > 0].copy()
near["pc"] = 1000 / near["plx_mas"]
near["abs_mag"] = near["vmag"] - 5 * np.log10(near["pc"]) + 5
near.nsmallest(5, "pc")[["star", "pc", "abs_mag"]].round(2)
""",
    ),
    (
        "stars",
        """
parts = stars["spec"].str.extract(r"^(?P<klass>[OBAFGKM])(?P<sub>\\d)(?P<lum>[IV]+)$")
assert parts.notna().all().all()
stars = stars.join(parts)
stars.groupby("klass")["vmag"].agg(["mean", "size"]).round(2)
""",
    ),
    (
        "stars",
        """
curve = obs.groupby("star")["flux"].agg(["mean", "std", "count"])
curve["sem"] = curve["std"] / np.sqrt(curve["count"])
curve.round(4)
""",
    ),
    (
        "stars",
        """
period = 7.3
obs["phase"] = (obs["mjd"] - obs["mjd"].min()) % period / period
obs["bin"] = pd.cut(obs["phase"], np.linspace(0, 1, 6), right=False)
folded = obs.groupby("bin", observed=False)["flux"].median()
folded
""",
    ),
    (
        "stars",
        """
obs["utc"] = pd.Timestamp("1858-11-17", tz="UTC") + pd.to_timedelta(obs["mjd"], unit="D")
nights = obs["utc"].dt.date.nunique()
print(nights, "nights,", obs["utc"].min().date(), "to", obs["utc"].max().date())
""",
    ),
    (
        "stars",
        """
med = obs.groupby("star")["flux"].transform("median")
mad = (obs["flux"] - med).abs().groupby(obs["star"]).transform("median")
keep = (obs["flux"] - med).abs() <= 5 * 1.4826 * mad
clipped = obs[keep]
print(f"{(~keep).sum()} points clipped")
""",
    ),
    (
        "stars",
        """
bright = stars.sort_values("vmag").head(10).reset_index(drop=True)
ratio = 10 ** (-0.4 * (bright["vmag"] - bright["vmag"].iloc[0]))
assert ratio.max() == 1
ratio.round(3)
""",
    ),
    (
        "survey",
        """
answers["q2"] = answers["q2"].str.strip().str.lower().replace("n/a", np.nan)
answers["q2"].value_counts(dropna=False)
""",
    ),
    (
        "survey",
        """
scale = {"disagree": -1, "neutral": 0, "agree": 1}
answers["q1_score"] = answers["q1"].map(scale)
assert answers["q1_score"].isna().sum() == answers["q1"].isna().sum()
answers.groupby("region")["q1_score"].mean().round(2)
""",
    ),
    (
        "survey",
        """
total = (answers["q3"] * answers["weight"]).groupby(answers["region"]).sum()
weighted = total / answers.groupby("region")["weight"].sum()
plain = answers.groupby("region")["q3"].mean()
pd.DataFrame({"weighted": weighted, "plain": plain}).round(2)
""",
    ),
    (
        "survey",
        """
tools = answers["tools"].dropna().str.split(";").explode()
used = tools.value_counts()
share = used / answers["tools"].notna().sum()
print(share.round(2))
""",
    ),
    (
        "survey",
        """
# among those who named a tool
named = answers.dropna(subset=["tools"])
dummies = named["tools"].str.get_dummies(sep=";")
assert dummies.sum(axis=1).max() <= 3
dummies.groupby(named["region"]).mean().round(2)
""",
    ),
    (
        "survey",
        """
answers["age_group"] = pd.cut(answers["age"], [17, 29, 44, 59, 120], labels=["18-29", "30-44", "45-59", "60+"])
assert answers["age_group"].notna().all()
answers.groupby("age_group", observed=False)["q3"].agg(["mean", "count"]).round(2)
""",
    ),
    (
        "survey",
        """
observed = pd.crosstab(answers["region"], answers["q3"]).to_numpy()
expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / observed.sum()
chi2 = ((observed - expected) ** 2 / expected).sum()
dof = (observed.shape[0] - 1) * (observed.shape[1] - 1)
print(f"chi2 = {chi2:.2f}, dof = {dof}")
""",
    ),
    (
        "survey",
        """
boot = np.random.default_rng(0)
scores = answers["q3"].to_numpy()
means = np.array([boot.choice(scores, scores.size).mean() for _ in range(200)])
low, high = np.percentile(means, [2.5, 97.5])
print(f"{scores.mean():.2f} ({low:.2f} to {high:.2f})")
""",
    ),
    (
        "survey",
        """
import io
text = "resp,when,score\\n1,03/04/2024,7\\n2,17/04/2024,\\n3,28/04/2024,9\\n3,28/04/2024,9\\n"
wave = pd.read_csv(io.StringIO(text)).drop_duplicates()
wave["when"] = pd.to_datetime(wave["when"], format="%d/%m/%Y")
assert wave["when"].dt.month.eq(4).all()
print(wave["score"].mean(), wave["score"].count())
""",
    ),
    (
        "survey",
        """
stacked = answers.set_index("resp")[["q1", "q2"]].stack().rename("answer").reset_index()
stacked.columns = ["resp", "question", "answer"]
stacked.groupby("question")["answer"].nunique()
""",
    ),
    (
        "survey",
        """
sample = answers.groupby("region").sample(n=10, random_state=3)
assert sample["region"].value_counts().eq(10).all()
sample["age"].mean()
""",
    ),
    (
        "survey",
        """
answered = answers[["q1", "tools"]].notna().sum(axis=1)
answers["complete"] = answered == 2
print(f"{answers['complete'].mean():.0%} complete")
answers.groupby("complete")["age"].median()
""",
    ),
]

# Right cells that get a finding all the same, with its codes; not yet asserted.
FALSE_ALARMS: list[tuple[str, str, tuple[str, ...]]] = [
    (
        "survey",
        """
# shares among those who answered
order = ["disagree", "neutral", "agree"]
answers["q1"] = pd.Categorical(answers["q1"], categories=order, ordered=True)
pd.crosstab(answers["region"], answers["q1"], normalize="index").round(2)
""",
        ("group-keys-dropped",),
    ),
]

# Cells that were meant to be right and are not: the finding is true.
TRUE: list[tuple[str, str, tuple[str, ...]]] = [
    # thousands="." turns the dates into whole numbers
    (
        "finance",
        """
import io
text = "date;amount;text\\n31.01.2024;1.234,50;Rent\\n15.02.2024;-80,00;Food\\n03.03.2024;2.000,00;Pay\\n"
bank = pd.read_csv(io.StringIO(text), sep=";", decimal=",", thousands=".")
bank["date"] = pd.to_datetime(bank["date"], format="%d.%m.%Y")
assert bank["amount"].sum() == 3154.5
bank.set_index("date")["amount"].cumsum()
""",
        ("raised",),
    ),
]


@pytest.mark.parametrize(("domain", "cell"), CELLS, ids=[f"{d}-{i}" for i, (d, _) in enumerate(CELLS)])
def test_an_everyday_cell_that_is_right_gets_no_finding(domain: str, cell: str) -> None:
    run = run_body(cell.strip() + "\n", SETUPS[domain])
    assert isinstance(run.outcome, Completed), run.outcome
    assert [f for f in check_all(run) if f.severity in (Severity.MUST, Severity.MAY)] == []
