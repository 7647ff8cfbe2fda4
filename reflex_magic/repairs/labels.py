"""Which known name a misspelt one stands for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from reflex_magic.core.card import cut

SHOWN = 12
"""So many names are listed in a message."""

_NO_WIDTH = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u2060\u00ad"))


@dataclass(frozen=True, slots=True)
class Near:
    """What a name may stand for. `clear` means that there is one answer and no second one."""

    candidates: tuple[str, ...] = ()
    how: str = ""

    @property
    def clear(self) -> bool:
        """Whether one candidate stands out."""
        return len(self.candidates) == 1 and self.how != "maybe"


def plain(label: str) -> str:
    """A name without what people do not see or do not mean: case, separators, marks."""
    label = unicodedata.normalize("NFKC", label.translate(_NO_WIDTH)).casefold()
    return "".join(c for c in label if c.isalnum())


def words(label: str) -> tuple[str, ...]:
    """The words of a name, split at separators, digits and capitals, in lower case."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-zß-ÿ]+|\d+|[^\W\d_A-Za-z]+", unicodedata.normalize("NFKC", label))
    return tuple(p.casefold() for p in parts)


def nearest(label: str, known: Iterable[str]) -> Near:
    """The known names that `label` may stand for.

    One whose letters are the same is clear. Otherwise one that is a slip of the fingers away is,
    if no other comes near. Digits are never a slip: `q1` is not `q2`.
    """
    names = [n for n in dict.fromkeys(known) if n != label]
    same = [n for n in names if plain(n) == plain(label) and plain(n)]
    if same:
        return Near(tuple(same), "same letters")
    slips = {n: d for n in names if (d := _slip(label, n)) is not None}
    if slips:
        best = min(slips.values())
        return Near(tuple(n for n, d in slips.items() if d == best), "slip")
    reordered = [n for n in names if len(words(n)) > 1 and sorted(words(n)) == sorted(words(label))]
    if reordered:
        return Near(tuple(reordered), "maybe")
    return Near()


def _slip(label: str, name: str) -> int | None:
    """How many slips `name` is away, word by word; None when they are different names."""
    ours, theirs = words(label), words(name)
    if len(ours) != len(theirs):
        ours, theirs = (plain(label),), (plain(name),)
    total = 0
    for a, b in zip(ours, theirs, strict=True):
        if a == b:
            continue
        distance = OSA.distance(a, b)
        digits = re.sub(r"\D", "", a) != re.sub(r"\D", "", b)
        if digits or a[:1] != b[:1] or min(len(a), len(b)) < 4 or distance > (2 if min(len(a), len(b)) >= 9 else 1):
            return None
        # of short words, one letter for another is another word: rate, race; cost, cast
        if len(a) == len(b) and len(a) < 6 and sorted(a) != sorted(b):
            return None
        total += distance
    return total or None


def shortened(label: str, known: Iterable[str]) -> tuple[str, ...]:
    """Known names whose words begin, one by one, with the words of `label`, or the other way round."""

    def begins(a: str, b: str) -> bool:
        return a.startswith(b) or b.startswith(a)

    ours = words(label)
    found = []
    for name in known:
        theirs = words(name)
        if ours and len(ours) == len(theirs) and all(map(begins, ours, theirs)) and name != label:
            found.append(name)
    return tuple(found)


def listed(names: Iterable[str]) -> str:
    """Names for a message; long lists are cut."""
    every = list(names)
    more = f", +{len(every) - SHOWN} more" if len(every) > SHOWN else ""
    return ", ".join(cut(repr(n)[1:-1], 40) for n in every[:SHOWN]) + more
