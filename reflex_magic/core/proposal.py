"""Offered changes, their verdicts, and what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from reflex_magic.core.cell import Edit


class Applicability(StrEnum):
    """Who may apply a proposal.

    safe: may be committed by a policy once it holds. unsafe: a person must choose, because
    another answer is as good or the meaning may change. display: a hint, nothing to apply.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Verdict(StrEnum):
    """What a trial showed."""

    HOLDS = "holds"
    FAILS = "fails"
    REGRESSES = "regresses"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Reflection:
    """A model's account of a failure, in its fixed parts (M16)."""

    symptom: str
    root_cause: str
    change: str
    evidence: str = ""
    resume_step: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change to a cell, and what is known about it.

    A proposer fills `origin` (``rule:NAME``, ``lesson:ID``, ``model:NAME``), `title`, `edits`
    (spans in the cell of the `Context` it was given), `answers` (finding codes),
    `applicability` and `evidence` (one sentence with counts: why this is right). The loop fills
    the rest: `source` is the whole body with the change made, `diff` is against the original
    cell, `parents` are the proposals it builds upon. `foreign` code is never run in the kernel.
    """

    origin: str
    title: str
    edits: tuple[Edit, ...]
    answers: tuple[str, ...] = ()
    applicability: Applicability = Applicability.SAFE
    evidence: str = ""
    foreign: bool = False
    tokens: int = 0
    reflection: Reflection | None = None
    id: str = ""
    source: str = ""
    diff: str = ""
    verdict: Verdict | None = None
    reasons: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about a proposal.

    `what` is accept, reject or undo; `who` is person or policy; `when` is ISO 8601 UTC.
    """

    what: str
    who: str
    when: str
    proposal: str
