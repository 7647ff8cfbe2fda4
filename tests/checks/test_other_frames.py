"""Cells of polars, pyarrow and dask: wrong ones are found in the right line, ordinary ones are left alone."""

from __future__ import annotations

import pytest

from reflex_magic.checks import CHECKS, check_all
from reflex_magic.core.finding import Severity
from reflex_magic.core.outcome import Completed
from tests.checks.tables import cells
from tests.observe.stepper import run_body

SETUP = """
sales = table({
    "id": range(1, 9),
    "shop": ["n", "s", "n", "w", "s", "n", "w", "w"],
    "item": ["tea", "tea", "jam", "jam", "tea", "oil", "rye", "tea"],
    "units": [1, 2, 3, 4, 5, 6, 7, 8],
    "eur": [2.5, 5.0, 9.0, 12.0, 12.5, 30.0, 35.0, 20.0],
})
items = table({"item": ["tea", "jam", "oil"], "price": [2.5, 3.0, 5.0], "kind": ["leaf", "fruit", "fat"]})
rates = table({"item": ["tea", "tea", "jam", "oil", "rye"], "vat": [7, 19, 7, 7, 7]})
people = table({"no": ["007", "012", "100"], "name": ["Ann", "Ben ", "cleo"], "pay": [1.0, 2.0, 4.0]})
teams = table({"no": ["7", "12", "100"], "name": ["ann", "Ben", "Cleo"], "team": ["a", "b", "c"]})
staff = table({"who": ["a", "b", "c", "d"], "salary": ["980", "1,250", "n/a", "2,000"],
               "since": ["2024-01-02", "03.04.2024", "2023-05-06", "2022-01-01"]})
jan = table({"day": [1, 2, 3], "eur": [1.0, 2.0, 3.0]})
feb = table({"day": [1, 2, 3], "EUR": [4.0, 5.0, 6.0]})
cars = table({"car": ["Ara", "Bex", "Cor"], "kw": ["98.4", "110.2", "9.6"]})
probes = table({"ph": [7.1, 6.9, 7.0, 7.2, -999.0, 7.3, -999.0]})
region = table({"region": ["north", "south", "Total"], "eur": [10.0, 5.0, 15.0]})
towns = table({"town": ["Ulm", "ulm", "Ulm ", "Jena"], "n": [1, 2, 3, 4]})
gifts = table({"who": ["ann", "ann", "ben"], "day": [1, 2, 1], "eur": [10.0, 15.0, 20.0]})
tenths = table({"x": [0.1 + 0.2, 0.3, 0.5, 0.1 * 3]})
ads = table({"clicks": [5.0, 10.0, 90.0], "views": [10.0, 100.0, 1000.0], "ctr": [0.5, 0.1, 0.09]})
shares = table({"part": [1.0, 2.0, 3.0], "share": [1.0, float("inf"), 1.5]})
longs = table({"id": [9007199254740993.0, 9007199254740995.0, 9007199254740999.0], "v": [1, 2, 3]})
known = table({"id": [9007199254740993.0, 9007199254740994.0], "w": [1, 2]})
stock = table({"day": pd.to_datetime(["2024-01-02", "2024-01-01", "2024-01-04", "2024-01-03"]), "n": [5, 7, 6, 9]})
meters = table({"meter": ["m1", "m1", "m2", "m2"], "value": [100, 130, 1000, 1010]})
"""

LIBRARIES = {
    "polars": "import polars as pl\ntable = pl.DataFrame\n",
    "pyarrow": (
        "import pyarrow as pa, pyarrow.compute as pc\ntable = lambda d: pa.table({k: list(v) for k, v in d.items()})\n"
    ),
    "dask": "import dask.dataframe as dd\ntable = lambda d: dd.from_pandas(pd.DataFrame(d), npartitions=2)\n",
}

