"""Which of several proposals that hold is taken, and when a person is asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.proposer import RuleProposer
from reflex_magic.repairs.rule import Repair
from tests.end_to_end.conftest import Notebook

CELL = "x = df['v'].astype(float)"

POINTS_ARE_MARKS = "df['v'].str.replace('.', '').str.replace(',', '.').astype(float)"
COMMAS_ARE_MARKS = "df['v'].str.replace(',', '').astype(float)"
THE_SAME_SHORTER = "df['v'].str.replace('\\W', '', regex=True).astype(float)"
TWICE = "df['v'].str.replace(',', '').str.replace(',', '').astype(float)"


def reflect(notebook: Notebook, monkeypatch: pytest.MonkeyPatch, values: str, *answers: str) -> list[str]:
    """The sources offered, best first, when rules give these answers for the failing expression."""

    class Scripted(Repair):
        """Gives the answers in their order."""

        name = "scripted"

        def propose(self, context: Context) -> Iterator[Proposal]:
            node = syntax.failing(context)
            if node is not None:
                for answer in answers:
                    yield self.offer(answer, [syntax.replace(context.cell, node, answer)], "as scripted")

    monkeypatch.setattr("reflex_magic.session.RuleProposer", lambda: RuleProposer((Scripted,)))
    notebook.run(f"import pandas as pd\ndf = pd.DataFrame({{'v': {values}}})")
    report = notebook.reflect(CELL)
    return [p.source for p in report.proposals]


def test_equal_kinds_with_other_values_are_asked_about(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = reflect(notebook, monkeypatch, "['1,234', '5,678']", COMMAS_ARE_MARKS, POINTS_ARE_MARKS)
    assert offered == [f"x = {COMMAS_ARE_MARKS}", f"x = {POINTS_ARE_MARKS}"]
    assert "x" not in notebook.shell.user_ns
    assert "choose one" in notebook.shown


def test_of_equal_results_the_smaller_change_is_taken(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = reflect(notebook, monkeypatch, "['1,234', '5,678']", TWICE, THE_SAME_SHORTER, COMMAS_ARE_MARKS)
    assert offered[0] == f"x = {COMMAS_ARE_MARKS}"
    assert list(notebook["x"]) == [1234.0, 5678.0]  # type: ignore[call-overload]


def test_equal_results_in_other_variables_do_not_count(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them changes the frame that the other only reads."""
    written = "(df.pop('v')).str.replace(',', '').astype(float)"
    offered = reflect(notebook, monkeypatch, "['1,234', '5,678']", COMMAS_ARE_MARKS, written)
    assert len(offered) == 2
    assert "x" not in notebook.shell.user_ns
    assert list(notebook["df"].columns) == ["v"]  # type: ignore[attr-defined]
