"""Groups, rows in order, averages and totals: cells that give wrong numbers, and cells beside them that are right."""

from __future__ import annotations

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed
from tests.checks.tables import cells
from tests.observe.stepper import run_body

SETUP = """
poll = pd.DataFrame({"sex": ["f", "m", None, "f", "m", "f"], "vote": ["yes", "no", "yes", None, "no", "yes"]})
meters = pd.DataFrame({
    "meter": ["m1", "m1", "m1", "m2", "m2", "m3", "m3"], "value": [100.0, 130.0, 150.0, 1000.0, 1010.0, 5.0, 25.0],
})
panel = pd.DataFrame({
    "shop": ["n", "n", "n", "s", "s", "s"], "year": [2021, 2022, 2023] * 2, "eur": [10.0, 12.0, 15.0, 90.0, 95.0, 99.0],
    "stock": [None, 4.0, 5.0, None, 7.0, 8.0],
})
woven = pd.DataFrame({
    "day": pd.to_datetime(["2024-01-01", "2024-01-01", "2024-01-02", "2024-01-02", "2024-01-03", "2024-01-03"]),
    "shop": ["n", "s"] * 3, "eur": [10.0, 90.0, 12.0, 95.0, 15.0, 99.0],
})
tank = pd.DataFrame({
    "day": pd.to_datetime(["2024-01-02", "2024-01-01", "2024-01-04", "2024-01-03", "2024-01-05"]),
    "litres": [90.0, 100.0, 70.0, 80.0, 60.0],
})
newest = tank.sort_values("day", ascending=False, ignore_index=True)
months = pd.DataFrame({"year": [2022] * 12 + [2023] * 12, "month": [*range(1, 13)] * 2, "eur": np.arange(24.0) ** 2})
events = pd.DataFrame({
    "at": pd.to_datetime(["2024-01-01 10:00", "2024-01-01 10:05", "2024-01-01 10:07", "2024-01-01 11:00"]),
    "user": ["a", "b", "a", "b"], "eur": [1.0, 2.0, 3.0, 4.0],
})
sales = pd.DataFrame({
    "shop": list("nnss"), "item": ["tea", "tea", "tea", "jam"], "eur": [2.0, 4.0, 5.0, 1.0], "units": [1, 2, 2, 1],
})
days = pd.DataFrame({"sold": [1, 90, 30], "seats": [2, 100, 50], "day": ["a", "b", "c"]})
probes = pd.DataFrame({
    "site": list("aabbaabb"), "ph": [7.1, 6.9, -999.0, 7.0, 7.2, 7.3, -999.0, 6.8],
    "temp": [20.0, 21, 0, 22, 19, 18, 0, 23],
    "visits": [3, 0, 5, 0, 2, 8, 9, 1], "ppm": [12.0, 9999.0, 14.0, 15.0, 16.0, 9999.0, 13.0, 12.5],
    "change": [-3.0, 1.0, -99.0, 4.0, -1.0, 2.0, 0.0, 3.0], "flag": [0, 1, 1, 0, 1, 1, 0, 1],
})
gaps = pd.DataFrame({"station": list("xxyyx"), "temp": [20.0, None, 18.0, None, 22.0]})
gaps["rain"] = [0.0, None, 4.0, 9.0, 1.0]
budget = pd.DataFrame({"region": ["north", "south", "Total"], "eur": [10.0, 5.0, 15.0], "n": [1, 2, 3]})
parts = pd.DataFrame({
    "area": ["a", "a", "Total a", "b", "b", "Total b"], "quarter": ["q1", "q2", "all"] * 2,
    "eur": [1.0, 2.0, 3.0, 4.0, 5.0, 9.0],
})
"""

