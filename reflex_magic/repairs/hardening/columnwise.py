"""Expressions of one row or value that mean the same for whole columns."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from reflex_magic.core.cell import Cell, Edit, Span
from reflex_magic.core.ports import Context
from reflex_magic.repairs import syntax

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_FUNCTIONS = frozenset({"abs", "round"})
_UFUNCS = frozenset({"sqrt", "log", "log2", "log10", "log1p", "exp", "expm1", "sin", "cos", "tan", "floor", "ceil"})
_TEXT_METHODS = frozenset(
    {"lower", "upper", "title", "capitalize", "casefold", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix"}
    | {"zfill", "startswith", "endswith"}
)
_NUMBERS = frozenset({"int", "float"})

_Column = Callable[[ast.expr], ast.Name | None]


def of_row(context: Context, node: ast.expr, row: str, frame: str) -> list[Edit] | None:
    """Edits with which ``row["a"]`` is read from the frame in `node`; None where that may mean something else."""
    card = context.values.card(frame)
    columns = {c.name for c in card.columns} if card is not None and card.is_frame else set()

    def column(part: ast.expr) -> ast.Name | None:
        match part:
            case ast.Subscript(value=ast.Name(id=name) as own, slice=ast.Constant(value=str() as label)):
                return own if name == row and label in columns else None
            case ast.Attribute(value=ast.Name(id=name) as own, attr=label):
                return own if name == row and label in columns else None
        return None

    names = list(_parts(context, node, column))
    return _edits(context, names, dict.fromkeys(names, frame))


def of_value(context: Context, node: ast.expr, value: str, series: str) -> list[Edit] | None:
    """Edits with the series in place of one of its values in `node`; None as in `of_row`."""
    texts: dict[ast.Name | None, str] = {}

    def column(part: ast.expr) -> ast.Name | None:
        match part:
            case ast.Name(id=name) if name == value:
                return part
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name) as own, attr=method), args=args, keywords=[]):
                if name == value and method in _TEXT_METHODS and all(isinstance(a, ast.Constant) for a in args):
                    texts[own] = f"{series}.str"
                    return own
        return None

    names = list(_parts(context, node, column))
    return _edits(context, names, dict.fromkeys(names, series) | texts)


def in_place_of(cell: Cell, outer: ast.expr | ast.stmt, inner: ast.expr, before: str = "") -> list[Edit]:
    """Edits that leave of `outer` what stands in it as `inner`, in brackets where it needs them."""
    whole, part = cell.span(outer), cell.span(inner)
    above = None if isinstance(outer, ast.stmt) else syntax.parent(cell, outer)
    loose = isinstance(inner, (ast.BinOp, ast.Compare, ast.UnaryOp)) and not (
        above is None or isinstance(above, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.keyword, ast.Call))
    )
    return [
        Edit(Span(whole.line, whole.column, part.line, part.column), before + "(" * loose),
        Edit(Span(part.end_line, part.end_column, whole.end_line, whole.end_column), ")" * loose),
    ]


def _edits(
    context: Context, names: Sequence[ast.Name | None], texts: Mapping[ast.Name | None, str]
) -> list[Edit] | None:
    if not names or None in names:
        return None
    return [syntax.replace(context.cell, name, texts[name]) for name in names if name is not None]


def _parts(context: Context, node: ast.expr, column: _Column) -> Iterator[ast.Name | None]:
    """The names that stand for a column's value; None for anything that is not element by element."""
    own = column(node)
    if own is not None:
        yield own
        return
    match node:
        case ast.Constant(value=int() | float() | str()):
            return
        case ast.Name(id=name) if context.values.names().get(name) in _NUMBERS:
            return
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _ARITHMETIC):
            yield from _parts(context, left, column)
            yield from _parts(context, right, column)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield from _parts(context, operand, column)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _COMPARISONS):
            yield from _parts(context, left, column)
            yield from _parts(context, right, column)
        case ast.Call(func=function, args=[first, *rest], keywords=[]) if _is_elementwise(context, function):
            yield from _parts(context, first, column)
            if not all(isinstance(a, ast.Constant) for a in rest):
                yield None
        case _:
            yield None


def _is_elementwise(context: Context, function: ast.expr) -> bool:
    match function:
        case ast.Name(id=name):
            return name in _FUNCTIONS and name not in context.values.names()
        case ast.Attribute(value=ast.Name(), attr=name):
            return name in _UFUNCS and syntax.dotted(function) == f"{syntax.alias(context.cell, 'numpy')}.{name}"
    return False
