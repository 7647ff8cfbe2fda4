"""Facts about frames of polars and pyarrow: those of the same data in pandas, but for what null keys do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from reflex_magic.core.card import ColumnCard, ValueCard
from reflex_magic.core.cell import Cell
from reflex_magic.observe import describe, forecast
from reflex_magic.observe.other_frames import frame as as_frame
from tests.observe.stepper import run_body

HOW = {"inner": "inner", "left": "left", "right": "right", "outer": "full"}
COUNTS = ("left_rows", "right_rows", "rows", "left_unmatched", "left_multiplied", "left_keys", "right_keys")


def tables(seed: int, *, gaps: bool = False) -> dict[str, list[Any]]:
    """Two tables with a key, whole numbers or texts, that repeats on both sides."""
    rng = np.random.default_rng(seed)
    keys: list[Any] = [*range(6)] if seed % 2 else list("abcdef")
    if gaps:
        keys += [None, None]
    return {
        "left": [{"k": keys[i], "v": float(i + 1)} for i in rng.integers(0, len(keys), 12)],
        "right": [{"k": keys[i], "w": float(i + 1)} for i in rng.integers(0, len(keys), 5)],
    }


def facts(body: str, setup: str) -> dict[str, Any]:
    """The facts of the one join of a cell."""
    (op,) = run_body(f"{body}\ntotal = 'sum'", setup).of("merge")
    return dict(op.facts)


def joins(how: str, data: dict[str, list[Any]]) -> list[tuple[str, str]]:
    """The same join with each library."""
    made = f"data = {data!r}\nleft, right = (table(data[n]) for n in ('left', 'right'))"
    polars = f"import polars as pl\ntable = lambda rows: pl.DataFrame(rows, infer_schema_length=None)\n{made}"
    arrow = f"import pyarrow as pa\ntable = pa.Table.from_pylist\n{made}"
    kind = how if how == "inner" else f"{HOW[how]} outer"
    return [
        (f"m = left.join(right, on='k', how={HOW[how]!r})", polars),
        (f"m = left.join(right, keys='k', join_type={kind!r})", arrow),
    ]


@pytest.mark.apart
@pytest.mark.parametrize("how", HOW)
def test_joins_have_the_facts_that_they_have_in_pandas(how: str) -> None:
    pytest.importorskip("polars")
    for seed in range(12):
        data = tables(seed)
        setup = f"data = {data!r}\nleft, right = (pd.DataFrame(data[n]) for n in ('left', 'right'))"
        known = facts(f"m = left.merge(right, on='k', how={how!r})", setup)
        for body, made in joins(how, data):
            found = facts(body, made)
            assert {k: found.get(k) for k in COUNTS} == {k: known.get(k) for k in COUNTS}, (seed, body, data)
            assert found.get("left_sums") == known.get("left_sums")
            assert found.get("right_sums") == known.get("right_sums")


@pytest.mark.apart
@pytest.mark.parametrize("how", HOW)
def test_null_keys_meet_nothing(how: str) -> None:
    pytest.importorskip("polars")
    for seed in range(12):
        data = tables(seed, gaps=True)
        theirs = [row["k"] for row in data["right"] if row["k"] is not None]
        met = [theirs.count(row["k"]) for row in data["left"]]
        for body, made in joins(how, data):
            found = facts(body, made)
            assert found["left_unmatched"] == met.count(0), (seed, body, data)
            assert found["left_multiplied"] == sum(n > 1 for n in met)
            assert found["right_rows"] == len(data["right"])
            assert not found.get("missing_keys")
            if how == "inner":
                assert found["rows"] == sum(met)


@pytest.mark.apart
def test_rows_that_unique_drops_are_counted() -> None:
    pytest.importorskip("polars")
    setup = "import polars as pl\na = pl.DataFrame({'k': ['x', 'x', 'y'], 'v': [1, 2, 3]})"
    (op,) = run_body("b = a.unique(subset='k')\ntotal = b['v'].sum()", setup).of("deduplicate")
    found = {"rows": 3, "dropped": 1, "part": True, "compared": ("k",), "differing": {"v": 1}, "library": "polars"}
    assert op.facts == found


@pytest.mark.apart
def test_cards_name_the_library_and_no_values() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"n": [1, 2], "kind": pl.Series(["secret", None], dtype=pl.Enum(["secret", "other"]))})
    columns = (ColumnCard("n", "Int64"), ColumnCard("kind", "Enum"))
    assert describe("a", frame) == ValueCard("a", "polars.DataFrame", 2, columns)
    assert describe("s", frame["n"]) == ValueCard("s", "polars.Series", 2, columns[:1])
    told = describe("t", pa.table({"n": [1, 2], "x": ["a", "b"]}))
    assert told == ValueCard("t", "pyarrow.Table", 2, (ColumnCard("n", "int64"), ColumnCard("x", "string")))


@pytest.mark.apart
def test_a_column_that_is_not_there_is_forecast() -> None:
    pl = pytest.importorskip("polars")
    data = {"revenue": [1, 2]}
    for name, table in (("sales", pl.DataFrame(data)), ("sales", pa.table(data))):
        told = forecast(Cell("x = 1\ntotal = sales['revenu']"), {name: table})
        assert told is not None
        assert told.message == "`sales` has no column `revenu` (there is `revenue`)"
        assert forecast(Cell("x = 1\ntotal = sales['revenue']"), {name: table}) is None


def test_long_whole_numbers_with_gaps_stay_whole() -> None:
    ids = [2**53 + 1, None, 2**53 + 3]
    made = as_frame(
        pa.table({"id": ids, "on": pa.array([0, 1, None], pa.date32()), "eur": pa.array([1, None, 2]), "n": [1] * 3})
    )
    assert made["id"].dropna().tolist() == [2**53 + 1, 2**53 + 3]
    assert made["n"].dtype == np.int64
    assert isinstance(made["on"].iloc[0], pd.Timestamp)


def test_columns_of_one_name_are_told_apart_by_their_place() -> None:
    made = as_frame(pa.Table.from_arrays([pa.array([1]), pa.array(["x"])], names=["a", "a"]), ["a"])
    assert made.columns.tolist() == ["a", "a"]
    assert made.iloc[0].tolist() == [1, "x"]