FOUND = """
%% group-keys-dropped
t = pd.crosstab(poll['sex'], poll['vote'])
%% group-keys-dropped
t = pd.crosstab(poll['sex'], poll['vote'], normalize='index')
%% group-keys-dropped
t = pd.crosstab(index=poll.sex, columns=[poll.vote], margins=True)
%% rows-of-several-groups
meters['used'] = meters['value'].diff()
used = meters.groupby('meter')['used'].sum()
%% rows-of-several-groups
# use of each meter between readings
meters['used'] = meters['value'].diff()
%% rows-of-several-groups
meters['before'] = meters.value.shift()
meters['used'] = meters['value'] - meters['before']
used = meters.groupby('meter').agg(used=('used', 'sum'), before=('before', 'first'))
%% rows-of-several-groups
panel['growth'] = panel['eur'].pct_change()
%% rows-of-several-groups
panel['total'] = panel['eur'].cumsum()
%% rows-of-several-groups
panel['stock'] = panel['stock'].ffill()
%% rows-of-several-groups
panel['mean2'] = panel['eur'].rolling(2).mean()
%% rows-of-several-groups
panel = panel.assign(before=panel['eur'].shift(1))
%% rows-of-several-groups
woven['step'] = woven['eur'].diff()
%% rows-of-several-groups
# running total per shop
woven['total'] = woven['eur'].cumsum()
%% rows-of-several-groups
woven['total'] = woven['eur'].cumsum()
last = woven.groupby('shop')['total'].last()
%% rows-not-sorted-by-date
# litres used from day to day
tank['used'] = -tank['litres'].diff()
%% rows-not-sorted-by-date
tank['total'] = tank['litres'].cumsum()
curve = tank.set_index('day')['total']
%% rows-not-sorted-by-date
# moving average
tank['mean2'] = tank['litres'].rolling(2).mean()
%% rows-not-sorted-by-date
# change since the day before
change = newest['litres'].pct_change()
%% pivot-takes-means
totals = sales.pivot_table(index='shop', columns='item', values='eur')
%% pivot-takes-means
# euros in total by shop and item
t = pd.pivot_table(sales, index='shop', columns='item', values='eur')
%% pivot-takes-means
t = sales.pivot_table(index='shop', columns='item', values='eur')
t['both'] = t.sum(axis=1)
%% mean-of-ratios
# overall share of seats sold
days['rate'] = days['sold'] / days['seats']
rate = days['rate'].mean()
%% mean-of-ratios
# share of all seats that were sold, in total
rate = days.assign(rate=100 * days['sold'] / days['seats'])['rate'].mean()
%% markers-averaged
mean = probes['ph'].mean()
%% markers-averaged
low = probes.groupby('site')['ph'].min()
%% markers-averaged
t = probes.groupby('site').agg(ph=('ph', 'mean'), n=('ph', 'size'))
%% markers-averaged
mean = probes.ppm.mean()
%% markers-averaged
ph = probes['ph']
spread = ph.std()
%% markers-averaged
coldest = probes['temp'].min()
%% gaps-filled-with-zero
gaps['temp'] = gaps['temp'].fillna(0)
mean = gaps.groupby('station')['temp'].mean()
%% gaps-filled-with-zero
# no reading where the sensor was offline
mean = gaps['rain'].fillna(0).mean()
%% gaps-filled-with-zero
gaps = gaps.fillna({'temp': 0})
t = gaps.groupby('station').agg(mean=('temp', 'mean'))
%% mean-of-means
# overall mean of all sales
mean = sales.groupby('item')['eur'].mean().mean()
%% mean-of-means
# grand mean over all rows
by = sales.groupby('item')['eur'].mean()
mean = by.mean()
%% rows-not-sorted-by-date
shuffled = panel.iloc[[2, 0, 1, 5, 3, 4]]
# growth from year to year
growth = shuffled.groupby('shop')['eur'].pct_change()
%% columns-share-a-name
both = pd.concat([sales, sales[['eur']]], axis=1)
total = both['eur'].sum()
%% totals-among-rows
eur = budget['eur'].sum()
%% totals-among-rows
mean = budget['eur'].mean()
%% totals-among-rows
largest = budget.loc[budget['eur'].idxmax(), 'region']
%% totals-among-rows
by = parts.groupby('quarter')['eur'].sum()
%% totals-among-rows
t = budget.set_index('region')
share = t['eur'] / t['eur'].sum()
"""

