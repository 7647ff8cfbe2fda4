"""Results that contradict their data, and the cells beside them that are right."""

from __future__ import annotations

import json
import re

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.cell import Span
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed
from tests.observe.stepper import run_body

SALES = (
    "sales = pd.DataFrame("
    "{'region': ['n', None, 's', 'n'], 'shop': ['a', 'b', None, 'a'], 'eur': [1.5, 2.5, 4.5, 8.5]})\n"
)


def found(body: str, setup: str) -> list[Finding]:
    run = run_body(body, setup)
    assert isinstance(run.outcome, Completed), run.outcome
    return check_all(run)


def codes(body: str, setup: str) -> list[str]:
    return [f.code for f in found(body, setup) if f.severity is not Severity.NOTE]


# group-keys-dropped


@pytest.mark.parametrize(
    "body",
    [
        "t = sales.groupby('region')['eur'].sum()",
        "t = sales.groupby('region').size()",
        "t = sales.groupby(['region', 'shop']).agg(n=('eur', 'count'), mean=('eur', 'mean'))",
        "t = sales.groupby('region').agg({'eur': ['sum', 'mean']})",
        "g = sales.groupby('region')\nt = g['eur'].sum()",
        "t = {region: part['eur'].sum() for region, part in sales.groupby('region')}",
        "for region, part in sales.groupby('region'):\n    print(region)",
        "t = sales.pivot_table(index='region', values='eur', aggfunc='sum')",
        "# missing regions must be counted too\nt = sales.groupby('region')['eur'].sum()",
        "# keep the rows without a region\nt = sales.groupby('region')['eur'].sum()",
        "# euros per region\nt = sales.groupby('region')['eur'].sum()",
        "# left out on purpose\n\nt = sales.groupby('region')['eur'].sum()",
        "n = sales['shop'].isna().sum()\nt = sales.groupby('region')['eur'].sum()",
    ],
)
def test_group_keys_dropped(body: str) -> None:
    (finding,) = found(body, SALES)
    assert (finding.code, finding.severity) == ("group-keys-dropped", Severity.MAY)


def test_group_keys_dropped_message() -> None:
    (finding,) = found("t = sales.groupby('region').size()", SALES)
    assert finding.message == "1 of 4 rows has no `region` and is in no group of `sales.groupby('region')`"
    assert finding.span == Span(2, 5, 2, 28)
    assert finding.evidence == {"rows": 4, "missing": 1, "keys": ["region"], "total": 3}


@pytest.mark.parametrize(
    "body",
    [
        "t = sales.groupby('region', dropna=True)['eur'].sum()",
        "t = sales.groupby('region', **options)['eur'].sum()",
        "t = sales.groupby('region')['eur'].sum()  # rows without a region fall out",
        "# anonymous sales are not part of this table\nt = sales.groupby('region')['eur'].sum()",
        "# regions only; the rest\n# is excluded by design\nt = (\n    sales\n    .groupby('region')['eur'].sum()\n)",
        "t = (\n    sales\n    .groupby('region')  # drops missing regions\n    ['eur'].sum()\n)",
        "# rows without a region are not included\nt = sales.groupby('region')['eur'].sum()",
        "t = sales.groupby('region')['eur'].count()\nrest = len(sales) - t.sum()",
        "t = sales.groupby('region')['eur'].count()\nrest = sales.shape[0] - t.sum()",
        "print(sales['region'].isna().sum())\nt = sales.groupby('region')['eur'].sum()",
        "print(sales.isna().sum())\nt = sales.groupby('region')['eur'].sum()",
        "print(pd.isna(sales['region']).sum())\nt = sales.groupby('region')['eur'].sum()",
        "print(sales['region'].value_counts(dropna=False))\nt = sales.groupby('region')['eur'].sum()",
        "t = sales.dropna(subset=['region']).groupby('region')['eur'].sum()",
        "t = sales.fillna({'region': '?'}).groupby('region')['eur'].sum()",
        "t = sales.groupby('region')['eur'].mean()",
        "t = sales.groupby('region')['eur'].transform('sum')",
        "t = sales.groupby('region')['eur'].cumsum()",
        "t = sales.groupby(sales['eur'] > 2)['eur'].sum()",
        "g = sales.groupby('region')",
        "t = sales.pivot_table(index='region', values='eur')",
    ],
)
def test_group_keys_dropped_is_silent(body: str) -> None:
    assert codes(body, SALES + "options = {}\n") == []


