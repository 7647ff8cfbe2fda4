from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config


@pytest.fixture(autouse=True)
def _working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def new_shell(monkeypatch):
    """Makes real shells; the newest is the one that `display` and `get_ipython` mean."""
    monkeypatch.setenv("NO_COLOR", "1")
    hooks = sys.displayhook, sys.excepthook, dict(sys.modules)

    def make() -> InteractiveShell:
        InteractiveShell.clear_instance()
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        return InteractiveShell.instance(config=config)

    yield make
    InteractiveShell.clear_instance()
    sys.displayhook, sys.excepthook = hooks[:2]
    sys.modules["__main__"] = hooks[2]["__main__"]


@pytest.fixture
def shell(new_shell) -> Iterator[InteractiveShell]:
    return new_shell()
