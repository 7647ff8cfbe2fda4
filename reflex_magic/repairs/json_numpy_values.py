"""Values of numpy and pandas that JSON does not know."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

ITEMS = 200
"""So many values of the object are looked at."""

DEPTH = 4

_NUMBERS = ("int", "uint", "float", "bool", "str")
_STAMPS = ("Timestamp", "datetime", "date", "time")
_PLAIN = frozenset({"str", "int", "float", "bool", "NoneType"})


@dataclass(slots=True)
class _Held:
    """What was found in the object: types of values and of keys, and where missing numbers are."""

    types: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    missing: list[int] = field(default_factory=list)
    whole_days: bool = True
    complete: bool = True


class JsonNumpyValues(Repair):
    """`json.dump` meets a number of numpy, an array, a date or a NaN.

    A `default=` is added that handles the types that are in the object. NaN is not JSON: in a flat
    dict it becomes null. Dates are written as ISO 8601, as plain days where the goal asks for days.
    Keys of numpy become text.

    Days without a time are offered only, where the goal does not say how dates are written. Silent on frames and
    series (which could be written in several ways) and on objects of the analyst's classes.

    Example
    -------
    ::

        import json
        import numpy as np
        summary = {"rows": np.int64(3), "mean": 1.5}
        %%reflect
        text = json.dumps(summary)
        %%repaired
        text = json.dumps(summary, default=lambda value: value.tolist())
    """

    name = "json-numpy-values"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The call with a `default=`, and with null for NaN."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("TypeError", "ValueError") or not isinstance(node, ast.Call):
            return
        cell = context.cell
        if syntax.function_of(cell, node, "json") not in ("dump", "dumps") or not node.args:
            return
        # the analyst's own way to convert is there already
        if syntax.keyword(node, "default") or syntax.keyword(node, "cls"):
            return
        thing = node.args[0]
        expression = ast.unparse(thing)
        held = _Held()
        _look(context, expression, held, 0)
        if not held.complete:
            held = _Held({failure.evalue.split(" ")[2]}) if failure.evalue.startswith("Object of type") else held
            if not held.types:
                return
        default = _default(held, context.goal)
        if default is None:
            return
        edits = [syntax.add_keyword(cell, node, "default", default)] if default else []
        what = ", ".join(sorted((held.types | held.keys) - _PLAIN)) or "NaN"
        if held.missing or held.keys - _PLAIN:
            if held.missing not in ([], [1]) or (held.keys - _PLAIN and not _all_numbers(held.keys)):
                return
            converted = self._converted(context, thing, held)
            if converted is None:
                return
            edits.append(syntax.replace(cell, thing, converted))
        if edits:
            title = f"write {what} as JSON"
            evidence = f"the object holds {what}{', and NaN' if held.missing else ''}"
            said = re.search(r"yyyy-mm-dd|\biso\b|iso ?8601", context.goal, re.I)
            asked = re.search(r"\b(days?|dates?)\b", context.goal, re.I) and not said
            days = held.whole_days and bool(held.types & {"Timestamp", "datetime"}) and asked
            yield self.offer(title, edits, evidence, sure=not days)

    def _converted(self, context: Context, thing: ast.expr, held: _Held) -> str | None:
        """The object as a dict comprehension that makes keys text and NaN null."""
        card = context.values.card(ast.unparse(thing))
        if card is None or card.type != "dict":
            return None
        key = "str(key)" if held.keys - _PLAIN else "key"
        value = "value"
        if held.missing:
            if context.values.names().get(syntax.alias(context.cell, "pandas")) != "module":
                return None
            value = f"None if {syntax.alias(context.cell, 'pandas')}.isna(value) else value"
        source = syntax.receiver(context.cell, thing)
        return f"{{{key}: {value} for key, value in {source}.items()}}"


def _all_numbers(types: set[str]) -> bool:
    return all(t in _PLAIN or t.startswith(("int", "uint")) for t in types)


def _look(context: Context, expression: str, held: _Held, depth: int) -> None:
    """Collect the types that an object holds; gives up on what it cannot see."""
    card = context.values.card(expression)
    if card is None or depth > DEPTH:
        held.complete = False
        return
    if card.type in ("dict", "list", "tuple"):
        _items(context, expression, card.type, card.rows or 0, held, depth)
        return
    held.types.add(card.type)
    value = (context.values.sample(expression, 1) or (None,))[0]
    if card.type in ("NaTType", "NAType") or (isinstance(value, float) and value != value):
        held.missing.append(depth)
    elif isinstance(value, datetime) and (value.hour, value.minute, value.second, value.microsecond) != (0, 0, 0, 0):
        held.whole_days = False


def _items(context: Context, expression: str, kind: str, rows: int, held: _Held, depth: int) -> None:
    if rows > ITEMS:
        held.complete = False
        return
    if kind != "dict":
        for i in range(rows):
            _look(context, f"{expression}[{i}]", held, depth + 1)
        return
    for i in range(rows):
        key = f"list({expression})[{i}]"
        card = context.values.card(key)
        held.keys.add(card.type if card else "?")
        _look(context, f"list({expression}.values())[{i}]", held, depth + 1)


def _default(held: _Held, goal: str) -> str | None:
    """A `default=` for the types that are there; "" when none is needed, None when there is no one way."""
    types = held.types - _PLAIN - {"NaTType", "NAType"}
    stamps = {t for t in types if t in _STAMPS}
    numbers = {t for t in types if t.startswith(_NUMBERS) or t in ("ndarray", "Index", "RangeIndex")}
    if types - stamps - numbers:
        return None
    days = held.whole_days and "yyyy-mm-dd" in goal.casefold() and stamps <= {"Timestamp", "datetime"}
    if not days and "yyyy-mm-dd" in goal.casefold() and stamps - {"date"}:
        return None
    stamp = 'value.strftime("%Y-%m-%d")' if days else "value.isoformat()"
    if stamps and numbers:
        return f'lambda value: {stamp} if hasattr(value, "isoformat") else value.tolist()'
    if stamps:
        return f"lambda value: {stamp}"
    # numbers of numpy that are floats of Python as well need nothing
    return "lambda value: value.tolist()" if numbers - {"float64", "str_"} else ""
