"""Written numbers are joined where they should be added."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit, Span
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import conversion, syntax
from reflex_magic.repairs.rule import Repair


class NumbersJoined(Repair):
    """The sum of a text column of written numbers is one long text.

    The column is converted, where it stands or, for a group's sum, in a line before. Answers a
    `numbers-joined-as-text` finding.

    Silent when a value is no number, and where the decimal mark is in doubt.

    Example
    -------
    ::

        import pandas as pd
        log = pd.DataFrame({"who": ["uma", "vic", "uma"], "hours": ["2", "3.5", "10"]})
        %%reflect
        hours = log.groupby("who")["hours"].sum()
        %%repaired
        log["hours"] = log["hours"].astype(float)
        hours = log.groupby("who")["hours"].sum()
    """

    name = "numbers-joined"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The column as numbers."""
        cell = context.cell
        for finding, node in syntax.found(context, "numbers-joined-as-text"):
            match node:
                case ast.Call(
                    func=ast.Attribute(
                        value=ast.Subscript(
                            value=ast.Call(func=ast.Attribute(value=ast.Name(id=table), attr="groupby")),
                            slice=ast.Constant(value=str(label)) as written,
                        )
                    )
                ):
                    column: ast.expr | None = None
                    source = f"{table}[{syntax.text(cell, written)}]"
                case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Subscript() as column)):
                    source, label = syntax.text(cell, column), ""
                case _:
                    continue
            known = conversion.column(context, [source])
            if known is None or len(known.readings) != 1 or known.readings[0].doubts or known.readings[0].percent:
                continue
            if column is not None:
                new = conversion.cleaned(cell, column, known.readings[0], mixed=known.mixed)
                edits = [syntax.replace(cell, column, f"{new}.astype(float)")]
            else:
                statement = syntax.statement(cell, node)
                if statement not in cell.tree.body or statement is None:
                    continue
                new = conversion.cleaned_text(source, known.readings[0], mixed=known.mixed)
                line = cell.span(statement).line
                edits = [Edit(Span(line, 1, line, 1), f"{source} = {new}.astype(float)\n")]
            yield self.offer(
                f"`{label or source}` as numbers",
                edits,
                conversion.evidence(known, known.readings[0]),
                answers=(finding.code,),
            )
