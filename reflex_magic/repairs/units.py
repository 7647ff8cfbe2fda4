"""Whether a goal speaks of another currency or unit than the values carry."""

from __future__ import annotations

import re

from reflex_magic.repairs.numbers import Reading

_KINDS = (
    (
        ("$", "usd", "dollar", "dollars"),
        ("€", "eur", "euro", "euros"),
        ("£", "gbp", "pound", "pounds", "sterling"),
        ("¥", "jpy", "yen"),
        ("₹", "inr", "rupee", "rupees", "rs"),
        ("chf", "fr", "franc", "francs"),
        ("kr", "sek", "nok", "dkk", "krona", "kronor", "krone", "kroner", "crown", "crowns"),
        ("zł", "pln", "zloty"),
    ),
    (
        ("mg", "milligram", "milligrams"),
        ("g", "gram", "grams"),
        ("kg", "kilo", "kilos", "kilogram", "kilograms"),
        ("t", "ton", "tons", "tonne", "tonnes"),
        ("lb", "lbs", "pound", "pounds"),
        ("oz", "ounce", "ounces"),
    ),
    (
        ("mm", "millimetre", "millimetres", "millimeter", "millimeters"),
        ("cm", "centimetre", "centimetres", "centimeter", "centimeters"),
        ("m", "metre", "metres", "meter", "meters"),
        ("km", "kilometre", "kilometres", "kilometer", "kilometers"),
        ("ft", "foot", "feet"),
        ("in", "inch", "inches"),
        ("mi", "mile", "miles"),
    ),
    (("ml", "millilitre", "millilitres"), ("cl",), ("l", "litre", "litres", "liter", "liters")),
    (
        ("ms", "millisecond", "milliseconds"),
        ("s", "sec", "second", "seconds"),
        ("min", "mins", "minute", "minutes"),
        ("h", "hr", "hrs", "hour", "hours"),
        ("d", "day", "days"),
    ),
)
"""Kinds of quantities; in each the units, in each the words for it."""

_SHORT = 3
"""Words up to this length are units of a goal only behind "in": "a", "in" and "s" are other words."""


def wanted_otherwise(reading: Reading, goal: str) -> bool:
    """Whether the goal names a unit of the same kind as the one that is taken away, and not that one."""
    taken = {u.rstrip(".").casefold() for u in (*reading.codes, *reading.symbols)}
    said = goal.casefold()
    words = {w for w in re.findall(r"[^\W\d_]+", said) if len(w) > _SHORT} | {c for c in said if c in "$€£¥₹"}
    words |= set(re.findall(r"\bin (\w+)", said))
    for kind in _KINDS:
        own = [unit for unit in kind if taken & set(unit)]
        named = [unit for unit in kind if words & set(unit)]
        if own and named and any(unit not in own for unit in named):
            return True
    return False
