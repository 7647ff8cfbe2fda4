"""Live values as plain summaries."""

from __future__ import annotations

from functools import lru_cache
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.core.card import ColumnCard, ValueCard, cut
from reflex_magic.observe import live
from reflex_magic.observe.other_frames import is_column, is_table, library, schema

COLUMNS = 100
"""Columns of a frame on the card of a step; a summary that somebody asks for holds them all."""

SUM_ROWS = 1_000_000
"""Longest series that is added up or counted for a short text."""

_SIZED = (list, tuple, dict, set, frozenset, bytes, bytearray)
_UNREMARKABLE = (ModuleType, FunctionType, BuiltinFunctionType, MethodType, type)
_PLAIN = frozenset({bool, int, float, complex, type(None)})
_PLAIN_OF_PANDAS = frozenset({pd.Timestamp, pd.Timedelta, pd.Period, pd.Interval, type(pd.NaT), type(pd.NA)})
_PLAIN_MODULES = ("datetime", "decimal", "fractions", "pathlib", "uuid")


def describe(name: str, value: Any, *, count_missing: bool = False) -> ValueCard:
    """The summary of one value.

    Parameters
    ----------
    name
        What the value is called in the cell.
    value
        Anything. Nothing that its class defines is run unless the class is that of a data library or built in.
    count_missing
        Count missing values per column, over all columns. Without it nothing is scanned, `missing` is
        None, and only the first `COLUMNS` columns of a frame are named.
    """
    kind = type(value).__name__
    try:
        return _describe(name, kind, value, count_missing)
    except Exception:  # noqa: BLE001 - a value that cannot be looked at still has a name and a type
        return ValueCard(name, kind)


def _describe(name: str, kind: str, value: Any, count_missing: bool) -> ValueCard:
    # Not isinstance: it asks the object for its class, and a proxy answers by running code.
    own = type(value)
    if issubclass(own, pd.DataFrame):
        labels, dtypes = value.columns.tolist(), value.dtypes.tolist()
        if count_missing:
            missing = [int(value.iloc[:, i].isna().sum()) for i in range(len(labels))]
            columns = tuple(map(ColumnCard, map(str, labels), map(_dtype, dtypes), missing))
        else:
            columns = tuple(map(ColumnCard, map(str, labels[:COLUMNS]), map(_dtype, dtypes[:COLUMNS])))
        return ValueCard(name, kind, len(value), columns, _levels(value.index))
    if issubclass(own, (pd.Series, pd.Index)):
        gaps = int(np.sum(value.isna())) if count_missing and own is not pd.MultiIndex else None
        column = ColumnCard("" if value.name is None else str(value.name), _dtype(value.dtype), gaps)
        index = _levels(value.index if issubclass(own, pd.Series) else value)
        return ValueCard(name, kind, len(value), (column,), index)
    if issubclass(own, np.ndarray) and value.ndim:
        return ValueCard(name, kind, value.shape[0], (ColumnCard("", str(value.dtype)),))
    if own in _SIZED:
        return ValueCard(name, kind, len(value))
    if is_table(value) or is_column(value):
        columns = tuple(
            ColumnCard(label, dtype) for label, dtype in schema(value)[: None if count_missing else COLUMNS]
        )
        return ValueCard(name, f"{library(value)}.{kind}", len(value), columns)
    return ValueCard(name, kind, text=scalar(value) or "")


def remarkable(value: object) -> bool:
    """Whether a card of this value tells anything: data and plain values do, code does not."""
    return not issubclass(type(value), _UNREMARKABLE)


def scalar(value: Any) -> str | None:
    """A plain value as short text; None for anything else."""
    if type(value) is str:
        return cut(repr(value[:400]))
    if type(value) is int and value.bit_length() > 1024:
        return f"an integer of {value.bit_length()} bits"
    if issubclass(type(value), np.generic) and type(value).__module__ == "numpy":
        # A datetime64 of nanoseconds would become a bare integer, which says less than the value itself.
        return cut(str(value) if isinstance(value, (np.datetime64, np.timedelta64)) else repr(value.item()))
    plain = type(value) in _PLAIN | _PLAIN_OF_PANDAS or type(value).__module__ in _PLAIN_MODULES
    return cut(repr(value)) if plain else None


def brief(value: Any) -> str:
    """A value in a few words: a scalar's repr, otherwise what it is and how large."""
    text = scalar(value)
    if text is not None:
        return text
    card = describe("", value)
    if card.rows is None:
        return cut(card.type)
    if card.is_frame:
        return f"DataFrame of {card.rows} rows, {value.shape[1]} columns"
    if not card.columns:
        return f"{card.type} of {card.rows}"
    return cut(f"{card.type} of {card.rows} {card.columns[0].dtype}{_total(value, card.rows)}")


def flags(value: Any, wanted: bool) -> str:
    """How many of a series or array of truth values are `wanted`, as `all` and `any` look at them."""
    if live.is_series(value):
        if str(value.dtype) not in ("bool", "boolean", "bool[pyarrow]"):
            return brief(value)
        count = int(value.sum()) if wanted else int((~value).sum())
        return f"{count} of {len(value)} are {wanted}"
    if type(value) is np.ndarray and value.dtype == bool:
        true = int(value.sum())
        return f"{true if wanted else value.size - true} of {value.size} are {wanted}"
    return brief(value)


def _total(value: Any, rows: int) -> str:
    """What a series of numbers adds up to, as the end of a text; empty for anything else."""
    if not live.is_series(value) or rows > SUM_ROWS:
        return ""
    if str(value.dtype) in ("bool", "boolean"):
        return f", {flags(value, False)}"
    return f", sum {scalar(value.sum())}" if live.is_number_dtype(value.dtype) else ""


def _dtype(dtype: Any) -> str:
    return _numpy_dtype(dtype) if isinstance(dtype, np.dtype) else str(dtype)


@lru_cache(maxsize=256)
def _numpy_dtype(dtype: np.dtype[Any]) -> str:
    """The text of a NumPy dtype, which takes NumPy microseconds to make, for each column of each card."""
    return str(dtype)


def mark(value: Any) -> tuple[int, ...]:
    """Differs for a value that was replaced, has grown or shrunk or got other columns; made in a microsecond."""
    if type(value) is pd.DataFrame:
        return id(value), id(value.columns), *value.shape
    if type(value) in (pd.Series, np.ndarray):
        return id(value), *value.shape
    if is_table(value):
        return id(value), *value.shape
    return (id(value), len(value)) if type(value) in _SIZED else (id(value),)


def _levels(index: Any) -> tuple[str, ...]:
    return tuple("" if n is None else str(n) for n in index.names)
