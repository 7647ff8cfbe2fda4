"""The difference of two sources as rows of plain data; text, HTML and the widget draw the same rows."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pygments.lexers.python import PythonLexer
from pygments.token import Token

from reflex_magic.core.escape import visible

_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)
# Lines that share less than this are shown as removed and added, without marks: marks on two
# unrelated lines look like confetti.
_ALIKE = 0.55
_PAIRS = 2500
"""Blocks with more pairs of lines than this are paired by position, words of longer lines not compared."""

_KINDS = (
    (Token.Operator.Word, "keyword"),
    (Token.Keyword, "keyword"),
    (Token.Name.Builtin, "builtin"),
    (Token.Name.Function, "name"),
    (Token.Name.Class, "name"),
    (Token.Name.Decorator, "name"),
    (Token.Literal.String, "string"),
    (Token.Literal.Number, "number"),
    (Token.Comment, "comment"),
    (Token.Operator, "operator"),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line. `kind` is the token's kind, "" for the rest; `changed` marks a changed word."""

    text: str
    kind: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """One line of one source; `number` is 1-based."""

    number: int
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The line without line end."""
        return "".join(p.text for p in self.pieces)


@dataclass(frozen=True, slots=True)
class Row:
    """Two lines beside each other. `old` is None for an added line, `new` for a removed one."""

    old: Side | None
    new: Side | None
    changed: bool


def rows(old: str, new: str, first_line: int = 1) -> tuple[Row, ...]:
    """The rows of the difference, unchanged lines included.

    Characters that cannot be seen are shown as code points first. `first_line` is the number
    of the first line of both sources in the editor.
    """
    left, right = _lines(visible(old)), _lines(visible(new))
    a, b = ["".join(t for t, _ in line) for line in left], ["".join(t for t, _ in line) for line in right]
    out: list[Row] = []

    def side(lines: list[list[tuple[str, str]]], at: int | None, marks: Sequence[tuple[int, int]] = ()) -> Side | None:
        return None if at is None else Side(at + first_line, _pieces(lines[at], marks))

    for tag, a1, a2, b1, b2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            out += [Row(side(left, a1 + k), side(right, b1 + k), False) for k in range(a2 - a1)]
            continue
        for i, j in _paired(a, b, range(a1, a2), range(b1, b2)):
            marks: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
            if i is not None and j is not None:
                marks = _marks(a[i], b[j])
            out.append(Row(side(left, i, marks[0]), side(right, j, marks[1]), True))
    return tuple(out)


def counts(found: Sequence[Row]) -> tuple[int, int]:
    """How many lines the rows add and remove."""
    changed = [r for r in found if r.changed]
    return sum(r.new is not None for r in changed), sum(r.old is not None for r in changed)


def folded(found: Sequence[Row], context: int = 3, least: int = 3) -> tuple[tuple[bool, tuple[Row, ...]], ...]:
    """The rows in groups: (True, rows to show) or (False, unchanged rows that may be left out).

    Changed rows are always shown, with `context` unchanged ones on either side; fewer than
    `least` rows are not worth leaving out.
    """
    near = [False] * len(found)
    for i, row in enumerate(found):
        if row.changed:
            for k in range(max(0, i - context), min(len(found), i + context + 1)):
                near[k] = True
    groups: list[tuple[bool, tuple[Row, ...]]] = []
    i = 0
    while i < len(found):
        j = i
        while j < len(found) and near[j] == near[i]:
            j += 1
        shown = near[i] or j - i < least
        if shown and groups and groups[-1][0]:
            groups[-1] = (True, (*groups[-1][1], *found[i:j]))
        else:
            groups.append((shown, tuple(found[i:j])))
        i = j
    return tuple(groups)


def unified(found: Sequence[Row]) -> Iterator[tuple[str, Side]]:
    """The rows as single lines with their sign (" ", "-", "+"): in each changed block, removed lines first."""
    block: list[Row] = []

    def close() -> Iterator[tuple[str, Side]]:
        yield from (("-", r.old) for r in block if r.old)
        yield from (("+", r.new) for r in block if r.new)
        block.clear()

    for row in found:
        if row.changed:
            block.append(row)
            continue
        yield from close()
        if row.new:
            yield " ", row.new
    yield from close()


def _lines(source: str) -> list[list[tuple[str, str]]]:
    """Each line's tokens, as text and kind."""
    lines: list[list[tuple[str, str]]] = [[]]
    for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(source):
        kind = next((k for t, k in _KINDS if token in t), "")
        first, *rest = value.split("\n")
        lines[-1].append((first, kind))
        lines += [[(part, kind)] for part in rest]
    return lines


