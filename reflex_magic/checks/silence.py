"""Checks that the analyst has silenced: ``# reflect: ignore[code]`` on a statement, or a list for all cells."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Collection, Iterator

from reflex_magic.checks.syntax import statement
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity

_MARK = re.compile(r"#\s*reflect:\s*ignore\[([^\]]*)\]")


class Silence:
    """What is silenced in one cell.

    Parameters
    ----------
    codes
        Checks that are silenced in every cell.
    """

    def __init__(self, cell: Cell, codes: Collection[str] = ()) -> None:
        self._cell = cell
        self._everywhere = frozenset(codes)
        self._marks = dict(_marks(cell))

    def covers(self, finding: Finding) -> bool:
        """Whether the finding's check is silenced where the finding is."""
        if finding.code in self._everywhere:
            return True
        if finding.span is None or not any(finding.code in codes for codes in self._marks.values()):
            return False
        around = statement(self._cell, finding.span)
        first, last = finding.span.line, finding.span.end_line
        if around is not None:
            first = around.lineno
            last = last if hasattr(around, "body") else around.end_lineno or last
        return any(first <= line <= last and finding.code in codes for line, codes in self._marks.items())

    def unknown(self, codes: Collection[str]) -> Iterator[Finding]:
        """A note for each silenced code that is none of `codes`."""
        for code in sorted(self._everywhere.union(*self._marks.values()) - set(codes)):
            yield Finding("reflect-ignore", Severity.NOTE, None, "", f"there is no check `{code}` that can be silenced")


def _marks(cell: Cell) -> Iterator[tuple[int, frozenset[str]]]:
    """The lines that have a mark, with the codes that stand in it."""
    if "reflect:" not in cell.body:
        return
    try:
        for token in tokenize.generate_tokens(io.StringIO(cell.python).readline):
            if token.type == tokenize.COMMENT and (found := _MARK.search(token.string)):
                yield token.start[0], frozenset(code.strip() for code in found[1].split(",") if code.strip())
    except (tokenize.TokenError, SyntaxError):
        return
