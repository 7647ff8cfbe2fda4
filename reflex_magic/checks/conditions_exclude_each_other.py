"""`conditions-exclude-each-other`: a condition that no row, or every row, satisfies."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_BELOW, _ABOVE = (ast.Lt, ast.LtE), (ast.Gt, ast.GtE)


class ConditionsExcludeEachOther(Check):
    """Conditions on one column that cannot both be true, joined by `&`, or of which one always is, joined by `|`.

    ``(x != "a") | (x != "b")`` keeps every row, ``(x == "a") & (x == "b")`` none, nor do ``(x > 9) & (x < 5)`` and
    ``x.between(9, 5)``. Silent when the limits are not written in the cell.

    Example
    -------
    ::

        import pandas as pd
        parcels = pd.DataFrame({"state": ["sent", "lost", "back", "sent"]})
        %%reflect
        open_ = parcels[(parcels["state"] != "lost") | (parcels["state"] != "back")]
        %%clean
        open_ = parcels[(parcels["state"] != "lost") & (parcels["state"] != "back")]
    """

    name = "conditions-exclude-each-other"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        spans = [op.span for op in run.operations if op.kind == "mask"]
        for op in run.operations:
            f = op.facts
            if op.kind == "between" and f["crossed"] and f["rows"]:
                message = (
                    f"the lower end of `between` is above the upper one: none of {count(f['rows'], 'row')} lies there"
                )
                advice = "Give the lower end first."
            elif op.kind == "mask" and f["rows"] and not any(s != op.span and s.contains(op.span) for s in spans):
                word = _excluded(run.cell.node_at(op.span))
                if not word or (word == "none" and f["kept"]):
                    continue
                number = f["kept"] if word == "all" else f["rows"]
                message = (
                    f"one of these conditions is always true: {count(number, 'row')} of {f['rows']:,} kept"
                    if word == "all"
                    else f"these conditions exclude each other: none of {count(f['rows'], 'row')} kept"
                )
                advice = "Join them with `&`." if word == "all" else "Join them with `|`, or mend the limits."
            else:
                continue
            told = {name: f[name] for name in ("rows", "kept")}
            yield self.finding(op, Severity.MAY, message, advice, told)


def _excluded(node: Any) -> str:
    """What conditions keep for certain: "none" of the rows, or "all"; "" for others."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        return ""
    told = [c for part in _parts(node, type(node.op)) if (c := _condition(part))]
    pairs = [(a, b) for i, a in enumerate(told) for b in told[i + 1 :] if a[0] == b[0]]
    if isinstance(node.op, ast.BitAnd):
        return "none" if any(_never(a[1:], b[1:]) for a, b in pairs) else ""
    return "all" if any(_always(a[1:], b[1:]) for a, b in pairs) else ""


def _parts(node: ast.expr, operator: type[ast.operator]) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, operator):
        yield from _parts(node.left, operator)
        yield from _parts(node.right, operator)
    else:
        yield node


def _condition(node: ast.expr) -> tuple[str, ast.cmpop, Any] | None:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=value)]):
            return ast.unparse(left), op, value
        case _:
            return None


def _never(a: tuple[ast.cmpop, Any], b: tuple[ast.cmpop, Any]) -> bool:
    if isinstance(a[0], ast.Eq) and isinstance(b[0], ast.Eq):
        return bool(a[1] != b[1])
    for low, high in ((a, b), (b, a)):
        if isinstance(low[0], _ABOVE) and isinstance(high[0], _BELOW) and type(low[1]) is type(high[1]):
            both = isinstance(low[0], ast.GtE) and isinstance(high[0], ast.LtE)
            return bool(low[1] > high[1] or (low[1] == high[1] and not both))
    return False


def _always(a: tuple[ast.cmpop, Any], b: tuple[ast.cmpop, Any]) -> bool:
    if isinstance(a[0], ast.NotEq) and isinstance(b[0], ast.NotEq):
        return bool(a[1] != b[1])
    for low, high in ((a, b), (b, a)):
        if isinstance(low[0], _ABOVE) and isinstance(high[0], _BELOW) and type(low[1]) is type(high[1]):
            return bool(low[1] < high[1])
    return False
