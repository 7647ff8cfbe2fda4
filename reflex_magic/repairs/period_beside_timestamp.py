"""Periods compared with points in time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class PeriodBesideTimestamp(Repair):
    """A column of periods is compared with a point in time.

    The periods are compared by the times at which they begin. That is clear for ``>=`` and ``<`` with the first
    moment of a period, where no period is cut; otherwise it is offered.

    Silent when the other side is no point in time.

    Example
    -------
    ::

        import pandas as pd
        months = pd.Series(pd.period_range("2024-01", periods=3, freq="M"))
        %%reflect
        late = months[months >= pd.Timestamp("2024-02-01")]
        %%repaired
        late = months[months.dt.to_timestamp() >= pd.Timestamp("2024-02-01")]
    """

    name = "period-beside-timestamp"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The beginnings of the periods."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or not failure.is_a("TypeError") or "period[" not in failure.evalue:
            return
        match node:
            case ast.Compare(left=left, comparators=[right], ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() as op]):
                pass
            case _:
                return
        card = context.values.card(ast.unparse(left))
        stamp = context.values.card(ast.unparse(right))
        if card is None or not card.is_series or not card.columns[0].dtype.startswith("period["):
            return
        if stamp is None or stamp.type not in ("Timestamp", "datetime"):
            return
        frequency = card.columns[0].dtype[len("period[") : -1]
        moment = ast.unparse(right)
        begins = f"{syntax.alias(cell, 'pandas')}.Timestamp({moment})"
        start = context.values.sample(f"{begins}.to_period({frequency!r}).start_time == {begins}", 1)
        if start is None:
            start = context.values.sample(f"{begins} == {begins}.normalize()", 1) if frequency == "D" else None
            first = context.values.sample(f"{begins}.day", 1) if frequency == "M" else None
            midnight = context.values.sample(f"{begins} == {begins}.normalize()", 1)
            start = (True,) if first == (1,) and midnight == (True,) else start
        edit = syntax.replace(cell, left, f"{syntax.receiver(cell, left)}.dt.to_timestamp()")
        sure = start == (True,) and isinstance(op, (ast.GtE, ast.Lt))
        evidence = "the time is the beginning of a period" if start == (True,) else "the time lies within a period"
        yield self.offer("compare the beginnings of the periods", [edit], evidence, sure=sure)
