"""Rows picked by label, place or size, bins, and results of nothing: cells that are wrong, and some that look alike."""

from __future__ import annotations

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed
from tests.checks.tables import cells
from tests.observe.stepper import run_body

SETUP = """
book = pd.DataFrame({"who": list("abab"), "eur": [5.0, 6.0, 7.0, 8.0]}, index=[0, 1, 0, 1])
lists = pd.DataFrame({"id": [1, 2], "tags": [["x", "y"], ["z"]]})
shops = pd.DataFrame({"shop": ["n", "w", "a", "s", "c"], "eur": [4.0, 9.0, 2.0, 9.0, 5.0], "staff": [3, 1, 4, 2, 2]})
units = pd.Series([7, 9, 9, 3], index=["tea", "jam", "oil", "rye"])
prices = pd.DataFrame({
    "day": pd.to_datetime(["2024-01-03", "2024-01-04", "2024-01-02", "2024-01-01"]),
    "item": ["tea", "jam", "tea", "jam"], "eur": [9.0, 7.0, 8.0, 6.0],
})
rain = pd.Series([4.0, 1.0, 2.0, 8.0])
ages = pd.Series([0, 17, 18, 40, 65, 90, None])
scores = pd.DataFrame({"name": list("abcde"), "score": [0, 35, 50, 80, 100]})
ads = pd.DataFrame({"clicks": [5, 3, 2], "views": [100, 0, 50], "cost": [1.0, 2.0, 4.0]})
sales = pd.DataFrame({"shop": ["n", "s"], "eur": [4.0, 9.0], "empty": [np.nan, np.nan]})
wide = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 6.0]})
may = pd.Series([1.0, 2.0], index=["tea", "jam"])
june = pd.Series([3.0, 4.0], index=["jam", "oil"])
old, new = pd.Series([1.0, 2.0, 4.0]), pd.Series([2.0, 4.0, 8.0], index=[3, 4, 5])
text = "name,eur"
"""

FOUND = """
%% label-picks-several-rows
first = book.loc[0, 'eur']
%% label-picks-several-rows
row = book.loc[1]
%% label-picks-several-rows
eur = book['eur'].at[0]
%% ties-left-out
# all products that share the top count
best = [units.idxmax()]
%% ties-left-out
# shops with the highest revenue, ties included
best = shops.nlargest(1, 'eur')
%% ties-left-out
# which shops have the highest revenue?
best = shops['eur'].nlargest(1).index
%% ties-left-out
# all sizes that are tied for the most frequent
common = shops['eur'].mode()[0] if False else pd.Series([1, 1, 2, 2, 3]).mode()[0]
%% counted-one-off
# mean of the first 3 shops
mean = shops.iloc[0:2]['eur'].mean()
%% counted-one-off
# the first three shops
part = shops.loc[:3]
%% counted-one-off
# top 3 shops by revenue
best = shops.sort_values('eur', ascending=False).head(4)
%% counted-one-off
# the last 2 shops
part = shops[-3:]
%% first-or-last-skipped
total = 0.0
for i in range(1, len(rain)):
    total += rain[i]
%% first-or-last-skipped
total = 0.0
for i in range(len(rain) - 1):
    total += rain.iloc[i]
%% first-or-last-skipped
total = 0.0
for i in range(0, len(shops) - 1):
    total += shops.loc[i, 'eur']
%% first-or-last-skipped
mean = shops.iloc[0:len(shops) - 1]['eur'].mean()
%% top-without-order
top = shops.head(2)
%% top-without-order
# the two largest
part = shops.head(2)
%% top-without-order
top_revenue = shops['eur'].head(2)
%% last-row-is-not-latest
latest = prices['eur'].iloc[-1]
%% last-row-is-not-latest
current = prices.groupby('item')['eur'].last()
%% last-row-is-not-latest
# opening price of each item
start = prices.groupby('item').agg(eur=('eur', 'first'))
%% last-row-is-not-latest
# the most recent price
row = prices.iloc[-1]
%% last-row-is-not-latest
latest_price = prices.tail(1)
%% bins-lose-values
group = pd.cut(ages, [0, 18, 65])
%% bins-lose-values
scores['grade'] = pd.cut(scores['score'], bins=[0, 50, 100], labels=['fail', 'pass'])
n = scores['grade'].value_counts()
%% bins-lose-values
scores['grade'] = pd.cut(scores['score'], [0, 50, 100], labels=['fail', 'pass'], right=False)
%% bins-lose-values
counts, edges = np.histogram(scores['score'], bins=[10, 50, 101])
%% bins-contradict-labels
group = pd.cut(ages, [-1, 18, 65, 120], labels=['under 18', '18-64', '65+'])
%% bins-contradict-labels
group = pd.cut(ages, [0, 17, 65, 120], labels=['0-17', '18-65', 'over 65'], right=False)
%% wrong-end-taken
top = shops.sort_values('eur').head(2)
%% wrong-end-taken
# shop with the highest revenue
best = shops.sort_values('eur').iloc[0]
%% wrong-end-taken
# the three lowest revenues
part = shops.sort_values('eur', ascending=False)['eur'].head(3)
%% wrong-end-taken
ordered = units.sort_values()
top = ordered.head(2)
%% parts-do-not-fit
train, test = shops.loc[:2], shops.loc[2:]
%% parts-do-not-fit
n = 2
first = shops.iloc[:n]
rest = shops.iloc[n + 1:]
%% parts-do-not-fit
first, rest = rain.iloc[:2], rain.iloc[3:]
%% last-row-is-not-latest
# latest price of each item
t = prices.drop_duplicates('item', keep='last')
%% nothing-averaged
mean = sales[sales['shop'] == 'west']['eur'].mean()
%% nothing-averaged
west = sales[sales['shop'] == 'west']
best = west['eur'].max()
%% nothing-averaged
total = sales['empty'].sum()
%% nothing-averaged
best = sales['empty'].max()
%% infinite-values
ads['rate'] = ads['clicks'] / ads['views']
mean = ads['rate'].mean()
%% infinite-values
ads['rate'] = ads['clicks'] / ads['views']
best = ads.loc[ads['rate'].idxmax()]
%% infinite-values
ads['rate'] = ads['clicks'] / ads['views']
t = ads.groupby('cost').agg(rate=('rate', 'mean'))
%% rows-do-not-line-up
growth = rain[1:] - rain[:-1]
%% rows-do-not-line-up
growth = new / old - 1
%% rows-do-not-line-up
share = wide / wide.sum(axis=1)
%% rows-do-not-line-up
share = wide.div(wide.sum(axis=1))
%% rows-do-not-line-up
total = book['eur'] + book['eur'].sort_values(ascending=False).iloc[:3]
"""

