"""What will surely fail is said beforehand; nothing else is."""

from __future__ import annotations

import pandas as pd
import pytest

from reflex_magic.core.cell import Cell
from reflex_magic.observe import forecast


@pytest.fixture
def names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.csv").write_text("a\n1\n")
    orders = pd.DataFrame({"region": ["n"], "eur": [1.0], "shop": ["7"]})
    shops = pd.DataFrame({"shop": [7], "city": ["x"]})
    return {"pd": pd, "orders": orders, "shops": shops, "eur": orders["eur"], "total": 0, "load": lambda: None}


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("print(totl)", "there is no `totl` (there is `total`)"),
        ("y = x + missing", "there is no `missing`"),
        ("assert missing > 0", "there is no `missing`"),
        ("for a in missing: pass", "there is no `missing`"),
        ("y = [a for a in missing]", "there is no `missing`"),
        ("y = missing(x)", "there is no `missing`"),
        ("if missing: y = 1", "there is no `missing`"),
        ("y = orders['Region']", "`orders` has no column `Region` (there is `region`)"),
        ("y = orders['tax'].sum()", "`orders` has no column `tax`"),
        ("y = orders.append(shops)", f"a DataFrame of pandas {pd.__version__} has no `append`"),
        ("y = eur.iteritems()", f"a Series of pandas {pd.__version__} has no `iteritems`"),
        ("y = pd.Panel()", f"pandas {pd.__version__} has no `Panel`"),
        ("y = pd.read_csv('not there.csv')", "there is no file `not there.csv`"),
        ("y = orders.merge(shops, on='shop')", "`shop` is text in `orders` and numbers in `shops`"),
    ],
)
def test_what_will_surely_fail(names, last, said):
    found = forecast(Cell(f"x = 1\n\n{last}", 1), names)
    assert (found.line, found.message) == (4, said)


@pytest.mark.parametrize(
    "body",
    [
        "print(missing)",  # fails at once
        "x = 1\nprint(total, x, orders['eur'])",
        "def f():\n    return later\nlater = 1\nf()",
        "x = 1\ny = lambda: missing",
        "x = 1\ny = x or missing",
        "x = 1\ny = 1 if x else missing",
        "x = 1\ny = [missing for a in []]",
        "x = 1\ntry:\n    missing\nexcept NameError:\n    pass",
        "x = 1\nif False:\n    missing",
        "from os.path import *\nprint(join)",
        "exec('missing = 1')\nprint(missing)",
        "globals()['missing'] = 1\nprint(missing)",
        "x = 1\nprint((missing := 2) + missing)",
        "for missing in range(3): pass\nprint(missing)",
        "with open('there.csv') as missing: pass\nprint(missing)",
        "import os.path\nprint(os)",
        "match total:\n    case missing: pass\nprint(missing)",
        "class A: pass\nprint(A)",
        "orders['tax'] = 1\ny = orders['tax']",
        "orders = load()\ny = orders['tax']",
        "load()\norders.insert(0, 'tax', 1)\ny = orders['tax']",
        "frame = orders\nframe['tax'] = 1\ny = orders['tax']",
        "def f(frame):\n    frame['tax'] = 1\nf(orders)\ny = orders['tax']",
        "orders.to_csv('not there.csv')\ny = pd.read_csv('not there.csv')",
        "load()\ny = pd.read_csv('not there.csv')",
        "x = 1\ny = pd.read_csv('there.csv')",
        "x = 1\ny = pd.read_csv('https://example.org/a.csv')",
        "x = 1\nraise SystemExit\nprint(missing)",
        "shops['shop'] = shops['shop'].astype(str)\ny = orders.merge(shops, on='shop')",
        "x = 1\ny = orders.region\nz = orders.groupby('region')",
        "x = 1\norders.tax = 1",
        "x = (",
        "",
    ],
)
def test_what_may_go_well_is_not_told(names, body):
    assert forecast(Cell(body, 1), names) is None


def test_pandas_that_the_cell_imports_itself_is_known(names):
    del names["pd"]
    found = forecast(Cell("import pandas as pd\nx = pd.read_csv('there.csv')\ny = pd.read_csv('no.csv')", 0), names)
    assert found.line == 3


def test_a_function_of_the_cell_that_binds_names_out_of_sight_is_not_trusted_for_columns(names):
    body = "def f():\n    global orders\n    orders = 1\nf()\ny = orders['tax']"
    assert forecast(Cell(body, 1), names) is None
