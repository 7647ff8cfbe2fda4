"""A column with gaps is made whole numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

SAMPLE = 100_000
_STAYS = re.compile(
    r"\b(stays?|remains?|kept|keep|left)\b[^.]{0,20}\b(missing|empty|blank|null|unknown)\b|\bmissing\b[^.]{0,20}\bstays?\b",
    re.I,
)

_OTHERWISE = re.compile(r"\b(drop\w*|without|leav\w*|left (out|after)|exclud\w*|zero|0|fill\w*)\b", re.I)


class IntegersWithMissing(Repair):
    """`astype(int)` meets missing values.

    Offers ``Int64``, the whole numbers of pandas that may be missing. Clear only when the goal says that gaps
    stay gaps: a zero or a left out row may be meant as well.

    Silent when a value is no whole number, or infinite.

    Example
    -------
    ::

        import pandas as pd
        homes = pd.DataFrame({"size": [2.0, None, 4.0]})
        %%reflect
        size = homes["size"].astype(int)
        %%offered
        size = homes["size"].astype("Int64")
    """

    name = "integers-with-missing"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """Whole numbers that may be missing."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("ValueError", "TypeError") or not isinstance(node, ast.Call):
            return
        if not isinstance(node.func, ast.Attribute) or node.func.attr != "astype" or len(node.args) != 1:
            return
        kind = syntax.constant(node.args[0]) or syntax.dotted(node.args[0]).rpartition(".")[2]
        if not isinstance(kind, str) or not kind.startswith("int"):
            return
        column = ast.unparse(node.func.value)
        card = context.values.card(column)
        values = context.values.sample(column, SAMPLE)
        if card is None or not card.is_series or not card.columns[0].missing or not values or len(values) >= SAMPLE:
            return
        if not all(isinstance(v, (int, float)) and float(v).is_integer() for v in values):
            return
        edits = [syntax.replace(context.cell, node.args[0], '"Int64"')]
        yield self.offer(
            "whole numbers that may be missing: Int64",
            edits,
            f"{card.columns[0].missing} of {card.rows} values are missing, and all others are whole",
            sure=_STAYS.search(context.goal) is not None and not _OTHERWISE.search(context.goal),
        )