POLARS = """
%% join-multiplies-rows
m = sales.join(rates, on="item")  # <-
total = m["eur"].sum()
%% join-multiplies-rows
m = sales.join(rates, on="item", how="left")  # <-
by = m.group_by("shop").agg(pl.col("eur").sum())
%% join-multiplies-rows
t = sales.join(rates, on="item").select(pl.col("units").sum())  # <-
%% join-loses-rows
m = sales.join(items, on="item")  # <-
total = m["eur"].sum()
%% join-loses-rows
m = sales.join(items, left_on="item", right_on="item")  # <-
by = m.group_by("kind").agg(pl.sum("eur"))
%% unmatched-rows-then-summed
sold = sales.join(items, on="item", how="left")  # <-
sold = sold.with_columns((pl.col("units") * pl.col("price")).alias("value"))
total = sold["value"].sum()
%% unmatched-rows-then-summed
sold = sales.join(items, on="item", how="left")  # <-
total = sold.select((pl.col("units") * pl.col("price")).sum()).item()
%% unmatched-rows-then-summed
t = (sales.join(items, on="item", how="left")  # <-
     .with_columns(value=pl.col("units") * pl.col("price"))
     .group_by("shop").agg(pl.col("value").sum()))
%% join-keys-spelled-differently
m = people.join(teams, on="name", how="left")  # <-
%% join-keys-spelled-differently
m = people.join(teams, on="no")  # <-
%% values-coerced-to-missing
staff = staff.with_columns(
    pl.col("salary").cast(pl.Float64, strict=False),  # <-
)
%% values-coerced-to-missing
pay = staff["salary"].cast(pl.Float64, strict=False)  # <-
%% values-coerced-to-missing
staff = staff.with_columns(when=pl.col("since").str.to_date("%Y-%m-%d", strict=False))  # <-
%% values-coerced-to-missing
when = staff["since"].str.to_date("%Y-%m-%d", strict=False)  # <-
%% values-coerced-to-missing
staff = staff.select("who", pl.col("since").str.strptime(pl.Date, "%Y-%m-%d", strict=False).alias("when"))  # <-
%% concat-columns-spelled-differently
both = pl.concat([jan, feb], how="diagonal")  # <-
total = both["eur"].sum()
%% rows-stacked-twice
q = pl.concat([jan, jan.with_columns(eur=pl.col("eur") * 2), jan])  # <-
total = q["eur"].sum()
%% compared-spelling-variants
n = towns.filter(pl.col("town") == "Ulm")["n"].sum()  # <-
%% compared-spelling-variants
n = towns.filter(towns["town"] == "Ulm")["n"].sum()  # <-
%% isin-misses-values
n = towns.filter(pl.col("town").is_in(["Ulm", "Jena"]))["n"].sum()  # <-
%% isin-misses-values
n = people.filter(people["no"].is_in(teams["no"].to_list()))  # <-
%% markers-averaged
m = probes["ph"].mean()  # <-
%% markers-averaged
m = probes.select(pl.col("ph").mean()).item()  # <-
%% markers-averaged
m = probes.select(pl.mean("ph"))  # <-
%% totals-among-rows
t = region["eur"].sum()  # <-
%% totals-among-rows
t = region.select(pl.col("eur").sum()).item()  # <-
%% nothing-averaged
m = sales.filter(pl.col("shop") == "west")["eur"].mean()  # <-
%% nothing-averaged
west = sales.filter(pl.col("shop") == "west")
m = west.select(pl.col("eur").mean()).item()  # <-
%% numbers-ordered-as-text
best = cars.sort("kw", descending=True).head(1)  # <-
%% numbers-ordered-as-text
best = cars["kw"].max()  # <-
%% numbers-ordered-as-text
best = cars.select(pl.col("kw").max())  # <-
%% numbers-ordered-as-text
strong = cars.filter(pl.col("kw") > "50")  # <-
%% duplicates-by-part-of-row
u = gifts.unique(subset=["who"])  # <-
total = u["eur"].sum()
%% rows-of-several-groups
meters = meters.with_columns(used=pl.col("value").diff())  # <-
used = meters.group_by("meter").agg(pl.col("used").sum())
%% compared-by-last-digits
n = tenths.filter(pl.col("x") == 0.3).height  # <-
%% compared-by-last-digits
n = (tenths["x"] == 0.3).sum()  # <-
%% mean-of-ratios
# overall click rate
rate = ads["ctr"].mean()  # <-
%% mean-of-ratios
# overall click rate
rate = (
    ads
    .select(pl.col("ctr").mean())  # <-
    .item()
)
%% infinite-values
mean = shares["share"].mean()  # <-
%% infinite-values
mean = shares.select(pl.mean("share"))  # <-
%% float-keys-too-long
m = longs.join(known, on="id")  # <-
%% rows-not-sorted-by-date
# the change from day to day
stock = stock.with_columns(
    change=pl.col("n").diff(),  # <-
)
%% result-not-kept
sales.with_columns(value=pl.col("units") * pl.col("eur"))  # <-
names = sales.columns
%% result-not-kept
sales.filter(pl.col("eur") > 5)  # <-
n = sales.height
"""

