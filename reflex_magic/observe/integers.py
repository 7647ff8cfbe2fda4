"""Whole numbers that do not fit, and percents that are taken for fractions.

Facts of kind `integers`, of ``a + b``, ``a - b``, ``a * b``, ``a ** b``, their methods, ``cumprod`` and ``prod``
    Only where a result is not the number it should be. operation, dtype: of the result. rows, wrapped: results, and
    those of them that do not fit. signed: the dtype has a sign.

Facts of kind `percent`, of ``1 + column``, ``1 - column``, ``a * column`` and a comparison of a column with a number
    column. operation. looked: values that are not 0. above: those of them of 1 or more. largest: the end of the range
    in which all are: 1, 2, 100, or 0 for more. limit: of a comparison, what it is compared with: "fraction" (below 1)
    or "percent" (10 or more).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from reflex_magic.observe import live
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind
from reflex_magic.observe.readings import some

_METHODS = {"add": "+", "sub": "-", "mul": "*", "pow": "**", "subtract": "-", "multiply": "*"}
_BOUNDS = {
    "+": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "-": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "*": lambda a, b: (min(x * y for x in a for y in b), max(x * y for x in a for y in b)),
    "**": lambda a, b: (-(max(map(abs, a)) ** max(b[1], 0)), max(map(abs, a)) ** max(b[1], 0)),
}
_LARGEST_POWER = 64


class Integers(Kind):
    """Arithmetic with whole numbers."""

    name = "integers"
    methods = frozenset({*_METHODS, "cumprod", "prod"})
    operators = frozenset(_BOUNDS)
    arguments = frozenset({"0", "other"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return (live.is_series(receiver) or type(receiver) is np.ndarray) and _is_whole(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        left, result = values["receiver"], values["result"]
        other = values.get("0", values.get("other"))
        if not 0 < len(left) <= ROWS:
            return None
        if call.method in ("cumprod", "prod"):
            return _product(call.method, np.asarray(left), result)
        symbol = _METHODS.get(call.method, call.method)
        array = np.asarray(result)
        if not _is_whole(result) or array.ndim != 1 or not (_is_whole(other) or type(other) is int):
            return None
        right = np.asarray(other)
        if live.is_series(left) and live.is_series(other) and not left.index.equals(other.index):
            return None
        return _wrapped(symbol, np.asarray(left), right, array)

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["wrapped"])


def _is_whole(value: Any) -> bool:
    """Whether a series, an array or a scalar of NumPy is of an integer dtype of NumPy's."""
    dtype = getattr(value, "dtype", None)
    return isinstance(dtype, np.dtype) and dtype.kind in "iu"


def _wrapped(symbol: str, left: Any, right: Any, result: Any) -> Facts | None:
    info = np.iinfo(result.dtype)
    # Of eight bytes a scan would take as long as the operation: a thousandth of the range is left to the sample.
    if info.bits == 64 and symbol != "-":
        low, high = _bounds(symbol, _thinned(left), _thinned(right))
        if info.min // 1000 <= low and high <= info.max // 1000:
            return None
    if info.bits == 64 and symbol == "-" and info.min < 0:
        return None
    low, high = _bounds(symbol, left, right)
    if info.min <= low and high <= info.max:
        return None
    exact = _exactly(symbol, left, right, info.bits == 64)
    if info.bits == 64:  # of floats, only what is surely beyond the range
        wrong = (exact > info.max * 1.0001) | (exact < (info.min * 1.0001 if info.min else -0.5))
    else:
        wrong = exact != result
    wrapped = int(np.asarray(wrong).sum())
    if not wrapped:
        return None
    dtype = str(result.dtype)
    return {"operation": symbol, "dtype": dtype, "rows": result.size, "wrapped": wrapped, "signed": info.min < 0}


def _thinned(values: Any) -> Any:
    return values if values.size <= 1_000 else values[np.linspace(0, values.size - 1, 1_000, dtype=int)]


def _bounds(symbol: str, left: Any, right: Any) -> tuple[int, int]:
    a, b = ((int(v.min()), int(v.max())) for v in (left, right))
    if symbol == "**" and b[1] > _LARGEST_POWER:
        b = (b[0], _LARGEST_POWER)
    low, high = _BOUNDS[symbol](a, b)
    return int(low), int(high)


def _exactly(symbol: str, left: Any, right: Any, wide: bool) -> Any:
    a, b = (v.astype(np.float64 if wide or symbol == "**" else np.int64) for v in (left, right))
    return {"+": np.add, "-": np.subtract, "*": np.multiply, "**": np.power}[symbol](a, b)


def _product(method: str, values: Any, result: Any) -> Facts | None:
    there = np.abs(values[values != 0].astype(float))
    if not len(there) or (method == "prod" and len(there) < len(values)):
        return None
    digits = np.cumsum(np.log2(there))
    if digits[-1] <= 63.01 or not _is_whole(result):
        return None
    wrapped = 1 if method == "prod" else int((digits > 63.01).sum())
    rows = 1 if method == "prod" else len(values)
    return {"operation": method, "dtype": str(result.dtype), "rows": rows, "wrapped": wrapped, "signed": True}


_PERCENT = re.compile(r"(?:^|_|\b)(?:pct|perc|percent\w*|prozent)(?:_|\b|$)|%|percent", re.IGNORECASE)
_RATE = re.compile(
    r"discount|rebate"
    r"|(?:tax|vat|interest|growth|inflation|commission|margin|markup|conversion|churn|return)_?(?:rate|share)?$"
    r"|(?:^|_)(?:rate|share|prob\w*)$",
    re.IGNORECASE,
)
_COMPARISONS = frozenset({"<", "<=", ">", ">="})


class Percent(Kind):
    """A column of percents or fractions in arithmetic or a comparison."""

    name = "percent"
    operators = _COMPARISONS | {"*", "+", "-"}

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver) or type(receiver) in (int, float)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        sides, symbol = (values["receiver"], values["0"]), call.method
        for column, other in (sides, sides[::-1]):
            if not live.is_series(column) or not live.is_number_dtype(column.dtype) or not isinstance(column.name, str):
                continue
            strict = bool(_PERCENT.search(column.name))
            if not strict and not (_RATE.search(column.name) and symbol != "*"):
                continue
            limit = ""
            if symbol in _COMPARISONS:
                if not isinstance(other, (int, float)) or column is sides[1]:
                    continue
                limit = "fraction" if 0 < other < 1 else "percent" if 10 <= other <= 100 else ""
                if not limit:
                    continue
            elif symbol in "+-" and not (isinstance(other, (int, float)) and other == 1):
                continue
            found = _scale(column)
            if found is not None:
                return {"column": column.name, "operation": symbol, "limit": limit, **found}
        return None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["above"] if facts["limit"] != "percent" else facts["looked"] - facts["above"])


def _scale(column: Any) -> Facts | None:
    seen = [abs(v) for v in some(column) if isinstance(v, (int, float)) and math.isfinite(v) and v]
    if not seen:
        return None
    most = max(seen)
    largest = next((end for end in (1, 2, 100) if most <= end), 0)
    return {"looked": len(seen), "above": sum(v >= 1 for v in seen), "largest": largest}