def _paired(a: Sequence[str], b: Sequence[str], left: range, right: range) -> list[tuple[int | None, int | None]]:
    """Lines of a changed block beside each other, in order; like goes to like."""
    if len(left) * len(right) > _PAIRS:
        size = max(len(left), len(right))
        return [(left[k] if k < len(left) else None, right[k] if k < len(right) else None) for k in range(size)]
    # best[i][j]: the highest sum of likeness of the lines from i and j on
    best = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    like = [[_alike(a[i], b[j]) for j in right] for i in left]
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            pair = like[i][j] + best[i + 1][j + 1] if like[i][j] > _ALIKE else 0.0
            best[i][j] = max(pair, best[i + 1][j], best[i][j + 1])
    out: list[tuple[int | None, int | None]] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if like[i][j] > _ALIKE and best[i][j] == like[i][j] + best[i + 1][j + 1]:
            out.append((left[i], right[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            out.append((left[i], None))
            i += 1
        else:
            out.append((None, right[j]))
            j += 1
    return [*out, *((x, None) for x in left[i:]), *((None, x) for x in right[j:])]


def _alike(a: str, b: str) -> float:
    """How alike two lines are as words, 0 to 1; indentation does not count."""
    return _compared(_WORD.findall(a.strip()), _WORD.findall(b.strip()))[0]


def _compared(one: list[str], two: list[str]) -> tuple[float, Sequence[tuple[str, int, int, int, int]]]:
    if len(one) * len(two) > 40 * _PAIRS:
        return 0.0, []
    matcher = difflib.SequenceMatcher(None, one, two, autojunk=False)
    if matcher.real_quick_ratio() <= _ALIKE:
        return 0.0, []
    return matcher.ratio(), matcher.get_opcodes()


def _marks(a: str, b: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The character ranges of the words that differ, in both lines."""
    one, two = _WORD.findall(a), _WORD.findall(b)
    ratio, codes = _compared(one, two)
    ranges: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    if ratio <= _ALIKE:
        return ranges
    starts = [list(itertools.accumulate(map(len, words), initial=0)) for words in (one, two)]
    for tag, a1, a2, b1, b2 in codes:
        if tag == "equal":
            continue
        for found, at, first, last in ((ranges[0], starts[0], a1, a2), (ranges[1], starts[1], b1, b2)):
            if last > first:
                found.append((at[first], at[last]))
    return ranges


def _pieces(tokens: list[tuple[str, str]], marks: Sequence[tuple[int, int]]) -> tuple[Piece, ...]:
    """Tokens cut where a mark begins or ends; neighbours of the same looks are joined."""
    edges = {edge for mark in marks for edge in mark}
    out: list[Piece] = []
    at = 0
    for text, kind in tokens:
        cuts = [0, *sorted(e - at for e in edges if at < e < at + len(text)), len(text)]
        for start, end in itertools.pairwise(cuts):
            changed = any(s <= at + start and at + end <= e for s, e in marks)
            if start == end:
                continue
            if out and (out[-1].kind, out[-1].changed) == (kind, changed):
                out[-1] = Piece(out[-1].text + text[start:end], kind, changed)
            else:
                out.append(Piece(text[start:end], kind, changed))
        at += len(text)
    return tuple(out)
