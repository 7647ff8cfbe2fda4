"""What a cell is required to fulfil: pandera schemas and files of tests."""

from __future__ import annotations

from pathlib import Path

import pytest

import reflex_magic
from tests.end_to_end.conftest import Notebook

SCHEMA = (
    "import pandera.pandas as pa\n"
    "schema = pa.DataFrameSchema({'eur': pa.Column(float, pa.Check.gt(0)), 'shop': pa.Column(nullable=False)})\n"
    "orders = pd.DataFrame({'eur': [1.0, -2.0, -3.0], 'shop': ['N', None, 'S']})"
)
BRACKETS = """
def test_a_pair():
    assert matched("()")

def test_a_lone_one():
    assert not matched("(")
"""


def finding(report):
    """The only must-finding."""
    (found,) = [f for f in report.findings if f.severity == "must"]
    return found


def test_a_frame_that_breaks_its_schema_is_found_with_counts_and_without_values(notebook: Notebook) -> None:
    notebook.run(SCHEMA)
    report = notebook.reflect("out = orders.copy()", "--no-model --schema schema")
    assert report.status == "unresolved"
    found = finding(report)
    assert found.code == "condition-broken"
    assert "satisfies(out, schema)" in found.message
    assert "`eur`: greater_than(0) fails for 2 rows; `shop`: not_nullable fails for 1 row" in found.message
    assert "-2" not in found.message


def test_a_frame_that_satisfies_its_schema_passes(notebook: Notebook) -> None:
    notebook.run(SCHEMA)
    report = notebook.reflect("out = orders[orders['eur'] > 0]\ncount = len(out)", "--no-model --schema schema:out")
    assert (report.status, [c.held for c in report.conditions]) == ("passed", [True])


def test_a_missing_column_is_named(notebook: Notebook) -> None:
    notebook.run(SCHEMA)
    report = notebook.reflect("out = orders[['eur']].abs()", "--no-model --schema schema:out")
    assert "there is no column `shop`" in finding(report).message


def test_a_repair_has_to_satisfy_the_schema(notebook: Notebook) -> None:
    notebook.run(SCHEMA)
    report = notebook.reflect("out = orders[orders['Eur'] > 0]", "--accept --no-model --schema schema:out")
    assert report.status == "repaired"
    assert len(notebook["out"]) == 1
    report = notebook.reflect("out = orders[orders['Eur'] < 0]", "--accept --no-model --schema schema:out")
    assert report.status == "unresolved"
    assert len(notebook["out"]) == 1


def test_a_cell_cannot_weaken_the_schema_it_is_measured_by(notebook: Notebook) -> None:
    notebook.run(SCHEMA)
    report = notebook.reflect("schema = pa.DataFrameSchema({})\nout = orders", "--no-model --schema schema:out")
    assert "greater_than(0)" in finding(report).message


def test_a_schema_that_is_not_there_says_nothing_about_the_frame(notebook: Notebook) -> None:
    report = notebook.reflect("out = pd.DataFrame()", "--no-model --schema shema")
    assert [c.held for c in report.conditions] == [None]
    assert "NameError" in report.conditions[0].message


@pytest.mark.parametrize("given", ["--schema 'a b'", "--schema s:", "--schema s:1x"])
def test_a_schema_is_a_name(notebook: Notebook, given: str) -> None:
    notebook.run(f"%%reflect {given}\nx = 1")
    assert "--schema takes the name" in notebook.shown


def test_without_an_assignment_the_frame_has_to_be_named(notebook: Notebook) -> None:
    notebook.run("%%reflect --schema s\nprint(1)")
    assert "--schema s:frame" in notebook.shown


def test_a_function_is_measured_by_its_tests(notebook: Notebook, here: Path) -> None:
    (here / "test_brackets.py").write_text(BRACKETS)
    good = "def matched(text):\n    return text.count('(') == text.count(')')"
    assert notebook.reflect(good, "--no-model --tests test_brackets.py").status == "passed"
    bad = "def matched(text):\n    return True"
    report = notebook.reflect(bad, "--no-model --tests test_brackets.py")
    assert report.status == "unresolved"
    assert "1 of 2 tests fails: test_a_lone_one" in finding(report).message
    assert not list(here.rglob("__pycache__"))
    assert not list(here.rglob(".pytest_cache"))


def test_the_tests_are_read_anew_each_time(notebook: Notebook, here: Path) -> None:
    file = here / "test_it.py"
    for expected, status in ((1, "passed"), (2, "unresolved"), (1, "passed")):
        file.write_text(f"def test_x():\n    assert x == {expected}\n")
        assert notebook.reflect("x = 1", "--no-model --tests test_it.py").status == status


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "there is no file"),
        ("x = 1\n", "has no tests"),
        ("import nothing_of_this_name\n", "nothing_of_this_name"),
    ],
)
def test_tests_that_cannot_be_run_say_why(notebook: Notebook, here: Path, text: str | None, said: str) -> None:
    if text is not None:
        (here / "test_it.py").write_text(text)
    report = notebook.reflect("x = 1", "--no-model --tests test_it.py")
    assert said in report.conditions[0].message
    assert reflex_magic.last_report().status != "repaired"
