"""`bins-lose-values`: values are in no bin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import LEFT_OUT, says_so
from reflex_magic.checks.syntax import calls, mentions, target
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_HANDLES = frozenset({"isna", "isnull", "notna", "notnull", "fillna", "dropna", "add_categories"})
_RANGE = re.compile(r"\b(between|range|within|outliers?|up to|trim\w*|clip\w*|at (least|most)|zoom\w*)\b", re.I)


class BinsLoseValues(Check):
    """``pd.cut(ages, [0, 18, 65])`` gives no bin to an age of 0, nor to one above 65.

    The lowest edge belongs to no bin unless ``include_lowest=True``. Found for `cut` with edges and `np.histogram`
    where values that are there are in no bin, at most half of them. Silent where the cell looks for what is missing
    in the result or fills it, where ``dropna=False`` is written, and where a comment speaks of a range or of what
    is left out.

    Example
    -------
    ::

        import pandas as pd
        scores = pd.Series([0, 35, 50, 80, 100])
        %%reflect
        grade = pd.cut(scores, [0, 50, 100], labels=["fail", "pass"])
        %%clean
        grade = pd.cut(scores, [0, 50, 100], labels=["fail", "pass"], include_lowest=True)
    """

    name = "bins-lose-values"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("bins"):
            if 2 * op.facts["lost"] > op.facts["values"] or _is_handled(run.cell, op):
                continue
            if says_so(run.cell, op.span, LEFT_OUT) or says_so(run.cell, op.span, _RANGE):
                continue
            f = op.facts
            outside = f["below"] + f["above"]
            edge = f["lost"] - outside
            parts = [f"{edge:,} on the outer edge"] * (edge > 0)
            parts += [f"{f['below']:,} below the lowest"] * (f["below"] > 0)
            parts += [f"{f['above']:,} above the highest"] * (f["above"] > 0)
            yield self.finding(
                op,
                Severity.MAY,
                f"{f['lost']:,} of {count(f['values'], 'value')} {'is' if f['lost'] == 1 else 'are'} in no bin:"
                f" {', '.join(parts)}",
                "Write include_lowest=True, or outer edges of -inf and inf.",
                {k: f[k] for k in ("values", "lost", "below", "above")},
            )


def _is_handled(cell: Cell, op: Operation) -> bool:
    into = target(cell, op.span)
    made = into.columns | into.names
    for node, method, on in calls(cell, asserted=True):
        keeps = any(k.arg == "dropna" for k in node.keywords)
        if (method in _HANDLES or keeps) and not mentions(node).isdisjoint(made):
            return True
        if method in _HANDLES and cell.span(on).contains(op.span):
            return True
    return False
