"""Code that was copied with the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reflex_magic.core.cell import Cell, Edit, Span
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import parsing
from reflex_magic.repairs.rule import Repair

_FENCE = re.compile(r"\s*(```|~~~)\s*(\w*)\s*$")
_SENTENCE = re.compile(r"[A-Z][\w'’]*[,!]?( [\w'’`,(){}/-]+){2,}.*[.:!?…]\s*$")
_PYTHON = ("", "python", "py", "python3", "ipython", "pycon")


class CodeInFences(Repair):
    """The cell holds Markdown: fences around the code, or sentences before and after it.

    Fences are taken out and sentences become comments. Clear when there is one block of code; of several, the first to
    last are offered together. A line counts as a sentence when it begins with a capital, has at least three words and
    ends as sentences do.

    Silent on fences of another language, and when what is left is no Python.

    Example
    -------
    ::

        numbers = [1, 4]
        %%reflect
        ```python
        total = sum(numbers)
        ```
        %%repaired
        total = sum(numbers)
    """

    name = "code-in-fences"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The code alone, with the sentences as comments."""
        if parsing.refused(context) is None:
            return
        lines = context.cell.lines
        fences = [i for i, line in enumerate(lines) if _FENCE.match(line)]
        if fences:
            languages = {m[2].casefold() for i in fences[::2] if (m := _FENCE.match(lines[i]))}
            outside = _outside(lines, fences)
            if outside is None or not languages <= set(_PYTHON):
                return
            gone, sentences, sure = set(fences), outside, len(fences) <= 2
        else:
            gone, sure = set(), True
            sentences = {i for i, line in enumerate(lines) if _SENTENCE.match(line) and not _is_python(line)}
        edits = _edits(context.cell, gone, sentences)
        if edits and parsing.readings(context.cell, [edits]):
            found = f"{len(fences)} fences" if fences else f"{len(sentences)} sentences that are no Python"
            yield self.offer("the code without the text around it", edits, f"the cell has {found}", sure=sure)


def _outside(lines: Sequence[str], fences: Sequence[int]) -> set[int] | None:
    """The lines with text outside of the fences; None when it cannot be told what is outside."""
    written = [i for i, line in enumerate(lines) if line.strip()]
    if len(fences) == 1:
        # one fence was left over: what is on the empty side of it is outside
        return set() if fences[0] in (written[0], written[-1]) else None
    if len(fences) % 2:
        return None
    inside = {i for start, end in zip(fences[::2], fences[1::2], strict=True) for i in range(start, end + 1)}
    return set(written) - inside


def _is_python(line: str) -> bool:
    return parsing.readable(Cell(line.strip()))


def _edits(cell: Cell, gone: set[int], sentences: set[int]) -> list[Edit]:
    edits = []
    last = len(cell.lines) - 1
    for i, text in enumerate(cell.lines):
        line = cell.offset + 1 + i
        if i in gone and i < last:
            edits.append(Edit(Span(line, 1, line + 1, 1), ""))
        elif i in gone:
            # the line end before it goes as well
            edits.append(Edit(_end(cell, i - 1, len(text)), ""))
        elif i in sentences:
            edits.append(Edit(Span(line, 1, line, 1), "# "))
    return edits


def _end(cell: Cell, above: int, length: int) -> Span:
    line = cell.offset + 1 + above
    return Span(line, len(cell.lines[above]) + 1, line + 1, length + 1)
