"""Ordinary cells that are right: none of them gets a must or a may finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.finding import Severity
from reflex_magic.core.outcome import Completed
from tests.observe.stepper import run_body

SETUP = """
sales = pd.DataFrame({
    "id": range(1, 9),
    "day": pd.to_datetime(["2024-01-03", "2024-01-20", "2024-02-01", "2024-02-02"] * 2),
    "shop": ["n", "s", "n", "w", "s", "n", "w", "w"],
    "item": ["tea", "tea", "jam", "jam", "tea", "oil", "oil", "tea"],
    "units": [1, 2, 3, 4, 5, 6, 7, 8],
    "eur": [2.5, 5.0, 9.0, 12.0, 12.5, 30.0, 35.0, 20.0],
    "note": ["a", None, "b", None, "c", None, None, "d"],
})
items = pd.DataFrame({"item": ["tea", "jam", "oil"], "price": [2.5, 3.0, 5.0], "vat": [7, 7, 19]})
shops = pd.DataFrame({"code": ["n", "s", "x"], "town": ["Ulm", "Jena", "Kiel"], "rent": [10.0, 20.0, 30.0]})
visits = pd.DataFrame({"user": ["u1", None, "u2", "u1"], "minutes": [1.0, 2.0, 3.0, 4.0]})
raw = pd.DataFrame({
    "amount": ["12.5", "7", "", "n/a", "3.25"],
    "when": ["2024-01-02", "2024-01-03", "", "-", "2024-01-05"],
})
"""

CELLS = """
%% total
total = sales['eur'].sum()
assert total > 0
%% totals-by-group
by_shop = sales.groupby('shop')['eur'].sum().sort_values(ascending=False)
%% named-aggregation
t = sales.groupby('shop', as_index=False).agg(n=('id', 'count'), eur=('eur', 'sum'))
%% group-of-two-keys
t = sales.groupby(['shop', 'item'])['units'].sum().unstack(fill_value=0)
%% share-of-group
sales['share'] = sales['eur'] / sales.groupby('shop')['eur'].transform('sum')
%% group-loop
parts = []
for shop, part in sales.groupby('shop'):
    parts.append(part.nlargest(1, 'eur'))
