"""How a column of text writes its numbers, proved on every value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CODES = _words(
    """
    AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HRK HUF IDR ILS INR ISK JPY KRW MAD MXN MYR
    NGN NOK NZD PEN PHP PKR PLN RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR
    """
)
"""Currency codes of ISO 4217 that are in common use."""

WORDS = frozenset(["kr", "zł", "ft", "kč", "lei", "rs", "fr", "euro", "euros", "dollars", "dollar"])
"""What else is written for a currency, in lower case and without a dot."""

DOLLARS = frozenset(["us", "r", "a", "au", "c", "ca", "nz", "hk", "s", "nt", "mx"])
"""What stands before a dollar sign, in lower case."""

MULTIPLIERS = _words(
    """
    k m b t bn mio mn mln mrd tsd thousand thousands million millions billion billions lakh crore cr dz dozen e
    """
)
"""What multiplies; a number with one of these is not read by taking it away."""

EXPLICIT = frozenset({"", "n/a", "na", "nan", "null", "none", "#n/a", "<na>", "n.a.", "missing", "#value!", "#div/0!"})
"""Texts that say themselves that there is no value, in lower case."""

DASHES = frozenset({"-", "--", "\u2013", "\u2014", "?", ".", "x", "*"})
"""Texts that may stand for no value, and in accounts may stand for zero."""

SPACES = " \u00a0\u202f\u2009"
_APOSTROPHES = "'\u2019"
_MINUS = "\u2212"


class Decimal(StrEnum):
    """The decimal mark."""

    POINT = "."
    COMMA = ","


@dataclass(frozen=True, slots=True)
class Parts:
    """One text taken apart. `number` is digits and marks; `units` is what else stands there.

    `leading` means that a word stands before the number, `trailing` that its minus stands behind it.
    """

    number: str
    units: tuple[str, ...]
    brackets: bool = False
    percent: bool = False
    leading: bool = False
    trailing: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A way to read every text of a column.

    `symbols` and `codes` are to be taken away; `missing` are texts that mean no value. `doubts`
    say why a person should look. `wide` digits are not ASCII's, a `trailing` minus stands behind its
    number, and `whole` means that every number is one.
    """

    decimal: Decimal
    thousands: str
    symbols: str
    codes: tuple[str, ...]
    brackets: bool
    percent: bool
    missing: tuple[str, ...]
    strange_minus: bool
    doubts: tuple[str, ...] = ()
    wide: bool = False
    trailing: bool = False
    whole: bool = False

    @property
    def changes(self) -> bool:
        """Whether anything has to be taken away before Python reads the numbers."""
        return bool(
            self.thousands or self.symbols or self.codes or self.brackets or self.percent or self.missing
            or self.strange_minus or self.decimal is Decimal.COMMA or self.wide or self.trailing
        )  # fmt: skip

    @property
    def marks_only(self) -> bool:
        """Whether only marks for "no value" are in the way."""
        plain = not (
            self.thousands or self.symbols or self.codes or self.brackets or self.percent or self.strange_minus
        )
        return plain and bool(self.missing) and self.decimal is Decimal.POINT


_TEXT = re.compile(r"(?P<open>\()?(?P<body>.*?)(?P<close>\))?", re.DOTALL)
_NUMBER = re.compile(rf"[0-9](?:[0-9.,{_APOSTROPHES}{SPACES}]*[0-9])?[.,]?|[.,][0-9]+")


def take_apart(text: str) -> Parts | None:
    """The parts of one text; None when it holds no number or more than one."""
    whole = _TEXT.fullmatch(text.strip())
    if whole is None or bool(whole["open"]) is not bool(whole["close"]):
        return None
    body = re.sub(r"(?<=\d)[eE][+-]?\d{1,3}$", "", whole["body"].strip())
    found = _NUMBER.findall(body)
    if len(found) != 1:
        return None
    before, _, after = body.partition(found[0])
    around = f"{before} {after}".replace(_MINUS, "-")
    signs = around.count("-") + around.count("+")
    # accounts write "350.25-": with two decimals it is no "5 or less"
    trailing = after == "-" and re.search(r"[.,]\d\d$", found[0]) is not None
    if signs > 1 or (whole["open"] and signs) or ("-" in after and not trailing) or "+" in after:
        return None
    units = tuple(u for u in re.findall(r"[^\W\d_]+\.?|[^\w\s+-]", around))
    percent = "%" in units
    leading = any(c.isalpha() for c in before)
    return Parts(found[0], tuple(u for u in units if u != "%"), bool(whole["open"]), percent, leading, trailing)