ARROW = """
%% join-multiplies-rows
m = sales.join(rates, "item", join_type="inner")  # <-
total = pc.sum(m["eur"])
%% unmatched-rows-then-summed
m = sales.join(items, keys="item")  # <-
total = pc.sum(pc.multiply(m["units"], m["price"]))
%% concat-columns-spelled-differently
both = pa.concat_tables([jan, feb], promote_options="default")  # <-
total = pc.sum(both["eur"])
%% compared-spelling-variants
n = pc.sum(pc.equal(towns["town"], "Ulm"))  # <-
%% nothing-averaged
west = sales.filter(pc.equal(sales["shop"], "west"))
m = pc.mean(west["eur"])  # <-
%% values-coerced-to-missing
when = pc.strptime(staff["since"], format="%Y-%m-%d", unit="s", error_is_null=True)  # <-
%% markers-averaged
m = pc.mean(probes["ph"])  # <-
%% numbers-ordered-as-text
best = cars.sort_by([("kw", "descending")]).slice(0, 1)  # <-
%% join-keys-spelled-differently
m = people.join(teams, "name")  # <-
%% rows-stacked-twice
april = jan.set_column(1, "eur", pc.multiply(jan["eur"], 2))
quarter = pa.concat_tables([jan, april, april])  # <-
%% float-keys-too-long
m = longs.join(known, keys="id", join_type="inner")  # <-
%% compared-by-last-digits
n = pc.sum(pc.equal(tenths["x"], 0.3))  # <-
%% result-not-kept
sales.append_column("each", pc.divide(sales["eur"], sales["units"]))  # <-
names = sales.column_names
"""

DASK = """
%% concat-columns-spelled-differently
both = dd.concat([jan, feb])  # <-
total = both["eur"].sum().compute()
%% rows-stacked-twice
quarter = dd.concat([jan, jan.assign(eur=1.0), jan])  # <-
total = quarter["eur"].sum().compute()
%% join-multiplies-rows
s, r = sales.compute(), rates.compute()
m = s.merge(r, on="item")  # <-
total = m["eur"].sum()
"""

