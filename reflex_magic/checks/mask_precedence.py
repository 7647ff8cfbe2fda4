"""`mask-precedence`: `&` and `|` bind more tightly than the comparison beside them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


class MaskPrecedence(Check):
    """``a & b == 1`` compares ``a & b`` with 1, because `&` binds more tightly than `==`.

    Reported where a truth value and a number meet in `&` or `|`: without brackets around a comparison beside it, or
    where the result is another than if the number meant "is not 0". Silent for two numbers (``flags & 4 == 4`` tests
    a bit) and for two truth values.

    Example
    -------
    ::

        import pandas as pd
        users = pd.DataFrame({"active": [True, True, False], "logins": [4, 0, 0]})
        %%reflect
        idle = users[users["active"] & users["logins"] == 0]
        %%clean
        idle = users[users["active"] & (users["logins"] == 0)]
    """

    name = "mask-precedence"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        found = list(run.of("mask"))
        inner = {}
        for node in run.cell.nodes if found else ():
            if isinstance(node, ast.Compare):
                inner.update(
                    {run.cell.span(n): node for n in (node.left, *node.comparators) if isinstance(n, ast.BinOp)}
                )
        for op in found:
            f, around = op.facts, inner.get(op.span)
            mixed = {f["left"], f["right"]} == {"truth", "number"}
            bare = around is not None and not _in_brackets(run.cell, op)
            behind = bare and around is not None and around.left is not run.cell.node_at(op.span)
            if not (bare and (mixed or (behind and f["left"] == f["right"] == "number"))) and not f["differ"]:
                continue
            yield self._finding(run.cell, op, around if bare else None)

    def _finding(self, cell: Cell, op: Operation, around: ast.Compare | None) -> Finding:
        f = op.facts
        told = {name: f[name] for name in ("rows", "kept", "differ", "left", "right")}
        symbol = _symbol(cell, op)
        if around is not None:
            message = (
                f"`{symbol}` binds more tightly than the comparison beside it: `{op.expression}` is compared, in"
                f" {count(f['rows'], 'row')}"
            )
            return self.finding(op, Severity.MAY, message, "Put the comparison in brackets.", told)
        one = f["differ"] == 1
        message = (
            f"`{symbol}` of a truth value and a number looks at the last bit: {f['differ']:,} of"
            f" {count(f['rows'], 'row')}"
            f" {'is' if one else 'are'} not what the number being 0 or not would say"
        )
        return self.finding(op, Severity.MAY, message, "Compare the number first: (n != 0).", told)


def _symbol(cell: Cell, op: Operation) -> str:
    node = cell.node_at(op.span)
    return "&" if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd) else "|"


def _in_brackets(cell: Cell, op: Operation) -> bool:
    """Whether brackets stand directly around it; the tree does not keep them."""
    lines, span = cell.python_lines, op.span
    before = (lines[span.line - 1][: span.column - 1]).rstrip()
    after = (lines[span.end_line - 1][span.end_column - 1 :]).lstrip()
    return (not before or before.endswith("(")) and (not after or after.startswith(")"))
