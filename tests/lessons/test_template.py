"""Deriving, refusing, generalising and placing remembered edits."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflex_magic.core.cell import Cell
from reflex_magic.lessons.derive import derive
from reflex_magic.lessons.generalise import generalise
from reflex_magic.lessons.instantiate import instantiate
from reflex_magic.lessons.template import HERE, TRIGGER, Change, Template, TemplateError
from tests.lessons.bench import span_of


def made(before: str, after: str, failing: str, **more: set[str]) -> Template:
    """The template of a repair whose failing expression reads `failing`."""
    cell = Cell(before)
    return derive(cell, Cell(after), span_of(cell, failing), None, **more)


def placed(template: Template, body: str, failing: str, names: dict[str, str] | None = None) -> str | None:
    """The body with the template's edits, or None where it does not fit."""
    cell = Cell(body)
    edits = instantiate(template, cell, span_of(cell, failing), None, {"pd": "module"} if names is None else names)
    return cell.apply(edits).body if edits else None


MONEY = made("d['a'] = d['a'].astype(float)", "d['a'] = d['a'].str.strip('$').astype(float)", "d['a'].astype(float)")
APPEND = made("d = d.append(r)", "d = pd.concat([d, r])", "d.append")


def test_a_template_reads_as_the_repair() -> None:
    assert MONEY.changes == (Change("_x1.astype(float, **_k1)", "_x1.str.strip('$').astype(float, **_k1)"),)
    assert APPEND.changes == (Change("_x1.append(_x2)", "pd.concat([_x1, _x2])"),)
    assert not MONEY.doubtful
    assert Template.from_dict(MONEY.to_dict()) == MONEY


def test_the_same_repair_under_other_names_is_the_same_template() -> None:
    other = made("y = q.Fee.astype(float) + 1", "y = q.Fee.str.strip('$').astype(float) + 1", "q.Fee.astype(float)")
    assert other == MONEY


@pytest.mark.parametrize(
    ("before", "after", "failing"),
    [
        ("t = d['Sales'].sum()", "t = d['sales'].sum()", "d['Sales']"),
        ("t = a + b", "t = a + c", "a + b"),
        ("t = pd.merge(a, b, on='k')", "t = pd.merge(a, b, left_on='k', right_on='id')", "pd.merge(a, b, on='k')"),
        ("t = pd.read_csv('a.csv')", "t = pd.read_csv('b.csv')", "pd.read_csv('a.csv')"),
        ("t = pd.read_csv(p)", "t = pd.read_csv('https://example.org/x')", "pd.read_csv(p)"),
        ("t = d['a'].mean()", "t = 12.5", "d['a'].mean()"),
        ("t = d['a'].sum()", "d = {'a': pd.Series([1, 2])}\nt = d['a'].sum()", "d['a']"),
        ("t = d['a'].clip(0)", "t = d['a'].clip(0, 129900)", "d['a'].clip(0)"),
        ("x = 1\nt = d.mean()", "t = d.mean(numeric_only=True)", "d.mean()"),
        ("t = d.mean()", "t = d.mean()\nt = t.round()", "d.mean()"),
        ("t = d.mean()\nu = t", "t = d.mean()\nu = t.round()", "d.mean()"),
        ("t = x", "t = y", "x"),
        ("t = f'{d.a}'", "t = f'{d.b}'", "d.a"),
        ("t = d.mean()", "t = d.mean()", "d.mean()"),
        ("_x1 = d.mean()", "_x1 = d.mean(numeric_only=True)", "d.mean()"),
        ("t = a.merge(b, on='k')", "t = a.merge(b.assign(k=b['k'].astype(str)), on='k')", "a.merge(b, on='k')"),
    ],
    ids=[
        "a column's name", "a variable that was not there", "a key that only the new code names", "a file's name",
        "an address", "a result written as a literal", "data made up before", "a large number", "a statement removed",
        "a statement after", "a later statement changed", "names only", "a formatted text", "nothing",
        "a name like a hole", "a column as an argument's name",
    ],
)  # fmt: skip
def test_what_is_particular_or_too_general_is_not_remembered(before: str, after: str, failing: str) -> None:
    columns = {"columns": {"k", "id", "Sales", "sales"}}
    with pytest.raises(TemplateError):
        made(before, after, failing, **columns)


@pytest.mark.parametrize("body", ["x", "_x1", "_x1 = _x2", "'a'", "_x1[_s1]", "1"])
def test_a_template_that_fits_anything_is_refused_also_from_a_file(body: str) -> None:
    data = {"changes": [{"before": body, "after": "pd.concat(_x1)", "where": HERE}], "insert": ""}
    with pytest.raises(ValueError, match="any code"):
        Template.from_dict(data)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"changes": [], "insert": ""},
        {"changes": [{"before": "_x1.a(", "after": "_x1.b()", "where": HERE}], "insert": ""},
        {"changes": [{"before": "_x1.a()", "after": "_x1.b()", "where": "there"}], "insert": ""},
        {"changes": [{"before": "_x1.a()", "after": "", "where": HERE}], "insert": ""},
        {"changes": [{"before": "_x1.a()", "after": 3, "where": HERE}], "insert": ""},
        {"changes": [{"before": "_x1.a()\nb()", "after": "_x1.b()", "where": HERE}], "insert": ""},
        {"changes": [{"before": "_x1.a()", "after": "_x1.b()" + " " * 3000, "where": HERE}], "insert": ""},
        {"changes": [{"before": "_x1.a()", "after": "(" * 900 + ")" * 900, "where": HERE}], "insert": ""},
    ],
)
def test_what_is_no_template_is_refused(data: object) -> None:
    with pytest.raises(TemplateError):
        Template.from_dict(data)


