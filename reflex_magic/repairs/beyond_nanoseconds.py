"""Dates that nanoseconds cannot reach."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class BeyondNanoseconds(Repair):
    """Dates before 1678 or after 2262, such as the 9999-12-31 of an open end, are wanted in nanoseconds.

    Offers to keep them in microseconds, which reach from year 1 to 9999. Whether a far date stands for "no end" only a
    person knows.

    Where pandas reads dates in nanoseconds itself (before pandas 3), offers to leave such dates missing, with the
    count.

    Silent where no resolution is asked for.

    Example
    -------
    ::

        import pandas as pd
        until = pd.Series(pd.to_datetime(["2024-05-31", "9999-12-31"]))
        %%reflect
        until = until.dt.as_unit("ns")
        %%offered
        until = until.dt.as_unit("us")
    """

    name = "beyond-nanoseconds"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The same with microseconds."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or not failure.is_a("OutOfBoundsDatetime") or not isinstance(node, ast.Call):
            return
        far = re.search(r"\d{4}-\d\d-\d\d", failure.evalue)
        if syntax.function_of(cell, node, "pandas") == "to_datetime" and node.args:
            yield from self._left_out(context, node)
            return
        for argument in (*node.args, *(k.value for k in node.keywords)):
            unit = syntax.constant(argument)
            if isinstance(argument, ast.Constant) and unit in ("ns", "datetime64[ns]"):
                new = syntax.quoted(cell, argument, str(unit).replace("ns", "us"))
                evidence = f"{far.group() if far else 'a date'} lies beyond what nanoseconds reach (1677 to 2262)"
                yield self.offer("keep microseconds", [syntax.replace(cell, argument, new)], evidence, sure=False)

    def _left_out(self, context: Context, call: ast.Call) -> Iterator[Proposal]:
        source = call.args[0]
        texts = context.values.sample(ast.unparse(source), 100_000)
        if not texts or not all(isinstance(t, str) and re.match(r"\d{4}-\d\d-\d\d", t) for t in texts):
            return
        # texts of ISO dates have the order of the dates
        far = sum(str(t) >= "2262" for t in texts)
        if far and not any(str(t) < "1678" for t in texts):
            own = syntax.receiver(context.cell, source)
            edit = syntax.replace(context.cell, source, f'{own}.where({own} < "2262")')
            evidence = f"{far} of {len(texts)} distinct dates lie beyond 2262, and would be missing"
            yield self.offer("leave dates that have no end missing", [edit], evidence, sure=False)
