"""What every check has in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reflex_magic.core.catalogue import Entry
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


class Check(Entry):
    """Looks at a run and reports; never rewrites, never executes.

    A subclass gives `name` and `check`. `code` is the same text under the name that
    `core.ports.Check` and `Finding` use. `of_failure` is True for a check of what did fail; it
    cannot be silenced.
    """

    code: str = ""
    of_failure: bool = False

    def __init_subclass__(cls) -> None:
        cls.code = cls.name

    def check(self, run: Run) -> Iterator[Finding]:
        """The findings of this kind."""
        raise NotImplementedError

    def finding(
        self,
        operation: Operation,
        severity: Severity,
        message: str,
        suggestion: str = "",
        evidence: Mapping[str, Any] | None = None,
    ) -> Finding:
        """A finding about an operation, where that stands."""
        return Finding(
            self.code, severity, operation.span, operation.expression, message, suggestion, dict(evidence or {})
        )


def count(number: int, singular: str, plural: str = "") -> str:
    """``1 row``, ``3 rows``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def listed(names: list[str] | tuple[str, ...], limit: int = 4) -> str:
    """```a`, `b` and `c```; long lists are cut with "+12 more"."""
    shown = [f"`{name}`" for name in names[:limit]]
    if len(names) > limit:
        return f"{', '.join(shown)}, +{len(names) - limit} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def shaped(shapes: dict[str, int], limit: int = 3) -> str:
    """```9,999` (2), `99,999` (1)``: the most frequent shapes with their counts."""
    shown = [f"`{shape}` ({number})" for shape, number in list(shapes.items())[:limit]]
    more = len(shapes) - limit
    return ", ".join(shown) + (f", +{more} more" if more > 0 else "")