_EXPONENT = re.compile(r"\d[eE][+-]?\d")

_GROUPS = {
    Decimal.POINT: rf"[1-9]\d{{0,2}}(?:,\d{{3}})+(?:\.\d*)?|\d{{1,2}}(?:,\d\d)+,\d{{3}}(?:\.\d*)?|\d+(?:\.\d*)?|\.\d+"
    rf"|\d{{1,3}}(?:[{SPACES}]\d{{3}})+(?:\.\d*)?|\d{{1,3}}(?:[{_APOSTROPHES}]\d{{3}})+(?:\.\d*)?",
    Decimal.COMMA: rf"[1-9]\d{{0,2}}(?:\.\d{{3}})+(?:,\d*)?|\d+(?:,\d*)?|,\d+"
    rf"|\d{{1,3}}(?:[{SPACES}]\d{{3}})+(?:,\d*)?|\d{{1,3}}(?:[{_APOSTROPHES}]\d{{3}})+(?:,\d*)?",
}  # fmt: skip


def value(number: str, decimal: Decimal) -> float | None:
    """What a number is under a decimal mark; None when it cannot be written so."""
    if not re.fullmatch(_GROUPS[decimal], number):
        return None
    plain = re.sub(rf"[{_APOSTROPHES}{SPACES}]", "", number)
    plain = plain.replace(",", "") if decimal is Decimal.POINT else plain.replace(".", "").replace(",", ".")
    return float(plain)


def read(texts: Iterable[str], goal: str = "") -> list[Reading]:
    """The ways to read all of `texts`: one when they prove it, two when both marks are possible, none otherwise.

    Several currencies in one column, numbers that are multiplied by a word ("3k") and texts that hold
    no number leave none.
    """
    every = list(dict.fromkeys(texts))
    wide = any(c.isdecimal() and not c.isascii() for t in every for c in t)
    if wide:
        every = [unicodedata.normalize("NFKC", t) for t in every]
        # digits of other scripts stay as they are
        if any(c.isdecimal() and not c.isascii() for t in every for c in t):
            return []
    missing = [t for t in every if t.strip().casefold() in EXPLICIT | DASHES]
    split = [(t, take_apart(t)) for t in every if t not in missing]
    parts = [p for _, p in split if p is not None]
    if len(parts) != len(split) or not parts:
        return []
    codes, symbols = _units(parts)
    if codes is None:
        return []
    if any(p.percent for p in parts) and not all(p.percent for p in parts):
        return []
    doubts = []
    if any(t.strip().casefold() in DASHES for t in missing) and not _says_missing(goal):
        doubts.append("a dash may mean no value or zero")
    elif any(t.strip().casefold() == "none" for t in missing) and not _says_missing(goal):
        doubts.append('"none" may mean no value or zero')
    elif missing and re.search(r"\b(zero|0|nought|nothing|nil|free)\b", goal.casefold()):
        doubts.append("the goal speaks of zero, and a text may mean no value or zero")
    possible = [d for d in Decimal if all(value(p.number, d) is not None for p in parts)]
    if len(possible) == 2:
        possible, doubt = _choose(parts, symbols, codes, goal)
        doubts += doubt
    # without a decimal mark in any number, there is nothing to say about it
    commas = any("," in p.number for p in parts)
    return [
        Reading(
            decimal if commas else Decimal.POINT,
            _thousands(parts, decimal, every),
            symbols,
            codes,
            any(p.brackets for p in parts),
            any(p.percent for p in parts),
            tuple(missing),
            any(_MINUS in t for t in every),
            tuple(doubts),
            wide,
            any(p.trailing for p in parts),
            all((value(p.number, decimal) or 0.0).is_integer() for p in parts)
            and not any(map(_EXPONENT.search, every)),
        )
        for decimal in possible
    ]


