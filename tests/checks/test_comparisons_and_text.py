"""Comparisons, filters, text and conversions that go wrong silently, and the cells beside them that are right."""
# ruff: noqa: E501  a cell is shown on one line where it is short

from __future__ import annotations

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed
from tests.observe.stepper import run_body

SETUP = """
import datetime
f = pd.DataFrame({
    "shop": ["1", "02", "3"],
    "n": [1, 2, 3],
    "depth": [0.1 * 3, 0.3, 1.0],
    "even": [0.25, 0.5, 1.0],
    "town": ["Ulm", "ulm", "Ulm "],
    "clean": ["ulm", "jena", "kiel"],
    "sex": ["m", "M", "f"],
    "active": ["True", "False", "True"],
    "on": [True, False, True],
    "logins": [4, 0, 2],
    "at": pd.to_datetime(["2024-01-05 10:00", "2024-01-05 11:30", "2024-02-01 03:00"]),
    "day": pd.to_datetime(["2024-01-05", "2024-01-06", "2024-02-01"]),
    "note": ["a", np.nan, "b"],
    "left": [2020.0, np.nan, np.nan],
    "kept": [2020.0, np.nan, 1.0],
    "cat": pd.Categorical(["Yes", "no", "yes "]),
    "kw": ["98.4", "110.2", "9.6"],
    "code": ["007", "010", "100"],
    "id": ["9", "10", "100"],
    "word": ["b", "a", "c"],
    "price": ["$1,200.50", "$3", "$12.00"],
    "weight": ["5 kg", "500 g", "2 kg"],
    "kg": ["5 kg", "50 kg", "2 kg"],
    "sku": ["SKU-1", "SKU-K7", "SKU-9"],
    "file": ["a.txt", "b.md", "c.txt"],
    "version": ["v1.2", "v112", "v2"],
    "line": ["Error: disk", "ok", "Error: net"],
    "mixed": pd.Series(["1,200", 35, "7"], dtype=object),
    "when": ["05.01.2024", "04.02.2023", "01.03.2025"],
    "iso": ["2024-01-05", "2023-02-04", "2025-03-01"],
    "tax_rate": [7.0, 19.0, 7.0],
    "share": [0.07, 0.19, 0.5],
    "net": [20.0, 100.0, 2.0],
    "small": pd.Series([100, 100, 3], dtype="int8"),
    "tiny": pd.Series([1, 2, 3], dtype="int8"),
    "bytes": pd.Series([3, 5, 7], dtype="uint8"),
    "eur": [19.99, 4.35, 1.10],
    "block": [1.0, 2.0, np.nan],
    "flag": [1, 0, 1],
    "vote": ["yes", None, "no"],
})
"""


def found(body: str) -> list[Finding]:
    run = run_body(body, SETUP)
    assert isinstance(run.outcome, Completed), run.outcome
    return check_all(run)


def told(body: str) -> list[tuple[str, str]]:
    """Codes and severities."""
    return [(f.code, f.severity.value) for f in found(body)]


