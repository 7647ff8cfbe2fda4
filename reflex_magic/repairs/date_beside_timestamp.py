"""Days without a time, compared with points in time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import date, datetime

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import origins, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 100_000
_SAID = ("Invalid comparison", "Cannot compare Timestamp with", "not supported between", "unsupported operand")


class DateBesideTimestamp(Repair):
    """A `datetime.date` is compared with, or subtracted from, times of pandas.

    The date becomes the midnight at which it begins. That is clear for ``>=`` and ``<``, for differences, and where
    all times are midnights; for ``>`` and ``<=`` the rest of that day would change sides, so both readings are
    offered. A column of dates becomes a column of times.

    Silent for times with a zone.

    Example
    -------
    ::

        import datetime as dt
        import pandas as pd
        visits = pd.Series(pd.to_datetime(["2024-01-31 10:00", "2024-02-29 11:00"]))
        since = dt.date(2024, 2, 1)
        %%reflect
        late = visits[visits >= since]
        %%repaired
        late = visits[visits >= pd.Timestamp(since)]
    """

    name = "date-beside-timestamp"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The midnight of the day, or the day of the time."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or node is None or not failure.is_a("TypeError"):
            return
        if not any(s in failure.evalue for s in _SAID):
            return
        match node:
            case ast.Compare(left=left, comparators=[right], ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() as op]):
                sides = [left, right]
                # "on the day itself" is in doubt when the time is after a midnight, or not before the end of a day
                clear = isinstance(op, ast.GtE if self._is_time(context, left) else ast.LtE)
                clear = clear or isinstance(op, ast.Lt if self._is_time(context, left) else ast.Gt)
            case ast.BinOp(left=left, right=right, op=ast.Sub()):
                sides, clear = [left, right], True
            case ast.Call(func=ast.Attribute(value=column, attr="between"), args=[low, high]) if not node.keywords:
                sides, clear = [column, low, high], False
            case _:
                return
        days = [s for s in sides if self._is_day(context, s)]
        times = [s for s in sides if s not in days and self._is_time(context, s)]
        if not days or len(days) + len(times) < len(sides) or not times:
            return
        pandas, imports = syntax.import_edits(cell, context, "pandas")
        edits: list[Edit] = [*imports]
        for day in days:
            function = "to_datetime" if self._is_column(context, day) else "Timestamp"
            edits.append(syntax.replace(cell, day, f"{pandas}.{function}({syntax.text(cell, day)})"))
        midnights = all(map(self._at_midnight, [context] * len(times), times))
        evidence = "all times are midnights" if midnights else "a date is the midnight at which it begins"
        sure = clear or midnights or all(self._is_column(context, d) for d in days)
        yield self.offer("the midnight of the day", edits, evidence, sure=sure)
        if not sure and self._is_column(context, times[0]):
            edit = syntax.insert_after(cell, times[0], ".dt.date")
            yield self.offer("the day of the time", [edit], "the whole day counts", sure=False)

    def _values(self, context: Context, node: ast.expr) -> tuple[object, ...]:
        found = origins.origin(context, node)
        values = context.values.sample(ast.unparse(node), DISTINCT)
        if values is None and found is not None:
            values = context.values.sample(found.column, DISTINCT)
        return values or ()

    def _is_day(self, context: Context, node: ast.expr) -> bool:
        values = self._values(context, node)
        return bool(values) and all(isinstance(v, date) and not isinstance(v, datetime) for v in values)

    def _is_time(self, context: Context, node: ast.expr) -> bool:
        card = context.values.card(ast.unparse(node))
        if card is None:
            return False
        if card.is_series:
            return card.columns[0].dtype.startswith("datetime64") and "," not in card.columns[0].dtype
        values = self._values(context, node)
        return bool(values) and all(isinstance(v, datetime) and v.tzinfo is None for v in values)

    def _is_column(self, context: Context, node: ast.expr) -> bool:
        card = context.values.card(ast.unparse(node))
        return card is not None and card.is_series

    @staticmethod
    def _at_midnight(context: Context, node: ast.expr) -> bool:
        card = context.values.card(ast.unparse(node))
        if card is None or not card.is_series:
            return False
        found = context.values.sample(f"(({ast.unparse(node)}) != ({ast.unparse(node)}).dt.normalize()).sum()", 1)
        gaps = card.columns[0].missing or 0
        return found is not None and found[0] == gaps
