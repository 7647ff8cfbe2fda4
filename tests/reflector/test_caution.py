"""Whether a change may be committed by a policy, needs a person, or is only shown."""

from __future__ import annotations

import pytest

from reflex_magic.core.cell import Cell
from reflex_magic.reflector.caution import weigh

CELL = """\
import pandas as pd, json
df = pd.read_csv('orders.csv')
total = df['amount'].astype(float).sum()
with open('result.json', 'w') as f:
    json.dump({'total': total}, f)
df.to_csv('out.csv')
assert total > 0"""
STATEMENT = "total = df['amount'].astype(float).sum()"


def judged(code: str, cell: str = CELL, old: str = STATEMENT) -> tuple[str, str]:
    assert old in cell
    level, why = weigh(Cell(cell), Cell(cell.replace(old, code)), judged=True, stated=True)
    return str(level), "; ".join(why)


@pytest.mark.parametrize(
    "code",
    [
        "total = df['amount'].str.replace('[$,]', '', regex=True).astype(float).sum()",
        "import re\ntotal = float(re.sub('x', '', '1'))",
        "total = sum(Decimal(a.strip('$')) for a in df['amount'])",
        "df = df.rename(columns={'Amount': 'amount'})\ntotal = df['amount'].sum()",
        "total = json.loads(df.to_json(orient='records'))[0]['amount']",
        "total = pd.read_csv('orders.csv', encoding='utf-8-sig')['amount'].sum()",
        "with open('orders.csv', encoding='utf-8') as g:\n    total = len(g.read())",
    ],
)
def test_computing_is_safe(code: str) -> None:
    assert judged(code) == ("safe", "")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("open('result.json', 'w')", "open('result.json', 'w', encoding='utf-8')"),
        ("json.dump({'total': total}, f)", "json.dump({'total': float(total)}, f)"),
        ("df.to_csv('out.csv')", "df.to_csv('out.csv', index=False)"),
    ],
)
def test_what_the_cell_does_already_is_not_counted_again(old: str, new: str) -> None:
    assert judged(new, old=old)[0] == "safe"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import os\ntotal = 1", "imports os"),
        ("import subprocess as s\ntotal = 1", "imports subprocess"),
        ("from os import path\ntotal = 1", "imports os"),
        ("from . import helper\ntotal = 1", "imports"),
        ("import pandas, socket\ntotal = 1", "imports socket"),
        ("total = eval(df['amount'][0])", "uses eval"),
        ("total = __import__('os').getpid()", "uses __import__"),
        ("f = exec\ntotal = f('1')", "uses exec"),
        ("total = df.__class__", "uses __class__"),
        ("total = getattr(df, 'to_' + 'csv')('x')", "computed name"),
        ("total = get_ipython().system('ls')", "get_ipython"),
        ("total = open('new.txt', 'a').write('x')", "opens a file"),
        ("total = open('new.txt', mode=m)", "opens a file"),
        ("total = df.to_csv('other.csv')", "calls to_csv"),
        ("total = df.to_json(path_or_buf='other.json')", "calls to_json"),
        ("df.to_csv('out.csv')\ntotal = 1", "calls to_csv"),
        ("total = pd.read_csv('https://example.org/x.csv')", "URL"),
        ("total = pd.read_pickle('x.pkl')", "calls read_pickle"),
        ("from pathlib import Path\nPath('orders.csv').unlink()\ntotal = 1", "calls unlink"),
    ],
)
def test_acts_beyond_the_data_are_shown_only(code: str, said: str) -> None:
    level, why = judged(code)
    assert level == "display"
    assert said in why


@pytest.mark.parametrize(
    "code",
    [
        "total = df['amount'].dropna().astype(float).sum()",
        "total = df.head(10)['amount'].sum()",
        "total = pd.to_numeric(df['amount'], errors='coerce').sum()",
        "df = df[df['amount'].notna()]\ntotal = df['amount'].sum()",
        "df = df[df['amount'] > '0']\ntotal = df['amount'].sum()",
        "df = df[~df['amount'].isna()]\ntotal = df['amount'].sum()",
        "df = pd.read_csv('orders.csv', on_bad_lines='skip')\ntotal = 1",
        "df = pd.read_csv('orders.csv', nrows=10)\ntotal = 1",
        "try:\n    total = df['amount'].astype(float).sum()\nexcept ValueError:\n    total = 0",
        "import warnings\nwarnings.filterwarnings('ignore')\ntotal = 1",
        "total = df['amount'].fillna(0).sum()",
    ],
)
def test_what_may_hide_the_fault_needs_a_person(code: str) -> None:
    assert judged(code)[0] == "unsafe"


def test_without_a_criterion_or_a_cause_a_person_decides() -> None:
    cell, after = Cell("x = 1"), Cell("x = 2")
    level, why = weigh(cell, after, judged=False, stated=True)
    assert (str(level), why) == ("unsafe", ("no assertion or expectation says what a right result is",))
    assert weigh(cell, after, judged=True, stated=False)[1] == ("names no cause",)


def test_a_cell_that_was_not_python_has_no_authority() -> None:
    assert weigh(Cell("import os\nx = ("), Cell("import os\nx = 1"), judged=True, stated=True)[0] == "display"
