"""Real IPython shells, each in a folder and with lessons of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

import reflex_magic
from reflex_magic.core.report import Report


class Notebook:
    """A shell that is used as a person uses it: cell by cell, reading what is shown."""

    def __init__(self, shell: InteractiveShell, capture: pytest.CaptureFixture[str]) -> None:
        self.shell = shell
        self._capture = capture
        self.shown = ""

    def run(self, cell: str) -> object:
        """Run a cell; `shown` is what appeared. Returns IPython's result."""
        self._capture.readouterr()
        result = self.shell.run_cell(cell, store_history=True)
        out, err = self._capture.readouterr()
        self.shown = out + err
        return result

    def reflect(self, cell: str, options: str = "--accept --no-model") -> Report:
        """Run a cell under %%reflect; its report."""
        self.run(f"%%reflect {options}\n{cell}")
        report = reflex_magic.last_report()
        assert report is not None
        return report

    def __getitem__(self, name: str) -> object:
        return self.shell.user_ns[name]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, with home, lessons and model settings of its own."""
    for name in [n for n in os.environ if n.startswith(("OPENAI_", "REFLEX_"))]:
        monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    for name, folder in {"HOME": home, "XDG_DATA_HOME": home / "data", "IPYTHONDIR": home / "ipython"}.items():
        monkeypatch.setenv(name, str(folder))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


@pytest.fixture
def notebook(here: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Notebook]:
    """A shell with the extension loaded."""
    yield from _shell(capsys)


@pytest.fixture
def new_notebook(here: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[[], Notebook]]:
    """Makes one shell after another in the same folder."""
    made = []

    def make() -> Notebook:
        made.append(_shell(capsys))
        return next(made[-1])

    yield make
    for shell in made:
        next(shell, None)


def _shell(capture: pytest.CaptureFixture[str]) -> Iterator[Notebook]:
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    shell.run_line_magic("load_ext", "reflex_magic")
    shell.run_cell("import pandas as pd")
    yield Notebook(shell, capture)
    shell.run_line_magic("unload_ext", "reflex_magic")
    shell.history_manager.end_session()
    InteractiveShell.clear_instance()
