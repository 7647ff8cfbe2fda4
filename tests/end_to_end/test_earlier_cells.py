"""Failures whose cause stands in an earlier cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.conftest import Notebook

ORDERS = """\
import pandas as pd
orders = pd.DataFrame({"Region": ["north", "south"], "amount": ["$1,200.00", "$3.50"]})
"""

TOTAL = """\
def total(df):
    amounts = df["amount"].astype(float)
    return amounts.sum()"""


def test_the_function_is_offered_anew_and_a_person_takes_it(notebook: Notebook) -> None:
    notebook.run(ORDERS + TOTAL)
    old = notebook.run("total").result  # type: ignore[attr-defined]
    report = notebook.reflect("result = total(orders)")
    assert report.status == "pending", "other cells will find the function as well"
    assert 'in `total` (In[1], line 4): `df["amount"].astype(float)`' in report.findings[0].message
    assert "in `total` of In[1], line 4" in report.proposals[0].title
    assert notebook["total"] is old
    notebook.run("%reflect accept")
    assert notebook["result"] == 1203.5
    assert notebook.run("total(orders)").result == 1203.5  # type: ignore[attr-defined]
    notebook.run("%reflect undo")
    assert notebook["total"] is old
    assert "result" not in notebook.shell.user_ns


DEEPER = """\
def report(df):
    return {"total": total(df)}"""


@pytest.mark.parametrize(
    ("setup", "cell", "source"),
    [
        (
            "def regions(df):\n    return df.groupby('region')['amount'].count()",
            "n = len(regions(orders))",
            "def regions(df):\n"
            "    return df.rename(columns={\"Region\": \"region\"}).groupby('region')['amount'].count()\n"
            "\n\nn = len(regions(orders))",
        ),
        (
            f"{TOTAL}\n\n{DEEPER}",
            "n = 1\nsums = report(orders)\nassert sums['total'] > 0",
            "n = 1\n"
            "def total(df):\n"
            '    amounts = df["amount"].str.replace("[$,]", "", regex=True).astype(float)\n'
            "    return amounts.sum()\n"
            "\n\nsums = report(orders)\nassert sums['total'] > 0",
        ),
        (
            TOTAL,
            "import math\nempty = total(orders.head(0))\nfull = total(orders)",
            "import math\n"
            "def total(df):\n"
            '    amounts = df["amount"].str.replace("[$,]", "", regex=True).astype(float)\n'
            "    return amounts.sum()\n"
            "\n\nempty = total(orders.head(0))\nfull = total(orders)",
        ),
        (
            "def root(df):\n    return np.sqrt(len(df))",
            "x = root(orders)",
            "import numpy as np\ndef root(df):\n    return np.sqrt(len(df))\n\n\nx = root(orders)",
        ),
    ],
    ids=["a column", "called by another function", "called before", "an import"],
)
def test_it_stands_above_what_calls_it(notebook: Notebook, setup: str, cell: str, source: str) -> None:
    notebook.run(f"{ORDERS}{setup}")
    report = notebook.reflect(cell)
    assert report.proposals[0].source == source
    assert str(report.proposals[0].verdict) == "holds"


NOT_PLAIN = {
    "a closure": "def made(name):\n    def total(df):\n        return df[name].astype(float).sum()\n    return total\n"
    "total = made('amount')",
    "a decorated one": "import functools\n@functools.cache\ndef read():\n    return orders['amount'].astype(float)\n"
    "def total(df):\n    return df.pipe(lambda d: read())",
    "a method": "class T:\n    def of(self, df):\n        return df['amount'].astype(float).sum()\ntotal = T().of",
    "a lambda": "total = lambda df: df['amount'].astype(float).sum()",
    "one that has another meaning by now": f"{TOTAL}\nfirst = total\ndef total(df):\n    return first(df)",
}


@pytest.mark.parametrize("kind", NOT_PLAIN)
def test_what_cannot_be_defined_anew_is_left_alone(notebook: Notebook, kind: str) -> None:
    notebook.run(ORDERS + NOT_PLAIN[kind])
    report = notebook.reflect("result = total(orders)")
    assert (report.status, report.proposals) == ("unresolved", [])


def test_a_module_of_the_analysts_is_left_alone(notebook: Notebook, here: Path) -> None:
    (here / "helpers_of_mine.py").write_text(TOTAL)
    notebook.run(f"import sys\nsys.path.insert(0, '')\n{ORDERS}from helpers_of_mine import total")
    report = notebook.reflect("result = total(orders)")
    assert (report.status, report.proposals) == ("unresolved", [])


def test_it_says_where_the_data_were_made(notebook: Notebook, here: Path) -> None:
    (here / "orders.csv").write_text("region,amount\nnorth,twelve\nsouth,7\n")
    notebook.run("import pandas as pd\n\norders = pd.read_csv('orders.csv')\nother = orders")
    notebook.run("%%reflect --no-model\norders['tax'] = 1.2\nfactor = 2")
    report = notebook.reflect("x = factor * orders['amount'].astype(float)")
    assert report.notes[0] == "`orders` was made in In[1], line 3: `orders = pd.read_csv('orders.csv')`"
    assert "`orders` was made in In[1], line 3" in " ".join(notebook.shown.split())
    report = notebook.reflect("orders = orders.head(1)\nx = orders['amount'].astype(float)")
    assert not [n for n in report.notes if "was made" in n], "it is the cell's own"
    report = notebook.reflect("x = factor.upper()")
    assert not [n for n in report.notes if "was made" in n], "no data"
