"""Writes that reach nothing and results that nobody takes, and cells that look alike and are right."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import nullcontext

import pandas as pd
import pytest

import reflex_magic
from reflex_magic.checks import check_all
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed
from tests.checks.tables import cells
from tests.observe.stepper import run_body

SETUP = """
fees = pd.DataFrame({"name": ["ann ", "Ben", "cleo", "Ben"], "group": list("ABBB"), "fee": [100.0, None, 90.0, 90.0]})
fees["paid"] = True
other = fees.copy()
tables = {"a": fees.copy(), "b": fees.copy()}
parts = [fees.copy(), fees.copy()]
class Box: pass
box = Box()
box.fees = fees.copy()
"""

FOUND = """
%% write-reaches-copy
fees[fees['group'] == 'B']['fee'] = 80.0
%% write-reaches-copy
fees['fee'][fees['group'] == 'B'] = 80.0
%% write-reaches-copy
fees.loc[fees['group'] == 'B']['fee'] = 80.0
%% write-reaches-copy
fees.fee[0] = 80.0
%% write-reaches-copy
fees['fee'].loc[fees['group'] == 'B'] = 80.0
%% write-reaches-copy
fees[fees['group'] == 'B'].loc[:, 'fee'] = 80.0
%% write-reaches-copy
fees[fees['group'] == 'B']['fee'] += 10.0
%% write-reaches-copy
fees[['name', 'fee']]['fee'] = 0.0
%% write-reaches-copy
tables['a']['fee'][0] = 1.0
%% write-reaches-copy
box.fees[box.fees['fee'] > 90]['fee'] = 1.0
%% write-reaches-copy
fees['fee'].fillna(0, inplace=True)
%% write-reaches-copy
fees.fee.fillna(0, inplace=True)
%% write-reaches-copy
fees[['fee']].fillna(0, inplace=True)
%% write-reaches-copy
fees['group'].replace('A', 'a', inplace=True)
%% write-reaches-copy
fees[fees['fee'] > 90].drop(columns='name', inplace=True)
%% write-reaches-copy
fees['fee'].update(pd.Series([1.0, 2.0]))
%% write-reaches-copy
for column in ['fee']:
    fees[column].fillna(0, inplace=True)
%% write-reaches-copy
def fill(table):
    table['fee'].fillna(0, inplace=True)
fill(fees)
%% write-reaches-copy
for i, row in fees.iterrows():
    if row['fee'] > 90:
        row['fee'] = row['fee'] * 1.1
total = fees['fee'].sum()
%% write-reaches-copy
for _, row in fees.iterrows():
    row.fee = 0
%% write-reaches-copy
def raise_fees(table):
    for i, row in table.iterrows():
        row['fee'] *= 2
raise_fees(fees)
%% write-reaches-copy
fees[fees['group'] == 'B'].fee = 80.0
%% write-reaches-copy
fees.loc[fees['group'] == 'B'].fee = 80.0
%% apply-returns-nothing
def mark(row):
    row['large'] = row['fee'] > 90
fees.apply(mark, axis=1)
%% apply-returns-nothing
def size(fee):
    text = 'large' if fee > 90 else 'small'
fees['size'] = fees['fee'].apply(size)
%% apply-returns-nothing
fees['size'] = fees['fee'].map(lambda fee: print(fee))
%% result-not-kept
for part in (fees, other):
    part = part[part['fee'] > 90]
n = len(fees)
%% result-not-kept
def keep(table):
    table = table[table['fee'] > 90]
    table['large'] = True
