"""Conversions that may turn a value into a missing one.

Facts of kind `coerce`
    function: what was called. errors: the `errors` argument ("raise" where none was written).
    values: values that went in. missing_before, missing_after: missing ones before and after.
    lost: values that were there and are missing now. markers: those of them that only say that
    there is no value ("", "-", "n/a"). digits: those of them that are no markers and hold a digit.
    shapes: shapes of the lost values that are no markers, with counts, most frequent first.
    sampled: how many lost values `markers`, `digits` and `shapes` are about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from reflex_magic.core.card import cut, shape
from reflex_magic.observe import live
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind

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