best = pd.concat(parts)
%% group-apply
spread = sales.groupby('shop')['eur'].apply(lambda s: s.max() - s.min())
%% group-by-month
monthly = sales.groupby(sales['day'].dt.to_period('M'))['eur'].sum()
%% resample
weekly = sales.set_index('day')['eur'].resample('W').sum()
%% rolling
sales['mean3'] = sales['eur'].rolling(3).mean()
first = sales['mean3'].isna().sum()
%% mean-of-known-users
mean = visits.groupby('user')['minutes'].mean()
%% known-users-only
per_user = visits[visits['user'].notna()].groupby('user')['minutes'].sum()
%% anonymous-counted
n = visits.groupby('user')['minutes'].count()
anonymous = len(visits) - n.sum()
%% anonymous-kept
n = visits.groupby('user', dropna=False).size()
assert n.sum() == len(visits)
%% anonymous-named
n = visits.fillna({'user': 'anonymous'}).groupby('user').size()
%% notes-counted
n = sales['note'].value_counts()
%% rank-in-group
sales['rank'] = sales.groupby('shop')['eur'].rank(ascending=False)
%% previous-in-group
sales['step'] = sales.groupby('shop')['eur'].diff().fillna(0)
%% lookup
m = sales.merge(items, on='item', how='left')
m['gross'] = m['eur'] * (1 + m['vat'] / 100)
assert len(m) == len(sales)
total = m['gross'].sum()
%% lookup-sum-of-prices
total = sales.merge(items, on='item')['price'].sum()
%% lookup-checked
m = sales.merge(items, on='item', validate='many_to_one')
%% lookup-other-name
m = sales.merge(shops, left_on='shop', right_on='code', how='left')
known = m.groupby('town', dropna=False)['eur'].sum()
%% header-and-lines
m = shops.merge(sales, left_on='code', right_on='shop')
revenue = m.groupby('town')['eur'].sum()
%% anti-join
m = shops.merge(sales, left_on='code', right_on='shop', how='left', indicator=True)
idle = m.loc[m['_merge'] == 'left_only', 'town'].tolist()
%% join-of-totals
t = sales.groupby('shop')['eur'].sum()
m = shops.set_index('code').join(t)
profit = (m['eur'].fillna(0) - m['rent']).sum()
%% self-join
pairs = sales.merge(sales, on='item', suffixes=('', '_2'))
pairs = pairs[pairs['id'] < pairs['id_2']]
%% every-combination
grid = shops[['code']].merge(items, how='cross')
total = grid['price'].sum()
%% map
sales['price'] = sales['item'].map(items.set_index('item')['price'])
total = (sales['price'] * sales['units']).sum()
%% coerce-markers
raw['amount'] = pd.to_numeric(raw['amount'], errors='coerce')
total = raw['amount'].sum()
%% coerce-dates
raw['when'] = pd.to_datetime(raw['when'], errors='coerce')
last = raw['when'].max()
%% coerce-words
x = pd.to_numeric(pd.Series(['3', 'sold out', '4']), errors='coerce').mean()
%% coerce-and-look
x = pd.to_numeric(pd.Series(['3', '4-5', '4']), errors='coerce')
print(x.isna().sum(), 'lost')
%% filter
tea = sales[sales['item'] == 'tea'].copy()
tea['gross'] = tea['eur'] * 1.07
%% empty-filter
none = sales[sales['units'] > 99]
total = none['eur'].sum()
assert none.empty
%% pivot
t = sales.pivot_table(index='shop', columns='item', values='eur', aggfunc='sum', fill_value=0)
%% crosstab
t = pd.crosstab(sales['shop'], sales['item'], margins=True)
%% melt
long = sales.melt(id_vars=['id'], value_vars=['units', 'eur'])
n = long.groupby('variable')['value'].sum()
%% concat
both = pd.concat([sales, sales], ignore_index=True)
assert both['eur'].sum() == 2 * sales['eur'].sum()
%% shift
sales['next'] = sales['eur'].shift(-1)
sales['tail'] = sales['eur'].iloc[3:]
%% sorted-assignment
sales['cum'] = sales.sort_values('day')['eur'].cumsum()
%% index-by-key
t = sales.groupby('item')[['units']].sum()
t['price'] = items.set_index('item')['price']
t['eur'] = t['units'] * t['price']
%% join-words
words = ', '.join(sales['item'].unique())
text = sales['note'].fillna('').sum()
%% loop
total = 0
for _, row in sales.iterrows():
    if row['units'] > 2:
        total += row['eur']
assert total > 0
%% function
def top(frame, n=1):
    return frame.nlargest(n, 'eur')
best = top(sales, 2)
assert len(best) == 2
%% class
class Total:
    def __init__(self, frame):
        self.eur = frame['eur'].sum()
t = Total(sales)
%% try
try:
    x = float('n/a')
except ValueError:
    x = None
%% file
sales.to_csv('sales.csv', index=False)
back = pd.read_csv('sales.csv')
assert len(back) == len(sales)
%% plain-python
squares = {n: n * n for n in range(10)}
assert sum(squares.values()) == 285
%% numpy
a = np.arange(6).reshape(2, 3)
assert (a.sum(axis=0) == [3, 5, 7]).all()
b = a.astype(float)
%% recoded
sales['kind'] = sales['item'].map({'tea': 'leaf', 'jam': 'fruit'}).fillna('other')
%% kept-comment
# keep only known users
n = visits.groupby('user').size()
"""

NAMED = dict(part.split("\n", 1) for part in CELLS.strip().removeprefix("%% ").split("\n%% "))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", NAMED)
def test_no_finding(name: str) -> None:
    run = run_body(NAMED[name], SETUP)
    assert isinstance(run.outcome, Completed), run.outcome
    assert [f for f in check_all(run) if f.severity is not Severity.NOTE] == []
