"""A table whose fields are parted by another character."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax, tables
from reflex_magic.repairs.rule import Repair

BYTES = 1 << 18


class WrongSeparator(Repair):
    r"""`pd.read_csv` or `pd.read_table` reads a file as one column, because another separator parts its fields.

    The separator is proved on the file's lines: each has as many fields as the first. With it comes ``decimal=","``
    where the numbers are written so, and ``thousands="."`` where points stand beside decimal commas. Where only points
    may part thousands ("1.234") it is offered.

    Silent where `sep` is written and the file agrees with it, and where the lines are uneven.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("till.csv").write_text("till;takings\nA;10\nB;20\n")
        %%reflect
        till = pd.read_csv("till.csv")
        total = till["takings"].sum()
        %%repaired
        till = pd.read_csv("till.csv", sep=";")
        total = till["takings"].sum()
    """

    name = "wrong-separator"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The separator written out."""
        failure = context.failure
        if failure is None or not failure.is_a("KeyError", "ValueError", "AttributeError"):
            return
        cell = context.cell
        for call in syntax.nodes(cell):
            reader = syntax.function_of(cell, call, "pandas")
            if reader not in ("read_csv", "read_table") or not isinstance(call, ast.Call):
                continue
            given = syntax.keyword(call, "sep")
            written = syntax.constant(given.value) if given else "," if reader == "read_csv" else "\t"
            plain = columns.unasked(call)
            if not call.args or not cell.editable(cell.span(call)) or not _one_column(context, plain):
                continue
            lines = tables.lines_of(context.values.text(tables.path_of(context, call), BYTES))
            found = tables.layout(lines)
            if found is None or found.header != 0 or found.end < len(lines) or found.separator == written:
                continue
            edits = [syntax.add_keyword(cell, call, "sep", syntax.literal(found.separator))]
            edits += tables.decimal_marks(cell, call, lines[1:], found.separator)
            shown = {"\t": "tabs"}.get(found.separator, repr(found.separator))
            evidence = f"all {len(lines)} lines have {found.fields} fields parted by {shown}"
            doubt = found.separator != "\t" and tables.points_in_doubt(lines[1:], found.separator)
            if doubt:
                evidence += "; a point before three digits may part thousands"
            yield self.offer(f"the fields are parted by {shown}", edits, evidence, sure=not doubt)


def _one_column(context: Context, call: ast.Call) -> bool:
    card = context.values.card(ast.unparse(call))
    return card is not None and card.is_frame and len(card.columns) == 1
