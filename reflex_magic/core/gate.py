"""Must repair, may repair, or leave alone."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Interrupted, Raised, Run, TimedOut

_NOT_A_FAULT = ("SystemExit", "KeyboardInterrupt", "StdinNotImplementedError")


class Gate(StrEnum):
    """The three ways on, and the stop for what no repair should answer."""

    PASS = "pass"  # noqa: S105
    REPAIR = "repair"
    OFFER = "offer"
    STOP = "stop"


def gate(run: Run, findings: Sequence[Finding]) -> Gate:
    """Which way a run goes on."""
    match run.outcome:
        case Interrupted():
            return Gate.STOP
        case Raised() as raised if raised.is_a(*_NOT_A_FAULT):
            return Gate.STOP
        case Raised() | TimedOut():
            return Gate.REPAIR
        case _:
            severities = {f.severity for f in findings}
            if Severity.MUST in severities:
                return Gate.REPAIR
            return Gate.OFFER if Severity.MAY in severities else Gate.PASS
