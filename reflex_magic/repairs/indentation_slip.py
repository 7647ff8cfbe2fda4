"""Lines that are indented too far, or not far enough."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.core.cell import Cell, Edit, Span
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import parsing
from reflex_magic.repairs.rule import Repair


class IndentationSlip(Repair):
    """A pasted block is indented further than the line before it, or a block is not indented.

    The lines from there on that are indented as far are moved to where the line before stands. What follows
    `for`, `if` or `def` is indented; where it cannot be told how many lines belong to the block, each way is tried, and
    a person chooses when they give different results.

    Example
    -------
    ::

        numbers = [1, 4]
        %%reflect
        total = 0
            for number in numbers:
                total += number
        %%repaired
        total = 0
        for number in numbers:
            total += number
    """

    name = "indentation-slip"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The cell with the lines where they belong."""
        failure = parsing.refused(context)
        if failure is None or failure.span is None or not failure.is_a("IndentationError"):
            return
        cell, line = context.cell, failure.span.line
        if "unexpected indent" in failure.evalue:
            changes = _moved_back(cell, line)
        elif "expected an indented block" in failure.evalue:
            changes = _moved_in(cell, line)
        elif "unindent does not match" in failure.evalue:
            changes = _moved_to(cell, line)
        else:
            return
        readings = parsing.readings(cell, changes)
        if len(readings) <= parsing.READINGS:
            for edits in readings:
                evidence = f"the cell can be read in {len(readings)} way(s) with line {line} moved"
                yield self.offer("lines indented as the block needs it", edits, evidence)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _written(cell: Cell, first: int) -> list[tuple[int, str]]:
    """The lines from `first` on that are not blank, with their numbers in the editor."""
    lines = enumerate(cell.lines, cell.offset + 1)
    return [(n, text) for n, text in lines if n >= first and text.strip()]


def _above(cell: Cell, line: int) -> list[int]:
    """How far the lines before `line` are indented, the nearest first."""
    return [_indent(t) for t in reversed(cell.lines[: line - cell.offset - 1]) if t.strip()]


def _shift(lines: list[tuple[int, str]], by: int) -> list[Edit]:
    if by > 0:
        return [Edit(Span(n, 1, n, 1), " " * by) for n, _ in lines]
    return [Edit(Span(n, 1, n, 1 - by), "") for n, _ in lines]


def _moved_back(cell: Cell, line: int) -> Iterator[list[Edit]]:
    below = _written(cell, line)
    far = _indent(below[0][1])
    block = []
    for n, text in below:
        if _indent(text) < far:
            break
        block.append((n, text))
    yield _shift(block, next(iter(_above(cell, line)), 0) - far)


def _moved_in(cell: Cell, line: int) -> Iterator[list[Edit]]:
    below = _written(cell, line)
    for length in range(1, len(below) + 1):
        yield _shift(below[:length], 4)


def _moved_to(cell: Cell, line: int) -> Iterator[list[Edit]]:
    (_, text), *_ = below = _written(cell, line)
    for level in sorted(set(_above(cell, line)), reverse=True):
        yield _shift(below[:1], level - _indent(text))
