"""Cells that run and are wrong: what a check finds is answered exactly, and the answer gives the right value.

The cells stand in ``cells/silent/*.txt``: under ``## code: name`` a setup and the cell, parted by ``---``.
For those that are repaired follows the cell as it must read and what is then true, for those with offers the cell as
each leaves it. Those with an assertion run under the magic in a real shell.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.finding import Severity
from reflex_magic.core.outcome import Completed, Run
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Applicability, Proposal
from reflex_magic.core.report import Tokens
from reflex_magic.observe.values import LiveValues
from reflex_magic.repairs.catalogue import REPAIRS
from reflex_magic.repairs.proposer import RuleProposer
from tests.end_to_end.conftest import Notebook, here, notebook
from tests.observe.stepper import run_body
from tests.repairs.conftest import applied

__all__ = ["here", "notebook"]


@dataclass(frozen=True)
class Case:
    """The code of a finding, then the parts that stand under its name."""

    parts: tuple[str, ...]


def _cases(file: str, only: str = "") -> list[object]:
    found = []
    for block in (Path(__file__).parent / "cells" / "silent" / file).read_text("utf-8").split("## ")[1:]:
        head, _, rest = block.partition("\n")
        code, _, name = head.partition(": ")
        parts = [part.strip("\n") for part in rest.split("\n---\n")]
        if code == (only or code):
            found.append(pytest.param(Case((code, *parts)), id=f"{code}: {name}"))
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _context(run: Run, folder: Path, goal: str = "") -> Context:
    return Context(run.cell, run, tuple(check_all(run, goal=goal)), LiveValues(run.handle, {}, folder), goal)  # type: ignore[arg-type]


def _proposals(context: Context, code: str = "") -> list[Proposal]:
    """What the rules propose, as the loop asks them; those for one finding where its code is given."""
    proposer = RuleProposer(REPAIRS)
    found = list(proposer.propose(context, Tokens()))
    assert proposer.notes == []
    return [p for p in found if not code or code in p.answers]


def _found(context: Context) -> list[str]:
    return [f.code for f in context.findings if f.severity is not Severity.NOTE]


def _is_right(run: Run, right: str) -> bool:
    return bool(eval(right, run.handle))  # type: ignore[arg-type]


@pytest.mark.parametrize("case", _cases("repaired.txt"))
def test_a_finding_is_answered(case: Case, folder: Path) -> None:
    code, setup, cell, repaired, right = case.parts
    before = run_body(cell, setup)
    context = _context(before, folder)
    assert code in _found(context)
    assert before.outcome != Completed() or not _is_right(before, right), "the cell has to be wrong"

    first = _proposals(context, code)[0]

    assert applied(context, first) == repaired
    assert first.applicability is Applicability.SAFE
    assert first.evidence
    after = run_body(repaired, setup)
    assert after.outcome == Completed()
    assert _is_right(after, right)
    assert {f for f in _found(_context(after, folder)) if f == code or f not in _found(context)} == set()


@pytest.mark.parametrize("case", _cases("offered.txt"))
def test_where_several_answers_are_as_good_each_is_offered(case: Case, folder: Path) -> None:
    code, setup, cell, *ways = case.parts
    context = _context(run_body(cell, setup), folder)
    assert code in _found(context)

    offered = _proposals(context, code)

    assert [applied(context, p) for p in offered] == ways
    assert {p.applicability for p in offered} == {Applicability.UNSAFE}
    assert all(p.evidence for p in offered)
    for way in ways:
        assert run_body(way, setup).outcome == Completed()


@pytest.mark.parametrize("case", _cases("silent.txt"))
def test_where_nothing_tells_the_answer_there_is_none(case: Case, folder: Path) -> None:
    code, setup, cell = case.parts
    context = _context(run_body(cell, setup), folder)

    assert _proposals(context, code) == []


@pytest.mark.parametrize("case", _cases("asserted.txt", "repaired"))
def test_with_an_assertion_the_one_answer_is_committed(case: Case, notebook: Notebook) -> None:
    _, setup, cell, right = case.parts
    notebook.run(f"import numpy as np\nimport pandas as pd\n{setup}")

    report = notebook.reflect(cell)

    assert report.status == "repaired", [(p.title, p.verdict, p.reasons) for p in report.proposals]
    assert eval(right, notebook.shell.user_ns)


@pytest.mark.parametrize("case", _cases("asserted.txt", "asked"))
def test_with_an_assertion_a_choice_is_left_to_the_person(case: Case, notebook: Notebook) -> None:
    _, setup, cell = case.parts
    notebook.run(f"import numpy as np\nimport pandas as pd\n{setup}")

    report = notebook.reflect(cell)

    assert report.status in ("pending", "unresolved")
    assert report.source == report.original
