"""`wrong-end-taken`: the words ask for the largest, and the smallest are taken, or the other way round."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.purpose import said
from reflex_magic.checks.syntax import target
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_HIGH = re.compile(
    r"(\b|_)(top|highest|largest|biggest|greatest|most (?!recent)\w+|strongest|heaviest|longest)(\b|_)", re.I
)
_LOW = re.compile(r"(\b|_)(bottom|lowest|smallest|least|fewest|cheapest|weakest|lightest|shortest|fastest)(\b|_)", re.I)
_OTHER = re.compile(r"\b(rank\w*|time|minutes|seconds|price per|error|loss|distance|latency)\b", re.I)


class WrongEndTaken(Check):
    """``df.sort_values("eur").head(3)`` takes the smallest, because `sort_values` goes up.

    Found where the goal, a comment or the name of the result speaks of the top, the highest or the largest alone,
    and the cell takes rows from the low end of `sort_values` and none from the high end; and likewise for the
    lowest. Silent where the words speak of both, or of ranks, times or errors, of which the top is the smallest.

    Example
    -------
    ::

        import pandas as pd
        shops = pd.DataFrame({"shop": ["n", "w", "a"], "eur": [4.0, 9.0, 2.0]})
        %%reflect
        top = shops.sort_values("eur").head(1)
        %%clean
        top = shops.sort_values("eur", ascending=False).head(1)
    """

    name = "wrong-end-taken"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        if not run.cards or "sort_values(" not in run.cell.python:
            return
        taken = list(_ends(run.cell))
        if not taken or len({end for _, _, end in taken}) > 1:
            return
        text = said(run)
        for node, by, end in taken:
            span = run.cell.span(node)
            words = " ".join([text, *target(run.cell, span).names])
            wanted = {name for name, pattern in (("high", _HIGH), ("low", _LOW)) if pattern.search(words)}
            if len(wanted) != 1 or end in wanted or _OTHER.search(f"{words} {by}"):
                continue
            yield Finding(
                self.code,
                Severity.MAY,
                span,
                run.cell.text(span).split("\n")[0],
                f"the {'largest' if 'high' in wanted else 'smallest'} are meant, and those at the other end by `{by}`"
                " are taken",
                "Write ascending=False for the largest first, or use nlargest and nsmallest.",
            )


def _ends(cell: Cell) -> Iterator[tuple[ast.expr, str, str]]:
    """What takes rows at an end of a sorted table: the node, the column, and "high" or "low"."""
    names: dict[str, ast.Call] = {}
    for statement in cell.tree.body:
        for node in ast.walk(statement):
            sorted_by, first = None, True
            match node:
                case ast.Call(func=ast.Attribute(value=on, attr="head" | "tail" as method)):
                    sorted_by, first = _sorting(on, names), method == "head"
                case ast.Subscript(value=ast.Attribute(value=on, attr="iloc"), slice=ast.Constant(value=0)):
                    sorted_by = _sorting(on, names)
                case ast.Subscript(
                    value=ast.Attribute(value=on, attr="iloc"), slice=ast.Slice(lower=None, upper=ast.Constant())
                ):
                    sorted_by = _sorting(on, names)
                case ast.Subscript(value=ast.Attribute(value=on, attr="iloc"), slice=ast.UnaryOp(op=ast.USub())):
                    sorted_by, first = _sorting(on, names), False
            if sorted_by is not None and isinstance(node, ast.expr):
                by, rising = sorted_by
                yield node, by, "low" if rising == first else "high"
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr="sort_values")) as value
            ):
                names[name] = value
            case ast.Assign(targets=[ast.Name(id=name)]):
                names.pop(name, None)


def _sorting(node: ast.expr, names: dict[str, ast.Call]) -> tuple[str, bool] | None:
    """The column by which a table is sorted, and whether it goes up; None where that cannot be told."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        node = names.get(node.id, node)
    match node:
        case ast.Call(func=ast.Attribute(attr="sort_values"), args=args, keywords=keywords):
            given = {k.arg: k.value for k in keywords}
        case _:
            return None
    by = given.get("by", args[0] if args else None)
    rising = given.get("ascending", ast.Constant(value=True))
    if isinstance(by, ast.List) or not isinstance(rising, ast.Constant) or None in given or len(args) > 1:
        return None
    return (str(by.value) if isinstance(by, ast.Constant) else "its values"), bool(rising.value)
