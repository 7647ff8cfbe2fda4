"""What looks like a known failure and has another cause, or another answer: nothing is safe there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reflex_magic.core.proposal import Applicability, Proposal
from reflex_magic.repairs import dates, labels, units
from reflex_magic.repairs.file_encoding import encodings
from reflex_magic.repairs.numbers import read
from reflex_magic.repairs.pattern_taken_literally import PatternTakenLiterally
from tests.repairs.conftest import Bench, applied

Ask = Callable[..., list[Proposal]]

IMPORTS = (
    "import json\nfrom datetime import datetime\nfrom pathlib import Path\nimport numpy as np\nimport pandas as pd\n"
)


def _safe(bench: Bench, ask: Ask, setup: str, cell: str, goal: str = "") -> list[str]:
    context = bench.earlier(IMPORTS + setup).context(cell, goal=goal)
    return [applied(context, p) for p in ask(context) if p.applicability is Applicability.SAFE]


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("employer_id", "employee_id"),
        ("trainer", "trainee"),
        ("consignor", "consignee"),
        ("insured", "insurer"),
        ("imported", "importer"),
        ("contact_id", "contract_id"),
        ("county", "count"),
        ("plant", "plan"),
        ("order", "orders"),
        ("planted", "planned"),
        ("cause", "case"),
        ("hypertension", "hypotension"),
        ("t", "T"),
    ],
)
def test_another_word_is_no_slip(asked: str, there: str) -> None:
    assert not labels.nearest(asked, [there]).clear
    assert not labels.nearest(there, [asked]).clear


@pytest.mark.parametrize(
    ("asked", "there"),
    [("quantiy", "quantity"), ("adress", "address"), ("tempereture", "temperature"), ("cateogry", "category")],
)
def test_a_slip_in_typing_is_clear(asked: str, there: str) -> None:
    assert labels.nearest(asked, [there]).clear


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("margin", "margin %"),
        ("price (€)", "price ($)"),
        ("age <18", "age >18"),
        ("units_2024_1_12", "units_2024_11_2"),
    ],
)
def test_signs_and_borders_between_digits_mean_something(asked: str, there: str) -> None:
    assert not labels.nearest(asked, [there]).clear


FAILURES = [
    pytest.param(
        "orders = pd.DataFrame({'name': ['pen']})\ncustomers = pd.DataFrame({'Name': ['Ada']})",
        "orders.groupby('Name').size()",
        "",
        id="a column of another table",
    ),
    pytest.param("df = pd.DataFrame({'customer': [1]})", "df['customers']", "", id="plural"),
    pytest.param(
        "df = pd.DataFrame({'rainfal': [1]})", "df['rainfall']", "Mean rainfall", id="the goal uses the word as asked"
    ),
    pytest.param("d = {'k': 1e3, 'M': 1e6}", "d['m']", "", id="milli and mega"),
    pytest.param(
        "pd.DataFrame({'x': [1]}).to_csv('larson.csv')", "pd.read_csv('larsen.csv')", "", id="another person's file"
    ),
    pytest.param(
        "Path('raw').mkdir()\npd.DataFrame({'x': [1]}).to_csv('raw/a.csv')",
        "pd.read_csv('clean/a.csv')",
        "",
        id="raw and clean",
    ),
    pytest.param(
        "a = pd.DataFrame({'customer_age': [21, 22]})\nb = pd.DataFrame({'customer_id': [21, 22, 23], 'v': 1})",
        "a.merge(b, on='customer_id')",
        "",
        id="ages found among ids",
    ),
    pytest.param(
        "a = pd.DataFrame({'product_no': [1, 2]})\nb = pd.DataFrame({'product_id': [1, 2, 3], 'v': 1})",
        "a.merge(b, on='product_id')",
        "",
        id="numbers counted through",
    ),
    pytest.param(
        "a = pd.DataFrame({'k': ['007', '012']})\nb = pd.DataFrame({'k': [7, 12], 'v': 1})",
        "a.merge(b, on='k')",
        "",
        id="codes with leading zeros",
    ),
    pytest.param(
        "a = pd.DataFrame({'k': ['7', '07']})\nb = pd.DataFrame({'k': [7, 12], 'v': 1})",
        "a.merge(b, on='k')",
        "",
        id="two codes are one number",
    ),
    pytest.param(
        "a = pd.DataFrame({'k': [1], 'p': [1.0]})\nprices = pd.DataFrame({'k': [1], 'p': [2.0]})",
        "m = a.merge(prices, on='k')\nm['p_prices'] = m['p'] * 2",
        "",
        id="a made column is no suffix",
    ),
    pytest.param(
        "a = pd.DataFrame({'k': ['x', 'y']})\nb = pd.DataFrame({'k': ['x', 'Y ']})",
        "m = a.merge(b, on='k')\nassert len(m) == len(a)",
        "",
        id="keys in another spelling",
    ),
    pytest.param(
        "Path('t.csv').write_text('till;eur\\nA;1.234\\nB;980\\n')",
        "t = pd.read_csv('t.csv')\nt['eur']",
        "",
        id="points that part thousands",
    ),
    pytest.param(
        "Path('p.csv').write_text('part,qty\\n\"Bolt\",4\\npipe 3/4\",5\\n\"Washer,2\\n')",
        "p = pd.read_csv('p.csv')\nassert len(p) == 3",
        "",
        id="quoted fields beside a stray quote",
    ),
    pytest.param("s = pd.Series(['5', 'none'])", "s.astype(float)", "", id="none may be zero"),
    pytest.param("s = pd.Series(['5', 'n/a'])", "s.astype(float)", "n/a counts as zero", id="the goal says zero"),
    pytest.param("s = pd.Series(['1,250', '2,500', '3'])", "s.astype(float)", "", id="three decimals"),
    pytest.param("s = pd.Series(['$1', '$2'])", "s.astype(float)", "Total in euro", id="another currency"),
    pytest.param("s = pd.Series(['1 g', '2 g'])", "s.astype(float)", "Total in kg", id="another unit"),
    pytest.param(
        "s = pd.Series(['1%', '2%'])", "s.astype(float)", "Percent, of a fraction of the rows", id="not as fractions"
    ),
    pytest.param("a, b = pd.Series(['1001']), pd.Series([2])", "a + b", "", id="text and number joined"),
    pytest.param("a = pd.Series(['007', '012'])", "a > 7", "", id="codes compared"),
    pytest.param("a = pd.Series(['1.9', '1.10'])", "a > 1.9", "Newer than version 1.9", id="versions"),
    pytest.param("z = pd.Series([501, 10001])", "z.str[:3]", "", id="codes that lost their zeros"),
    pytest.param(
        "df = pd.DataFrame({'k': ['a', 'b'], 'x': [1.0, 2.0], 'd': ['12', 'ca. 14']})",
        "df.groupby('k').mean()",
        "",
        id="numbers among words",
    ),
    pytest.param(
        "s = pd.Series(1, index=pd.date_range('2024-01-01', periods=9, freq='min'))",
        "s.resample('5M').sum()",
        "Bins of five minutes",
        id="minutes or months",
    ),
    pytest.param(
        "s = pd.Series(['09-03-15', '13-02-05'])",
        "pd.to_datetime(s, format='%m-%d-%y')",
        "",
        id="which part is the year",
    ),
    pytest.param(
        "s = pd.Series(['03/05/47', '21/11/98'])", "pd.to_datetime(s, format='%m/%d/%y')", "", id="birthdays to come"
    ),
    pytest.param(
        "s = pd.Series(['05/02/2024', '11/02/2024'])", "s.dt.month", "Month of the status date", id="no US date"
    ),
    pytest.param("s = pd.Series(['2024-06-01T22:30:00Z'])", "s.dt.hour", "Hour in Madrid", id="hours of UTC"),
    pytest.param(
        "d = pd.DataFrame({'at': pd.to_datetime(['2024-01-10']), 'sla': [4]})",
        "d['at'] + d['sla']",
        "The day on which it is due",
        id="a day is asked for, not counted in",
    ),
    pytest.param(
        "d = pd.DataFrame({'at': pd.to_datetime(['2024-01-10']), 'months': [4]})",
        "d['at'] + d['months']",
        "",
        id="months are no days",
    ),
    pytest.param(
        "s = pd.Series(pd.to_datetime(['2024-06-01T00:00Z']))",
        "s >= pd.Timestamp('2024-06-01')",
        "The log is in UTC. Since midnight, Lisbon time.",
        id="the data is in UTC, the bound is not",
    ),
    pytest.param(
        "s = pd.Series([2024030112])",
        "at = pd.to_datetime(s)\nassert (at.dt.year > 2000).all()",
        "",
        id="digits of a date",
    ),
    pytest.param("s = pd.Series([1])", "json.dumps({'a': pd.Series([1], index=['x'])})", "", id="a series in JSON"),
    pytest.param(
        "d = pd.Timestamp('2024-03-01')", "json.dumps({'a': d})", "The day like 2024-03-01", id="days in JSON"
    ),
    pytest.param(
        "f = pd.DataFrame({'a': [1.0, 200.0]})",
        "v = f.values\nv[v > 100] = 100\nlost = f.sum().sum() - v.sum()",
        "",
        id="a copy against the table",
    ),
    pytest.param(
        "s = pd.Series([4, 18])", "pd.cut(s, bins=[0, 18, 65], labels=['0-17', '18-64', '65+'])", "", id="closed side"
    ),
    pytest.param(
        "g = pd.Series(pd.Categorical(['A', None], categories=['B', 'A'], ordered=True))",
        "g.fillna('none')",
        "",
        id="an order of categories",
    ),
    pytest.param("g = pd.Series(pd.Categorical(['high', None]))", "g.fillna('hihg')", "", id="a category mistyped"),
    pytest.param(
        "t = pd.Series(['b', None])",
        "sorted(t.unique())",
        "By town; those without a town come last",
        id="gaps come last",
    ),
    pytest.param(
        "t = pd.Series(['b', None])",
        "t.apply(lambda x: 'b' in x.lower())",
        "A missing remark counts as a complaint",
        id="gaps mean yes",
    ),
    pytest.param(
        "o = pd.DataFrame({'s': [1, 2, 1], 'x': [5, 9, 7]})",
        "part = o[o['s'] == 1]\nbig = part['x'] > 6\nlarge = o[big]",
        "All orders above 6",
        id="a condition meant for all rows",
    ),
    pytest.param("s = pd.Series([2.0, None])", "s.astype(int)", "Rows left after dropping missing", id="rows left"),
    pytest.param(
        "d = pd.DataFrame({'n': [5, 4]})", "d.loc[d['n'] > 4, 'n'] = d['n'] * 1.5", "In whole pieces", id="whole pieces"
    ),
    pytest.param(
        "Path('l.csv').write_text('at\\n09.12.2024 (Mon)\\n')",
        "pd.read_csv('l.csv', parse_dates=['at'], date_parser=lambda s: datetime.strptime(s[:10], '%d.%m.%Y'))",
        "",
        id="a parser that cuts",
    ),
    pytest.param(
        "class DataFrame:\n    def items(self):\n        return [('n', 2)]\ntable = DataFrame()",
        "sum(v for _, v in table.iteritems())",
        "",
        id="a class of the same name",
    ),
]


@pytest.mark.parametrize(("setup", "cell", "goal"), FAILURES)
def test_nothing_is_safe_where_something_else_may_be_meant(
    bench: Bench, ask: Ask, setup: str, cell: str, goal: str
) -> None:
    assert bench.earlier(IMPORTS + setup).context(cell, goal=goal).failure is not None
    assert _safe(Bench(bench.folder), ask, setup.replace(".mkdir()", ".mkdir(exist_ok=True)"), cell, goal) == []


@pytest.mark.parametrize(
    ("value", "pattern"),
    [("3,00 EUR", "."), ("EUR 12.50 (2 pcs)", "[^0-9.]"), ("EUR -3.00", "[^0-9.]"), ("EUR 12,50", "[^0-9.]")],
)
def test_a_pattern_that_would_spoil_the_numbers(bench: Bench, ask: Ask, value: str, pattern: str) -> None:
    setup = f"{IMPORTS}s = pd.Series([{value!r}])"
    context = bench.earlier(setup).context(f"s.str.replace({pattern!r}, '').astype(float)")
    assert ask(context, PatternTakenLiterally) == []


def test_a_column_under_a_member_s_name_is_taken_by_its_label(bench: Bench, ask: Ask) -> None:
    assert _safe(bench, ask, "df = pd.DataFrame({'size': [2]})", "df.Size * 2") == ['df["size"] * 2']


@pytest.mark.parametrize(
    ("setup", "cell", "goal"),
    [
        ("s = pd.Series(['1%', '2%'])", "s.astype(float)", "Rate as a fraction, so 0.1 means ten percent"),
        ("s = pd.Series(['b', None])", "sorted(s.unique())", "Blanks are left out of the list but not of the data"),
    ],
)
def test_what_the_goal_says_is_sure(bench: Bench, ask: Ask, setup: str, cell: str, goal: str) -> None:
    assert len(_safe(bench, ask, setup, cell, goal)) == 1


def test_what_append_gave_back_to_nobody_is_given_to_the_table(bench: Bench, ask: Ask) -> None:
    setup = "log = pd.DataFrame({'x': [0]})\nrows = [{'x': 1}]"
    cell = "for row in rows:\n    log.append(row)\ntotal = log['x'].sum()"
    after = "for row in rows:\n    log = pd.concat([log, pd.DataFrame([row])])\ntotal = log['x'].sum()"
    assert _safe(bench, ask, setup, cell) == [after]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Gdańsk, Poznań, Kraków", "cp1250"),
        ("Łódź, Września", "cp1250"),
        ("Győr, Kőszeg, Pécs", "cp1250"),
        ("Dvořák, Kučera", "cp1250"),
        ("Käse, Café", "cp850"),
        ("Tür, Straße", "mac-roman"),
    ],
)
def test_letters_of_other_code_pages_do_not_prove_a_western_one(text: str, encoding: str) -> None:
    assert not any(sure for _, _, sure in encodings(text.encode(encoding)))


@pytest.mark.parametrize(
    "text",
    ["Müller – Straße", "Café crème, l’été", "Jalapeño €", "Tromsø, Ærø", "São Tomé, ações", "œuf", "lunedì", "£5"],
)
def test_western_words_prove_windows_1252(text: str) -> None:
    assert [(e, sure) for e, _, sure in encodings(text.encode("cp1252"))] == [("cp1252", True)]


@pytest.mark.parametrize(
    ("goal", "otherwise"), [("Total in euro", True), ("Total in dollars", False), ("Total", False)]
)
def test_a_goal_in_another_currency(goal: str, otherwise: bool) -> None:
    (reading,) = read(["$1.50", "$2"])
    assert units.wanted_otherwise(reading, goal) is otherwise


@pytest.mark.parametrize(
    ("goal", "told"), [("US dates", False), ("dates in UK date style", True), ("the status date", None)]
)
def test_which_comes_first_is_told_in_whole_words(goal: str, told: bool | None) -> None:
    assert dates.day_first(goal) is told
