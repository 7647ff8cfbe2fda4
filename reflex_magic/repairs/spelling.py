"""Ways to bring texts to one spelling."""

from __future__ import annotations

import re
from collections.abc import Callable

WAYS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("str.strip()", str.strip),
    ("str.lower()", str.lower),
    ("str.upper()", str.upper),
    ("str.title()", str.title),
    ("str.capitalize()", str.capitalize),
    ("str.strip().str.lower()", lambda t: t.strip().lower()),
    ("str.strip().str.upper()", lambda t: t.strip().upper()),
    ("str.strip().str.title()", lambda t: t.strip().title()),
    ("str.strip().str.capitalize()", lambda t: t.strip().capitalize()),
)
"""Members of a text column, and what they do to one text; the smaller change first."""

_CASE = re.compile(r"\b(upper|lower)[ -]?case|\b(capitals?|small letters?|case)\b", re.I)

_SPELLED = re.compile(
    r"\b(is|are|written|spelled) (all )?in (capitals?|capital letters|(upper|lower)[ -]?case)\b", re.I
)
"""How a table is spelled, which says nothing of what case means."""


def tells_case(goal: str) -> bool:
    """Whether the goal tells capital from small letters."""
    return _CASE.search(_SPELLED.sub("", goal)) is not None


def is_sure(members: str, goal: str) -> bool:
    """Whether texts may be brought to one spelling by these members: case may matter where the goal speaks of it."""
    return members == "str.strip()" or not tells_case(goal)


def plain(text: str) -> str:
    """A text without case and outer or repeated blanks."""
    return " ".join(text.casefold().split())
