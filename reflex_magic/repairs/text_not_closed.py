"""A text without its closing quote."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.core.cell import Cell, Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import parsing
from reflex_magic.repairs.rule import Repair

_OTHER = {'"': "'", "'": '"'}


class TextNotClosed(Repair):
    """A text has no closing quote, or another quote than the one that opens it.

    Every place of the line at which the cell can be read is tried on the data, and so is the line without a quote that
    is there. Silent when there are many such places.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"units": [1, 2]})
        %%reflect
        total = sales["units].sum()
        %%repaired
        total = sales["units"].sum()
    """

    name = "text-not-closed"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The text with its closing quote."""
        failure = parsing.refused(context)
        if failure is None or failure.span is None or not failure.evalue.startswith("unterminated string literal"):
            return
        cell, line = context.cell, failure.span.line
        readings = parsing.readings(cell, _closed(cell, line))
        if len(readings) <= parsing.READINGS:
            for edits in readings:
                yield self.offer(
                    "the text with both quotes", edits, f"the cell can be read so in {len(readings)} way(s)"
                )


def _closed(cell: Cell, line: int) -> Iterator[list[Edit]]:
    start = parsing.start_of(cell, line)
    text = parsing.line_at(cell, line).rstrip()
    for quote, other in _OTHER.items():
        if quote not in text:
            continue
        for i in range(text.find(quote) + 1, len(text)):
            if text[i] == other:
                yield [Edit(parsing.place(cell, start + i, 1), quote)]
        for i in range(len(text), text.find(quote), -1):
            yield [Edit(parsing.place(cell, start + i), quote)]
        # the quote itself may be the slip
        for i in [i for i, c in enumerate(text) if c == quote]:
            yield [Edit(parsing.place(cell, start + i, 1), "")]
