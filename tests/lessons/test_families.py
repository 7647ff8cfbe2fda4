"""One accepted repair, then other cells of the kind: repaired from the lesson, exactly and rightly."""

from __future__ import annotations

from pathlib import Path

import pytest

from reflex_magic.core.report import Tokens
from reflex_magic.lessons import JsonlLessons, LessonProposer
from tests.lessons.bench import accepted, context, result, safe
from tests.lessons.families import FAMILIES, Family, Variant

CASES = [pytest.param(f, v, id=f"{f.name}-{i}") for f in FAMILIES for i, v in enumerate(f.variants, 1)]


@pytest.mark.parametrize(("family", "variant"), CASES)
def test_a_variant_is_repaired_from_the_lesson(family: Family, variant: Variant, tmp_path: Path) -> None:
    store = JsonlLessons(tmp_path / "lessons.jsonl", tmp_path / "home")
    proposer = LessonProposer(store)
    first = context(family.cell, family.setup)
    assert not list(proposer.propose(first, Tokens())), "nothing is known yet"
    report, repair = accepted(first, family.repaired)
    learned = store.learn(report, first, repair)
    assert learned, store.notes
    assert store.notes == []

    asked, tokens = context(variant.cell, variant.setup), Tokens()
    proposal, *more = proposer.propose(asked, tokens)
    assert more == []
    assert proposal.origin == f"lesson:{learned}"
    assert safe(proposal), proposal.evidence
    assert asked.cell.apply(proposal.edits).body == variant.after
    assert eval(variant.holds, result(asked, proposal.edits, variant.setup))
    assert tokens.total == 0


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.name)
def test_a_lesson_keeps_nothing_of_the_cell_it_comes_from(family: Family, tmp_path: Path) -> None:
    store = JsonlLessons(tmp_path / "lessons.jsonl", tmp_path / "home")
    first = context(family.cell, family.setup)
    report, proposal = accepted(first, family.repaired)
    lesson = store.get(store.learn(report, first, proposal) or "")
    assert lesson is not None
    assert lesson.template is not None
    line = str(lesson.to_dict())
    for particular in ("ORDERS", "AMOUNT", "1,299", "25/12/2024", "'when'", "amount ", "codes", "totals", "2023-12-31"):
        assert particular not in line
