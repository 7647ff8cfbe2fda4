"""`print` as a statement, as Python 2 had it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.core.cell import Edit, Span
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import parsing
from reflex_magic.repairs.rule import Repair

_PRINT = re.compile(r"(?P<indent>\s*)print[ \t]+(?P<what>[^>(\s].*?)(?P<comma>,?)\s*(?:#[^\"']*)?$")


class PrintStatement(Repair):
    """`print x` is written as in Python 2, where `print` was no function.

    Offered only where the cell divides: in Python 2 the quotient of whole numbers was a whole number, so that
    such code gave other results.

    Example
    -------
    ::

        total = 5
        %%reflect
        print "total:", total
        %%repaired
        print("total:", total)
    """

    name = "print-statement"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """Every `print` of the cell as a call."""
        failure = parsing.refused(context)
        if failure is None or "print" not in failure.evalue:
            return
        cell, edits = context.cell, []
        for number, text in enumerate(cell.lines, cell.offset + 1):
            said = _PRINT.match(text)
            if said:
                more = ", end=' '" if said["comma"] else ""
                start, end = said.end("indent") + 1, max(said.end("what"), said.end("comma")) + 1
                edits.append(Edit(Span(number, start, number, end), f"print({said['what'].rstrip()}{more})"))
        if edits and parsing.readings(cell, [edits]):
            divides = any(c == "/" for _, c in parsing.code_characters(cell.body))
            yield self.offer(
                "`print` as a function", edits, f"{len(edits)} line(s) print as in Python 2", sure=not divides
            )
