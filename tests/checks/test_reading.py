"""Files that are read wrongly, and cells that look alike and are right."""

from __future__ import annotations

import re

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed
from tests.checks.tables import cells
from tests.observe.stepper import run_body

CODES = frozenset(
    {"bad-lines-skipped", "column-mixes-numbers-and-text", "column-name-twice", "columns-shifted"}
    | {"dates-left-as-text", "dates-read-swapped", "header-row-misplaced", "identifiers-read-as-numbers"}
    | {"numbers-left-as-text", "quote-swallows-rows", "read-in-wrong-encoding", "row-numbers-read-as-column"}
    | {"rows-left-unread", "thousands-read-as-decimals", "total-row-among-data", "usecols-order-ignored"}
    | {"values-lost-in-constructor", "words-read-as-missing"}
)

SETUP = """
import csv
import io

def file(text, encoding="utf-8"):
    return io.BytesIO(text.replace("|", "\\n").encode(encoding))

zips = "zip,name,n|02134,Ann,1|90210,Ben,2|00501,Cy,3|"
phones = "phone,n|+4915112345678,1|+4917000012345,2|"
ids = "id,n|1577134800018226901,1|,2|1577134800018226905,3|1577134800018164904,4|"
versions = "version,ms|1.1,10|1.10,20|1.2,30|1.1,12|"
trays = "tray,n|10E4,1|2034,2|1178,3|10E5,4|"
months = "month,eur|01,10|02,20|03,30|"
padded = "line,qty|1,00012|2,00003|3,00100|"
nations = "country,kg|ZA,10|NA,4|BW,2|NA,6|ZA,1|"
regions = "region,eur|EMEA,1|NA,2|APAC,3|NA,4|"
levels = "patient,pain|1,None|2,Mild|3,Severe|4,None|5,Mild|"
states = "state,n|TX,1|CA,2|NA,3|OR,4|"
scores = "team,score,rank|A,3,1|NA,NA,2|B,5,NA|C,4,3|"
answers = "q1,q2|Y,4|N,5|NA,3|Y,2|"
turb = "well,ntu|W1,8.5|W2,-|W3,12.5|W4,9.0|W5,10.1|"
prices = "item,eur|tea,€2.50|jam,€12.00|oil,€5.25|"
growth = "year,rate|2020,3%|2021,12%|2022,7%|"
grouped = 'town,people|Ulm,"126,329"|Jena,"110,731"|Bonn,"330,579"|Rust,950|'
weights = "box,w|1,12 kg|2,3 kg|3,120 kg|"
streets = "street,no|Elm,12a|Oak,3b|Fir,7|Ash,15|"
sizes = "shirt,size|1,S|2,10|3,12|4,XL|"
towns = "town;people;km2|Ulm;126.329;118,7|Jena;110.731;114,8|Bonn;330.579;141,1|"
lengths = "part;mm|a;1.234|b;2.500|c;12.125|d;0.250|"
decimal = 'a,b|"1,234","12,5"|"2,500","3,25"|'
rain = "ulm,2024-01-02,3.5|jena,2024-01-03,4.5|bonn,2024-01-04,1.5|"
wide = "country,2019,2020,2021|Peru,1,2,3|Chile,4,5,6|"
twice = "shop,eur|Ulm,1|Bonn,2|shop,eur|Jena,3|Ulm,4|"
units = "temp,wind|degC,km/h|12.5,30|9.0,25|15.5,12|"
report = "shop,eur,n|Ulm,10,1|Jena,20,2|Bonn,5,2|Total,35,5|"
nameless = "shop,eur|Ulm,10|Jena,20|Bonn,5|Kiel,7|,42|"
subs = "shop,eur|Ulm,10|Ulm,20|Subtotal,30|Bonn,5|Bonn,7|Subtotal,12|"
energy = "firm,eur|Shell,10|Total,7|Equinor,20|Total,9|BP,3|"
soil = "code,factor,depth|1,0.2,10,|2,0.4,30,|3,0.6,50,|"
named_rows = "x,y|r1,0.2,10|r2,0.4,30|"
parts = 'part,kg|"2 in valve,1.5|hose,0.5|elbow 3 in",0.75|cap,0.1|'
notes = 'note,n|"two|lines",1|"one, two|and three",2|plain,3|'
bad = "shop,eur|Ulm,10|Jena, North,20|Bonn,5|"
accents = "town,eur|Köln,3|Zürich,4|Ulm,5|"
same = "shop,eur,eur|Ulm,10,12|Jena,20,24|"
days = "day,eur|03.11.2024,1|12.01.2024,2|05.12.2024,3|30.10.2024,4|"
iso = "day,eur|2024-11-03,1|2024-01-12,2|2024-12-05,3|"
dmy = "day,eur|01/02/2024,1|05/02/2024,1|11/02/2024,1|02/03/2024,1|09/03/2024,1|"
mdy = "day,eur|01/02/2024,1|01/15/2024,1|02/03/2024,1|02/20/2024,1|03/09/2024,1|"
mixed_days = "day,eur|05/02/2024,1|28/02/2024,2|09/03/2024,3|"
saved = ",shop,eur|0,Ulm,5|1,Ulm,5|2,Bonn,7|3,Jena,9|"
long = "shop,eur|" + "Ulm,1|Bonn,2|" * 50
three = "price,units,shop|2.5,10,Ulm|3.5,20,Bonn|"
clicks = '[{"user": 7, "n": 1}, {"user": "7", "n": 2}, {"user": "x8", "n": 2}]'
records = [{"Name": "Ann", "eur": 1}, {"name": "Ben", "eur": 2}, {"Name": "Cy", "eur": 3}]
hours = pd.Series([3, 4], index=["mon", "tue"])
table = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
"""

