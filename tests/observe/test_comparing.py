"""Facts of comparisons, filters, text methods and whole numbers; nothing that the cell sees is changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.outcome import Completed
from reflex_magic.observe.readings import day, kind_of, number, truth
from tests.observe.stepper import run_body


def facts(body: str, setup: str, kind: str) -> dict[str, Any] | None:
    run = run_body(body, setup)
    assert isinstance(run.outcome, Completed), run.outcome
    found = [dict(op.facts) for op in run.operations if op.kind == kind]
    assert len(found) <= 1
    return found[0] if found else None


ROWS = "s = pd.Series(['Ulm', 'ulm', None, 'Jena'] * 1000, name='town')\n"


def test_a_comparison_that_misses_something() -> None:
    assert facts("x = s == 'Ulm'", ROWS, "compare") == {
        "op": "==",
        "column": "town",
        "rows": 4000,
        "matched": 1000,
        "left": "text",
        "right": "text",
        "how": "spelling",
        "near": 1000,
        "looked": 4000,
        "short": False,
        "blank": False,
        "alike": ("Ulm", "ulm"),
    }
    assert facts("x = s == 'Jena'", ROWS, "compare") is None


@pytest.mark.parametrize(
    ("body", "setup", "how", "near"),
    [
        ("x = s == 3", "s = pd.Series(['3', '03', 'x'])", "type", 2),
        ("x = s == '3'", "s = pd.Series([3.0, 3.0, 4.0])", "type", 2),
        ("x = s == 'True'", "s = pd.Series([True, False])", "type", 1),
        ("x = s != 0.3", "s = pd.Series([0.1 * 3, 0.3])", "rounding", 1),
        ("x = s >= 0.3", "s = pd.Series([0.3, 0.29999999999999993])", "rounding", 1),
        ("x = s == 0", "s = pd.Series([0.1 + 0.2 - 0.3, 0.5])", "rounding", 1),
        ("x = s == None", "s = pd.Series([1.0, np.nan])", "missing", 1),
        ("x = s == 'None'", "s = pd.Series(['a', None])", "word", 1),
        ("x = a != b", "a = pd.Series([np.nan, 1.0])\nb = pd.Series([np.nan, 2.0])", "both", 1),
        ("x = s == '2024'", "s = pd.Series(pd.to_datetime(['2024-01-01', '2024-03-01']))", "time", 1),
        (
            "x = s == '2024-01-01'",
            "s = pd.Series(pd.to_datetime(['2024-01-01 05:00', '2024-01-02 00:00'])).dt.tz_localize('Europe/Paris')",
            "time",
            1,
        ),
        ("x = s > '5'", "s = pd.Series(['10', '6', '4'])", "digits", 1),
        ("x = a == b", "a = pd.Series(['1', '2'])\nb = pd.Series([1, 3])", "type", 1),
        ("x = f.query('k == 1 and k != @y')", "f = pd.DataFrame({'k': ['1', '2']})\ny = '2'", "type", 1),
    ],
)
def test_how_values_are_missed(body: str, setup: str, how: str, near: int) -> None:
    found = facts(body, setup, "compare")
    assert found is not None
    assert (found["how"], found["near"]) == (how, near)


@pytest.mark.parametrize(
    ("body", "setup"),
    [
        ("x = s == 3", "s = pd.Series(['4', 'x'])"),
        ("x = s == 0.3", "s = pd.Series([0.3, 0.300001])"),
        ("x = s < 0.3", "s = pd.Series([0.1 * 3, 0.2])"),
        ("x = s != 0", "s = pd.Series([1e-9, 0.5])"),
        ("x = s == None", "s = pd.Series([1.0, 2.0])"),
        ("x = s == [1, 2]", "s = pd.Series([1, 2])"),
        ("x = s == '2024-01-01'", "s = pd.Series(pd.to_datetime(['2024-01-01 00:00', '2024-03-01 05:00']))"),
        ("x = s > '2024-01-05'", "s = pd.Series(['2024-01-10', '2024-01-06'])"),
        ("x = s == 3", "s = pd.Series([], dtype=float)"),
        ("x = s == 'a'", "s = pd.Series([['a'], {'b'}, None])"),
        ("x = f.query('`a b` == 1')", "f = pd.DataFrame({'a b': ['1']})"),
    ],
)
def test_where_nothing_is_missed(body: str, setup: str) -> None:
    assert facts(body, setup, "compare") is None


def test_what_stands_on_the_left_of_an_operator_may_be_a_number() -> None:
    found = facts("x = 1 - s", "s = pd.Series([7.0, 19.0], name='tax_rate')", "percent")
    assert found == {"column": "tax_rate", "operation": "-", "limit": "", "looked": 2, "above": 2, "largest": 100}
    assert run_body("x = 60 * 60\ny = 'a' + 'b'").operations == ()


def test_a_text_method_is_one_of_a_column() -> None:
    body = "n = ' SKU-K '.strip().lstrip('SKU-')\nt = 'SKU-K'\nm = t.lstrip('SKU-')\nx = s.str.lstrip('SKU-')"
    found = facts(body, "s = pd.Series(['SKU-K', 'SKU-1'])", "text")
    assert found == {"method": "lstrip", "column": "", "rows": 2, "looked": 2, "eaten": 1}


def test_a_comprehension_goes_through_its_column_once() -> None:
    setup = (
        "class Frame:\n    n = 0\n    @property\n    def town(self):\n        Frame.n += 1\n"
        "        return pd.Series(['a', np.nan])\nf = Frame()\n"
    )
    run = run_body("x = [v for v in f.town if v]\ny = [v for v in [1, 2]]\nz = {v for v in f.town}\nn = Frame.n", setup)
    names: Any = run.handle
    assert (names["n"], names["x"][0], names["y"]) == (2, "a", [1, 2])
    assert [op.expression for op in run.operations if op.kind == "elementwise"] == ["f.town", "f.town"]


def test_operators_give_what_they_give_without_probes() -> None:
    setup = "s = pd.Series([1, 0, 1])\nf = pd.Series([True, False, True])\n"
    body = "a = (~s).tolist()\nb = (~f).tolist()\nc = 2 in s\nd = 5 not in s\ne = (1 - s).tolist()\ng = [] in [[]]"
    names: Any = run_body(body, setup).handle
    assert [names[n] for n in "abcdeg"] == [[-2, -1, -2], [False, True, False], True, True, [0, 1, 0], True]


@pytest.mark.parametrize(
    ("body", "wrapped"),
    [
        ("x = a * a", 1),
        ("x = a + 100", 1),
        ("x = a.astype('int64') * a", None),
        ("x = u - 5", 2),
        ("x = u.astype('int16') - 5", None),
        ("x = b * b", 1),
        ("x = b + b", None),
        ("x = b ** 3", 1),
        ("x = a ** 2", 1),
        ("x = b.prod()", None),
        ("x = (b * 4).prod()", 1),
    ],
)
def test_whole_numbers_that_do_not_fit(body: str, wrapped: int | None) -> None:
    setup = (
        "a = pd.Series([100, 3], dtype='int8')\nu = pd.Series([3, 5, 4], dtype='uint8')\n"
        "b = pd.Series([2, 2 ** 61 + 1], dtype='int64')\n"
    )
    found = facts(body, setup, "integers")
    assert (found["wrapped"] if found else None) == wrapped


def test_readings() -> None:
    texts = ["1,200", "$5.50", "12%", "(3)", " 7 ", "-2", "1e3", "x", "1-2", "", "12.5.2024"]
    assert [number(t) for t in texts] == [1200, 5.5, 12, -3, 7, -2, 1000, None, None, None, None]
    assert [truth(t) for t in ("True", "no ", "2", True, 1)] == [True, False, None, True, None]
    assert [day(t) for t in ("2024-01-05 10:00", "5.1.2024", 3, None)] == ["2024-01-05", None, None, None]
    values: list[Any] = [1, "a", True, None, float("nan"), []]
    assert [kind_of(v) for v in values] == [
        "number", "text", "truth", "missing", "missing", "",
    ]  # fmt: skip


def test_findings_hold_no_values_of_the_data() -> None:
    setup = (
        "f = pd.DataFrame({'a': ['Zürich-71', 'zürich-71 ', 'Q-Q5'], 'b': ['98,761', '3', '10'],"
        " 'm': pd.Series(['98,761', 35, 'Zürich'], dtype=object), 'n': [98761, 2, 3]})\n"
    )
    body = (
        "x = f[f['a'] == 'Zürich-71']\ny = f['b'].min()\nz = f['m'].str.upper()\nv = f['b'].replace(',', '')\n"
        "w = f['a'].str.lstrip('Q-')\nu = f['a'].nunique()\nt = f['n'].astype('int16')\nq = f[f['b'] == 98761]\n"
    )
    found = check_all(run_body(body, setup))
    assert len(found) >= 7
    for finding in found:
        told = json.dumps([finding.message, finding.suggestion, dict(finding.evidence)], ensure_ascii=False)
        told = told.replace(finding.expression, "")
        assert not any(value in told for value in ("rich", "98761", "98,761", "Q5"))