keep(fees)
n = len(fees)
%% alias-is-no-copy
before = fees
fees['fee'] = fees['fee'] * 2
change = fees['fee'].sum() - before['fee'].sum()
%% alias-is-no-copy
original = fees
fees.dropna(inplace=True)
lost = len(original) - 3
%% alias-is-no-copy
doubled = fees
doubled.loc[0, 'fee'] = 0.0
print(doubled['fee'].sum(), fees['fee'].sum())
%% order-lost
fees['sorted'] = fees['fee'].sort_values()
%% order-lost
fees['shuffled'] = fees['fee'].sample(frac=1, random_state=2)
%% order-lost
fees['back'] = fees['fee'][::-1]
%% result-not-kept
fees.drop_duplicates(['group'])
n = len(fees)
%% result-not-kept
fees.dropna()
total = fees['fee'].sum()
%% result-not-kept
fees.sort_values('fee')
first = fees.iloc[0]
%% result-not-kept
fees.rename(columns={'fee': 'eur'})
names = list(fees)
%% result-not-kept
fees['fee'].fillna(0)
total = fees['fee'].mean()
%% result-not-kept
fees['name'].str.strip()
n = fees['name'].nunique()
%% result-not-kept
fees['name'].replace({'Ben': 'ben'})
n = fees['name'].nunique()
%% result-not-kept
digits = fees['group'].map({'A': '1', 'B': '2'})
pd.to_numeric(digits)
highest = digits.max() + '.'
%% result-not-kept
fees.reset_index().set_index('name')
first = fees.index[0]
%% result-not-kept
for part in parts:
    part = part.dropna()
total = sum(p['fee'].sum() for p in parts)
%% result-not-kept
for part in parts:
    part.dropna()
    print(len(part))
%% result-not-kept
def clean(table):
    table = table.dropna()
    table['double'] = table['fee'] * 2
clean(fees)
n = len(fees)
%% result-not-kept
def clean(table):
    table = table.dropna()
    return table
clean(fees)
n = len(fees)
%% result-not-kept
name = fees['name'].iloc[0]
name.strip()
same = name == 'ann'
"""

SILENT = """
%% in-one-step
fees.loc[fees['group'] == 'B', 'fee'] = 80.0
%% row-object
class Row: pass
rows = [Row(), Row()]
rows[0].fee = 1.0
%% loop-selects-and-uses
out = []
for part in (fees, other):
    part = part[part['fee'] > 90]
    out.append(part)
%% loop-over-names
for name in ('x', 'y'):
    name = name[0]
%% function-selects-and-returns
def keep(table):
    table = table[table['fee'] > 90]
    return table
fees = keep(fees)
%% apply-prints
fees['fee'].apply(print)
%% apply-to-nobody
_ = fees['fee'].apply(print)
%% apply-returns
fees['size'] = fees['fee'].apply(lambda fee: 'large' if fee > 90 else None)
%% alias-copied
before = fees.copy()
fees['fee'] = fees['fee'] * 2
change = fees['fee'].sum() - before['fee'].sum()
%% alias-bound-anew
before = fees
fees = fees.dropna()
lost = len(before) - len(fees)
%% alias-of-one
df = fees
df['fee'] = df['fee'] * 2
total = df['fee'].sum()
%% order-computed
fees['rank'] = fees.sort_values('fee')['fee'].rank()
fees['total'] = fees['fee'].sort_values().cumsum()
%% order-without-labels
fees['sorted'] = fees['fee'].sort_values().to_numpy()
%% order-of-the-table
fees = fees.sort_values('fee')
fees['same'] = fees['fee'].sort_values()
%% own-name
part = fees[fees['group'] == 'B'].copy()
part['fee'] = 80.0
%% own-column
fee = fees['fee'].copy()
fee[0] = 1.0
fees['fee'] = fee
%% table-in-a-dict
tables['a']['fee'] = 0.0
%% row-in-a-dict-of-lists
d = {'a': [1, 2]}
d['a'][0] = 5
%% array
m = np.zeros((2, 2))
m[0][1] = 3
%% column-of-lists
f = pd.DataFrame({'v': [[1], [2]]})
f['v'][0][0] = 9
%% attribute
box.fees['fee'] = 1.0
%% attribute-loc
box.fees.loc[0, 'fee'] = 1.0
%% attrs
fees.attrs['unit'] = {}
fees.attrs['unit']['fee'] = 'eur'
%% columns-list
fees.columns.values.tolist()[0] = 'x'
%% nothing-selected
fees[fees['group'] == 'Z']['fee'] = 1.0
%% in-place-on-the-table
fees.fillna({'fee': 0}, inplace=True)
%% in-place-in-a-dict
tables['a'].fillna({'fee': 0}, inplace=True)
%% in-place-in-a-list
parts[0].dropna(inplace=True)
%% in-place-of-an-object
box.fees.drop(columns='name', inplace=True)
%% not-in-place
fees['fee'] = fees['fee'].fillna(0, inplace=False)
%% update-of-a-dict
box.seen = {}
box.seen.update(a=1)
tables['c'] = {}
tables['c'].update({'x': 2})
%% rows-read
total = 0
for i, row in fees.iterrows():
    total += row['fee']
