"""Bad input is one clear line, and the cell behaves as without the magic."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import reflex_magic
from tests.end_to_end.conftest import Notebook

SALES = "sales = pd.DataFrame({'revenue': [10, 20, 30]})"


def test_an_unknown_option_names_the_nearest_and_runs_nothing(notebook: Notebook) -> None:
    notebook.run("%%reflect --acept\nx = 1")
    assert "OptionError: there is no option `--acept`. Did you mean `--accept`?" in notebook.shown
    assert "Traceback" not in notebook.shown
    assert "x" not in notebook.shell.user_ns


def test_an_unknown_command_names_the_nearest(notebook: Notebook) -> None:
    notebook.run("%reflect acept")
    assert "Did you mean `accept`?" in notebook.shown
    assert "Traceback" not in notebook.shown


@pytest.mark.parametrize(
    "command", ["accept", "reject", "undo", "show", "why", "prompt", "accept 3", "explain nothing"]
)
def test_commands_with_nothing_to_do_say_so_in_one_line(notebook: Notebook, command: str) -> None:
    result = notebook.run(f"%reflect {command}")
    assert result.error_in_exec is not None
    assert "Traceback" not in notebook.shown
    assert len(notebook.shown.strip().splitlines()) == 1


def test_a_command_without_its_argument_shows_its_form(notebook: Notebook) -> None:
    notebook.run("%reflect audit")
    assert notebook.shown.strip() == "OptionError: the form is `%reflect audit save [FILE]`"


def test_an_empty_cell(notebook: Notebook) -> None:
    notebook.run("%%reflect\n")
    assert "empty" in notebook.shown
    assert "Traceback" not in notebook.shown
    assert notebook.run("%%reflect\n# only a comment").success


def test_a_syntax_error_reads_as_without_the_magic(notebook: Notebook) -> None:
    report = notebook.reflect("x = 1\ny = 2 */ 3\n")
    assert report.outcome["class"] == "syntax"
    assert "SyntaxError" in notebook.shown
    assert "line 3" in notebook.shown
    assert "x" not in notebook.shell.user_ns
    assert report.status == "unresolved"


def test_a_cell_with_only_magics(notebook: Notebook) -> None:
    result = notebook.run("%%reflect\n%pwd")
    assert result.success
    assert result.result == str(Path.cwd())
    assert reflex_magic.last_report().status == "passed"


def test_a_broken_lessons_file_is_reported_once_and_kept(new_notebook: Callable[[], Notebook], here: Path) -> None:
    lessons = here / ".reflex" / "lessons.jsonl"
    lessons.parent.mkdir()
    lessons.write_text('{"broken\n')
    notebook = new_notebook()
    notebook.run(SALES)
    report = notebook.reflect("total = sales['Revenue'].sum()")
    assert report.status == "repaired"
    assert len([n for n in report.notes if "lessons.jsonl: line 1" in n]) == 1
    assert lessons.read_text().startswith('{"broken\n')
    assert not [n for n in notebook.reflect("total = sales['Revenue'].max()").notes if "lessons" in n]


def test_an_unwritable_lessons_folder_costs_one_line(new_notebook: Callable[[], Notebook], here: Path) -> None:
    (here / ".reflex").write_text("a file where the folder should be")
    notebook = new_notebook()
    notebook.run(SALES)
    report = notebook.reflect("total = sales['Revenue'].sum()")
    assert report.status == "repaired"
    assert notebook["total"] == 60
    assert len([n for n in report.notes if "lesson" in n]) == 1


def test_no_network_costs_one_line(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("REFLEX_MODEL", "m")
    report = notebook.reflect("first = 1\nx = 1 / 0", "--accept")
    assert report.status == "unresolved"
    assert "ZeroDivisionError" in notebook.shown
    assert len([n for n in report.notes if "127.0.0.1:9" in n]) == 1
    assert notebook["first"] == 1


def test_an_interrupt_is_not_a_failure(notebook: Notebook) -> None:
    report = notebook.reflect("x = 1\nraise KeyboardInterrupt")
    assert report.status == "interrupted"
    assert report.trials == 0


def test_exit_is_not_repaired(notebook: Notebook) -> None:
    with pytest.warns(UserWarning, match="To exit"):
        report = notebook.reflect("import sys\nsys.exit(3)")
    assert report.trials == 0


def test_a_timeout_ends_the_cell_and_says_so(notebook: Notebook) -> None:
    report = notebook.reflect("import time\nx = 1\ntime.sleep(60)", "--no-model --timeout 0.3")
    assert report.outcome["class"] == "timeout"
    assert report.status == "unresolved"
    assert notebook["x"] == 1


def test_the_extension_unloads_and_leaves_nothing(notebook: Notebook) -> None:
    notebook.run("%unload_ext reflex_magic")
    notebook.run("%%reflect\nx = 1")
    assert "not found" in notebook.shown
    assert "x" not in notebook.shell.user_ns
    notebook.run("%load_ext reflex_magic")
    assert os.environ.get("OPENAI_API_KEY") is None
