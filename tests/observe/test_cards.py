"""Values as plain summaries, and the cards of steps."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reflex_magic.core.card import ColumnCard, ValueCard
from reflex_magic.core.outcome import Raised
from reflex_magic.observe import brief, describe
from tests.observe.stepper import run_body

FRAME = pd.DataFrame({"a": [1.0, None], 2: ["x", "y"]}, index=pd.Index(["i", "j"], name="row"))


def test_frame() -> None:
    assert describe("f", FRAME) == ValueCard(
        "f", "DataFrame", 2, (ColumnCard("a", "float64"), ColumnCard("2", str(FRAME[2].dtype))), ("row",)
    )
    counted = describe("f", FRAME, count_missing=True)
    assert [c.missing for c in counted.columns] == [1, 0]


def test_wide_and_doubled_columns() -> None:
    wide = pd.DataFrame(np.zeros((1, 300)))
    assert len(describe("w", wide).columns) == 100
    assert len(describe("w", wide, count_missing=True).columns) == 300
    doubled = pd.DataFrame([[1.0, None]], columns=["a", "a"])
    assert [c.missing for c in describe("d", doubled, count_missing=True).columns] == [0, 1]


@pytest.mark.parametrize(
    ("value", "card"),
    [
        (pd.Series([1, 2], name="n"), ValueCard("v", "Series", 2, (ColumnCard("n", "int64"),), ("",))),
        (pd.Index([1.5], name="i"), ValueCard("v", "Index", 1, (ColumnCard("i", "float64"),), ("i",))),
        (np.zeros((3, 2)), ValueCard("v", "ndarray", 3, (ColumnCard("", "float64"),))),
        ([1, 2], ValueCard("v", "list", 2)),
        ({"a": 1}, ValueCard("v", "dict", 1)),
        (7, ValueCard("v", "int", text="7")),
        (np.int64(7), ValueCard("v", "int64", text="7")),
        (None, ValueCard("v", "NoneType", text="None")),
        (pd.Timestamp("2024-01-01"), ValueCard("v", "Timestamp", text="Timestamp('2024-01-01 00:00:00')")),
        ("x" * 1000, ValueCard("v", "str", text="'" + "x" * 254 + "…")),
        (object(), ValueCard("v", "object")),
    ],
)
def test_other_values(value: Any, card: ValueCard) -> None:
    assert describe("v", value) == card


def test_an_integer_too_long_to_print() -> None:
    assert describe("v", 1 << 100_000).text == "an integer of 100001 bits"


def test_no_code_of_the_analyst_runs() -> None:
    class Strange:
        def __len__(self) -> int:
            raise AssertionError

        __repr__ = __str__ = __len__  # type: ignore[assignment]

        def __getattr__(self, name: str) -> Any:
            raise AssertionError

    class Broken(pd.DataFrame):
        @property
        def dtypes(self) -> Any:
            raise ZeroDivisionError

    assert describe("s", Strange()) == ValueCard("s", "Strange")
    assert brief(Strange()) == "Strange"
    assert describe("b", Broken({"a": [1]})) == ValueCard("b", "Broken")


def test_a_proxy_is_not_asked_for_its_class() -> None:
    setup = (
        "class Proxy:\n    @property\n    def __class__(self):\n        raise ZeroDivisionError\n"
        "    def sum(self):\n        return 1\np = Proxy()\n"
    )
    run = run_body("q = p\nn = p.sum()\nassert p.sum() == 2", setup)
    assert isinstance(run.outcome, Raised)
    assert run.outcome.ename == "AssertionError"
    assert run.cards[0].after == (ValueCard("q", "Proxy"),)


def test_steps_leave_cards() -> None:
    run = run_body(
        "import math\ndf['b'] = df['a'] * 2\nn = len(df)\nlog.append(n)\nnone = df[df['a'] > 5]\nbad = df['nothing']",
        "df = pd.DataFrame({'a': [1, 2]})\nlog = []\nunused = 1",
    )
    assert isinstance(run.outcome, Raised)
    imported, assigned, counted, appended, empty, failed = run.cards
    assert (imported.before, imported.after) == ((), ())
    assert [(v.name, len(v.columns)) for v in assigned.before + assigned.after] == [("df", 1), ("df", 2)]
    assert (assigned.step, assigned.line, assigned.source) == (1, 3, "df['b'] = df['a'] * 2")
    assert [(v.name, v.text) for v in counted.after] == [("n", "2")]
    assert [(v.name, v.rows) for v in appended.after] == [("log", 1)]
    assert [c.anomaly for c in run.cards] == [False, False, False, False, True, False]
    assert [(v.name, v.rows) for v in empty.after] == [("none", 0)]
    assert (failed.before[0].name, failed.after) == ("df", ())
    json.dumps([asdict(card) for card in run.cards])


def test_an_operation_that_lost_something_is_an_anomaly() -> None:
    run = run_body("n = df.groupby('k').size()\nm = df.size", "df = pd.DataFrame({'k': ['a', None]})")
    assert [c.anomaly for c in run.cards] == [True, False]


def test_nothing_is_counted_on_the_passing_path() -> None:
    run = run_body("out = df['a'] + 1", "df = pd.DataFrame({'a': [1.0, None]})")
    assert {c.missing for card in run.cards for v in card.before + card.after for c in v.columns} == {None}
