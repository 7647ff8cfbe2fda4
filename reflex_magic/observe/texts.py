"""Methods of text columns: patterns, stripped characters, replaced values, spellings.

Facts of kind `text`, of ``series.str.method(...)``
    Only where one of these is not 0. method, column, rows. looked: texts that were looked at.
    as_pattern: of them, those of which a regular expression and the text it is written as make something different;
    held: those that hold the text itself. as_text: those that the argument, read as a regular expression, would match,
    where it was taken for a text and no text holds it. eaten: those that lost more than the prefix or suffix.
    cased: those that would match without regard to case and outer blanks, where not one matches.
    lost: rows that are no text and became missing. units: units of `FAMILIES`, with counts, where several were removed.

Facts of kind `replace_whole`, of ``series.replace(text, other)`` and ``frame.replace(...)``
    Only where no value equals the text, and some hold it. key: its shape. held: texts that hold it. looked. columns.

Facts of kind `distinct`, of ``series.nunique()`` and ``series.unique()``
    distinct, folded: different values among those looked at, and different ones without case and blanks. column.

Facts of kind `elementwise`, of ``series.map(function)``, ``series.apply(function)`` and ``[... for value in series]``
    missing: rows that hold NaN, NaT or NA, and not None. rows, column. floats: it holds floats, so that each NaN is
    another object.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pandas as pd

from reflex_magic.core.card import shape
from reflex_magic.observe import live
from reflex_magic.observe.keys import fold, sample
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind
from reflex_magic.observe.readings import kind_of, number, some, texts_of

COLUMNS = 20
"""Text columns of a frame that are looked at."""

FAMILIES = (
    frozenset({"$", "€", "£", "¥", "₹", "usd", "eur", "gbp", "chf", "jpy", "us$", "a$"}),
    frozenset({"kg", "g", "mg", "lb", "lbs", "oz"}),
    frozenset({"m", "cm", "mm", "km", "ft", "in", "mi"}),
    frozenset({"b", "kb", "mb", "gb", "tb"}),
    frozenset({"k", "m", "bn", "mn", "mio", "mrd"}),
    frozenset({"ms", "s", "sec", "min", "mins", "h", "hr", "hrs", "d", "days"}),
    frozenset({"l", "ml", "cl"}),
    frozenset({"%", "bp", "bps"}),
)
"""Units that measure the same, and differ in size."""

_ACCESSOR = pd.core.strings.accessor.StringMethods
_SEARCHES = frozenset({"contains", "match", "fullmatch", "startswith", "endswith", "count"})
_STRIPS = frozenset({"strip", "lstrip", "rstrip"})
_CHANGES = _STRIPS | {"lower", "upper", "title", "capitalize", "casefold", "zfill", "replace", "slice", "pad"}
_UNITED = _STRIPS | {"replace", "extract", "slice"}

_SPECIAL = re.compile(r"[.$^()|+*?{}\[\]]")
_SYNTAX = re.compile(r"\\[a-zA-Z]|\[[^\]]+\]|\.[*+?]|\(\?|\S\{\d|^\^.|[^\s]\$$|\w\|\w|\\\W|\S[*?]")
"""What nobody writes who means a text."""

_SETS = re.compile(r"\[.*(\[|--|&&|~~|\|\|)")
"""What the compiler of regular expressions warns of."""


class Text(Kind):
    """``series.str.method(...)``."""

    name = "text"
    methods = frozenset(f"str.{method}" for method in _SEARCHES | _CHANGES | {"split", "extract"})
    arguments = frozenset({"0", "pat", "to_strip", "regex", "case", "flags", "4", "5"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return type(receiver) is _ACCESSOR

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data: Any = getattr(values["receiver"], "_orig", None)  # pandas has no other way to it
        result, method = values["result"], call.method
        if not live.is_series(data) or not 0 < len(data) <= ROWS:
            return None
        seen = some(data)
        texts = [v for v in seen if isinstance(v, str)]
        argument = values.get("0", values.get("pat", values.get("to_strip")))
        found: Facts = {}
        # What is no text is looked for in all rows only where some of those looked at are not.
        mixed = len(texts) < len(seen) and any(kind_of(v) not in ("text", "missing") for v in seen)
        if mixed and method in _CHANGES and live.is_series(result):
            found["lost"] = int((data.notna() & result.isna()).sum())
        if isinstance(argument, str) and argument:
            found |= _argument(method, argument, texts, values, result)
        if live.is_frame(result) and result.shape[1] == 1:  # extract
            result = result.iloc[:, 0]
        if method in _UNITED and live.is_series(result) and len(data) == len(result):
            found |= _units(data, result)
        if not any(found.get(n) for n in ("lost", "as_pattern", "as_text", "eaten", "cased", "units")):
            return None
        column = "" if data.name is None else str(data.name)
        return {"method": method, "column": column, "rows": len(data), "looked": len(texts), **found}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(sum(facts.get(n, 0) for n in ("lost", "as_pattern", "as_text", "eaten")) + 1)


def _argument(method: str, argument: str, texts: list[str], values: Mapping[str, Any], result: Any) -> Facts:
    """What the pattern or the characters did to the texts otherwise than they read."""
    if method in _STRIPS:
        return {"eaten": _eaten(method, argument, texts)}
    found: Facts = {}
    regex = _is_pattern(method, argument, values)
    if method in ("contains", "match", "replace", "split", "count") and not values.get("flags"):
        if regex and _SPECIAL.search(argument) and not _SYNTAX.search(argument):
            found |= _as_pattern(method, argument, texts)
        elif method == "replace" and not regex and "regex" not in values and _SYNTAX.search(argument):
            found["as_text"] = _matches(argument, texts) if not any(argument in v for v in texts) else 0
    if method in _SEARCHES and values.get("case", True) and live.is_series(result) and not result.any():
        found["cased"] = _cased(method, argument if regex else re.escape(argument), texts)
    return found


def _is_pattern(method: str, argument: str, values: Mapping[str, Any]) -> bool:
    """Whether pandas takes the argument for a regular expression."""
    match method:
        case "contains":
            return bool(values.get("regex", values.get("4", True)))
        case "replace":
            return bool(values.get("regex", values.get("5", False)))
        case "split":
            return bool(values.get("regex", len(argument) > 1) or (values.get("regex") is None and len(argument) > 1))
        case _:
            return method in ("match", "fullmatch", "count", "extract")


def _as_pattern(method: str, argument: str, texts: list[str]) -> Facts:
    held = sum(argument in v for v in texts)
    if not held:
        return {}
    compiled = re.compile(argument)
    match method:
        case "split":
            other = sum(compiled.split(v) != v.split(argument) for v in texts)
        case "replace":
            other = sum(compiled.sub("\0", v) != v.replace(argument, "\0") for v in texts)
        case "match":
            other = sum(bool(compiled.match(v)) != v.startswith(argument) for v in texts)
        case _:
            other = sum(bool(compiled.search(v)) != (argument in v) for v in texts)
    return {"as_pattern": other, "held": held}


def _matches(argument: str, texts: list[str]) -> int:
    if _SETS.search(argument):
        return 0
    try:
        compiled = re.compile(argument)
    except re.error:
        return 0
    return sum(compiled.search(v) is not None for v in texts)


def _cased(method: str, argument: str, texts: list[str]) -> int:
    """Texts that would match without regard to case and outer blanks."""
    compiled = re.compile(argument, re.IGNORECASE)
    match method:
        case "startswith" | "match":
            return sum(compiled.match(v.strip()) is not None for v in texts)
        case "fullmatch":
            return sum(compiled.fullmatch(v.strip()) is not None for v in texts)
        case "endswith":
            return sum(re.search(f"(?:{argument})$", v.strip(), re.IGNORECASE) is not None for v in texts)
        case _:
            return sum(compiled.search(v) is not None for v in texts)


def _eaten(method: str, characters: str, texts: list[str]) -> int:
    """Texts that begin or end with the whole argument, and lost more than that."""
    if len(set(characters)) < 2 or not any(c.isalnum() for c in characters):
        return 0
    eaten = 0
    for text in texts:
        whole = text
        if method != "rstrip":
            whole = whole.removeprefix(characters)
        if method != "lstrip":
            whole = whole.removesuffix(characters)
        # Blanks around an affix are stripped on purpose with it.
        eaten += whole != text and getattr(text, method)(characters) != getattr(whole, method)(
            "".join(c for c in characters if not c.isalnum())
        )
    return eaten


def _units(before: Any, after: Any) -> Facts:
    """The units that were removed, where they are of several sizes."""
    pairs = [(a, b) for a, b in zip(some(before), some(after), strict=True) if isinstance(a, str)]
    told = [(_unit(a), _unit(b)) for a, b in pairs if isinstance(b, str) and any(c.isdigit() for c in a)]
    if not told or len(told) < 0.9 * len(pairs):
        return {}
    units = Counter(unit for unit, _ in told)
    removed = {unit for unit, left in told if unit and not left}
    for family in FAMILIES:
        mine = {u: n for u, n in units.items() if u in family}
        if len(mine) > 1 and removed & family and sum(mine.values()) + units[""] == len(told):
            return {"units": dict(Counter(mine).most_common())}
    return {}


def _unit(text: str) -> str:
    """What stands with a number, in lower case."""
    return re.sub(r"[\d.,\s+\-()']", "", text).lower()


class ReplaceWhole(Kind):
    """``series.replace(text, other)``, which replaces whole values."""

    name = "replace_whole"
    methods = frozenset({"replace"})
    arguments = frozenset({"0", "1", "to_replace", "value", "regex"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = values["receiver"]
        given, to = values.get("0", values.get("to_replace")), values.get("1", values.get("value"))
        if values.get("regex") or len(data) > ROWS:
            return None
        listed = given if type(given) is list else [given]
        pairs = list(given.items()) if type(given) is dict else [(key, to) for key in listed]
        keys = [k for k, v in pairs if isinstance(k, str) and isinstance(v, str) and k.strip("-? ")][:COLUMNS]
        columns = [data] if live.is_series(data) else _text_columns(data) if keys else []
        held: Counter[str] = Counter()
        looked, named = 0, []
        for column in columns if keys else ():
            if not live.is_text_dtype(column.dtype):
                continue
            texts = texts_of(column)
            known, looked, before = set(texts), looked + len(texts), held.total()
            for key in keys:
                if key in known:
                    return None
                held[key] += sum(key in v and _is_part(key, v) for v in texts)
            if held.total() > before:
                named.append(str(column.name))
        if not held.total():
            return None
        key, number_held = held.most_common(1)[0]
        return {"key": shape(key), "held": number_held, "looked": looked, "columns": tuple(named)}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["held"])


def _text_columns(frame: Any) -> list[Any]:
    places = [i for i, dtype in enumerate(frame.dtypes) if live.is_text_dtype(dtype)]
    return [frame.iloc[:, i] for i in places[:COLUMNS]]


def _is_part(key: str, text: str) -> bool:
    """Whether the key is no word of its own: a sign, or what stands with a number."""
    return not any(c.isalnum() for c in key) or number(text.replace(key, "")) is not None


class Distinct(Kind):
    """``series.nunique()`` and ``series.unique()``."""

    name = "distinct"
    methods = frozenset({"nunique", "unique"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) and live.is_text_dtype(receiver.dtype)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = values["receiver"]
        texts = set(texts_of(data))
        folded = {fold(v) for v in texts}
        if len(folded) == len(texts):
            return None
        return {"column": str(data.name), "distinct": len(texts), "folded": len(folded), "rows": len(data)}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["distinct"] - facts["folded"])


class Elementwise(Kind):
    """``series.map(function)``, ``series.apply(function)`` and a comprehension over a series."""

    name = "elementwise"
    methods = frozenset({"map", "apply"})
    operators = frozenset({"for"})
    arguments = frozenset({"0", "arg", "func"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = values["receiver"]
        function = next((values[name] for name in ("0", "arg", "func") if name in values), None)
        if not (callable(function) or call.method == "for") or "na_action" in call.keywords or len(data) > ROWS:
            return None
        if live.is_complete(data) or not _count_missing(sample(data)):
            return None
        missing = _count_missing(data)
        floats = getattr(data.dtype, "kind", "") == "f"
        return {"missing": missing, "rows": len(data), "column": str(data.name), "floats": floats} if missing else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["missing"])


def _count_missing(data: Any) -> int:
    """How many values are missing without being None."""
    gone = data.isna()
    if not pd.api.types.is_object_dtype(data.dtype):  # only there, None stays what it is
        return int(gone.sum())
    return sum(v is not None for v in data[gone].tolist())
