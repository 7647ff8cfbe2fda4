"""Text and a missing number in one array of numpy."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_OTHERWISE = re.compile(
    r"\b(?:otherwise|else|the rest|all others?|everything else)\b\W+(?:is\W+|are\W+|as\W+)?[\"'“](.+?)[\"'”]", re.I
)


class TextMixedWithMissing(Repair):
    """`np.where` or `np.select` is to choose between text and `np.nan`, or between text and the default 0.

    A missing number becomes None, which may stand beside text. For `np.select` without a default the goal may name
    the text for all other rows; otherwise None is offered.

    Example
    -------
    ::

        import numpy as np
        import pandas as pd
        obs = pd.DataFrame({"no2": [41.0, 39.0]})
        %%reflect
        obs["flag"] = np.where(obs["no2"] > 40, "high", np.nan)
        %%repaired
        obs["flag"] = np.where(obs["no2"] > 40, "high", None)
    """

    name = "text-mixed-with-missing"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """None instead of the missing number, or a default."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("TypeError") or not isinstance(node, ast.Call):
            return
        function = syntax.function_of(context.cell, node, "numpy")
        if "DType" not in failure.evalue or function not in ("where", "select"):
            return
        cell = context.cell
        choices = node.args[1:] if function == "where" else [*_parts(node.args[1:2]), *node.args[2:]]
        choices += [k.value for k in node.keywords if k.arg == "default"]
        texts = syntax.texts(choices)
        missing = [c for c in choices if _is_nan(cell, c)]
        if not texts:
            return
        if missing:
            edits = [syntax.replace(cell, m, "None") for m in missing]
            yield self.offer("None for a missing text", edits, "text and a missing number do not go into one array")
        elif function == "select" and len(texts) == len(choices) and len(node.args) == 2 and not node.keywords:
            named = _OTHERWISE.search(context.goal)
            default = syntax.literal(named[1]) if named else "None"
            edits = [syntax.add_keyword(cell, node, "default", default)]
            evidence = "the default of np.select is the number 0, and all choices are text"
            yield self.offer(f"the default is {default}", edits, evidence, sure=named is not None)


def _parts(nodes: list[ast.expr]) -> list[ast.expr]:
    return [e for n in nodes if isinstance(n, (ast.List, ast.Tuple)) for e in n.elts]


def _is_nan(cell: syntax.Cell, node: ast.expr) -> bool:
    name = syntax.dotted(node)
    written = isinstance(node, ast.Call) and ast.unparse(node).lower() in ("float('nan')",)
    return written or name in (f"{syntax.alias(cell, 'numpy')}.nan", f"{syntax.alias(cell, 'pandas')}.NA", "nan")
