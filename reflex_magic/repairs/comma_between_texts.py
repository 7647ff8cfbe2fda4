"""Two texts of a list run together, because a comma is missing."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

from reflex_magic.core.cell import Cell, Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class CommaBetweenTexts(Repair):
    """Texts on two lines of a list without a comma between them are one text for Python.

    Applies where the cell then lacks a name or asks for the joined one; offered where more than one comma may be
    missing.

    Example
    -------
    ::

        import pandas as pd
        %%reflect
        columns = [
            "id",
            "name"
            "age",
        ]
        people = pd.DataFrame([[1, "Ada", 36]], columns=columns)
        %%repaired
        columns = [
            "id",
            "name",
            "age",
        ]
        people = pd.DataFrame([[1, "Ada", 36]], columns=columns)
    """

    name = "comma-between-texts"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The comma."""
        failure = context.failure
        if failure is None or not failure.is_a("ValueError", "KeyError", "IndexError"):
            return
        found = []
        for node in syntax.nodes(context.cell):
            if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
                found += [place for e in syntax.texts(node.elts) if (place := _join(context.cell, e)) is not None]
        joined = [
            (text, place) for text, place in found if text in failure.evalue or "columns passed" in failure.evalue
        ]
        for text, (line, column) in joined:
            edits = [Edit(syntax.Span(line, column, line, column), ",")]
            evidence = f"{text!r} is written on two lines of a list, without a comma between"
            yield self.offer("a comma between two texts", edits, evidence, sure=len(joined) == 1)


def _join(cell: Cell, node: ast.Constant) -> tuple[str, tuple[int, int]] | None:
    """The text made of two literals on two lines, and where the first of them ends."""
    span = cell.span(node)
    if span.line == span.end_line or not cell.editable(span):
        return None
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(cell.text(span)).readline))
    except (tokenize.TokenError, SyntaxError):
        return None
    texts = [t for t in tokens if t.type == tokenize.STRING]
    if len(texts) != 2 or texts[0].end[0] == texts[1].start[0]:
        return None
    line, column = texts[0].end
    return str(node.value), (span.line + line - 1, column + (span.column if line == 1 else 1))
