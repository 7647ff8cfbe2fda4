"""The report of one reflected cell: the audit trail, the review and the command line read this."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

from reflex_magic.core.card import Card, ColumnCard, ValueCard
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed, Condition, Interrupted, Outcome, Raised, TimedOut, classify
from reflex_magic.core.proposal import Applicability, Decision, Proposal, Reflection, Verdict

SCHEMA = 1
MIMETYPE = "application/vnd.reflex-magic+json"
"""Under which a report, or the record made of it, stands in a cell's output."""

STOPS = {
    "passed": "there was nothing to repair",
    "held": "a proposal holds",
    "asked": "a person has to choose",
    "denied": "the confined run refused what the code wanted to do",
    "rounds": "the limit of rounds was reached",
    "budget": "the token budget was spent",
    "plateau": "nothing that was tried came further",
    "no-proposal": "no lesson, rule or model offers a repair",
    "interrupted": "it was interrupted",
    "fault": "reflex-magic itself failed",
}
"""`Report.stop` in words."""


@dataclass(slots=True)
class Tokens:
    """Tokens of one report. `by_site` maps a call site to its ``[in, out, calls]``."""

    by_site: dict[str, list[int]] = field(default_factory=dict)
    avoided: int = 0

    def add(self, site: str, sent: int, received: int) -> None:
        """Count one call."""
        counts = self.by_site.setdefault(site, [0, 0, 0])
        for i, n in enumerate((sent, received, 1)):
            counts[i] += n

    @property
    def total(self) -> int:
        """Tokens in and out, over all sites."""
        return sum(i + o for i, o, _ in self.by_site.values())

    def to_dict(self) -> dict[str, Any]:
        """The counts as the report shows them."""
        sums = [sum(c[i] for c in self.by_site.values()) for i in range(3)]
        sites = {s: {"in": i, "out": o, "calls": n} for s, (i, o, n) in self.by_site.items()}
        return {"in": sums[0], "out": sums[1], "calls": sums[2], "by_site": sites, "avoided": self.avoided}


