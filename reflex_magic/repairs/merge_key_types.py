"""A merge of keys that are of different types on its two sides."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 100_000

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}( \d{2}:\d{2}(:\d{2})?)?")


class MergeKeyTypes(Repair):
    """A key is a number, or a date, on one side of a merge and text on the other.

    The text becomes numbers when every text is a whole number and such keys are then found on the other
    side. Where texts have leading zeros that is offered: the result has the numbers, and codes lose their
    zeros. Text becomes dates when every text is a date in the order of ISO 8601 and such dates are found there. A
    `join` on a column converts the other side's index.

    Silent when a text is no number, when two texts are one number ("7" and "07"), or when none of the keys
    would meet.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"shop": ["7", "12"], "units": [1, 2]})
        shops = pd.DataFrame({"shop": [7, 12], "town": ["Lugo", "Vigo"]})
        %%reflect
        both = sales.merge(shops, on="shop")
        %%repaired
        both = sales.astype({"shop": int}).merge(shops, on="shop")
    """

    name = "merge-key-types"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The merge with keys of one type."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("ValueError") or "trying to merge on" not in failure.evalue:
            return
        if not isinstance(node, ast.Call):
            return
        sides = list(_sides(context, node))
        if len(sides) != 2:
            return
        values = [context.values.sample(key, DISTINCT) for key, _, _ in sides]
        for here, there in ((0, 1), (1, 0)):
            ours, theirs = values[here], values[there]
            _, holder, label = sides[here]
            if not ours or not theirs or len(ours) >= DISTINCT or not all(isinstance(v, str) for v in ours):
                continue
            if not isinstance(holder, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
                continue
            texts = [str(v) for v in ours]
            if _are_numbers(texts, theirs):
                zeros = any(t.strip() != str(int(t)) for t in texts)
                evidence = f"all {len(texts)} distinct texts of the key are whole numbers, as the other side's keys are"
                edits = [_as_number(context, holder, label)]
                yield self.offer("the key as a number on both sides", edits, evidence, sure=not zeros)
            elif label is not None and isinstance(holder, ast.Name) and _are_dates(texts, theirs):
                evidence = f"all {len(texts)} distinct texts of the key are dates, as the other side's keys are"
                key = syntax.text(context.cell, label)
                dates = f"{syntax.alias(context.cell, 'pandas')}.to_datetime({holder.id}[{key}])"
                edits = [syntax.insert_after(context.cell, holder, f".assign(**{{{key}: {dates}}})")]
                yield self.offer("the key as a date on both sides", edits, evidence)


def _sides(context: Context, call: ast.Call) -> Iterator[tuple[str, ast.expr, ast.Constant | None]]:
    """For each side its key as an expression, the frame, and the column; None where the key is the index."""
    for naming in columns.merge_namings(context, call):
        if len(naming.labels) == 1 and naming.holder is not None:
            yield f"({naming.frame})[{naming.labels[0].value!r}]", naming.holder, naming.labels[0]
    match call:
        case ast.Call(func=ast.Attribute(value=left, attr="join"), args=[right]):
            for naming in columns.namings(context, call):
                if len(naming.labels) == 1:
                    yield f"({ast.unparse(left)})[{naming.labels[0].value!r}]", left, naming.labels[0]
                    yield f"({ast.unparse(right)}).index", right, None


def _as_number(context: Context, holder: ast.expr, label: ast.Constant | None) -> Edit:
    if label is None:
        return syntax.insert_after(context.cell, holder, ".rename(index=int)")
    return syntax.insert_after(context.cell, holder, f".astype({{{syntax.text(context.cell, label)}: int}})")


def _are_numbers(texts: Sequence[str], theirs: Sequence[object]) -> bool:
    """Whether the texts are whole numbers, each another one, some of which are among the other side's numbers."""
    if not all(t.strip().isdecimal() for t in texts):
        return False
    if not all(isinstance(v, (int, float)) and float(v).is_integer() for v in theirs):
        return False
    numbers = {int(t) for t in texts}
    return bool(numbers & {int(v) for v in theirs if isinstance(v, (int, float))}) and len(numbers) == len(
        {t.strip() for t in texts}
    )


def _are_dates(texts: Sequence[str], theirs: Sequence[object]) -> bool:
    """Whether the texts are dates as ISO 8601 writes them, some of which are among the other side's."""
    if not all(_DAY.fullmatch(t) for t in texts) or not all(isinstance(v, datetime) for v in theirs):
        return False
    try:
        dates = {datetime.fromisoformat(t) for t in texts}
    except ValueError:
        return False
    return bool(dates & set(theirs))
