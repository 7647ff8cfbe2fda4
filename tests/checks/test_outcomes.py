"""What is said of cells that raised, timed out, or broke a condition."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reflex_magic.checks import check_all
from reflex_magic.core.cell import Cell, Span
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Condition, Interrupted, Raised, Run
from tests.observe.stepper import run_body

TICKETS = "tickets = pd.DataFrame({'ticket': range(10), 'agent': list('mlxmxlmxzl')}).replace('x', None)\n"


def only(run: Run, code: str) -> Finding:
    (finding,) = [f for f in check_all(run) if f.code == code]
    return finding


def test_raised_names_the_expression() -> None:
    finding = only(
        run_body('é = 1; total = sales["Revenue"].sum()', "sales = pd.DataFrame({'revenue': [1]})"), "raised"
    )
    assert finding.severity is Severity.MUST
    assert finding.message == "KeyError: 'Revenue' at `sales[\"Revenue\"]`"
    assert finding.span == Span(2, 16, 2, 32)
    assert finding.evidence == {"ename": "KeyError"}


def test_raised_over_several_lines_is_told_in_one() -> None:
    finding = only(run_body("x = float(\n    'abc'\n)"), "raised")
    assert finding.message == "ValueError: could not convert string to float: 'abc' at `float( 'abc' )`"


def test_raised_without_a_place_points_at_the_step() -> None:
    run = run_body("x = 1\ny = 1 / 0")
    assert isinstance(run.outcome, Raised)
    finding = only(replace(run, outcome=replace(run.outcome, span=None, evalue="")), "raised")
    assert finding.span == Span(3, 1, 3, 10)
    assert finding.message == "ZeroDivisionError at `y = 1 / 0`"


@pytest.mark.parametrize("ename", ["SystemExit", "KeyboardInterrupt", "StdinNotImplementedError"])
def test_what_a_person_did_is_no_finding(ename: str) -> None:
    assert check_all(Run(Cell("x"), Raised(ename, "", 0, Span(2, 1, 2, 2)))) == []
    assert check_all(Run(Cell("x"), Interrupted(0))) == []


def test_assertion_tells_both_sides() -> None:
    body = "per_agent = tickets.groupby('agent')['ticket'].count()\nassert per_agent.sum() == len(tickets), 'text'"
    run = run_body(body, TICKETS)
    finding = only(run, "assertion-failed")
    assert finding.severity is Severity.MUST
    assert finding.message == ("`per_agent.sum() == len(tickets)` is false: per_agent.sum() is 7, len(tickets) is 10")
    assert finding.span == Span(3, 8, 3, 39)
    assert finding.expression == "per_agent.sum() == len(tickets)"
    assert finding.evidence == {"parts": ["per_agent.sum()", "len(tickets)"]}
    assert "raised" not in {f.code for f in check_all(run)}


def test_assertion_tells_how_many_are_false() -> None:
    finding = only(run_body("assert tickets['agent'].notna().all()", TICKETS), "assertion-failed")
    assert finding.message == "`tickets['agent'].notna().all()` is false: 3 of 10 are False in tickets['agent'].notna()"


def test_assertion_of_a_library_is_told_where_it_was_called() -> None:
    run = run_body("pd.testing.assert_series_equal(tickets['agent'], tickets['ticket'])", TICKETS)
    finding = only(run, "assertion-failed")
    assert finding.expression == "pd.testing.assert_series_equal(tickets['agent'], tickets['ticket'])"
    assert finding.message.startswith("an assertion failed: ")


def test_conditions() -> None:
    run = run_body("out = tickets.dropna()", TICKETS, expect=("len(out) == 10", "len(out) == 7", "len(nothing) == 1"))
    findings = check_all(run)
    assert [(f.code, f.severity, f.expression) for f in findings] == [
        ("condition-broken", Severity.MUST, "len(out) == 10"),
        ("condition-broken", Severity.MAY, "len(nothing) == 1"),
    ]
    assert findings[0].message == "`len(out) == 10` is false"
    assert findings[1].message == (
        "`len(nothing) == 1` could not be evaluated: NameError: name 'nothing' is not defined"
    )


def test_conditions_are_not_judged_after_a_failure() -> None:
    run = replace(run_body("x = 1 / 0"), conditions=(Condition("x", "expect", None, "NameError"),))
    assert [f.code for f in check_all(run)] == ["raised"]


def test_timed_out() -> None:
    finding = only(run_body("x = 1\nwhile x:\n    pass", timeout=0.2), "timed-out")
    assert (finding.severity, finding.expression) == (Severity.MUST, "while x:")
    assert finding.message == "step 2 ran longer than 0.2 s"
