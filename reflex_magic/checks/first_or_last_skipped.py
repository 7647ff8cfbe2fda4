"""`first-or-last-skipped`: a loop over positions leaves out the first or the last row."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.purpose import said
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_KNOWN = re.compile(
    r"\b(skip\w*|without|except|exclud\w*|but (the )?(first|last)|header|from the second|drop\w*|leave out)\b", re.I
)

_MAY_SKIP = re.compile(r"range\(1, ?len|range\(1, ?\w+\.shape|(len\(\w+\)|shape\[0\]) ?- ?1\b")


class FirstOrLastSkipped(Check):
    """``for i in range(1, len(s))`` or ``range(len(s) - 1)``, where each row is used for itself.

    Found in loops that add up or collect, over a table, column or array that use ``s[i]`` (also `iloc`, `loc`,
    `at`) and no neighbour of it, where the row that the loop leaves out stands nowhere else in the cell. Likewise
    ``s[0:len(s) - 1]`` whose sum, mean, largest or smallest value is taken, where the cell takes no other part of
    `s`.

    Silent where ``i - 1`` or ``i + 1`` is used, where ``s[0]`` or ``s[-1]`` is, for lists and texts, and where a
    comment says so.

    Example
    -------
    ::

        import pandas as pd
        rain = pd.Series([4.0, 1.0, 2.0])
        %%reflect
        total = 0.0
        for i in range(1, len(rain)):
            total += rain[i]
        %%clean
        total = 0.0
        for i in range(len(rain)):
            total += rain[i]
    """

    name = "first-or-last-skipped"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        if not run.cards or not _MAY_SKIP.search(run.cell.python) or _KNOWN.search(said(run)):
            return
        tables = {c.name for card in run.cards for c in (*card.before, *card.after) if _is_data(c.type)}
        for node in run.cell.nodes:
            match node:
                case ast.For(target=ast.Name(id=i), iter=ast.Call(func=ast.Name(id="range"), args=args) as spread):
                    found = _skipped(args)
                    if found and found[0] in tables and _is_used_alone(run.cell, node, i, *found):
                        yield self._finding(run.cell, spread, *found)
                case ast.Call(func=ast.Attribute(value=on, attr="sum" | "mean" | "max" | "min")):
                    part = _cut_off(on)
                    if part is not None and _base(part) in tables and not _is_taken_otherwise(run.cell, part):
                        yield self._finding(run.cell, part, _base(part), "last")

    def _finding(self, cell: Cell, node: ast.expr, table: str, which: str) -> Finding:
        return Finding(
            self.code,
            Severity.MAY,
            cell.span(node),
            cell.text(cell.span(node)),
            f"the {which} row of `{table}` is left out",
            "range(len(x)) and x[0:len(x)] hold every row: the end is not included.",
        )


def _is_data(kind: str) -> bool:
    return kind in ("DataFrame", "Series", "ndarray")


def _skipped(args: list[ast.expr]) -> tuple[str, str] | None:
    """The table over whose rows ``range(...)`` goes, and which row it leaves out."""
    match args:
        case [ast.Constant(value=1), end] if table := _length_of(end):
            return table, "first"
        case [ast.BinOp(left=whole, op=ast.Sub(), right=ast.Constant(value=1))] if table := _length_of(whole):
            return table, "last"
        case [ast.Constant(value=0), ast.BinOp(left=whole, op=ast.Sub(), right=ast.Constant(value=1))] if (
            table := _length_of(whole)
        ):
            return table, "last"
    return None


def _length_of(node: ast.expr) -> str:
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=table)]):
            return table
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=table), attr="shape"), slice=ast.Constant(value=0)):
            return table
    return ""


def _is_used_alone(cell: Cell, loop: ast.For, i: str, table: str, which: str) -> bool:
    """Whether the loop collects row `i` and uses no other, and the cell uses the row left out nowhere."""
    if not any(_collects(cell, n) for part in loop.body for n in ast.walk(part)):
        return False
    alone = False
    for node in (n for part in loop.body for n in ast.walk(part)):
        match node:
            case ast.BinOp(left=ast.Name(id=name)) | ast.BinOp(right=ast.Name(id=name)) if name == i:
                return False
            case ast.Subscript(slice=ast.Name(id=name) | ast.Tuple(elts=[ast.Name(id=name), *_])) if name == i:
                alone = alone or _base(node) == table
            case ast.Subscript(slice=ast.Slice()) if _base(node) == table:
                return False
    others = 0 if which == "first" else -1
    return alone and not any(_base(n) == table and _place(n) == others for n in cell.nodes)


def _collects(cell: Cell, node: ast.AST) -> bool:
    """``total += ...`` where the cell begins with 0, ``found.append(...)`` where it begins with an empty list."""
    match node:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()):
            pass
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")):
            pass
        case _:
            return False
    for begun in cell.nodes:
        match begun:
            case ast.Assign(targets=[ast.Name(id=other)], value=ast.Constant(value=0 | 0.0) | ast.List(elts=[])):
                if other == name:
                    return True
    return False


def _base(node: ast.AST) -> str:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _place(node: ast.AST) -> int | None:
    match node:
        case ast.Subscript(slice=ast.Constant(value=0) | ast.Tuple(elts=[ast.Constant(value=0), *_])):
            return 0
        case ast.Subscript(slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))):
            return -1
    return None


def _cut_off(node: ast.expr) -> ast.Subscript | None:
    """``x.iloc[0:len(x) - 1]`` in a chain of selections."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        match node:
            case ast.Subscript(
                slice=ast.Slice(
                    lower=None | ast.Constant(value=0),
                    upper=ast.BinOp(left=whole, op=ast.Sub(), right=ast.Constant(value=1)),
                    step=None,
                )
            ) if _length_of(whole) == _base(node):
                return node
        node = node.value
    return None


def _is_taken_otherwise(cell: Cell, part: ast.Subscript) -> bool:
    """Whether the cell takes another slice or a single row of the same table."""
    table = _base(part)
    inside = {id(n) for n in ast.walk(part)}
    return any(
        isinstance(n, ast.Subscript) and id(n) not in inside and _base(n) == table
        and (isinstance(n.slice, ast.Slice) or _place(n) is not None)
        for n in cell.nodes
    )  # fmt: skip