@pytest.mark.parametrize(
    ("template", "body", "failing"),
    [
        (MONEY, "t = d['a'].astype(int)", "d['a'].astype(int)"),
        (MONEY, "t = float(d['a'])", "float(d['a'])"),
        (MONEY, "t = d['a'].str.strip('$').astype(float)", "d['a'].str.strip('$').astype(float)"),
        (MONEY, "t = d['a'].astype(float, **options)", "d['a'].astype(float, **options)"),
        (MONEY, "t = d['a'].mean(); x = d['b'].astype(float)", "d['a'].mean()"),
        (APPEND, "for c in d.iteritems():\n    found.append(c)", "d.iteritems"),
        (APPEND, "t.append(a, b)", "t.append"),
        (APPEND, "t.append(*parts)", "t.append"),
        (APPEND, "t.append(r, ignore_index=True)", "t.append"),
        (Template((Change("_x1.a(_x1)", "_x1.b()"),)), "p.a(q)", "p.a"),
        (Template((Change("_x1.a(_s1)", "_x1.b(_s1)"),)), "p.a(name)", "p.a"),
        (Template((Change("_x1.a(_n1)", "_x1.b(_n1)"),)), "p.a(True)", "p.a"),
        (Template((Change("_x1.a()", "_x1.b(_x2)"),)), "p.a()", "p.a"),
        (Template((Change("_x1.a()", "lib.b(_x1)"),)), "p.a()", "p.a"),
        (Template((Change("f(_x1, **_k1)", "f(_x1, how='x', **_k1)"),)), "f(p, how='y')", "f(p, how='y')"),
        (Template((Change("sum(_x1)", "sum(v for v in _x1)"),)), "sum(v + w)", "sum(v + w)"),
        (Template((Change("_x1.a(_x2)", "_x1.b(tmp)"),), "tmp = _x2.c()"), "tmp = p.a(q)", "p.a"),
    ],
    ids=[
        "another type", "another function", "done already", "options that are not known", "another place in the cell",
        "the body of the statement",
        "one argument more", "starred arguments", "an option the new function may not know", "two that must be one",
        "a name for a text", "a truth value for a number", "a hole that nothing fills", "a module nobody knows",
        "the option is given already", "a loop variable that is taken", "a helper's name that is taken",
    ],
)  # fmt: skip
def test_a_template_does_not_fit(template: Template, body: str, failing: str) -> None:
    assert placed(template, body, failing) is None


def test_two_places_away_from_the_failure_are_not_guessed_between() -> None:
    earlier = made("t = pd.read_csv(p)\nn = t.sum()", "t = pd.read_csv(p, thousands=',')\nn = t.sum()", "t.sum()")
    assert placed(earlier, "r = pd.read_csv(q, sep=';')\nm = r.sum()", "r.sum()") == (
        "r = pd.read_csv(q, thousands=',', sep=';')\nm = r.sum()"
    )
    assert placed(earlier, "r = pd.read_csv(q)\ns = pd.read_csv(z)\nm = r.sum()", "r.sum()") is None


def test_a_module_that_was_imported_nowhere_is_imported() -> None:
    assert placed(APPEND, "t = t.append(u)", "t.append", {}) == "import pandas as pd\nt = pd.concat([t, u])"
    assert placed(APPEND, "t = t.append(u)", "t.append", {"pd": "module"}) == "t = pd.concat([t, u])"


def test_parentheses_come_where_the_new_code_binds_less() -> None:
    template = Template((Change("_x1.tz(_x2)", "_x1 - _x2"),))
    assert placed(template, "n = 2 * a.tz(b + c).days", "a.tz(b + c)") == "n = 2 * (a - (b + c)).days"


def test_text_around_and_within_stays_as_it_was() -> None:
    body = "größe = 'ä'; x = (  d [ 'ß' ]  # here\n    .astype( float )\n)  # tail\n\n\nz=1"
    cell = Cell(body)
    call = next(n for n in ast.walk(cell.tree) if isinstance(n, ast.Call))
    edits = instantiate(MONEY, cell, cell.span(call), None, {})
    assert edits
    assert cell.apply(edits).body == ("größe = 'ä'; x = (  d [ 'ß' ].str.strip('$').astype(float)\n)  # tail\n\n\nz=1")


