"""What the values of one column look like as they are written: codes, markers, separators, dates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

MISSING = frozenset({"NA", "N/A", "n/a", "None", "NULL", "null", "nan", "NaN", "<NA>"})
"""Words that pandas reads as missing."""

MARKS = frozenset(
    {"#n/a", "#ref!", "#value!", "*", "-", "--", "---", ".", "..", "...", "/", "?", "??", "\u2013", "\u2014"}
    | {"absent", "blank", "err", "error", "invalid", "k. a.", "k.a.", "keine angabe", "missing", "n.a."}
    | {"n.d.", "n/a", "n/d", "na", "nan", "nd", "nil", "no data", "nodata", "none", "not applicable"}
    | {"not available", "not measured", "not recorded", "null", "pending", "s/d", "suppressed", "tba", "tbd"}
    | {"unbekannt", "unk", "unknown", "withheld", "x"}
)  # fmt: skip
"""Words and signs that stand for a missing number."""

ORDERED = 5
"""Fewest different dates whose order tells which number is the day."""

_REGIONS = frozenset({"EMEA", "APAC", "LATAM", "APJ", "MEA", "ANZ", "MENA", "CEE", "DACH", "LAC", "ASEAN"})
_CONTINENTS = frozenset({"AF", "AN", "AS", "EU", "OC", "SA"})
_ELECTROLYTES = frozenset({"K", "CL", "CA", "MG", "P", "PO4", "HCO3", "CO2", "BUN", "FE"})
_COUNTRIES_TEXT = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
MX MY MZ NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD
SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UK UM US UY
UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
"""
_COUNTRIES = frozenset(_COUNTRIES_TEXT.split())
_STATES_TEXT = """
AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR PA
RI SC SD TN TX UT VA VT WA WI WV WY AB BC MB NB NL NS ON PE QC SK
"""
_STATES = frozenset(_STATES_TEXT.split())
"""States and provinces of North America: among them, NA is none of them."""

_SUSPECT = re.compile(r"^(?:0\d+|\+\d{7,}|\d+[eE]\d+|\d{16,}|\d+\.\d*[1-9]0+)$", re.MULTILINE)
_ZEROS = re.compile(r"^0\d{2,}$", re.MULTILINE)
_ANY_ZEROS = re.compile(r"^0\d+$", re.MULTILINE)
_CODE_NAME = re.compile(r"code|fips|\bids?\b|_id$|_no$|_nr$|key|zip|plz|account", re.IGNORECASE)
_PLUS = re.compile(r"^\+\d{7,}$", re.MULTILINE)
_EXPONENT = re.compile(r"^\d+[eE]\d+$", re.MULTILINE)
_LONG = re.compile(r"^\d{16,}$", re.MULTILINE)
_ZERO_FRACTION = re.compile(r"^\+?(\d+)\.0*$")
_PLAIN = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_BEGINS = re.compile(r"[^\w]{0,3}\s?(?:USD|EUR|GBP|CHF|JPY|Rs\.?|R\$|kr)?\s?\d")
_GROUPED = re.compile(r"\d{1,3}\.\d{3}")
_GROUPED_LINE = re.compile(r"^[1-9]\d{0,2}\.\d{3}$", re.MULTILINE)
_UNGROUPED = re.compile(r"^(?:0\.|-|\d{4}|\d+\.(?:\d{0,2}|\d{4,})$|\d+[eE])", re.MULTILINE)
_DECIMAL_COMMA = re.compile(r"-?\d{1,3}(\.\d{3})*,\d{1,2}|-?\d+,\d{1,2}|-?\d{1,3}(\.\d{3}){2,}")
_DATE = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?:[ T]\d.*)?")
_CURRENCY = "$€£¥₹₽₩₪"
_SIGNED = re.compile(
    rf"\(?[-+]?\s?(?:[{_CURRENCY}]|(?:USD|EUR|GBP|CHF|JPY|Rs\.?|R\$|kr)\s?)?\s?[-+]?\d[\d.,' \u00a0\u202f]*"
    rf"(?:\s?(?P<unit>[{_CURRENCY}%]|[A-Za-z°µ/²³]{{1,6}}))?\)?"
)