FOUND = {
    "compared-with-another-type": [
        "x = f[f['shop'] == 1]",
        "x = f[f['shop'] != 1]['n'].sum()",
        "x = f[f['n'] == '2']",
        "x = f[f['active'] == True]",
        "x = f[f['on'] == 'True']",
        "x = f[f['day'].dt.date == '2024-01-05']",
        "x = f[f['day'].dt.date == pd.Timestamp('2024-01-05')]",
        "x = f[f['day'] == datetime.date(2024, 1, 5)]",
        "x = f[f['iso'] == pd.Timestamp('2024-01-05')]",
        "x = f[f['shop'].eq(3)]",
        "x = f.query('shop == 3 and n > 1')",
        "x = (f['shop'] == f['n']).sum()",
        "x = f[f['shop'].astype('category') == 1]",
        "x = f[f['mixed'] == '35']",
        "x = f[f['day'] == 2024]",
    ],
    "compared-spelling-variants": [
        "x = f[f['town'] == 'Ulm']",
        "x = f[f['town'] != 'ulm']",
        "x = f[f['cat'] == 'yes']",
        "x = f.query('town == \"Ulm\"')",
        "x = f.loc[f.town.eq('Ulm'), 'n'].sum()",
        "f['c2'] = f['clean'].str.title()\nx = (f['clean'] == f['c2']).sum()",
    ],
    "compared-by-last-digits": [
        "x = f[f['depth'] == 0.3]",
        "x = f[f['depth'] <= 0.3]",
        "limit = 0.3\nx = f[f['depth'] == limit]",
        "x = (f['depth'] != f['even'] * 0 + 0.3).sum()",
        "rest = f['depth'] - 0.3\nrest[2] = 0.5\nrest = rest.round(16)\nx = rest[rest != 0]",
    ],
    "compared-with-missing": [
        "x = f[f['left'] == np.nan]",
        "x = f[f['note'] == None]",
        "x = f[f['note'] != None]",
        "x = f[f['note'] == 'nan']",
        "x = f[f['note'] != '']",
        "changed = f[f['left'] != f['kept']]",
    ],
    "compared-with-midnight": [
        "x = f[f['at'] == '2024-01-05']",
        "x = f[f['at'] == pd.Timestamp('2024-01-05')]",
        "x = f[f['at'] == '2024-02']",
    ],
    "numbers-ordered-as-text": [
        "x = f.sort_values('kw')",
        "x = f['kw'].max()",
        "x = f.loc[f['kw'].idxmax(), 'n']",
        "x = f['kw'].rank()",
        "x = sorted(f['kw'])",
        "x = max(f['kw'])",
        "x = f[f['kw'] > '20']",
        "x = f['kw'].round(0)",
        "x = f.sort_values('when')",
        "x = f['when'].max()",
        "x = f.groupby('on')['price'].max()",
        "x = f.groupby('on').agg(most=('kw', 'max'))",
        "x = f.groupby('on')['kw'].agg(['min', 'max'])",
        "x = sorted(f['kw'].unique())",
    ],
    "numbers-joined-as-text": [
        "x = f['kw'].cumsum()",
        "x = f['kw'] * 2",
        "x = f['kw'] + f['price']",
        "x = f.agg({'kw': 'sum'})",
        "x = f.groupby('on').agg(t=('kw', 'sum'))",
        "x = f.groupby('on')[['kw']].sum()",
        "x = f[['n', 'kw']].sum()",
    ],
    "mask-precedence": [
        "x = f[f['on'] & f['logins'] == 0]",
        "x = f[(f['on']) & f['logins'] == 0]",
        "x = f[f['logins'] > 1 & f['on']]",
        "x = f[f['logins'] > 1 & f['n']]",
        "x = f[f['on'] & f['logins']]",
    ],
    "conditions-exclude-each-other": [
        "x = f[(f['word'] != 'a') | (f['word'] != 'b')]",
        "x = f[(f['word'] == 'a') & (f['word'] == 'b')]",
        "x = f[(f['n'] > 2) & (f['n'] < 2)]",
        "x = f[(f['n'] < 3) | (f['n'] > 1)]",
        "x = f[f['n'].between(3, 1)]",
        "x = f[f['on'] & (f['n'] == 1) & (f['n'] == 2)]",
    ],
    "looked-up-in-the-index": ["x = 'a' in f['word']", "x = 0 in f['n']", "x = 'a' not in f['word']"],
    "pattern-read-otherwise": [
        "x = f['price'].str.replace('[$,]', '')",
        "x = f['price'].str.replace(r'\\D', '')",
        "x = f['price'].str.replace('$', '', regex=True)",
        "x = f['price'].str.replace('.', '', regex=True)",
        "x = f['version'].str.contains('1.2')",
        "x = f['price'].str.contains('$1')",
        "x = f['weight'].str.replace('kg|g', '')",
        "x = (f['file'] + ' | ' + f['word']).str.split(' | ')",
    ],
    "replace-of-whole-values": [
        "x = f['price'].replace('$', '')",
        "x = f['kg'].replace(' kg', '')",
        "x = f.replace(',', '')",
        "x = f['price'].replace({'$': '', ',': ''})",
        "x = f['price'].replace(['$', ','], '')",
    ],
    "strip-eats-letters": [
        "x = f['sku'].str.lstrip('SKU-')",
        "x = f['file'].str.rstrip('.txt')\ny = ('t' + f['file']).str.strip('.txt')",
    ],
    "text-method-loses-values": ["x = f['mixed'].str.replace(',', '')", "x = f['mixed'].str.strip().str.len()"],
    "search-misses-case": [
        "x = f[f['line'].str.contains('error')]",
        "x = f['line'].str.startswith('error').sum()",
        "x = f['line'].str.endswith('NET').sum()",
    ],
    "units-stripped": [
        "x = f['weight'].str.extract(r'(\\d+)')[0].astype(float)",
        "x = f['weight'].str.rstrip(' kg')",
        "x = f['weight'].str.replace(r'[a-z ]', '', regex=True).astype(float)",
    ],
    "integers-wrap-around": [
        "x = f['small'] * f['small']",
        "x = f['small'] + 100",
        "x = f['bytes'] - 5",
        "x = f['small'].add(f['small'])",
        "x = f['small'].to_numpy() * 2",
        "x = (f['n'] * 200).astype('int8')",
        "x = (f['n'] * 200.0).astype('int8')",
        "x = pd.Series(range(1, 30)).cumprod()",
        "x = pd.Series(range(1, 30)).prod()",
        "x = (f['n'] * 10**10) ** 2",
    ],
    "fractions-cut-off": [
        "x = (f['eur'] * 100).astype(int)",
        "x = (f['eur'] * 100).map(int)",
        "f['net'] = (f['net'] / 3).astype(int)\nx = f['net'].sum()",
    ],
    "whole-numbers-with-point": [
        "x = f['word'] + f['block'].astype(str)",
        "f['b'] = f['block'].astype(str)\nx = f['b'].isin(['1', '2'])",
        "x = f['block'].astype(str).map({'1': 'a'})",
    ],
    "text-is-true": ["x = f['active'].astype(bool)", "x = f[f['active'].astype('bool')]", "x = f['active'].map(bool).sum()"],
    "percent-as-fraction": [
        "f['gross'] = f['net'] * (1 + f['tax_rate'])",
        "x = f['net'] * (1 - f['tax_rate'].rename('discount'))",
        "x = f['net'] * f['tax_rate'].rename('tax_pct')",
        "x = f[f['share'] > 50]",
        "x = f[f['tax_rate'] > 0.1]",
    ],
    "shares-leave-out-missing": ["x = f['vote'].value_counts(normalize=True)", "x = f['vote'].value_counts(True)"],
    "spellings-counted-apart": ["x = f['town'].nunique()", "x = len(f['town'].unique())", "x = f['town'].unique().size"],
    "inverted-numbers": ["x = (~f['flag']).sum()", "x = ~f['on'].astype(object)"],
    "missing-is-not-none": [
        "x = f['note'].map(lambda v: '' if v is None else v)",
        "x = f['note'].apply(lambda v: v or '-')",
        "def tag(r):\n    if not r:\n        return ''\n    return f'#{r}'\nx = f['note'].map(tag)",
        "x = [v for v in f['note'] if v]",
        "x = ['' if v is None else str(v) for v in f.note]",
        "x = f['left'].map(lambda v: 0 if v is np.nan else v)",
        "x = f['note'].apply(lambda v: '' if v == np.nan else v)",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("code", "body"), [(code, body) for code, bodies in FOUND.items() for body in bodies])
def test_is_found(code: str, body: str) -> None:
    assert (code, "may") in told(body)


def test_every_finding_is_the_only_one_of_its_line() -> None:
    """Two checks do not speak of one thing; `f["kw"].max()` is not also joined, and so on."""
    twice = {
        body: codes for bodies in FOUND.values() for body in bodies if "\n" not in body and len(codes := told(body)) > 1
    }
    assert set(twice) <= TWO_THINGS, twice


TWO_THINGS = {"x = f['block'].astype(str).map({'1': 'a'})"}  # what they become, and that no key of the table meets them

SILENT = [
    # types
    "x = f[f['shop'] == '1']",
    "x = f[f['shop'] == 99]",
    "x = f[f['n'] == 2.0]",
    "x = f[f['n'] == '77']",
    "x = f[f['on'] == True]  # noqa: E712",
    "x = f[f['flag'] == True]  # noqa: E712",
    "x = f[f['day'] == '2024-01-05']",
    "x = f[f['day'] == datetime.datetime(2024, 1, 5)]",
    "x = f[f['day'].dt.date == datetime.date(2024, 1, 5)]",
    "x = f[f['mixed'] == 35]",
    "x = f.query('shop == \"3\"')",
    "x = f['shop'].astype(int) == f['n']",
    # spelling
    "x = f[f['clean'] == 'ulm']",
    "x = f[f['clean'] != 'Paris']",
    "x = f[f['town'].str.strip().str.lower() == 'ulm']",
    "x = f[(f['town'] == 'Ulm') | (f['town'] == 'ulm')]",
    "x = f[f['town'] == 'Ulm']  # case-sensitive",
    "x = f[f['town'] == 'Ulm']\nf['town'] = f['town'].str.strip()",
    # floats
    "x = f[f['even'] == 0.5]",
    "x = f[f['even'] <= 0.5]",
    "x = f[np.isclose(f['depth'], 0.3)]",
    "x = f[f['depth'] == f['depth'].max()]",
    "x = f[f['even'] != 0]",
    "x = f[f['depth'] < 0.9]",
    "x = f['net'] == f['net'].round(2)",
    # missing
    "x = f[f['left'].isna()]",
    "x = f[f['word'] == 'nan']",
    "x = f[f['word'] != '']",
    "x = f[(f['note'] != '') & f['note'].notna()]",
    "x = f[f['note'].fillna('') != '']",
    "changed = f[(f['left'] != f['kept']) & ~(f['left'].isna() & f['kept'].isna())]",
    "changed = f[f['n'] != f['logins']]",
    "same = f['left'] == f['kept']",
    # times
    "x = f[f['at'] >= '2024-01-05']",
    "x = f[f['at'].dt.normalize() == '2024-01-05']",
    "x = f[f['at'] == '2024-01-05 10:00']",
    "x = f[f['at'] == '2023-12-24']",
    # order
    "x = f.sort_values('code')",
    "x = f['code'].max()",
    "x = f.sort_values('word')",
    "x = f.sort_values('iso')",
    "x = f['iso'].max()",
    "x = f.sort_values('kw', key=lambda s: s.astype(float))",
    "x = f.sort_values('kw')  # alphabetical",
    "x = f['word'].max()",
    "x = f['kw'].astype(float).max()",
    "x = f[f['iso'] > '2024-01-01']",
    "x = f[f['code'] > '009']",
    "x = f['n'].round(0)",
    "x = f['code'].min()",
    # joined
    "x = f['word'].sum()",
    "x = f['code'] + f['id']",
    "x = f['word'] * 2",
    "x = f['word'] + f['kw']",
    "x = f.groupby('on').agg(t=('n', 'sum'), k=('kw', 'first'))",
    "x = f[['n', 'word']].sum()",
    # masks
    "x = f[f['on'] & (f['logins'] == 0)]",
    "x = f[(f['n'] & 1) == 1]",
    "x = f[f['n'] & 2 == 2]",
    "x = f[f['on'] & f['flag']]",
    "x = f[f['on'] & f['on'] == True]  # noqa: E712",
    "x = f[(f['word'] != 'a') & (f['word'] != 'b')]",
    "x = f[(f['word'] == 'a') | (f['word'] == 'b')]",
    "x = f[(f['n'] > 1) & (f['n'] < 3)]",
    "x = f[(f['n'] < 1) | (f['n'] > 2)]",
    "x = f[(f['n'] >= 2) & (f['n'] <= 2)]",
    "x = f[(f['n'] != 1) | (f['logins'] != 2)]",
    "x = f[f['n'].between(1, 3)]",
    "x = f[~f['on']]",
    "x = ~f['n']",
    "x = f[~f['note'].isin(['a'])]",
    # in
    "x = 'a' in f['word'].values",
    "x = 'n' in f",
    "x = 'ulm' in f['clean'].value_counts()",
    "x = 'zz' in f['word']",
    "x = 2 in f['n']",
    # text
    "x = f['price'].str.replace('$', '')",
    "x = f['price'].str.replace('[$,]', '', regex=True)",
    "x = f['word'].str.replace('[xyz]', '')",
    "x = f['version'].str.contains('1.2', regex=False)",
    "x = f['file'].str.contains('.txt')",
    "x = f['version'].str.contains(r'1\\.2')",
    "x = f['line'].str.contains('disk|net')",
    "x = f['line'].str.contains('^Error')",
    "x = f['file'].str.split('.')",
    "x = f['word'].replace('a', 'z')",
    "x = f['word'].replace('$', '')",
    "x = f['iso'].replace('-', np.nan)",
    "x = f['word'].replace({'x': 'y'})",
    "x = f['price'].replace('[$]', '', regex=True)",
    "x = f['sku'].str.removeprefix('SKU-')",
    "x = f['price'].str.strip('$ ')",
    "x = f['sku'].str.strip()",
    "x = f['kg'].str.rstrip(' kg')",
    "x = f['sku'].str.lstrip('0123456789')",
    "x = f['word'].str.upper()",
    "x = f['note'].str.upper()",
    "x = f['mixed'].astype(str).str.replace(',', '')",
    "x = f['mixed'].str.replace(',', '').fillna(f['mixed'])",
    "x = f['line'].str.contains('Error').sum()",
    "x = f['line'].str.contains('fatal').sum()",
    "x = f['line'].str.contains('error', case=False).sum()",
    "x = f['kg'].str.extract(r'(\\d+)')[0].astype(float)",
    "x = f['weight'].str.extract(r'(\\d+) (\\w+)')",
    "v = f['weight'].str.extract(r'(\\d+)')[0].astype(float)\nx = v.where(~f['weight'].str.endswith(' g'), v / 1000)",
    # numbers
    "x = f['tiny'] * f['tiny']",
    "x = f['small'].astype('int64') * f['small']",
    "x = f['small'].sum()",
    "x = f['n'] * 10**9",
    "x = f['n'].astype('int8')",
    "x = f['bytes'] - 1",
    "x = pd.Series(range(1, 9)).cumprod()",
    "x = (f['eur'] * 100).round().astype(int)",
    "x = (f['net'] / 3).astype(int)",
    "f['net'] = (f['net'] / 3).astype(int)  # whole euros\nx = f['net'].sum()",
    "x = f['left'].dropna().astype(int)",
    "x = f['block'].astype(str)",
    "x = f['word'] + f['n'].astype(str)",
    "x = f['word'] + f['block'].astype('Int64').astype(str)",
    "x = f['word'] + f['block'].astype(str).str.replace('.0', '')",
    "x = f['word'] + f['eur'].astype(str)",
    "x = f['net'].astype(str) + ' EUR'",
    "x = f['on'].astype(bool)",
    "x = f['flag'].astype(bool)",
    "x = f['word'].astype(bool)",
    "x = f['net'] * (1 + f['tax_rate'] / 100)",
    "x = f['net'] * (1 + f['share'])",
    "x = (f['net'] * f['tax_rate']).sum() / f['net'].sum()",
    "x = f[f['share'] > 0.1]",
    "x = f[f['tax_rate'] > 10]",
    "x = f['net'] * 1.19",
    "x = f['n'] * (1 + f['net'])",
    # counts
    "x = f['word'].value_counts(normalize=True)",
    "x = f['vote'].value_counts(normalize=True, dropna=False)",
    "x = f['vote'].value_counts()",
    "x = f['vote'].value_counts(normalize=True)  # of those who answered, without missing",
    "x = f['vote'].value_counts(normalize=True)\nn = f['vote'].isna().sum()",
    "x = f['clean'].nunique()",
    "x = f['town'].unique()",
    "x = f['town'].str.strip().str.lower().nunique()",
    "print(f['town'].nunique(), f['town'].str.strip().str.lower().nunique())",
    # each value
    "x = f['note'].map(lambda v: '' if pd.isna(v) else v)",
    "x = f['note'].map(lambda v: v.upper(), na_action='ignore')",
    "x = f['word'].map(lambda v: v or '-')",
    "x = f['note'].map(lambda v: v if v == v else '-')",
    "x = f['note'].astype(object).where(f['note'].notna(), None).map(lambda v: v or '-')",
    "x = [v for v in f['word'] if v]",
    "x = [v for v in f['note'] if isinstance(v, str)]",
    "x = [v for v in f['note'].dropna() if v]",
    "x = f['n'].map(lambda v: 0 if v is np.nan else v)",
    "x = f['n'].map(str)",
    "x = f.groupby('on').agg(most=('n', 'max'), first=('kw', 'first'))",
    "x = sorted(f['word'].unique())",
    "x = f['on'].map(int).sum()",
]  # fmt: skip


@pytest.mark.parametrize("body", SILENT)
def test_is_silent(body: str) -> None:
    assert [f for f in told(body) if f[1] != "note"] == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("x = f[f['sex'] == 'm']", "compared-spelling-variants"),
        ("x = f[f['at'].where(f['n'] > 1, pd.Timestamp('2024-01-05')) == '2024-01-05']", "compared-with-midnight"),
        ("x = f.sort_values('id')", "numbers-ordered-as-text"),
        ("x = f['n'].astype('uint32') * 2_000_000_000", "integers-wrap-around"),
        (
            "x = pd.concat([f['word']] * 9 + [f['vote']]).rename('v').value_counts(normalize=True)",
            "shares-leave-out-missing",
        ),
    ],
)
def test_is_a_note(body: str, code: str) -> None:
    assert told(body) == [(code, "note")]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "x = f[f['shop'] == 1]",
            "`shop` holds text and is compared with numbers: 1 of 3 values would be equal in one type, and `==` does not see it",
        ),
        (
            "x = f[f['town'] == 'Ulm']",
            "2 of 3 values of `town` differ only in case or blanks, and `==` takes them for another value",
        ),
        ("x = f[f['left'] == np.nan]", "nothing equals a missing value: `==` finds none of 2 among 3 rows"),
        (
            "x = f['kw'].max()",
            "`kw` holds 3 written numbers as text, and `max` goes by their letters: 1 of them comes before a lower one",
        ),
        (
            "x = f['small'] * f['small']",
            "2 of 3 results do not fit into int8 and came out as other numbers",
        ),
    ],
)
def test_messages(body: str, message: str) -> None:
    (finding,) = found(body)
    assert finding.message == message
    assert finding.severity is Severity.MAY
    assert finding.suggestion
