"""Where code names columns, and which columns there are."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reflex_magic.core.ports import Context
from reflex_magic.repairs import syntax

LABELS = 5000
"""Frames with more columns than this are not looked at."""

FRAMES = 50
"""So many frames in scope are looked at."""

ARGUMENTS: Mapping[str, Mapping[str, int | None]] = {
    "groupby": {"by": 0},
    "sort_values": {"by": 0},
    "set_index": {"keys": 0},
    "melt": {"id_vars": 0, "value_vars": 1},
    "pivot": {"columns": None, "index": None, "values": None},
    "pivot_table": {"values": 0, "index": 1, "columns": 2},
    "drop": {"columns": None},
    "drop_duplicates": {"subset": 0},
    "duplicated": {"subset": 0},
    "dropna": {"subset": None},
    "nlargest": {"columns": 1},
    "nsmallest": {"columns": 1},
    "explode": {"column": 0},
    "value_counts": {"subset": 0},
    "astype": {"dtype": 0},
    "agg": {"func": 0},
    "aggregate": {"func": 0},
    "resample": {"on": None},
    "rolling": {"on": None},
    "join": {"on": 1},
    "pop": {"item": 0},
}
"""Arguments of methods of a frame that name its columns, with their position."""

RENAMED_BY = ("melt", "set_index", "groupby", "pivot", "pivot_table", "sort_values", "drop_duplicates")
"""Methods whose result still carries the names they were given."""


@dataclass(frozen=True, slots=True)
class Naming:
    """A place that names columns: an expression for the frame, and the label constants there.

    `holder` is the node that stands for the frame in the source, None for a file.
    """

    frame: str
    labels: tuple[ast.Constant, ...]
    holder: ast.expr | None = None


def labels_of(context: Context, frame: str) -> tuple[object, ...] | None:
    """The column labels of a frame or of what a group is made of, the labels of a series, the keys of a dict."""
    card = context.values.card(frame)
    if card is None:
        return None
    if card.is_frame:
        return _sample(context, f"({frame}).columns")
    if card.is_series:
        return _sample(context, f"({frame}).index")
    if card.type in ("dict", "Index", "RangeIndex"):
        return _sample(context, frame)
    if "GroupBy" in card.type or "Resampler" in card.type:
        return labels_of(context, f"({frame}).obj")
    return None


def is_frame(context: Context, expression: str) -> bool:
    """Whether an expression is a frame, whose columns can be renamed."""
    card = context.values.card(expression)
    return card is not None and card.is_frame


def is_columned(context: Context, expression: str) -> bool:
    """Whether the labels of a value are names of columns: of a frame, of groups of one, of a row of one."""
    card = context.values.card(expression)
    if card is None or not card.is_series:
        return "groupby" in expression or (card is not None and card.is_frame)
    names = labels_of(context, expression)
    frames = [name for name, kind in context.values.names().items() if kind == "DataFrame"]
    return bool(names) and any(labels_of(context, frame) == names for frame in frames[:FRAMES])


def _sample(context: Context, expression: str) -> tuple[object, ...] | None:
    found = context.values.sample(expression, LABELS)
    return found if found is not None and len(found) < LABELS else None


def namings(context: Context, node: ast.AST) -> Iterator[Naming]:
    """The places of a failing expression that name columns."""
    match node:
        case ast.Subscript(value=ast.Attribute(value=frame, attr="loc" | "at"), slice=ast.Tuple(elts=[rows, labels])):
            yield Naming(ast.unparse(frame), _constants(context, labels), frame)
            yield Naming(f"({ast.unparse(frame)}).index", _constants(context, rows), frame)
        case ast.Subscript(value=ast.Attribute(value=frame, attr="loc" | "at"), slice=rows):
            yield Naming(f"({ast.unparse(frame)}).index", _constants(context, rows), frame)
        case ast.Subscript(value=ast.Attribute(attr="loc" | "iloc" | "at" | "iat")):
            return
        case ast.Subscript(value=frame, slice=labels):
            yield Naming(ast.unparse(frame), _constants(context, labels), frame)
        case ast.Call() if syntax.function_of(context.cell, node, "pandas") in ("read_csv", "read_table"):
            yield from _of_file(context, node)
        case ast.Call(func=ast.Attribute(value=frame, attr=method)) if method in ARGUMENTS:
            for name, position in ARGUMENTS[method].items():
                argument = _argument(node, name, position)
                if argument is not None:
                    yield Naming(ast.unparse(frame), _constants(context, argument), frame)
            if method in ("agg", "aggregate"):
                named = [k.value.elts[0] for k in node.keywords if isinstance(k.value, ast.Tuple) and k.value.elts]
                # one column may be asked for several times
                yield from (Naming(ast.unparse(frame), (label,), frame) for label in syntax.texts(named))
            if method == "drop" and node.args and _is_columns_axis(node):
                yield Naming(ast.unparse(frame), _constants(context, node.args[0]), frame)


def merge_namings(context: Context, call: ast.AST) -> Iterator[Naming]:
    """The key columns of a merge, once for each side."""
    if not isinstance(call, ast.Call):
        return
    if syntax.function_of(context.cell, call, "pandas") in ("merge", "merge_asof", "merge_ordered"):
        sides = call.args[:2]
    elif isinstance(call.func, ast.Attribute) and call.func.attr == "merge":
        sides = [call.func.value, *call.args[:1]]
    else:
        return
    if len(sides) != 2:
        return
    for side, own in zip(sides, ("left_on", "right_on"), strict=True):
        for name in ("on", own):
            argument = syntax.keyword(call, name)
            if argument is not None:
                yield Naming(ast.unparse(side), _constants(context, argument.value), side)


def _of_file(context: Context, call: ast.Call) -> Iterator[Naming]:
    """The columns that a reader is asked for; the frame is the file read without asking."""
    plain = unasked(call)
    for name in ("usecols", "parse_dates", "index_col"):
        argument = syntax.keyword(call, name)
        if argument is not None:
            yield Naming(ast.unparse(plain), _constants(context, argument.value))


def unasked(call: ast.Call) -> ast.Call:
    """The call of a reader without what it asks of the columns."""
    plain = copy.copy(call)
    asked = ("usecols", "parse_dates", "index_col", "dtype", "converters", "date_format", "date_parser")
    plain.keywords = [k for k in plain.keywords if k.arg not in asked]
    return plain


def _argument(call: ast.Call, name: str, position: int | None) -> ast.expr | None:
    given = syntax.keyword(call, name)
    if given is not None:
        return given.value
    return call.args[position] if position is not None and position < len(call.args) else None


def _is_columns_axis(call: ast.Call) -> bool:
    axis = syntax.keyword(call, "axis")
    return axis is not None and syntax.constant(axis.value) in (1, "columns")


def _constants(context: Context, node: ast.expr) -> tuple[ast.Constant, ...]:
    """The labels (text or whole numbers) written at a node; a name is followed to what it is given in this cell."""
    match node:
        case ast.Constant(value=str() | int()) if not isinstance(node.value, bool):
            return (node,)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return tuple(c for p in parts if isinstance(p, ast.Constant) for c in _constants(context, p))
        case ast.Dict(keys=keys):
            return tuple(syntax.texts([k for k in keys if k is not None]))
        case ast.Name(id=name):
            given = _given(context, name)
            if isinstance(given, (ast.List, ast.Tuple, ast.Constant)):
                return _constants(context, given)
    return ()


def _given(context: Context, name: str) -> ast.expr | None:
    """What the cell assigns to a name, or goes through with it, when it does so once."""
    every = syntax.nodes(context.cell)
    given = [n.value for n in every if isinstance(n, ast.Assign) and [syntax.dotted(t) for t in n.targets] == [name]]
    given += [n.iter for n in every if isinstance(n, (ast.For, ast.comprehension)) and syntax.dotted(n.target) == name]
    return given[0] if len(given) == 1 else None
