"""Where the missing values that an operation made go in a cell, and whether they are added up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from reflex_magic.checks.syntax import AGGREGATES, made, mentions, variable
from reflex_magic.core.cell import Cell

_ARITHMETIC = (ast.Mult, ast.Sub, ast.Add)
_CARRYING = frozenset(
    {"astype", "round", "abs", "copy", "rename", "mul", "sub", "add", "multiply", "subtract", "div", "cast", "alias"}
)
_METHODS_OF_TWO = frozenset({"mul", "sub", "add", "multiply", "subtract"})
_HANDLING = frozenset(
    {"fillna", "isna", "isnull", "notna", "notnull", "dropna", "combine_first", "count", "ffill", "bfill", "mask"}
    | {"where", "interpolate", "info"}
    | {"fill_null", "fill_nan", "is_null", "is_not_null", "is_valid", "drop_nulls", "drop_null", "null_count"}
    | {"coalesce"}
)


@dataclass
class Gaps:
    """Columns and variables that hold missing values which an operation made.

    `columns` and `names` are what the operation fills itself; `computed` are columns, and variables,
    into which it went by arithmetic with something else.
    """

    columns: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    computed: set[str] = field(default_factory=set)

    def holds(self, node: ast.expr, source: ast.AST | None) -> bool:
        """Whether the value of an expression has the missing values in it."""
        if node is source:
            return True
        match node:
            case ast.Name(id=name):
                return name in self.names
            case ast.Subscript(slice=ast.Constant(value=str() as label)) | ast.Attribute(attr=label):
                return label in self.columns
            case ast.Call(
                func=ast.Attribute(attr="col") | ast.Name(id="col"), args=[ast.Constant(value=str() as label)]
            ):
                return label in self.columns
            case ast.BinOp(left=left, right=right):
                return self.holds(left, source) or self.holds(right, source)
            case ast.UnaryOp(operand=operand):
                return self.holds(operand, source)
            case ast.Call(func=ast.Attribute(value=on, attr=method), args=args) if method in _CARRYING:
                return self.holds(on, source) or any(self.holds(a, source) for a in args)
            case ast.Lambda(body=body):
                return self.holds(body, source)
        return False

    def computes(self, node: ast.expr, source: ast.AST | None) -> bool:
        """Whether the missing values meet something else by arithmetic in an expression."""
        for part in ast.walk(node):
            match part:
                case ast.BinOp(left=left, right=right, op=op) if isinstance(op, _ARITHMETIC):
                    if not isinstance(left, ast.Constant) and not isinstance(right, ast.Constant):
                        return True
                case ast.Call(func=ast.Attribute(attr=method)) if method in _METHODS_OF_TWO:
                    return True
                case (
                    ast.Subscript(slice=ast.Constant(value=str() as label))
                    | ast.Attribute(attr=label)
                    | ast.Call(func=ast.Attribute(attr="col"), args=[ast.Constant(value=str() as label)])
                ):
                    if label in self.computed:
                        return True
                case ast.Name(id=name) if name in self.computed:
                    return True
        return False


def follow(cell: Cell, source: ast.expr, gaps: Gaps) -> Iterator[tuple[str, bool]]:
    """What is added up although it has gaps: its name, and whether it was computed with something else.

    Parameters
    ----------
    source
        The operation; it is followed from the statement in which it stands.
    gaps
        Where its result is known to have missing values; completed while it is followed.
    """
    started = False
    for statement in _statements(cell):
        started = started or any(part is source for part in ast.walk(statement))
        if not started:
            continue
        match statement:
            case ast.Assign(targets=[target], value=value):
                _assign(target, value, source, gaps)
            case ast.AugAssign(target=target, value=value, op=op) if isinstance(op, _ARITHMETIC):
                if gaps.holds(value, source):
                    _fill(target, gaps, computed=True)
        for part in ast.walk(statement):
            if isinstance(part, ast.Call):
                _assign_keywords(part, source, gaps)
        for part in ast.walk(statement):
            if isinstance(part, ast.Call):
                yield from _sums(part, source, gaps)


def handled(cell: Cell, gaps: Gaps, source: ast.expr, *, asserted: bool) -> bool:
    """Whether the cell itself fills, tests or counts what is missing, or picks rows by it; anywhere.

    In its assertions only if `asserted`: one that failed does not say that its author knew.
    """
    known = gaps.columns | gaps.names | gaps.computed
    failed = set() if asserted else {n for a in cell.nodes if isinstance(a, ast.Assert) for n in ast.walk(a)}
    for node in cell.nodes:
        if node in failed:
            continue
        match node:
            case ast.Subscript(slice=ast.Compare(left=on)) | ast.keyword(arg="skipna" | "min_count", value=on):
                seen = [on] if isinstance(node, ast.Subscript) else [source]
            case ast.Call(func=ast.Attribute(attr="query"), args=[ast.Constant(value=str() as condition)]):
                if known & set(re.findall(r"\w+", condition)):
                    return True
                continue
            case ast.Call(func=ast.Attribute(value=on, attr=method)) if method in _HANDLING:
                seen = [on, *node.args]
            case ast.Call(func=ast.Attribute(attr="dropna" | "drop_nulls" | "drop_null")):
                return True
            case ast.Call(func=ast.Attribute(attr="filter"), args=args) if any(
                isinstance(n, ast.Compare) for a in args for n in ast.walk(a)
            ):
                seen = args
            case ast.Compare(comparators=[ast.Constant(value="left_only" | "both" | "right_only")]):
                return True
            case _:
                continue
        if any(not mentions(s).isdisjoint(known) or any(p is source for p in ast.walk(s)) for s in seen):
            return True
    return False


def _statements(cell: Cell) -> Iterator[ast.stmt]:
    """The statements without those that hold others, in the order of the source."""
    stack: list[ast.stmt] = list(reversed(cell.tree.body))
    while stack:
        node = stack.pop()
        inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
        if inner:
            stack += reversed(inner)
        elif not isinstance(node, ast.Assert):
            yield node


def _assign(target: ast.expr, value: ast.expr, source: ast.expr, gaps: Gaps) -> None:
    if gaps.holds(value, source):
        _fill(target, gaps, computed=gaps.computes(value, source))
    elif isinstance(target, ast.Name):
        if any(part is source for part in ast.walk(value)) or variable(value) in gaps.names:
            return
        gaps.names.discard(target.id)


def _fill(target: ast.expr, gaps: Gaps, *, computed: bool) -> None:
    match target:
        case ast.Name(id=label):
            gaps.names.add(label)
        case ast.Subscript(slice=ast.Constant(value=str() as label)) | ast.Attribute(attr=label):
            gaps.columns.add(label)
        case _:
            return
    if computed:
        gaps.computed.add(label)


def _assign_keywords(node: ast.Call, source: ast.expr, gaps: Gaps) -> None:
    """``frame.assign(total=lambda d: d["n"] * d["price"])``, and what `with_columns` and `append_column` add."""
    given = list(made(node))
    match node:
        case ast.Call(func=ast.Attribute(attr="assign"), keywords=keywords):
            given = [(k.arg or "", k.value) for k in keywords]
        case ast.Call(func=ast.Attribute(attr="append_column"), args=[ast.Constant(value=str() as name), value]):
            given = [(name, value)]
    for label, value in given:
        if label and gaps.holds(value, source):
            gaps.columns.add(label)
            if gaps.computes(value, source):
                gaps.computed.add(label)


def _sums(node: ast.Call, source: ast.expr, gaps: Gaps) -> Iterator[tuple[str, bool]]:
    match node:
        case ast.Call(func=ast.Attribute(attr="sum"), args=[ast.Constant(value=str() as label)]):  # pl.sum("eur")
            named = {label}
        case (
            ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "pc"), attr="sum"), args=[on])
            | ast.Call(func=ast.Name(id="sum"), args=[on])
            | ast.Call(func=ast.Attribute(value=on, attr="sum"))
        ):
            if gaps.holds(on, source):
                yield next(iter(_picked(on)), ast.unparse(on)), gaps.computes(on, source)
                return
            named = _picked(on)
        case ast.Call(func=ast.Attribute(value=on, attr=method)) if method in AGGREGATES and "sum" in mentions(node):
            named = _picked(on) | {
                part.value
                for argument in [*node.args, *(k.value for k in node.keywords)]
                for part in ast.walk(argument)
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            }
        case _:
            return
    for label in sorted(named & gaps.columns):
        yield label, label in gaps.computed


def _picked(node: ast.expr) -> set[str]:
    """The columns picked at the end of a chain: ``groupby("k")["eur"]``, ``frame[["a", "b"]]``."""
    match node:
        case (
            ast.Subscript(slice=ast.Constant(value=str() as label))
            | ast.Attribute(attr=label)
            | ast.Call(func=ast.Attribute(attr="col"), args=[ast.Constant(value=str() as label)])
        ):
            return {label}
        case ast.Subscript(slice=ast.List(elts=elements)):
            return {e.value for e in elements if isinstance(e, ast.Constant) and isinstance(e.value, str)}
    return set()
