"""Conversions that may turn a value into a missing one.

Facts of kind `coerce`
    function: what was called. errors: the `errors` argument ("raise" where none was written).
    values: values that went in. missing_before, missing_after: missing ones before and after.
    lost: values that were there and are missing now. markers: those of them that only say that
    there is no value ("", "-", "n/a"). digits: those of them that are no markers and hold a digit.
    shapes: shapes of the lost values that are no markers, with counts, most frequent first.
    sampled: how many lost values `markers`, `digits` and `shapes` are about.

Facts of kind `cast`, of ``series.astype(...)``, ``series.map(int)`` and the like
    Only where one of these is not 0. column, rows, to: the name of the type. cut: rows that lost a fraction.
    slipped: those of them that were a hair below the next whole number. wrapped: numbers that were too large for the
    type and became other ones. dotted: rows of whole numbers that became text such as "5.0". untrue: rows of texts
    such as "False" or "0" that became True. words: the different texts, where each means true or false. looked: for
    `dotted`, `untrue` and `words`, how many were looked at. gaps: of the values that became `dotted`, some are
    missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.core.card import cut, shape
from reflex_magic.observe import live
from reflex_magic.observe.keys import sample
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind
from reflex_magic.observe.readings import SOME, some, truth

MARKERS = frozenset(
    {"", "-", "--", "---", "–", "—", ".", "..", "...", "?", "*", "/", "x", "n/a", "#n/a", "na", "n.a.", "n.a", "nan"}
    | {"nat", "none", "null", "nil", "void", "empty", "blank", "unknown", "missing", "tbd", "tba", "not available"}
    | {"not applicable", "not known", "no data", "no value", "unspecified", "undefined", "(blank)", "<na>"}
)
"""Texts, in lower case, that stand where there is no value."""

SAMPLE = 10_000
"""Lost values that are looked at, from the first on."""

SHAPES = 8
"""Shapes that are noted."""

SHAPE_LENGTH = 40
"""Longest shape that is noted whole, in characters."""

_CONVERTERS = frozenset(["to_numeric", "to_datetime", "to_timedelta"])


class Coercion(Kind):
    """``pd.to_numeric`` and its kin, ``astype``, and ``apply(pd.to_numeric)``."""

    name = "coerce"
    methods = _CONVERTERS | {"astype", "apply"}
    functions = _CONVERTERS
    arguments = frozenset(["0", "arg", "errors"])

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_pandas_module(receiver) or live.is_series(receiver) or live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        function, before = call.method, values["receiver"]
        if function in _CONVERTERS:
            before = values.get("0", values.get("arg"))
        elif function == "apply":
            function = getattr(values.get("0"), "__name__", "")
            if function not in _CONVERTERS:
                return None
        lost: list[Any] = []
        counts = Counter({"values": 0, "missing_before": 0, "missing_after": 0, "lost": 0})
        for old, new in _columns(before, values["result"]):
            if live.is_complete(new):
                counts.update(values=len(old))
                continue
            was, now = old.isna().to_numpy(), new.isna().to_numpy()
            gone = ~was & now
            counts.update(values=len(old), missing_before=was.sum(), missing_after=now.sum(), lost=gone.sum())
            if len(lost) < SAMPLE and gone.any():
                lost += old[gone].head(SAMPLE - len(lost)).tolist()
        if not counts["values"]:
            return None
        return {
            "function": function,
            "errors": str(values.get("errors", "raise")),
            **{name: int(count) for name, count in counts.items()},
            **_looks(lost),
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["lost"] - facts["markers"])


def _columns(before: Any, after: Any) -> Iterator[tuple[Any, Any]]:
    """Pairs of columns before and after; none where rows or columns do not correspond."""
    if live.is_series(before) and live.is_series(after):
        if len(before) == len(after) <= ROWS:
            yield before, after
    elif live.is_frame(before) and live.is_frame(after) and before.shape == after.shape and before.size <= ROWS:
        for i in range(before.shape[1]):
            yield before.iloc[:, i], after.iloc[:, i]


def _looks(lost: list[Any]) -> Facts:
    shapes: Counter[str] = Counter()
    markers = digits = 0
    for value in lost:
        if not isinstance(value, str):
            shapes[f"<{type(value).__name__}>"] += 1
        elif value.strip().lower() in MARKERS:
            markers += 1
        else:
            shapes[cut(shape(value), SHAPE_LENGTH)] += 1
            digits += any(c.isdecimal() for c in value)
    return {"markers": markers, "digits": digits, "shapes": dict(shapes.most_common(SHAPES)), "sampled": len(lost)}


SCANNED = 20_000
"""Rows in which a fraction is looked for; of more, among rows evenly spaced."""

HAIR = 1e-6
"""So little below a whole number, a fraction comes from rounding."""


class Cast(Kind):
    """``series.astype(...)``, and ``map`` or ``apply`` of ``int``, ``str`` and ``bool``."""

    name = "cast"
    methods = frozenset({"astype", "map", "apply"})
    arguments = frozenset({"0"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        before, after = values["receiver"], values["result"]
        if not live.is_series(after) or not 0 < len(before) <= ROWS:
            return None
        if call.method != "astype" and not any(values.get("0") is t for t in (int, str, bool)):
            return None
        found = _cast(before, after)
        if not any(found.values()):
            return None
        column = "" if before.name is None else str(before.name)
        looked = min(len(before), SOME)
        return {"column": column, "rows": len(before), "to": str(after.dtype), "looked": looked, **found}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(sum(facts.get(n, 0) for n in ("cut", "wrapped", "dotted", "untrue")))


def _cast(before: Any, after: Any) -> Facts:
    """What a conversion made of the values."""
    old, new = _letter(before), _letter(after)
    if old == "f" and new in "iu":
        found = _narrowed(np.asarray(before), np.asarray(after)) if after.dtype.itemsize < 8 else {}
        looked = np.asarray(before if len(before) <= SCANNED else sample(before), dtype=float)
        left = np.abs(looked) % 1
        return found | {"cut": int((left != 0).sum()), "slipped": int((left > 1 - HAIR).sum())}
    if old in "iu" and new in "iu":
        return _narrowed(np.asarray(before), np.asarray(after))
    if old == "f" and live.is_text_dtype(after.dtype):
        seen = pd.Series(some(before))
        there = seen.dropna()
        whole = len(there) > 0 and bool((there % 1 == 0).all())
        if whole and str(after.dropna().iloc[0]).endswith(".0"):
            return {"dotted": len(there), "gaps": len(there) < len(seen)}
        return {}
    if live.is_text_dtype(before.dtype) and pd.api.types.is_bool_dtype(after.dtype):
        seen, made = some(before), some(after)
        untrue = sum(isinstance(v, str) and truth(v) is False and bool(m) for v, m in zip(seen, made, strict=True))
        known = all(truth(v) is not None for v in seen)
        return {"untrue": untrue, "words": tuple(sorted({v for v in seen if isinstance(v, str)})) if known else ()}
    return {}


def _letter(data: Any) -> str:
    """The kind of a dtype of NumPy's; "?" of any other."""
    return data.dtype.kind if isinstance(data.dtype, np.dtype) else "?"


def _narrowed(before: Any, after: Any) -> Facts:
    if before.dtype == after.dtype:
        return {}
    info = np.iinfo(after.dtype)
    if info.min <= int(before.min()) and int(before.max()) <= info.max:
        return {}
    return {"wrapped": int(((before < info.min) | (before > info.max)).sum())}
