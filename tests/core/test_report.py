"""The report survives JSON, and refuses what it cannot read."""

from __future__ import annotations

import json

import pytest

from reflex_magic.core.card import FOLD_AFTER, Card, ColumnCard, ValueCard, cut, fold, shape
from reflex_magic.core.cell import Span
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Condition
from reflex_magic.core.proposal import Applicability, Decision, Proposal, Reflection, Verdict
from reflex_magic.core.report import Report
from reflex_magic.core.route import ROUTE, State, draw

FIELDS = {
    "schema", "id", "started", "seconds", "status", "original", "source", "goal", "outcome", "findings", "proposals",
    "rounds", "trials", "tokens", "decision", "cards", "unresolved", "stop", "lessons",
}  # fmt: skip


def full() -> Report:
    report = Report("a = 1", "a goal")
    report.findings = [Finding("code", Severity.MAY, Span(2, 1, 2, 4), "a", "message", "do", {"rows": 3})]
    report.proposals = [
        Proposal(
            "model:m",
            "title",
            (),
            ("code",),
            Applicability.UNSAFE,
            reflection=Reflection("s", "c", "x"),
            id="p1",
            source="a = 2",
            verdict=Verdict.HOLDS,
            reasons=("r",),
        )
    ]
    report.tokens.add("reflect", 10, 5)
    report.decision = Decision("accept", "person", "2026-01-01T00:00:00Z", "p1")
    frame = ValueCard("a", "DataFrame", 3, (ColumnCard("x", "int64", 0),), ("",))
    report.cards = [Card(0, 2, "a = 1", 0.1, (frame,), (frame,), ("w",), "d")]
    report.conditions = [Condition("a == 1", "assert", held=True)]
    return report


def test_a_report_survives_json() -> None:
    data = json.loads(json.dumps(full().to_dict()))
    assert Report.from_dict(data).to_dict() == data


def test_every_field_of_the_documented_schema_is_there() -> None:
    data = full().to_dict()
    assert data.keys() >= FIELDS
    assert data["tokens"] == {
        "in": 10, "out": 5, "calls": 1, "by_site": {"reflect": {"in": 10, "out": 5, "calls": 1}}, "avoided": 0,
    }  # fmt: skip
    assert data["findings"][0].keys() >= {
        "code",
        "severity",
        "line",
        "column",
        "expression",
        "message",
        "suggestion",
        "evidence",
    }


@pytest.mark.parametrize("data", [{}, {"schema": 99}, {"schema": "1"}, [], None])
def test_what_is_no_report_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"report|schema"):
        Report.from_dict(data)


def test_shapes_keep_signs_and_hide_letters_and_digits() -> None:
    assert shape("$1,299.00") == "$9,999.99"
    assert shape("Ab-é12 ²") == "Aa-a99 ²"


def test_long_texts_are_cut_and_marked() -> None:
    assert cut("x" * 300) == "x" * 255 + "…"
    assert cut("x" * 256) == "x" * 256


def test_uneventful_cards_fold_and_anomalies_stay() -> None:
    calm = [Card(i, i, "x", 0.0) for i in range(FOLD_AFTER)]
    odd = Card(9, 9, "y", 0.0, anomaly=True)
    assert fold([*calm, odd, calm[0]]) == [tuple(calm), odd, calm[0]]


def test_every_edge_leads_to_a_state_and_every_state_can_be_reached() -> None:
    targets = {t for edges in ROUTE.values() for t in edges.values()}
    assert targets | {State.RUN} == set(State) == set(ROUTE)
    assert "● check" in draw(["check"])
