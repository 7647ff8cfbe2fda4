"""A bracket that is not closed, or closed twice."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.core.cell import Cell, Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import parsing
from reflex_magic.repairs.rule import Repair

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_EMPTY = tuple(mark + close for mark, close in _CLOSING.items())
_OPENING = {close: mark for mark, close in _CLOSING.items()}

PLACES = 400
"""So many places for a missing bracket are tried."""


class BracketNotBalanced(Repair):
    """One bracket is open at the end of the cell, or there is one that closes nothing.

    Every place for the missing bracket at which the cell can be read is tried on the data, and so is every bracket
    that may be too many. It is repaired when one of them runs, or when all that run give the same.

    Offered only where there are many places. Silent when more than one bracket is missing.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"units": [1, 2]})
        %%reflect
        total = int(sales["units"].sum()
        %%repaired
        total = int(sales["units"].sum())
    """

    name = "bracket-not-balanced"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The cell with the bracket at each of its places, the end of a line first."""
        if parsing.refused(context) is None:
            return
        cell = context.cell
        still_open, surplus = _unbalanced(cell.body)
        if len(still_open) == 1 and surplus is None:
            start, mark = still_open[0]
            changes = _closed(cell, start, _CLOSING[mark])
            title = f"the bracket `{mark}` is closed"
        elif surplus is not None and not still_open:
            changes = _opened(cell, surplus, _OPENING[cell.body[surplus]])
            title = f"the bracket `{cell.body[surplus]}` is balanced"
        else:
            return
        readings = parsing.readings(cell, changes)
        # of many, the nearest two are for a person to choose from
        few = len(readings) <= parsing.READINGS
        for edits in readings if few else readings[:2]:
            evidence = f"the cell can be read with the bracket at {len(readings)}{'' if few else ' or more'} place(s)"
            yield self.offer(title, edits, evidence, sure=few)


def _unbalanced(body: str) -> tuple[list[tuple[int, str]], int | None]:
    """The brackets that stay open, and the first one that closes nothing."""
    opened: list[tuple[int, str]] = []
    for at, mark in parsing.code_characters(body):
        if mark in "([{":
            opened.append((at, mark))
        elif mark in ")]}":
            if opened and _CLOSING[opened[-1][1]] == mark:
                opened.pop()
            elif len(opened) > 1 and _CLOSING[opened[-2][1]] == mark:
                # the inner one was not closed
                return [opened[-1]], None
            else:
                return opened, at
    return opened, None


def _closed(cell: Cell, start: int, mark: str) -> Iterator[list[Edit]]:
    """The bracket closed at each place, and each opening one taken out: a second one may be the slip."""
    ends = [at + 1 for at, c in parsing.code_characters(cell.body) if at >= start and not c.isspace()]
    ends += [at for at, c in enumerate(cell.body) if at > start + 1 and cell.body[at - 1] in "'\""]
    ends = sorted({*ends, len(cell.body.rstrip())})[:PLACES]
    # where people forget it: at the end of the line
    ends.sort(key=lambda at: not (at == len(cell.body) or cell.body[at : at + 1] == "\n"))
    for at in ends:
        yield [Edit(parsing.place(cell, at), mark)]
    # a method whose call is cut off at the end of the line is called
    if cell.body[start + 1 : start + 2].strip():
        yield from _taken_out(cell, cell.body[start], cell.body.rfind("\n", 0, start) + 1, len(cell.body))


def _opened(cell: Cell, surplus: int, mark: str) -> Iterator[list[Edit]]:
    """An opening bracket right before, each closing one of the line taken out, an opening one at each place before."""
    line = cell.body.rfind("\n", 0, surplus) + 1
    yield [Edit(parsing.place(cell, surplus), mark)]
    yield from _taken_out(cell, cell.body[surplus], line, surplus)
    for at, _ in reversed(list(parsing.code_characters(cell.body))):
        # a name is not broken in two
        if at < surplus and not cell.body[max(at - 1, 0) : at + 1].isidentifier():
            yield [Edit(parsing.place(cell, at), mark)]


def _taken_out(cell: Cell, mark: str, start: int, end: int) -> Iterator[list[Edit]]:
    for at, c in reversed(list(parsing.code_characters(cell.body))):
        # an empty pair is a call
        empty = cell.body[at : at + 2] in _EMPTY or cell.body[max(at - 1, 0) : at + 1] in _EMPTY
        if c == mark and start <= at <= end and not empty:
            yield [Edit(parsing.place(cell, at, 1), "")]
