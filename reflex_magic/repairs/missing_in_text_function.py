"""A function for text is applied to a column with gaps."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

SAMPLE = 1000
_MEANS_NOTHING = re.compile(
    r"\b(no|without( an?y?)?|missing|empty|blank|not? any) (\w+ )?(means?|counts? as)"
    r" (an? )?(no|not|none|nothing|false|zero|empty|blank|without)\b",
    re.I,
)


_SAID = re.compile(
    r"'(float|NoneType|NAType)' object|argument of type '(float|NoneType)'"
    r"|object of type '(float|NoneType|NAType)' has no len"
)


_OF_TEXT = frozenset({"len", "str.lower", "str.upper", "str.strip", "str.title", "str.split"})


class MissingInTextFunction(Repair):
    """`apply` or `map` calls a text method on a missing value.

    Offers to read gaps as empty text, and to leave them as they are. The first is clear when the goal says
    that no value means no, or nothing.

    Silent when the column has no missing values or holds more than text.

    Example
    -------
    ::

        import pandas as pd
        remarks = pd.Series(["Leak", None, "good"])
        %%reflect
        leak = remarks.apply(lambda t: "leak" in t.lower())
        %%offered
        leak = remarks.fillna("").apply(lambda t: "leak" in t.lower())
    """

    name = "missing-in-text-function"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The column without gaps."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("AttributeError", "TypeError"):
            return
        if node is None or not _SAID.search(failure.evalue):
            return
        call = _applied(context.cell, node)
        if call is None or not isinstance(call.func, ast.Attribute):
            return
        column = ast.unparse(call.func.value)
        card = context.values.card(column)
        texts = context.values.sample(column, SAMPLE)
        if card is None or not card.is_series or not card.columns[0].missing or not texts:
            return
        if not all(isinstance(t, str) for t in texts):
            return
        evidence = f"{card.columns[0].missing} of {card.rows} values are missing, the others are text"
        edits = [syntax.insert_before_member(context.cell, call.func, 'fillna("").')]
        sure = _MEANS_NOTHING.search(context.goal) is not None
        yield self.offer("read missing values as empty text", edits, evidence, sure=sure)
        # `apply` of a function and `map` are the same on a column
        if len(call.args) == 1 and not call.keywords and not sure:
            ignored = [syntax.add_keyword(context.cell, call, "na_action", '"ignore"')]
            if call.func.attr == "apply":
                ignored.append(syntax.rename_member(context.cell, call.func, "map"))
            yield self.offer("leave missing values as they are", ignored, evidence, sure=False)


def _applied(cell: syntax.Cell, node: ast.AST) -> ast.Call | None:
    """The call that applies the function around `node` to a column, or itself applies one of Python's."""
    if isinstance(node, ast.Call) and _applies(node):
        return (
            node
            if node.args and syntax.dotted(node.args[0]) in ("len", "str.lower", "str.upper", "str.strip")
            else None
        )
    for above in syntax.ancestors(cell, node):
        if isinstance(above, ast.Lambda):
            call = syntax.parent(cell, above)
            return call if isinstance(call, ast.Call) and _applies(call) else None
        if isinstance(above, ast.FunctionDef):
            calls = [
                c
                for c in syntax.nodes(cell)
                if isinstance(c, ast.Call) and _applies(c) and c.args and syntax.dotted(c.args[0]) == above.name
            ]
            return calls[0] if len(calls) == 1 else None
    return None


def _applies(call: ast.AST | None) -> bool:
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in ("apply", "map")
