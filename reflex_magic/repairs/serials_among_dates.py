"""Dates as Excel counts them among dates that are written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import dates, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 100_000
_SERIAL = re.compile(r"\d{5}")
_FIRST = datetime(1899, 12, 30)
_NEAR = timedelta(days=366)


class SerialsAmongDates(Repair):
    """`pd.to_datetime` meets a column in which some dates came as Excel's day numbers, and the others as text.

    Each value is read as what it is. That is clear when the day numbers fall among the written dates, or within a
    year of them; otherwise it is offered.

    Silent when the written dates are not of one format.

    Example
    -------
    ::

        import pandas as pd
        visits = pd.Series(["2024-01-15", "45323", "2024-02-02"])
        %%reflect
        visits = pd.to_datetime(visits)
        %%repaired
        visits = pd.to_datetime(visits.map(lambda day: pd.Timestamp("1899-12-30") + pd.Timedelta(days=int(day)) if day.isdigit() else pd.to_datetime(day)))
    """  # noqa: E501  the cell is shown as it is written

    name = "serials-among-dates"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The day numbers counted from Excel's first day."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or not isinstance(node, ast.Call) or not failure.is_a("ValueError") or not node.args:
            return
        if syntax.function_of(cell, node, "pandas") != "to_datetime" or len(node.args) > 1:
            return
        if any(k.arg not in ("format", "dayfirst") for k in node.keywords):
            return
        values = context.values.sample(ast.unparse(node.args[0]), DISTINCT)
        card = context.values.card(ast.unparse(node.args[0]))
        if not values or len(values) >= DISTINCT or card is None or not card.is_series or card.columns[0].missing:
            return
        texts = [v for v in values if isinstance(v, str)]
        serials = [t for t in texts if _SERIAL.fullmatch(t)]
        written = [t for t in texts if t not in serials]
        formats = dates.concrete(written)
        if len(texts) < len(values) or not serials or len(formats) != 1:
            return
        (form,) = formats
        days = [datetime.strptime(t, form) for t in written]
        counted = [_FIRST + timedelta(days=int(t)) for t in serials]
        near = all(min(days) - _NEAR <= c <= max(days) + _NEAR for c in counted)
        pandas, source = syntax.alias(cell, "pandas"), syntax.receiver(cell, node.args[0])
        said = "" if all(dates.ISO.fullmatch(t) for t in written) else f", format={syntax.literal(form)}"
        each = (
            f'lambda day: {pandas}.Timestamp("1899-12-30") + {pandas}.Timedelta(days=int(day))'
            f" if day.isdigit() else {pandas}.to_datetime(day{said})"
        )
        new = f"{syntax.text(cell, node.func)}({source}.map({each}))"
        evidence = (
            f"{len(serials)} of {len(texts)} distinct texts are day numbers, {min(counted):%Y-%m-%d} to"
            f" {max(counted):%Y-%m-%d}; the others are dates from {min(days):%Y-%m-%d} to {max(days):%Y-%m-%d}"
        )
        yield self.offer("some dates are Excel's day numbers", [syntax.replace(cell, node, new)], evidence, sure=near)