def merged(readings: Sequence[Reading], *, apart: bool) -> Reading | None:
    """One reading for several columns, each with one of its own; None when their marks mean different things.

    Columns that do not stay `apart` may be summed, so that they have to be in one unit.
    """
    first = readings[0]
    if not apart and len({frozenset((*r.codes, *r.symbols)) for r in readings if r.codes or r.symbols}) > 1:
        return None
    if len({(r.decimal, r.percent) for r in readings}) > 1 or any(r.doubts for r in readings):
        return None
    # a mark that one column takes away must not be a decimal mark in another
    if any(r.decimal.value in other.thousands for r in readings for other in readings):
        return None
    return replace(
        first,
        thousands="".join(sorted({c for r in readings for c in r.thousands})),
        symbols="".join(sorted({c for r in readings for c in r.symbols})),
        codes=tuple(sorted({c for r in readings for c in r.codes}, key=lambda c: (-len(c), c))),
        missing=tuple(dict.fromkeys(m for r in readings for m in r.missing)),
        brackets=any(r.brackets for r in readings),
        strange_minus=any(r.strange_minus for r in readings),
        wide=any(r.wide for r in readings),
        trailing=any(r.trailing for r in readings),
        whole=all(r.whole for r in readings),
    )


def _units(parts: Sequence[Parts]) -> tuple[tuple[str, ...] | None, str]:
    """The codes and symbols around the numbers; None for codes when they are not one and the same."""
    sets = {p.units for p in parts if p.units}
    words = {u for units in sets for u in units if u[0].isalpha()}
    symbols = "".join(sorted({u for units in sets for u in units if not u[0].isalpha()}))
    if any(unicodedata.category(c) != "Sc" for c in symbols):
        return None, ""
    plain = {w.rstrip(".").casefold() for w in words}
    if plain & MULTIPLIERS:
        return None, ""
    # two ways to write units are two units, unless only the order or the presence differs
    if len(sets) > 1 and len({frozenset(s) for s in sets}) > 1:
        return None, ""
    known = CODES | {w.upper() for w in WORDS} | ({w.upper() for w in DOLLARS} if "$" in symbols else frozenset())
    money = all(w.rstrip(".").upper() in known for w in words)
    # a unit that is no currency ("12 kg") must follow every number; "A12" is a name
    if words and not money and not all(p.units and not p.leading for p in parts):
        return None, ""
    return tuple(sorted(words, key=len, reverse=True)), symbols


def _choose(parts: Sequence[Parts], symbols: str, codes: tuple[str, ...], goal: str) -> tuple[list[Decimal], list[str]]:
    """Which decimal mark, when all numbers can be read with either."""
    numbers = [p.number for p in parts]
    pointed, commaed = (any(mark in n for n in numbers) for mark in ".,")
    if not pointed and not commaed:
        return [Decimal.POINT], []
    plain = [n for n in numbers if n.isdecimal()]
    mark = "." if pointed else ","
    marked = [n for n in numbers if mark in n]
    as_thousands = Decimal.COMMA if mark == "." else Decimal.POINT
    as_decimal = Decimal.POINT if mark == "." else Decimal.COMMA
    # where the mark parts thousands, every number from 1,000 on has it and none below; a point of decimals
    # would not know of such a limit, but scales do write 3 beside 1,250: it takes plain numbers of three digits
    limit = any(len(n) == 3 and n[0] != "0" for n in plain) and all(len(n) < 5 for n in plain)
    if mark == "," and limit and len(marked) > 1 and any(n.endswith("0") for n in marked):
        return [as_thousands], []
    said = goal.casefold()
    if "thousand" in said and mark == "," and "decimal comma" not in said:
        return [as_thousands], []
    if "decimal comma" in said:
        return [Decimal.COMMA], []
    # money with a point or comma before exactly three digits has no tenths of a cent
    if mark == "," and (set(symbols) & set("$£¥₹") or set(codes) & {"USD", "GBP", "INR", "JPY"}):
        return [Decimal.POINT], []
    mark_name = "point" if as_decimal is Decimal.POINT else "comma"
    doubt = f"{marked[0]!r} can be read with a decimal {mark_name} or with thousands"
    return [as_thousands, as_decimal], [doubt]


