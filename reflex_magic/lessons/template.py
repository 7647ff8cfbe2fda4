"""The remembered edit, as data.

A template is Python source with holes: ``_x1`` stands for any expression, ``_s1`` for a text
literal, ``_n1`` for a number, and ``**_k1`` in a call for further keyword arguments::

    _x1.astype(float, **_k1)   ->   _x1.str.replace('[$,]', '', regex=True).astype(float, **_k1)

What the old code and the new code have in common became a hole; what only the new code has is
the remedy and stands as it was. `derive.derive` makes a template, `generalise.generalise` makes
one of two, `instantiate.instantiate` gives the edits for another cell.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reflex_magic.lessons import trees

LIMIT = 2000
"""Longest source of a template's part, in characters."""

HERE, EARLIER, TRIGGER = "here", "earlier", "trigger"
"""Where a change is made: at the failing expression, elsewhere up to its statement, or nowhere: it fills holes."""

# What a remedy may say by which rows go or values are replaced: a person decides each time.
_LOSES = frozenset(
    """
    dropna fillna ffill bfill interpolate drop drop_duplicates first last head tail nlargest nsmallest sample iloc
    clip where mask query filter isin between coerce ignore skip warn nrows skiprows on_bad_lines how
    suppress catch_warnings filterwarnings If IfExp Try
    """.split()  # noqa: SIM905
)

_SPECIFIC = (ast.Attribute, ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.Import, ast.ImportFrom)


class TemplateError(ValueError):
    """No edit can be remembered; the message says why, in words."""


@dataclass(frozen=True, slots=True)
class Change:
    """Source with holes, before and after. `after` is "" where `where` is `TRIGGER`."""

    before: str
    after: str
    where: str = HERE


@dataclass(frozen=True, slots=True)
class Template:
    """The changes of a repair; `insert` are statements put before the failing one, "" for none.

    Raises
    ------
    TemplateError
        It is not Python, too long, or would match anything.
    """

    changes: tuple[Change, ...]
    insert: str = ""

    def __post_init__(self) -> None:
        if not self.changes or any(len(text) > LIMIT for text in self._texts()):
            raise TemplateError("the edit is empty or too long to remember")
        try:
            ast.parse(self.insert)
            for change in self.changes:
                trees.pattern(change.after)
                if change.where not in (HERE, EARLIER, TRIGGER) or bool(change.after) is (change.where == TRIGGER):
                    raise TemplateError("the edit has no place")
                if not _specific(trees.pattern(change.before), change.where):
                    raise TemplateError("the edit would fit any code")
        except (SyntaxError, RecursionError, MemoryError) as error:
            raise TemplateError("the edit is not Python") from error

    @property
    def replaced(self) -> tuple[Change, ...]:
        """The changes that replace something."""
        return tuple(c for c in self.changes if c.where != TRIGGER)

    @property
    def doubtful(self) -> bool:
        """Whether the remedy may drop rows or replace values, so that a person must choose."""
        old = Counter(word for c in self.changes for word in trees.words(c.before))
        new = Counter(word for text in (*(c.after for c in self.changes), self.insert) for word in trees.words(text))
        kept = set().union(*(trees.holes(c.after) for c in self.changes), trees.holes(self.insert))
        forgotten = {h for c in self.replaced for h in trees.holes(c.before) if h[1] == "x"} - kept
        return bool(forgotten) or not _LOSES.isdisjoint(new - old)

    def canonical(self) -> Template:
        """The same template, its holes numbered in the order in which they appear."""
        numbers: dict[str, str] = {}
        for found in (f for text in self._texts() for f in trees.HOLE.findall(text)):
            numbers.setdefault(found, trees.fresh(found[1], numbers.values()))

        def renamed(text: str) -> str:
            return trees.HOLE.sub(lambda f: numbers[f.group()], text)

        changes = tuple(Change(renamed(c.before), renamed(c.after), c.where) for c in self.changes)
        return Template(changes, renamed(self.insert))

    def to_dict(self) -> dict[str, Any]:
        """The template as JSON-able data."""
        changes = [{"before": c.before, "after": c.after, "where": c.where} for c in self.changes]
        return {"changes": changes, "insert": self.insert}

    @classmethod
    def from_dict(cls, data: object) -> Template:
        """The inverse of `to_dict`.

        Raises
        ------
        ValueError
            `data` is not a template, or is one that would match anything.
        """
        match data:
            case {"changes": [*changes], "insert": str(insert)}:
                return cls(tuple(map(_change, changes)), insert)
            case _:
                raise TemplateError("not an edit")

    def _texts(self) -> Iterator[str]:
        for change in self.changes:
            yield change.before
            yield change.after
        yield self.insert


def _change(data: object) -> Change:
    match data:
        case {"before": str(before), "after": str(after), "where": str(where)}:
            return Change(before, after, where)
        case _:
            raise TemplateError("not an edit")


def _specific(pattern: ast.AST, where: str) -> bool:
    """Whether a pattern says enough about the code it fits: an API word or an operator, not only names."""
    if trees.hole(pattern):
        return False
    # Where the code only has to be there, a label or the very name (a missing import's) says enough.
    if where == TRIGGER and isinstance(pattern, (ast.Subscript, ast.Name)):
        return True
    if isinstance(pattern, (ast.Name, ast.Constant, ast.Pass)):
        return False
    return bool(trees.names(pattern)) or any(isinstance(n, _SPECIFIC) for n in ast.walk(pattern))