ORDINARY_POLARS = """
%% header to lines
m = sales.join(items, on="item", how="left")
by = m.group_by("kind").agg(pl.col("eur").sum(), pl.len())
%% unique right
m = sales.join(rates.unique("item", keep="first"), on="item")
total = m["eur"].sum()
%% validate
m = sales.filter(pl.col("item") != "tea").join(rates, on="item", validate="m:m")
total = m["eur"].sum()
%% inner is written
m = sales.join(items, on="item", how="inner")
total = m["eur"].sum()
%% anti
rest = sales.join(items, on="item", how="anti")
m = sales.join(items, on="item")
total = m["eur"].sum()
%% semi
known = sales.join(items, on="item", how="semi")
total = known["eur"].sum()
%% cross
grid = sales.select("shop").unique().join(items.select("item"), how="cross")
%% unmatched are filled
sold = sales.join(items, on="item", how="left").with_columns(pl.col("price").fill_null(1.0))
total = sold.select((pl.col("units") * pl.col("price")).sum()).item()
%% unmatched are looked at
sold = sales.join(items, on="item", how="left")
unknown = sold.filter(pl.col("price").is_null())
sold = sold.with_columns(value=pl.col("units") * pl.col("price"))
total = sold["value"].sum()
%% drop_nulls
sold = sales.join(items, on="item", how="left").drop_nulls("price")
total = sold.select((pl.col("units") * pl.col("price")).sum()).item()
%% unmatched, the other column is summed
sold = sales.join(items, on="item", how="left")
total = sold["eur"].sum()
%% null keys in groups
gaps = sales.with_columns(shop=pl.when(pl.col("units") > 6).then(None).otherwise(pl.col("shop")))
by = gaps.group_by("shop").agg(pl.col("eur").sum())
assert by["eur"].sum() == sales["eur"].sum()
%% null keys do not meet
left = pl.DataFrame({"k": ["a", None, None], "v": [1.0, 2.0, 3.0]})
right = pl.DataFrame({"k": ["a", None, None], "w": [1.0, 2.0, 3.0]})
m = left.join(right, on="k", how="left")
n = m["v"].sum()
%% spelled first
m = people.with_columns(pl.col("name").str.strip_chars().str.to_lowercase()).join(
    teams.with_columns(pl.col("name").str.to_lowercase()), on="name", how="left")
%% cast of clean numbers
n = pl.DataFrame({"a": ["1", "2", None]}).with_columns(pl.col("a").cast(pl.Int64, strict=False))
%% markers only
n = pl.DataFrame({"a": ["1", "n/a", "-", ""]}).with_columns(pl.col("a").cast(pl.Int64, strict=False))
%% cleaned before the cast
s = staff.with_columns(pl.col("salary").str.replace_all(",", "").cast(pl.Float64, strict=False))
%% what was lost is looked at
s = staff.with_columns(pay=pl.col("salary").cast(pl.Float64, strict=False))
bad = s.filter(pl.col("pay").is_null())
%% what was lost is said
# salaries that are not plain numbers are dropped
s = staff.with_columns(pay=pl.col("salary").cast(pl.Float64, strict=False))
%% two formats
s = staff.with_columns(when=pl.coalesce(
    pl.col("since").str.to_date("%Y-%m-%d", strict=False), pl.col("since").str.to_date("%d.%m.%Y", strict=False)))
%% dates all read
d = pl.DataFrame({"d": ["2024-01-02", "2024-02-03"]}).with_columns(pl.col("d").str.to_date("%Y-%m-%d", strict=False))
%% concat of equal columns
both = pl.concat([jan, jan.with_columns(pl.col("eur") * 2)])
total = both["eur"].sum()
%% diagonal after renaming
both = pl.concat([jan, feb.rename({"EUR": "eur"})], how="diagonal")
total = both["eur"].sum()
%% diagonal with a column more
both = pl.concat([jan, jan.with_columns(note=pl.lit("x"))], how="diagonal")
%% horizontal
both = pl.concat([jan, pl.DataFrame({"n": [1, 2, 3]})], how="horizontal")
%% compared in one spelling
n = towns.filter(pl.col("town").str.strip_chars().str.to_lowercase() == "ulm")["n"].sum()
%% compared with what is there
n = sales.filter((pl.col("shop") == "n") & (pl.col("eur") > 5))["eur"].mean()
%% is_in
n = sales.filter(pl.col("shop").is_in(["n", "w"]))["eur"].sum()
%% markers left out
m = probes.filter(pl.col("ph") > 0)["ph"].mean()
%% markers made null
m = probes.select(pl.col("ph").replace(-999.0, None).mean()).item()
%% total row left out
t = region.filter(pl.col("region") != "Total")["eur"].sum()
%% grouped by the label of the total
t = region.group_by("region").agg(pl.col("eur").sum())
%% nothing left is looked at
west = sales.filter(pl.col("shop") == "west")
m = None if west.is_empty() else west["eur"].mean()
%% height is looked at
west = sales.filter(pl.col("shop") == "west")
n = west.height
m = west["eur"].mean()
%% sort of numbers
best = cars.with_columns(pl.col("kw").cast(pl.Float64)).sort("kw", descending=True).head(1)
%% sort of text
first = items.sort("item").head(1)
%% max of names
last = items["item"].max()
%% unique rows
u = gifts.unique()
total = u["eur"].sum()
%% first of each after sorting
u = gifts.sort("day").unique(subset=["who"], keep="first", maintain_order=True)
total = u["eur"].sum()
%% diff within groups
meters = meters.with_columns(used=pl.col("value").diff().over("meter"))
used = meters.group_by("meter").agg(pl.col("used").sum())
%% window
s = sales.with_columns(share=pl.col("eur") / pl.col("eur").sum().over("shop"))
%% lazy
lazy = sales.lazy().filter(pl.col("eur") > 5).group_by("shop").agg(pl.col("eur").sum()).sort("shop")
by = lazy.collect()
%% pivot and melt
wide = sales.pivot(on="shop", index="item", values="eur", aggregate_function="sum")
long = wide.unpivot(index="item")
%% columns in a loop
for name in ["units", "eur"]:
    sales = sales.with_columns(pl.col(name).cast(pl.Float64))
%% in-place methods
sales.insert_column(0, pl.Series("row", range(8)))
sales = sales.drop("row")
%% to pandas and back
frame = sales.to_pandas()
by = frame.groupby("shop")["eur"].sum()
%% between
n = sales.filter(pl.col("eur").is_between(5, 20)).select(pl.len()).item()
%% strings joined
label = ", ".join(sales["shop"].unique().sort().to_list())
%% grouped by the label of the total, in a list or as an expression
t = region.group_by(["region"]).agg(pl.col("eur").sum())
u = region.group_by(pl.col("region")).agg(pl.sum("eur"))
%% what is made missing on purpose
s = staff.with_columns(pl.col("salary").replace({"1,250": None, "2,000": None}).cast(pl.Float64, strict=False))
%% in place, or shown
sales.insert_column(0, pl.Series("row", range(8)))
sales.sort("eur")
%% nothing was changed
sales.drop_nulls()
n = sales.height
"""

