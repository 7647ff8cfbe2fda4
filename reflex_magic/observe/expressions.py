"""Expressions of polars, and calls on single columns of polars and pyarrow, told in pandas' words.

``pl.col("eur").mean()`` has no value of its own: it is looked at where a frame evaluates it (`select`, `with_columns`,
`filter`, `agg`), as far as it says in the source which column it is of. Nothing is evaluated that polars did not
evaluate itself, but for comparisons of a column with a literal.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reflex_magic.observe.averages import MEANS, SUMS, Averaging
from reflex_magic.observe.coercion import Coercion
from reflex_magic.observe.comparing import Comparing
from reflex_magic.observe.kind import ROWS, Call, Kind
from reflex_magic.observe.lookups import Membership
from reflex_magic.observe.nothing import Nothing
from reflex_magic.observe.ordering import TextOrder
from reflex_magic.observe.other_frames import (
    SYMBOLS,
    NotTaken,
    Told,
    Translated,
    frame,
    is_column,
    is_module,
    is_table,
    library,
    series,
    whole,
)
from reflex_magic.observe.rows import METHODS, RowOrder

_CONTEXTS = frozenset({"select", "with_columns", "filter", "agg"})
"""Methods of a frame, or of its groups, that evaluate expressions."""

_APART = _CONTEXTS | {"over", "rolling", "sort_by", "group_by"}
"""Calls within an expression whose receiver is another frame, or only some of the rows."""

_PARSERS = frozenset({"to_date", "to_datetime", "to_time", "strptime", "to_integer", "to_decimal"})

_KEEPING = frozenset(
    {"strip_chars", "strip_prefix", "strip_suffix", "replace", "replace_all", "to_lowercase", "to_uppercase"}
)
"""Methods of ``.str`` that leave no value missing."""

_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@dataclass(frozen=True)
class Chain:
    """``pl.col("a").str.strip_chars().cast(...)``: the column, and the calls on it from the first one on."""

    column: str
    calls: tuple[ast.Call, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What is called, in order."""
        return tuple(call.func.attr for call in self.calls if isinstance(call.func, ast.Attribute))


def chain(node: ast.expr) -> Chain | None:
    """An expression as a chain of calls on one column; None for anything else."""
    calls: list[ast.Call] = []
    while True:
        match node:
            case ast.Call(
                func=ast.Attribute(attr="col") | ast.Name(id="col"), args=[ast.Constant(value=str() as name)]
            ):
                return Chain(name, tuple(reversed(calls)))
            case ast.Attribute(value=ast.Attribute(attr="col"), attr=name):
                return Chain(name, tuple(reversed(calls)))
            case ast.Call(args=[ast.Constant(value=str() as name)]) if _is_of_module(node):
                return Chain(name, (node, *reversed(calls)))
            case ast.Call(func=ast.Attribute(value=inner)):
                calls.append(node)
                node = inner
            case ast.Attribute(value=inner):
                node = inner
            case _:
                return None


def _is_of_module(node: ast.Call) -> bool:
    """Whether this is ``pl.mean("a")``."""
    match node.func:
        case ast.Attribute(value=ast.Name(), attr=method):
            return method in MEANS | SUMS
    return False


