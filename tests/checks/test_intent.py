"""Cells whose author knows what is left out, joined or repeated: silence, and beside them cells that do not show it."""

from __future__ import annotations

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.finding import Severity
from reflex_magic.core.outcome import Completed
from tests.observe.stepper import run_body

SETUP = """
staff = pd.DataFrame({"id": [1, 2, 3, 4], "boss": [None, 1, 1, 2], "eur": [9, 5, 6, 7]})
raw = pd.DataFrame({"v": ["12", "14b", "9"]})
digits = pd.DataFrame({"door": ["x", "x", "y"], "digit": ["0", "4", "7"], "code": ["12", "02", "07"]})
genes = pd.Series(["A", "a", "A"])
asked = pd.DataFrame({"part": ["a", "a"], "qty": [1.0, 2.0]})
offers = pd.DataFrame({"part": ["a", "a"], "price": [5.0, 4.0], "firm": ["x", "y"]})
"""

BY_BOSS = "n = staff.groupby('boss')['eur'].sum()\n"
NUMBERS = "n = pd.to_numeric(raw['v'], errors='coerce')\n"
JOINED = "both = asked.merge(offers, on='part')\n"

KNOWN = [
    BY_BOSS + "top = n.nlargest(2)\nprint(n)",
    BY_BOSS + "best = n.idxmax()",
    "best = staff.groupby('boss')['eur'].sum().idxmax()",
    BY_BOSS + "many = n[n > 6]\nshare = len(many) / len(n)",
    BY_BOSS + "two = n.loc[[1, 2]]",
    BY_BOSS + "staff['n'] = staff['id'].map(n).fillna(0)",
    BY_BOSS + "rest = staff['eur'].sum() - n.sum()",
    BY_BOSS + "assert n.sum() == staff.loc[staff['boss'].notna(), 'eur'].sum()",
    "# who has no boss does not count: left out by design\nx = 1\n" + BY_BOSS,
    NUMBERS + "m = raw[n.between(10, 20)]",
    NUMBERS + "bad = len(n) - n.count()",
    "n = pd.to_numeric(raw['v'], errors='coerce').dropna()",
    "raw['n'] = pd.to_numeric(raw['v'], errors='coerce')\nraw = raw.dropna(subset=['n'])",
    "code = digits.groupby('door')['digit'].sum()",
    "seq = digits.groupby('door')['code'].sum()\nlongest = seq.str.len().max()",
    "# the codes joined, in order\nseq = digits.groupby('door')['code'].sum()",
    "share = genes.map({'A': 1}).fillna(0).mean()",
    "n = genes.map({'A': 1})\nn = n.fillna(0)",
    "n = genes.map({'A': 1})\nothers = n.isna().sum()",
    JOINED + "best = both.groupby('qty')['firm'].first()",
    JOINED + "best = both.loc[both.groupby('qty')['price'].idxmin()]",
]

UNKNOWN = [
    (BY_BOSS + "print(n)", "group-keys-dropped"),
    (BY_BOSS + "top = n.nlargest(2)\nshare = top / n.sum()", "group-keys-dropped"),
    ("# totals by boss\nx = 1\n" + BY_BOSS, "group-keys-dropped"),
    (NUMBERS + "mean = n.mean()", "values-coerced-to-missing"),
    (NUMBERS + "m = raw[n.between(10, 20)]\nmean = n.mean()", "values-coerced-to-missing"),
    ("seq = digits.groupby('door')['code'].sum()", "numbers-joined-as-text"),
    ("share = genes.map({'A': 1}).mean()", "recoding-misses-spellings"),
    (JOINED + "cost = both['qty'].sum()", "join-multiplies-rows"),
]


def _codes(body: str) -> list[str]:
    run = run_body(body, SETUP)
    assert isinstance(run.outcome, Completed), run.outcome
    return [f.code for f in check_all(run) if f.severity is not Severity.NOTE]


@pytest.mark.parametrize("body", KNOWN)
def test_a_cell_that_shows_that_it_is_meant(body: str) -> None:
    assert _codes(body) == []


@pytest.mark.parametrize(("body", "code"), UNKNOWN)
def test_a_cell_that_does_not_show_it(body: str, code: str) -> None:
    assert _codes(body) == [code]
