"""`lookup-table-repeats-keys`: a dict is made of keys that repeat, and only the last value is kept."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import REPEATED, says_so
from reflex_magic.checks.syntax import target, variable
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_CHOOSES = re.compile(r"\b(last|latest|newest|most recent|overwrit\w*|wins?|current)\b", re.IGNORECASE)
_PICKS = frozenset({"sort_values", "sort_index", "drop_duplicates"})


class LookupTableRepeatsKeys(Check):
    """``to_dict()`` or ``dict(zip(keys, values))`` silently keeps one of several values of a key.

    Reported when a key stands in several rows with different values, and values are then looked up in the dict.
    Silent when the values are the same, when the rows were sorted so that the last one is meant, and when a
    comment says which one is.

    Example
    -------
    ::

        import pandas as pd
        prices = pd.DataFrame({"item": ["a", "b", "b"], "price": [5.0, 7.0, 8.0]})
        sales = pd.DataFrame({"item": ["a", "b"]})
        %%reflect
        table = dict(zip(prices["item"], prices["price"]))
        sales["price"] = sales["item"].map(table)
        %%clean
        table = prices.groupby("item")["price"].mean().to_dict()
        sales["price"] = sales["item"].map(table)
    """

    name = "lookup-table-repeats-keys"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("table"):
            if not op.facts["differing"] or not _is_made_a_dict(run.cell, op):
                continue
            if (
                not _is_used(run.cell, op)
                or _is_sorted(run.cell, op)
                or any(says_so(run.cell, op.span, words) for words in (REPEATED, _CHOOSES))
            ):
                continue
            differing, rows = op.facts["differing"], op.facts["rows"]
            yield self.finding(
                op,
                Severity.MAY,
                f"{differing:,} of {count(rows, 'row')} share a key with another row that has another value, and the"
                " dict keeps only the last one of each key",
                "Make keys unique first: .drop_duplicates(...) after sorting, or .groupby(...) with what is meant.",
                {"rows": rows, "repeats": op.facts["repeats"], "differing": differing},
            )


def _is_made_a_dict(cell: Cell, op: Operation) -> bool:
    """Whether the pairs become a dict: ``dict(zip(...))``, not a loop over them."""
    if op.expression.endswith("to_dict()") or "to_dict(" in op.expression:
        return True
    for part in cell.nodes:
        match part:
            case ast.Call(func=ast.Name(id="dict"), args=[inner]) if cell.span(inner) == op.span:
                return True
            case ast.DictComp(
                key=ast.Name(id=key),
                generators=[ast.comprehension(target=ast.Tuple(elts=[ast.Name(id=first), _]), iter=inner, ifs=[])],
            ) if key == first and cell.span(inner) == op.span:
                return True
    return False


def _is_used(cell: Cell, op: Operation) -> bool:
    """Whether something is looked up in the dict, through a variable or where it stands."""
    names = target(cell, op.span).names
    for part in cell.nodes:
        match part:
            case ast.Call(func=ast.Attribute(attr="map" | "replace" | "rename"), args=[table, *_]):
                if variable(table) in names or any(cell.span(n) == op.span for n in ast.walk(table) if _is_call(n)):
                    return True
            case (
                ast.Subscript(value=ast.Name(id=name), ctx=ast.Load())
                | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"))
            ) if name in names:
                return True
    return False


def _is_call(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call)


def _is_sorted(cell: Cell, op: Operation) -> bool:
    return any(
        isinstance(part, ast.Attribute) and part.attr in _PICKS and part.lineno <= op.span.end_line
        for part in cell.nodes
    )
