"""Which parts of an assertion are worth knowing when it fails."""

from __future__ import annotations

import ast
from collections.abc import Iterator

VALUE = "value"
NOT_ALL = "not-all"
NOT_ANY = "not-any"


def operands(test: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """The parts of an assertion's test and how each is told: the role of its probe.

    Both sides of a comparison, what ``.all()`` and ``.any()`` are called on, what a call is
    called with (``isclose(a, b)``, ``a.equals(b)``), and otherwise the test itself. Literals tell
    themselves.
    """
    match test:
        case ast.BoolOp(values=parts):
            for part in parts:
                yield from operands(part)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from operands(inner)
        case ast.Compare(left=left, comparators=others):
            yield from ((part, VALUE) for part in (left, *others) if not _literal(part))
        case ast.Call(func=ast.Attribute(value=receiver, attr="all" | "any" as name), args=[], keywords=[]):
            yield from _compared(receiver)
            yield receiver, NOT_ALL if name == "all" else NOT_ANY
        case ast.Call(func=function, args=args) if args and not any(isinstance(a, ast.Starred) for a in args):
            parts = [function.value, *args] if isinstance(function, ast.Attribute) else args
            yield from ((part, VALUE) for part in parts if not _literal(part))
        case _ if not _literal(test):
            yield test, VALUE


def _compared(receiver: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """What stands before ``.eq(5)`` or ``== 5`` in ``x.eq(5).all()`` and ``(x == 5).all()``."""
    match receiver:
        case ast.Call(
            func=ast.Attribute(value=inner, attr="eq" | "ne" | "lt" | "le" | "gt" | "ge" | "between" | "isin")
        ):
            yield inner, VALUE
        case ast.Compare(left=left, comparators=others):
            yield from ((part, VALUE) for part in (left, *others) if not _literal(part))


def _literal(node: ast.expr) -> bool:
    """Whether the source says what the value is."""
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True
