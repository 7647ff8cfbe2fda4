"""`week-without-its-year`: the number of an ISO week stands beside the calendar year."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.purpose import be, holders
from reflex_magic.checks.syntax import mentions, texts
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_KEYS = frozenset({"groupby", "pivot_table", "set_index", "merge", "sort_values", "drop_duplicates"})


class WeekWithoutItsYear(Check):
    """ISO weeks are put together with the calendar year, which differs from the year of the week around New Year.

    30 December 2024 is in week 1 of 2025; with the calendar year it stands in week 1 of 2024. Found where a key is
    made of `isocalendar().week` and `.dt.year` (`groupby`, ``year * 100 + week``), or a format is ``"%Y-%V"``, and
    dates among those looked at (at most 1,000) are of another year by weeks.

    Silent where the year is that of the week (`isocalendar().year`, ``%G``), and where no date differs.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"day": pd.to_datetime(["2024-01-03", "2024-12-30"]), "eur": [1, 2]})
        %%reflect
        week = sales["day"].dt.strftime("%Y-W%V")
        %%clean
        week = sales["day"].dt.strftime("%G-W%V")
    """

    name = "week-without-its-year"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if op.kind == "calendar_part" and op.facts.get("other_year") and _is_beside_year(run.cell, op):
                f = op.facts
                yield self.finding(
                    op,
                    Severity.MAY,
                    f"{f['other_year']:,} of {count(f['looked'], 'date')} {be(f['other_year'])} in a week of another"
                    " year than their calendar year: week and year together name a wrong week",
                    "Take the year of the week: `.dt.isocalendar().year`, `%G`.",
                    {"looked": f["looked"], "other_year": f["other_year"]},
                )


def _is_beside_year(cell: Cell, op: Operation) -> bool:
    """Whether the week makes a key together with the calendar year."""
    form = op.facts["format"]
    if form:
        return "%V" in form and "%G" not in form and ("%Y" in form or "%y" in form)
    inner, weeks = cell.node_at(op.span), holders(cell, op)
    years: set[str] = set()
    for node in cell.nodes:
        match node:
            case ast.Assign(targets=[target], value=value) if any(map(_is_year, ast.walk(value))):
                years |= texts(target) or mentions(target)
    for node in cell.nodes:
        parts = list(ast.walk(node))
        written = any(p is inner for p in parts), any(map(_is_year, parts))
        match node:
            case ast.Call(func=ast.Attribute(attr=method)) if method in _KEYS:
                named = {w for a in [*node.args, *(k.value for k in node.keywords)] for w in mentions(a)}
            case ast.BinOp():
                named = mentions(node)
            case ast.List() | ast.Tuple() if all(written):
                return True
            case _:
                continue
        if (written[0] or not named.isdisjoint(weeks)) and (written[1] or not named.isdisjoint(years)):
            return True
    return False


def _is_year(node: ast.AST) -> bool:
    """Whether this is the calendar year of dates: ``dates.dt.year``, ``index.year``."""
    match node:
        case ast.Attribute(attr="year", value=ast.Attribute(attr="dt" | "index")):
            return True
    return False
