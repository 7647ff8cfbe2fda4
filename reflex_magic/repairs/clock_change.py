"""Local times at which the clock is put forward or back."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_BACK = 10
"""More steps back in time than this are no clock changes."""


_ERRORS = ("ValueError", "AmbiguousTimeError", "NonExistentTimeError")
"""pandas 2 raises those of pytz, which are no `ValueError`."""
_NONEXISTENT = {
    "shift_forward": "put hours that do not exist to the next that does",
    "NaT": "leave hours that do not exist missing",
}


class ClockChange(Repair):
    """`tz_localize` meets an hour that is there twice in autumn, or one that is not there in spring.

    Where the times are in order but for one step back in each night of a change, the order tells which hour is
    which: ``ambiguous="infer"``. Otherwise what can be done is offered: leave such times missing, or put times that
    do not exist to the next that does.

    Silent where the arguments are given.

    Example
    -------
    ::

        import pandas as pd
        at = pd.Series(pd.to_datetime(["2024-10-27 02:00", "2024-10-27 02:30", "2024-10-27 02:00", "2024-10-27 02:30"]))
        %%reflect
        local = at.dt.tz_localize("Europe/Berlin")
        %%repaired
        local = at.dt.tz_localize("Europe/Berlin", ambiguous="infer")
    """

    name = "clock-change"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """How to read the hour."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or not isinstance(node, ast.Call) or not failure.is_a(*_ERRORS):
            return
        if not isinstance(node.func, ast.Attribute) or node.func.attr != "tz_localize":
            return
        if "Cannot infer dst time" in failure.evalue and not syntax.keyword(node, "ambiguous"):
            steps = self._steps_back(context, node.func.value)
            if steps:
                edit = syntax.add_keyword(cell, node, "ambiguous", '"infer"')
                evidence = f"the times are in order, but for {steps} steps back of an hour or less, as clocks are put"
                yield self.offer("the order tells which hour it is", [edit], evidence)
            edit = syntax.add_keyword(cell, node, "ambiguous", '"NaT"')
            yield self.offer("leave hours that are there twice missing", [edit], failure.evalue, sure=False)
        elif ("nonexistent time" in failure.evalue or failure.is_a("NonExistentTimeError")) and not syntax.keyword(
            node, "nonexistent"
        ):
            evidence = failure.evalue.partition(".")[0]
            for value, title in _NONEXISTENT.items():
                edit = syntax.add_keyword(cell, node, "nonexistent", syntax.literal(value))
                yield self.offer(title, [edit], evidence, sure=False)

    def _steps_back(self, context: Context, holder: ast.expr) -> int:
        """How many steps back of at most an hour there are, each on a day of its own; 0 when there are others."""
        column = ast.unparse(holder).removesuffix(".dt")
        card = context.values.card(column)
        if card is None or not card.is_series:
            return 0
        delta = f"{syntax.alias(context.cell, 'pandas')}.Timedelta"
        back = f"({column}).diff() < {delta}(0)"
        far_back = f"({column}).diff() < -{delta}(hours=1)"
        counts = [f"({back}).sum()", f"({column})[{back}].dt.date.nunique()", f"({far_back}).sum()"]
        steps, nights, far = ((context.values.sample(c, 1) or (None,))[0] for c in counts)
        return steps if isinstance(steps, int) and 0 < steps < _BACK and nights == steps and far == 0 else 0
