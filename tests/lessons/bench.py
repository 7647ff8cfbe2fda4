"""Contexts of cells that really ran and really failed, and repairs that really run."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from reflex_magic.core.card import Card
from reflex_magic.core.cell import Cell, Edit, Span
from reflex_magic.core.finding import Finding
from reflex_magic.core.outcome import Completed, Outcome, Raised, Run
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Applicability, Proposal, Reflection
from reflex_magic.core.report import Report, outcome_dict
from reflex_magic.observe.cards import describe
from reflex_magic.observe.values import LiveValues

FILE = "<cell>"
BASE = "import json\nimport numpy as np\nimport pandas as pd\n"


def namespace(setup: str) -> dict[str, Any]:
    """What an earlier cell left behind."""
    made: dict[str, Any] = {}
    exec(BASE + setup, made)
    return made


def run(body: str, made: dict[str, Any]) -> tuple[Cell, Outcome]:
    """Run a cell step by step; how it ended."""
    cell = Cell(body)
    for step, node in enumerate(cell.tree.body):
        tree = type(cell.tree)(body=[node], type_ignores=[])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(tree, FILE, "exec"), made)
        except Exception as error:
            return cell, _raised(cell, error, step)
    return cell, Completed()


def context(body: str, setup: str = "", findings: tuple[Finding, ...] = ()) -> Context:
    """The context of a cell's failure, or of findings about its result."""
    made = namespace(setup)
    cell, outcome = run(body, made)
    assert findings or isinstance(outcome, Raised), "the cell of this test must fail"
    known = [describe(n, v) for n, v in made.items() if type(v).__module__.startswith("pandas")]
    cards = (Card(0, 2, body, 0.0, tuple(known)),)
    return Context(cell, Run(cell, outcome, cards), findings, LiveValues(made, {}, Path.cwd()))


def span_of(cell: Cell, text: str) -> Span:
    """Where `text` stands in the cell; it must be there once and on one line."""
    assert cell.body.count(text) == 1
    before = cell.body[: cell.body.index(text)]
    line, column = before.count("\n") + 1 + cell.offset, len(before) - (before.rfind("\n") + 1) + 1
    return Span(line, column, line, column + len(text))


def accepted(
    asked: Context,
    after: str,
    *,
    origin: str = "model:test",
    title: str = "Strip the currency signs first",
    said: str = "",
) -> tuple[Report, Proposal]:
    """A report and the proposal of it that was accepted."""
    whole = Span(asked.cell.offset + 1, 1, asked.cell.offset + len(asked.cell.lines), len(asked.cell.lines[-1]) + 1)
    account = Reflection("The conversion raised.", said, said) if said else None
    proposal = Proposal(origin, title, (Edit(whole, after),), id="p1", source=after, reflection=account)
    report = Report(asked.cell.body, status="repaired", source=after, outcome=outcome_dict(asked.run.outcome))
    report.proposals.append(proposal)
    return report, proposal


def rule(asked: Context, after: str) -> tuple[Report, Proposal]:
    """The same, of a shipped rule."""
    return accepted(asked, after, origin="rule:currency-text", title="Strip the currency signs first")


def result(asked: Context, edits: tuple[Edit, ...], setup: str = "") -> dict[str, Any]:
    """The namespace after the repaired cell ran."""
    made = namespace(setup)
    cell, outcome = run(asked.cell.apply(edits).body, made)
    assert outcome == Completed(), (cell.body, outcome)
    return made


def safe(proposal: Proposal) -> bool:
    """Whether a policy may commit it."""
    return proposal.applicability is Applicability.SAFE


def _raised(cell: Cell, error: Exception, step: int) -> Raised:
    at, span = error.__traceback__, None
    while at is not None:
        if at.tb_frame.f_code.co_filename == FILE:
            line, end, first, last = list(at.tb_frame.f_code.co_positions())[at.tb_lasti // 2]
            if line and end and first is not None and last is not None:
                span = Span(line, cell.character(line, first) + 1, end, cell.character(end, last) + 1)
        at = at.tb_next
    bases = tuple(c.__name__ for c in type(error).__mro__)
    return Raised(type(error).__name__, str(error), step, span, bases=bases)
