"""Reports as the loop makes them, filled in by hand."""

from __future__ import annotations

from reflex_magic.core.card import Card, ColumnCard, ValueCard
from reflex_magic.core.cell import Span
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Condition
from reflex_magic.core.proposal import Applicability, Decision, Proposal, Reflection, Verdict
from reflex_magic.core.report import Report

BODY = 'sales["amount"] = sales["amount"].astype(float)\nassert sales["amount"].notna().all()'
REPAIRED = 'sales["amount"] = sales["amount"].str.strip("$").astype(float)\nassert sales["amount"].notna().all()'


def repaired(text: str = "`amount` is text", goal: str = "amounts as numbers") -> Report:
    """A repaired cell in which `text` stands wherever foreign text can stand."""
    report = Report(BODY, goal=goal, status="repaired", source=REPAIRED, seconds=0.25, stop="held", rounds=2, trials=2)
    report.outcome = {"class": "error", "ename": "ValueError", "evalue": f"could not convert: {text}", "line": 2}
    report.findings = [
        Finding(
            "raised", Severity.MUST, Span(2, 19, 2, 48), text, f"found: {text}", f"do: {text}", {"rows": 3, text: text}
        )
    ]
    first = Proposal(
        "model:test",
        f"first: {text}",
        (),
        ("raised",),
        Applicability.SAFE,
        evidence=text,
        tokens=700,
        reflection=Reflection(text, text, text, text),
        id="p1",
        source="x",
        diff=f"@@ -1 +1 @@\n-{text}\n+x",
        verdict=Verdict.FAILS,
        reasons=(text,),
    )
    second = Proposal(
        "rule:currency-text",
        f"second: {text}",
        (),
        ("raised",),
        id="p2",
        source=REPAIRED,
        diff="@@ -1 +1 @@\n-a\n+b",
        verdict=Verdict.HOLDS,
        reasons=("every step ran",),
        parents=("p1",),
    )
    report.proposals = [second, first]
    report.tokens.add("reflect", 600, 100)
    report.decision = Decision("accept", "policy", "2026-03-01T10:00:00.000Z", "p2")
    report.conditions = [Condition("sales['amount'].notna().all()", "assert", True, text)]
    report.cards = [
        Card(
            0,
            2,
            text,
            0.01,
            (),
            (ValueCard("sales", "DataFrame", 3, (ColumnCard(text, "float64", 0),), ("",)),),
            (text,),
        )
    ]
    report.lessons = {"used": ["l1"], "learned": ["l2"]}
    report.notes = [text]
    report.files = [text]
    return report


def unresolved(evalue: str = "'x'") -> Report:
    """A cell for which nothing was proposed."""
    report = Report("y = x", status="unresolved", stop="no-proposal")
    report.outcome = {"class": "error", "ename": "NameError", "evalue": evalue, "line": 2}
    report.findings = [Finding("raised", Severity.MUST, Span(2, 5, 2, 6), "x", "`x` is not defined")]
    report.unresolved = list(report.findings)
    return report
