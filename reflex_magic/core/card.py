"""Bounded plain summaries of what a step did. No live object is in here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

TEXT_LIMIT = 256
"""Longest text of a summary, in characters."""

FOLD_AFTER = 5
"""So many cards in a row without an anomaly are shown as one line."""


def cut(text: str, limit: int = TEXT_LIMIT) -> str:
    """`text`, at most `limit` characters long; what was cut is marked."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


@dataclass(frozen=True, slots=True)
class ColumnCard:
    """One column. `missing` is None where nobody has counted."""

    name: str
    dtype: str
    missing: int | None = None


@dataclass(frozen=True, slots=True)
class ValueCard:
    """One value. For a frame, `columns` are its columns; for a series, the one column.

    `rows` is the length of anything sized, None otherwise. `index` names the index levels
    (`""` for an unnamed level). `text` is a short repr of a scalar, empty for data. Data of other libraries than
    pandas and NumPy have the library's name in their type: "polars.DataFrame", "pyarrow.Table".
    """

    name: str
    type: str
    rows: int | None = None
    columns: tuple[ColumnCard, ...] = ()
    index: tuple[str, ...] = ()
    text: str = ""

    @property
    def is_frame(self) -> bool:
        """Whether this is a two-dimensional table of pandas."""
        return self.type == "DataFrame"

    @property
    def is_series(self) -> bool:
        """Whether this is one column of pandas."""
        return self.type == "Series"


@dataclass(frozen=True, slots=True)
class Card:
    """What one step did: the values it read as they were before, and those it left behind.

    `seconds` is wall time. `digest` is a hash of what the step printed and displayed.
    """

    step: int
    line: int
    source: str
    seconds: float
    before: tuple[ValueCard, ...] = ()
    after: tuple[ValueCard, ...] = ()
    warnings: tuple[str, ...] = ()
    digest: str = ""
    anomaly: bool = False


@dataclass(frozen=True, slots=True)
class Shapes:
    """How the values of a column look, without the values.

    `counts` maps a shape to the number of values that have it, most frequent first. In a shape
    each digit is `9`, each letter `a` or `A`, everything else stands for itself:
    ``"$1,299.00"`` has the shape ``"$9,999.99"``. Missing values are counted apart. `complete`
    is False when only a sample was looked at.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    missing: int = 0
    total: int = 0
    complete: bool = True


def shape(text: str) -> str:
    """The shape of one value; see `Shapes`."""
    return "".join(
        "9" if c.isdecimal() else "A" if c.isupper() else "a" if c.isalpha() else c for c in text[:TEXT_LIMIT]
    )


def fold(cards: Sequence[Card]) -> list[Card | tuple[Card, ...]]:
    """Cards for display: runs of `FOLD_AFTER` or more without an anomaly become one tuple."""
    out: list[Card | tuple[Card, ...]] = []
    run: list[Card] = []

    def close() -> None:
        out.extend([tuple(run)] if len(run) >= FOLD_AFTER else run)
        run.clear()

    for card in cards:
        if card.anomaly or card.warnings:
            close()
            out.append(card)
        else:
            run.append(card)
    close()
    return out
