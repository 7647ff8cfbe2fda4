"""Where the variables of a cell were made."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from reflex_magic.core.card import cut
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding


def borrowed(cell: Cell, findings: Collection[Finding]) -> tuple[str, ...]:
    """The names in the code that findings point at which the cell itself does not bind, in order."""
    spans = [f.span for f in findings if f.span is not None]
    try:
        names = [n for n in cell.nodes if isinstance(n, ast.Name)]
    except (SyntaxError, ValueError):
        return ()
    own = {n.id for n in names if not isinstance(n.ctx, ast.Load)}
    pointed = (n.id for n in names if any(s.contains(cell.span(n)) for s in spans))
    return tuple(dict.fromkeys(name for name in pointed if name not in own))


def origin(name: str, cells: Iterable[tuple[str, Cell]]) -> str:
    """The statement that bound a name last, as a sentence; empty where none is found.

    Parameters
    ----------
    cells
        The cells that ran before, newest first, each with what the shell calls it (``In[3]``).
    """
    for label, cell in cells:
        found = _binding(cell, name)
        if found is not None:
            line, source = found
            return f"`{name}` was made in {label}, line {line}: `{source}`"
    return ""


def _binding(cell: Cell, name: str) -> tuple[int, str] | None:
    """The line and text of the last statement of a cell that binds the name."""
    try:
        steps = cell.tree.body
    except (SyntaxError, ValueError):
        return None
    for step in reversed(steps):
        bound = (n for n in ast.walk(step) if isinstance(n, ast.Name) and n.id == name)
        if any(isinstance(n.ctx, ast.Store) for n in bound):
            return step.lineno, cut(ast.unparse(step).split("\n")[0])
    return None
