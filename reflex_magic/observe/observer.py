"""The observer of one run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reflex_magic.core.card import Card, ValueCard, cut
from reflex_magic.core.cell import Cell
from reflex_magic.core.outcome import Operand, Operation
from reflex_magic.observe.adding import TextSum
from reflex_magic.observe.alignment import Alignment, Arithmetic
from reflex_magic.observe.averages import Averaging, Filling
from reflex_magic.observe.binning import BinLabels, Binning
from reflex_magic.observe.cards import describe, mark, remarkable
from reflex_magic.observe.coercion import Cast, Coercion
from reflex_magic.observe.combining import AsOf, Beside, Selecting, Stacking
from reflex_magic.observe.comparing import Comparing, Contained
from reflex_magic.observe.dating import Epoch, NumberDates, Parsing
from reflex_magic.observe.expressions import ARROW, POLARS
from reflex_magic.observe.filtering import Between, Invert, Mask, Shares
from reflex_magic.observe.grouping import Aggregation, Counting, CrossTable, Grouping, Pivoting
from reflex_magic.observe.integers import Integers, Percent
from reflex_magic.observe.lookups import Deduplicating, Lookup, Membership, Table
from reflex_magic.observe.merging import Merging
from reflex_magic.observe.names import Touched, touched
from reflex_magic.observe.nothing import Nothing
from reflex_magic.observe.ordering import TextOrder
from reflex_magic.observe.other_frames import TABLES, Joined, Stacked, Unique
from reflex_magic.observe.picking import Ends, PickLabel, Ties
from reflex_magic.observe.probes import Assertion, CallSite, Instrumenter, Site, Tables, tables
from reflex_magic.observe.reading import Constructing, Reading
from reflex_magic.observe.recoding import Recoding
from reflex_magic.observe.rows import RowOrder
from reflex_magic.observe.sequences import (
    DayMoves,
    Elapsed,
    Localize,
    Periods,
    ReindexTimes,
    RowSteps,
    StepsBack,
    TimeOrder,
)  # fmt: skip
from reflex_magic.observe.stamps import (
    CalendarPart,
    DurationPart,
    LastDay,
    NameOrder,
    StampDays,
    TextDates,
    UtcPart,
)  # fmt: skip
from reflex_magic.observe.texts import Distinct, Elementwise, ReplaceWhole, Text
from reflex_magic.observe.writing import Applied, InPlace, NotKept, PartWriting, RowLoop

_KINDS = tables((
    Pivoting(), Merging(), Coercion(), TextSum(), Recoding(), Alignment(),
    AsOf(), Beside(), Selecting(), Stacking(), Deduplicating(), Lookup(), Membership(), Table(),
    Comparing(), Contained(), Mask(), Invert(), Between(), Shares(), Text(), ReplaceWhole(), Distinct(),
    Elementwise(), TextOrder(), Integers(), Percent(), Cast(),
    Parsing(), NumberDates(), Epoch(), DurationPart(), CalendarPart(), UtcPart(), LastDay(),
    TextDates(), NameOrder(), StampDays(), RowSteps(), TimeOrder(), StepsBack(), Periods(), DayMoves(),
    Localize(), Elapsed(), ReindexTimes(),
    PartWriting(), InPlace(), RowLoop(), NotKept(),
    Reading(), Constructing(),
    RowOrder(),
    Counting(),
    CrossTable(),
    Averaging(),
    Filling(),
    Ends(),
    PickLabel(),
    Ties(),
    Binning(),
    Nothing(),
    Arithmetic(),
    BinLabels(),
    Applied(),
    Joined(),
    Stacked(),
    *ARROW,
))  # fmt: skip
"""The kinds that remember nothing, for all runs."""

_WITH_POLARS = tables((Unique(), *POLARS), _KINDS)
"""With those that are needed only where polars is loaded, or is going to be."""


class CellObserver:
    """Implements `core.ports.Observer`.

    Facts are made while a value passes and hold no reference to it. A failure of ours inside a
    probe or a card is never seen by the cell: there is less to tell, that is all.
    """

    def __init__(self) -> None:
        grouping = Grouping()  # it remembers the groupings of the run
        self._grouping = (grouping, Aggregation(grouping))
        self._kinds = tables(self._grouping, _KINDS)
        self._with_polars: Tables | None = None
        self._sites: list[Site] = []
        self._steps: dict[int, tuple[str, int, Touched]] = {}
        self._asserted: Assertion | None = None
        self._before: tuple[ValueCard, ...] = ()
        self._marks: dict[str, tuple[int, ...]] = {}
        self._cards: dict[str, tuple[tuple[int, ...], ValueCard | None]] = {}
        self._ranges: dict[int, slice] = {}
        self._inside: list[Site] = []

    def instrument(self, node: ast.stmt, step: int, cell: Cell) -> ast.stmt:
        """The statement with probes; `node` itself where nothing is watched."""
        source = cut(cell.steps[step].source) if step < len(cell.steps) else ""
        known = len(self._sites)
        try:
            self._steps[step] = (source, node.lineno, touched(node))
            changed = Instrumenter(cell, step, self._kinds_of(cell), self._add, self._ran).instrument(node)
        except RecursionError:  # an expression of a thousand terms runs, but cannot be walked
            del self._sites[known:]
            self._steps[step] = (source, node.lineno, Touched())
            return node
        self._ranges[step] = slice(known, len(self._sites))
        return changed

    def instrument_function(self, node: ast.FunctionDef, step: int, cell: Cell) -> ast.FunctionDef:
        """The function with probes in its body; `node` itself where nothing is watched."""
        known = len(self._sites)
        try:
            changed = Instrumenter(cell, step, self._kinds_of(cell), self._add, self._ran).instrument_function(node)
        except RecursionError:  # as in `instrument`
            del self._sites[known:]
            return node
        self._inside += self._sites[known:]
        return changed

    def probe(self, site: int, role: str, value: Any) -> Any:
        """Note `value` and return it."""
        try:
            self._sites[site].note(role, value)
        except Exception:  # noqa: BLE001 - what cannot be told is not told; the cell goes on
            self._sites[site].forget()
        return value

    def before(self, step: int, namespace: Mapping[str, Any]) -> None:
        """Look at the values that the step reads."""
        _, _, names = self._steps.get(step, ("", 0, Touched()))
        self._before = self._describe(names.reads, namespace)
        self._marks = {n: self._cards[n][0] for n in names.reads if n in self._cards and n in namespace}

    def after(
        self, step: int, namespace: Mapping[str, Any], seconds: float, warnings: Sequence[str], digest: str
    ) -> Card:
        """The card of a step that ran or raised: what it wrote, and what it made longer, wider or shorter."""
        for site in (*self._of_step(step), *self._inside):
            site.forget()
        source, line, names = self._steps.get(step, ("", 0, Touched()))
        before, self._before = self._before, ()
        changed = [n for n, known in self._marks.items() if n in namespace and mark(namespace[n]) != known]
        for name in names.stores:
            self._cards.pop(name, None)
        after = self._describe(dict.fromkeys([*names.stores, *changed]), namespace)
        return Card(
            step, line, source, seconds, before, after, tuple(map(cut, warnings)), digest,
            anomaly=_emptied(before, after) or any(self._telling(step)),
        )  # fmt: skip

    def operations(self) -> tuple[Operation, ...]:
        """What was observed so far, in the order of the source."""
        found = [op for site in self._sites if isinstance(site, CallSite) for op in site.operations()]
        return tuple(sorted(found, key=lambda op: (op.step, op.span)))

    def operands(self) -> tuple[Operand, ...]:
        """The parts of the assertion that ran last, in the order of their evaluation."""
        return tuple(self._asserted.noted.values()) if self._asserted else ()

    def _kinds_of(self, cell: Cell) -> Tables:
        """The kinds that a cell may need: those of polars only where it is loaded, or named."""
        if "polars" not in sys.modules and "polars" not in cell.body:
            return self._kinds
        self._with_polars = self._with_polars or tables(self._grouping, _WITH_POLARS)
        return self._with_polars

    def _add(self, site: Site) -> int:
        self._sites.append(site)
        return len(self._sites) - 1

    def _ran(self, assertion: Assertion) -> None:
        self._asserted = assertion

    def _of_step(self, step: int) -> list[Site]:
        return self._sites[self._ranges[step]] if step in self._ranges else []

    def _telling(self, step: int) -> list[bool]:
        return [s.telling() for s in self._of_step(step) if isinstance(s, CallSite)]

    def _describe(self, names: Iterable[str], namespace: Mapping[str, Any]) -> tuple[ValueCard, ...]:
        """Cards of the values of names; that of a value which no step has stored or resized since is made once."""
        cards = []
        for name in names:
            if name not in namespace or not remarkable(value := namespace[name]):
                continue
            now, (known, card) = mark(value), self._cards.get(name, ((), None))
            if card is None or known != now:
                card = describe(name, value)
                self._cards[name] = now, card
            cards.append(card)
        return tuple(cards)


def _emptied(before: Sequence[ValueCard], after: Sequence[ValueCard]) -> bool:
    """Whether data went in and a table or column without rows came out."""
    return any(c.rows for c in before) and any(
        c.rows == 0 and (c.is_frame or c.is_series or c.type in TABLES) for c in after
    )
