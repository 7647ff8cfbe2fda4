"""A single equals sign where two values are compared."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.core.cell import Cell, Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import parsing
from reflex_magic.repairs.rule import Repair


class AssignmentForComparison(Repair):
    """`=` is written where only a comparison can stand: in a condition, or within brackets.

    Silent when the cell can be read with `==` at several places, and where a text is given a value
    in a call (``assign("total" = ...)``): a keyword is meant there.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"status": ["open", "shipped"], "units": [1, 2]})
        %%reflect
        shipped = orders[orders["status"] = "shipped"]
        %%repaired
        shipped = orders[orders["status"] == "shipped"]
    """

    name = "assignment-for-comparison"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The comparison."""
        failure = parsing.refused(context)
        if failure is None or failure.span is None or "==" not in failure.evalue:
            return
        single = list(_compared(context.cell, failure.span.line))
        # `if a = 1 and b = 2` needs both
        readings = parsing.readings(context.cell, single) or parsing.readings(
            context.cell, [[edit for edits in single for edit in edits]]
        )
        if len(readings) == 1:
            yield self.offer("compare with `==`", readings[0], "only here `==` makes the cell readable")


def _compared(cell: Cell, line: int) -> Iterator[list[Edit]]:
    start = parsing.start_of(cell, line)
    end = start + len(parsing.line_at(cell, line))
    for at, character in parsing.code_characters(cell.body):
        if character != "=" or not start <= at < end:
            continue
        around = cell.body[max(at - 1, 0) : at + 2]
        if re.search(r"[=<>!:+\-*/%&|^@]=|==", around):
            continue
        # the text before it may be meant as a keyword
        if re.search(r"[(,]\s*(\"[^\"]*\"|'[^']*')\s*$", cell.body[start:at]):
            continue
        yield [Edit(parsing.place(cell, at, 1), "==")]