def codes(label: str, written: Sequence[str], floats: bool) -> dict[str, int]:
    """What reading a column as numbers takes from it.

    zeros: values with zeros in front, of three characters or more where the name of the column says nothing. plus:
    long numbers after a plus. exponent: codes such as 12E4 among plain numbers. long: whole numbers of 16 digits or
    more that floats do not hold. merged: different texts that became one number, not counting 1 and 1.0.
    """
    text = "\n".join(written)
    if not _SUSPECT.search(text):
        return {}
    found = {
        "zeros": len((_ANY_ZEROS if _CODE_NAME.search(label) else _ZEROS).findall(text)),
        "plus": len(_PLUS.findall(text)),
        "exponent": 0,
        "long": sum(int(float(v)) != int(v) for v in _LONG.findall(text)) if floats else 0,
        "merged": 0,
    }
    if floats and (powers := _EXPONENT.findall(text)):
        others = [v for v in written if v and v not in powers]
        if others and all(v.isdigit() and len(v) == len(powers[0]) for v in others):
            found["exponent"] = len(powers)
    distinct = {_ZERO_FRACTION.sub(r"\1", v) for v in set(written) if _PLAIN.fullmatch(v)}
    found["merged"] = len(distinct) - len({float(v) if floats else v.lstrip("+0") for v in distinct})
    return found if any(found.values()) else {}


def data_marker(label: str, written: Sequence[str], quoted: bool, head: str) -> dict[str, Any]:
    """A word that was read as missing: which one, how often, and whether it is plainly one of the codes beside it."""
    words = MISSING.intersection(written)
    if len(words) != 1:
        return {}
    counts, (word,) = Counter(written), words
    empty = counts.get("", 0)
    others = {w for w in counts if w not in ("", word)}
    return {"marker": word, "count": counts[word], "values": len(written), "data": _is_code(word, label, others, empty)
            and not (quoted and f'"{word}"' not in head and any(f'"{w}"' in head for w in others))}  # fmt: skip


def _is_code(word: str, label: str, others: set[str], empty: int) -> bool:
    if len(others) < 2:
        return False
    if word == "None":
        return not empty and len(others) <= 20 and all(re.fullmatch(r"[A-Z][a-z]+([ -]\w+)*", w) for w in others)
    if word != "NA":
        return False
    if others <= _REGIONS | _CONTINENTS | _COUNTRIES and (others & _REGIONS or others <= _CONTINENTS):
        return True
    if others <= _ELECTROLYTES:
        return True
    if not all(re.fullmatch(r"[A-Z]{2}", w) for w in others) or re.search(r"state|province", label, re.IGNORECASE):
        return False
    if others <= _COUNTRIES and not others <= _STATES:
        return True
    # Beside codes of the same form, and where a missing one is left empty.
    return empty > 0 and len(others) >= 5


def numbers_left(values: Sequence[str], filed: bool) -> dict[str, Any]:
    """Why a column of numbers is text.

    reason: "marks" for words that stand for missing, "signs" for currency and percent signs, "units", "separators"
    for marks between digits. numbers, others: how many of either. misplaced: neighbours in the order of the letters
    whose numbers are the other way round.

    Parameters
    ----------
    filed
        The values are from a text file, where numbers that are written plainly are read as numbers.
    """
    if len(values) < 3 or 4 * sum(map(bool, map(_BEGINS.match, values[:40]))) < min(len(values), 40):
        return {}
    texts = [v.strip() for v in values if v]
    marked = [t for t in texts if t.lower() in MARKS]
    rest = [t for t in texts if t.lower() not in MARKS]
    # Codes with zeros in front are text on purpose.
    if len(rest) < 2 or 2 * len(rest) < len(texts) or any(re.match(r"0\d", t) for t in rest):
        return {}
    odd = [t for t in rest if not _PLAIN.fullmatch(t)]
    reason = _reason(rest, odd)
    if not odd:
        reason = "marks" if marked else "separators" if filed and any("." in t for t in rest) else ""
        odd = [] if marked else rest
    if not reason:
        return {}
    misplaced = sum(a > b for a, b in pairwise(_value(t) for t in sorted(rest)))
    others = len(odd) + len(marked)
    return {"reason": reason, "numbers": len(texts) - others, "others": others, "misplaced": misplaced}


def _reason(rest: list[str], odd: list[str]) -> str:
    """Why texts that are no plain numbers are none; "" where they are not numbers at all."""
    told = [_SIGNED.fullmatch(t) for t in rest]
    if not all(told) or any(_DATE.fullmatch(t) for t in rest[:20]):
        return ""
    if all(any(c in t for c in _CURRENCY + "%") or t.startswith("(") or re.match(r"[A-Z]", t) for t in odd):
        return "signs"
    if all(_SEPARATED.fullmatch(t) for t in odd):
        return "separators"
    units = {m["unit"] for m in told if m and m["unit"]}
    if len(units) != 1 or 2 * len(odd) < len(rest) or not units.isdisjoint(_NO_UNITS):
        return ""
    return "units"


