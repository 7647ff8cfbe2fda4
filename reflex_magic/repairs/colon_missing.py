"""A block without its colon."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import parsing
from reflex_magic.repairs.rule import Repair

_ELSE_IF = re.compile(r"(\s*)(else\s+if|elseif|elsif)\b")


class ColonMissing(Repair):
    """`if`, `for`, `def` and the like end without a colon, or `elif` is written as in another language.

    Silent when the cell cannot be read with the colon either.

    Example
    -------
    ::

        numbers = [1, 4]
        %%reflect
        total = 0
        for number in numbers  # every one
            total += number
        %%repaired
        total = 0
        for number in numbers:  # every one
            total += number
    """

    name = "colon-missing"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The colon, or `elif`."""
        failure = parsing.refused(context)
        if failure is None or failure.span is None:
            return
        cell, line = context.cell, failure.span.line
        edits = []
        for number, text in enumerate(cell.lines, cell.offset + 1):
            written = _ELSE_IF.match(text)
            if written:
                start = parsing.start_of(cell, number) + len(written[1])
                edits.append(Edit(parsing.place(cell, start, len(written[2])), "elif"))
        if edits and parsing.readings(cell, [edits]):
            yield self.offer("`elif`, as Python writes it", edits, f"{len(edits)} line(s) begin with it")
        elif "expected ':'" in failure.evalue:
            start = parsing.start_of(cell, line)
            end = start + len(parsing.line_at(cell, line))
            code = [at for at, c in parsing.code_characters(cell.body) if start <= at < end and not c.isspace()]
            quoted = [at for at in range(start, end) if cell.body[at] in "'\""]
            comment = cell.body.find("#", code[-1] if code else start, end)
            stops = [at + 1 for at in (*code[-1:], *quoted[-1:]) if comment < 0 or at < comment]
            changes = [[Edit(parsing.place(cell, at), ":")] for at in sorted(stops, reverse=True)]
            readings = parsing.readings(cell, changes)
            if len(readings) == 1:
                yield self.offer("the colon", readings[0], f"line {line} begins a block")
