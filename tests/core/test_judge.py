"""Verdicts rest on what ran, what was asserted and what was found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.judge import assertions, dropped, end_state, judge
from reflex_magic.core.outcome import Completed, Condition, Operand, Raised, Run, TimedOut
from reflex_magic.core.proposal import Proposal, Verdict

ORIGINAL = Cell("a = load()\nb = a.total\nassert b == 3\nc = b")
PROPOSAL = Proposal("rule:test", "a test", (), ("doubt",))
FAILED = Run(ORIGINAL, Raised("AttributeError", "no total", 1, ORIGINAL.steps[1].span))


def run(body: str, outcome: object = None, **more: object) -> Run:
    return Run(Cell(body), outcome or Completed(), **more)


def verdict(trial: Run, findings: tuple[Finding, ...] = (), base: Run = FAILED, **more: object) -> Verdict:
    return judge(
        ORIGINAL, base, more.pop("base_findings", ()), trial, findings, PROPOSAL, more.pop("overcome", ())
    ).verdict


GOOD = "a = load()\nb = a.sum()\nassert b == 3\nc = b"


def test_a_run_that_keeps_the_assertion_holds() -> None:
    assert verdict(run(GOOD)) is Verdict.HOLDS


@pytest.mark.parametrize(
    "body",
    [
        "a = load()\nb = a.sum()\nc = b",
        "a = load()\nb = a.sum()\nassert b >= 3\nc = b",
        "a = load()\nb = a.sum()\ntry:\n    assert b == 3\nexcept AssertionError:\n    pass\nc = b",
        "a = load()\nb = a.sum()\nif False:\n    assert b == 3\nc = b",
        "a = load()\nb = a.sum()\ndef f():\n    assert b == 3\nc = b",
    ],
    ids=["dropped", "weakened", "caught", "never reached", "in a function"],
)
def test_a_rewrite_that_gives_up_the_assertion_fails(body: str) -> None:
    assert verdict(run(body)) is Verdict.FAILS


def test_the_message_of_an_assertion_may_change() -> None:
    assert dropped(ORIGINAL, Cell(GOOD.replace("b == 3", "b == 3, f'got {b}'"))) == ()


def test_two_equal_assertions_are_both_kept() -> None:
    twice = Cell("assert x\ny = 1\nassert x")
    assert len(dropped(twice, Cell("assert x\ny = 1"))) == 1


def test_a_broken_condition_fails_and_an_unknown_one_is_inconclusive() -> None:
    broken = Condition("b == 3", "assert", held=False, operands=(Operand("b", "4"),))
    assert verdict(run(GOOD, conditions=(broken,))) is Verdict.FAILS
    assert verdict(run(GOOD, conditions=(replace(broken, held=None),))) is Verdict.INCONCLUSIVE


def test_doubts_and_denials_are_inconclusive() -> None:
    assert verdict(run(GOOD, doubts=("a generator was used",))) is Verdict.INCONCLUSIVE
    assert verdict(run(GOOD, denied=("connect",))) is Verdict.INCONCLUSIVE


def test_a_later_failure_is_progress_and_the_same_failure_is_not() -> None:
    later = Cell(GOOD)
    trial = Run(later, Raised("TypeError", "x", 3, later.steps[3].span))
    judgement = judge(ORIGINAL, FAILED, (), trial, (), PROPOSAL, ())
    assert (judgement.verdict, judgement.progress) == (Verdict.FAILS, True)
    same = judge(ORIGINAL, FAILED, (), FAILED, (), PROPOSAL, ())
    assert (same.verdict, same.progress) == (Verdict.FAILS, False)


def test_an_inserted_step_alone_is_no_progress() -> None:
    cell = Cell("import x\na = load()\nb = a.total\nassert b == 3\nc = b")
    trial = Run(cell, Raised("TypeError", "other", 2, cell.steps[2].span))
    assert not judge(ORIGINAL, FAILED, (), trial, (), PROPOSAL, ()).progress


def test_an_earlier_failure_that_comes_back_regresses() -> None:
    from reflex_magic.core.judge import signature

    assert verdict(FAILED, overcome={signature(FAILED)}) is Verdict.REGRESSES


def test_a_new_must_finding_regresses_a_cell_that_ran() -> None:
    must = Finding("rows-lost", Severity.MUST, None, "c", "rows are gone")
    assert verdict(run(GOOD), (must,), base=Run(ORIGINAL, Completed())) is Verdict.REGRESSES


def test_a_doubt_that_stays_is_not_answered() -> None:
    doubt = Finding("doubt", Severity.MAY, None, "c", "doubtful")
    ran = Run(ORIGINAL, Completed())
    assert verdict(run(GOOD), (doubt,), base=ran, base_findings=(doubt,)) is Verdict.FAILS
    assert verdict(run(GOOD), (), base=ran, base_findings=(doubt,)) is Verdict.HOLDS


def test_a_timeout_fails() -> None:
    assert verdict(run(GOOD, TimedOut(1, 2.0))) is Verdict.FAILS


def test_only_assertions_on_final_values_are_evaluated_afterwards() -> None:
    cell = Cell("assert x > 1\nx = 0\nassert y\nassert t['a']\nt['a'] = 2\nz = 1")
    assert [end_state(cell, c) for c in assertions(cell)] == [False, True, False]