SILENT = """
%% label-is-unique
first = shops.loc[0, 'eur']
%% label-is-a-key
by = book.set_index('who')
part = by.loc['a']
%% numbered-key
visits = pd.DataFrame({'n': [1, 2, 3]}, index=pd.Index([0, 1, 0], name='patient'))
part = visits.loc[0]
%% exploded
tags = lists.explode('tags')
part = tags.loc[0]
%% repeated
many = shops.loc[shops.index.repeat(2)]
part = many.loc[0]
%% condition
part = book.loc[book['eur'] > 6]
%% no-tie
worst = units.idxmin()
%% tie-not-asked-for
best = units.idxmax()
%% tie-any
# any of the winners will do
best = units.idxmax()
%% tie-kept
# all that share the top revenue
best = shops.nlargest(1, 'eur', keep='all')
%% compared-with-the-top
# all products that share the top count
best = units[units == units.max()].index.tolist()
%% counted-right
# mean of the first 3 shops
mean = shops.iloc[0:3]['eur'].mean()
%% counted-two-numbers
# the first 3 of the top 4 shops
part = shops.nlargest(4, 'eur').iloc[0:3]
%% counted-far-off
# the last 12 months of the first shops
part = shops.iloc[:2]
%% counted-percent
# top 2 percent
part = shops.nlargest(1, 'eur')
%% counted-in-a-variable
# top 3 shops
n = 3
part = shops.nlargest(n, 'eur').iloc[0:2]
%% neighbours
for i in range(1, len(rain)):
    step = rain[i] - rain[i - 1]
%% next-neighbours
for i in range(len(rain) - 1):
    step = rain[i + 1] - rain[i]
%% starts-with-the-first
best = rain[0]
for i in range(1, len(rain)):
    best = max(best, rain[i])
%% skips-a-header
lines = text.split(',')
for i in range(1, len(lines)):
    print(lines[i])
%% said-to-skip
# skip the first reading, which is a test
total = 0.0
for i in range(1, len(rain)):
    total += rain[i]
%% starts-with-a-balance
balance = [100.0]
for i in range(1, len(rain)):
    balance.append(balance[-1] + rain[i])
%% first-row
first = prices.iloc[0]
last = prices.iloc[-1]
%% whole-loop
total = 0.0
for i in range(len(rain)):
    total += rain[i]
%% two-parts
first, rest = rain[0:len(rain) - 1].mean(), rain[1:].mean()
%% shown
shops.head()
%% shown-by-name
first = shops.head(2)
%% ordered
ranked = shops.sort_values('eur', ascending=False)
top = ranked.head(2)
%% counted-and-headed
top = shops['staff'].value_counts().head(2)
%% ordered-table
ranking = pd.DataFrame({'name': ['z', 'a', 'm'], 'points': [9, 7, 3]})
top = ranking.head(2)
%% sorted-by-day
prices = prices.sort_values('day')
latest = prices['eur'].iloc[-1]
%% last-row-without-words
x = prices['eur'].iloc[-1]
%% last-of-sorted-groups
current = prices.sort_values('day').groupby('item')['eur'].last()
%% no-dates
last = shops['eur'].iloc[-1]
%% last-of-the-table
# last line of the table, as listed
last = prices.iloc[-1]
%% bins-hold-all
group = pd.cut(ages, [0, 18, 65, 120], include_lowest=True)
%% labels-fit
a = pd.cut(ages, [-1, 18, 65, 120], labels=['0-18', '19-65', '66+'])
b = pd.cut(ages, [-1, 18, 65, 120], labels=['under 18', '18-64', '65+'], right=False)
c = pd.cut(ages, [-1, 18, 65, 120], labels=['low', 'mid', 'high'])
d = pd.cut(ages, [-1, 18, 65, 120], labels=['0-18', '18-65', '65-120'])
e = pd.cut(pd.Series([5, 20, 70]), [0, 18, 65, 120], labels=['under 18', '18-64', '65+'])
%% ends-right
top = shops.sort_values('eur', ascending=False).head(2)
lowest = units.sort_values().iloc[0]
%% ends-both
# the top and the lowest
low, high = shops.sort_values('eur').head(1), shops.sort_values('eur').tail(1)
%% ends-by-time
# top runners by time
top = shops.rename(columns={'eur': 'time'}).sort_values('time').head(2)
%% ends-in-order
first = shops.sort_values('shop').head(2)
%% parts-fit
train, test = shops.iloc[:2], shops.iloc[2:]
a, b = shops.loc[:2], shops.loc[3:]
c, d = units.loc[:'jam'], rain.loc[2:]
%% latest-kept
# latest price of each item
t = prices.sort_values('day').drop_duplicates('item', keep='last')
%% bins-by-number
group = pd.cut(ages, 3)
%% quantiles
group = pd.qcut(scores['score'], 2)
%% bins-looked-at
group = pd.cut(ages, [0, 18, 65])
n = group.isna().sum()
%% bins-filled
scores['grade'] = pd.cut(scores['score'], [0, 50, 100], labels=['low', 'high'])
scores['grade'] = scores['grade'].cat.add_categories('none').fillna('none')
%% bins-of-a-range
# working age only, within this range
group = pd.cut(ages, [15, 40, 65])
%% histogram
counts, edges = np.histogram(scores['score'], bins=5)
%% nothing-tested
west = sales[sales['shop'] == 'west']
mean = west['eur'].mean() if len(west) else None
%% nothing-asserted
west = sales[sales['shop'] == 'west']
best = west['eur'].max()
assert west.empty
%% nothing-summed
total = sales[sales['shop'] == 'west']['eur'].sum()
%% nothing-by-choice
total = sales['empty'].sum(min_count=1)
%% nothing-was-there
none = pd.DataFrame({'eur': pd.Series([], dtype=float)})
mean = none['eur'].mean()
%% divided-safely
ads['rate'] = ads['clicks'] / ads['views'].replace(0, np.nan)
mean = ads['rate'].mean()
%% infinite-replaced
ads['rate'] = (ads['clicks'] / ads['views']).replace(np.inf, np.nan)
mean = ads['rate'].mean()
%% diff
growth = rain.diff()
%% matched-by-name
growth = june - may
%% filled
growth = june.sub(may, fill_value=0)
%% down-the-rows
share = wide.div(wide.sum(axis=1), axis=0)
%% across-the-columns
centred = wide - wide.mean()
%% values-only
growth = rain.to_numpy()[1:] - rain.to_numpy()[:-1]
%% parts-of-one-series
both = rain[rain > 1] + rain
"""

