"""What is written to a part of a table, and what is made of a table and not kept.

Facts of kind `write_to_part`, of ``frame[mask]["column"] = value``, ``frame["column"].loc[mask] = value``
    Only where the part is a copy, so that the write does not reach the frame. rows: rows of the part.

Facts of kind `in_place`, of ``frame["column"].fillna(0, inplace=True)`` and ``frame["column"].update(other)``
    Only where a part of a frame is a copy under the pandas that runs. rows: rows of the frame.

Facts of kind `row_loop`, of ``frame.iterrows()``
    rows. copies: whether each row is a copy for certain.

Facts of kind `applied`, of ``series.apply(function)``, ``frame.apply(function, axis=1)`` and ``series.map(function)``
    Only where each value of the result is None. rows.

Facts of kind `not_kept`, of a call whose value nobody takes
    Only where the value differs from what it was made of. method. rows, made: rows before and after.
    of_text: whether a Python text was to be changed.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from reflex_magic.core.cell import Cell
from reflex_magic.observe import live
from reflex_magic.observe.keys import sample
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind

_MAKES = frozenset(
    {"bfill", "clip", "drop", "drop_duplicates", "dropna", "ffill", "fillna", "interpolate", "mask", "query", "rename"}
    | {"rename_axis", "replace", "reset_index", "set_index", "sort_index", "sort_values", "where"}
    | {"assign", "astype", "convert_dtypes", "explode", "round", "shift", "set_axis"}
)
_TEXT = frozenset({"capitalize", "lower", "lstrip", "replace", "rstrip", "strip", "title", "upper", "zfill"})
_FUNCTIONS = frozenset({"to_datetime", "to_numeric", "to_timedelta"})


def copies() -> bool:
    """Whether a part of a table never shares what is written to it: always so since pandas 3."""
    return int(pd.__version__.partition(".")[0]) >= 3 or pd.options.mode.copy_on_write is True


class PartWriting(Kind):
    """``frame[mask]["column"] = value``."""

    name = "write_to_part"
    operators = frozenset({"[][]="})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        frame, part = values["receiver"], values["result"]
        if not (live.is_frame(part) or live.is_series(part)) or part is frame or not len(part):
            return None
        # Without copy-on-write a column, a row and a range of rows may be views.
        if not copies() and not (live.is_frame(frame) and live.is_frame(part) and len(part) < len(frame)):
            return None
        return {"rows": len(part)}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["rows"])


class InPlace(Kind):
    """``frame["column"].fillna(0, inplace=True)``."""

    name = "in_place"
    operators = frozenset({"[].inplace"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        return {"rows": len(values["receiver"])} if copies() else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return 1.0


class RowLoop(Kind):
    """``frame.iterrows()``."""

    name = "row_loop"
    methods = frozenset({"iterrows"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        frame = values["receiver"]
        return {"rows": len(frame), "copies": copies() or frame.dtypes.nunique() > 1} if len(frame) else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return 0.0


class Applied(Kind):
    """``series.apply(function)`` that gives None for each row."""

    name = "applied"
    methods = frozenset({"apply", "map"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_series(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        made = values["result"]
        if not live.is_series(made) or not live.is_text_dtype(made.dtype) or not 2 <= len(made) <= ROWS:
            return None
        if made.iloc[0] is not None or not all(value is None for value in made):
            return None
        return {"rows": len(made)}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["rows"])


class NotKept(Kind):
    """A call that makes something else of a table, a column or a text, as a statement of its own."""

    name = "not_kept"
    methods = _MAKES | _TEXT | _FUNCTIONS
    functions = _FUNCTIONS
    arguments = frozenset({"0"})

    def watches(self, cell: Cell, node: ast.Call) -> bool:  # noqa: D102
        return not any(k.arg == "inplace" for k in node.keywords) and place(node) in _alone(cell)

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return (
            live.is_frame(receiver)
            or live.is_series(receiver)
            or type(receiver) in (str, _OF_TEXT)
            or live.is_pandas_module(receiver)
        )

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        made, data = values["result"], values["receiver"]
        if live.is_pandas_module(data):
            data = values.get("0")
        elif type(data) is _OF_TEXT:
            data = data._orig
        if not _differs(data, made):
            return None
        sized = type(data) is not str
        return {
            "method": call.method,
            "rows": len(data) if sized else 0,
            "made": len(made) if sized else 0,
            "of_text": not sized,
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return 1.0


_GIVES = (ast.Return, ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal)
_OF_TEXT = type(pd.Series([""]).str)


def _differs(data: Any, made: Any) -> bool:
    """Whether one is not the other; of long data, in the rows that were looked at."""
    if type(data) is str:
        return type(made) is str and made != data
    if type(data) is not type(made) or not (live.is_frame(data) or live.is_series(data)) or len(data) > ROWS:
        return False
    if data.shape != made.shape or not data.index.identical(made.index):
        return True
    if live.is_frame(data):
        if not data.columns.equals(made.columns) or not data.dtypes.equals(made.dtypes):
            return True
    elif data.dtype != made.dtype or data.name != made.name:
        return True
    return not sample(data).equals(sample(made))


Place = tuple[int, int, int, int]


def place(node: ast.expr | ast.stmt) -> Place:
    """Where a node stands, as the syntax tree counts."""
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


@functools.lru_cache(maxsize=4)
def _alone(cell: Cell) -> frozenset[Place]:
    """The calls of a cell whose value nobody takes. That of the last statement is shown."""
    return frozenset(place(node) for node in _values_alone(cell.tree.body, last_is_shown=True))


def _values_alone(body: list[ast.stmt], *, last_is_shown: bool = False) -> Iterator[ast.expr]:
    for number, node in enumerate(body):
        if isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Call) and not (last_is_shown and number == len(body) - 1):
                yield node.value
            continue
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            yield from _bound_again(node.body, node.target.id)
        if isinstance(node, ast.FunctionDef) and not any(isinstance(n, _GIVES) for n in ast.walk(node)):
            for argument in node.args.args:
                yield from _bound_again(node.body, argument.arg)
        for name in ("body", "orelse", "finalbody"):
            yield from _values_alone(getattr(node, name, []))
        for handler in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
            yield from _values_alone(handler.body)


def _bound_again(body: list[ast.stmt], name: str) -> Iterator[ast.expr]:
    """``for frame in frames: frame = frame.dropna()``: the name is bound anew, and only written to from then on."""
    for node in reversed(body):
        match node:
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Call() as value) if bound == name:
                yield value
                return
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=bound))]) if bound == name:
                continue
        if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node)):
            return
