"""`counted-one-off`: the words say how many rows are meant, and the code takes one more or one fewer."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.purpose import said
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_NUMBERS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
}  # fmt: skip
_WORD = "first|last|top|bottom|largest|smallest|highest|lowest|best|worst|next|previous|latest"
_MEANT = re.compile(
    rf"\b(?:{_WORD})\s+(\d{{1,4}}|{'|'.join(_NUMBERS)})\b(?!\s*(%|percent|st\b|nd\b|rd\b|th\b))", re.IGNORECASE
)
_TAKES = frozenset({"head", "tail", "nlargest", "nsmallest", "sample"})


class CountedOneOff(Check):
    """A goal or comment speaks of the first 10, and ``iloc[0:9]`` takes 9, or ``loc[0:10]`` takes 11.

    Looks at `head`, `tail`, `nlargest`, `nsmallest`, and at slices that begin or end with the table. Found where the
    words have one such number and no slice takes as many, but one takes one more or one fewer. Silent for all other
    distances, and where the words have several numbers.

    Example
    -------
    ::

        import pandas as pd
        runs = pd.DataFrame({"sec": range(20)})
        %%reflect
        # mean of the first 10 runs
        mean = runs.iloc[0:9]["sec"].mean()
        %%clean
        # mean of the first 10 runs
        mean = runs.iloc[0:10]["sec"].mean()
    """

    name = "counted-one-off"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        if not run.cards or not (_MEANT.search(run.goal) or _MEANT.search(run.cell.python)):
            return
        meant = {_number(m[1]) for m in _MEANT.finditer(said(run))}
        if len(meant) != 1:
            return
        (wanted,) = meant
        taken = list(_taken(run.cell))
        if wanted < 2 or any(number == wanted for _, number in taken) or _names(run.cell, wanted):
            return
        for node, number in taken:
            if abs(number - wanted) == 1:
                span = run.cell.span(node)
                yield Finding(
                    self.code,
                    Severity.MAY,
                    span,
                    ast.unparse(node) if "\n" in run.cell.text(span) else run.cell.text(span),
                    f"{wanted:,} are meant, and {number:,} are taken",
                    "The end of a slice by position is not included; that of a slice by label is.",
                    {"meant": wanted, "taken": number},
                )


def _number(text: str) -> int:
    return _NUMBERS.get(text.lower()) or int(text)


def _names(cell: Cell, wanted: int) -> bool:
    """Whether the number itself stands anywhere in the code but as the end of a slice."""
    ends = {id(n) for s in cell.nodes if isinstance(s, ast.Slice) for n in ast.walk(s)}
    return any(
        isinstance(n, ast.Constant) and n.value == wanted and type(n.value) is int and id(n) not in ends
        for n in cell.nodes
    )


def _taken(cell: Cell) -> Iterator[tuple[ast.expr, int]]:
    """What takes a fixed number of rows, and how many."""
    for node in cell.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=method), args=[ast.Constant(value=int() as number), *_]) if (
                method in _TAKES
            ):
                yield node, number
            case ast.Subscript(value=on, slice=ast.Slice(lower=low, upper=high, step=None)):
                length = _length(low, high, by_label=isinstance(on, ast.Attribute) and on.attr == "loc")
                if length is not None and not (isinstance(on, ast.Attribute) and on.attr == "str"):
                    yield node, length


def _length(low: ast.expr | None, high: ast.expr | None, *, by_label: bool) -> int | None:
    match low, high:
        case None | ast.Constant(value=0), ast.Constant(value=int() as end) if end > 0:
            return end + by_label
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as end)), None if not by_label:
            return end
    return None