FOUND = """
%% identifiers-read-as-numbers
homes = pd.read_csv(file(zips))
labels = "US-" + homes["zip"].astype(str)
%% identifiers-read-as-numbers
homes = pd.read_csv(file(zips))
homes[["name", "zip"]].to_csv(io.StringIO(), index=False)
%% identifiers-read-as-numbers
homes = pd.read_csv(file(zips))
near = homes[homes["zip"].astype("str").str[:2] == "02"]
%% identifiers-read-as-numbers
homes = pd.read_csv(file(zips))
for code in homes["zip"]:
    pass
labels = [f"US-{z}" for z in homes["zip"]]
text = homes["zip"].map(str)
%% identifiers-read-as-numbers
calls = pd.read_csv(file(phones))
calls.to_csv(io.StringIO(), index=False)
%% identifiers-read-as-numbers
clicks = pd.read_csv(file(ids))
per = clicks.groupby("id")["n"].sum()
%% identifiers-read-as-numbers
runs = pd.read_csv(file(versions))
ms = runs.groupby("version")["ms"].mean()
%% identifiers-read-as-numbers
trays = pd.read_csv(file(trays))
n = trays.groupby("tray")["n"].sum()
%% identifiers-read-as-numbers
s = pd.read_csv(file("fips,pop|01,5|06,39|48,30|"))
key = s["fips"].astype(str)
%% identifiers-read-as-numbers
homes = pd.read_csv(file(zips))
homes["long"] = homes["zip"].apply(lambda z: "US-" + str(z))
%% identifiers-read-as-numbers
homes = pd.read_csv(file(zips))
kept = homes[homes["n"] > 1].sort_values("name")
kept.to_csv(io.StringIO())
%% identifiers-read-as-numbers
from pandas import read_csv
parts = [read_csv(f) for f in [file(zips), file(zips)]]
homes = pd.concat(parts)
homes["zip"] = homes["zip"].astype(str)
%% words-read-as-missing
ship = pd.read_csv(file(nations))
kg = ship.groupby("country")["kg"].sum()
%% words-read-as-missing
ship = pd.read_csv(file(nations))
namibia = ship[ship["country"] == "NA"]
%% words-read-as-missing
sales = pd.read_csv(file(regions))
t = sales.pivot_table(index="region", values="eur", aggfunc="sum")
%% words-read-as-missing
people = pd.read_csv(file(levels))
shares = people["pain"].value_counts(normalize=True)
%% words-read-as-missing
people = pd.read_csv(file(levels)).dropna()
n = len(people)
%% numbers-left-as-text
wells = pd.read_csv(file(turb))
worst = wells["ntu"].max()
%% numbers-left-as-text
wells = pd.read_csv(file(turb))
worst = wells.sort_values("ntu").tail(1)
%% numbers-left-as-text
items = pd.read_csv(file(prices))
dearest = items.sort_values("eur", ascending=False).head(1)
%% numbers-left-as-text
rates = pd.read_csv(file(growth))
best = rates["rate"].max()
%% numbers-left-as-text
towns = pd.read_csv(file(grouped))
total = towns["people"].sum()
%% numbers-left-as-text
boxes = pd.read_csv(file(weights))
heavy = boxes.sort_values("w")
%% numbers-left-as-text
wells = pd.read_csv(file(turb)).assign(depth=1.0)
means = wells.groupby("well").mean(numeric_only=True)
%% numbers-left-as-text
t = pd.read_csv(file("a;n;eur|x;1.000;12,50|y;2.500;3,20|z;950;7,00|"), sep=";", decimal=",")
n = t["n"].sum()
%% numbers-left-as-text
t = pd.read_json(io.StringIO('[{"k": "a", "v": "10"}, {"k": "b", "v": "9"}, {"k": "c", "v": "-"}]'), dtype=False)
top = t["v"].max()
%% thousands-read-as-decimals
t = pd.read_csv(file(towns), sep=";")
people = t["people"].sum()
%% thousands-read-as-decimals
t = pd.read_csv(file(decimal), thousands=",")
total = t["b"].sum()
%% header-row-misplaced
d = pd.read_csv(file(rain))
d.columns = ["town", "day", "mm"]
total = d["mm"].sum()
%% header-row-misplaced
d = pd.read_csv(file(rain))
n = len(d)
%% header-row-misplaced
d = pd.read_csv(file(twice))
n = d["shop"].value_counts()
%% header-row-misplaced
d = pd.read_csv(file(units))
n = len(d)
%% total-row-among-data
sales = pd.read_csv(file(report))
mean = sales["eur"].mean()
%% total-row-among-data
sales = pd.read_csv(file(report))
total = sales.groupby("shop")["eur"].sum().sum()
%% total-row-among-data
sales = pd.read_csv(file(report))
top = sales.nlargest(1, "eur")
%% total-row-among-data
sales = pd.read_csv(file(nameless))
total = sales["eur"].sum()
%% total-row-among-data
sales = pd.read_csv(file(subs))
total = sales["eur"].sum()
by = sales.groupby("shop").agg(eur=("eur", "sum"))
%% columns-shifted
s = pd.read_csv(file(soil))
mean = s["factor"].mean()
%% columns-shifted
s = pd.read_csv(file(soil)).fillna(0)
deep = s[s["factor"] > 1]
%% quote-swallows-rows
p = pd.read_csv(file(parts))
kg = p["kg"].sum()
%% quote-swallows-rows
p = pd.read_csv(file(parts))
n = len(p)
%% bad-lines-skipped
sales = pd.read_csv(file(bad), on_bad_lines="skip")
total = sales["eur"].sum()
%% read-in-wrong-encoding
sales = pd.read_csv(file(accents), encoding="latin-1")
by = sales.groupby("town")["eur"].sum()
%% read-in-wrong-encoding
sales = pd.read_csv(file(accents), encoding="cp1252")
sales.to_csv(io.StringIO())
%% read-in-wrong-encoding
sales = pd.read_csv(file(accents, "latin-1"), encoding_errors="replace")
cologne = sales[sales["town"] == "Köln"]
%% column-name-twice
sales = pd.read_csv(file(same))
total = sales["eur"].sum()
%% dates-left-as-text
sales = pd.read_csv(file(days))
newest = sales["day"].max()
%% dates-left-as-text
sales = pd.read_csv(file(days))
sales = sales.sort_values("day")
%% dates-left-as-text
sales = pd.read_csv(file(days))
late = sales[sales["day"] >= "01.12.2024"]
%% dates-read-swapped
sales = pd.read_csv(file(dmy), parse_dates=["day"])
monthly = sales.groupby(sales["day"].dt.month)["eur"].sum()
%% dates-read-swapped
sales = pd.read_csv(file(mixed_days), parse_dates=["day"], date_format="mixed")
monthly = sales.set_index("day")["eur"].resample("MS").sum()
%% row-numbers-read-as-column
sales = pd.read_csv(file(saved)).drop_duplicates()
total = sales["eur"].sum()
%% row-numbers-read-as-column
sales = pd.read_csv(file(saved))
x = sales.select_dtypes("number")
%% row-numbers-read-as-column
sales = pd.read_csv(file(saved))
c = sales.corr(numeric_only=True)
%% rows-left-unread
sales = pd.read_csv(file(long), nrows=20)
total = sales["eur"].sum()
%% usecols-order-ignored
sales = pd.read_csv(file(three), usecols=["units", "price"])
sales.columns = ["n", "eur"]
%% usecols-order-ignored
sales = pd.read_csv(file(three), usecols=["units", "price"])
n = sales.iloc[:, 0].sum()
%% column-mixes-numbers-and-text
c = pd.read_json(io.StringIO(clicks))
n = c["user"].nunique()
%% values-lost-in-constructor
week = pd.Series(hours, index=["Monday", "Tuesday"])
%% values-lost-in-constructor
new = pd.DataFrame(table, columns=["x", "y"])
%% values-lost-in-constructor
new = pd.DataFrame({"h": hours}, index=[0, 1])
"""