SILENT = """
%% crosstab-complete
t = pd.crosstab(sales['shop'], sales['item'], margins=True)
%% crosstab-dropna
t = pd.crosstab(poll['sex'], poll['vote'], dropna=False)
%% crosstab-filled
t = pd.crosstab(poll['sex'].fillna('?'), poll['vote'].fillna('?'))
%% crosstab-few-missing
many = pd.concat([poll.dropna()] * 20 + [poll], ignore_index=True)
t = pd.crosstab(many['sex'], many['vote'])
%% crosstab-said
# answers that are missing are left out
t = pd.crosstab(poll['sex'], poll['vote'])
%% counts-of-values
n = poll['vote'].value_counts()
%% grouped-diff
meters['used'] = meters.groupby('meter')['value'].diff()
used = meters.groupby('meter')['used'].sum()
%% borders-looked-at
meters['used'] = meters['value'].diff().where(meters['meter'] == meters['meter'].shift())
used = meters.groupby('meter')['used'].sum()
%% new-block
meters['new'] = meters['meter'] != meters['meter'].shift()
meters['block'] = meters['new'].cumsum()
n = meters.groupby('meter')['block'].nunique()
%% log-of-many
many = pd.DataFrame({'at': events['at'].tolist() * 5, 'user': list('abcde') * 4, 'ms': range(20)}).sort_values('at')
many['step'] = many['at'].diff()
%% shifted-key
meters['before'] = meters.groupby('meter')['meter'].shift()
t = pd.crosstab(meters['before'], meters['meter'])
%% gaps-within-sorted
prices = panel.sort_values(['shop', 'year'])
same = prices['shop'].eq(prices['shop'].shift())
prices['step'] = prices['eur'].diff().where(same)
%% running-total-of-all
events['total'] = events['eur'].cumsum()
%% gaps-between-events
events['gap'] = events['at'].diff()
%% woven-running-total
woven['total'] = woven['eur'].cumsum()
%% one-shop
north = panel[panel['shop'] == 'n'].copy()
north['growth'] = north['eur'].pct_change()
%% wide
wide = panel.pivot(index='year', columns='shop', values='eur')
growth = wide['n'].pct_change()
%% share-of-a-sorted-list
top = sales.sort_values('eur', ascending=False)
top['share'] = top['eur'].cumsum() / top['eur'].sum()
%% filled-before
panel['stock'] = panel.groupby('shop')['stock'].ffill()
%% filled-down-labels
sheet = pd.DataFrame({'area': ['x', None, 'y', None], 'item': list('abab'), 'eur': [1.0, 2.0, 3.0, 4.0]})
sheet['area'] = sheet['area'].ffill()
t = sheet.groupby('item')['eur'].sum()
%% nothing-to-fill
panel['eur'] = panel['eur'].ffill()
%% sorted-first
tank = tank.sort_values('day')
tank['used'] = -tank['litres'].diff()
%% sorted-in-chain
tank['total'] = tank.sort_values('day')['litres'].cumsum()
%% months-of-two-years
# change from month to month
months['change'] = months['eur'].diff()
%% as-recorded
# change between readings, as recorded
tank['change'] = tank['litres'].diff()
%% newest-first-turned
change = newest['litres'].diff(-1)
%% rows-in-any-order
n = tank['litres'].shift(-1)
%% pivot-of-single-rows
t = panel.pivot_table(index='shop', columns='year', values='eur')
total = t.sum()
%% pivot-sum
total = sales.pivot_table(index='shop', columns='item', values='eur', aggfunc='sum')
%% pivot-of-means
# mean price of each item in each shop
t = sales.pivot_table(index='shop', columns='item', values='eur')
%% pivot-shown
t = sales.pivot_table(index='shop', columns='item', values='eur')
print(t.round(1))
%% mean-of-rates
days['rate'] = days['sold'] / days['seats']
rate = days['rate'].mean()
%% mean-of-daily-rates
# contract: the mean of the daily rates, each day with the same weight, not the total
days['rate'] = days['sold'] / days['seats']
rate = days['rate'].mean()
%% ratio-of-sums
# overall share of seats sold
rate = days['sold'].sum() / days['seats'].sum()
%% mean-price-of-equal-sizes
# overall rate
same = pd.DataFrame({'a': [1.0, 2.0, 3.0], 'b': [5.0, 5.0, 5.0]})
same['rate'] = same['a'] / same['b']
rate = same['rate'].mean()
%% markers-replaced
mean = probes['ph'].replace(-999.0, np.nan).mean()
%% markers-left-out
mean = probes.loc[probes['ph'] > 0, 'ph'].mean()
%% markers-named
valid = probes[probes['ph'] != -999]
mean = valid['ph'].mean()
worst = probes['ph'].min()
%% changes-may-be-negative
mean = probes['change'].mean()
%% zeros-that-count
mean = probes['visits'].mean()
share = probes['flag'].mean()
%% filled-counts
m = sales[['shop']].drop_duplicates().merge(pd.DataFrame({'shop': ['n'], 'age': [40.0]}), how='left', on='shop')
mean = m['age'].fillna(0).mean()
%% filled-and-summed
total = gaps['temp'].fillna(0).sum()
%% filled-rain
mean = gaps['rain'].fillna(0).mean()
%% filled-said
# a gap counts as 0
mean = gaps['temp'].fillna(0).mean()
%% filled-with-the-mean
mean = gaps['temp'].fillna(gaps['temp'].mean()).mean()
%% totals-left-out
eur = budget[budget['region'] != 'Total']['eur'].sum()
whole = budget['eur'].max()
%% totals-cut-off
eur = budget.iloc[:-1]['eur'].sum()
%% totals-by-label
by = budget.groupby('region')['eur'].sum()
%% total-is-a-name
shops = pd.DataFrame({'name': ['Total', 'Aral', 'Jet'], 'eur': [12.0, 5.0, 9.0]})
eur = shops['eur'].sum()
%% totals-said
# with the total row, as a check
eur = budget['eur'].sum()
%% mean-of-means-meant
# mean of the item means, each item with the same weight
mean = sales.groupby('item')['eur'].mean().mean()
%% mean-by-group
# overall picture
by = sales.groupby('item')['eur'].mean()
%% sorted-within-groups
# growth from year to year
growth = panel.groupby('shop')['eur'].pct_change()
wove = woven.groupby('shop')['eur'].diff()
%% another-name-twice
both = pd.concat([sales, sales[['eur']]], axis=1)
units = both['units'].sum()
%% both-columns-meant
both = pd.concat([sales[['eur']], sales[['eur']]], axis=1)
total = both.sum()
%% column-called-total
t = sales.assign(total=sales['eur'] * 2)
total = t['total'].sum()
"""


def _found(body: str) -> list[Finding]:
    run = run_body(body, SETUP)
    assert isinstance(run.outcome, Completed), run.outcome
    return [f for f in check_all(run) if f.severity is not Severity.NOTE]


@pytest.mark.parametrize(("code", "body"), cells(FOUND))
def test_found(code: str, body: str) -> None:
    assert [(f.code, f.severity) for f in _found(body)] == [(code, Severity.MAY)]


@pytest.mark.parametrize(("name", "body"), cells(SILENT))
def test_silent(name: str, body: str) -> None:
    assert _found(body) == []
