"""What is noted about joins, lookups and stacked tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from reflex_magic.observe.keys import alike, beyond, is_numbered
from tests.observe.stepper import run_body

SETUP = """
left = pd.DataFrame({'k': ['a', 'B ', 'z', 'z'], 'v': [1.0, 2.0, 3.0, 4.0]})
right = pd.DataFrame({'k': ['a', 'b', 'c'], 'w': [10, 20, 30], 'v': [0.0, 0.0, 0.0]})
"""


def facts(body: str, kind: str, setup: str = SETUP) -> dict[str, Any]:
    (found,) = [op.facts for op in run_body(body, setup).operations if op.kind == kind]
    return dict(found)


@pytest.mark.parametrize(
    ("alone", "others", "others_alone", "expected"),
    [
        (["Ulm ", "x"], ["ulm"], [], {"Ulm "}),
        (["New  York"], ["new york"], [], {"New  York"}),
        (["007"], ["7"], ["7"], {"007"}),
        (["007"], ["7"], [], set()),
        ([7, 8], ["7"], ["7"], {7}),
        (["12.0"], [12], [12], {"12.0"}),
        ([0.1 + 0.2], [0.3], [0.3], {0.1 + 0.2}),
        ([0.31], [0.3], [0.3], set()),
        (["0"], ["00"], ["00"], {"0"}),
        ([None, np.nan, pd.NA, pd.NaT], [None], [None], set()),
        ([pd.Timestamp("2024-01-02 10:00")], [pd.Timestamp("2024-01-02")], [pd.Timestamp("2024-01-02")], 1),
        ([pd.Timestamp("2024-01-02 10:00")], [pd.Timestamp("2024-01-02 9:00")], [pd.Timestamp("2024-01-02 9:00")], 0),
        ([(2024, "b")], [(2024, "B")], [(2024, "B")], {(2024, "b")}),
        ([(2024, "b")], [(2023, "b")], [(2023, "b")], set()),
    ],
)
def test_alike(alone: list[Any], others: list[Any], others_alone: list[Any], expected: Any) -> None:
    found = alike(alone, others, others_alone)
    assert (len(found) if isinstance(expected, int) else found) == expected


def test_beyond_and_numbered() -> None:
    assert beyond(pd.Series([2.0**53, 5.0, np.nan, -(2.0**60)])) == {"beyond": 2}
    assert beyond(pd.Series([2**60])) == beyond(pd.Series(["x"])) == beyond(pd.Series([1.5])) == {}
    assert is_numbered(pd.RangeIndex(3))
    assert not any(map(is_numbered, (pd.RangeIndex(1, 3), pd.Index([0, 1]), pd.RangeIndex(3, name="id"), None)))


def test_why_rows_met_none() -> None:
    found = facts("m = left.merge(right, on='k', how='left')", "merge")
    assert (found["left_unmatched"], found["left_alike"], found["many"]) == (3, 1, True)
    assert found["gaps"] == ("w", "v_y")
    assert "filters" not in found
    assert facts("m = left.merge(right[['k']])", "merge")["filters"] is True
    assert "key_alone" not in facts("m = left.merge(right, on=['k', 'v'])", "merge")


def test_a_key_that_would_have_been_enough() -> None:
    setup = "a = pd.DataFrame({'i': [1, 2], 'd': ['x', 'y']})\nb = pd.DataFrame({'i': [1, 2], 'd': ['x', 'z']})"
    assert facts("m = a.merge(b)", "merge", setup)["key_alone"] == {"i": 1}
    assert not facts("m = a.merge(b.assign(i=[1, 1], d=['x', 'x']))", "merge", setup)["key_alone"]


def test_sums_after_a_loss_only_where_they_matter() -> None:
    lost = "m = left.merge(right[['k', 'w']], on='k')"
    assert "left_sums" not in facts(lost, "merge")
    assert facts(lost + "\nt = m['v'].sum()", "merge")["left_sums"] == {"v": 0.1}


def test_concat() -> None:
    found = facts("m = pd.concat([left, right])", "concat")
    assert (found["parts"], found["rows"], found["repeated"], found["again"]) == (2, (4, 3), 3, 0)
    assert (found["renamed"], found["replaced"], found["mixed"]) == ((), (), ())
    assert facts("m = pd.concat([left, right], ignore_index=True)", "concat")["repeated"] == 0
    assert facts("m = pd.concat([left, right, left])", "concat")["again"] == 1
    assert facts("m = pd.concat({'a': left, 'b': right.set_index('k')})", "concat")["repeated"] == 0


def test_beside_and_select() -> None:
    body = "m = left.join(right[['w']])"
    found, picked = facts(body, "beside"), facts(body, "select")
    assert found["rows"] == (4, 3)
    assert set(found["marks"][0]) == set(picked["marks"]) == {"k"}
    assert found["marks"][0]["k"][0] == picked["marks"]["k"][0] != picked["marks"]["k"][1]
    assert [op.kind for op in run_body("m = right[['w']]", SETUP).operations] == []


@pytest.mark.parametrize(
    ("body", "kind", "expected"),
    [
        ("m = left['k'].map({'a': 1})", "lookup", {"values": 4, "unmatched": 3, "unique": False, "flags": True}),
        ("m = left['k'].map({'a': 1, 'z': None})", "lookup", {"unmatched": 1}),
        ("m = left['v'].map(right['w'])", "lookup", {"by_row": True, "unmatched": 2, "table_rows": 3}),
        ("m = right['w'].map({'10': 'x', 20: 'y'})", "lookup", {"unmatched": 2, "alike": 1}),
        ("m = left['k'].isin(['b', 'z'])", "membership", {"matched": 2, "alike": 1, "frame": False}),
        ("m = left['k'].isin(right)", "membership", {"matched": 0, "frame": True, "listed": 3}),
        ("m = right['w'].isin(pd.Series(['10', '11']))", "membership", {"matched": 0, "alike": 1}),
        ("m = left.set_index('k')['v'].to_dict()", "table", {"rows": 4, "repeats": 1, "differing": 2}),
        ("m = dict(zip(left['k'], left['v']))", "table", {"rows": 4, "repeats": 1, "differing": 2}),
        ("m = dict(zip(left['k'], left['k']))", "table", {"repeats": 1, "differing": 0}),
        (
            "m = left.drop_duplicates('k')['v'].sum()",
            "deduplicate",
            {"dropped": 1, "part": True, "differing": {"v": 1}, "compared": ("k",)},
        ),
        ("m = left.drop_duplicates('k')", "deduplicate", {"differing": {}}),
    ],
)
def test_lookups(body: str, kind: str, expected: dict[str, Any]) -> None:
    found = facts(body, kind)
    assert {name: found[name] for name in expected} == expected


def test_asof() -> None:
    setup = (
        "a = pd.DataFrame({'t': [0, 15, 900], 'who': ['x', 'y', 'x']})\n"
        "b = pd.DataFrame({'t': range(1, 101), 'who': ['x', 'y'] * 50, 'p': range(100)})"
    )
    found = facts("m = pd.merge_asof(a, b, on='t')", "asof", setup)
    assert (found["unmatched"], found["far"], found["apart"]) == (1, 1, False)
    assert (found["shared"], found["gaps"]) == ({"who": 2}, ("p",))
    assert facts("m = pd.merge_asof(a, b, on='t', by='who')", "asof", setup)["by"] is True
    assert facts("m = pd.merge_asof(a.assign(t=[500, 501, 502]), b, on='t')", "asof", setup)["apart"] is True
