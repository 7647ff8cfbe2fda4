"""A mean over columns of which some are text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import labels, numbers, syntax
from reflex_magic.repairs.rule import Repair

_STATISTICS = ("mean", "median", "std", "var", "sem", "corr", "cov", "quantile", "skew", "corrwith")
DISTINCT = 1000


class TextInStatistic(Repair):
    """A statistic of all columns of a frame or of groups meets text columns.

    Adds ``numeric_only=True``, which leaves the text columns out, as pandas did before version 2. When
    a text column holds written numbers, if only some, or the goal names it, it is offered only: such a column
    should be converted rather than left out.

    Example
    -------
    ::

        import pandas as pd
        planets = pd.DataFrame({"kind": ["rocky", "gas"], "name": ["Arn", "Cor"], "radius": [2.0, 60.0]})
        %%reflect
        means = planets.groupby("kind").mean()
        %%repaired
        means = planets.groupby("kind").mean(numeric_only=True)
    """

    name = "text-in-statistic"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The statistic of the numeric columns."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("TypeError", "ValueError") or not isinstance(node, ast.Call):
            return
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in _STATISTICS:
            return
        if syntax.keyword(node, "numeric_only") or syntax.keyword(node, "axis"):
            return
        holder = ast.unparse(node.func.value)
        card = context.values.card(holder)
        frame = f"({holder}).obj" if card is not None and card.type == "DataFrameGroupBy" else holder
        card = context.values.card(frame)
        if card is None or not card.is_frame:
            return
        text = [c.name for c in card.columns if c.dtype in ("object", "str", "string", "category")]
        rest = [c.name for c in card.columns if c.name not in text]
        if not text or not rest:
            return
        written = [c for c in text if _written_numbers(context, f"({frame})[{c!r}]")]
        evidence = f"{len(text)} of {len(card.columns)} columns are text"
        if written:
            evidence += f", but {written[0]!r} holds written numbers"
        edits = [syntax.add_keyword(context.cell, node, "numeric_only", "True")]
        grouped = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
        said = set(labels.words(context.goal))
        named = any(c not in grouped and set(labels.words(c)) & said for c in text)
        title = "leave the text columns out: numeric_only=True"
        yield self.offer(title, edits, evidence, sure=not written and not named)


def _written_numbers(context: Context, column: str) -> bool:
    texts = context.values.sample(column, DISTINCT) or ()
    taken = [numbers.take_apart(str(t)) for t in texts]
    # "ca. 14" and "<5" beside plain numbers
    digits = [t for t in texts if any(c.isdigit() for c in str(t))]
    plain = [p for p in taken if p is not None and not p.units]
    return bool(texts) and (bool(plain) or all(taken) or (len(digits) > 0.5 * len(texts) and not _codes(digits)))


def _codes(texts: list[object]) -> bool:
    """Whether the texts all have letters before their digits: names such as "K12", not numbers."""
    return all(str(t)[:1].isalpha() for t in texts)
