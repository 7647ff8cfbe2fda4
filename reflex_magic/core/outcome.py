"""How a run ended, and everything about it that checks and rules may look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, assert_never

from reflex_magic.core.card import Card
from reflex_magic.core.cell import Cell, Span


class OutcomeClass(StrEnum):
    """The failure classes; each takes its own route."""

    OK = "ok"
    WRONG_RESULT = "wrong-result"
    SYNTAX = "syntax"
    RESOURCE = "resource"
    TIMEOUT = "timeout"
    INTERRUPTED = "interrupted"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of the traceback. `line` is the editor's for a frame in the cell."""

    function: str
    line: int
    source: str
    in_cell: bool
    file: str = ""


@dataclass(frozen=True, slots=True)
class Operand:
    """A part of a failing assertion and its value as text (at most 256 characters)."""

    expression: str
    text: str


@dataclass(frozen=True, slots=True)
class Completed:
    """Every step ran."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The function of an earlier cell in which the failing expression stands.

    `cell` is what the shell calls that cell (``In[3]``) and `line` a line of it. `source` is the
    text of the function; lines of `span`, the failing expression, are counted from its first.
    """

    function: str
    cell: str
    line: int
    source: str
    span: Span


@dataclass(frozen=True, slots=True)
class Raised:
    """A step raised.

    `step` is None when the cell could not be compiled. `span` is the exact expression in the
    cell that was being evaluated, as the interpreter recorded it; None when it cannot be told.
    `bases` are the names of the exception's classes, most special first. `details` are plain
    attributes of the exception (`name` and `obj` type of an AttributeError, `filename`, `key`).
    `frames` are outermost first. `elsewhere` is set when the innermost of the analyst's frames is
    in a plain function of an earlier cell.
    """

    ename: str
    evalue: str
    step: int | None
    span: Span | None
    frames: tuple[Frame, ...] = ()
    operands: tuple[Operand, ...] = ()
    bases: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    elsewhere: Elsewhere | None = None

    def is_a(self, *names: str) -> bool:
        """Whether the exception is one of these classes or derives from one."""
        return not {self.ename, *self.bases}.isdisjoint(names)


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A step ran longer than allowed. `seconds` is the limit."""

    step: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A person stopped it."""

    step: int


Outcome = Completed | Raised | TimedOut | Interrupted

_RESOURCE = (
    "FileNotFoundError",
    "PermissionError",
    "IsADirectoryError",
    "MemoryError",
    "ConnectionError",
    "TimeoutError",
)


def classify(outcome: Outcome) -> OutcomeClass:
    """The failure class of an outcome."""
    match outcome:
        case Completed():
            return OutcomeClass.OK
        case TimedOut():
            return OutcomeClass.TIMEOUT
        case Interrupted():
            return OutcomeClass.INTERRUPTED
        case Raised():
            if outcome.is_a("AssertionError"):
                return OutcomeClass.WRONG_RESULT
            if outcome.step is None or outcome.is_a("SyntaxError"):
                return OutcomeClass.SYNTAX
            return OutcomeClass.RESOURCE if outcome.is_a(*_RESOURCE) else OutcomeClass.ERROR
        case _:
            assert_never(outcome)


@dataclass(frozen=True, slots=True)
class Operation:
    """One data operation at a call site of the cell: what went in and what came out.

    `kind` is the operation (`groupby`, `merge`, `coerce`, ...). `span` is the call, `keywords`
    are the argument names written there. `facts` are counts, names and value shapes; which ones
    is said by the probe of that kind (`observe/`). Repeated calls of one site are one operation
    with `calls` > 1 and the facts of the most telling call.
    """

    step: int
    kind: str
    span: Span
    expression: str
    keywords: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    calls: int = 1


@dataclass(frozen=True, slots=True)
class Output:
    """Something the cell showed. `kind` is stdout, stderr, display, result or clear.

    `data` is ``{"text/plain": ...}`` for streams, else the mimebundle.
    """

    kind: str
    data: Mapping[str, Any]
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Condition:
    """A frozen condition and whether it held after a run.

    `source` is the expression; `origin` is `assert`, `expect`, `schema` or `tests`. `span` is
    where the assertion stands in the original cell. `held` is None when it could not be
    evaluated; `message` then says why. `schema` is the name of the schema that is asked for.
    """

    source: str
    origin: str
    held: bool | None = None
    message: str = ""
    operands: tuple[Operand, ...] = ()
    span: Span | None = None
    schema: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One execution of a cell, whole or resumed at step `start`.

    `doubts` are reasons why a rollback or a resume may be incomplete, in words; a trial with
    doubts is inconclusive. `notes` tell how it was run. `denied` are acts that the confined trial
    refused. `goal` is what the cell is for, in the analyst's words, as far as the checks are told.
    `handle` belongs to the executor that made the run and means nothing to anybody else.
    """

    cell: Cell
    outcome: Outcome
    cards: tuple[Card, ...] = ()
    operations: tuple[Operation, ...] = ()
    outputs: tuple[Output, ...] = ()
    conditions: tuple[Condition, ...] = ()
    start: int = 0
    seconds: float = 0.0
    files: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    goal: str = ""
    handle: object = field(default=None, compare=False, repr=False)

    def of(self, kind: str) -> Iterator[Operation]:
        """The operations of one kind."""
        return (op for op in self.operations if op.kind == kind)

    @property
    def failed_step(self) -> int | None:
        """The step that did not complete; None when all did or the cell does not compile."""
        return None if isinstance(self.outcome, Completed) else self.outcome.step