ORDINARY_ARROW = """
%% left join and sum of what was there
m = sales.join(items, keys="item")
total = pc.sum(m["eur"])
%% inner is written
m = sales.join(items, keys="item", join_type="inner")
total = pc.sum(m["eur"])
%% group_by
by = sales.group_by("shop").aggregate([("eur", "sum")])
%% unmatched are filled
m = sales.join(items, keys="item")
total = pc.sum(pc.multiply(m["units"], pc.fill_null(m["price"], 1.0)))
%% filter
n = sales.filter(pc.greater(sales["eur"], 5)).num_rows
%% concat
both = pa.concat_tables([jan, jan])
%% compare
n = pc.sum(pc.equal(sales["shop"], "n"))
%% mean
m = pc.mean(sales["eur"])
%% strptime
when = pc.strptime(pa.chunked_array([["2024-01-02", "2024-01-03"]]), format="%Y-%m-%d", unit="s", error_is_null=True)
"""

ORDINARY_DASK = """
%% grouped
by = sales.groupby("shop")["eur"].sum().compute()
%% merged
m = sales.merge(items, on="item", how="left")
total = m["eur"].sum().compute()
%% filtered
n = len(sales[sales["eur"] > 5])
%% concat of equal columns
both = dd.concat([jan, jan.assign(eur=2.0)])
total = both["eur"].sum().compute()
%% concat with a column more
both = dd.concat([jan, jan.assign(note="x")])
%% assigned
sales = sales.assign(each=sales["eur"] / sales["units"])
mean = sales["each"].mean().compute()
%% sorted
first = sales.sort_values("eur").head(3)
%% mapped by partition
doubled = sales.map_partitions(lambda part: part.assign(eur=part["eur"] * 2)).compute()
"""