SILENT = """
%% zeros kept
homes = pd.read_csv(file(zips), dtype={"zip": str})
labels = "US-" + homes["zip"].astype(str)
%% zeros put back
homes = pd.read_csv(file(zips))
homes["zip"] = homes["zip"].astype(str).str.zfill(5)
homes.to_csv(io.StringIO(), index=False)
%% zeros put back by a format
homes = pd.read_csv(file(zips))
homes["zip"] = homes["zip"].map("{:05d}".format)
homes.to_csv(io.StringIO(), index=False)
%% zeros put back in an f-string
homes = pd.read_csv(file(zips))
labels = [f"US-{z:05d}" for z in homes["zip"]]
%% codes as numbers on both sides
homes = pd.read_csv(file(zips))
per = homes.groupby("zip")["n"].sum()
m = homes.merge(pd.DataFrame({"zip": [2134, 90210, 501]}), on="zip")
%% codes not used
homes = pd.read_csv(file(zips))
n = homes["n"].sum()
%% months
m = pd.read_csv(file(months))
m.to_csv(io.StringIO())
labels = "M" + m["month"].astype(str)
%% padded quantities
q = pd.read_csv(file(padded))
total = q["qty"].sum()
q.to_csv(io.StringIO())
%% long ids as whole numbers
c = pd.read_csv(file(ids), dtype={"id": "Int64"})
per = c.groupby("id")["n"].sum()
%% long ids without gaps
c = pd.read_csv(file(ids.replace("|,2", "")))
per = c.groupby("id")["n"].sum()
%% versions as text
runs = pd.read_csv(file(versions), dtype={"version": "str"})
ms = runs.groupby("version")["ms"].mean()
%% ratings of one and of two digits
r = pd.read_csv(file("r,n|1.5,2|2,3|2.0,4|3,1|"))
n = r.groupby("r")["n"].sum()
%% word kept
ship = pd.read_csv(file(nations), keep_default_na=False)
kg = ship.groupby("country")["kg"].sum()
%% word kept, missing ones named
ship = pd.read_csv(file(nations), na_values=[""], keep_default_na=False)
kg = ship.groupby("country")["kg"].sum()
%% word filled
ship = pd.read_csv(file(nations))
ship["country"] = ship["country"].fillna("NA")
kg = ship.groupby("country")["kg"].sum()
%% missing among states
s = pd.read_csv(file(states))
n = s.groupby("state", dropna=False)["n"].sum()
%% missing in several columns
s = pd.read_csv(file(scores)).dropna()
n = s.groupby("team")["score"].sum()
%% missing answers
a = pd.read_csv(file(answers))
n = a["q1"].value_counts()
%% weight by country is not asked for
ship = pd.read_csv(file(nations))
total = ship["kg"].sum()
%% marks named
wells = pd.read_csv(file(turb), na_values="-")
worst = wells["ntu"].max()
%% marks coerced
wells = pd.read_csv(file(turb))
wells["ntu"] = pd.to_numeric(wells["ntu"], errors="coerce")
worst = wells["ntu"].max()
%% marks replaced
wells = pd.read_csv(file(turb))
worst = wells["ntu"].replace("-", np.nan).astype(float).max()
%% marks replaced in the whole table
wells = pd.read_csv(file(turb)).replace("-", np.nan)
wells = wells.astype({"ntu": float})
worst = wells["ntu"].max()
%% signs taken off
items = pd.read_csv(file(prices))
items["eur"] = items["eur"].str.lstrip("€").astype(float)
dearest = items.sort_values("eur").tail(1)
%% house numbers in order
s = pd.read_csv(file(streets)).sort_values(["street", "no"])
%% sizes
s = pd.read_csv(file(sizes))
n = s.groupby("size").size()
first = s["size"].min()
%% text on purpose
boxes = pd.read_csv(file(turb), dtype="str")
s = boxes.sort_values("ntu")
%% marks not used
wells = pd.read_csv(file(turb))
n = wells["well"].nunique()
%% separators said
t = pd.read_csv(file(towns), sep=";", decimal=",", thousands=".")
people = t["people"].sum()
%% lengths with three places
t = pd.read_csv(file(lengths), sep=";")
mm = t["mm"].sum()
%% thousands read
t = pd.read_csv(file(grouped), thousands=",")
people = t["people"].sum()
%% decimal commas read
t = pd.read_csv(file(decimal), decimal=",")
total = t["b"].sum()
%% years as names
w = pd.read_csv(file(wide))
total = w["2020"].sum()
n = len(w)
%% no header
d = pd.read_csv(file(rain), header=None, names=["town", "day", "mm"])
total = d["mm"].sum()
%% numbers as names
d = pd.read_csv(file("0,1,2|5,6,7|8,9,10|"))
n = d.sum()
%% repeated header left out
d = pd.read_csv(file(twice))
d = d[d["shop"] != "shop"]
n = d["shop"].value_counts()
%% units skipped
d = pd.read_csv(file(units), skiprows=[1])
n = d["temp"].mean()
%% a column of text with numbers in it
d = pd.read_csv(file("name,room|Ann,lobby|Ben,12|Cy,14|Di,15|"))
n = len(d)
%% total left out
sales = pd.read_csv(file(report))
sales = sales[sales["shop"] != "Total"]
mean = sales["eur"].mean()
%% total cut off
sales = pd.read_csv(file(report)).iloc[:-1]
mean = sales["eur"].mean()
%% total as footer
sales = pd.read_csv(file(report), skipfooter=1, engine="python")
mean = sales["eur"].mean()
%% total is looked at
sales = pd.read_csv(file(report))
total = sales.loc[sales["shop"].eq("Total"), "eur"].sum()
%% nameless left out
sales = pd.read_csv(file(nameless)).dropna(subset=["shop"])
total = sales["eur"].sum()
%% a firm called Total
f = pd.read_csv(file(energy))
total = f["eur"].sum()
%% a small series
d = pd.read_csv(file("x,y|1,2|2,4|3,6|"))
total = d["x"].sum()
%% the last is large
d = pd.read_csv(file("k,x|a,1|b,2|c,3|d,60|"))
total = d["x"].sum()
%% no index
s = pd.read_csv(file(soil), index_col=False)
mean = s["factor"].mean()
%% rows with names
s = pd.read_csv(file(named_rows))
mean = s["x"].mean()
%% header that ends with a separator too
s = pd.read_csv(file("a,b,|1,2,|3,4,|"))
mean = s["a"].mean()
%% a column that is empty
s = pd.read_csv(file("a,b,c|1,2,|3,4,|"))
mean = s["a"].mean()
%% notes of several lines
n = pd.read_csv(file(notes))
total = n["n"].sum()
%% quotes read as they are
p = pd.read_csv(file(parts), quoting=csv.QUOTE_NONE)
kg = p["kg"].sum()
%% no bad lines
sales = pd.read_csv(file(report), on_bad_lines="skip", skipfooter=1, engine="python")
total = sales["eur"].sum()
%% bad lines left out on purpose
# bad lines are left out: the shop sends them again
sales = pd.read_csv(file(bad), on_bad_lines="skip")
total = sales["eur"].sum()
%% right encodings
a = pd.read_csv(file(accents))
b = pd.read_csv(file(accents, "cp1252"), encoding="cp1252")
n = pd.concat([a, b]).groupby("town")["eur"].sum()
%% Portuguese
a = pd.read_csv(file("town,n|SÃO PAULO,1|GUARUJÁ,2|Â,3|"))
n = a.groupby("town")["n"].sum()
%% both columns
sales = pd.read_csv(file(same))
diff = sales["eur.1"] - sales["eur"]
%% names of their own
sales = pd.read_csv(file(same), header=0, names=["shop", "net", "gross"])
total = sales["net"].sum()
%% dates made
sales = pd.read_csv(file(days))
sales["day"] = pd.to_datetime(sales["day"], dayfirst=True)
newest = sales["day"].max()
%% ISO text
sales = pd.read_csv(file(iso)).sort_values("day")
newest = sales["day"].max()
%% dates only grouped
sales = pd.read_csv(file(days))
n = sales.groupby("day")["eur"].sum()
%% day first
sales = pd.read_csv(file(dmy), parse_dates=["day"], dayfirst=True)
monthly = sales.groupby(sales["day"].dt.month)["eur"].sum()
%% month first
sales = pd.read_csv(file(mdy), parse_dates=["day"])
monthly = sales.groupby(sales["day"].dt.month)["eur"].sum()
%% first of each month
s = pd.read_csv(file("day,n|" + "".join(f"{m:02d}/01/2024,1|" for m in range(1, 9))), parse_dates=["day"])
monthly = s.groupby(s["day"].dt.month)["n"].sum()
%% row numbers as the index
sales = pd.read_csv(file(saved), index_col=0).drop_duplicates()
%% row numbers dropped
sales = pd.read_csv(file(saved)).drop(columns="Unnamed: 0").drop_duplicates()
%% row numbers not in the way
sales = pd.read_csv(file(saved))
total = sales.groupby("shop")["eur"].sum()
%% duplicates by a key
sales = pd.read_csv(file(saved)).drop_duplicates(subset=["shop"])
%% a sample
sample = pd.read_csv(file(long), nrows=20)
total = sample["eur"].sum()
%% a first look
sales = pd.read_csv(file(long), nrows=20)
sales.dtypes
%% as many as there are
sales = pd.read_csv(file(long), nrows=100)
total = sales["eur"].sum()
%% picked by name
sales = pd.read_csv(file(three), usecols=["units", "price"])
eur = (sales["units"] * sales["price"]).sum()
%% in the order of the file
sales = pd.read_csv(file(three), usecols=["price", "units"])
sales.columns = ["eur", "n"]
%% one type
c = pd.read_json(io.StringIO(clicks))
c["user"] = c["user"].astype(str)
n = c["user"].nunique()
%% numbers and text in one column, not used
c = pd.read_json(io.StringIO(clicks))
n = c["n"].sum()
%% new names
new = pd.DataFrame(table.to_numpy(), columns=["x", "y"])
%% part of the columns
new = pd.DataFrame(table, columns=["a"])
%% lengths of waves as names
s = pd.read_csv(file("probe,400.5,401.0,401.5|s1,0.1,0.2,0.3|s2,0.4,0.5,0.6|"))
m = s.set_index("probe").mean()
n = len(s)
%% years as names, and rows that add up
f = pd.read_csv(file("item,2022,2023|Revenue,100,120|Cost,60,70|Tax,10,12|Profit,30,38|"))
growth = f["2023"] / f["2022"] - 1
%% versions of three parts
v = pd.read_csv(file("pkg,version|a,1.10.0|b,2.0.1|c,0.9.3|")).sort_values("version")
%% tickets
t = pd.read_csv(file("ticket,fare|113803,1|PC 17599,2|347082,3|A/5 21171,4|")).sort_values("ticket")
n = t.groupby("ticket")["fare"].sum()
%% telephone numbers
t = pd.read_csv(file("who,tel|a,0049 171 234|b,0049 172 511|c,0170 335 122|")).sort_values("tel")
t.to_csv(io.StringIO())
%% codes of both kinds
t = pd.read_json(io.StringIO('[{"k": 101, "v": 1}, {"k": "A7", "v": 2}, {"k": 103, "v": 3}]'))
n = t.groupby("k")["v"].sum()
%% bands of ages
t = pd.read_csv(file("band,n|0-9,4|10-19,6|20-29,9|")).sort_values("band")
first = t["band"].min()
%% powers of ten
t = pd.read_csv(file("x,y|1e5,2|2e6,3|1.5e3,4|"))
n = t.groupby("x")["y"].sum()
%% names of rows as R writes them
t = pd.read_csv(file('"","mpg","cyl"|"Mazda",21,6|"Fiat",30.4,4|"Volvo",21.4,NA|'))
m = t["mpg"].mean()
%% missing as R writes it
t = pd.read_csv(file('"cc","pop"|"DE",3|NA,4|"FR",5|"PE",6|'))
n = t.groupby("cc")["pop"].sum()
%% missing among countries, left empty
t = pd.read_csv(file("cc,gdp|DE,4|FR,3|PE,20|,1|"))
n = t.groupby("cc", dropna=True)["gdp"].sum()
%% a part without the column is written
homes = pd.read_csv(file(zips))
by_name = homes.groupby("name")["n"].sum()
by_name.to_csv(io.StringIO())
%% numbers of one length in order
t = pd.read_csv(file("rate,n|10%,1|20%,2|30%,3|")).sort_values("rate")
%% the first rows of some columns, by place
sales = pd.read_csv(file(three), usecols=["units", "price"])
first = sales.iloc[:1]
%% some columns as an array
sales = pd.read_csv(file(saved))
x = sales[["eur"]].to_numpy()
%% a total in the first row
t = pd.read_csv(file("kind,n|Total,100|Male,40|Female,60|"), index_col="kind")
share = t["n"] / t.loc["Total", "n"]
%% a last row that is called by another name
t = pd.read_csv(file("account,eur|Cash,10|Stock,20|Homes,30|Sum insured,7|"))
total = t["eur"].sum()
%% comments with commas and breaks
t = pd.read_csv(file('id,text|1,"a,b|c"|2,"x"|'))
n = len(t)
%% read in pieces
total = 0
for part in pd.read_csv(file(long), chunksize=10):
    total += part["eur"].sum()
%% a column to be filled
new = pd.DataFrame({"a": [1, 2]}, columns=["a", "later"])
%% an empty frame to be filled
new = pd.DataFrame(columns=["a", "b"], index=[1, 2])
%% a reordered index
new = pd.Series(hours, index=["tue", "mon"])
"""

