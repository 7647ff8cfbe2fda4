"""Text with gaps is put in order by `sorted`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

SAMPLE = 10_000
_LEFT_OUT = re.compile(
    r"\b(left out|leave out|ignor\w*|skip\w*|drop\w*|exclud\w*|no blanks?"
    r"|without (the )?(blanks?|gaps?|missing|empty|unknown))\b",
    re.I,
)
_KEPT = re.compile(
    r"\b(last|first|at the end|separate\w*|too|also|under"
    r"|(not|never|n't) (be )?(left|leave|ignor\w*|skip\w*|drop\w*|exclud\w*))\b",
    re.I,
)


class SortWithMissing(Repair):
    """`sorted` meets text and missing values, which have no order.

    Leaves the missing values out, on a column and on its distinct values. Clear only when the goal
    says that gaps are left out; otherwise offered, since a loop over the result would miss rows.

    Example
    -------
    ::

        import pandas as pd
        shops = pd.DataFrame({"town": ["Penrith", None, "Kendal"]})
        %%reflect
        towns = sorted(shops["town"].unique())
        %%offered
        towns = sorted(shops["town"].dropna().unique())
    """

    name = "sort-with-missing"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The same without missing values."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("TypeError") or not isinstance(node, ast.Call) or not node.args:
            return
        if syntax.dotted(node.func) not in ("sorted", "min", "max") or "not supported between" not in failure.evalue:
            return
        column, edit = _column(context, node.args[0])
        card = context.values.card(ast.unparse(column)) if column is not None else None
        if card is None or edit is None or not card.is_series or not card.columns[0].missing:
            return
        values = context.values.sample(ast.unparse(column), SAMPLE) if column is not None else None
        if not values or len({type(v) for v in values}) != 1:
            return
        yield self.offer(
            "leave the missing values out",
            [edit],
            f"{card.columns[0].missing} of {card.rows} values are missing, and have no order beside text",
            sure=_LEFT_OUT.search(context.goal) is not None and not _KEPT.search(context.goal),
        )


def _column(context: Context, node: ast.expr) -> tuple[ast.expr | None, syntax.Edit | None]:
    """The column behind what is sorted, and the edit that leaves its gaps out."""
    match node:
        case ast.Call(func=ast.Attribute(value=column, attr="unique" | "tolist" | "to_list") as member, args=[]):
            return column, syntax.insert_before_member(context.cell, member, "dropna().")
        case ast.Call(func=ast.Name(id="set" | "list"), args=[column]):
            return _column(context, column)
        case ast.Name() | ast.Subscript() | ast.Attribute():
            return node, syntax.insert_after(context.cell, node, ".dropna()")
    return None, None
