"""Telling live values apart.

Only the exact classes of pandas are recognised where methods are going to be called: a subclass may
override them with code of the analyst's, which a look at a value must not run.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pandas as pd

_GROUPS = (pd.api.typing.DataFrameGroupBy, pd.api.typing.SeriesGroupBy)


def is_pandas_module(value: object) -> bool:
    """Whether `value` is the pandas module itself, as in ``pd.merge``."""
    return value is pd


def module_of(name: str, function: object) -> object:
    """The module that has this function under this name: pandas, NumPy or the builtins; else None."""
    return next((m for m in (pd, np, builtins) if getattr(m, name, None) is function), None)


def is_frame(value: object) -> bool:
    """Whether `value` is a DataFrame, and not of a subclass."""
    return type(value) is pd.DataFrame


def is_series(value: object) -> bool:
    """Whether `value` is a Series, and not of a subclass."""
    return type(value) is pd.Series


def is_groupby(value: object) -> bool:
    """Whether `value` is what ``groupby`` of a frame or series returns."""
    return type(value) in _GROUPS


def is_number_dtype(dtype: Any) -> bool:
    """Whether values of this dtype add up as numbers; truth values do not count."""
    if isinstance(dtype, np.dtype):  # the common case, and pandas asks many questions first
        return dtype.kind in "iufc"
    return bool(pd.api.types.is_numeric_dtype(dtype)) and not pd.api.types.is_bool_dtype(dtype)


def is_complete(data: Any) -> bool:
    """Whether a series has no missing value, told without looking at each; False where that cannot be told so."""
    if isinstance(data.dtype, np.dtype):
        return data.dtype.kind in "iub"
    # Arrow knows how many are missing.
    return isinstance(data.dtype, pd.StringDtype | pd.ArrowDtype) and not data.hasnans


def is_text_dtype(dtype: Any) -> bool:
    """Whether a column of this dtype may hold text."""
    if isinstance(dtype, np.dtype):
        return dtype.kind in "OSU"
    return bool(pd.api.types.is_object_dtype(dtype) or pd.api.types.is_string_dtype(dtype))
