"""What a cell says it is for, and what it does later with the value of an operation."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

from reflex_magic.checks.syntax import calls, mentions, target
from reflex_magic.core.cell import Cell
from reflex_magic.core.outcome import Operation, Run


def said(run: Run) -> str:
    """The goal and all comments of a cell, as one text."""
    words = [run.goal]
    try:
        words += [
            t.string.lstrip("# ")
            for t in tokenize.generate_tokens(io.StringIO(run.cell.python).readline)
            if t.type == tokenize.COMMENT
        ]
    except (tokenize.TokenError, SyntaxError):
        pass
    return " ".join(filter(None, words))


def holders(cell: Cell, operation: Operation) -> frozenset[str]:
    """The columns, or else the variables, into which the statement of an operation goes."""
    into = target(cell, operation.span)
    return into.columns or into.names


def is_in(cell: Cell, operation: Operation, node: ast.AST) -> bool:
    """Whether a node holds the operation, or reads what its statement made."""
    inner = cell.node_at(operation.span)
    if any(part is inner for part in ast.walk(node)):
        return True
    line = getattr(node, "lineno", 0)
    return line > operation.span.end_line and not mentions(node).isdisjoint(holders(cell, operation))


def asked_of(cell: Cell, operation: Operation) -> Iterator[tuple[ast.Call, str]]:
    """The methods that are called on what an operation made: in the same chain, or on its variable or column."""
    for node, method, on in calls(cell):
        if is_in(cell, operation, on):
            yield node, method


def attributes(cell: Cell) -> frozenset[str]:
    """Every attribute that a cell reads or calls."""
    return frozenset(n.attr for n in cell.nodes if isinstance(n, ast.Attribute))


def be(number: int) -> str:
    """The verb for so many: "1 of 3 rows is", "2 of 3 rows are"."""
    return "is" if number == 1 else "are"
