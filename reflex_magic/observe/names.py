"""Which names a statement reads and writes, found in its syntax."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

NAMES = 12
"""Most names of a statement that get a card."""

_SCOPES = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})
_PLAIN = frozenset({ast.Load, ast.Store, ast.Constant})


@dataclass(frozen=True, slots=True)
class Touched:
    """Names in the order of their first mention. `stores` includes `df` for ``df["x"] = ...``."""

    reads: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()


def touched(node: ast.stmt) -> Touched:
    """The names that the statement itself touches; the bodies of functions and classes do not run in it."""
    reads: dict[str, None] = {}
    stores: dict[str, None] = {}
    parts: list[Any] = [node]
    while parts:
        part = parts.pop()
        kind = type(part)
        if kind in _SCOPES or kind in _PLAIN:
            continue
        if kind is ast.Name:
            (reads if type(part.ctx) is ast.Load else stores)[part.id] = None
            continue
        if (kind is ast.Subscript or kind is ast.Attribute) and type(part.ctx) is ast.Store:
            base = _base(part)
            if base is not None:
                stores[base] = None
        elif kind is ast.AugAssign and type(part.target) is ast.Name:
            reads[part.target.id] = None
        values = vars(part)
        for name in reversed(part._fields):
            value = values.get(name)
            if isinstance(value, ast.AST):
                parts.append(value)
            elif type(value) is list:
                parts += [v for v in reversed(value) if isinstance(v, ast.AST)]
    return Touched(tuple(reads)[:NAMES], tuple(stores)[:NAMES])


def _base(target: ast.expr) -> str | None:
    """`df` for ``df["x"]`` and ``df.loc[mask, "x"]``."""
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None
