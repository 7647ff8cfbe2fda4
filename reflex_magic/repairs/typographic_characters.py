"""Quotes, dashes and spaces of a word processor in code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import parsing
from reflex_magic.repairs.rule import Repair

CHARACTERS: Mapping[str, str] = {
    **dict.fromkeys("–—−‒", "-"),
    **dict.fromkeys("\u00a0\u2009\u202f\u2002\u2003\u3000", " "),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),
    "×": "*",
    "÷": "/",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "，": ",",
    "；": ";",
    "：": ":",
    "（": "(",
    "）": ")",
    "【": "[",
    "】": "]",
}
"""What is written in code for what a word processor or another keyboard writes."""

_QUOTES: Mapping[str, tuple[str, str]] = {
    "“": ('”“"', '"'),
    "”": ('”"', '"'),
    "„": ('“”"', '"'),
    "«": ("»", '"'),
    "‘": ("’'", "'"),
    "’": ("’'", "'"),
}
"""Opening quotes: what closes them, and the quote of Python."""


class TypographicCharacters(Repair):
    """Curly quotes, long dashes or spaces that do not break stand in code, as word processors and web pages write them.

    Those outside of texts are replaced by what Python reads. Texts and comments keep theirs.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"units": [1, 2]})
        %%reflect
        total = sales[“units”].sum() – 1
        %%repaired
        total = sales["units"].sum() - 1
    """

    name = "typographic-characters"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The cell with Python's characters."""
        failure = parsing.refused(context)
        if failure is None or not re.match(r"invalid (non-printable )?character", failure.evalue):
            return
        body = context.cell.body
        changes = _changes(body)
        edits = [Edit(parsing.place(context.cell, at, 1), new) for at, new in changes.items()]
        if edits and parsing.readings(context.cell, [edits]):
            found = sorted({f"U+{ord(body[at]):04X}" for at in changes})
            yield self.offer("quotes and signs as Python reads them", edits, f"outside of texts: {', '.join(found)}")


def _changes(body: str) -> dict[int, str]:
    """The characters that are replaced, by their places."""
    found: dict[int, str] = {}
    until = 0
    for at, character in parsing.code_characters(body):
        if at < until:
            continue
        if character in _QUOTES:
            ends, quote = _QUOTES[character]
            line = body[at + 1 :].partition("\n")[0]
            length = next((i for i, c in enumerate(line) if c in ends), None)
            if length is None or quote in line[:length]:
                return {}
            found[at] = quote
            until = at + 1 + length + 1
            if line[length] != quote:
                found[until - 1] = quote
        elif character in CHARACTERS:
            found[at] = CHARACTERS[character]
    return found
