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

_BETWEEN_DIGITS = re.compile(r"(?<=\d)[\s_.,:;/\\()\[\]-]+(?=\d)")


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OTHER_WORDS = _listed(
    """
    adapted adopted advice affect angel angle aspect being begin bread broad calendar case cash casual causal cause
    chance change claim climb coast coats collage college complement compliment contact content contest context
    contract cost count country county crash dairy depart desert dessert device diary effect except expect field
    form from health heart house hours hose horse insure ensure inspect internal interval large marge loan load local
    loyal marital martial massage medal media median medial message metal model modal month mouth order older owner
    paint patent patient person persona personal pint plan plane planet planned plant planted plate point pound
    present prevent price primary prince principal principle prize process product profit prophet quality quantity
    quiet quite react reach region regain relation rotation round route rural sale scale score season reason sector
    section session shipped site size stage state statue status stock stork store storm stream steam storage shortage
    table though thought through trail train trial union onion user usual value valve vendor vender version visit
    weather whether width worker
    """
)
"""Words of which another usual word is a slip away: asked for, they are meant."""

_VOWELS = frozenset("aeiou")
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


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
    # `1_12` is not `11_2`, `price ($)` is not `price (€)`, `<18` is not `>18`, and `margin %` is not `margin`
    label = _BETWEEN_DIGITS.sub("\x00", label)
    return "".join(c for c in label if c.isalnum() or c in "\x00%#" or unicodedata.category(c) in ("Sc", "Sm"))


def words(label: str) -> tuple[str, ...]:
    """The words of a name, split at separators, digits and capitals, in lower case."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-zß-ÿ]+|\d+|[^\W\d_A-Za-z]+", unicodedata.normalize("NFKC", label))
    return tuple(p.casefold() for p in parts)


def nearest(label: str, known: Iterable[str]) -> Near:
    """The known names that `label` may stand for.

    One whose letters are the same is clear. Otherwise one that is a slip of the fingers away is,
    if no other comes near. Digits are never a slip: `q1` is not `q2`. One letter can make another
    word, such as `employer` of `employee`, or `county` of `count`; that is a maybe.
    """
    names = [n for n in dict.fromkeys(known) if n != label]
    same = [n for n in names if plain(n) == plain(label) and plain(n)]
    if same:
        # T is a temperature, t a time
        return Near(tuple(same), "same letters" if len(plain(label)) > 1 else "maybe")
    slips = {n: d for n in names if (d := _slip(label, n)) is not None}
    if slips:
        best = min(slips.values())
        near = tuple(n for n, d in slips.items() if d == best)
        return Near(near, "slip" if all(_of_the_fingers(label, n) for n in near) else "maybe")
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


def _of_the_fingers(label: str, name: str) -> bool:
    """Whether all that parts two names is a slip in typing, and not another word or another ending."""
    ours, theirs = words(label), words(name)
    if len(ours) != len(theirs):
        ours, theirs = (plain(label),), (plain(name),)
    return all(a == b or _mistyped(a, b) for a, b in zip(ours, theirs, strict=True))


def _mistyped(a: str, b: str) -> bool:
    if a in _OTHER_WORDS:
        return False
    # two letters are more than a slip: hypertension, hypotension
    if OSA.distance(a, b) > 1:
        return False
    if sorted(a) == sorted(b):
        return True
    # endings make other words: trainer, trainee; insured, insurer; order, orders
    if a[-1] != b[-1]:
        return False
    short, long = sorted((a, b), key=len)
    if len(short) == len(long):
        different = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
        return all({x, y} <= _VOWELS or _neighbours(x, y) for x, y in different)
    doubled = any(long[i] == long[i + 1] and long[:i] + long[i + 1 :] == short for i in range(len(long) - 1))
    return doubled or len(short) >= 6


def _neighbours(a: str, b: str) -> bool:
    """Whether two letters are beside each other on a keyboard."""
    return any(a + b in row or b + a in row for row in _KEYS)


def one_letter(label: str, name: str) -> bool:
    """Whether a letter more, less, changed or moved makes one name of the other."""
    return OSA.distance(label, name) == 1


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
