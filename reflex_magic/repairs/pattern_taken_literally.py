"""A pattern in `str.replace` that is no longer read as one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

SAMPLE = 1000


class PatternTakenLiterally(Repair):
    """`str.replace` is given a pattern and takes it for plain text, so that nothing is replaced.

    Since pandas 2 `regex` is False unless written. The rule looks at replacements in the failing
    expression: the text stands in no value as it is written, and as a pattern it is found.

    Example
    -------
    ::

        import pandas as pd
        tags = pd.Series(["EUR 12.50", "EUR 3.00/kg"])
        %%reflect
        price = tags.str.replace("[^0-9.]", "").astype(float)
        %%repaired
        price = tags.str.replace("[^0-9.]", "", regex=True).astype(float)
    """

    name = "pattern-taken-literally"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The replacement with ``regex=True``."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("ValueError", "TypeError"):
            return
        edits, patterns = [], []
        for call in ast.walk(node):
            match call:
                case ast.Call(
                    func=ast.Attribute(value=ast.Attribute(value=column, attr="str"), attr="replace"),
                    args=[ast.Constant(value=str(pattern)), ast.Constant(value=str())],
                ) if not syntax.keyword(call, "regex") and _misread(context, column, pattern):
                    edits.append(syntax.add_keyword(context.cell, call, "regex", "True"))
                    patterns.append(pattern)
        if edits:
            shown = ", ".join(map(repr, patterns))
            yield self.offer(
                f"{shown} is a pattern: regex=True",
                edits,
                f"no value contains {shown} as it is written, and as a pattern it is found",
            )


def _misread(context: Context, column: ast.expr, pattern: str) -> bool:
    values = context.values.sample(ast.unparse(column), SAMPLE)
    try:
        compiled = re.compile(pattern)
    except re.error:
        return False
    texts = [v for v in values or () if isinstance(v, str)]
    if re.escape(pattern) == pattern or not texts:
        return False
    return not any(pattern in t for t in texts) and any(compiled.search(t) for t in texts)
