"""Which names a statement reads and writes, found in its syntax."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

NAMES = 12
"""Most names of a statement that get a card."""

_Scope = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Touched:
    """Names in the order of their first mention. `stores` includes `df` for ``df["x"] = ...``."""

    reads: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()


def touched(node: ast.stmt) -> Touched:
    """The names that the statement itself touches; the bodies of functions and classes do not run in it."""
    reads: dict[str, None] = {}
    stores: dict[str, None] = {}
    for part in _walk(node):
        match part:
            case ast.Name(id=name, ctx=ast.Load()):
                reads[name] = None
            case ast.Name(id=name):
                stores[name] = None
            case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                base = _base(part)
                if base is not None:
                    stores[base] = None
            case ast.AugAssign(target=ast.Name(id=name)):
                reads[name] = None
    return Touched(tuple(reads)[:NAMES], tuple(stores)[:NAMES])


def _base(target: ast.expr) -> str | None:
    """`df` for ``df["x"]`` and ``df.loc[mask, "x"]``."""
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, _Scope):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)
