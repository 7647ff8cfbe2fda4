"""Calculating with numbers that are still text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import conversion, syntax
from reflex_magic.repairs.rule import Repair

_STATISTICS = (
    "mean",
    "median",
    "std",
    "var",
    "sem",
    "quantile",
    "prod",
    "abs",
    "round",
    "cumsum",
    "diff",
    "corr",
    "clip",
)
_TEXT = ("str", "object", "string")


class NumbersAsText(Repair):
    """A column of written numbers is averaged, compared or calculated with as if it were numbers.

    The column is converted where it stands, after the cleaning that all its values prove to need.

    Offered only where text and numbers are added, since joining can be meant as well, and where the texts may be
    codes ("007"). Silent when a value is no number, where the decimal mark is in doubt, and for versions.

    Example
    -------
    ::

        import pandas as pd
        log = pd.DataFrame({"hours": ["2", "3.5", "10"]})
        %%reflect
        mean = log["hours"].mean()
        %%repaired
        mean = log["hours"].astype(float).mean()
    """

    name = "numbers-as-text"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The column as numbers."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("TypeError", "ValueError"):
            return
        match node:
            case ast.Call(func=ast.Attribute(value=column, attr=method)) if method in _STATISTICS:
                sides = [column]
            case ast.BinOp(left=left, right=right, op=ast.Sub() | ast.Mult() | ast.Div() | ast.Add() | ast.FloorDiv()):
                sides = [left, right]
            case ast.Compare(left=left, comparators=[right], ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()]):
                sides = [left, right]
            case _:
                return
        text = [s for s in sides if self._is_text(context, s)]
        others = [s for s in sides if s not in text]
        # beside a text column there has to be something that is a number
        if len(text) != 1 or not all(self._is_number(context, s) for s in others):
            return
        (source,) = text
        known = conversion.column(context, [ast.unparse(source)])
        if known is None or len(known.readings) != 1:
            return
        (reading,) = known.readings
        if reading.doubts or reading.percent:
            return
        cell = context.cell
        if re.search(r"version|firmware|release|revision", f"{ast.unparse(node)} {context.goal}", re.I):
            return
        joined = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
        texts = context.values.sample(ast.unparse(source), conversion.DISTINCT) or ()
        codes = any(re.match(r"0\d", str(t).strip()) for t in texts)
        new = conversion.cleaned(cell, source, reading, mixed=known.mixed) + ".astype(float)"
        yield self.offer(
            f"`{ast.unparse(source)}` as numbers",
            [syntax.replace(cell, source, new)],
            conversion.evidence(known, reading),
            sure=not joined and not codes,
        )

    def _is_text(self, context: Context, node: ast.expr) -> bool:
        if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            return False
        card = context.values.card(ast.unparse(node))
        return card is not None and card.is_series and card.columns[0].dtype in _TEXT

    def _is_number(self, context: Context, node: ast.expr) -> bool:
        card = context.values.card(ast.unparse(node))
        if card is None:
            return False
        kind = card.columns[0].dtype if card.is_series else card.type
        return kind.lower().startswith(("int", "float", "uint"))