def test_lines_with_magics_are_left_alone() -> None:
    cell = Cell(
        "%time x = d['a'].astype(float)", transform=lambda body: "run(" + repr(body) + ", d['a'].astype(float))"
    )
    call = next(n for n in ast.walk(cell.tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute))
    assert instantiate(MONEY, cell, cell.span(call), None, {}) is None


@pytest.mark.parametrize(
    ("before", "after", "doubtful"),
    [
        ("_x1.astype(int)", "_x1.fillna(0).astype(int)", True),
        ("_x1.astype(int)", "_x1.dropna().astype(int)", True),
        ("pd.to_numeric(_x1)", "pd.to_numeric(_x1, errors='coerce')", True),
        ("_x1.sum() / _x2.sum()", "_x1.sum()", True),
        ("_x1.groupby(_s1)", "_x1.groupby(_s1, dropna=False)", False),
        ("_x1.astype(int)", "_x1.astype('Int64')", False),
    ],
)
def test_a_remedy_that_may_lose_rows_is_for_a_person(before: str, after: str, doubtful: bool) -> None:
    assert Template((Change(before, after),)).doubtful is doubtful


def test_two_repairs_of_a_kind_generalise() -> None:
    one = made(
        "pd.to_datetime(s, format='%m/%d/%Y')",
        "pd.to_datetime(s, dayfirst=True)",
        "pd.to_datetime(s, format='%m/%d/%Y')",
    )
    two = made(
        "pd.to_datetime(s, format='%d.%m.%y')",
        "pd.to_datetime(s, dayfirst=True)",
        "pd.to_datetime(s, format='%d.%m.%y')",
    )
    both = generalise(one, two)
    assert both is not None
    assert both.changes == (
        Change("pd.to_datetime(_x1, format=_s1, **_k1)", "pd.to_datetime(_x1, dayfirst=True, **_k1)"),
    )
    assert generalise(both, one) == both
    assert generalise(one, both) == both
    assert placed(both, "a = pd.to_datetime(w, format='%Y')", "pd.to_datetime(w, format='%Y')") == (
        "a = pd.to_datetime(w, dayfirst=True)"
    )


def test_what_has_no_common_form_does_not_generalise() -> None:
    assert generalise(MONEY, APPEND) is None
    other = made("d['a'].astype(float)", "d['a'].str.strip('€').astype(float)", "d['a'].astype(float)")
    assert generalise(MONEY, other) is None, "two remedies are two lessons"
    trigger = Template((Change("_x1[_s1]", "", TRIGGER),), "_x1.columns = _x1.columns.str.strip()")
    assert generalise(MONEY, trigger) is None


# Whatever stands around it: the result is Python, and everything else is what it was, byte for byte.

NAMES = st.sampled_from(["d", "orders", "größe", "_tmp", "x1"])
LABELS = st.sampled_from(["a", "net price", "Straße", "it's", '"q"', "\\n"])
FRAMES = st.one_of(
    NAMES,
    st.builds(lambda n, c: f"{n}[{c!r}]", NAMES, LABELS),
    st.builds(lambda n, c: f"{n}.loc[:, {c!r}]", NAMES, LABELS),
    st.builds(lambda n, c: f"({n}\n    .get({c!r})  # ü\n    .fillna('é'))", NAMES, LABELS),
    st.builds(lambda a, b: f"({a} + {b})", NAMES, NAMES),
)
FAILS = {
    "astype": (MONEY, lambda f: f"{f}.astype(float)"),
    "append": (APPEND, lambda f: f"{f}.append({f})"),
}
AROUND = st.sampled_from(
    [
        "y = {}",
        "y = len({}) if {{}} else 0",
        "f({}, k=1)[0]",
        "if True:\n\ty = {}",
        "def g(v=1):\n  return {}",
        "a = 1; y = {}",
    ]
)
OTHERS = st.lists(st.sampled_from(["# ä", "z = 'ü' * 2", "", "for i in []:\n    pass", "w  =  [1,\n  2]"]), max_size=3)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(FAILS)), FRAMES, AROUND, OTHERS, OTHERS)
def test_an_edit_gives_python_and_touches_nothing_else(
    kind: str, frame: str, around: str, above: list[str], below: list[str]
) -> None:
    template, fails = FAILS[kind]
    line = around.format(fails(frame))
    head, tail = "".join(f"{o}\n" for o in above), "".join(f"\n{o}" for o in below)
    cell = Cell(head + line + tail)
    calls = [n for n in ast.walk(cell.tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    failing = next(c for c in calls if isinstance(c.func, ast.Attribute) and c.func.attr == kind)
    edits = instantiate(template, cell, cell.span(failing), None, {"pd": "module"})
    assert edits
    changed = cell.apply(edits)
    assert changed.body.startswith(head)
    assert changed.body.endswith(tail)
    before, after = around.split("{}", 1)
    assert changed.body.startswith(head + before)
    assert changed.body.endswith(after.replace("{{", "{").replace("}}", "}") + tail)
    same = [s.source for s in cell.steps if failing.lineno not in range(s.span.line, s.span.end_line + 1)]
    assert [s.source for s in changed.steps if s.source in same] == same
    assert len(changed.steps) == len(cell.steps)