def now() -> str:
    """The present time, ISO 8601 UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(slots=True)
class Report:
    """Everything that happened to one cell; the fields are those of the documented schema.

    `source` equals `original` unless a repair was committed. `seconds` is wall time. `level`
    names the confinement of foreign code where any ran. `conditions` are the frozen conditions
    with what they showed in the run that counts: what "holds" means for this cell. `first_line`
    is the editor's line number of the body's first line: 2 under a magic line, 1 without.
    """

    original: str
    goal: str = ""
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    started: str = field(default_factory=now)
    seconds: float = 0.0
    status: str = "passed"
    source: str = ""
    outcome: dict[str, Any] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    rounds: int = 0
    trials: int = 0
    tokens: Tokens = field(default_factory=Tokens)
    decision: Decision | None = None
    cards: list[Card] = field(default_factory=list)
    unresolved: list[Finding] = field(default_factory=list)
    stop: str = ""
    lessons: dict[str, list[str]] = field(default_factory=lambda: {"used": [], "learned": []})
    conditions: list[Condition] = field(default_factory=list)
    route: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    level: str = ""
    first_line: int = 2
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        self.source = self.source or self.original

    def proposal(self, proposal_id: str) -> Proposal | None:
        """The proposal of this id, or None."""
        return next((p for p in self.proposals if p.id == proposal_id), None)

    @property
    def offered(self) -> list[Proposal]:
        """The proposals that a person may accept, best first."""
        return [p for p in self.proposals if p.verdict in (Verdict.HOLDS, Verdict.INCONCLUSIVE) and p.source]

    @property
    def undisputed(self) -> bool:
        """Whether the cell ran to its end and no finding says that it should be changed."""
        return self.outcome.get("class", "ok") == "ok" and all(f.severity is Severity.NOTE for f in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-able data."""
        return {
            "schema": self.schema,
            "id": self.id,
            "started": self.started,
            "seconds": round(self.seconds, 4),
            "status": self.status,
            "original": self.original,
            "source": self.source,
            "goal": self.goal,
            "outcome": _listed(self.outcome),
            "findings": [f.to_dict() for f in self.findings],
            "proposals": [_proposal_dict(p) for p in self.proposals],
            "rounds": self.rounds,
            "trials": self.trials,
            "tokens": self.tokens.to_dict(),
            "decision": asdict(self.decision) if self.decision else None,
            "cards": [_listed(asdict(c)) for c in self.cards],
            "unresolved": [f.to_dict() for f in self.unresolved],
            "stop": self.stop,
            "lessons": {k: list(v) for k, v in self.lessons.items()},
            "conditions": [
                {"source": c.source, "origin": c.origin, "held": c.held, "message": c.message} for c in self.conditions
            ],
            "route": list(self.route),
            "notes": list(self.notes),
            "files": list(self.files),
            "level": self.level,
            "first_line": self.first_line,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Report:
        """The report that `to_dict` made `data` from. Unknown keys are ignored.

        Raises
        ------
        ValueError
            `data` is of a newer schema, or is no report.
        """
        if not isinstance(data, Mapping) or not isinstance(data.get("schema"), int):
            raise ValueError("not a report")
        if data["schema"] > SCHEMA:
            raise ValueError(f"schema {data['schema']} is newer than this version reads ({SCHEMA})")
        built: dict[str, Any] = {
            "tokens": _tokens_from(data["tokens"]),
            "findings": [Finding.from_dict(f) for f in data["findings"]],
            "proposals": [_proposal_from(p) for p in data["proposals"]],
            "decision": Decision(**data["decision"]) if data["decision"] else None,
            "cards": [_card_from(c) for c in data["cards"]],
            "unresolved": [Finding.from_dict(f) for f in data["unresolved"]],
            "conditions": [Condition(**c) for c in data["conditions"]],
        }
        return cls(**built, **{f.name: data[f.name] for f in fields(cls) if f.name not in built})


def outcome_dict(outcome: Outcome) -> dict[str, Any]:
    """An outcome as the report shows it."""
    shown: dict[str, Any] = {"class": str(classify(outcome)), "ename": "", "evalue": "", "line": None}
    match outcome:
        case Raised():
            in_cell = [f.line for f in outcome.frames if f.in_cell]
            line = outcome.span.line if outcome.span else in_cell[-1] if in_cell else None
            shown |= {"ename": outcome.ename, "evalue": outcome.evalue, "line": line}
        case TimedOut():
            shown["evalue"] = f"longer than {outcome.seconds:g} s"
        case Interrupted() | Completed():
            pass
    return shown


def _listed(value: Any) -> Any:
    """`value` with lists for tuples, as JSON would have it."""
    if isinstance(value, Mapping):
        return {k: _listed(v) for k, v in value.items()}
    return [_listed(v) for v in value] if isinstance(value, (list, tuple)) else value


def _proposal_dict(p: Proposal) -> dict[str, Any]:
    return {
        "id": p.id,
        "origin": p.origin,
        "title": p.title,
        "answers": list(p.answers),
        "applicability": str(p.applicability),
        "source": p.source,
        "diff": p.diff,
        "verdict": str(p.verdict) if p.verdict else None,
        "reasons": list(p.reasons),
        "tokens": p.tokens,
        "evidence": p.evidence,
        "foreign": p.foreign,
        "parents": list(p.parents),
        "reflection": asdict(p.reflection) if p.reflection else None,
    }


def _proposal_from(data: Mapping[str, Any]) -> Proposal:
    built: dict[str, Any] = {
        "answers": tuple(data["answers"]),
        "applicability": Applicability(data["applicability"]),
        "verdict": Verdict(data["verdict"]) if data["verdict"] else None,
        "reasons": tuple(data["reasons"]),
        "parents": tuple(data["parents"]),
        "reflection": Reflection(**data["reflection"]) if data["reflection"] else None,
    }
    plain = ("id", "origin", "title", "source", "diff", "tokens", "evidence", "foreign")
    return Proposal(edits=(), **built, **{name: data[name] for name in plain})


def _tokens_from(data: Mapping[str, Any]) -> Tokens:
    return Tokens({s: [c["in"], c["out"], c["calls"]] for s, c in data["by_site"].items()}, data["avoided"])


def _card_from(data: Mapping[str, Any]) -> Card:
    def value(v: Mapping[str, Any]) -> ValueCard:
        columns = tuple(ColumnCard(**c) for c in v["columns"])
        return ValueCard(**{**v, "columns": columns, "index": tuple(v["index"])})

    lists = {k: tuple(map(value, data[k])) for k in ("before", "after")}
    return Card(**{**data, **lists, "warnings": tuple(data["warnings"])})
