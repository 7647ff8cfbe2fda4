"""Sums of text, which pandas forms by putting the texts one behind the other.

Facts of kind `text_sum`
    column: its name. rows: values that went in. sampled: values looked at. numbers: those of them
    that are written numbers. shapes: their shapes, with counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from reflex_magic.core.card import shape
from reflex_magic.observe import live
from reflex_magic.observe.kind import Call, Facts, Kind

SAMPLE = 1_000
SHAPES = 8

_NUMBER = re.compile(r"\s*\(?[-+]?\s*[$€£¥]?\s*[-+]?\d[\d.,'  ]*\s*(?:[€£%]|[A-Z]{3})?\)?\s*")


class TextSum(Kind):
    """``series.sum()`` and ``groups["column"].sum()`` of a text column."""

    name = "text_sum"
    methods = frozenset(["sum"])

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        data = _column(receiver)
        return data is not None and live.is_text_dtype(data.dtype)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, result = _column(values["receiver"]), values["result"]
        if isinstance(result, str):
            joined = True
        else:
            joined = live.is_series(result) and any(isinstance(v, str) for v in result.head(SAMPLE))
        if data is None or not joined:
            return None
        texts = [v for v in data.head(SAMPLE) if isinstance(v, str)]
        numbers = [v for v in texts if _NUMBER.fullmatch(v)]
        return {
            "column": "" if data.name is None else str(data.name),
            "rows": len(data),
            "sampled": len(texts),
            "numbers": len(numbers),
            "shapes": dict(Counter(shape(v) for v in numbers).most_common(SHAPES)),
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["numbers"])


def _column(receiver: Any) -> Any:
    """The column that is summed, of a series or of the groups of one."""
    if live.is_series(receiver):
        return receiver
    if live.is_groupby(receiver) and live.is_series(receiver.obj):
        return receiver.obj
    return None