def _value(text: str) -> float:
    """The number that a text of digits, marks and signs is written for."""
    digits = re.sub(r"[^\d.,-]", "", text)
    if re.search(r",\d{3}(\D|$)", digits):
        digits = digits.replace(",", "")
    elif "," in digits:
        digits = digits.replace(".", "").replace(",", ".")
    elif digits.count(".") > 1:
        digits = digits.replace(".", "")
    number = float(re.sub(r"(?<!^)-", "", digits.strip(".")) or 0)
    return -number if text.startswith("(") else number


_SEPARATED = re.compile(r"-?\d{1,3}([.,' \u00a0\u202f]\d{3})*([.,]\d+)?|-?\d+,\d+")
_NO_UNITS = frozenset("abcdefABCDEFxX")
"""Single letters behind a number: more often a house number or a flat than a unit."""


def misread_thousands(written: Sequence[str], thousands: Any, comma_elsewhere: bool) -> int:
    """How many values have a mark between digits that was taken for another one than it is."""
    text = "\n".join(written)
    if thousands in (",", "."):
        return len(re.findall(rf"^-?\d+\{thousands}(?:\d{{1,2}}|\d{{4,}})$", text, re.MULTILINE))
    if _UNGROUPED.search(text):
        return 0
    grouped = len(_GROUPED_LINE.findall(text))
    short = len(written) - grouped - sum(map(written.count, MISSING | {""}))
    return grouped if comma_elsewhere or (grouped >= 3 and short >= 3) else 0


def has_decimal_comma(written: Sequence[str]) -> bool:
    """Whether these are numbers with a decimal comma, or with more than one dot."""
    told = False
    for value in written[:200]:
        if _DECIMAL_COMMA.fullmatch(value):
            told = True
        elif value and not value.isdigit() and value not in MISSING and not _GROUPED.fullmatch(value):
            return False
    return told


def dates_as_text(values: Sequence[str]) -> dict[str, Any]:
    """Whether a text column has dates that begin with the day or the month.

    dates: how many. misplaced: neighbours in the order of the letters that are the wrong way round in time, whether
    the day or the month stands first.
    """
    if not any(map(_DATE.match, values[:5])):
        return {}
    texts = [v.strip() for v in values if v]
    told = [m for m in map(_DATE.fullmatch, texts) if m]
    if len(told) < 2 or len(told) < 0.9 * len(texts):
        return {}
    told.sort(key=lambda m: m[0])
    wrong = [
        sum(a > b for a, b in pairwise((m[4], int(m[month]), int(m[day])) for m in told))
        for day, month in ((1, 3), (3, 1))
        if all(int(m[month]) <= 12 for m in told)
    ]
    return {"dates": len(told), "values": len(texts), "misplaced": min(wrong, default=0)}


def swapped(written: Sequence[str], stamps: Sequence[Any]) -> dict[str, Any]:
    """Whether dates were read with day and month the other way round.

    mixed: dates that were read the other way round than others of the column must be read. disordered: all can be
    read both ways, are not in order as they were read, and are in order with day and month exchanged.

    Parameters
    ----------
    stamps
        What was made of each value.
    """
    told = [
        (int(m[1]), int(m[3]), s) for m, s in zip(map(_DATE.fullmatch, written), stamps, strict=True) if m and s == s
    ]
    day_first, month_first = any(a > 12 for a, _, _ in told), any(b > 12 for _, b, _ in told)
    unsure = [s.day == a for a, b, s in told if a <= 12 and b <= 12 and a != b]
    if (day_first and month_first) or not unsure:
        return {}
    if day_first or month_first:
        mixed = sum(read != day_first for read in unsure)
        return {"mixed": mixed, "disordered": False, "values": len(told)} if mixed else {}
    read = [(s.year, s.month, s.day) for _, _, s in told]
    other = [(s.year, s.day, s.month) for _, _, s in told]
    if len(set(other)) < ORDERED or _in_order(read) or not _in_order(other):
        return {}
    return {"mixed": 0, "disordered": True, "values": len(told)}


def _in_order(values: list[tuple[int, int, int]]) -> bool:
    return all(a <= b for a, b in pairwise(values)) or all(a >= b for a, b in pairwise(values))
