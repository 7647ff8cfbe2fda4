"""Syntax trees as templates need them: comparing, rebuilding, holes, the names that code makes."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from reflex_magic.core.cell import Cell, Span

HOLE = re.compile(r"_[xsnk]\d+")
"""A hole: ``_x1`` any expression, ``_s1`` a text literal, ``_n1`` a number, ``**_k1`` keyword arguments."""

BUILTINS = frozenset(dir(builtins))

Node = ast.expr | ast.stmt
"""A node that has a place in the source and that an edit can replace."""

Change = Callable[[ast.AST], Any]


def key(node: object) -> str:
    """Equal for equal code, whether it is read or written."""
    if isinstance(node, list):
        return str([*map(key, node)])
    if not isinstance(node, ast.AST):
        return repr(node)
    return re.sub(r", ctx=(?:Load|Store|Del)\(\)", "", ast.dump(node))


def rebuild(node: Any, change: Change) -> Any:
    """A copy in which `change` replaced nodes, outermost first; None leaves one, a list is spliced in."""
    if isinstance(node, list):
        out: list[Any] = []
        for item in node:
            new = rebuild(item, change)
            out.extend(new) if isinstance(new, list) else out.append(new)
        return out
    if not isinstance(node, ast.AST):
        return node
    new = change(node)
    return new if new is not None else copied(node, change)


def copied(node: ast.AST, change: Change) -> ast.AST:
    """A copy of `node` itself in which `change` replaced nodes below it."""
    made = type(node)(**{name: rebuild(value, change) for name, value in ast.iter_fields(node)})
    return ast.copy_location(made, node)


def hole(node: object) -> str:
    """The name of the hole that `node` is, or ""."""
    return node.id if isinstance(node, ast.Name) and HOLE.fullmatch(node.id) else ""


def rest_hole(node: object) -> str:
    """The name of the ``**_k`` hole that a keyword is, or ""."""
    return hole(node.value) if isinstance(node, ast.keyword) and node.arg is None else ""


def holes(source: str) -> set[str]:
    """All holes in `source`."""
    return {hole(n) for n in ast.walk(ast.parse(source))} - {""}


def kind(node: ast.AST) -> str:
    """The kind of hole that can stand for `node`."""
    match node:
        case ast.Name() if hole(node):
            return hole(node)[1]
        case ast.Constant(value=str()):
            return "s"
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return "n"
        case _:
            return "x"


def fresh(letter: str, taken: Iterable[str]) -> str:
    """A hole that is not in `taken`."""
    return f"_{letter}{1 + len({h for h in taken if h[1] == letter})}"


def pattern(source: str) -> ast.AST:
    """The tree of one part of a template: an expression, or a statement.

    Raises
    ------
    SyntaxError
        It is not Python, or more than one statement.
    """
    body = ast.parse(source).body
    if len(body) > 1:
        raise SyntaxError("more than one statement")
    if not body:
        return ast.Pass()
    return body[0].value if isinstance(body[0], ast.Expr) else body[0]


def bound(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that this code makes itself: targets, arguments, loop variables, imports, functions."""
    found = set()
    for node in (n for top in nodes for n in ast.walk(top)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.alias(name=name, asname=alias):
                found.add(alias or name.split(".")[0])
    return {name for name in found if not HOLE.fullmatch(name)}


def arguments(node: ast.AST) -> set[str]:
    """The argument names of lambdas and functions within `node`."""
    return {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}


def names(node: ast.AST) -> set[str]:
    """The names that occur in `node`, without holes."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not hole(n)}


def uses(node: ast.AST, wanted: Collection[str]) -> bool:
    """Whether one of these names occurs in `node`."""
    return not names(node).isdisjoint(wanted)


def imports(node: ast.AST) -> list[ast.Import | ast.ImportFrom]:
    """The import statements within `node`."""
    return [n for n in ast.walk(node) if isinstance(n, (ast.Import, ast.ImportFrom))]


def call_name(node: ast.AST) -> str:
    """The function or method that a call names, or ""."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name
        case _:
            return ""


def words(source: str) -> Iterator[str]:
    """Every name, attribute, argument name and text literal of `source`, and its branches by class name."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.Constant(value=str(word)):
                yield word
            # An option that is switched off takes nothing away: `dropna=False` keeps rows.
            case ast.keyword(arg=str(), value=ast.Constant(value=False)):
                continue
            case ast.keyword(arg=str(word)):
                yield word
            case ast.Try() | ast.If() | ast.IfExp():
                yield type(node).__name__


def near(cell: Cell, node: Node, span: Span) -> bool:
    """Whether `node` holds what stands at `span`, or is part of it."""
    here = cell.span(node)
    return here.contains(span) or span.contains(here)


def place(node: Node) -> tuple[int, int]:
    """Where `node` begins, for telling what comes first."""
    return node.lineno, node.col_offset


def failing_statement(cell: Cell, span: Span | None, step: int | None) -> ast.stmt | None:
    """The innermost statement that holds `span`; without one, the top-level statement `step`."""
    body = cell.tree.body
    if span is None:
        return body[step] if step is not None and step < len(body) else None
    found = [n for n in cell.nodes if isinstance(n, ast.stmt) and cell.span(n).contains(span)]
    return max(found, key=place, default=None)
