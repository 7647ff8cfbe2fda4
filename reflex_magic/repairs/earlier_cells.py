"""Repairs of a function that an earlier cell defined, by defining it anew in the cell that fails."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reflex_magic.core.cell import Cell, Edit, Span
from reflex_magic.core.outcome import Elsewhere
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Applicability, Proposal

_GAP = 2
"""Blank lines below the function."""


@dataclass(frozen=True, slots=True)
class Inserted:
    """The failing cell with the function of an earlier one above the statement that uses it.

    `context` is what a rule is asked with: for it the function stands in the cell. `line` is the
    function's first, counted as the editor does.
    """

    context: Context
    place: Elsewhere
    line: int

    def proposal(self, found: Proposal) -> Proposal | None:
        """What a rule offers for `context`, for the cell as it is; None where it leaves the function alone.

        It is a person's choice: cells that come later will find the function as it is made here.
        """
        own, others = self._parted(found.edits)
        if not own:
            return None
        place, where = self.place, f"`{self.place.function}` of {self.place.cell}, line {self.place.line}"
        text = Cell(place.source, 0).apply(own).body + "\n" * (_GAP + 1)
        return replace(
            found,
            title=f"{found.title}, in {where}, which is defined anew here",
            edits=(*others, Edit(Span(self.line, 1, self.line, 1), text)),
            applicability=Applicability.UNSAFE,
            evidence=f"{found.evidence}. {place.cell} keeps the old `{place.function}`: change it there too",
        )

    def _parted(self, edits: Sequence[Edit]) -> tuple[list[Edit], list[Edit]]:
        """The edits of the function, with its own lines, and those of the cell, with the cell's."""
        height = len(self.place.source.split("\n")) + _GAP
        own, others = [], []
        for edit in edits:
            if edit.span.line < self.line:
                others.append(edit)
            elif edit.span.line < self.line + height:
                own.append(Edit(_moved(edit.span, 1 - self.line), edit.text))
            else:
                others.append(Edit(_moved(edit.span, -height), edit.text))
        return own, others


def inserted(context: Context) -> Inserted | None:
    """The cell as if it defined the function in which it fails; None where it fails in no such function."""
    failure, cell = context.failure, context.cell
    place = failure.elsewhere if failure is not None else None
    if failure is None or place is None or failure.step is None or failure.step >= len(cell.steps):
        return None
    # What calls it before the statement that fails gets the repaired one as well.
    step = next(s for s in cell.steps if s.number == failure.step or _uses(cell.tree.body[s.number], place.function))
    if step.span.column != 1 or not cell.editable(step.span):
        return None
    line = step.span.line
    lines = list(cell.lines)
    at = line - cell.offset - 1
    lines[at:at] = [*place.source.split("\n"), *[""] * _GAP]
    longer = cell.replaced("\n".join(lines))
    span = _moved(place.span, line - 1)
    frames = tuple(
        replace(f, line=span.line, in_cell=True, file="")
        if (f.function, f.line, f.in_cell) == (place.function, place.line, False)
        else f
        for f in failure.frames
    )
    raised = replace(failure, span=span, step=step.number, frames=frames, elsewhere=None)
    run = replace(context.run, cell=longer, outcome=raised)
    return Inserted(replace(context, cell=longer, run=run, findings=()), place, line)


def _uses(statement: ast.stmt, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(statement))


def _moved(span: Span, lines: int) -> Span:
    return Span(span.line + lines, span.column, span.end_line + lines, span.end_column)
