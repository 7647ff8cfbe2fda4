"""Hand-made reports, one for each way in which a cell can end."""

from __future__ import annotations

from dataclasses import replace

from reflex_magic.core.card import Card, ColumnCard, ValueCard
from reflex_magic.core.cell import Span, diff
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Condition
from reflex_magic.core.proposal import Applicability, Decision, Proposal, Reflection, Verdict
from reflex_magic.core.report import Report, Tokens

ORIGINAL = """\
# revenue per region
import pandas as pd

by_region = df.groupby("region")["Revenue"].sum()
share = by_region / by_region.sum()
assert abs(share.sum() - 1) < 1e-9
share.round(3)"""
REPAIRED = ORIGINAL.replace('"Revenue"', '"revenue"')
OTHER = ORIGINAL.replace('"Revenue"', '"revenue_net"')

FINDING = Finding(
    "near-miss-column",
    Severity.MUST,
    Span(5, 13, 5, 45),
    'df.groupby("region")["Revenue"]',
    "`Revenue` is not a column of `df`. Columns: region, revenue. Did you mean `revenue`?",
    "use `revenue`",
    {"columns": 2, "rows": 1200},
)
CARD = Card(
    1,
    5,
    'by_region = df.groupby("region")["revenue"].sum()',
    0.002,
    after=(ValueCard("by_region", "Series", 4, (ColumnCard("revenue", "float64", 0),), ("region",)),),
)


def proposal(number: int = 1, source: str = REPAIRED, **changes: object) -> Proposal:
    made = Proposal(
        "rule:near-miss-column",
        "Use the column `revenue`",
        (),
        ("near-miss-column",),
        evidence="It is the only one of 2 columns that differs in case alone.",
        id=f"p{number}",
        source=source,
        diff=diff(ORIGINAL, source),
        verdict=Verdict.HOLDS,
        reasons=("every step ran", "`abs(share.sum() - 1) < 1e-09` holds"),
    )
    return replace(made, **changes)


def report(status: str = "pending", **changes: object) -> Report:
    made = Report(
        ORIGINAL,
        goal="revenue per region",
        seconds=0.42,
        status=status,
        outcome={"class": "error", "ename": "KeyError", "evalue": "'Column not found: Revenue'", "line": 5},
        findings=[FINDING],
        proposals=[proposal()],
        rounds=1,
        trials=1,
        tokens=Tokens(avoided=1),
        cards=[CARD],
        stop="held",
        conditions=[Condition("abs(share.sum() - 1) < 1e-09", "assert", True)],
    )
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def passed() -> Report:
    return report("passed", findings=[], proposals=[], outcome={"class": "ok"}, trials=0, stop="passed")


def doubtful() -> Report:
    lost = Finding(
        "group-keys-dropped",
        Severity.MAY,
        Span(5, 13, 5, 40),
        'df.groupby("region")',
        "`groupby(region)` left out 13 of 1,200 rows: region is missing there.",
        "dropna=False keeps them",
    )
    offered = proposal(title="Keep the rows without a region", applicability=Applicability.UNSAFE)
    return report("passed", findings=[lost], proposals=[offered], outcome={"class": "ok"}, stop="asked")


def repaired(who: str = "person") -> Report:
    return report(
        "repaired", source=REPAIRED, decision=Decision("accept", who, "2026-11-30T10:00:00.000Z", "p1"), unresolved=[]
    )


def rejected() -> Report:
    return report(decision=Decision("reject", "person", "2026-11-30T10:00:00.000Z", "p1"))


def undone() -> Report:
    return report(decision=Decision("undo", "person", "2026-11-30T10:00:00.000Z", "p1"))


def choice() -> Report:
    second = proposal(
        2,
        OTHER,
        origin="model:small",
        title="Use the column `revenue_net`",
        evidence="The goal says revenue.",
        foreign=True,
        tokens=840,
        applicability=Applicability.UNSAFE,
        reflection=Reflection("`Revenue` is missing", "the name is written otherwise", "take `revenue_net`"),
    )
    return report(
        proposals=[proposal(applicability=Applicability.UNSAFE), second],
        tokens=Tokens({"reflect": [700, 140, 1]}, 0),
        stop="asked",
        files=["share.csv"],
    )


def unresolved() -> Report:
    failing = proposal(verdict=Verdict.FAILS, reasons=("KeyError: 'revenue'",))
    return report("unresolved", proposals=[failing], unresolved=[FINDING], stop="rounds", trials=1, conditions=[])


def interrupted() -> Report:
    return report(
        "interrupted", proposals=[], findings=[], outcome={"class": "interrupted"}, stop="interrupted", trials=0
    )


EVERY = {
    "passed": passed,
    "doubtful": doubtful,
    "pending": report,
    "repaired": repaired,
    "rejected": rejected,
    "undone": undone,
    "choice": choice,
    "unresolved": unresolved,
    "interrupted": interrupted,
}
