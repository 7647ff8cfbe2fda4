"""`--harden`: what is offered for a cell that passes, and that it is the same cell."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import reflex_magic.repairs.hardening
from reflex_magic.core.report import Report
from reflex_magic.repairs.hardening import HARDENINGS
from reflex_magic.repairs.rule import Repair
from tests.end_to_end.conftest import Notebook

SALES = """\
import numpy as np
import pandas as pd
sales = pd.DataFrame({"units": [1, 2, 3], "price": [9.5, 4.0, 2.5], "city": ["Bern", "Oslo", "Bern"]}, index=[7, 8, 9])
cities = pd.DataFrame({"city": ["Bern", "Oslo"], "country": ["CH", "NO"]})
factor = 2
"""


def harden(notebook: Notebook, cell: str, setup: str = SALES) -> Report:
    notebook.run(setup)
    return notebook.reflect(cell, "--harden --accept --no-model")


def test_every_rule_is_registered() -> None:
    found = set()
    for module in pkgutil.iter_modules(reflex_magic.repairs.hardening.__path__):
        loaded = importlib.import_module(f"reflex_magic.repairs.hardening.{module.name}")
        found |= {c for c in vars(loaded).values() if isinstance(c, type) and c.__module__ == loaded.__name__}
    assert {c for c in found if issubclass(c, Repair)} == set(HARDENINGS)


@pytest.mark.parametrize("rule", HARDENINGS, ids=lambda rule: rule.name)
def test_the_example_is_offered_and_never_applied(notebook: Notebook, rule: type[Repair]) -> None:
    example = rule.example()
    report = harden(notebook, example.cell, example.setup)
    (proposal,) = [p for p in report.proposals if p.origin == f"rule:{rule.name}"]
    assert (report.status, report.decision) == ("passed", None)
    assert proposal.source == example.after
    assert proposal.evidence
    if rule.name == "repeated-text":
        assert proposal.reasons[0].startswith("other than before: `rides`"), "its dtype is"
        assert proposal.verdict == "inconclusive"
    else:
        assert proposal.reasons[0].startswith("every variable is as before")
        assert proposal.verdict == "holds"
    assert rule.name in notebook.shown
    assert "harden" in notebook.shown
    again = harden(notebook, example.after, example.setup)
    assert rule.name not in [p.origin.partition(":")[2] for p in again.proposals], "nothing is left to offer"


SAME = [
    ("x = sales.apply(lambda r: r.units * r.price, axis=1)", "x = sales.units * sales.price"),
    (
        "x = 2 * sales.apply(lambda r: r['units'] + r['price'], axis='columns')",
        "x = 2 * (sales['units'] + sales['price'])",
    ),
    ("sales['x'] = sales.apply(lambda r: -r['price'] / factor, axis=1)", "sales['x'] = -sales['price'] / factor"),
    ("sales['x'] = sales.apply(lambda r: np.sqrt(r['price']) > 2, axis=1)", "sales['x'] = np.sqrt(sales['price']) > 2"),
    ("x = sales['price'].apply(lambda p: round(p * 1.1, 1))", "x = round(sales['price'] * 1.1, 1)"),
    ("x = list(sales['price'].apply(lambda p: p * 2))", "x = list(sales['price'] * 2)"),
    ("x = sales['city'].map(lambda c: c.upper().strip())", None),
    ("x = sales['city'].map(lambda c: c.lower() == 'bern')", "x = sales['city'].str.lower() == 'bern'"),
    (
        "for k, row in sales.iterrows():\n    # each\n    sales.loc[k, 'total'] = row['price'] * 2",
        "sales['total'] = sales['price'] * 2",
    ),
    (
        "x = sales.merge(cities, how='left', on='city')",
        "x = sales.merge(cities, how='left', on='city', validate=\"m:1\")",
    ),
    (
        "x = cities.merge(sales, on='city', validate='1:m')",
        "x = cities.merge(sales, on='city', validate='1:m', how=\"inner\")",
    ),
]


@pytest.mark.parametrize(("cell", "after"), SAME, ids=[c for c, _ in SAME])
def test_what_is_offered_leaves_the_same_variables(notebook: Notebook, cell: str, after: str | None) -> None:
    report = harden(notebook, cell)
    assert [p.source for p in report.proposals] == ([] if after is None else [after])
    assert all(p.reasons[0].startswith("every variable is as before") for p in report.proposals)


LEFT_ALONE = [
    "x = sales.apply(lambda r: str(r['units']), axis=1)",
    "x = sales.apply(lambda r: r['units'] if r['price'] > 3 else 0, axis=1)",
    "x = sales.apply(lambda r: r['units'] * cities, axis=1) if False else 1",
    "x = sales[['units', 'price']].apply(lambda c: c.max())",
    "x = sales['units'].apply(lambda u: [u])",
    "x = sales['city'].map(lambda c: c.split('e'))",
    "x = sales.groupby('city', dropna=False)['units'].apply(lambda u: u * 2)",
    "def round(v, n):\n    return 0\nx = sales['price'].apply(lambda p: round(p, 1))",
    "total = 0\nfor k, row in sales.iterrows():\n    total += row['units']",
    "for k, row in sales.iterrows():\n    cities.loc[0, 'n'] = row['units']",
    "x = sales.merge(cities, how='left', on='city', validate='m:1')",
    "x = sales.merge(sales, how='inner', on='city', suffixes=('', '_2'))",
    "with open('plain.txt', 'w') as f:\n    f.write('ASCII')\nwith open('plain.txt') as f:\n    x = f.read()",
    "x = 1 + 1",
]


@pytest.mark.parametrize("cell", LEFT_ALONE)
def test_nothing_is_offered(notebook: Notebook, cell: str) -> None:
    report = harden(notebook, cell)
    assert (report.status, report.proposals) == ("passed", [])
    assert "reflect" not in notebook.shown


def test_what_differs_is_named(notebook: Notebook) -> None:
    """A row of whole numbers and fractions is a row of fractions: the column was one of fractions."""
    setup = "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2], 'b': [3, 4], 'c': [0.5, 1.5]})"
    report = harden(notebook, "x = df.apply(lambda r: r['a'] * r['b'], axis=1)", setup)
    assert [(p.verdict, p.reasons[0]) for p in report.proposals] == [("inconclusive", "other than before: `x`")]


def test_a_person_takes_one_and_takes_it_back(notebook: Notebook) -> None:
    notebook.run(SALES)
    notebook.reflect("x = sales.apply(lambda r: r.units * r.price, axis=1)", "--harden --ask --no-model")
    before = notebook["x"]
    notebook.run("%reflect accept")
    assert "Hardened and accepted" in notebook.shown
    assert notebook["x"].equals(before)  # type: ignore[attr-defined]
    assert notebook["x"] is not before
    notebook.run("%reflect undo")
    assert notebook["x"] is before


def test_a_loop_is_told_to_be_slower(notebook: Notebook) -> None:
    setup = "import pandas as pd\ndf = pd.DataFrame({'a': range(20_000), 'b': range(20_000)})"
    report = harden(notebook, "x = df.apply(lambda r: r['a'] * r['b'], axis=1)", setup)
    assert "times as fast" in report.proposals[0].reasons[0]


def test_findings_come_first(notebook: Notebook) -> None:
    """A cell that is repaired or doubtful is not hardened."""
    notebook.run(SALES)
    report = notebook.reflect("x = sales.apply(lambda r: r['Units'] * r['price'], axis=1)", "--harden --ask --no-model")
    assert report.status == "pending"
    assert {p.origin for p in report.proposals} == {"rule:near-miss-column"}
