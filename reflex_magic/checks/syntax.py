"""Where an operation stands in its cell, and what is done with its result."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reflex_magic.core.cell import Cell, Span
from reflex_magic.core.outcome import Operation, Raised, Run

_EVALUATING = frozenset({"select", "with_columns"})
"""Methods of polars that evaluate expressions: ``frame.select(pl.col("eur").sum())``."""

AGGREGATES = frozenset({"agg", "aggregate", "pivot_table", "pivot", "transform"})


@dataclass(frozen=True, slots=True)
class Target:
    """Where the value of a statement goes: variables, and columns of a variable."""

    names: frozenset[str] = frozenset()
    columns: frozenset[str] = frozenset()


def call(cell: Cell, operation: Operation) -> ast.Call | None:
    """The call of an operation."""
    node = cell.node_at(operation.span)
    return node if isinstance(node, ast.Call) else None


def variable(node: ast.expr | None) -> str | None:
    """The variable that an expression starts from: `df` for ``df["x"].str.strip()``."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def receiver(node: ast.Call | None) -> ast.expr | None:
    """What a method is called on."""
    return node.func.value if node is not None and isinstance(node.func, ast.Attribute) else None


def source(cell: Cell, operation: Operation) -> str | None:
    """The variable of the data that an operation is of, also where it is an expression that a frame evaluates."""
    node = call(cell, operation)
    for outer, method, frame in calls(cell, asserted=True):
        within = method in _EVALUATING and outer is not node and cell.span(outer).contains(operation.span)
        if within and not cell.span(frame).contains(operation.span):
            return variable(frame)
    on = receiver(node)
    if node is not None and node.args and isinstance(on, ast.Name) and on.id == "pc":  # pc.mean(table["eur"])
        return variable(node.args[0])
    return variable(on)


def statement(cell: Cell, span: Span) -> ast.stmt | None:
    """The innermost statement around `span`."""
    found: ast.stmt | None = None
    for node in cell.nodes:
        if isinstance(node, ast.stmt) and cell.span(node).contains(span):
            found = node
    return found


def target(cell: Cell, span: Span) -> Target:
    """What the statement around `span` assigns to."""
    names: set[str] = set()
    columns: set[str] = set()
    around = statement(cell, span)
    match around:
        case ast.Assign(targets=targets):
            pass
        case ast.AnnAssign(target=only):
            targets = [only]
        case _:
            targets = []
    for place in targets:
        match place:
            case ast.Name(id=name):
                names.add(name)
            case ast.Subscript(slice=key):
                columns |= texts(key)
            case ast.Attribute(attr=name):
                columns.add(name)
    for node in ast.walk(around) if around is not None else ():
        if isinstance(node, ast.Call):
            columns |= {label for label, value in made(node) if label and cell.span(value).contains(span)}
    return Target(frozenset(names), frozenset(columns))


def made(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """The columns that `with_columns` and `select` of polars make, with what they are made of."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in _EVALUATING:
        return
    for keyword in node.keywords:
        yield keyword.arg or "", keyword.value
    for given in node.args:
        for part in given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given]:
            yield _label(part), part


def _label(node: ast.expr) -> str:
    """What polars calls the column that an expression makes: by its alias, else after the first column in it."""
    for part in ast.walk(node):
        match part:
            case ast.Call(func=ast.Attribute(attr="alias" | "col"), args=[ast.Constant(value=str() as name)]):
                return name
    return ""


def texts(node: ast.AST) -> set[str]:
    """The texts written in a node."""
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def mentions(node: ast.AST) -> set[str]:
    """The texts, attributes and names in a node: however a column may be written."""
    found = texts(node)
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                found.add(name)
    return found


def calls(cell: Cell, *, asserted: bool = False) -> Iterator[tuple[ast.Call, str, ast.expr]]:
    """Every call of a method: the call, the method's name, what it is called on; assertions only if `asserted`."""
    stack: list[ast.AST] = [cell.tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Assert) and not asserted:
            continue
        stack += ast.iter_child_nodes(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node, node.func.attr, node.func.value


def follows(cell: Cell, operation: Operation, node: ast.expr) -> bool:
    """Whether `node` works on the result of the operation: in the same chain, or through a variable."""
    inner = call(cell, operation)
    if inner is not None and any(part is inner for part in ast.walk(node)):
        return True
    names = target(cell, operation.span).names
    return variable(node) in names and node.lineno > operation.span.end_line


def summed(cell: Cell, operation: Operation) -> frozenset[str]:
    """The columns that are added up in what the operation made, as far as they are written out."""
    found: set[str] = set()
    inner = call(cell, operation)
    inside = {id(part) for part in ast.walk(inner)} if inner is not None else set()
    for node, method, on in calls(cell):
        adds = method in ("sum", *_EVALUATING) or (method in AGGREGATES and "sum" in mentions(node))
        if adds and isinstance(on, ast.Name) and on.id == "pc" and node.args:  # pc.sum(joined["eur"])
            on = node.args[0]
        if not adds or not follows(cell, operation, on):
            continue
        added = [n for n in ast.walk(node) if _is_sum(n)] if method in _EVALUATING else [node]
        for part in (n for outer in added for n in ast.walk(outer)):
            if id(part) not in inside:
                match part:
                    case ast.Constant(value=str() as text) | ast.Attribute(attr=text):
                        found.add(text)
    return frozenset(found)


def _is_sum(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "sum"


def blamed(run: Run, names: frozenset[str]) -> bool:
    """Whether the cell's assertion failed and its test reads one of these variables."""
    outcome = run.outcome
    if not isinstance(outcome, Raised) or not outcome.is_a("AssertionError") or outcome.span is None:
        return False
    failed = statement(run.cell, outcome.span)
    return isinstance(failed, ast.Assert) and any(
        isinstance(n, ast.Name) and n.id in names for n in ast.walk(failed.test)
    )
