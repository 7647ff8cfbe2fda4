"""A small bench for rules: run a cell statement by statement, and build the context of its failure."""

from __future__ import annotations

import itertools
import sysconfig
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import pytest

from reflex_magic.core.cell import Cell, Span
from reflex_magic.core.finding import Finding
from reflex_magic.core.outcome import Completed, Frame, Outcome, Raised, Run
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.core.report import Tokens
from reflex_magic.execute.failure import describe_syntax
from reflex_magic.observe.values import LiveValues
from reflex_magic.repairs.proposer import RuleProposer
from reflex_magic.repairs.rule import Repair

FILE = "<the cell>"
EARLIER = "<ipython-input-1-earlier>"


@dataclass
class Bench:
    """A namespace, and what a cell does in it."""

    folder: Path
    ns: dict[str, Any] = field(default_factory=dict)

    def earlier(self, source: str) -> Bench:
        """Run an earlier cell."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(source, EARLIER, "exec"), self.ns)
        return self

    def context(self, source: str, *, goal: str = "", findings: Sequence[Finding] = ()) -> Context:
        """Run a cell to its first failure."""
        cell = Cell(source)
        outcome: Outcome = Completed()
        locals_: dict[str, Any] = {}
        try:
            steps = cell.tree.body
        except SyntaxError as error:
            return Context(cell, Run(cell, describe_syntax(error, cell, None)), (), LiveValues(self.ns), goal)
        for step, node in enumerate(steps):
            tree = type(cell.tree)(body=[node], type_ignores=[])
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    exec(compile(tree, FILE, "exec"), self.ns)
            except Exception as error:
                outcome, frame = _raised(cell, error, step)
                locals_ = dict(frame.f_locals) if frame.f_code.co_name != "<module>" else {}
                break
        values = LiveValues(dict(self.ns), locals_, self.folder)
        return Context(cell, Run(cell, outcome), tuple(findings), values, goal)

    def run(self, source: str) -> dict[str, Any]:
        """Run a cell that must not fail."""
        context = self.context(source)
        assert isinstance(context.run.outcome, Completed), context.run.outcome
        return self.ns


def _raised(cell: Cell, error: Exception, step: int) -> tuple[Raised, FrameType]:
    frames, span, inner = [], None, None
    tb: TracebackType | None = error.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        inside = code.co_filename == FILE
        if inside:
            inner = tb.tb_frame
            place = next(itertools.islice(code.co_positions(), tb.tb_lasti // 2, None))
            span = _span(cell, place)
        if inside or code.co_filename != __file__:
            frames.append(Frame(code.co_name, tb.tb_lineno, "", inside, "" if inside else _short(code.co_filename)))
        tb = tb.tb_next
    assert inner is not None, traceback.format_exc()
    names = ("name", "filename", "key", "encoding", "start")
    details = {n: str(getattr(error, n)) for n in names if getattr(error, n, None) is not None}
    bases = tuple(c.__name__ for c in type(error).__mro__)
    return Raised(type(error).__name__, str(error), step, span, tuple(frames), (), bases, details), inner


def _short(file: str) -> str:
    """A file as the executor names it: libraries with their folder, everything else by its name."""
    paths = sysconfig.get_paths()
    for folder in {paths[k] for k in ("stdlib", "platstdlib", "purelib", "platlib")}:
        if file.startswith(folder):
            return file[len(folder) :].lstrip("/").removeprefix("site-packages/")
    return Path(file).name


def _span(cell: Cell, place: Sequence[int | None]) -> Span | None:
    line, end_line, column, end_column = place
    if line is None or end_line is None or column is None or end_column is None:
        return None
    return Span(line, cell.character(line, column) + 1, end_line, cell.character(end_line, end_column) + 1)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.chdir(tmp_path)
    return Bench(tmp_path)


@pytest.fixture
def ask() -> Callable[..., list[Proposal]]:
    """The proposals of some rules for a context; a rule that fails fails the test."""

    def propose(context: Context, *rules: type[Repair]) -> list[Proposal]:
        proposer = RuleProposer(rules) if rules else RuleProposer()
        found = list(proposer.propose(context, Tokens()))
        assert not proposer.notes, proposer.notes
        return found

    return propose


def applied(context: Context, proposal: Proposal) -> str:
    """The cell with a proposal applied."""
    return context.cell.apply(proposal.edits).body
