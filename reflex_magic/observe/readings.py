"""How a person reads a value that is written in another type than the one it is compared with."""

from __future__ import annotations

import ast
import datetime as dt
import re
from collections.abc import Iterable, Iterator, Set
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe import live

TRUE = frozenset({"true", "t", "yes", "y", "on", "1", "1.0"})
FALSE = frozenset({"false", "f", "no", "n", "off", "0", "0.0"})

SOME = 500
"""Values of a column that are looked at one by one."""

_CURRENCY = "$€£¥₹"
_NUMBER = re.compile(
    rf"\(?[-+]?\s*[{_CURRENCY}]?\s*[-+]?(\d[\d,'\u00a0 ]*)(\.\d*)?([eE][-+]?\d+)?\s*[{_CURRENCY}%]?\)?"
)
_SIGNS = re.compile(rf"[{_CURRENCY}%,'()\u00a0 ]")


def number(value: Any) -> float | None:
    """The number that a text is written for ("1,200", "$5.00", "12%"), or the number itself; None for all else."""
    if isinstance(value, str):
        text = value.strip()
        if not _NUMBER.fullmatch(text):
            return None
        read = float(_SIGNS.sub("", text))
        return -read if text.startswith("(") else read
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool) and value == value:
        return float(value)
    return None


def truth(value: Any) -> bool | None:
    """The truth value that a text is written for, or the truth value itself; None for all else."""
    if isinstance(value, str):
        text = value.strip().lower()
        return True if text in TRUE else False if text in FALSE else None
    return bool(value) if isinstance(value, (bool, np.bool_)) else None


def day(value: Any) -> str | None:
    """The day of a stamp, a date or a text that begins with an ISO date; None for all else."""
    if isinstance(value, str):
        return value.strip()[:10] if re.match(r"\s*\d{4}-\d\d-\d\d\b", value) else None
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    return value.isoformat()[:10] if isinstance(value, dt.date) and value is not pd.NaT else None


def some(data: Any) -> list[Any]:
    """At most `SOME` values of a series, evenly spaced; of a category each value once."""
    if isinstance(data.dtype, pd.CategoricalDtype):
        data = data.dtype.categories
    array = data.array
    if len(array) > SOME:
        array = array.take(np.linspace(0, len(array) - 1, SOME, dtype=int))
    values: list[Any] = (
        array.to_numpy(dtype=object).tolist() if isinstance(array.dtype, pd.StringDtype) else list(array)
    )
    return values


def texts_of(data: Any) -> list[str]:
    """The texts among `some` values of a series."""
    return [v for v in some(data) if isinstance(v, str)]


def kind_of(value: Any) -> str:
    """What a series or a scalar holds.

    One of "number", "truth", "text", "stamp" (a point in time), "day" (a date without time), "missing", "mixed", and
    "" for all else. Of a series of objects, a sample is looked at.
    """
    if not live.is_series(value):
        return _kind_of_scalar(value)
    dtype: Any = value.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return "" if dtype.categories.empty else kind_of(pd.Series(dtype.categories))
    if isinstance(dtype, pd.StringDtype):
        return "text"
    if isinstance(dtype, np.dtype) and dtype.kind != "O":
        return {"b": "truth", "i": "number", "u": "number", "f": "number", "M": "stamp"}.get(dtype.kind, "")
    if isinstance(dtype, pd.DatetimeTZDtype):
        return "stamp"
    if pd.api.types.is_bool_dtype(dtype) or pd.api.types.is_numeric_dtype(dtype):
        return "truth" if pd.api.types.is_bool_dtype(dtype) else "number"
    if not pd.api.types.is_object_dtype(dtype):
        return ""
    kinds = {_kind_of_scalar(v) for v in some(value)} - {"missing"}
    return kinds.pop() if len(kinds) == 1 else "mixed" if kinds else ""


def numbers_of(texts: Iterable[Any], share: float = 0.9) -> list[tuple[str, float]]:
    """The texts with the numbers that they are written for; nothing where fewer than `share` of them are numbers."""
    told = [(v, number(v)) for v in texts if isinstance(v, str) and v.strip()]
    found = [(v, n) for v, n in told if n is not None]
    return found if found and len(found) >= share * len(told) else []


def aggregated(node: ast.AST, functions: Set[str]) -> set[str]:
    """The columns that a call of `agg` gives to one of the functions, as far as both are written.

    ``agg({"eur": "sum"})`` and ``agg(total=("eur", "sum"))``.
    """
    found: set[str] = set()
    for part in ast.walk(node):
        match part:
            case ast.Tuple(elts=[ast.Constant(value=str() as name), how]):
                pairs = [(name, how)]
            case ast.Dict(keys=keys, values=hows):
                pairs = [(str(k.value), h) for k, h in zip(keys, hows, strict=True) if isinstance(k, ast.Constant)]
            case _:
                continue
        for name, how in pairs:
            if not functions.isdisjoint(_names(how)):
                found.add(name)
    return found


def _names(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        match part:
            case ast.Constant(value=str() as name) | ast.Attribute(attr=name):
                yield name


def _kind_of_scalar(value: Any) -> str:
    match value:
        case str():
            return "text"
        case bool() | np.bool_():
            return "truth"
        case None:
            return "missing"
        case _ if value is pd.NaT or value is pd.NA or (isinstance(value, float) and value != value):
            return "missing"
        case int() | float() | np.integer() | np.floating():
            return "number"
        case dt.datetime() | np.datetime64():
            return "stamp"
        case dt.date():
            return "day"
        case _:
            return ""
