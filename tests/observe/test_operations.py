"""What is noted about each kind of operation."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_magic.core.cell import Span
from reflex_magic.core.outcome import Completed, Operation
from tests.observe.stepper import run_body

SALES = (
    "df = pd.DataFrame({'region': ['n', None, 's', 'n'], 'item': ['a', 'b', None, 'a'], 'v': [1.0, 2.0, 4.0, 8.0]})\n"
)


def operations(body: str, setup: str, kind: str) -> list[Operation]:
    run = run_body(body, setup)
    assert isinstance(run.outcome, Completed), run.outcome
    return [op for op in run.operations if op.kind == kind]


def one(body: str, setup: str, kind: str) -> dict[str, Any]:
    (op,) = operations(body, setup, kind)
    return dict(op.facts)


@pytest.mark.parametrize(
    ("body", "keys", "missing", "aggregations", "total"),
    [
        ("df.groupby('region')['v'].sum()", ("region",), 1, ("sum",), None),
        ("df.groupby('region').size()", ("region",), 1, ("size",), 3),
        ("df.groupby(by=['region', 'item'])['v'].count()", ("region", "item"), 2, ("count",), 2),
        ("df.groupby('region', dropna=False)['v'].count()", ("region",), 0, ("count",), 4),
        ("df['v'].groupby(df['region'].str.upper()).mean()", ("region",), 1, ("mean",), None),
        ("df.groupby(lambda i: i % 2)['v'].sum()", ("",), 0, ("sum",), None),
        ("df.set_index('region').groupby(level='region')['v'].sum()", ("region",), 1, ("sum",), None),
        ("df.set_index('region').groupby(level=0)['v'].sum()", ("region",), 1, ("sum",), None),
        ("df.groupby('region').agg(n=('v', 'count'), t=('v', 'sum'))", ("region",), 1, ("agg", "count", "sum"), None),
        ("g = df.groupby('region')\na = g['v'].sum()\nb = g.size()", ("region",), 1, ("sum", "size"), 3),
        ("df.groupby('region')['v'].transform('sum')", ("region",), 1, ("transform",), None),
        ("(\n    df[df['v'] > 1]\n    .groupby('region')\n    .v\n    .sum()\n)", ("region",), 1, ("sum",), None),
        ("df.groupby('region')", ("region",), 1, (), None),
    ],
)
def test_groupby(
    body: str, keys: tuple[str, ...], missing: int, aggregations: tuple[str, ...], total: int | None
) -> None:
    facts = one(body, SALES, "groupby")
    assert (facts["keys"], facts["missing"], facts["aggregations"], facts["total"]) == (
        keys,
        missing,
        aggregations,
        total,
    )
    assert facts["rows"] in (3, 4)


def test_groupby_place_and_keywords() -> None:
    (op,) = operations("é = 1; out = df.groupby('region', sort=False)['v'].sum()", SALES, "groupby")
    assert op.span == Span(2, 14, 2, 46)
    assert op.expression == "df.groupby('region', sort=False)"
    assert op.keywords == ("sort",)
    assert op.step == 1


@pytest.mark.parametrize("call", ["df.pivot_table", "pd.pivot_table"])
def test_pivot_table(call: str) -> None:
    first = "df, " if call.startswith("pd") else ""
    body = f"out = {call}({first}index='region', columns='item', values='v', aggfunc='sum')"
    assert one(body, SALES, "pivot_table") == {
        "rows": 4,
        "keys": ("region", "item"),
        "missing": 2,
        "aggregations": ("sum",),
        "total": None,
    }


JOIN = (
    "orders = pd.DataFrame({'oid': [1, 2, 3], 'freight': [10.0, 20.0, 40.0]})\n"
    "lines = pd.DataFrame({'oid': [1, 1, 2, 9], 'qty': [1, 2, 3, 4]})\n"
)


@pytest.mark.parametrize(
    "body",
    [
        "orders.merge(lines, on='oid')",
        "pd.merge(orders, lines)",
        "pd.merge(orders, right=lines, how='inner', on=['oid'])",
        "pd.merge(orders, lines, 'inner', 'oid')",
        "orders.merge(lines, left_on='oid', right_on='oid')",
        "orders.merge(lines.set_index('oid'), left_on='oid', right_index=True)",
        "orders.join(lines.set_index('oid'), on='oid', how='inner')",
        "orders.set_index('oid').join(lines.set_index('oid'), how='inner')",
    ],
)
def test_merge(body: str) -> None:
    assert one(body, JOIN, "merge") == {
        "left_rows": 3,
        "right_rows": 4,
        "rows": 3,
        "how": "inner",
        "left_keys": ("oid",),
        "right_keys": ("oid",),
        "same": False,
        "left_repeats": 0,
        "right_repeats": 1,
        "left_unmatched": 1,
        "right_unmatched": 1,
        "left_multiplied": 1,
        "right_multiplied": 0,
        "missing_keys": 0,
        "left_sums": {"freight": round(40 / 70, 6)},
        "right_sums": {"qty": 0.6},
    }


def test_merge_with_several_keys_suffixes_and_missing_keys() -> None:
    setup = (
        "a = pd.DataFrame({'k': ['x', 'x', None], 'l': [1, 1, 2], 'v': [1.0, 2.0, 4.0]})\n"
        "b = pd.DataFrame({'k': ['x', 'x', None], 'l': [1, 1, 2], 'v': [1.0, 1.0, 1.0]})\n"
    )
    facts = one("a.merge(b, on=['k', 'l'])", setup, "merge")
    assert (facts["rows"], facts["left_multiplied"], facts["right_multiplied"]) == (5, 2, 2)
    assert facts["left_sums"] == {"v": round(10 / 7, 6)}
    assert facts["right_sums"] == {"v": round(5 / 3, 6)}
    facts = one("a.merge(b, on='k', suffixes=(None, '_b'))", setup, "merge")
    assert facts["missing_keys"] == 2
    assert facts["left_sums"] == {"l": 1.5, "v": round(10 / 7, 6)}


def test_merge_sums_only_where_rows_changed() -> None:
    facts = one("lines.merge(orders, on='oid', how='left')", JOIN.replace("9]", "3]"), "merge")
    assert facts["left_multiplied"] == 0
    assert "left_sums" not in facts
    facts = one("orders.merge(other, on='oid')", JOIN + "other = orders[['oid']].assign(x=1)", "merge")
    assert "left_sums" not in facts


@pytest.mark.parametrize(
    "body",
    [
        "orders.merge(lines, how='cross')",
        "orders.merge(lines, left_on=orders['oid'].to_numpy(), right_on='oid')",
    ],
)
def test_merge_without_key_columns_knows_rows_only(body: str) -> None:
    facts = one(body, JOIN, "merge")
    assert facts["left_rows"] == 3
    assert facts["left_keys"] == ()
    assert "left_repeats" not in facts


def test_merge_behind_unpacked_arguments_is_not_told() -> None:
    assert operations("orders.merge(lines, **how)", JOIN + "how = {'on': 'oid'}", "merge") == []


def test_merge_notes_what_is_written() -> None:
    (op,) = operations("orders.merge(lines, on='oid', validate='one_to_many')", JOIN, "merge")
    assert op.keywords == ("on", "validate")


TEXTS = "s = pd.Series(['12', '1,250', '2,400', 'n/a', ' - ', None, 'seven', '$5'], name='x')\ndf = s.to_frame()\n"


@pytest.mark.parametrize(
    "body",
    [
        "pd.to_numeric(s, errors='coerce')",
        "pd.to_numeric(arg=s, errors='coerce')",
        "s.to_frame().apply(pd.to_numeric, errors='coerce')",
    ],
)
def test_coerce(body: str) -> None:
    assert one(body, TEXTS, "coerce") == {
        "function": "to_numeric",
        "errors": "coerce",
        "values": 8,
        "missing_before": 1,
        "missing_after": 7,
        "lost": 6,
        "markers": 2,
        "digits": 3,
        "shapes": {"9,999": 2, "aaaaa": 1, "$9": 1},
        "sampled": 6,
    }


def test_coerce_of_dates_and_astype() -> None:
    facts = one(
        "pd.to_datetime(d, format='%Y-%m-%d', errors='coerce')", "d = pd.Series(['2024-01-01', '31.12.2024'])", "coerce"
    )
    assert (facts["lost"], facts["shapes"]) == (1, {"99.99.9999": 1})
    facts = one("s.astype(str)", "s = pd.Series([1.5, 2])", "coerce")
    assert (facts["function"], facts["errors"], facts["lost"]) == ("astype", "raise", 0)


def test_coerce_holds_no_values() -> None:
    facts = one("pd.to_numeric(s, errors='coerce')", "s = pd.Series(['Secret 4711'] * 3)", "coerce")
    assert facts["shapes"] == {"Aaaaaa 9999": 3}
    facts = one("pd.to_numeric(s, errors='coerce')", "s = pd.Series(['word ' * 100])", "coerce")
    assert [len(s) for s in facts["shapes"]] == [40]


def test_text_sum() -> None:
    setup = "df = pd.DataFrame({'who': ['u', 'v', 'u'], 'hours': ['2', '3.5', '1,000'], 'word': ['a', 'b', '1']})"
    facts = one("df.groupby('who')['hours'].sum()", setup, "text_sum")
    assert facts == {
        "column": "hours",
        "rows": 3,
        "sampled": 3,
        "numbers": 3,
        "shapes": {"9": 1, "9.9": 1, "9,999": 1},
        "operation": "sum",
    }
    assert one("df['word'].sum()", setup, "text_sum")["numbers"] == 1
    assert operations("df['hours'].astype(str).str.len().sum()", setup, "text_sum") == []
    assert operations("pd.Series([1, 2], dtype=object).sum()", setup, "text_sum") == []


def test_assign() -> None:
    setup = "df = pd.DataFrame({'order': [7, 7, 1], 'eur': [1.0, 2.0, 4.0]})\n"
    (op,) = operations("df['total'] = df.groupby('order')['eur'].sum()", setup, "assign")
    assert op.facts == {
        "column": "total",
        "rows": 3,
        "value_rows": 2,
        "matched": 1,
        "index": "order",
        "named_column": True,
    }
    assert op.expression == "df['total'] = df.groupby('order')['eur'].sum()"
    assert operations("df['x'] = df['eur'] * 2\ndf['y'] = 1\ndf['z'] = [1, 2, 3]", setup, "assign") == []
    assert operations("d = {}\nd['x'] = df['eur']", setup, "assign") == []


@pytest.mark.parametrize(
    "body", ["s.map(table)", "s.map(pd.Series(table))", "s.replace(table)", "s.replace(to_replace=table)"]
)
def test_recode(body: str) -> None:
    setup = "s = pd.Series(['a', 'A', ' b', 'z', None, 'A'])\ntable = {'a': 'x', 'b': 'y'}"
    assert one(body, setup, "recode") == {"values": 5, "unmatched": 4, "variants": 3}
    assert operations("s.map(len, na_action='ignore')\ns.replace('a', 'b')\nn = [1, 2]", setup, "recode") == []


@pytest.mark.parametrize(
    ("keys", "missing"),
    [
        ("[1, 2, 2]", 0),
        ("[True, False, True]", 0),
        ("[1.5, None, None]", 2),
        ("pd.array(['x', None, 'y'], dtype='string')", 1),
        ("pd.array([1, None, None], dtype='Int64')", 2),
        ("pd.Categorical(['x', None, 'x'])", 1),
        ("pd.to_datetime(['2024-01-01', None, None])", 2),
        ("pd.Series(['x', None, 3], dtype=object)", 1),
    ],
)
def test_missing_keys_are_counted_whatever_their_type(keys: str, missing: int) -> None:
    setup = f"df = pd.DataFrame({{'k': {keys}, 'n': [1, 2, 3]}})\n"
    assert one("df.groupby('k')['n'].sum()", setup, "groupby")["missing"] == missing
    assert one("df.groupby(['n', 'k'])['n'].sum()", setup, "groupby")["missing"] == missing
    assert one("df.pivot_table('n', 'k')", setup, "pivot_table")["missing"] == missing
