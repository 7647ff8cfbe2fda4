"""`values-coerced-to-missing`: a conversion drops values that were there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, shaped
from reflex_magic.checks.intent import LEFT_OUT, looks_at_missing, says_so
from reflex_magic.checks.syntax import call, calls, mentions, target, texts
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_FILLS = frozenset({"fillna", "combine_first", "fill_null", "coalesce"})
_DROPS = frozenset({"dropna", "drop_nulls", "drop_null"})
_MISSING = frozenset({"isna", "isnull", "notna", "notnull", "is_null", "is_not_null", "is_valid", "null_count"})


class ValuesCoercedToMissing(Check):
    """A conversion with ``errors="coerce"`` makes values missing that were there.

    Markers of a missing value ("", "-", "n/a", "unknown") are not lost values. Lost values without a
    digit ("cancelled" among numbers) are a note only: leaving words out is what `coerce` is for.
    Silent when the cell tests the result for missing values or counts how many are left, when it fills the
    gaps by another conversion or leaves them out at once (``.dropna()``), when it uses the result only to
    choose rows, and when a comment says that values are dropped.

    Example
    -------
    ::

        import pandas as pd
        staff = pd.DataFrame({"salary": ["980", "1,250", "n/a"]})
        %%reflect
        staff["salary"] = pd.to_numeric(staff["salary"], errors="coerce")
        %%clean
        staff["salary"] = pd.to_numeric(staff["salary"].str.replace(",", ""), errors="coerce")
    """

    name = "values-coerced-to-missing"
    frames = ("pandas", "polars", "pyarrow")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("coerce"):
            if op.facts["sampled"] <= op.facts["markers"]:
                continue
            if _is_handled(run.cell, op) or says_so(run.cell, op.span, LEFT_OUT):
                continue
            yield self._finding(op)

    def _finding(self, op: Operation) -> Finding:
        f = op.facts
        lost, digits = f["lost"] - f["markers"], f["digits"]
        there = f["values"] - f["missing_before"]
        return self.finding(
            op,
            Severity.MAY if digits else Severity.NOTE,
            f"{lost:,} of {count(there, 'value')} became missing in `{op.expression}`: {shaped(f['shapes'])}",
            "Clean these shapes before converting, or say in a comment that such values are dropped.",
            {"values": there, "lost": lost, "digits": digits, "shapes": dict(f["shapes"])},
        )


def _is_handled(cell: Cell, op: Operation) -> bool:
    """Whether the cell looks at what became missing, or fills it from another conversion."""
    node, result = call(cell, op), target(cell, op.span)
    into = result.names | result.columns
    if looks_at_missing(cell, None, into) or (result.names and _only_chooses(cell, op, result.names)):
        return True
    for outer, method, on in calls(cell):
        if method in _DROPS and (on is node or any(not texts(k.value).isdisjoint(into) for k in outer.keywords)):
            return True
        if method == "count" and not mentions(on).isdisjoint(into) and _is_subtracted(cell, outer):
            return True
        if method in _MISSING and (on is node or node in outer.args):
            return True
        if method not in _FILLS or not outer.args or isinstance(outer.args[0], (ast.Constant, ast.UnaryOp)):
            continue
        if any(part is node for part in ast.walk(outer)) or not mentions(outer).isdisjoint(
            result.names | result.columns
        ):
            return True
    return False


def _is_subtracted(cell: Cell, node: ast.Call) -> bool:
    """Whether a count is taken from a whole, or the whole from it."""
    sides = [s for n in cell.nodes if isinstance(n, ast.BinOp) for s in (n.left, n.right)]
    return any(side is node for side in sides)


def _only_chooses(cell: Cell, op: Operation, names: frozenset[str]) -> bool:
    """Whether the numbers are compared to choose rows, and used for nothing else: what is no number is not chosen."""
    later = [n for s in cell.tree.body if s.lineno > op.span.end_line for n in ast.walk(s)]
    above = {child: node for node in later for child in ast.iter_child_nodes(node)}
    uses = [n for n in later if isinstance(n, ast.Name) and n.id in names]

    def chooses(use: ast.AST) -> bool:
        around = above.get(use)
        if isinstance(around, ast.Attribute) and around.attr in _CHOOSE:
            around = above.get(around)
        elif not isinstance(around, ast.Compare):
            return False
        return isinstance(above.get(around), ast.Subscript) if around is not None else False

    return bool(uses) and all(map(chooses, uses))


_CHOOSE = frozenset({"between", "isin", "gt", "ge", "lt", "le", "eq"})
