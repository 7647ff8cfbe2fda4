"""Joins, lookups and stacked tables that give wrong numbers, and cells that look alike and are right."""

from __future__ import annotations

import json
import re

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed
from tests.checks.tables import cells
from tests.observe.stepper import run_body

SETUP = """
sales = pd.DataFrame({
    "id": range(1, 9),
    "shop": ["n", "s", "n", "w", "s", "n", "w", "w"],
    "item": ["tea", "tea", "jam", "jam", "tea", "oil", "rye", "tea"],
    "units": [1, 2, 3, 4, 5, 6, 7, 8],
    "eur": [2.5, 5.0, 9.0, 12.0, 12.5, 30.0, 35.0, 20.0],
})
items = pd.DataFrame({"item": ["tea", "jam", "oil"], "price": [2.5, 3.0, 5.0], "kind": ["leaf", "fruit", "fat"]})
shops = pd.DataFrame({"code": ["n", "s", "x"], "town": ["Ulm", "Jena", "Kiel"], "rent": [10.0, 20.0, 30.0]})
prices = items.set_index("item")["price"]
table = {"tea": 2.5, "jam": 3.0, "oil": 5.0}
people = pd.DataFrame({"no": ["007", "012", "100"], "name": ["Ann", "Ben ", "cleo"], "pay": [1.0, 2.0, 4.0]})
teams = pd.DataFrame({"no": ["7", "12", "100"], "name": ["ann", "Ben", "Cleo"], "team": ["a", "b", "c"]})
numbers = pd.DataFrame({"no": [7, 12, 100], "team": ["a", "b", "c"]})
jan = pd.DataFrame({"day": [1, 2, 3], "eur": [1.0, 2.0, 3.0]})
feb = pd.DataFrame({"day": [1, 2, 3], "eur": [4.0, 5.0, 6.0]})
mar = pd.DataFrame({"day": [1, 2, 4], "eur": [7.0, 8.0, 9.0]})
jan_net, feb_net = jan.set_axis(["day", "net eur"], axis=1), feb.set_axis(["day", "net_eur"], axis=1)
late, euros = feb.set_axis(["day", "eur "], axis=1), feb.set_axis(["day", "euro"], axis=1)
days = feb.astype({"day": str})
budget = pd.DataFrame({"dept": ["a", "b"], "eur": [1.0, 2.0]})
accounts = pd.DataFrame({"acct": [3, 1, 2], "owner": ["c", "a", "b"], "limit": [30.0, 10.0, 20.0]})
moves = pd.DataFrame({"acct": [1, 2, 3], "eur": [1.0, 2.0, 3.0]})
"""