NOTED = """
%% ties-left-out
best = units.idxmax()
%% nothing-averaged
total = sales[sales['shop'] == 'west']['eur'].sum()
"""

WARNED = [
    ("import warnings\nwarnings.simplefilter('always')\nx = np.array([1.0, np.nan]).astype('int64')", Severity.MAY),
    ("import warnings\nwarnings.simplefilter('always')\nx = np.log(np.array([0.0, 1.0]))", Severity.NOTE),
    ("import warnings\nwarnings.simplefilter('always')\nwarnings.warn('careful')", None),
]


def _all(body: str) -> list[Finding]:
    run = run_body(body, SETUP)
    assert isinstance(run.outcome, Completed), run.outcome
    return check_all(run)


def _found(body: str) -> list[tuple[str, Severity]]:
    return [(f.code, f.severity) for f in _all(body) if f.severity is not Severity.NOTE]


@pytest.mark.parametrize(("code", "body"), cells(FOUND))
def test_found(code: str, body: str) -> None:
    assert _found(body) == [(code, Severity.MAY)]


@pytest.mark.parametrize(("name", "body"), cells(SILENT))
def test_silent(name: str, body: str) -> None:
    assert _found(body) == []


@pytest.mark.parametrize(("code", "body"), cells(NOTED))
def test_noted(code: str, body: str) -> None:
    assert [(f.code, f.severity) for f in _all(body)] == [(code, Severity.NOTE)]


@pytest.mark.parametrize(("body", "severity"), WARNED)
def test_warnings(body: str, severity: Severity | None) -> None:
    wanted = [] if severity is None else [("warned-of-wrong-numbers", severity)]
    assert [(f.code, f.severity) for f in _all(body)] == wanted
