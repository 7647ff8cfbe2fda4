"""A number is joined to text, or text is used as a count."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class NumberBesideText(Repair):
    """``"rows: " + 3`` needs the number as text, and ``range("3")`` the text as a number.

    Silent when the text joined to has no letters, since then a sum may be meant, and when the count is not written in
    digits alone.

    Example
    -------
    ::

        rows = 3
        %%reflect
        line = "rows: " + rows
        %%repaired
        line = "rows: " + str(rows)
    """

    name = "number-beside-text"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The number as text, or the text as a number."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("TypeError"):
            return
        if re.search(
            r"can only concatenate str|unsupported operand type\(s\) for \+: '(int|float)' and 'str'", failure.evalue
        ):
            yield from self._joined(context, node)
        elif "'str' object cannot be interpreted as an integer" in failure.evalue and isinstance(node, ast.Call):
            texts = [a for a in node.args if self._is_digits(context, a)]
            if len(texts) == 1:
                edits = [syntax.replace(context.cell, texts[0], f"int({syntax.text(context.cell, texts[0])})")]
                yield self.offer("the text as a whole number", edits, f"`{ast.unparse(texts[0])}` is digits in text")

    def _joined(self, context: Context, node: ast.AST) -> Iterator[Proposal]:
        parts: list[ast.expr] = []
        joined = node
        while isinstance(joined, ast.BinOp) and isinstance(joined.op, ast.Add):
            parts.insert(0, joined.right)
            joined = joined.left
        if isinstance(joined, ast.expr):
            parts.insert(0, joined)
        # the whole chain of a text: what is joined later is made text at once
        above = syntax.parent(context.cell, node)
        while isinstance(above, ast.BinOp) and isinstance(above.op, ast.Add) and above.left is node:
            parts.append(above.right)
            node, above = above, syntax.parent(context.cell, above)
        kinds = [getattr(context.values.card(ast.unparse(p)), "type", "") for p in parts]
        words = [syntax.constant(p) for p in parts]
        if not any(isinstance(w, str) and re.search(r"[^\W\d_]", w) for w in words):
            return
        numbers = [p for p, kind in zip(parts, kinds, strict=True) if re.fullmatch(r"(u?int|float)\d*", kind)]
        if numbers:
            edits = [syntax.replace(context.cell, n, f"str({syntax.text(context.cell, n)})") for n in numbers]
            yield self.offer("numbers as text", edits, f"{len(numbers)} number(s) are joined to text")

    def _is_digits(self, context: Context, node: ast.expr) -> bool:
        value = (context.values.sample(ast.unparse(node), 1) or (None,))[0]
        return isinstance(value, str) and value.strip().isdecimal()
