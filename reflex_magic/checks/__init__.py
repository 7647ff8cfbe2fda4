"""The catalogue of checks, in the order they run."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from reflex_magic.checks.assertion_failed import AssertionFailed
from reflex_magic.checks.base import Check
from reflex_magic.checks.condition_broken import ConditionBroken
from reflex_magic.checks.group_keys_dropped import GroupKeysDropped
from reflex_magic.checks.join_multiplies_rows import JoinMultipliesRows
from reflex_magic.checks.numbers_joined_as_text import NumbersJoinedAsText
from reflex_magic.checks.raised import ExceptionRaised
from reflex_magic.checks.recoding_misses_spellings import RecodingMissesSpellings
from reflex_magic.checks.rows_do_not_line_up import RowsDoNotLineUp
from reflex_magic.checks.silence import Silence
from reflex_magic.checks.timed_out import RanTooLong
from reflex_magic.checks.values_coerced_to_missing import ValuesCoercedToMissing
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

CHECKS: tuple[Check, ...] = (
    ExceptionRaised(),
    RanTooLong(),
    AssertionFailed(),
    ConditionBroken(),
    GroupKeysDropped(),
    JoinMultipliesRows(),
    ValuesCoercedToMissing(),
    RowsDoNotLineUp(),
    NumbersJoinedAsText(),
    RecodingMissesSpellings(),
)

_WEIGHT = {Severity.MUST: 0, Severity.MAY: 1, Severity.NOTE: 2}


def check_all(run: Run, checks: Sequence[Check] = CHECKS, ignore: Collection[str] = ()) -> list[Finding]:
    """What all checks find and nobody has silenced: musts first, then by line.

    A check that fails itself is a note, and the others go on.

    Parameters
    ----------
    ignore
        Checks that are silenced in every cell. What failed cannot be silenced.
    """
    findings: list[Finding] = []
    silence = Silence(run.cell, ignore)
    for check in checks:
        try:
            findings += (f for f in check.check(run) if check.of_failure or not silence.covers(f))
        except Exception as error:  # noqa: BLE001 - a broken check must not break the cell
            message = f"the check `{check.code}` failed ({type(error).__name__}) and was left out"
            findings.append(Finding(check.code, Severity.NOTE, None, "", message))
    findings += silence.unknown([check.code for check in checks if not check.of_failure])
    return sorted(findings, key=_place)


def _place(finding: Finding) -> tuple[int, int, int]:
    line, column = (finding.span.line, finding.span.column) if finding.span else (0, 0)
    return _WEIGHT[finding.severity], line, column


__all__ = ["CHECKS", "Check", "check_all"]
