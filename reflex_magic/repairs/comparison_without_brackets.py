"""``a > 1 & b < 3`` compares `a` with ``1 & b``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class ComparisonWithoutBrackets(Repair):
    """Comparisons are joined by `&` or `|` without brackets, which bind more tightly than they do.

    Each comparison is put in brackets. Silent when what stands between the signs is then no comparison.

    Example
    -------
    ::

        import pandas as pd
        people = pd.DataFrame({"age": [15, 30, 70], "visits": [1, 2, 3]})
        %%reflect
        few = people[people["age"] > 18 & people["visits"] < 3]
        %%repaired
        few = people[(people["age"] > 18) & (people["visits"] < 3)]
    """

    name = "comparison-without-brackets"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """Every comparison in brackets."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("ValueError", "TypeError"):
            return
        above = (node, *syntax.ancestors(context.cell, node))
        compare = next((n for n in above if isinstance(n, ast.Compare) and _joined(n)), None)
        if compare is None:
            return
        written = _bracketed(context, compare)
        if written is not None:
            edits = [syntax.replace(context.cell, compare, written)]
            yield self.offer("each comparison in brackets", edits, "`&` and `|` bind more tightly than comparisons")


def _joined(node: ast.Compare) -> bool:
    return any(_split(side) is not None for side in (node.left, *node.comparators))


def _split(node: ast.expr) -> tuple[str, ast.expr, ast.expr] | None:
    match node:
        case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
            return "&", left, right
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return "|", left, right
    return None


def _bracketed(context: Context, node: ast.Compare) -> str | None:
    """The comparisons between the signs, each in brackets; None when one of them is no column of truth values."""
    operands: list[ast.expr] = [node.left]
    operators: list[ast.cmpop] = []
    parts: list[ast.expr] = []
    signs: list[str] = []

    def close() -> None:
        parts.append(ast.Compare(operands[0], list(operators), operands[1:]) if operators else operands[0])

    def take(operand: ast.expr) -> None:
        """Add an operand; one that holds `&` ends a comparison and begins the next."""
        split = _split(operand)
        if split is None:
            operands.append(operand)
            return
        sign, left, right = split
        take(left)
        close()
        signs.append(sign)
        operands.clear()
        operators.clear()
        operands.append(right)

    operands.clear()
    take(node.left)
    for operator, operand in zip(node.ops, node.comparators, strict=True):
        operators.append(operator)
        take(operand)
    close()
    # `a & b | c` is grouped in more than one way
    if len(set(signs)) != 1 or not all(_is_truth(context, p) for p in parts):
        return None
    cell = context.cell
    written = [syntax.comparison(cell, p) if isinstance(p, ast.Compare) else syntax.text(cell, p) for p in parts]
    return f" {signs[0]} ".join(written)


def _is_truth(context: Context, node: ast.expr) -> bool:
    card = context.values.card(ast.unparse(node))
    return card is not None and card.is_series and card.columns[0].dtype in ("bool", "boolean", "bool[pyarrow]")