FOUND = """
%% join-loses-rows
m = sales.merge(items, on='item')
total = m['eur'].sum()
%% join-loses-rows
m = pd.merge(sales, items, on='item')
by = m.groupby('kind')['eur'].sum()
%% join-loses-rows
m = sales.merge(items, left_on='item', right_on='item')
m['value'] = m['units'] * m['price']
total = m['value'].sum()
%% join-loses-rows
t = sales.merge(items, on='item').groupby('kind', as_index=False).agg(total=('eur', 'sum'))
%% join-loses-rows
# revenue by kind
m = sales.merge(items)
t = m.pivot_table(index='kind', values='eur', aggfunc='sum')
%% join-multiplies-rows
two = pd.DataFrame({'item': ['tea', 'tea', 'jam'], 'vat': [7, 19, 7]})
few = pd.DataFrame({'item': ['tea', 'jam', 'rye'], 'eur': [1.0, 2.0, 9.0]})
m = few.merge(two, on='item')
assert len(m) == len(few)
total = m['eur'].sum()
%% join-keys-spelled-differently
m = people.merge(teams[['name', 'team']], on='name')
%% join-keys-spelled-differently
m = people.merge(teams[['name', 'team']], on='name', how='left')
%% join-keys-spelled-differently
m = people.merge(teams[['no', 'team']], on='no', how='inner')
%% join-keys-spelled-differently
m = people.set_index('no').join(teams.set_index('no')[['team']])
%% join-keys-spelled-differently
m = people.set_index('no').join(numbers.set_index('no'))
%% join-keys-spelled-differently
a = pd.DataFrame({'x': [0.1 + 0.2, 0.5], 'v': [1.0, 2.0]})
b = pd.DataFrame({'x': [0.3, 0.5], 'w': [1.0, 2.0]})
m = a.merge(b, on='x')
%% join-keys-spelled-differently
a = pd.DataFrame({'at': pd.to_datetime(['2024-01-02 10:30', '2024-01-03 09:00']), 'v': [1.0, 2.0]})
b = pd.DataFrame({'at': pd.to_datetime(['2024-01-02', '2024-01-03']), 'w': [1.0, 2.0]})
m = a.merge(b, on='at', how='left')
%% join-keys-spelled-differently
a = pd.DataFrame({'y': [2023, 2024], 'k': ['A', 'b'], 'v': [1.0, 2.0]})
b = pd.DataFrame({'y': [2023, 2024], 'k': ['A', 'B'], 'w': [1.0, 2.0]})
m = a.merge(b, on=['y', 'k'], how='left')
%% join-on-every-shared-column
a = pd.DataFrame({'id': [1, 2, 3], 'day': ['d1', 'd2', 'd3'], 'x': [1.0, 2.0, 3.0]})
b = pd.DataFrame({'id': [1, 2, 3], 'day': ['d1', 'd9', 'd3'], 'y': [1.0, 2.0, 3.0]})
m = a.merge(b)
%% join-on-every-shared-column
a = pd.DataFrame({'id': [1, 2, 2], 'day': ['d1', 'd2', 'd3'], 'x': [1.0, 2.0, 3.0]})
b = pd.DataFrame({'id': [1, 2, 3], 'day': ['d1', 'd9', 'd3'], 'y': [1.0, 2.0, 3.0]})
m = pd.merge(a, b, how='left')
%% suffixes-name-the-other-side
m = jan.merge(feb, on='day', suffixes=('_feb', '_jan'))
%% suffixes-name-the-other-side
m = pd.merge(jan, feb, on='day', suffixes=('', '_jan'))
%% join-on-row-numbers
m = moves.join(accounts[['owner']])
%% join-on-row-numbers
m = pd.concat([moves, accounts], axis=1)
%% join-on-row-numbers
m = moves.merge(accounts, left_index=True, right_index=True)
%% join-on-row-numbers
part = accounts[['owner', 'limit']]
m = moves.join(part)
%% join-on-row-numbers
m = pd.concat([moves, accounts[['limit']]], axis='columns')
%% unmatched-rows-then-summed
m = sales.merge(items, on='item', how='left')
m['value'] = m['units'] * m['price']
total = m['value'].sum()
%% unmatched-rows-then-summed
m = sales.merge(items, on='item', how='left')
total = (m['units'] * m['price']).sum()
%% unmatched-rows-then-summed
m = sales.merge(items, on='item', how='left')
total = m['price'].sum()
%% unmatched-rows-then-summed
sales['price'] = sales['item'].map(prices)
sales['value'] = sales['units'] * sales['price']
by = sales.groupby('shop')['value'].sum()
%% unmatched-rows-then-summed
total = (sales['item'].map(table) * sales['units']).sum()
%% unmatched-rows-then-summed
sales['value'] = sales['item'].map(table) * sales['units']
by = sales.groupby('shop').agg(n=('id', 'count'), value=('value', 'sum'))
%% unmatched-rows-then-summed
m = sales.join(items.set_index('item'), on='item')
m = m.assign(value=lambda d: d['units'] * d['price'])
total = m['value'].sum()
%% unmatched-rows-then-summed
p = sales['item'].map(table)
cost = p.mul(sales['units'])
total = cost.sum()
%% unmatched-rows-then-summed
m = sales.merge(shops, left_on='shop', right_on='code', how='left')
m['net'] = m['eur'] - m['rent']
total = m.groupby('item')['net'].sum()
%% asof-meets-wrong-rows
a = pd.DataFrame({'at': [1700000000, 1700000600], 'v': [1, 2]})
b = pd.DataFrame({'at': [1699999000000, 1700000000000, 1700000100000], 'p': [1.0, 2.0, 3.0]})
m = pd.merge_asof(a, b, on='at')
%% asof-meets-wrong-rows
a = pd.DataFrame({'at': [1, 2, 3], 'dev': ['x', 'y', 'x']})
b = pd.DataFrame({'at': [1, 2, 3], 'dev': ['x', 'x', 'y'], 't': [1.0, 2.0, 3.0]})
m = pd.merge_asof(a, b, on='at')
%% asof-meets-wrong-rows
hours = pd.date_range('2024-01-01', periods=24, freq='h').delete(range(4, 23))
b = pd.DataFrame({'at': hours, 't': range(len(hours))})
a = pd.DataFrame({'at': pd.to_datetime(['2024-01-01 02:30', '2024-01-03 12:10']), 'v': [1, 2]})
m = pd.merge_asof(a, b, on='at')
%% concat-columns-spelled-differently
both = pd.concat([jan, feb.rename(columns=str.upper)])
%% concat-columns-spelled-differently
both = pd.concat([jan_net, feb_net], ignore_index=True)
%% concat-columns-spelled-differently
both = pd.concat([jan, late], ignore_index=True)
total = both['eur'].sum()
%% concat-columns-spelled-differently
both = pd.concat([jan, euros], ignore_index=True)
total = both['eur'].sum()
%% concat-mixes-numbers-and-text
both = pd.concat([jan, feb.astype({'day': str})], ignore_index=True)
%% concat-mixes-numbers-and-text
both = pd.concat([jan, feb.assign(eur=['4.0', '1,005.5', '-6'])], ignore_index=True)
%% concat-mixes-numbers-and-text
parts = [jan.astype({'day': str}), feb, mar]
both = pd.concat(parts)
n = both['day'].nunique()
%% concat-repeats-labels
both = pd.concat([jan, feb])
first = both.loc[0, 'eur']
%% concat-repeats-labels
both = pd.concat([jan, feb])
best = both.loc[both['eur'].idxmax()]
%% concat-repeats-labels
both = pd.concat([jan, feb])
rest = both.drop(0)
%% concat-repeats-labels
both = pd.concat([jan, feb])
both.loc[2, 'eur'] = 0.0
total = both['eur'].sum()
%% rows-stacked-twice
year = pd.concat([jan, feb, feb], ignore_index=True)
%% rows-stacked-twice
parts = []
for part in (jan, feb):
    parts.append(part)
    parts.append(jan)
year = pd.concat(parts, ignore_index=True)
%% rows-stacked-twice
parts = []
for part in (jan, feb.copy()):
    parts.append(part)
parts.append(feb.copy())
year = pd.concat(parts, ignore_index=True)
total = year['eur'].sum()
%% rows-stacked-twice
out = jan.head(0)
for _ in range(2):
    part = jan[jan['eur'] > 1].copy()
    out = pd.concat([out, part], ignore_index=True)
%% concat-repeats-labels
both = pd.concat([jan[jan['eur'] > 1], feb[feb['eur'] > 4]])
second = both.at[2, 'eur']
%% isin-misses-values
part = people[people['no'].isin(numbers['no'])]
%% isin-misses-values
part = sales[sales['item'].isin(['Tea', 'jam'])]
%% isin-misses-values
part = sales[~sales['item'].isin(items)]
%% isin-misses-values
n = people['name'].isin(teams['name']).sum()
%% lookup-by-row-number
sales['price'] = sales['item'].map(items['price'])
%% lookup-by-row-number
moves['owner'] = moves['acct'].map(accounts['owner'])
%% lookup-by-row-number
town = sales['shop'].map(shops['town'])
%% lookup-table-repeats-keys
owner = dict(zip(sales['item'], sales['eur']))
x = owner['tea']
%% lookup-table-repeats-keys
x = items['item'].map(sales.set_index('item')['eur'].to_dict())
%% lookup-table-repeats-keys
t = sales.set_index('shop')[['eur', 'units']].to_dict()
x = shops['code'].map(t['eur'])
%% lookup-table-repeats-keys
t = {k: v for k, v in zip(sales['item'], sales['eur'])}
x = t.get('rye', 0)
%% duplicates-by-part-of-row
one = sales.drop_duplicates('item')
total = one['eur'].sum()
%% duplicates-by-part-of-row
one = sales.drop_duplicates(subset=['shop', 'item'])
by = one.groupby('shop')['eur'].sum()
%% duplicates-by-part-of-row
total = sales.drop_duplicates(subset='shop')['units'].sum()
%% float-keys-too-long
a = pd.DataFrame({'k': [1577134800018226901, None, 1577134800018226905], 'v': [1, 2, 3]})
b = pd.DataFrame({'k': [1577134800018226901.0], 'w': [1]})
m = a.merge(b, on='k', how='left')
%% float-keys-too-long
s = pd.Series([1577134800018226901, None])
named = s.map({1577134800018226904: 'x'})
%% float-keys-too-long
s = pd.Series([1577134800018226901, 5])
known = s[s.isin(pd.Series([1577134800018226901.0, 5.0]))]
%% recoding-misses-spellings
codes = numbers['no'].map({'7': 'x', '12': 'y', '100': 'z'})
%% recoding-misses-spellings
codes = people['no'].map({7: 'x', 12: 'y', 100: 'z'})
"""