def _thousands(parts: Sequence[Parts], decimal: Decimal, every: Sequence[str]) -> str:
    """All characters that stand in the numbers and part thousands."""
    mark = "," if decimal is Decimal.POINT else "."
    inside = {c for p in parts for c in p.number if c in mark + SPACES + _APOSTROPHES}
    # spaces between a sign, a code and the number go as well
    around = {c for t in every for c in t.strip() if c in SPACES and take_apart(t) is not None}
    return "".join(sorted(inside | around))


def _says_missing(goal: str) -> bool:
    said = goal.casefold()
    phrases = (
        "missing",
        "not measured",
        "not recorded",
        "no value",
        "unknown",
        "no data",
        "blank",
        "not count",
        "not available",
    )
    return any(p in said for p in phrases)


def cleaning(reading: Reading, *, scalar: bool = False) -> str:
    """The members that clean a text column for a reading: ``str.replace("$", "").str.replace(",", "")``.

    With `scalar` the same for one text. The pattern lists what was found and nothing else.
    """
    steps = []
    if reading.wide and not scalar:
        steps.append('str.normalize("NFKC")')
    take = reading.symbols + reading.thousands + ("%" if reading.percent else "")
    prefix = "" if scalar else "str."
    plain = "" if scalar else ", regex=False"
    if reading.brackets:
        steps += [f'{prefix}replace("(", "-"{plain})', f'{prefix}replace(")", ""{plain})']
    if reading.strange_minus:
        steps.append(f'{prefix}replace("\\u2212", "-"{plain})')
    pieces = [*reading.codes, *take]
    if len(pieces) > 1 and not scalar:
        steps.append(f'str.replace({removal(reading)}, "", regex=True)')
    else:
        steps += [f'{prefix}replace({_pattern(p)}, ""{plain})' for p in pieces]
    if reading.decimal is Decimal.COMMA:
        steps.append(f'{prefix}replace(",", "."{plain})')
    if reading.trailing and not scalar:
        steps.append(r'str.replace(r"^(.+)-$", r"-\1", regex=True)')
    return ".".join(steps)


def removal(reading: Reading) -> str:
    """The pattern, as source, of everything that a reading takes away."""
    take = reading.symbols + reading.thousands + ("%" if reading.percent else "")
    single = take if take in (" ", "%", ",") else re.escape(take)
    characters = [single if len(take) == 1 else f"[{_class(take)}]"] if take else []
    return _pattern("|".join([*map(re.escape, reading.codes), *characters]))


def _class(characters: str) -> str:
    return "".join("\\" + c if c in "\\]^-[" else c for c in characters)


def _pattern(pattern: str) -> str:
    """A pattern as source: raw where it has a backslash, and no invisible characters."""
    if "\\" in pattern:
        return f'r"{pattern}"'
    return '"' + "".join(f"\\u{ord(c):04x}" if c in SPACES[1:] else c for c in pattern) + '"'


def described(reading: Reading) -> str:
    """What is in the way of the numbers, in words."""
    found = []
    if reading.codes or reading.symbols:
        found.append("the signs " + " ".join([*reading.codes, *reading.symbols]))
    if set(reading.thousands) - set(SPACES):
        found.append("thousands marks")
    if reading.decimal is Decimal.COMMA:
        found.append("a decimal comma")
    if reading.brackets:
        found.append("brackets for negative numbers")
    if reading.trailing:
        found.append("minus signs behind the numbers")
    if reading.wide:
        found.append("wide digits")
    if reading.percent:
        found.append("percent signs")
    if reading.missing:
        found.append("marks for no value (" + ", ".join(repr(m) for m in reading.missing[:3]) + ")")
    return ", ".join(found) or "spaces"
