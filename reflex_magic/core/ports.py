"""What the loop and the proposers need from outside, as Protocols."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from reflex_magic.core.card import Card, Shapes, ValueCard
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding
from reflex_magic.core.outcome import Condition, Operand, Operation, Raised, Run
from reflex_magic.core.proposal import Proposal
from reflex_magic.core.report import Report, Tokens

PROBE = "__reflex_probe__"
"""The constant that stands for the observer in instrumented code."""


class Values(Protocol):
    """A read-only look at live values, by expression, as the failing step sees them.

    `expression` is Python source. It is resolved without running code of the analyst's: names
    (locals of the failing function first), constants, attributes and subscripts of data, and
    calls of pandas methods that only compute. What cannot be resolved that way is None.
    """

    def card(self, expression: str) -> ValueCard | None:
        """The summary of a value, with missing counts per column."""

    def shapes(self, expression: str) -> Shapes | None:
        """The value shapes of a column or an index (text as it is, other values by their str)."""

    def sample(self, expression: str, limit: int = 20) -> tuple[object, ...] | None:
        """Up to `limit` distinct plain values of a column, index, list or scalar, in order."""

    def overlap(self, left: str, right: str) -> float | None:
        """The share (0 to 1) of distinct values of column `left` that occur in column `right`."""

    def names(self) -> Mapping[str, str]:
        """The names in scope that the analyst made, with the name of the value's type."""

    def files(self) -> tuple[str, ...]:
        """The files in and one level below the working folder, relative, at most 2,000."""

    def text(self, path: str, limit: int = 65536) -> bytes | None:
        """The first `limit` bytes of a file in the working folder; None when unreadable."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A proposal that was tried before, for not trying it again."""

    proposal: Proposal
    failure: str


@dataclass(frozen=True, slots=True)
class Context:
    """What a proposer is asked with.

    `cell` is the source to change and `run` its newest run; `failure` is set when it raised.
    `findings` are its must and may findings, musts first. `goal` is the analyst's sentence or
    "". `tried` are all earlier attempts at this cell. `tokens_left` bounds a model call.
    """

    cell: Cell
    run: Run
    findings: tuple[Finding, ...]
    values: Values
    goal: str = ""
    tried: tuple[Attempt, ...] = ()
    tokens_left: int = 0

    @property
    def failure(self) -> Raised | None:
        """How the run failed, when it raised."""
        return self.run.outcome if isinstance(self.run.outcome, Raised) else None


class Executor(Protocol):
    """Runs cells. The analyst's own run happened before the loop starts."""

    @property
    def level(self) -> str:
        """How foreign code is confined here: S3 full, S2, S1, S0 not at all (never run unasked)."""

    def trial(
        self, cell: Cell, base: Run, conditions: Sequence[Condition], *, foreign: bool, consented: bool = False
    ) -> Run:
        """Run `cell` from the checkpoint and leave the namespace as it was.

        Resumes at the first step that differs from `base` where that is sound. `conditions`
        are evaluated after the last step, before the namespace is put back. What cannot be put
        back is not run, nor is foreign code that cannot be confined, unless a person has
        `consented`: the run then has doubts and no handle.
        """

    def at(self, run: Run) -> AbstractContextManager[Values]:
        """Within the block the namespace is as `run` left it; afterwards as before."""

    def contents(self, *runs: Run) -> list[dict[str, str]]:
        """For each run a digest of every name in the code of any of them, as that run left it."""

    def commit(self, run: Run) -> None:
        """Bind what `run` made, without executing again where that is possible.

        Raises
        ------
        StaleProposal
            The namespace changed since the trial.
        """

    def undo(self, run: Run) -> None:
        """Put variables and files back as they were before `run` was committed.

        Raises
        ------
        StaleProposal
            They changed since.
        """


class Proposer(Protocol):
    """Offers changes, best first; never executes user code."""

    costs_tokens: bool
    notes: list[str]
    """Problems met, one line each, for the report."""

    def propose(self, context: Context, tokens: Tokens) -> Iterator[Proposal]:
        """Proposals for the failure or the findings of `context`; model calls are counted in `tokens`."""


class LessonStore(Protocol):
    """Remembers what was accepted."""

    def news(self) -> list[str]:
        """Problems met since the last call, one line each, for the report."""

    def tried(self, proposal: Proposal, held: bool) -> None:
        """Count the use of a lesson's remedy."""

    def rejected(self, proposal: Proposal) -> None:
        """Count that a person did not want a lesson's remedy."""

    def learn(self, report: Report, context: Context | None, proposal: Proposal) -> str | None:
        """Learn from an accepted proposal; the lesson's id, or None where nothing new was learned."""


class Progress(Protocol):
    """Told what the loop does, while it does it."""

    def __call__(self, state: str, detail: str) -> None:
        """`state` is a state of the route; `detail` a few words."""


class Observer(Protocol):
    """Watches one run, step by step. One observer serves one run of one cell.

    `instrument` rewrites a top-level statement so that values pass through `probe` of the
    constant `PROBE`, for which the executor puts the observer into the compiled code. Probes return
    what they are given, so that the call itself stays in the cell's frame and tracebacks do not
    change; code that may run after the cell (lambdas, generators) is left alone.
    """

    def instrument(self, node: ast.stmt, step: int, cell: Cell) -> ast.stmt:
        """The statement with probes, all locations kept; `node` itself where nothing is watched."""

    def instrument_function(self, node: ast.FunctionDef, step: int, cell: Cell) -> ast.FunctionDef:
        """The top-level function with probes in its body; `node` itself where nothing is watched.

        The executor gives the function this code for the rest of the cell, and its own again then.
        """

    def probe(self, site: int, role: str, value: Any) -> Any:
        """Note `value` and return it."""

    def before(self, step: int, namespace: Mapping[str, Any]) -> None:
        """A step is about to run."""

    def after(
        self, step: int, namespace: Mapping[str, Any], seconds: float, warnings: Sequence[str], digest: str
    ) -> Card:
        """A step ran, or raised; its card."""

    def operations(self) -> tuple[Operation, ...]:
        """What was observed so far."""

    def operands(self) -> tuple[Operand, ...]:
        """The parts of the assertion that ran last, with their values as text."""