SILENT = """
%% how-inner-is-written
m = sales.merge(items, on='item', how='inner')
total = m['eur'].sum()
%% only-listed-items
wanted = items[items['price'] > 2]
m = sales.merge(wanted, on='item')
total = m['eur'].sum()
%% filter-by-keys
m = sales.merge(items[['item']], on='item')
total = m['eur'].sum()
%% comment
# items without a price are left out
m = sales.merge(items, on='item')
total = m['eur'].sum()
%% lengths-compared
m = sales.merge(items, on='item')
print(len(sales), len(m))
total = m['eur'].sum()
%% lost-but-not-summed
m = sales.merge(items, on='item')
kinds = m['kind'].value_counts()
%% lost-mean
m = sales.merge(items, on='item')
mean = m.groupby('kind')['eur'].mean()
%% one-to-one-restricts
paid = pd.DataFrame({'id': [1, 2, 3, 4, 5], 'when': ['a', 'b', 'c', 'd', 'e']})
m = sales.merge(paid, on='id')
total = m['eur'].sum()
%% active-customers
active = pd.DataFrame({'shop': ['n', 's'], 'since': [1, 2]})
total = sales.merge(active, on='shop')['eur'].sum()
%% most-are-lost
m = sales.merge(pd.DataFrame({'item': ['jam'], 'x': [1]}), on='item')
total = m['eur'].sum()
%% header-and-lines
m = shops.merge(sales, left_on='code', right_on='shop')
revenue = m.groupby('town')['eur'].sum()
%% rows-agree-by-chance
orders = pd.DataFrame({'oid': [1, 2, 3], 'freight': [1.0, 2.0, 3.0]})
lines = pd.DataFrame({'oid': [1, 1, 2], 'qty': [1, 2, 3]})
m = orders.merge(lines, on='oid')
n = m['qty'].sum()
%% keys-with-nobody
m = people.merge(pd.DataFrame({'name': ['Dora', 'Ann'], 'x': [1, 2]}), on='name', how='left')
%% two-codes
a = pd.DataFrame({'no': ['7', '07', '8'], 'v': [1, 2, 3]})
b = pd.DataFrame({'no': ['7', '07'], 'w': [1, 2]})
m = a.merge(b, on='no', how='left')
%% two-codes-one-unused
a = pd.DataFrame({'no': ['7', '8'], 'v': [1, 2]})
b = pd.DataFrame({'no': ['7', '07'], 'w': [1, 2]})
m = a.merge(b, on='no', how='left')
%% keys-looked-for
m = people.merge(teams[['name', 'team']], on='name', how='left', indicator=True)
%% keys-cleaned-later
first = people.merge(teams[['name', 'team']], on='name')
people['name'] = people['name'].str.strip().str.title()
second = people.merge(teams.assign(name=teams['name'].str.title())[['name', 'team']], on='name')
%% times-on-both-sides
a = pd.DataFrame({'at': pd.to_datetime(['2024-01-02 10:30', '2024-01-03 09:00']), 'v': [1.0, 2.0]})
b = pd.DataFrame({'at': pd.to_datetime(['2024-01-02 11:30', '2024-01-03 09:00']), 'w': [1.0, 2.0]})
m = a.merge(b, on='at', how='left')
%% year-and-region
a = pd.DataFrame({'y': [2023, 2023, 2024], 'r': ['n', 's', 'n'], 'x': [1.0, 2.0, 3.0]})
b = pd.DataFrame({'y': [2023, 2024, 2024], 'r': ['n', 'n', 's'], 'z': [1.0, 2.0, 3.0]})
m = a.merge(b)
%% shared-columns-agree
m = sales.merge(sales[['id', 'shop']].assign(x=1))
%% suffixes-right
m = jan.merge(feb, on='day', suffixes=('_jan', '_feb'))
d = m['eur_feb'] - m['eur_jan']
%% suffixes-of-no-name
m = jan.merge(feb, on='day', suffixes=('_left', '_right'))
%% suffixes-of-one-table
m = jan.merge(jan, on='day', suffixes=('', '_next'))
%% suffixes-by-years
sales_2023, sales_2024 = jan, feb
m = sales_2024.merge(sales_2023, on='day', suffixes=('_now', '_before'))
%% same-rows
m = moves.join(moves[['eur']].rename(columns={'eur': 'copy'}))
%% dummies
m = sales.join(pd.get_dummies(sales['shop']))
%% dummies-concat
m = pd.concat([sales, pd.get_dummies(sales[['item']])], axis=1)
%% scaled
scaled = pd.DataFrame(sales[['units', 'eur']].to_numpy() / 10, columns=['u', 'e'])
m = pd.concat([sales[['id']], scaled], axis=1)
%% lower-case-of-a-copy
texts = people.assign(name=people['name'].str.lower(), size=people['name'].str.len())
m = people.join(texts[['size']])
%% shuffled
other = accounts.sample(frac=1, random_state=3).reset_index(drop=True)
m = pd.concat([moves, other[['limit']]], axis=1)
%% day-before
lag = jan.merge(jan.assign(day=jan['day'] + 1), on='day', suffixes=('', '_before'), how='left')
lag['step'] = lag['eur'] - lag['eur_before']
total = lag['step'].sum()
%% who-took-part
many = pd.concat([sales] * 4, ignore_index=True)
took = pd.DataFrame({'shop': ['n', 's'], 'wave': ['x', 'y']})
t = many.merge(took, on='shop').groupby('wave')['eur'].sum()
%% draws-beside-people
prizes = pd.DataFrame({'name': ['cup', 'pen', 'hat'], 'worth': [3, 1, 2]})
m = people.join(prizes[['worth']])
%% features-of-a-copy
features = sales.assign(z=sales['eur'] / sales['units'])
m = sales.join(features[['z']])
%% side-by-side
# row by row, in the order of the forms
m = pd.concat([moves, accounts], axis=1)
%% indexed
m = moves.set_index('acct').join(accounts.set_index('acct'))
%% concat-indexed
m = pd.concat([moves.set_index('acct'), accounts.set_index('acct')], axis=1)
%% metrics-beside
m = pd.concat([jan, feb], axis=1, keys=['jan', 'feb'])
%% by-key
m = moves.merge(accounts, on='acct')
%% matched-all
sales['x'] = sales['shop'].map({'n': 1.0, 's': 2.0, 'w': 3.0}) * sales['units']
total = sales['x'].sum()
%% filled
m = sales.merge(items, on='item', how='left')
m['price'] = m['price'].fillna(1.0)
total = (m['units'] * m['price']).sum()
%% filled-in-chain
total = (sales['item'].map(table).fillna(0) * sales['units']).sum()
%% tested
m = sales.merge(items, on='item', how='left')
print(m['price'].isna().sum(), 'without a price')
total = (m['units'] * m['price']).sum()
%% counted-by-another-column
m = sales.merge(items, on='item', how='left')
m['value'] = m['units'] * m['price']
print(m['kind'].isna().sum(), 'without a price')
total = m['value'].sum()
%% picked
m = sales.merge(items, on='item', how='left')
m['value'] = m['units'] * m['price']
total = m[m['price'] > 2]['value'].sum()
%% queried
m = sales.merge(items, on='item', how='left').query('price == price')
m['value'] = m['units'] * m['price']
total = m['value'].sum()
%% missing-shows
total = (sales['item'].map(table) * sales['units']).sum(skipna=False)
%% dropped
m = sales.merge(items, on='item', how='left').dropna(subset=['price'])
total = (m['units'] * m['price']).sum()
%% left-out-by-comment
# items without a price do not count
sales['value'] = sales['item'].map(table) * sales['units']
total = sales['value'].sum()
%% totals-per-shop
t = sales.groupby('shop')['eur'].sum()
shops['eur'] = shops['code'].map(t)
total = shops['eur'].sum()
%% customers-and-orders
per = sales.groupby('shop', as_index=False)['eur'].sum()
m = shops.merge(per, left_on='code', right_on='shop', how='left')
total = m['eur'].sum()
%% own-column-summed
m = sales.merge(items, on='item', how='left')
total = m['eur'].sum()
%% own-columns-multiplied
m = sales.merge(items, on='item', how='left')
m['gross'] = m['eur'] * 1.07
total = m['gross'].sum()
%% group-of-known
m = sales.merge(items, on='item', how='left')
n = m.groupby('kind', dropna=False)['units'].sum()
%% marks-are-counted
sales['sweet'] = sales['item'].map({'jam': 1, 'tea': 0})
n = sales['sweet'].sum()
%% mean-of-known
sales['price'] = sales['item'].map(table)
mean = sales['price'].mean()
%% prices-valid-from
a = pd.DataFrame({'at': pd.to_datetime(['2024-01-05', '2024-12-31']), 'n': [1, 2]})
days = pd.to_datetime(['2023-01-01', '2023-03-10', '2023-08-01', '2023-08-20', '2024-01-02', '2024-01-20'])
b = pd.DataFrame({'at': days, 'p': [1., 2., 3., 4., 5., 6.]})
m = pd.merge_asof(a, b, on='at')
%% asof-with-by
a = pd.DataFrame({'at': [1, 2, 3], 'dev': ['x', 'y', 'x']})
b = pd.DataFrame({'at': [1, 2, 3], 'dev': ['x', 'x', 'y'], 't': [1.0, 2.0, 3.0]})
m = pd.merge_asof(a, b, on='at', by='dev')
%% asof-near
b = pd.DataFrame({'at': pd.date_range('2024-01-01', periods=48, freq='h'), 't': range(48)})
a = pd.DataFrame({'at': pd.to_datetime(['2024-01-01 02:30', '2024-01-02 12:10']), 'v': [1, 2]})
m = pd.merge_asof(a, b, on='at')
%% asof-tolerance
b = pd.DataFrame({'at': pd.date_range('2024-01-01', periods=48, freq='h'), 't': range(48)})
a = pd.DataFrame({'at': pd.to_datetime(['2024-01-01 02:30', '2024-02-02 12:10']), 'v': [1, 2]})
m = pd.merge_asof(a, b, on='at', tolerance=pd.Timedelta('1h'))
%% asof-other-ids
a = pd.DataFrame({'at': [1, 2, 3], 'id': [1, 2, 3], 'side': ['b', 's', 'b']})
b = pd.DataFrame({'at': [1, 2, 3], 'id': [3, 1, 2], 'side': ['s', 's', 'b']})
m = pd.merge_asof(a, b, on='at')
%% columns-of-some
both = pd.concat([jan, feb.assign(note='x')], ignore_index=True)
total = both['eur'].sum()
%% both-columns-used
both = pd.concat([jan, feb.rename(columns={'eur': 'cost'})], ignore_index=True)
net = both['eur'].sum() - both['cost'].sum()
%% both-spellings-used
both = pd.concat([jan, feb.rename(columns={'eur': 'EUR'})], ignore_index=True)
both['eur'] = both['eur'].fillna(both['EUR'])
%% one-table-has-both
wide = jan.assign(Eur=1.0)
both = pd.concat([wide, feb.rename(columns={'eur': 'Eur'})], ignore_index=True)
%% empty-start
out = pd.DataFrame(columns=['Day', 'eur'])
both = pd.concat([jan, feb])
%% total-row
years = pd.DataFrame({'year': [2023, 2024], 'eur': [1.0, 2.0]})
both = pd.concat([years, pd.DataFrame({'year': ['total'], 'eur': [3.0]})], ignore_index=True)
%% text-converted
both = pd.concat([jan, feb.astype({'day': str})], ignore_index=True)
both['day'] = both['day'].astype(int)
%% text-everywhere
both = pd.concat([people, teams], ignore_index=True)
%% new-labels
both = pd.concat([jan, feb], ignore_index=True)
first = both.loc[0, 'eur']
%% reset
both = pd.concat([jan, feb])
both = both.reset_index(drop=True)
first = both.loc[0, 'eur']
%% by-condition
both = pd.concat([jan, feb])
big = both.loc[both['eur'] > 2, 'eur'].sum()
%% by-position
both = pd.concat([jan, feb])
first = both.iloc[0]['eur']
%% drop-a-column
both = pd.concat([jan, feb])
rest = both.drop('day', axis=1)
%% labels-of-their-own
both = pd.concat([jan.set_index('day'), feb.assign(day=[4, 5, 6]).set_index('day')])
first = both.loc[1, 'eur']
%% keyed
both = pd.concat([jan, feb], keys=['jan', 'feb'])
first = both.loc['jan', 'eur'].sum()
%% total-below
both = pd.concat([jan, feb])
both.loc['total'] = both.sum()
%% index-is-the-key
both = pd.concat([budget.set_index('dept'), budget.set_index('dept')])
a = both.loc['a', 'eur'].sum()
%% tiled
out = jan.head(0)
for _ in range(3):
    out = pd.concat([out, jan], ignore_index=True)
%% doubled
both = pd.concat([jan, jan], ignore_index=True)
%% oversampled
both = pd.concat([jan] * 3 + [feb], ignore_index=True)
%% deduplicated
both = pd.concat([jan, feb, feb]).drop_duplicates()
%% loop-of-parts
parts = []
for shop, part in sales.groupby('shop'):
    parts.append(part.nlargest(1, 'eur'))
best = pd.concat(parts)
%% grown-in-a-loop
out = jan.head(0)
for part in (jan, feb, mar):
    out = pd.concat([out, part], ignore_index=True)
total = out['eur'].sum()
%% isin-known
part = sales[sales['item'].isin(['tea', 'jam'])]
%% isin-unknown
part = sales[~sales['item'].isin(['rum', 'gin'])]
%% isin-column
part = sales[sales['item'].isin(items['item'])]
%% isin-numbers
part = sales[sales['id'].isin([1, 2, 99])]
%% isin-floats-for-ints
part = sales[sales['id'].isin([1.0, 2.0])]
%% isin-columns-of-frame
names = pd.Series(['item', 'price', 'x'])
known = names[names.isin(items)]
%% clusters
sales['cluster'] = [0, 1, 2, 0, 1, 2, 0, 1]
centres = pd.Series([1.0, 2.0, 3.0])
sales['centre'] = sales['cluster'].map(centres)
%% by-index
sales['price'] = sales['item'].map(items.set_index('item')['price'])
%% counts
sales['n'] = sales['item'].map(sales['item'].value_counts())
%% dict-of-unique
table2 = dict(zip(items['item'], items['price']))
%% dict-shown
last = dict(zip(sales['item'], sales['eur']))
%% dict-same-values
town = dict(zip(sales['shop'], sales['shop'].str.upper()))
%% loop-over-zip
total = 0
for item, eur in zip(sales['item'], sales['eur']):
    total += eur
%% dict-of-last
latest = sales.sort_values('id')
last = dict(zip(latest['item'], latest['eur']))
%% records
rows = sales.set_index('item').to_dict('records')
%% dict-lists
lists = {k: g['eur'].tolist() for k, g in sales.groupby('item')}
%% one-of-each
first = sales.drop_duplicates('item')
names = first['item'].tolist()
%% last-of-each
last = sales.sort_values('id').drop_duplicates('shop', keep='last')
total = last['eur'].sum()
%% sorted-before
ranked = sales.sort_values('eur', ascending=False)
best = ranked.drop_duplicates('shop')
total = best['eur'].sum()
%% same-in-the-rest
lines = pd.DataFrame({'oid': [1, 1, 2], 'line': [1, 2, 1], 'freight': [5.0, 5.0, 7.0]})
freight = lines.drop_duplicates('oid')['freight'].sum()
%% whole-rows
total = sales.drop_duplicates()['eur'].sum()
%% short-floats
a = pd.DataFrame({'k': [12.0, None], 'v': [1, 2]})
m = a.merge(pd.DataFrame({'k': [12.0], 'w': [1]}), on='k', how='left')
%% long-ints
s = pd.Series([1577134800018226901, 5])
known = s[s.isin([1577134800018226901])]
%% map-of-numbers
codes = numbers['no'].map({7: 'x', 12: 'y'})
%% map-of-flags
sales['big'] = (sales['eur'] > 10).map({True: 'yes', False: 'no'})
"""


