"""The parts of an assertion, with their values as text."""

from __future__ import annotations

import pytest

from reflex_magic.core.outcome import Completed, Raised
from reflex_magic.observe import CellObserver
from tests.observe.stepper import run_body

SETUP = (
    "df = pd.DataFrame({'k': ['a', None, 'b'], 'v': [1, 2, 4], 'ok': [True, False, False]})\n"
    "counts = df.groupby('k')['v'].count()\n"
)


@pytest.mark.parametrize(
    ("test", "operands"),
    [
        ("counts.sum() == len(df)", [("counts.sum()", "2"), ("len(df)", "3")]),
        ("len(df) == 4, 'wrong'", [("len(df)", "3")]),
        ("1 < counts.sum() < df['v'].iloc[0]", [("counts.sum()", "2"), ("df['v'].iloc[0]", "1")]),
        ("df['ok'].all()", [("df['ok']", "2 of 3 are False")]),
        ("(df['ok'] & False).any()", [("df['ok'] & False", "0 of 3 are True")]),
        ("df['v'].eq(2).all()", [("df['v']", "Series of 3 int64, sum 7"), ("df['v'].eq(2)", "2 of 3 are False")]),
        (
            "(df['v'].to_numpy() > 1).all()",
            [("df['v'].to_numpy()", "ndarray of 3 int64"), ("df['v'].to_numpy() > 1", "1 of 3 are False")],
        ),
        ("not df['ok'].any()", [("df['ok']", "1 of 3 are True")]),
        ("len(df) == 3 and df.empty", [("len(df)", "3"), ("df.empty", "False")]),
        ("df.equals(counts)", [("df", "DataFrame of 3 rows, 3 columns"), ("counts", "Series of 2 int64, sum 2")]),
        ("isinstance(df, list)", [("df", "DataFrame of 3 rows, 3 columns")]),
        ("abs(counts.sum() - 1.5) < 1e-9", [("abs(counts.sum() - 1.5)", "0.5")]),
        ("set(df.columns) == {'k'}", [("set(df.columns)", "set of 3")]),
        ("'x' * 300 == df['k'][0]", [("'x' * 300", "'" + "x" * 254 + "…"), ("df['k'][0]", "'a'")]),
        ("df.groupby('k').size().sum() == 3", [("df.groupby('k').size().sum()", "2")]),
        ("False", []),
    ],
)
def test_operands(test: str, operands: list[tuple[str, str]]) -> None:
    run = run_body(f"assert {test}", SETUP)
    assert isinstance(run.outcome, Raised)
    assert [(o.expression, o.text) for o in run.outcome.operands] == operands


def test_nothing_is_evaluated_twice() -> None:
    run = run_body("assert tick() == tick() + 5", "n = []\ndef tick():\n    n.append(1)\n    return len(n)\n")
    assert isinstance(run.outcome, Raised)
    assert [(o.expression, o.text) for o in run.outcome.operands] == [("tick()", "1"), ("tick() + 5", "7")]


def test_the_assertion_that_ran_last() -> None:
    run = run_body("assert len('ab') == 2\nfor n in [1, 2, 3]:\n    assert abs(n) < 3, n\n")
    assert isinstance(run.outcome, Raised)
    assert [(o.expression, o.text) for o in run.outcome.operands] == [("abs(n)", "3")]
    observer = CellObserver()
    run = run_body("assert len('ab') == 2", observer=observer)
    assert isinstance(run.outcome, Completed)
    assert [o.text for o in observer.operands()] == ["2"]


def test_what_an_object_says_of_itself_is_not_asked() -> None:
    run = run_body("assert thing == 1", "class T:\n    def __repr__(self):\n        raise SystemExit\nthing = T()\n")
    assert isinstance(run.outcome, Raised)
    assert [(o.expression, o.text) for o in run.outcome.operands] == [("thing", "T")]