# join-multiplies-rows

PRICES = (
    "sales = pd.DataFrame({'product': ['a', 'a', 'b', 'c'], 'units': [1, 2, 3, 4]})\n"
    "prices = pd.DataFrame({'product': ['a', 'b', 'b', 'c'], 'price': [5.0, 7.0, 8.0, 1.0]})\n"
    "orders = pd.DataFrame({'oid': [1, 2], 'freight': [10.0, 20.0]})\n"
    "lines = pd.DataFrame({'oid': [1, 1, 2], 'qty': [1, 2, 3]})\n"
)


@pytest.mark.parametrize(
    "body",
    [
        "m = sales.merge(prices, on='product')",
        "m = sales.merge(prices, on='product')\nn = m['units'].sum()",
        "m = pd.merge(sales, prices, how='left')\nm['eur'] = m['units'] * m['price']",
        "n = sales.merge(prices, on='product').groupby('product')['units'].sum()",
        "n = sales.join(prices.set_index('product'), on='product')['units'].sum()",
        "m = orders.merge(lines, on='oid')\nfreight = m['freight'].sum()",
        "m = orders.merge(lines, on='oid', how='left')\nt = m.groupby('oid').agg(f=('freight', 'sum'))",
        "freight = orders.merge(lines).freight.sum()",
        "# prices must not repeat\nm = sales.merge(prices, on='product')",
    ],
)
def test_join_multiplies_rows(body: str) -> None:
    (finding,) = found(body, PRICES)
    assert (finding.code, finding.severity) == ("join-multiplies-rows", Severity.MAY)


def test_join_multiplies_rows_message() -> None:
    (finding,) = found("m = sales.merge(prices, on='product')\nn = m['units'].sum()", PRICES)
    assert finding.message == (
        "1 row of the left table came out more than once: `product` repeats in 1 row of the right table."
        " 4 and 4 rows became 5, and the sum of `units` 1.3 times what it was"
    )
    assert finding.expression == "sales.merge(prices, on='product')"
    assert finding.evidence["sums"] == {"units": 1.3}


def test_join_on_missing_keys_says_so() -> None:
    setup = (
        "a = pd.DataFrame({'k': ['x', None, None], 'v': [1, 2, 3]})\n"
        "b = pd.DataFrame({'k': ['x', None, None], 'w': [1, 2, 3]})\n"
    )
    (finding,) = found("m = a.merge(b, on='k')", setup)
    assert "4 rows met because their keys are missing" in finding.message


def test_a_failed_assertion_about_the_rows_is_explained() -> None:
    run = run_body("m = orders.merge(lines, on='oid')\nassert len(m) == len(orders)", PRICES)
    assert [f.code for f in check_all(run)] == ["assertion-failed", "join-multiplies-rows"]


@pytest.mark.parametrize(
    "body",
    [
        "m = lines.merge(orders, on='oid')\nn = m['qty'].sum()",
        "m = orders.merge(lines, on='oid')\nn = m['qty'].sum()",
        "m = orders.merge(lines, on='oid', how='left')",
        "m = sales.merge(prices, on='product', validate='many_to_many')",
        "m = sales.merge(prices, how='cross')\nn = m['units'].sum()",
        "m = sales.merge(sales, on='product', suffixes=('', '_2'))\nn = m['units'].sum()",
        "m = sales.merge(prices.drop_duplicates('product'), on='product')\nn = m['units'].sum()",
        "m = sales.merge(prices, on='product').drop_duplicates(['product', 'units'])",
        "# one row per pair of sale and price, on purpose\nm = sales.merge(prices, on='product')",
        "m = sales.merge(prices, on='product')  # all combinations",
        "m = sales[['product']].merge(prices[['product']], on='product')",
    ],
)
def test_join_multiplies_rows_is_silent(body: str) -> None:
    assert codes(body, PRICES) == []


