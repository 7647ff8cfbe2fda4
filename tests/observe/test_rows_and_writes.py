"""What is noted about rows in order, averages, picked rows, bins, writes and results that nobody takes."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_magic.core.outcome import Completed
from tests.observe.stepper import run_body

SETUP = """
import warnings
warnings.simplefilter('ignore')
panel = pd.DataFrame({
    'id': ['a', 'a', 'b', 'b'], 'day': pd.to_datetime(['2024-01-01', '2024-01-02'] * 2), 'v': [1.0, 2.0, 9.0, None],
})
woven = panel.sort_values(['day', 'id'], ignore_index=True)
mixed = panel.iloc[[1, 0, 3, 2]]
f = pd.DataFrame({'k': ['x', 'y', 'z', 'x'], 'v': [3.0, 1.0, 3.0, None], 'n': [1, 2, 3, 4]})
long = pd.DataFrame({'id': np.repeat(np.arange(40), 500), 'week': np.tile(np.arange(500), 40), 'v': np.arange(20000.0)})
"""


def one(body: str, kind: str) -> dict[str, Any] | None:
    run = run_body(f"import warnings\nwarnings.simplefilter('ignore')\n{body}", SETUP)
    assert isinstance(run.outcome, Completed), run.outcome
    facts = [dict(op.facts) for op in run.operations if op.kind == kind]
    assert len(facts) < 2
    return facts[0] if facts else None


@pytest.mark.parametrize(
    ("body", "order", "back", "late", "groups"),
    [
        ("x = panel['v'].diff()", "day", 1, False, {"id": (2, 1, "blocks")}),
        ("x = panel.v.cumsum()", "day", 1, False, {"id": (2, 1, "blocks")}),
        ("x = woven['v'].diff()", "day", 0, False, {"id": (2, 3, "woven")}),
        ("x = mixed['v'].diff()", "day", 2, False, {"id": (2, 1, "")}),
        ("x = panel['v'].ffill()", "day", 1, False, {}),
        ("x = panel['v'].bfill()", "day", 1, False, {}),
        ("x = woven['v'].ffill()", "day", 0, False, {"id": (2, 1, "woven")}),
        ("x = panel.iloc[::-1]['v'].shift()", "day", 2, False, {"id": (2, 1, "")}),
        ("x = panel.drop(columns='id').sort_values('day', ascending=False)['v'].diff()", "day", 1, True, {}),
        ("x = long['v'].diff()", "week", 39, False, {"id": (40, 39, "blocks")}),
    ],
)
def test_row_order(body: str, order: str, back: int, late: bool, groups: dict[str, tuple[int, int, str]]) -> None:
    facts = one(body, "row_order")
    assert facts is not None
    assert (facts["order"], facts["back"], facts["late"]) == (order, back, late)
    assert {k: (g["distinct"], g["changes"], g["layout"]) for k, g in facts["groups"].items()} == groups


@pytest.mark.parametrize(
    "body",
    [
        "x = panel.groupby('id')['v'].diff()",
        "x = panel['v'].sum()",
        "x = panel[panel['id'] == 'a']['v'].diff()",
        "s = panel['v']\nx = s.diff()",
        "x = panel.drop(columns='id').sort_values('day')['v'].diff()",
    ],
)
def test_no_row_order(body: str) -> None:
    assert one(body, "row_order") is None


@pytest.mark.parametrize(
    ("body", "facts"),
    [
        ("x = f['v'].idxmax()", {"method": "idxmax", "left": 1, "rows": 4}),
        ("x = f.nlargest(1, 'v')", {"method": "nlargest", "left": 1, "rows": 4}),
        ("x = f.nlargest(2, 'v')", None),
        ("x = f['v'].idxmin()", None),
        ("x = f['n'].mode()", None),
        ("x = f['v'].mode()", None),
        ("x = pd.Series([1, 1, 2, 2, 3]).mode()", {"method": "mode", "left": 1, "rows": 5}),
    ],
)
def test_ties(body: str, facts: dict[str, Any] | None) -> None:
    assert one(body, "ties") == facts


@pytest.mark.parametrize(
    ("body", "method", "taken", "dates"),
    [
        ("x = panel['v'].iloc[-1]", "last", 1, {"day": 0}),
        ("x = mixed['v'].iloc[-1]", "last", 1, {"day": 1}),
        ("x = mixed.iloc[0]", "first", 1, {"day": 1}),
        ("x = mixed.head(2)", "head", 2, {"day": 1}),
        ("x = mixed.v.tail(3)", "tail", 3, {"day": 1}),
        ("x = mixed.groupby('id')['v'].last()", "last", 1, {"day": 2}),
        ("x = panel.groupby('id').last()", "last", 1, {"day": 0}),
        ("x = mixed.groupby('id').agg(v=('v', 'first'))", "first", 1, {"day": 2}),
    ],
)
def test_ends(body: str, method: str, taken: int, dates: dict[str, int]) -> None:
    facts = one(body, "ends")
    assert facts is not None
    assert (facts["method"], facts["taken"], facts["dates"]) == (method, taken, dates)


@pytest.mark.parametrize(
    ("body", "lost", "below", "above"),
    [
        ("x = pd.cut(f['n'], [1, 2, 4])", 1, 0, 0),
        ("x = pd.cut(f['n'], [1, 2, 4], right=False)", 1, 0, 0),
        ("x = pd.cut(f['n'], [2, 3])", 3, 1, 1),
        ("x = pd.cut(f['v'], bins=[2, 9])", 1, 1, 0),
        ("x = np.histogram(f['n'], bins=[2, 4])", 1, 1, 0),
        ("from pandas import cut\nx = cut(f['n'].to_numpy(), [1, 4])", 1, 0, 0),
    ],
)
def test_bins(body: str, lost: int, below: int, above: int) -> None:
    facts = one(body, "bins")
    assert facts is not None
    assert (facts["lost"], facts["below"], facts["above"]) == (lost, below, above)


@pytest.mark.parametrize(
    "body",
    ["x = pd.cut(f['n'], [0, 4])", "x = pd.cut(f['v'], [0, 5])", "x = pd.cut(f['n'], 2)", "x = pd.qcut(f['n'], 2)"],
)
def test_no_bins(body: str) -> None:
    assert one(body, "bins") is None


@pytest.mark.parametrize(
    ("body", "key", "value"),
    [
        ("x = pd.DataFrame({'t': [5.0, 6, 7, 8, -99]})['t'].mean()", "sentinel", {"count": 1, "shape": "-99"}),
        ("x = pd.DataFrame({'t': [50.0, 51, 52, 53, 54, 0, 0]})['t'].mean()", "zeros", {"count": 2, "looked": 7}),
        ("f['r'] = f['v'] / f['n']\nx = f['r'].mean()", "ratio", {"of": ("v", "n")}),
        ("f['r'] = 100 * f['v'] / f['n']\nx = f['r'].mean()", "ratio", {"of": ("v", "n")}),
        (
            "x = pd.DataFrame({'k': ['a', 'b', 'Total'], 'v': [1, 2, 3]})['v'].sum()",
            "totals",
            {"column": "k", "rows": 1},
        ),
        ("x = pd.DataFrame({'v': [1, 2, 3]}, index=['a', 'b', 'All'])['v'].sum()", "totals", {"column": "", "rows": 1}),
    ],
)
def test_average(body: str, key: str, value: dict[str, Any]) -> None:
    facts = one(body, "average")
    assert facts is not None
    assert {k: facts[key][k] for k in value} == value


def test_values_that_only_look_like_markers() -> None:
    for body in (
        "x = pd.DataFrame({'t': [-5.0, 6, 7, 8, -99]})['t'].mean()",
        "x = pd.DataFrame({'t': [50.0, 510, 52, 999, 54, 999]})['t'].mean()",
        "x = pd.DataFrame({'t': [5.0, 6, 3, 3, 0, 0]})['t'].mean()",
        "x = pd.DataFrame({'k': ['a', 'b', 'Total'], 'v': [1, 2, 4]})['v'].sum()",
        "x = pd.DataFrame({'k': ['a', 'b', 'Total'], 'v': [1, 2, 3]}).groupby('k')['v'].sum()",
    ):
        assert one(body, "average") is None, body


@pytest.mark.parametrize(
    ("body", "facts"),
    [
        ("f.dropna()\nn = 1", {"method": "dropna", "rows": 4, "made": 3, "of_text": False}),
        ("f['k'].replace('x', 'w')\nn = 1", {"method": "replace", "rows": 4, "made": 4, "of_text": False}),
        ("f['k'].str.upper()\nn = 1", {"method": "upper", "rows": 4, "made": 4, "of_text": False}),
        ("t = ' x'\nt.strip()\nn = 1", {"method": "strip", "rows": 0, "made": 0, "of_text": True}),
        ("if True:\n    f.dropna()", {"method": "dropna", "rows": 4, "made": 3, "of_text": False}),
        ("for g in [f]:\n    g = g.dropna()", {"method": "dropna", "rows": 4, "made": 3, "of_text": False}),
        ("f.dropna()", None),
        ("f.drop_duplicates()\nn = 1", None),
        ("g = f.dropna()\nn = 1", None),
        ("for g in [f]:\n    g = g.dropna()\n    print(len(g))", None),
    ],
)
def test_not_kept(body: str, facts: dict[str, Any] | None) -> None:
    assert one(body, "not_kept") == facts


@pytest.mark.parametrize(
    ("body", "left", "right", "rows", "matched"),
    [
        ("x = f['v'][1:] - f['v'][:-1]", 3, 3, 4, 2),
        ("x = f[['v', 'n']] / f['n']", 2, 4, 6, 0),
        ("x = f[['v', 'n']].div(f['n'])", 2, 4, 6, 0),
        ("x = f['v'] - f.set_index('k')['v'].rename(None).rename_axis(None)", 4, 4, 8, 0),
    ],
)
def test_arithmetic(body: str, left: int, right: int, rows: int, matched: int) -> None:
    facts = one(body, "arithmetic")
    assert facts is not None
    assert (facts["left"], facts["right"], facts["rows"], facts["matched"]) == (left, right, rows, matched)


def test_crosstab_and_counts() -> None:
    poll = "poll = pd.DataFrame({'a': ['x', None, 'y', 'x'], 'b': ['p', 'q', None, 'p']})\n"
    facts = one(poll + "t = pd.crosstab(poll['a'], poll['b'])", "crosstab")
    assert facts == {"rows": 4, "keys": ("a", "b"), "missing": 2, "aggregations": ("size",), "total": None}
    facts = one(poll + "t = pd.crosstab(poll['a'], poll['b'], dropna=False)", "crosstab")
    assert facts is not None
    assert facts["missing"] == 0
    facts = one(poll + "n = poll['a'].value_counts()", "value_counts")
    assert facts is not None
    assert (facts["missing"], facts["total"]) == (1, 3)
    assert one(poll + "n = poll['a'].value_counts(dropna=False)", "value_counts") is None
