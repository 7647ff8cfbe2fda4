"""Sums of text, which pandas forms by putting the texts one behind the other.

Facts of kind `text_sum`
    column: its name. rows: values that went in. sampled: values looked at. numbers: those of them
    that are written numbers. shapes: their shapes, with counts. operation: "sum", "cumsum", "+" or "*".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from reflex_magic.core.card import shape
from reflex_magic.observe import live
from reflex_magic.observe.kind import Call, Facts, Kind
from reflex_magic.observe.readings import aggregated

SAMPLE = 1_000
SHAPES = 8

_NUMBER = re.compile(r"\s*\(?[-+]?\s*[$€£¥]?\s*[-+]?\d[\d.,'  ]*\s*(?:[€£%]|[A-Z]{3})?\)?\s*")


class TextSum(Kind):
    """``sum`` and ``cumsum`` of a text column, also in ``agg``, and ``+`` and ``*`` with one."""

    name = "text_sum"
    methods = frozenset(["sum", "cumsum", "agg", "aggregate"])
    operators = frozenset(["+", "*"])
    arguments = frozenset(["0"])

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        data = _data(receiver)
        return live.is_frame(data) or (live.is_series(data) and live.is_text_dtype(data.dtype))

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        told = [_numbers(column, call.method) for column in _joined(call, values)]
        return max((f for f in told if f), key=self.telling, default=None)

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["numbers"])


def _data(receiver: Any) -> Any:
    """The series or frame itself, of groups the one that was grouped."""
    return receiver.obj if live.is_groupby(receiver) else receiver


def _joined(call: Call, values: Mapping[str, Any]) -> Iterator[Any]:
    """The text columns whose texts were put one behind the other."""
    data, result, method = _data(values["receiver"]), values["result"], call.method
    if method in ("agg", "aggregate"):
        named = aggregated(call.node, {"sum"})
        if live.is_series(data):
            if "sum" in call.words:
                yield data
        else:
            yield from (data[name] for name in data.columns if name in named and live.is_text_dtype(data.dtypes[name]))
    elif live.is_frame(data):
        if method in ("sum", "cumsum") and (live.is_frame(result) or live.is_series(result)):
            labels = result.columns if live.is_frame(result) else result.index
            yield from (data[name] for name in labels if name in data.columns and _is_text(data[name]))
    elif method in ("+", "*"):
        other = values["0"]
        if method == "*" or (live.is_series(other) and _is_text(other) and _numbers(other, method)):
            yield data
    elif isinstance(result, str) or (live.is_series(result) and any(isinstance(v, str) for v in result.head(SAMPLE))):
        yield data


def _is_text(column: Any) -> bool:
    return live.is_series(column) and live.is_text_dtype(column.dtype)


def _numbers(data: Any, operation: str) -> Facts | None:
    """How many texts of a column are written numbers; None where nothing in it is."""
    texts = [v for v in data.head(SAMPLE) if isinstance(v, str)]
    numbers = [v for v in texts if _NUMBER.fullmatch(v)]
    if not texts:
        return None
    return {
        "column": "" if data.name is None else str(data.name),
        "rows": len(data),
        "sampled": len(texts),
        "numbers": len(numbers),
        "shapes": dict(Counter(shape(v) for v in numbers).most_common(SHAPES)),
        "operation": operation,
    }