SHOP = """
from datetime import date, datetime, timedelta
rng = np.random.default_rng(1)
n = 200
orders = pl.DataFrame({
    "order_id": np.arange(1001, 1001 + n), "customer_id": rng.integers(1, 26, n),
    "sku": rng.choice(["A1", "B2", "C3", "D4"], n),
    "qty": rng.integers(1, 9, n), "price": rng.choice([4.5, 9.99, 20.0, 35.25], n),
    "channel": rng.choice(["web", "store", "phone"], n),
    "day": [date(2024, 1, 1) + timedelta(days=int(d)) for d in rng.integers(0, 180, n)],
}).with_columns(discount=pl.when(pl.col("qty") > 6).then(None).otherwise(0.05))
customers = pl.DataFrame({
    "customer_id": np.arange(1, 31),
    "segment": rng.choice(["new", "loyal", "vip"], 30), "city": rng.choice([" Bern", "basel ", "Zug", None], 30),
})
products = pl.DataFrame({
    "sku": ["A1", "B2", "C3", "D4"], "name": ["Cup", "Mug", "Pot", "Pan"], "cost": [2.0, 5.0, 11.0, 19.0],
})
logs = pl.DataFrame({
    "ts": [datetime(2024, 5, 6) + timedelta(seconds=int(s)) for s in np.sort(rng.integers(0, 172800, n))],
    "user": rng.choice(["u%02d" % i for i in range(20)], n), "path": rng.choice(["/", "/shop", "/help"], n),
    "status": rng.choice([200, 301, 404, 500], n), "ms": rng.lognormal(4, 0.7, n).round(1)})
load = pl.DataFrame({"time": pl.datetime_range(datetime(2024, 2, 1), datetime(2024, 2, 10), "1h", eager=True)})
load = load.with_columns(kw=pl.int_range(pl.len()) % 24 + 50.0)
survey = pl.DataFrame({
    "id": range(8), "age": ["34", "29", "", "41", "n/a", "52", "38", "27"], "q1": [1, 2, 3, 4, 5, 5, 4, 3],
    "when": ["2024-03-01", "2024-03-02", "", "2024-03-05", "2024-03-07", "2024-03-08", "2024-03-09", "2024-03-10"],
})
stock = pl.DataFrame({"sym": ["AA"] * 5 + ["BB"] * 5, "day": [date(2024, 1, d) for d in range(1, 6)] * 2})
stock = stock.with_columns(close=pl.Series(rng.random(10).round(2) + 10))
"""

