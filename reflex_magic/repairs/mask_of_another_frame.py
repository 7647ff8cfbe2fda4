"""A frame is filtered by a condition on another one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import labels, syntax
from reflex_magic.repairs.rule import Repair


class MaskOfAnotherFrame(Repair):
    """A condition made on one frame is used on another whose rows it does not fit.

    When the condition is made in the cell from one frame only, that frame may be meant. Clear when it
    is a part of the frame that is filtered, and the result's name or the goal names it; otherwise the condition may
    be meant for the whole frame.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"status": ["shipped", "open", "shipped"], "delay": [0, 9, 4]})
        %%reflect
        shipped = orders[orders["status"] == "shipped"]
        late = shipped["delay"] > 0
        late_shipped = orders[late]
        %%repaired
        shipped = orders[orders["status"] == "shipped"]
        late = shipped["delay"] > 0
        late_shipped = shipped[late]
    """

    name = "mask-of-another-frame"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The frame that the condition was made on."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("IndexingError") or not isinstance(node, ast.Subscript):
            return
        if not isinstance(node.ctx, ast.Load):
            return
        by_label = isinstance(node.value, ast.Attribute) and node.value.attr == "loc"
        holder = node.value.value if isinstance(node.value, ast.Attribute) and by_label else node.value
        mask = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
        if not isinstance(holder, ast.Name):
            return
        condition = syntax.assigned(context.cell, mask.id) if isinstance(mask, ast.Name) else mask
        if condition is None:
            return
        kinds = context.values.names()
        frames = {n.id for n in ast.walk(condition) if isinstance(n, ast.Name) and kinds.get(n.id) == "DataFrame"}
        if len(frames) != 1 or frames == {holder.id}:
            return
        (frame,) = frames
        columns = [(context.values.card(n) or None) for n in (holder.id, frame)]
        if any(c is None or not c.is_frame for c in columns):
            return
        whole, part = ({c.name for c in card.columns} for card in columns if card is not None)
        made = syntax.assigned(context.cell, frame)
        within = made is not None and any(isinstance(n, ast.Name) and n.id == holder.id for n in ast.walk(made))
        edits = [syntax.replace(context.cell, holder, frame)]
        named = _named(context, node, frame)
        evidence = f"the condition is made on `{frame}` and does not fit the rows of `{holder.id}`"
        yield self.offer(
            f"filter `{frame}`, on which the condition was made",
            edits,
            evidence,
            sure=within and whole <= part and named,
        )


def _named(context: Context, node: ast.Subscript, frame: str) -> bool:
    """Whether the name that the result is given has the part's name in it."""
    statement = syntax.statement(context.cell, node)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    words = {w for t in targets for w in labels.words(syntax.dotted(t))}
    everything = re.search(r"\b(all|whatever|every|any|regardless)\b", context.goal, re.I)
    return set(labels.words(frame)) <= words and not everything
