from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reflex_magic.observe.values import FILE_BYTES, LiveValues


class Touched(Exception):
    """Raised by code that a look must never run."""


class Trap:
    """An object that notices everything that is done to it."""

    def __eq__(self, other: object) -> bool:
        raise Touched

    def __hash__(self) -> int:
        ran.append("hash")
        return 1

    def __str__(self) -> str:
        ran.append("str")
        return "trap"

    __repr__ = __str__

    @property
    def price(self) -> int:
        ran.append("property")
        return 1

    def __len__(self) -> int:
        ran.append("len")
        return 1

    def __getitem__(self, key: object) -> object:
        ran.append("getitem")
        return key


class OwnFrame(pd.DataFrame):
    """A frame whose methods are the analyst's."""

    def __getitem__(self, key: Any) -> Any:
        ran.append("frame")
        return super().__getitem__(key)

    def sum(self, *args: Any, **kwargs: Any) -> Any:
        ran.append("sum")
        return super().sum(*args, **kwargs)


ran: list[str] = []


@pytest.fixture(autouse=True)
def _nothing_ran() -> None:
    ran.clear()


@pytest.fixture
def values(tmp_path: Path) -> LiveValues:
    (tmp_path / "shops.csv").write_text("shop,town\n7,Lugo\n12,Vigo\n")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "till.csv").write_text("x\n1\n")
    (tmp_path / ".hidden").write_text("")

    def user_function() -> int:
        ran.append("function")
        return 1

    namespace = {
        "pd": pd,
        "np": np,
        "sales": pd.DataFrame(
            {"region": ["n", None, "s"], "net amount": ["$1.50", "$12.00", None], "units": [1, 2, 3]}
        ),
        "shops": pd.DataFrame({"shop": [1, 2, 9], "town": ["a", "b", "c"]}),
        "numbers": [3, 1, 2, 3],
        "rates": {"eur": 1.0, "usd": np.float64(1.1)},
        "trap": Trap(),
        "traps": pd.DataFrame({"t": pd.Series([1, 2], dtype=object), "plain": [1, 2]}),
        "own": OwnFrame({"a": [1]}),
        "f": user_function,
        "n": 1,
        "_private": 1,
        "In": [],
    }
    traps = namespace["traps"]
    assert isinstance(traps, pd.DataFrame)
    traps.at[0, "t"] = Trap()
    return LiveValues(namespace, {"n": 2, "local": "here"}, tmp_path)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("n", (2,)),
        ("local", ("here",)),
        ("sales['units'].sum()", (6,)),
        ("sales.units.max() + 1", (4,)),
        ("sales.loc[sales['units'] > 1, 'units']", (2, 3)),
        ("sales['region']", ("n", "s")),
        ("sales.columns", ("region", "net amount", "units")),
        ("sales['net amount'].str.replace('$', '', regex=False).astype(float)", (1.5, 12.0)),
        ("sales.merge(shops, left_on='units', right_on='shop')['town']", ("a", "b")),
        ("sales.groupby('region', dropna=False)['units'].sum().reset_index()['units']", (1, 3, 2)),
        ("sales.groupby('region').obj.columns", ("region", "net amount", "units")),
        ("pd.concat([sales, sales])['units']", (1, 2, 3)),
        ("pd.read_csv('shops.csv')['town']", ("Lugo", "Vigo")),
        ("pd.to_datetime(pd.Series(['2024-01-02'])).dt.year", (2024,)),
        ("numbers", (3, 1, 2)),
        ("rates", ("eur", "usd")),
        ("rates['usd']", (1.1,)),
        ("len(numbers)", (4,)),
        ("list(rates.values())[1]", (1.1,)),
        ("f'{local}-{n}'", ("here-2",)),
        ("np.where(sales['units'] > 1, 'a', 'b')", ("b", "a")),
    ],
)
def test_what_only_computes_is_computed(values: LiveValues, expression: str, expected: tuple[object, ...]) -> None:
    assert values.sample(expression) == expected