%% rows-written-back
for i, row in fees.iterrows():
    fees.loc[i, 'fee'] = row['fee'] * 2
%% rows-collected
rows = []
for i, row in fees.iterrows():
    row['fee'] = row['fee'] * 2
    rows.append(row)
%% rows-as-dicts
rows = []
for i, row in fees.iterrows():
    row['fee'] = 1.0
    rows.append(row.to_dict())
%% rows-used-further
total = 0
for i, row in fees.iterrows():
    row['fee'] = row['fee'] if row['fee'] == row['fee'] else 0.0
    total += row['fee']
%% rows-put-back
for i, row in fees.iterrows():
    row['fee'] = 1.0
    fees.loc[i] = row
%% shown-at-the-end
fees.sort_values('fee')
%% kept
fees = fees.drop_duplicates()
n = len(fees)
%% nothing-to-drop
fees.dropna(subset=['name'])
n = len(fees)
%% nothing-to-replace
fees['group'].replace('Z', 'z')
n = len(fees)
%% looked-at
fees.head()
fees.describe()
n = len(fees)
%% handed-on
print(fees.dropna())
n = len(fees)
%% not-used-again
fees.dropna()
n = 3
%% in-place-statement
fees.dropna(inplace=True)
n = len(fees)
%% with-side-effects
fees['name'].map(print)
fees['name'].apply(str)
n = len(fees)
%% loop-keeps
out = []
for part in parts:
    part = part.dropna()
    out.append(part)
%% loop-writes
for i, part in enumerate(parts):
    parts[i] = part.dropna()
%% loop-prints
for part in parts:
    part = part.dropna()
    print(len(part))
%% function-returns
def clean(table):
    table = table.dropna()
    table['double'] = table['fee'] * 2
    return table
fees = clean(fees)
n = len(fees)
%% function-changes
def double(table):
    table['double'] = table['fee'] * 2
    return table
double(fees)
n = fees['double'].sum()
%% function-saves
def save(table):
    table = table.dropna()
    table.to_csv('fees.csv')
save(fees)
n = len(fees)
%% function-shows
def report(table):
    table = table.dropna()
    print(table)
    return table