# values-coerced-to-missing

STAFF = (
    "staff = pd.DataFrame("
    "{'salary': ['980', '1,250', '2,400', 'n/a'], 'on': ['2024-01-05', '6.1.24', '', '-']}, index=list('abcd'))\n"
)


@pytest.mark.parametrize(
    "body",
    [
        "staff['salary'] = pd.to_numeric(staff['salary'], errors='coerce')",
        "total = pd.to_numeric(staff['salary'], errors='coerce').sum()",
        "staff['salary'] = pd.to_numeric(staff['salary'], errors='coerce').fillna(0)",
        "s = pd.to_numeric(staff.salary, errors='coerce')\nclean = s.dropna()",
        "when = pd.to_datetime(staff['on'], format='%Y-%m-%d', errors='coerce')",
        "n = staff[['salary']].apply(pd.to_numeric, errors='coerce')",
    ],
)
def test_values_coerced_to_missing(body: str) -> None:
    (finding,) = found(body, STAFF)
    assert (finding.code, finding.severity) == ("values-coerced-to-missing", Severity.MAY)


def test_values_coerced_to_missing_message() -> None:
    (finding,) = found("x = pd.to_numeric(staff['salary'], errors='coerce')", STAFF)
    assert finding.message == (
        "2 of 4 values became missing in `pd.to_numeric(staff['salary'], errors='coerce')`: `9,999` (2)"
    )
    assert finding.evidence == {"values": 4, "lost": 2, "digits": 2, "shapes": {"9,999": 2}}


def test_lost_words_are_a_note() -> None:
    (finding,) = found("x = pd.to_numeric(s, errors='coerce')", "s = pd.Series(['1', 'cancelled', '2'])")
    assert finding.severity is Severity.NOTE


@pytest.mark.parametrize(
    "body",
    [
        "x = pd.to_numeric(pd.Series(['1', '', '-', 'N/A', ' none ', 'unknown', None]), errors='coerce')",
        "x = pd.to_numeric(staff['salary'].str.replace(',', ''), errors='coerce')",
        "ok = staff[pd.to_numeric(staff['salary'], errors='coerce').notna()]",
        "x = pd.to_numeric(staff['salary'], errors='coerce')\nbad = staff[x.isna()]",
        "staff['n'] = pd.to_numeric(staff['salary'], errors='coerce')\nprint(staff['n'].isna().sum())",
        "x = pd.to_numeric(staff['salary'], errors='coerce')  # text with commas is dropped",
        "a = pd.to_datetime(staff['on'], format='%Y-%m-%d', errors='coerce')\n"
        "b = pd.to_datetime(staff['on'], format='%d.%m.%y', errors='coerce')\nwhen = a.fillna(b)",
        "when = pd.to_datetime(staff['on'], format='%Y-%m-%d', errors='coerce').combine_first("
        "pd.to_datetime(staff['on'], format='%d.%m.%y', errors='coerce'))",
    ],
)
def test_values_coerced_to_missing_is_silent(body: str) -> None:
    assert codes(body, STAFF) == []


# rows-do-not-line-up, numbers-joined-as-text