ORDINARY_SHOP = """
%% revenue by channel
rev = orders.with_columns(rev=pl.col("qty") * pl.col("price"))
by = rev.group_by("channel").agg(pl.col("rev").sum()).sort("rev", descending=True)
%% left join then groups
m = orders.join(customers, on="customer_id", how="left")
by = m.group_by("segment").agg(pl.col("qty").sum(), pl.len().alias("n"))
%% looked up and multiplied
m = orders.join(products, on="sku")
margin = m.select(((pl.col("price") - pl.col("cost")) * pl.col("qty")).sum()).item()
%% top customers
top = orders.group_by("customer_id").agg(total=(pl.col("qty") * pl.col("price")).sum()).top_k(5, by="total")
%% filled before
net = orders.with_columns(net=pl.col("price") * (1 - pl.col("discount").fill_null(0)))
total = net["net"].sum()
%% mean with gaps
avg = orders["discount"].mean()
%% by month
monthly = orders.sort("day").group_by_dynamic("day", every="1mo").agg(pl.col("qty").sum())
%% year and month
orders = orders.with_columns(month=pl.col("day").dt.month(), year=pl.col("day").dt.year())
by = orders.group_by("year", "month").agg(pl.col("qty").sum()).sort("year", "month")
%% first of each
first = orders.sort("day").group_by("customer_id", maintain_order=True).first()
%% first order of each
first = orders.sort("day").unique(subset="customer_id", keep="first")
%% pairs of orders
pairs = orders.join(orders, on="customer_id", suffix="_b").filter(pl.col("order_id") < pl.col("order_id_b"))
n = pairs.height
%% full join
both = orders.join(customers, on="customer_id", how="full", coalesce=True)
%% customers without orders
never = customers.join(orders, on="customer_id", how="anti")
%% spelled first
cust = customers.with_columns(pl.col("city").str.strip_chars().str.to_titlecase())
n = cust.filter(pl.col("city") == "Basel").height
%% rank within
r = orders.with_columns(rank=pl.col("price").rank("dense").over("channel"))
%% several conditions
x = orders.filter(pl.col("channel").is_in(["web", "store"]) & (pl.col("price") >= 9.99))
mean = x["price"].mean()
%% percentile
p95 = logs.group_by("path").agg(pl.col("ms").quantile(0.95))
%% errors by user
errors = logs.filter(pl.col("status") >= 400).group_by("user").len().sort("len", descending=True).head(3)
%% share of a status
share = logs.select((pl.col("status") == 500).mean()).item()
%% hourly steps
load = load.with_columns(delta=pl.col("kw").diff())
up = load.filter(pl.col("delta") > 0).height
%% rolling mean
load = load.with_columns(avg=pl.col("kw").rolling_mean(24))
%% by day
day = load.group_by(pl.col("time").dt.date()).agg(pl.col("kw").mean())
%% markers become null
s = survey.with_columns(pl.col("age").cast(pl.Int64, strict=False))
m = s["age"].mean()
%% blank dates become null
s = survey.with_columns(pl.col("when").str.to_date("%Y-%m-%d", strict=False))
last = s["when"].max()
%% change within groups
s = stock.sort("sym", "day").with_columns(ret=pl.col("close").pct_change().over("sym"))
%% change within groups in order
s = stock.with_columns(ret=pl.col("close").pct_change().over("sym", order_by="day"))
by = s.group_by("sym").agg(pl.col("ret").mean())
%% running total
c = logs.with_columns(total=pl.col("ms").cum_sum())
%% wide and correlated
wide = stock.pivot(on="sym", index="day", values="close")
corr = wide.select(pl.corr("AA", "BB")).item()
%% parts put together again
parts = [orders.filter(pl.col("channel") == c) for c in ["web", "store", "phone"]]
both = pl.concat(parts)
assert both.height == orders.height
%% described
d = orders.describe()
%% different customers
n = orders["customer_id"].n_unique()
%% counts
counts = orders["channel"].value_counts(sort=True)
%% extremes
lo, hi = orders["price"].min(), orders["price"].max()
%% sizes
x = orders.with_columns(size=pl.when(pl.col("qty") >= 5).then(pl.lit("big")).otherwise(pl.lit("small")))
t = x.group_by("size", "channel").len()
%% lazy to the end
q = orders.lazy().join(products.lazy(), on="sku").group_by("name").agg(pl.col("qty").sum()).collect()
%% those with a discount
ok = orders.filter(pl.col("discount").is_not_null())["discount"].mean()
%% ratio of sums
x = orders.select(pl.col("price").sum() / pl.col("qty").sum()).item()
%% no such product
rows = orders.filter(pl.col("sku") == "Z9")
n = rows.height
%% drawn at random
x = orders.sample(10, seed=1)["price"].mean()
%% nearest in time
joined = logs.join_asof(load.sort("time"), left_on="ts", right_on="time")
%% a loop over channels
for c in ["web", "store"]:
    print(c, orders.filter(pl.col("channel") == c)["price"].mean())
%% renamed
orders = orders.rename({"qty": "quantity"}).drop("discount")
tot = orders["quantity"].sum()
%% totals looked up
spent = orders.group_by("customer_id").agg(pl.col("price").sum().alias("spent"))
cust = customers.join(spent, on="customer_id", how="left")
spent = cust["spent"].sum()
%% totals of those who bought
cust = customers.join(orders.group_by("customer_id").agg(spent=pl.col("price").sum()), on="customer_id")
mean = cust["spent"].mean()
%% listed
sku = orders["sku"].unique().sort().to_list()
%% best by price
best = orders.sort("price", "order_id", descending=True).head(5)
%% numbers as text of one length
x = orders.with_columns(pl.col("order_id").cast(pl.String))
last = x["order_id"].max()
%% by hour
h = logs.with_columns(hour=pl.col("ts").dt.hour()).group_by("hour").agg(pl.len()).sort("hour")
%% standardised
z = orders.with_columns(z=(pl.col("price") - pl.col("price").mean()) / pl.col("price").std())
%% first and last of groups
by = orders.group_by("sku").agg(pl.col("price").first(), pl.col("day").max())
"""