NOTES = """
%% identifiers-read-as-numbers
homes = pd.read_csv(file(zips))
%% numbers-left-as-text
wells = pd.read_csv(file(turb))
%% total-row-among-data
sales = pd.read_csv(file(report))
sales.head()
%% row-numbers-read-as-column
sales = pd.read_csv(file(saved))
%% read-in-wrong-encoding
sales = pd.read_csv(file(accents), encoding="latin-1")
%% bad-lines-skipped
sales = pd.read_csv(file("a,b|" + "1,2|" * 200 + "1,2,3|"), on_bad_lines="skip")
n = len(sales)
%% values-lost-in-constructor
people = pd.DataFrame(records)
"""


def _found(body: str) -> list[Finding]:
    run = run_body(body, SETUP)
    assert isinstance(run.outcome, Completed), run.outcome
    return [f for f in check_all(run) if f.code in CODES]


@pytest.mark.parametrize(("code", "body"), cells(FOUND))
def test_what_is_read_wrongly_is_found_at_the_call(code: str, body: str) -> None:
    doubts = [f for f in _found(body) if f.severity is Severity.MAY]
    assert [f.code for f in doubts] == [code]
    assert doubts[0].span is not None
    assert re.match(r"(pd\.)?(read_|DataFrame|Series)", doubts[0].expression)


@pytest.mark.parametrize(("name", "body"), cells(SILENT))
def test_right_cells_that_look_alike(name: str, body: str) -> None:
    assert [f for f in _found(body) if f.severity is not Severity.NOTE] == [], name


@pytest.mark.parametrize(("code", "body"), cells(NOTES))
def test_a_cell_that_only_reads_gets_a_note(code: str, body: str) -> None:
    assert {(f.code, f.severity) for f in _found(body)} == {(code, Severity.NOTE)}