@pytest.mark.parametrize(
    "body",
    [
        "lines['total'] = lines.groupby('order')['eur'].sum()",
        "lines['n'] = lines['order'].value_counts()",
        "lines['running'] = lines.groupby('order').apply(lambda g: g['eur'].cumsum())",
        "small = lines[lines['order'] == 3].copy()\nsmall['x'] = small.groupby('order')['eur'].sum()",
    ],
)
def test_rows_do_not_line_up(body: str) -> None:
    (finding,) = found(body, "lines = pd.DataFrame({'order': [1, 1, 3, 3], 'eur': [1.0, 2.0, 4.0, 8.0]})\n")
    assert (finding.code, finding.severity) == ("rows-do-not-line-up", Severity.MAY)


@pytest.mark.parametrize(
    "body",
    [
        "lines['total'] = lines.groupby('order')['eur'].transform('sum')",
        "lines['total'] = lines['order'].map(lines.groupby('order')['eur'].sum())",
        "per = lines.set_index('order')\nper['total'] = lines.groupby('order')['eur'].sum()",
        "lines['previous'] = lines['eur'].iloc[:-1]",
        "lines['big'] = lines.loc[lines['eur'] > 3, 'eur']",
        "lines['x'] = lines.sort_values('eur')['eur'].rank()",
        "t = pd.DataFrame({'n': lines.groupby('order').size()})\nt['eur'] = lines.groupby('order')['eur'].sum()",
        "empty = lines[lines['eur'] > 99].copy()\nempty['x'] = lines['eur']",
    ],
)
def test_rows_do_not_line_up_is_silent(body: str) -> None:
    assert codes(body, "lines = pd.DataFrame({'order': [1, 1, 3, 3], 'eur': [1.0, 2.0, 4.0, 8.0]})\n") == []


def test_numbers_joined_as_text() -> None:
    setup = "log = pd.DataFrame({'who': list('aba'), 'hours': ['2', '3.5', '10'], 'tag': ['x', 'y', 'z']})\n"
    (finding,) = found("h = log.groupby('who')['hours'].sum()", setup)
    assert (finding.code, finding.severity) == ("numbers-joined-as-text", Severity.MAY)
    assert codes("h = log['hours'].sum()", setup) == ["numbers-joined-as-text"]
    assert codes("t = log.groupby('who')['tag'].sum()", setup) == []
    assert codes("h = log['hours'].astype(float).sum()", setup) == []


def test_recoding_misses_spellings() -> None:
    setup = "poll = pd.DataFrame({'q': ['agree', 'Agree', 'agree ', 'no idea']})\nscale = {'agree': 4, 'neutral': 3}\n"
    (finding,) = found("coded = poll['q'].replace(scale)", setup)
    assert (finding.code, finding.severity) == ("recoding-misses-spellings", Severity.MAY)
    assert finding.message == (
        "2 of 4 values differ from a key of the table only in case or blanks,"
        " and are not recoded by `poll['q'].replace(scale)`"
    )
    assert codes("coded = poll['q'].str.lower().str.strip().map(scale)", setup) == []
    assert codes("coded = poll['q'].map(scale)  # other spellings are ignored", setup) == []


@pytest.mark.parametrize(
    ("body", "setup"),
    [
        ("t = f.groupby('k')['v'].sum()", "f = pd.DataFrame({'k': ['Zürich-71', None], 'v': [98761, 2]})"),
        ("x = pd.to_numeric(s, errors='coerce')", "s = pd.Series(['98,761', 'Zürich-71'])"),
        ("x = s.sum()", "s = pd.Series(['98,761', '98,762'])"),
        (
            "m = a.merge(b, on='k')",
            "a = pd.DataFrame({'k': ['Zürich-71', 'Zürich-71'], 'v': [98761, 2]})\n"
            "b = pd.DataFrame({'k': ['Zürich-71', 'Zürich-71'], 'w': [98761, 2]})",
        ),
    ],
)
def test_findings_hold_no_values_of_the_data(body: str, setup: str) -> None:
    findings = found(body, setup)
    assert findings
    for finding in findings:
        told = json.dumps(finding.to_dict(), ensure_ascii=False)
        assert not re.search("Zürich|9876|98,76", told)