def _arguments(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The expressions that a call is given, also in a list, with the name that is written for what each makes."""
    if not isinstance(node, ast.Call):
        return
    for given in node.args:
        for part in given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given]:
            yield "", part
    for keyword in node.keywords:
        yield keyword.arg or "", keyword.value


def _within(node: ast.AST) -> Iterator[ast.expr]:
    """All expressions within the arguments of a call; not those that another frame evaluates, nor those of a window."""
    stack = [part for _, part in _arguments(node)]
    while stack:
        part = stack.pop()
        match part:
            case ast.Call(func=ast.Attribute(attr=name)) if name in _APART:
                continue
        yield part
        stack += [child for child in ast.iter_child_nodes(part) if isinstance(child, ast.expr)]


def _evaluating(receiver: Any) -> Any:
    """The frame that evaluates expressions where this is called; None where nothing is evaluated yet."""
    if is_table(receiver) and library(receiver) == "polars":
        return receiver
    return receiver.df if _is_groups(receiver) else None


def _is_groups(receiver: Any) -> bool:
    return type(receiver).__module__ == "polars.dataframe.group_by" and type(receiver).__name__ == "GroupBy"


class Evaluated(Translated):
    """A kind for what stands in an expression; a subclass says for which parts of it."""

    methods = _CONTEXTS

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return _evaluating(receiver) is not None

    def tell(self, call: Call, values: Mapping[str, Any]) -> Iterator[Told]:  # noqa: D102
        table = _evaluating(values["receiver"])
        if len(table) <= ROWS:
            yield from self.parts(call, table, values)

    def parts(self, call: Call, table: Any, values: Mapping[str, Any]) -> Iterator[Told]:
        """What there is to tell of the expressions of a call that `table` evaluates."""
        raise NotImplementedError


class Compared(Evaluated):
    """``filter(pl.col("a") == "x")``, ``filter(pl.col("a").is_in(["x", "y"]))``."""

    def __init__(self, kind: Comparing | Membership) -> None:
        super().__init__(kind)

    def parts(self, call: Call, table: Any, values: Mapping[str, Any]) -> Iterator[Told]:  # noqa: D102
        for part in _within(call.node):
            match part:
                case ast.Compare(left=left, ops=[op], comparators=[right]) if self.name == "compare":
                    word = SYMBOLS.get(type(op), "")
                case ast.Call(func=ast.Attribute(value=left, attr="is_in"), args=[right]) if self.name == "membership":
                    word = "isin"
                case _:
                    continue
            of, (known, other) = chain(left), _literal(right)
            if not word or of is None or of.calls or not known or of.column not in table.columns:
                continue
            column = series(table[of.column])
            words = {"receiver": column, "0": other}
            if word == "isin":
                yield Told(f"column.isin({other!r})", {**words, "result": column.isin(other)}, part)
            else:
                yield Told(f"column {word} {other!r}", {**words, "result": _OPERATORS[word](column, other)}, part)


def _literal(node: ast.expr) -> tuple[bool, Any]:
    try:
        return True, ast.literal_eval(node)
    except ValueError:
        return False, None


class Reduced(Evaluated):
    """``select(pl.col("a").mean())``, ``agg(pl.col("a").sum())``, ``with_columns(pl.col("a").diff())``."""

    def __init__(self, kind: Averaging | TextOrder | Nothing | RowOrder, wanted: frozenset[str]) -> None:
        super().__init__(kind)
        self._wanted = wanted

    def parts(self, call: Call, table: Any, values: Mapping[str, Any]) -> Iterator[Told]:  # noqa: D102
        grouped = _is_groups(values["receiver"])
        if grouped and self.name not in ("average", "text_order"):
            return  # there is something in each group, and rows go on within it
        found = [(of, part) for part in _within(call.node) if isinstance(part, ast.Call) and (of := chain(part))]
        found = [(of, part) for of, part in found if of.names in {(n,) for n in self._wanted}]
        if not found:
            return
        columns = [of.column for of, _ in found if of.column in table.columns]
        keys = _keys(values["receiver"].by) if grouped else set()
        data = whole(table, columns) if self.name != "nothing" else frame(table, columns)
        if data is None:
            return
        data = data.drop(columns=[c for c in data.columns if c in keys])
        for of, part in found:
            if of.column in data.columns:
                on = data if self.name in ("average", "row_order") else data[of.column]
                given = [] if _is_of_module(part) else part.args
                source = f"frame[{of.column!r}].{of.names[0]}({', '.join(map(ast.unparse, given))})"
                yield Told(source, {"receiver": on, "result": None}, part)


def _keys(by: Iterable[Any]) -> set[str]:
    """The columns that rows are grouped by."""
    found: set[str] = set()
    for key in by:
        if isinstance(key, str):
            found.add(key)
        else:
            found |= _keys(key) if type(key) in (list, tuple) else set(key.meta.root_names())
    return found


class Converted(Evaluated):
    """``with_columns(pl.col("a").cast(pl.Float64, strict=False))``: what cannot be converted becomes null."""

    methods = frozenset({"with_columns", "select"})

    def __init__(self) -> None:
        super().__init__(Coercion())

    def parts(self, call: Call, table: Any, values: Mapping[str, Any]) -> Iterator[Told]:  # noqa: D102
        out = values["result"]
        for name, part in _arguments(call.node):
            of = chain(part)
            at = next((i for i, c in enumerate(of.calls) if _is_lenient(c)), None) if of else None
            if of is None or at is None or of.column not in table.columns or not all(map(_keeps, of.calls[:at])):
                continue
            aliases = [_literal(c.args[0])[1] for n, c in zip(of.names, of.calls, strict=True) if n == "alias"]
            made = name or (aliases[-1] if aliases else of.column)
            if made in out.columns and len(out) == len(table):
                words = {"receiver": series(table[of.column]), "result": series(out[made]), "errors": "coerce"}
                yield Told("column.astype(float)", words, of.calls[at])


def _keeps(node: ast.Call) -> bool:
    """Whether a call before a conversion makes no value missing itself."""
    match node.func:
        case ast.Attribute(value=ast.Attribute(attr="str"), attr=name):
            return name in _KEEPING
    return False


def _is_lenient(node: ast.AST) -> bool:
    """Whether a conversion is told to leave null what it cannot convert."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name), keywords=keywords) if name == "cast" or name in _PARSERS:
            written = {k.arg: k.value.value for k in keywords if isinstance(k.value, ast.Constant)}
            return written.get("strict") is False or written.get("error_is_null") is True
    return False


class OnColumn(Translated):
    """``series.mean()`` of polars, ``pc.mean(column)`` of pyarrow, and operators on a series.

    Parameters
    ----------
    kind
        Makes the facts.
    words
        What pandas calls each method.
    """

    arguments = frozenset({"0", "1"})

    def __init__(
        self, kind: Kind, words: Mapping[str, str], operators: frozenset[str] = frozenset(), *, functions: bool = False
    ) -> None:
        super().__init__(kind)
        self._words = words
        self._functions = functions
        self.methods, self.operators = frozenset(words), operators

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return is_module(receiver, "pyarrow.compute") if self._functions else is_column(receiver)

    def tell(self, call: Call, values: Mapping[str, Any]) -> Iterator[Told]:  # noqa: D102
        given = [values[i] for i in "01" if i in values]
        data, *others = given if self._functions else [values["receiver"], *given]
        if not is_column(data) or len(data) > ROWS:
            return
        name = self._words.get(call.method, call.method)
        words = {"receiver": series(data, _column_of(call.node)), "result": _pandas(values["result"])}
        if others:
            words["0"] = _pandas(others[0])
        if name in _METHODS_OF_OPERATORS or name in _METHODS_OF_OPERATORS.values():
            right = ast.unparse(_right_of(call.node))
            yield Told(f"column {_METHODS_OF_OPERATORS.get(name, name)} ({right})", words)
        elif self.name != "coerce":
            yield Told(f"column.{name}()", words)
        elif _is_lenient(call.node):
            yield Told("column.astype(float)", {**words, "errors": "coerce"})


_METHODS_OF_OPERATORS = {
    "equal": "==", "not_equal": "!=", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=",
}  # fmt: skip


def _right_of(node: ast.AST) -> ast.expr:
    match node:
        case ast.Compare(comparators=[right]) | ast.Call(args=[_, right]) | ast.Call(args=[right]):
            return right
    return ast.Name("other")


def _column_of(node: ast.AST) -> str:
    """The name by which a column of a pyarrow table is taken: it has none of its own."""
    match node:
        case ast.Call(args=[ast.Subscript(slice=ast.Constant(value=str() as name)), *_]):
            return name
    return ""


def _pandas(value: Any) -> Any:
    return series(value) if is_column(value) else value


class OfTable(Translated):
    """``frame["column"].mean()``, where the kind looks at the other columns too."""

    def __init__(self, kind: Averaging | RowOrder, methods: frozenset[str]) -> None:
        super().__init__(kind)
        self.operators = frozenset(f"[].{name}" for name in methods)

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return is_table(receiver)

    def tell(self, call: Call, values: Mapping[str, Any]) -> Iterator[Told]:  # noqa: D102
        column = call.column
        data = whole(values["receiver"], [column])
        if data is not None and column in data.columns:
            given = ", ".join(map(ast.unparse, call.node.args)) if isinstance(call.node, ast.Call) else ""
            yield Told(f"frame[{column!r}].{call.method}({given})", {"receiver": data, "result": None})


class Sorted(Translated):
    """``frame.sort("column")`` of polars, ``table.sort_by("column")`` of pyarrow."""

    arguments = frozenset({"0", "by", "sorting"})

    def __init__(self, method: str) -> None:
        super().__init__(TextOrder())
        self.methods = frozenset({method})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return is_table(receiver)

    def tell(self, call: Call, values: Mapping[str, Any]) -> Iterator[Told]:  # noqa: D102
        by: Any = next((values[n] for n in ("0", "by", "sorting") if n in values), None)
        names = [name[0] if type(name) is tuple and name else name for name in (by if type(by) is list else [by])]
        if len(values["receiver"]) <= ROWS and all(type(name) is str for name in names):
            told = {"receiver": frame(values["receiver"], names), "0": names, "result": None}
            yield Told("frame.sort_values()", told)


ARROW: tuple[Kind, ...] = (
    NotTaken(frozenset({"append_column", "add_column", "set_column", "remove_column", "drop_columns", "drop_null"})),
    OnColumn(Comparing(), {n: n for n in _METHODS_OF_OPERATORS}, functions=True),
    OnColumn(Nothing(), {n: n for n in ("sum", "mean", "min", "max", "stddev")}, functions=True),
    OnColumn(Averaging(), {"mean": "mean"}, functions=True),
    Sorted("sort_by"),
    OnColumn(Coercion(), {"strptime": "to_datetime"}, functions=True),
)
"""Of columns of pyarrow tables."""

POLARS: tuple[Kind, ...] = (
    NotTaken(
        frozenset({"with_columns", "filter", "sort", "unique", "drop_nulls", "fill_null", "rename", "drop", "cast"})
    ),
    Compared(Comparing()),
    Compared(Membership()),
    Converted(),
    Reduced(Averaging(), MEANS | SUMS),
    Reduced(Nothing(), Nothing.methods),
    Reduced(TextOrder(), frozenset({"max", "min"})),
    Reduced(RowOrder(), METHODS),
    OfTable(Averaging(), MEANS | SUMS),
    OfTable(RowOrder(), METHODS),
    OnColumn(Comparing(), {}, Comparing.operators),
    OnColumn(Membership(), {"is_in": "isin"}),
    OnColumn(Nothing(), {n: n for n in Nothing.methods}),
    Sorted("sort"),
    OnColumn(TextOrder(), {"max": "max", "min": "min"}),
    OnColumn(Coercion(), {"cast": "astype"}, frozenset(f"[].{name}" for name in _PARSERS)),
)
"""Of expressions of polars, and of calls on its frames and series."""