def missed(library: str, text: str) -> list[str]:
    """The cells whose finding is not there, or not in the line that is marked."""
    found = []
    for code, body in cells(text):
        run = run_body(body, LIBRARIES[library] + SETUP)
        line = next(i for i, text in enumerate(body.splitlines(), 2) if text.endswith("# <-"))
        told = [(f.code, f.span.line) for f in check_all(run) if f.severity is Severity.MAY and f.span]
        if not isinstance(run.outcome, Completed) or told != [(code, line)]:
            found.append(f"{code} in line {line} expected, {told} found, {run.outcome}:\n{body}")
    return found


def doubted(library: str, text: str, setup: str = SETUP) -> list[str]:
    """The cells in which something is found although they are right."""
    found = []
    for name, body in cells(text):
        run = run_body(body, LIBRARIES[library] + setup)
        told = [f"{f.code}: {f.message}" for f in check_all(run)]
        if not isinstance(run.outcome, Completed) or told:
            found.append(f"{name}: {told}, {run.outcome}")
    return found


@pytest.mark.apart
def test_wrong_cells_of_polars_are_found():
    pytest.importorskip("polars")
    assert not missed("polars", POLARS)


@pytest.mark.apart
def test_ordinary_cells_of_polars_are_left_alone():
    pytest.importorskip("polars")
    assert not doubted("polars", ORDINARY_POLARS)
    assert not doubted("polars", ORDINARY_SHOP, SHOP)


def test_wrong_cells_of_pyarrow_are_found():
    assert not missed("pyarrow", ARROW)


def test_ordinary_cells_of_pyarrow_are_left_alone():
    assert not doubted("pyarrow", ORDINARY_ARROW)


@pytest.mark.apart
def test_wrong_cells_of_dask_are_found():
    pytest.importorskip("dask.dataframe")
    assert not missed("dask", DASK)


@pytest.mark.apart
def test_ordinary_cells_of_dask_are_left_alone():
    pytest.importorskip("dask.dataframe")
    assert not doubted("dask", ORDINARY_DASK)


@pytest.mark.parametrize(("library", "text"), [("polars", POLARS), ("pyarrow", ARROW), ("dask", DASK)])
def test_checks_claim_the_libraries_of_which_they_find_a_wrong_cell(library: str, text: str):
    computed = {code for code, body in cells(text) if library == "dask" and ".compute()" in body.split("# <-")[0]}
    assert {check.name for check in CHECKS if library in check.frames} == {code for code, _ in cells(text)} - computed
