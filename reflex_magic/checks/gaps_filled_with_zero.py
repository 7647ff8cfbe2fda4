"""`gaps-filled-with-zero`: missing measurements become 0 and are averaged."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.purpose import said
from reflex_magic.checks.syntax import call, calls, mentions, target, texts
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_UNKNOWN = re.compile(
    r"\b(gaps?|offline|unknown|not (measured|recorded|answered|reported|asked|available|taken)"
    r"|no (reading|measurement|answer)s?|fail\w*|broken|outage\w*|dropouts?|unanswered|lost|absent)\b",
    re.I,
)
_MEANT = re.compile(r"\b(zeros?|0|nothing|none sold|no (sales|orders|visits|purchases?|events?))\b", re.I)
_MEASURES = re.compile(
    r"(.*_)?(t|temp\w*|weight\w*|height\w*|age|pressure|bp|bmi|mass|length|width|diameter|pulse|bpm|heart\w*|glucose"
    r"|oxygen|humid\w*|ph|density|altitude|rating|score|grade)(_.*)?",
    re.I,
)
_MEANS = frozenset({"mean", "median", "std", "var", "min", "idxmin", "quantile", "corr"})
_AGGREGATES = frozenset({"agg", "aggregate", "pivot_table", "transform"})
_COMBINES = frozenset(
    {"merge", "join", "map", "reindex", "unstack", "pivot", "pivot_table", "concat", "crosstab", "resample"}
)


class GapsFilledWithZero(Check):
    """``fillna(0)`` in a column of measurements, and then its mean, minimum or spread is taken.

    Found where the goal or a comment says that a gap is no measurement (offline, unknown, not answered), or where
    0 is far from every value that is there and the column is called after a measurement. A note when 0 is only far.

    Silent where the goal or a comment speaks of zero, and where the gaps come from putting tables together (`merge`,
    `reindex`, `unstack`): there nothing was counted.

    Example
    -------
    ::

        import pandas as pd
        air = pd.DataFrame({"temp": [20.0, None, 22.0, None, 18.0]})
        %%reflect
        air["temp"] = air["temp"].fillna(0)
        mean = air["temp"].mean()
        %%clean
        mean = air["temp"].mean()
    """

    name = "gaps-filled-with-zero"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("filled"):
            if _MEANT.search(text := said(run)) or _combines(run.cell):
                continue
            for column, f in op.facts["columns"].items():
                method = _averaged(run.cell, op, column)
                if method is None or not (f["far"] or _UNKNOWN.search(text)):
                    continue
                sure = bool(_UNKNOWN.search(text) or _MEASURES.fullmatch(column))
                yield self.finding(
                    op,
                    Severity.MAY if sure else Severity.NOTE,
                    f"{count(f['filled'], 'missing value')} of {f['rows']:,} in `{column}` become 0"
                    f"{', far from all others,' if f['far'] else ''} and go into `{method}`",
                    "Leave them missing: mean, min and their like pass over them.",
                    {"filled": f["filled"], "rows": f["rows"], "far": f["far"]},
                )


def _combines(cell: Cell) -> bool:
    return any(method in _COMBINES for _, method, _ in calls(cell))


def _averaged(cell: Cell, op: Operation, column: str) -> str | None:
    """The method by which the filled column is averaged afterwards."""
    source, into = call(cell, op), target(cell, op.span)
    names = {column, *into.columns, *(into.names if not into.columns else ())} - {""}
    for node, method, on in calls(cell):
        wanted = {method} if method in _MEANS else texts(node) & _MEANS if method in _AGGREGATES else set()
        if not wanted:
            continue
        inside = any(part is source for part in ast.walk(on))
        after = node.lineno > op.span.end_line and not mentions(node).isdisjoint(names)
        if inside or after:
            return min(wanted)
    return None
