"""Cells that fail, run under the magic in a real shell and judged by what they leave.

The cells stand in ``cells/reading`` (files, numbers, dates) and ``cells/names`` (names, joins, shapes, masks, types,
bins, and text that is no Python): under ``## class: name`` a setup, the failing cell and what is true of the right
result, parted by ``---``. Classes: *repaired*, committed and right; *offered*, a person has to choose and one choice is
right; *silent*, nothing is offered; *open*, a tempting repair would be wrong, so that nothing is committed.
``class (pandas 3)`` is a cell that only pandas 3 refuses, ``offered (inconclusive)`` one whose trial cannot be taken
back.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

from reflex_magic.core.report import Report
from tests.end_to_end.conftest import Notebook, here, notebook

__all__ = ["here", "notebook"]

_PANDAS_3 = pytest.mark.skipif(int(pd.__version__.partition(".")[0]) < 3, reason="pandas 2 does not fail here")
IMPORTS = {
    "reading": "from pathlib import Path\nimport numpy as np\nimport pandas as pd\n",
    "names": "import json\nimport sqlite3\nfrom pathlib import Path\nimport numpy as np\nimport pandas as pd\n",
}


@dataclass(frozen=True)
class Case:
    """A failing cell, what is true of the right result, and the verdict on what is offered."""

    setup: str
    cell: str
    right: str
    verdict: str


def _cases(wanted: str) -> list[object]:
    found = []
    for file in sorted((Path(__file__).parent / "cells").glob("*/*.txt")):
        if file.parent.name not in IMPORTS:
            continue
        for block in ("\n" + file.read_text("utf-8")).split("\n## ")[1:]:
            head, _, rest = block.partition("\n")
            kind, _, name = head.partition(": ")
            kind, _, note = kind.rstrip(")").partition(" (")
            setup, cell, right = (*(f"\n{rest}\n".split("\n---\n")), "")[:3]
            if kind == wanted:
                verdict = note if note == "inconclusive" else "holds"
                case = Case(IMPORTS[file.parent.name] + setup.strip(), cell.strip("\n"), right.strip(), verdict)
                marks = [_PANDAS_3] if note == "pandas 3" else []
                found.append(pytest.param(case, id=f"{file.stem}: {name}", marks=marks))
    return found


def _report(notebook: Notebook, case: Case) -> Report:
    assert notebook.run(case.setup).success, notebook.shown  # type: ignore[attr-defined]
    report = notebook.reflect(case.cell)
    assert report.outcome["ename"], "the cell has to fail"
    return report


def _true(notebook: Notebook, right: str) -> bool:
    return bool(eval(right, notebook.shell.user_ns))


pytestmark = pytest.mark.filterwarnings("ignore")  # what the cells warn of is shown to their author


@pytest.mark.parametrize("case", _cases("repaired"))
def test_one_right_answer_is_committed(notebook: Notebook, case: Case) -> None:
    report = _report(notebook, case)
    assert report.status == "repaired", (report.stop, report.outcome, [(p.source, p.reasons) for p in report.proposals])
    assert _true(notebook, case.right), report.source


@pytest.mark.parametrize("case", _cases("offered"))
def test_a_person_chooses_and_one_choice_is_right(notebook: Notebook, case: Case) -> None:
    report = _report(notebook, case)
    assert report.status == "pending", (report.status, report.source)
    offered = [p.source for p in report.proposals if p.verdict == case.verdict]
    right = []
    for source in offered:
        notebook.run(case.setup)
        right.append(notebook.run(source).success and _true(notebook, case.right))  # type: ignore[attr-defined]
    assert any(right), offered


@pytest.mark.parametrize("case", _cases("silent"))
def test_nothing_is_offered(notebook: Notebook, case: Case) -> None:
    assert _report(notebook, case).offered == []


@pytest.mark.parametrize("case", _cases("open"))
def test_nothing_is_committed_where_the_data_do_not_say(notebook: Notebook, case: Case) -> None:
    report = _report(notebook, case)
    assert report.status != "repaired", report.source
