"""Cells that read files, numbers and dates, run under the magic in a real shell and judged by what they leave.

The cells stand in ``cells/*.txt``: under ``## class: name`` a setup, the failing cell and what is true of the
right result, parted by ``---``. Classes: *repaired*, committed and right; *offered*, a person has to choose and one
choice is right; *silent*, nothing that holds; *open*, a tempting repair would be wrong, so that nothing is committed.
``class (pandas 3)`` is a cell that only pandas 3 refuses.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from reflex_magic.core.report import Report
from tests.end_to_end.conftest import Notebook, here, notebook

__all__ = ["here", "notebook"]

_PANDAS_3 = pytest.mark.skipif(int(pd.__version__.partition(".")[0]) < 3, reason="pandas 2 does not fail here")
IMPORTS = "from pathlib import Path\nimport numpy as np\nimport pandas as pd\n"


@dataclass(frozen=True)
class Case:
    """A failing cell with its class, and what is true of the right result."""

    kind: str
    name: str
    setup: str
    cell: str
    right: str


def _cases(wanted: str) -> list[object]:
    found = []
    for file in sorted((Path(__file__).parent / "cells").glob("*.txt")):
        for block in file.read_text("utf-8").split("## ")[1:]:
            head, _, rest = block.partition("\n")
            kind, _, name = head.partition(": ")
            kind, only, _ = kind.partition(" (pandas 3)")
            setup, cell, right = (*(part.strip() for part in rest.split("\n---")), "")[:3]
            if kind == wanted:
                marks = [_PANDAS_3] if only else []
                found.append(pytest.param(Case(kind, name, setup, cell, right), id=f"{file.stem}: {name}", marks=marks))
    return found


def _report(notebook: Notebook, case: Case) -> Report:
    assert notebook.run(IMPORTS + case.setup).success, notebook.shown  # type: ignore[attr-defined]
    report = notebook.reflect(case.cell)
    assert report.outcome["ename"], "the cell has to fail"
    return report


def _true(shell: InteractiveShell, right: str) -> bool:
    return bool(eval(right, shell.user_ns))


def _holding(report: Report) -> list[str]:
    return [p.source for p in report.proposals if p.verdict == "holds"]


pytestmark = pytest.mark.filterwarnings("ignore")  # what the cells warn of is shown to their author


@pytest.mark.parametrize("case", _cases("repaired"))
def test_one_right_answer_is_committed(notebook: Notebook, case: Case) -> None:
    report = _report(notebook, case)
    assert report.status == "repaired", (report.stop, report.outcome, [(p.source, p.reasons) for p in report.proposals])
    assert _true(notebook.shell, case.right), report.source


@pytest.mark.parametrize("case", _cases("offered"))
def test_a_person_chooses_and_one_choice_is_right(notebook: Notebook, case: Case) -> None:
    report = _report(notebook, case)
    assert report.status == "pending", (report.status, report.source)
    right = []
    for source in _holding(report):
        notebook.run(IMPORTS + case.setup)
        right.append(notebook.run(source).success and _true(notebook.shell, case.right))  # type: ignore[attr-defined]
    assert any(right), _holding(report)


@pytest.mark.parametrize("case", _cases("silent"))
def test_nothing_is_offered(notebook: Notebook, case: Case) -> None:
    assert _holding(_report(notebook, case)) == []


@pytest.mark.parametrize("case", _cases("open"))
def test_nothing_is_committed_where_the_data_do_not_say(notebook: Notebook, case: Case) -> None:
    report = _report(notebook, case)
    assert report.status != "repaired", report.source
