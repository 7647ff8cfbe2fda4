"""What a check reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from reflex_magic.core.cell import Span


class Severity(StrEnum):
    """How much a finding weighs.

    must: the cell failed or contradicts itself; a repair is looked for.
    may: the result is doubtful; a repair is offered, never committed without a person.
    note: shown with ``-v`` only.
    """

    MUST = "must"
    MAY = "may"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong or doubtful, with where and why.

    `evidence` holds counts and value shapes, never values of the data.
    """

    code: str
    severity: Severity
    span: Span | None
    expression: str
    message: str
    suggestion: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str]:
        """Equal for the same finding before and after an edit that moved it."""
        return self.code, self.expression

    def to_dict(self) -> dict[str, Any]:
        """The finding as the report shows it."""
        return {
            "code": self.code,
            "severity": str(self.severity),
            "line": self.span.line if self.span else None,
            "column": self.span.column if self.span else None,
            "end_line": self.span.end_line if self.span else None,
            "end_column": self.span.end_column if self.span else None,
            "expression": self.expression,
            "message": self.message,
            "suggestion": self.suggestion,
            "evidence": dict(self.evidence),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Finding:
        """The inverse of `to_dict`."""
        span = None
        if data.get("line") is not None:
            span = Span(data["line"], data["column"], data["end_line"], data["end_column"])
        return cls(
            data["code"],
            Severity(data["severity"]),
            span,
            data["expression"],
            data["message"],
            data.get("suggestion", ""),
            dict(data.get("evidence", {})),
        )