@pytest.mark.parametrize(
    "expression",
    [
        "f()",
        "sales.apply(f)",
        "sales['units'].map(f)",
        "sales.assign(x=f)",
        "sales.groupby(f).sum()",
        "sales.agg([f])",
        "sales['units'].map(lambda u: u)",
        "sales.drop(columns='units', inplace=True)",
        "sales.pop('units')",
        "sales.eval('units + 1')",
        "sales.query('units > 1')",
        "sales.to_csv('out.csv')",
        "sales.__class__",
        "sales['units'].__class__.__mro__",
        "numbers.append(1)",
        "numbers.sort()",
        "rates.pop('eur')",
        "trap.price",
        "trap[0]",
        "trap == 1",
        "len(trap)",
        "str(trap)",
        "f'{trap}'",
        "traps['t'] == 1",
        "traps['t'].astype(str)",
        "traps['t'].value_counts()",
        "traps.groupby('t').size()",
        "own['a']",
        "own.sum()",
        "'x' * 10**9",
        "[0] * 10**9",
        "9 ** 9 ** 9",
        "pd.Series([1]).repeat(10**9)",
        "np.zeros(10**9)",
        "sales.merge(sales, how='cross')",
        "pd.read_csv('/etc/passwd')",
        "pd.read_csv('../outside.csv')",
        "pd.read_csv('https://example.org/x.csv')",
        "pd.read_pickle('shops.csv')",
        "np.load('x.npy', allow_pickle=True)",
        "open('shops.csv').read()",
        "__import__('os').getcwd()",
        "pd.io.common.os.getcwd()",
        "np.f2py",
        "[x for x in numbers]",
        "(y := 1)",
        "no_such_name",
        "sales[",
        "1 / 0",
        "sales['nowhere']",
    ],
)
def test_everything_else_is_none_and_runs_nothing(values: LiveValues, tmp_path: Path, expression: str) -> None:
    assert values.sample(expression) is None
    assert values.shapes(expression) is None
    assert ran == []
    assert not (tmp_path / "out.csv").exists()


def test_a_look_changes_nothing(values: LiveValues) -> None:
    before = values.card("sales")
    for expression in ("sales.drop(columns='units')", "sales.sort_values('units')", "sales['units'].fillna(0)"):
        assert values.card(expression) is not None
    assert values.card("sales") == before


def test_a_frame_made_by_a_subclass_is_only_named(values: LiveValues) -> None:
    card = values.card("own")
    assert card is not None
    assert (card.type, card.columns, ran) == ("OwnFrame", (), [])


def test_a_pandas_function_replaced_by_the_analysts_is_not_called(
    values: LiveValues, monkeypatch: pytest.MonkeyPatch
) -> None:
    def concat(*args: object) -> object:
        ran.append("concat")
        return pd.Series([1])

    monkeypatch.setattr(pd, "concat", concat)
    assert values.sample("pd.concat([sales, sales])['units']") is None
    assert ran == []


def test_cards_count_missing_values(values: LiveValues) -> None:
    card = values.card("sales")
    assert card is not None
    assert card.rows == 3
    assert [(c.name, c.missing) for c in card.columns] == [("region", 1), ("net amount", 1), ("units", 0)]


def test_shapes_hide_values_and_count_missing_apart(values: LiveValues) -> None:
    shapes = values.shapes("sales['net amount']")
    assert shapes is not None
    assert dict(shapes.counts) == {"$9.99": 1, "$99.99": 1}
    assert (shapes.missing, shapes.total, shapes.complete) == (1, 3, True)


def test_shapes_of_a_long_column_are_a_sample_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reflex_magic.observe.values.SHAPE_ROWS", 10)
    shapes = LiveValues({"s": pd.Series(range(95))}).shapes("s")
    assert shapes is not None
    assert shapes.total == 95
    assert not shapes.complete
    assert 5 <= sum(shapes.counts.values()) <= 10


def test_computing_over_too_many_rows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    values = LiveValues({"s": pd.Series(range(100))})
    assert values.sample("s.sum()") == (4950,)
    monkeypatch.setattr("reflex_magic.observe.values.ROWS", 50)
    assert values.sample("s.sum()") is None


def test_a_slow_look_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reflex_magic.observe.values.SECONDS", -1.0)
    assert LiveValues({"s": pd.Series([1])}).sample("s") is None


def test_overlap_is_the_share_of_distinct_left_values(values: LiveValues) -> None:
    assert values.overlap("sales['units']", "shops['shop']") == pytest.approx(2 / 3)
    assert values.overlap("sales['nowhere']", "shops['shop']") is None


def test_names_are_what_the_analyst_made(values: LiveValues) -> None:
    names = values.names()
    assert names["sales"] == "DataFrame"
    assert names["pd"] == "module"
    assert names["local"] == "str"
    assert {"_private", "In"}.isdisjoint(names)


def test_files_one_level_deep_without_hidden_ones(values: LiveValues) -> None:
    assert values.files() == ("more/till.csv", "shops.csv")


def test_text_reads_within_the_folder_only(values: LiveValues, tmp_path: Path) -> None:
    assert values.text("shops.csv", 9) == b"shop,town"
    assert values.text("missing.csv") is None
    (tmp_path.parent / "outside.txt").write_text("secret")
    assert values.text("../outside.txt") is None


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "large.csv").open("wb") as f:
        f.truncate(FILE_BYTES + 1)
    assert LiveValues({"pd": pd}, {}, tmp_path).card("pd.read_csv('large.csv')") is None
