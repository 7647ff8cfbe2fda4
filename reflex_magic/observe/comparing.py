"""Comparisons that miss values which a person reads as equal.

Facts of kind `compare`, of ``series == other`` and its kin, ``series.eq(other)`` and a comparison in ``frame.query``
    Only where something was missed. op: the operator. column: name of the series. rows: compared. matched: rows
    of which it is true. left, right: what the two sides hold, see `readings.kind_of`. near: rows, of those
    looked at, that are missed. looked: how many were looked at. how: why they are missed:
    "type" (one side is text, the other a number, a truth value, a date), "spelling" (case or blanks), "rounding" (a
    difference beyond the twelfth digit), "time" (the same day at another time), "missing" (nothing equals a missing
    value), "word" (a text such as "nan", while the values are missing), "both" (both sides are missing), "digits"
    (written numbers are compared as text). short: the text compared with is
    one character. blank: it is empty. alike: for "type" and "spelling", the different values that are read as the one
    compared with.

Facts of kind `contained`, of ``value in series``
    said: what it gave. held: whether a value of the series equals it. numbered: the index is made of row numbers.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe import live
from reflex_magic.observe.keys import fold, sample
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind
from reflex_magic.observe.readings import day, kind_of, number, numbers_of, some, texts_of, truth

CLOSE = 1e-12
"""Two numbers that differ by less than this share of themselves differ by rounding."""

REST = 2e-15
"""So small a share of the largest number is what is left where numbers should have cancelled out."""

SCANNED = 50_000
"""Rows in which rounding is looked for; of more, among rows evenly spaced."""

_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_METHODS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_SYMBOLS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_WORDS = frozenset({"nan", "none", "nat", "<na>", "null", ""})
_PART_OF_A_DATE = re.compile(r"\d{4}(-\d\d){0,2}")

_Near = tuple[str, int, int]
"""How they are missed, how many, of how many."""


ALIKE = 20
"""Values that are told, at most."""


class Comparing(Kind):
    """``series == other``, ``series.eq(other)``, ``frame.query("column == other")``."""

    name = "compare"
    methods = frozenset({*_METHODS, "query"})
    operators = frozenset(_OPERATORS)
    arguments = frozenset({"0", "other", "expr"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data = values["receiver"]
        if call.method == "query":
            return _of_query(data, values.get("0", values.get("expr"))) if live.is_frame(data) else None
        result = values["result"]
        if not live.is_series(data) or not live.is_series(result) or len(data) > ROWS:
            return None
        other = values.get("0", values.get("other"))
        return _compared(data, _METHODS.get(call.method, call.method), other, result, _is_written(call.node))

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["near"])


class Contained(Kind):
    """``value in series``."""

    name = "contained"
    operators = frozenset({"in", "not in"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return isinstance(receiver, (str, int, float, np.generic, pd.Timestamp))

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        value, data = values["receiver"], values["0"]
        if not live.is_series(data) or len(data) > ROWS:
            return None
        return {
            "said": bool(values["result"]) is (call.method == "in"),
            "held": bool((data == value).any()),
            "numbered": data.index.name is None and data.index.dtype.kind == "i" and data.index.nlevels == 1,
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["numbered"] and facts["said"] != facts["held"])


def _is_written(node: ast.AST) -> bool:
    """Whether the series is compared with a number that stands in the cell."""
    match node:
        case ast.Compare(comparators=[right]) | ast.Call(args=[right]):
            return isinstance(right.operand if isinstance(right, ast.UnaryOp) else right, ast.Constant)
        case _:
            return False


def _of_query(frame: Any, text: Any) -> Facts | None:
    """The most telling comparison of a column with a constant in a query."""
    # The compiler may warn of a backslash, and pandas has let it do so already.
    if not isinstance(text, str) or len(frame) > ROWS or "\\" in text:
        return None
    told = []
    for node in ast.walk(ast.parse(text.strip().replace("\n", " ").replace("@", ""), mode="eval")):
        match node:
            case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=other)]):
                if name in frame.columns and type(op) in _SYMBOLS and live.is_series(data := frame[name]):
                    symbol = _SYMBOLS[type(op)]
                    told.append(_compared(data, symbol, other, _OPERATORS[symbol](data, other), True))
    return max((f for f in told if f), key=lambda f: int(f["near"]), default=None)


def _compared(data: Any, op: str, other: Any, result: Any, written: bool) -> Facts | None:
    """The facts of one comparison; None where nothing was missed."""
    left, right = kind_of(data), kind_of(other)
    if not left or not right:
        return None
    if live.is_series(other):
        found = _of_two(data, op, other, left, right)
    else:
        found = _of_one(data, op, other, (left, right), result, written)
    if found is None or not found[1]:
        return None
    return {
        "op": op,
        "column": "" if data.name is None else str(data.name),
        "rows": len(data),
        "matched": int(result.sum()),
        "left": left,
        "right": right,
        "how": found[0],
        "near": found[1],
        "looked": found[2],
        "short": isinstance(other, str) and len(other) == 1,
        "blank": isinstance(other, str) and not other.strip(),
        "alike": _alike(data, other, found[0], left, right),
    }


def _alike(data: Any, other: Any, how: str, left: str, right: str) -> tuple[Any, ...]:
    """The different values, of some, that a person reads as the one that is compared with."""
    if how == "spelling" and isinstance(other, str):
        return tuple(v for v in dict.fromkeys(texts_of(data)) if fold(v) == fold(other))[:ALIKE]
    read = _reader(left, right) if how == "type" and not live.is_series(other) else None
    plain = {v: None for v in some(data) if isinstance(v, str | int | float)} if read else {}
    return tuple(v for v in plain if read and kind_of(v) != right and read(v) == read(other))[:ALIKE]


def _of_one(data: Any, op: str, other: Any, kinds: tuple[str, str], result: Any, written: bool) -> _Near | None:
    """What a comparison with one value missed."""
    exact = op in ("==", "!=")
    match kinds:
        case (_, "missing"):
            return ("missing", int(data.isna().sum()), len(data)) if exact else None
        case ("number", "number"):
            return _rounded(data, op, other) if exact or written else None
        case ("stamp", "text" | "stamp") if exact:
            return _at_another_time(data, other)
        case ("text", "text") if exact:
            return _spelled(data, other, result, op)
        case ("text", "text"):
            return _as_text(data, op, other)
        case (left, right) if exact and left != right:
            return _of_another_type(data, other, left, right)
        case _:
            return None


def _rounded(data: Any, op: str, other: Any) -> _Near | None:
    """Rows on the wrong side of a number because of their last digits."""
    if getattr(data.dtype, "kind", "") != "f" or not math.isfinite(other) or (not other and op not in ("==", "!=")):
        return None
    looked = data if len(data) <= SCANNED else sample(data)
    values = looked.to_numpy(dtype=float, na_value=np.nan)
    with np.errstate(invalid="ignore"):
        # What is left of numbers that should have cancelled out is measured by the largest one.
        around = CLOSE * abs(other) if other else REST * np.nanmax(np.abs(values), initial=0.0)
        close = (np.abs(values - other) <= around) & (values != other)
        if op in ("<", ">="):  # what is a hair below is on the side of the smaller
            close &= values < other
        elif op in ("<=", ">"):
            close &= values > other
    return "rounding", int(close.sum()), len(looked)


def _at_another_time(data: Any, other: Any) -> _Near | None:
    """Rows of the same day (or month, or year, as it is written), but not of its first instant."""
    if isinstance(other, str) and not _PART_OF_A_DATE.fullmatch(other.strip()):
        return None
    moment = pd.Timestamp(other)
    if moment != moment.normalize() or moment.tz is not None:
        return None
    parts = other.strip().count("-") if isinstance(other, str) else 2
    end = moment + (pd.DateOffset(years=1), pd.DateOffset(months=1), pd.DateOffset(days=1))[parts]
    stamps = sample(data).dropna()
    if stamps.dt.tz is not None:
        stamps = stamps.dt.tz_localize(None)
    return "time", int(((stamps > moment) & (stamps < end)).sum()), len(stamps)


def _spelled(data: Any, other: str, result: Any, op: str) -> _Near | None:
    """Rows that differ in case or blanks; of all rows, where a sample has one."""
    wanted = fold(other)
    variants = {v for v in set(texts_of(data)) if v != other and fold(v) == wanted}
    if variants:
        return "spelling", int(data.isin(variants).sum()), len(data)
    if wanted in _WORDS and (not result.any() if op == "==" else bool((result | data.isna()).all())):
        return "word", int(data.isna().sum()), len(data)
    return None


def _as_text(data: Any, op: str, other: str) -> _Near | None:
    """Rows whose place by the letters is not their place by the number."""
    limit = number(other)
    read = numbers_of(texts_of(data)) if limit is not None else []
    compare = _OPERATORS[op]
    return ("digits", sum(compare(v, other) != compare(n, limit) for v, n in read), len(read)) if read else None


def _of_another_type(data: Any, other: Any, left: str, right: str) -> _Near | None:
    """Rows that a person reads as the value, though they are of another type."""
    read = _reader(left, right)
    wanted = read(other) if read else None
    if read is None or wanted is None:
        return None
    near = {v for v in some(data) if kind_of(v) != right and read(v) == wanted}
    if not near and left == "number":  # a column of numbers is scanned as quickly as it was compared
        near = {wanted}
    return "type", int(data.isin(near).sum()) if near else 0, len(data)


def _reader(left: str, right: str) -> Callable[[Any], Any] | None:
    """How values of the two kinds are read so that they can be equal."""
    match {left, right}:
        case kinds if "truth" in kinds and kinds <= {"truth", "text", "mixed"}:
            return truth
        case kinds if kinds & {"day", "stamp"} and kinds <= {"day", "stamp", "text", "mixed"}:
            return day
        case kinds if "number" in kinds and kinds & {"day", "stamp"}:
            return _year
        case kinds if "number" in kinds and kinds <= {"number", "text", "mixed"}:
            return number
        case kinds if kinds == {"mixed", "text"}:
            return _plain
        case _:
            return None


def _year(value: Any) -> Any:
    return value if isinstance(value, int) else getattr(value, "year", None)


def _plain(value: Any) -> Any:
    read = number(value)
    return fold(value) if read is None and isinstance(value, str) else read


def _of_two(data: Any, op: str, other: Any, left: str, right: str) -> _Near | None:
    """What a comparison of two columns missed, among rows evenly spaced."""
    if op not in ("==", "!=") or len(data) != len(other):
        return None
    if left == right == "number":
        found = _rounded_pairs(data, other)
        if found is not None and found[1]:
            return found
    elif left == right == "text":
        if any(isinstance(s.dtype, pd.CategoricalDtype) for s in (data, other)):
            return None
        pairs = [(a, b) for a, b in zip(some(data), some(other), strict=True) if isinstance(a, str)]
        near = sum(isinstance(b, str) and a != b and fold(a) == fold(b) for a, b in pairs)
        if near:
            return "spelling", near, len(pairs)
    elif left != right:
        read = _reader(left, right)
        if read is None or any(isinstance(s.dtype, pd.CategoricalDtype) for s in (data, other)):
            return None
        told = [(a, b) for a, b in zip(some(data), some(other), strict=True) if kind_of(a) != kind_of(b)]
        return "type", sum(read(a) is not None and read(a) == read(b) for a, b in told), len(told)
    if op == "==" or live.is_complete(data) or live.is_complete(other):
        return None
    return "both", int((data.isna() & other.isna()).sum()), len(data)


def _rounded_pairs(data: Any, other: Any) -> _Near | None:
    if "f" not in (getattr(data.dtype, "kind", ""), getattr(other.dtype, "kind", "")):
        return None
    pairs = [s if len(s) <= SCANNED else sample(s) for s in (data, other)]
    a, b = (s.to_numpy(dtype=float, na_value=np.nan) for s in pairs)
    with np.errstate(invalid="ignore"):
        close = (np.abs(a - b) <= CLOSE * np.maximum(np.abs(a), np.abs(b))) & (a != b)
    return "rounding", int(close.sum()), len(a)
