"""Cells that Python cannot read: where their code is, and which changes make them readable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reflex_magic.core.cell import Cell, Edit, Span
from reflex_magic.core.outcome import Raised
from reflex_magic.core.ports import Context

LONGEST = 8000
"""Cells of more characters are not searched for what makes them readable."""

READINGS = 8
"""A fault with more answers than this is left to a person."""


def refused(context: Context) -> Raised | None:
    """The failure of a cell that is not Python; None when the cell can be read."""
    failure = context.failure
    if failure is None or not failure.is_a("SyntaxError") or len(context.cell.body) > LONGEST:
        return None
    return None if readable(context.cell) else failure


def readable(cell: Cell) -> bool:
    """Whether a cell is Python."""
    try:
        cell.tree  # noqa: B018 - it parses
    except (SyntaxError, ValueError):
        return False
    return True


def readings(cell: Cell, changes: Iterable[Sequence[Edit]]) -> list[Sequence[Edit]]:
    """The changes that make the cell readable, one for each meaning; at most one more than `READINGS`."""
    found: dict[str, Sequence[Edit]] = {}
    for edits in changes:
        try:
            changed = cell.apply(edits)
        except (ValueError, SyntaxError):  # a line that IPython reads otherwise, or not at all
            continue
        if readable(changed):
            found.setdefault(changed.fingerprint, edits)
        if len(found) > READINGS:
            break
    return list(found.values())


def place(cell: Cell, offset: int, length: int = 0) -> Span:
    """The span of `length` characters (on one line) that begins at a character of the body."""
    line = cell.body.count("\n", 0, offset)
    column = offset - (cell.body.rfind("\n", 0, offset) + 1)
    return Span(cell.offset + line + 1, column + 1, cell.offset + line + 1, column + 1 + length)


def start_of(cell: Cell, line: int) -> int:
    """The character of the body at which a line of the editor begins."""
    return sum(len(text) + 1 for text in cell.lines[: line - cell.offset - 1])


def line_at(cell: Cell, line: int) -> str:
    """The text of a line of the editor; empty outside of the cell."""
    at = line - cell.offset - 1
    return cell.lines[at] if 0 <= at < len(cell.lines) else ""


def code_characters(body: str) -> Iterator[tuple[int, str]]:
    """The characters of a body, with their places, that are not in texts or comments.

    Quotes themselves belong to the text. A text in single quotes ends with its line at the latest.
    """
    at, end = 0, len(body)
    while at < end:
        character = body[at]
        if character == "#":
            at = _or_end(body.find("\n", at), end)
        elif character in "'\"":
            quote = character * 3 if body.startswith(character * 3, at) else character
            at = _end_of_text(body, at + len(quote), quote)
        else:
            yield at, character
            at += 1


def _end_of_text(body: str, at: int, quote: str) -> int:
    while at < len(body):
        if body[at] == "\\":
            at += 2
        elif body.startswith(quote, at):
            return at + len(quote)
        elif body[at] == "\n" and len(quote) == 1:
            return at
        else:
            at += 1
    return len(body)


def _or_end(found: int, end: int) -> int:
    return end if found < 0 else found
