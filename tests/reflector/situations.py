"""Contexts of cells that really ran and really failed, over real pandas data."""

from __future__ import annotations

import ast
import sys
import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from reflex_magic.core.card import Card, ColumnCard, Shapes, ValueCard, shape
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding
from reflex_magic.core.outcome import Completed, Condition, Frame, Outcome, Raised, Run
from reflex_magic.core.ports import Attempt, Context

ORDERS = {
    "order_id": [1, 2, 3],
    "region": ["north", None, "south"],
    "amount": ["$129.99", "$1,299.00", "$5.00"],
}


class LiveValues:
    """A look at a namespace; tests only ask for names and columns, so `eval` is harmless."""

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        self._namespace = dict(namespace)

    def _value(self, expression: str) -> Any:
        try:
            return eval(expression, {}, dict(self._namespace))
        except Exception:
            return None

    def card(self, expression: str) -> ValueCard | None:
        value = self._value(expression)
        return None if value is None else value_card(expression, value)

    def shapes(self, expression: str) -> Shapes | None:
        value = self._value(expression)
        if not isinstance(value, pd.Series):
            return None
        counts = Counter(shape(str(v)) for v in value.dropna())
        return Shapes(dict(counts.most_common()), int(value.isna().sum()), len(value))

    def sample(self, expression: str, limit: int = 20) -> tuple[object, ...] | None:
        value = self._value(expression)
        return tuple(value.dropna().unique()[:limit].tolist()) if isinstance(value, pd.Series) else None

    def overlap(self, left: str, right: str) -> float | None:
        return None

    def names(self) -> Mapping[str, str]:
        return {k: type(v).__name__ for k, v in self._namespace.items() if not k.startswith("_")}

    def files(self) -> tuple[str, ...]:
        return ()

    def text(self, path: str, limit: int = 65536) -> bytes | None:
        return None


def value_card(name: str, value: Any) -> ValueCard:
    if isinstance(value, pd.DataFrame):
        columns = tuple(
            ColumnCard(str(c), str(value.iloc[:, i].dtype), int(value.iloc[:, i].isna().sum()))
            for i, c in enumerate(value.columns)
        )
        return ValueCard(name, "DataFrame", len(value), columns, tuple(str(n or "") for n in value.index.names))
    if isinstance(value, pd.Series):
        column = ColumnCard(str(value.name), str(value.dtype), int(value.isna().sum()))
        return ValueCard(name, "Series", len(value), (column,), tuple(str(n or "") for n in value.index.names))
    return ValueCard(
        name, type(value).__name__, len(value) if hasattr(value, "__len__") else None, text=repr(value)[:40]
    )


def run(
    body: str,
    namespace: Mapping[str, Any] | None = None,
    *,
    goal: str = "",
    findings: Sequence[Finding] = (),
    tried: Sequence[Attempt] = (),
    conditions: Sequence[Condition] = (),
    tokens_left: int = 6000,
) -> Context:
    """Execute a cell statement by statement, and the context in which it failed."""
    cell = Cell(body.strip("\n"))
    scope: dict[str, Any] = {"pd": pd, **(namespace or {})}
    cards: list[Card] = []
    outcome: Outcome = Completed()
    try:
        nodes = cell.tree.body
    except SyntaxError as error:
        outcome, nodes = Raised("SyntaxError", str(error), None, None, bases=("SyntaxError", "Exception")), []
    for number, node in enumerate(nodes):
        try:
            exec(compile(ast.Module([node], []), "<cell>", "exec"), scope)
        except Exception as error:
            frames = tuple(
                Frame(
                    f.name,
                    f.lineno or 0,
                    cell.python_lines[(f.lineno or 1) - 1] if f.filename == "<cell>" else f.line or "",
                    f.filename == "<cell>",
                    f.filename,
                )
                for f in traceback.extract_tb(sys.exc_info()[2])[1:]
            )
            bases = tuple(k.__name__ for k in type(error).__mro__)
            outcome = Raised(type(error).__name__, str(error), number, cell.steps[number].span, frames, bases=bases)
            break
        names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        after = tuple(value_card(n, scope[n]) for n in names if n in scope)
        cards.append(Card(number, node.lineno, cell.steps[number].source, 0.0, after=after))
    values = {k: v for k, v in scope.items() if k != "__builtins__"}
    found = Run(cell, outcome, tuple(cards), conditions=tuple(conditions))
    return Context(cell, found, tuple(findings), LiveValues(values), goal, tuple(tried), tokens_left)


def orders() -> dict[str, Any]:
    return {"orders": pd.DataFrame(ORDERS)}
