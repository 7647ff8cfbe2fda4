"""The loop's states and the edges between them, as data."""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """Where a cell is on its way."""

    RUN = "run"
    CHECK = "check"
    GATE = "gate"
    REPAIR = "repair"
    TRIAL = "trial"
    REVIEW = "review"
    DONE = "done"
    HANDOFF = "handoff"


ROUTE: dict[State, dict[str, State]] = {
    State.RUN: {"ran": State.CHECK, "interrupted": State.HANDOFF},
    State.CHECK: {"checked": State.GATE},
    State.GATE: {"pass": State.DONE, "repair": State.REPAIR, "offer": State.REPAIR, "stop": State.HANDOFF},
    State.REPAIR: {
        "proposed": State.TRIAL,
        "again": State.REPAIR,
        "held": State.REVIEW,
        "report": State.DONE,
        "nothing": State.HANDOFF,
        "limit": State.HANDOFF,
    },
    State.TRIAL: {"holds": State.REPAIR, "fails": State.REPAIR},
    State.REVIEW: {"accept": State.DONE, "ask": State.DONE, "offer": State.DONE},
    State.DONE: {},
    State.HANDOFF: {},
}
"""From each state, what can happen and where it leads."""


def draw(taken: list[str]) -> str:
    """The route as text, with the states in `taken` marked."""
    lines = []
    for state, edges in ROUTE.items():
        mark = "●" if state in taken else "○"
        ways = ", ".join(f"{event} → {target}" for event, target in edges.items()) or "(end)"
        lines.append(f"{mark} {state:<8} {ways}")
    return "\n".join(lines)
