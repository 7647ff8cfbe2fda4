"""What the rules do beyond their examples: other forms of the kind, choices, and silence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation
from reflex_magic.core.proposal import Applicability, Proposal
from tests.repairs.conftest import Bench, applied

Ask = Callable[..., list[Proposal]]

IMPORTS = "import json\nimport numpy as np\nimport pandas as pd\n"


def _offers(bench: Bench, ask: Ask, setup: str, cell: str, goal: str = "") -> list[tuple[str, bool]]:
    context = bench.earlier(IMPORTS + setup).context(cell, goal=goal)
    return [(applied(context, p), p.applicability is Applicability.SAFE) for p in ask(context)]


def _column(*values: object) -> str:
    return f"df = pd.DataFrame({{'x': {list(values)!r}}})"


COLUMNS = [
    ("{'Revenue': [1]}", 'df["revenue"].sum()', 'df["Revenue"].sum()'),
    ("{'\\ufeffid': [1]}", "df['id']", "df['\\ufeffid']"),
    ("{'Net Amount': [1]}", "df['net_amount']", "df['Net Amount']"),
    ("{'quantity': [1], 'x': [1]}", "df[['quantiy', 'x']]", "df[['quantity', 'x']]"),
    ("{'net amount': [1]}", "df.net_amount", 'df["net amount"]'),
    ("{'netamount': [1]}", "df.net_amount", "df.netamount"),
    ("{2021: [1]}", "df['2021']", "df[2021]"),
    ("{'Region': ['a'], 'v': [1]}", "df.groupby('region')['v'].sum()", "df.groupby('Region')['v'].sum()"),
    ("{'Region': ['a'], 'eur': [1]}", "df.groupby('Region')['EUR'].sum()", "df.groupby('Region')['eur'].sum()"),
    ("{'ph': [1]}", "df.loc[df['ph'] > 0, 'pH']", "df.loc[df['ph'] > 0, 'ph']"),
    ("{'a b': [1]}", "df.agg({'a_b': 'sum'})", "df.agg({'a b': 'sum'})"),
    ("{'day': [1]}", "df.drop(columns=['Day'])", "df.drop(columns=['day'])"),
    ("{'ph': [1]}", "y = (df['pH']  # why\n     + df['pH'])", "y = (df['ph']  # why\n     + df['ph'])"),
    (
        "{'Region': ['a']}",
        "x = df.sort_values('region')\ny = x['region']",
        "x = df.rename(columns={\"Region\": \"region\"}).sort_values('region')\ny = x['region']",
    ),
    (
        "{'Region': ['a']}",
        "for d in [df]:\n    n = d['region'].count()",
        'for d in [df]:\n    n = d.rename(columns={"Region": "region"})[\'region\'].count()',
    ),
]


@pytest.mark.parametrize(("frame", "cell", "after"), COLUMNS)
def test_a_column_under_another_spelling(bench: Bench, ask: Ask, frame: str, cell: str, after: str) -> None:
    assert _offers(bench, ask, f"df = pd.DataFrame({frame})", cell)[:1] == [(after, True)]


def test_two_equally_good_columns_are_both_offered_and_neither_is_safe(bench: Bench, ask: Ask) -> None:
    setup = "df = pd.DataFrame({'Net Amount': [1], 'net_amount': [2]})"
    assert _offers(bench, ask, setup, "df['netamount']") == [("df['Net Amount']", False), ("df['net_amount']", False)]


def test_both_columns_of_a_merge_are_offered(bench: Bench, ask: Ask) -> None:
    setup = "df = pd.DataFrame({'amount_x': [1], 'amount_y': [2]})"
    assert _offers(bench, ask, setup, "df['amount']") == [("df['amount_x']", False), ("df['amount_y']", False)]


@pytest.mark.parametrize(
    ("columns", "label"),
    [
        (["q1"], "q2"),
        (["rate"], "date"),
        (["cost"], "cast"),
        (["latitude"], "altitude"),
        (["min_price"], "max_price"),
        (["male"], "female"),
        (["revenue_2023"], "revenue_2024"),
        (["a", "b"], "c"),
    ],
)
def test_another_column_is_no_slip(bench: Bench, ask: Ask, columns: list[str], label: str) -> None:
    assert _offers(bench, ask, f"df = pd.DataFrame([{[1] * len(columns)}], columns={columns})", f"df['{label}']") == []


def test_a_label_asked_for_beside_its_neighbour_is_another_column(bench: Bench, ask: Ask) -> None:
    assert _offers(bench, ask, "df = pd.DataFrame({'quantity': [1]})", "df[['quantity', 'quantiy']]") == []


def test_a_failure_within_an_earlier_cells_function_is_left_alone(bench: Bench, ask: Ask) -> None:
    setup = "df = pd.DataFrame({'revenue': [1]})\ndef total(frame):\n    return frame['Revenue'].sum()"
    assert _offers(bench, ask, setup, "total(df)") == []


def test_the_keys_of_a_dict_may_be_data(bench: Bench, ask: Ask) -> None:
    assert _offers(bench, ask, "rates = {'eur': 1.0}", "rates['EUR']") == [("rates['eur']", True)]
    assert _offers(bench, ask, "rates = {'Marie': 1.0}", "rates['Maria']") == []


NUMBERS = [
    (["$1,250.00", "$80.50"], '.str.replace("[$,]", "", regex=True)'),
    (["1.234,50", "99,90"], '.str.replace(".", "", regex=False).str.replace(",", ".", regex=False)'),
    (["1,5", "2,75"], '.str.replace(",", ".", regex=False)'),
    (["(5.0)", "7.5"], '.str.replace("(", "-", regex=False).str.replace(")", "", regex=False)'),
    (["1'000.50", "20"], '.str.replace("\'", "", regex=False)'),
    (["USD 5", "USD 7"], '.str.replace("USD| ", "", regex=True)'),
    (["12 kg", "13 kg"], '.str.replace("kg| ", "", regex=True)'),
    (["R$ 1.234,56", "R$ 2,00"], '.str.replace("R|[$ .]", "", regex=True).str.replace(",", ".", regex=False)'),
    (["1\u202f234,5", "2"], '.str.replace("\\u202f", "", regex=False).str.replace(",", ".", regex=False)'),
    (["\u22125", "3"], '.str.replace("\\u2212", "-", regex=False)'),
    (["n/a", "1.5"], '.replace(["n/a"], float("nan"))'),
    (["1,00,000", "5,500"], '.str.replace(",", "", regex=False)'),
    (["980", "1,250", "2,400"], '.str.replace(",", "", regex=False)'),
    (["$1", 2.5], '.astype(str).str.replace("$", "", regex=False)'),
]


@pytest.mark.parametrize(("values", "cleaning"), NUMBERS)
def test_a_way_to_write_numbers_that_all_values_prove(
    bench: Bench, ask: Ask, values: list[object], cleaning: str
) -> None:
    offers = _offers(bench, ask, _column(*values), "y = df['x'].astype(float)")
    assert offers == [(f"y = df['x']{cleaning}.astype(float)", True)]
    assert bench.run(offers[0][0])["y"].notna().sum() >= len(values) - 1


@pytest.mark.parametrize(
    "values",
    [
        ["$5", "€6"],
        ["5k", "3k"],
        ["12 kg", "13 g"],
        ["A12", "A13"],
        ["1,234.5", "abc"],
        ["5-", "3"],
        ["10%", "0.2"],
        ["1.5", "2,75"],
        ["12:30", "13:00"],
        ["1/2", "3"],
        ["2024-01-02", "3"],
        ["1.234,5", 2.5],
        ["100 m", "3"],
    ],
)
def test_a_column_that_is_not_all_numbers_is_left_alone(bench: Bench, ask: Ask, values: list[object]) -> None:
    assert _offers(bench, ask, _column(*values), "df['x'].astype(float)") == []


@pytest.mark.parametrize("values", [["1,234", "5"], ["1,234", "2,500"], ["€1.234", "€2.500"], ["10%", "20%"]])
def test_two_ways_to_read_a_number_are_both_offered(bench: Bench, ask: Ask, values: list[object]) -> None:
    offers = _offers(bench, ask, _column(*values), "df['x'].astype(float)")
    assert [sure for _, sure in offers] == [False, False]


def test_a_dash_is_missing_only_when_the_goal_says_so(bench: Bench, ask: Ask) -> None:
    cell = "y = df['x'].astype(float)"
    assert [sure for _, sure in _offers(bench, ask, _column("-", "1.5"), cell)] == [False]
    assert [sure for _, sure in _offers(bench, ask, _column("-", "1.5"), cell, "a dash means not measured")] == [True]


@pytest.mark.parametrize(
    ("cell", "after"),
    [
        ("y = pd.to_numeric(df['x'])", 'y = pd.to_numeric(df[\'x\'].str.replace("$", "", regex=False))'),
        ("y = [float(v) for v in df['x']]", 'y = [float(v.replace("$", "")) for v in df[\'x\']]'),
        ("y = df['x'].apply(lambda v: float(v))", 'y = df[\'x\'].apply(lambda v: float(v.replace("$", "")))'),
        ("y = df.astype({'x': float})", 'y = df.replace({"x": r"\\$"}, "", regex=True).astype({\'x\': float})'),
        ("y = (df['x']).astype(float)", 'y = (df[\'x\'].str.replace("$", "", regex=False)).astype(float)'),
    ],
)
def test_other_conversions(bench: Bench, ask: Ask, cell: str, after: str) -> None:
    assert _offers(bench, ask, _column("$1", "$2"), cell) == [(after, True)]
    bench.run(after)


def test_values_lost_by_coerce_are_read_from_their_shapes(bench: Bench, ask: Ask) -> None:
    cell = "df['x'] = pd.to_numeric(df['x'], errors='coerce')\nassert df['x'].notna().all()"
    context = bench.earlier(IMPORTS + _column("12.5", "1,250.00", "n/a")).context(cell)
    span = context.cell.span(context.cell.tree.body[0].value)  # type: ignore[attr-defined]
    finding = Finding("values-coerced-to-missing", Severity.MAY, span, "", "2 of 3 became missing")
    facts = {"shapes": {"9,999.99": 1}, "markers": 1, "lost": 2}
    run = replace(context.run, operations=(Operation(0, "coerce", span, "", facts=facts),))

    (proposal,) = ask(replace(context, run=run, findings=(finding,)))

    assert proposal.applicability is Applicability.SAFE
    assert proposal.answers == ("values-coerced-to-missing",)
    assert "pd.to_numeric(df['x'].str.replace(\",\", \"\", regex=False), errors='coerce')" in applied(context, proposal)
    partial = replace(run, operations=(Operation(0, "coerce", span, "", facts={**facts, "lost": 9}),))
    assert ask(replace(context, run=partial, findings=(finding,))) == [], "not all lost values were looked at"


OTHERS = [
    ("d = {'n': np.int64(3)}", "json.dumps(d)", "json.dumps(d, default=lambda value: value.tolist())"),
    ("d = {'n': [np.int64(3)]}", "json.dumps(d,)", "json.dumps(d, default=lambda value: value.tolist(),)"),
    (
        "d = {'n': pd.Timestamp('2024-01-02')}",
        "json.dumps(d)",
        "json.dumps(d, default=lambda value: value.isoformat())",
    ),
    (
        "d = {'n': np.int64(3), 'm': float('nan')}",
        "json.dumps(d)",
        "json.dumps({key: None if pd.isna(value) else value for key, value in d.items()},"
        " default=lambda value: value.tolist())",
    ),
    ("d = {np.int64(3): 1}", "json.dumps(d)", "json.dumps({str(key): value for key, value in d.items()})"),
    ("open('Sales.CSV', 'w').write('a\\n1\\n')", "pd.read_csv('sales.csv')", "pd.read_csv('Sales.CSV')"),
    (
        "import os; os.mkdir('data'); open('data/x.csv', 'w').write('a\\n1\\n')",
        "pd.read_csv('x.csv')",
        "pd.read_csv('data/x.csv')",
    ),
    (
        "d = pd.DataFrame({'at': ['1/2/2024', '13/2/2024']})",
        "pd.to_datetime(d['at'], dayfirst=False)",
        "pd.to_datetime(d['at'], format=\"%d/%m/%Y\")",
    ),
    (
        "s = pd.Series(range(3), index=pd.date_range('2024-01-01', periods=3))",
        "s.resample('1H30T').sum()",
        "s.resample('1h30min').sum()",
    ),
    ("x = 1", "xs = np.arange(3, dtype=np.float)\nm = np.NaN", "xs = np.arange(3, dtype=float)\nm = np.NaN"),
    ("s = pd.Series(['a.b', 'C++'])", "s.str.contains('C++|D++')", 's.str.contains(r"C\\+\\+|D\\+\\+")'),
]


@pytest.mark.parametrize(("setup", "cell", "after"), OTHERS)
def test_other_forms_of_a_kind(bench: Bench, ask: Ask, setup: str, cell: str, after: str) -> None:
    assert _offers(bench, ask, setup, cell)[:1] == [(after, True)]


SILENT = [
    ("class Own: pass\nd = {'n': Own()}", "json.dumps(d)"),
    ("d = {'n': pd.DataFrame({'a': [1]})}", "json.dumps(d)"),
    ("d = {'n': np.int64(1)}", "json.dumps(d, default=repr, cls=None)\njson.dumps(1, nowhere=1)"),
    ("open('sales_2023.csv', 'w').write('a')", "pd.read_csv('sales_2024.csv')"),
    ("df = pd.DataFrame({'at': ['1/2/2024', 'soon']})", "pd.to_datetime(df['at'])"),
    ("df = pd.DataFrame({'size': [2.5, None]})", "df['size'].astype(int)"),
    ("df = pd.DataFrame({'c': [7.0, None]})", "df['c'].str.zfill(3)"),
    ("a = pd.DataFrame({'k': ['x1']}); b = pd.DataFrame({'k': [1]})", "a.merge(b, on='k')"),
    ("a = pd.DataFrame({'u': ['x']}); b = pd.DataFrame({'k': ['y']})", "a.merge(b, on='k')"),
    ("s = pd.Series([1])", "s.nowhere()"),
    ("d = 1", "np.nowhere"),
    ("d = 1", "pd.cut([1, 2], bins=[0, 1, 2], labels=['a', 'b', 'c'])"),
    ("s = pd.Series(['a(b'])", "s.str.contains('[a-z')"),
    ("d = 1", "total = prices + 1"),
    ("s = pd.Series(range(3))", "s.resample('X').sum()"),
]


@pytest.mark.parametrize(("setup", "cell"), SILENT)
def test_silence_where_it_is_not_clear_what_went_wrong(bench: Bench, ask: Ask, setup: str, cell: str) -> None:
    assert _offers(bench, ask, setup, cell) == []


UNSURE = [
    (
        "o = pd.DataFrame({'customer_id': [1, 2]}); i = pd.DataFrame({'order_id': [1, 2], 'n': [5, 6]})",
        "o.merge(i, on='order_id')",
    ),
    ("import os; os.mkdir('old'); open('old/x.csv', 'w').write('a')", "pd.read_csv('x.csv')"),
    ("s = pd.Series(pd.Categorical(['Unknown', None]))", "s.fillna('unknown')"),
    ("df = pd.DataFrame({'size': [2.0, None]})", "df['size'].astype(int)"),
    ("s = pd.Series(['a', None])", "sorted(s.unique())"),
    ("df = pd.DataFrame({'k': ['a', 'b'], 'v': ['1', '2'], 'n': [1, 2]})", "df.groupby('k').mean()"),
]


@pytest.mark.parametrize(("setup", "cell"), UNSURE)
def test_what_may_be_meant_otherwise_is_offered_only(bench: Bench, ask: Ask, setup: str, cell: str) -> None:
    offers = _offers(bench, ask, setup, cell)
    assert offers
    assert not any(sure for _, sure in offers)


def test_day_and_month_that_could_be_either_are_both_offered(bench: Bench, ask: Ask) -> None:
    setup = "d = pd.DataFrame({'at': ['01.02.2024', '03.04.2024']})"
    cell = "d['at'].dt.year"
    assert [sure for _, sure in _offers(bench, ask, setup, cell)] == [False, False]
    assert _offers(bench, ask, setup, cell, "dates are dd.mm.yyyy") == [
        ("pd.to_datetime(d['at'], format=\"%d.%m.%Y\").dt.year", True)
    ]


@pytest.mark.parametrize(
    ("content", "encodings"),
    [
        ("Zürich,1\n".encode("cp1252"), [("cp1252", True)]),
        ("Zürich,1\n".encode("utf-16"), [("utf-16", True)]),
        ("Zürich,1\n".encode("utf-8-sig"), [("utf-8-sig", True)]),
        ("Zürich,1\n".encode(), [("utf-8", True)]),
    ],
)
def test_encodings_that_the_bytes_prove(content: bytes, encodings: list[tuple[str, bool]]) -> None:
    from reflex_magic.repairs.file_encoding import encodings as proved

    assert [(name, sure) for name, _, sure in proved(content)] == encodings


@pytest.mark.parametrize("text", ["Привет, как дела сегодня\n" * 20, "Dvořák, Šimůnek, žluťoučký kůň\n" * 20])
def test_other_alphabets_are_never_sure(text: str) -> None:
    from reflex_magic.repairs.file_encoding import encodings as proved

    encoding = "cp1251" if "П" in text else "cp1250"
    assert not any(sure for _, _, sure in proved(text.encode(encoding)))
