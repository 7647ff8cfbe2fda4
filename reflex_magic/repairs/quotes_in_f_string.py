"""An f-string whose expressions use the quotes of the text."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import parsing
from reflex_magic.repairs.rule import Repair

_OTHER = {'"': "'", "'": '"'}


class QuotesInFString(Repair):
    """``f"{row["name"]}"`` ends at the second quote in Python up to 3.11.

    The quotes within the braces become the other kind. Silent when both kinds are in use.

    Example
    -------
    ::

        row = {"name": "Ada"}
        %%reflect
        line = f"Name: {row["name"]}"
        %%repaired
        line = f"Name: {row['name']}"
    """

    name = "quotes-in-f-string"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The expressions with the other quotes."""
        failure = parsing.refused(context)
        if failure is None or failure.span is None:
            return
        cell, line = context.cell, failure.span.line
        start = parsing.start_of(cell, line)
        places = _inner_quotes(parsing.line_at(cell, line))
        edits = [Edit(parsing.place(cell, start + i, 1), other) for i, other in places]
        if edits and parsing.readings(cell, [edits]):
            yield self.offer(
                "other quotes within the braces", edits, f"{len(edits)} quotes in braces are those of the text"
            )


def _inner_quotes(text: str) -> list[tuple[int, str]]:
    """The quotes within braces of an f-string that are its own, with the other kind for each."""
    found: list[tuple[int, str]] = []
    quote, depth, formatted = "", 0, False
    for i, c in enumerate(text):
        if not quote:
            if c in _OTHER:
                quote, depth = c, 0
                formatted = text[:i].endswith(("f", "F", "rf", "fr"))
        elif formatted and c in "{}":
            depth = max(0, depth + (1 if c == "{" else -1))
        elif depth and c == quote:
            found.append((i, _OTHER[c]))
        elif depth and c == _OTHER[quote]:
            return []
        elif c == quote:
            quote = ""
    return found