report(fees)
n = len(fees)
%% text
name = 'ann '
name = name.strip()
size = len(name)
%% names-in-a-list
names = [n.strip() for n in fees['name']]
"""


OLD = int(pd.__version__.partition(".")[0]) < 3
"""Whether copy-on-write is an option, and off."""


@pytest.fixture(autouse=True)
def _copy_on_write() -> Iterator[None]:
    with pd.option_context("mode.copy_on_write", True) if OLD else nullcontext():
        yield


def _reflected(body: str) -> list[Finding]:
    namespace: dict[str, object] = {}
    exec(f"import numpy as np\nimport pandas as pd\n{SETUP}", namespace)
    with warnings.catch_warnings():
        return list(reflex_magic.reflect(body, namespace).findings)


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)


def _found(body: str) -> list[Finding]:
    if "def " in body:  # calls in functions are watched by the executor only
        return [
            f for f in _reflected(f"import warnings\nwarnings.simplefilter('ignore')\n{body}") if f.severity != "note"
        ]
    run = run_body(f"import warnings\nwarnings.simplefilter('ignore')\n{body}", SETUP)
    assert isinstance(run.outcome, Completed), run.outcome
    return [f for f in check_all(run) if f.severity is not Severity.NOTE]


@pytest.mark.parametrize(("code", "body"), cells(FOUND))
def test_found(code: str, body: str) -> None:
    assert [(f.code, f.severity) for f in _found(body)] == [(code, Severity.MAY)]


@pytest.mark.parametrize(("name", "body"), cells(SILENT))
def test_silent(name: str, body: str) -> None:
    assert _found(body) == []


WARNED = [
    "fees.query('fee > 90')['fee'] = 5.0",
    "for column in ['fee']:\n    fees[column][fees['group'] == 'B'] = 0.0",
    "def fill(table):\n    table['fee'][table['group'] == 'B'] = 0.0\nfill(fees)",
]


@pytest.mark.parametrize("body", WARNED)
def test_what_pandas_warns_of(body: str) -> None:
    """Where no probe stands, its warning tells."""
    with pytest.warns(Warning, match="copy of a DataFrame"):
        found = _reflected(body)
    assert [(f.code, f.severity) for f in found] == [("write-reaches-copy", Severity.MAY)]


@pytest.mark.parametrize(
    "body",
    [
        "fees['fee'].fillna(0, inplace=True)",
        "fees.fee.replace(90.0, 0, inplace=True)",
        "fees[['fee']].ffill(inplace=True)",
        "fees['fee'][0] = 1.0",
        "fees[fees['fee'] > 0]['fee'] = 1.0",
        "fees['fee'].iloc[0] = 1.0",
        "fees['fee'].update(fees['fee'])",
    ],
)
def test_pandas_warns_as_it_does_without_probes(body: str) -> None:
    namespace: dict[str, object] = {}
    exec(f"import numpy as np\nimport pandas as pd\n{SETUP}", namespace)
    warned = pytest.warns(Warning, match="copy of a DataFrame or Series")
    with warned as alone:
        exec(compile(body, "<cell>", "exec"), namespace)
    with warned as reflected:
        reflex_magic.reflect(body, namespace)
    assert [w.category for w in reflected] == [w.category for w in alone]


def test_the_message() -> None:
    (finding,) = _found("fees[fees['group'] == 'B']['fee'] = 80.0")
    assert finding.message == (
        "what is written to `fees[fees['group'] == 'B']['fee']` does not reach `fees`:"
        " the part written to is a copy of 3 rows"
    )
    (finding,) = _found("fees.dropna()\nn = len(fees)")
    assert finding.message == (
        "`fees.dropna()` returns 3 rows instead of 4, and nothing takes it: `fees` stays as it was"
    )


def test_a_failed_assertion_about_the_table_makes_it_a_must() -> None:
    run = run_body(
        "import warnings\nwarnings.simplefilter('ignore')\n"
        "fees['fee'].fillna(0, inplace=True)\nassert fees['fee'].notna().all()",
        SETUP,
    )
    assert [(f.code, f.severity) for f in check_all(run)] == [
        ("write-reaches-copy", Severity.MUST),
        ("assertion-failed", Severity.MUST),
    ]


@pytest.mark.skipif(not OLD, reason="copy-on-write cannot be turned off")
@pytest.mark.parametrize("body", ["fees['fee'][0] = 1.0", "fees['fee'].fillna(0, inplace=True)", "fees.fee[0] = 1.0"])
def test_a_column_that_is_a_view(body: str) -> None:
    with pd.option_context("mode.copy_on_write", False):
        assert _found(body) == []


@pytest.mark.skipif(not OLD, reason="copy-on-write cannot be turned off")
def test_chosen_rows_are_a_copy_without_copy_on_write_too() -> None:
    with pd.option_context("mode.copy_on_write", False):
        assert [f.code for f in _found("fees[fees['fee'] > 90]['fee'] = 1.0")] == ["write-reaches-copy"]
