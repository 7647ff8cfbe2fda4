"""Telling live values apart without importing the libraries they come from.

Only the exact classes of a library are recognised where methods are going to be called: a subclass
may override them with code of the analyst's, which a look at a value must not run.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


def pandas() -> Any:
    """The pandas module if it is loaded, else None."""
    return sys.modules.get("pandas")


def numpy() -> Any:
    """The numpy module if it is loaded, else None."""
    return sys.modules.get("numpy")


def is_pandas_module(value: object) -> bool:
    """Whether `value` is the pandas module itself, as in ``pd.merge``."""
    return isinstance(value, ModuleType) and value is pandas()


def is_frame(value: object) -> bool:
    """Whether `value` is a DataFrame, and not of a subclass."""
    pd = pandas()
    return pd is not None and type(value) is pd.DataFrame


def is_series(value: object) -> bool:
    """Whether `value` is a Series, and not of a subclass."""
    pd = pandas()
    return pd is not None and type(value) is pd.Series


def is_groupby(value: object) -> bool:
    """Whether `value` is what ``groupby`` of a plain frame or series returns."""
    pd = pandas()
    if pd is None:
        return False
    return type(value) in (pd.api.typing.DataFrameGroupBy, pd.api.typing.SeriesGroupBy)


def is_number_dtype(dtype: object) -> bool:
    """Whether values of this dtype add up as numbers; truth values do not count."""
    types = pandas().api.types
    return bool(types.is_numeric_dtype(dtype)) and not types.is_bool_dtype(dtype)


def is_text_dtype(dtype: object) -> bool:
    """Whether a column of this dtype may hold text."""
    types = pandas().api.types
    return bool(types.is_object_dtype(dtype) or types.is_string_dtype(dtype))