def found(body: str, setup: str = SETUP) -> list[Finding]:
    run = run_body(body, setup)
    assert isinstance(run.outcome, Completed), run.outcome
    return check_all(run)


@pytest.mark.parametrize(("code", "body"), cells(FOUND))
def test_is_found(code: str, body: str) -> None:
    doubts = [f for f in found(body) if f.severity is not Severity.NOTE]
    assert [(f.code, f.severity) for f in doubts] == [(code, Severity.MAY)]


SILENT_CELLS = dict(cells(SILENT))


@pytest.mark.parametrize("name", SILENT_CELLS)
def test_is_silent(name: str) -> None:
    assert found(SILENT_CELLS[name]) == []


@pytest.mark.parametrize(
    ("code", "body", "message"),
    [
        (
            "join-loses-rows",
            "m = sales.merge(items, on='item')\nt = m['eur'].sum()",
            "1 of 8 rows of the left table found no `item` in the right one and fell out; the sum of `eur` is 0.722"
            " times what it was",
        ),
        (
            "join-keys-spelled-differently",
            "m = people.merge(teams[['name', 'team']], on='name', how='left')",
            "3 rows of the left table found no partner only because `name` is written differently on the two sides;"
            " 3 rows of 3 met none, and what belongs to them is missing there",
        ),
        (
            "isin-misses-values",
            "m = people['no'].isin(numbers['no'])",
            "3 of 3 values differ from a listed value only in how they are written, and are not met",
        ),
        (
            "rows-stacked-twice",
            "m = pd.concat([jan, feb, feb])",
            "1 of 3 tables put under each other has the rows of another one: these rows are in the result twice",
        ),
    ],
)
def test_messages_count(code: str, body: str, message: str) -> None:
    (finding,) = found(body)
    assert (finding.code, finding.message) == (code, message)


@pytest.mark.parametrize(("code", "body"), cells(FOUND))
def test_evidence_holds_no_values(code: str, body: str) -> None:
    for finding in found(body):
        told = json.dumps(finding.evidence)
        assert not re.search("Ann|cleo|007|1577|tea|jam|rye|Ulm", told)
