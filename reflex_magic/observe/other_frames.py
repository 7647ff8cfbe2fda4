"""Frames of polars and pyarrow, whose calls are told in pandas' words and looked at by the kinds for pandas.

Nothing is imported for it: the columns that a kind needs are handed over through Arrow, numbers without a copy. Lazy
frames (of polars or dask) are never collected: of those of dask, the names of their columns are looked at.

The facts are those of the kinds for pandas, and `library` is there as well. A null key of polars or Arrow meets no
other one in a join. A column holds values of one type, and rows have no index.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd

from reflex_magic.observe.averages import LABELLED
from reflex_magic.observe.combining import Stacking
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind, keywords_of
from reflex_magic.observe.lookups import Deduplicating
from reflex_magic.observe.merging import SUMMED, Merging
from reflex_magic.observe.writing import NotKept

CELLS = 4_000_000
"""Largest tables, in cells, that are handed over whole."""

BYTES = 1 << 28
"""Largest data that are handed over: texts are copied."""

_MODULES = {
    "polars.dataframe.frame": "polars",
    "polars.series.series": "polars",
    "pyarrow.lib": "pyarrow",
}  # fmt: skip
TABLES = frozenset({"polars.DataFrame", "polars.Series", "pyarrow.Table", "pyarrow.ChunkedArray"})
"""What their cards call them."""

_LIBRARIES = frozenset({"polars", "pyarrow", "dask", "modin"})
_TABLES = frozenset({"DataFrame", "Table"})
_COLUMNS = frozenset({"Series", "ChunkedArray"})

_HOW = {
    "inner": "inner", "left": "left", "right": "right", "full": "outer", "outer": "outer", "left outer": "left",
    "right outer": "right", "full outer": "outer",
}  # fmt: skip
"""Joins of polars and Arrow as pandas calls them; the others neither repeat rows nor fill them."""


def library(value: Any) -> str:
    """The library whose own frame or column `value` is: polars or pyarrow; empty for all else."""
    kind = type(value)
    name = _MODULES.get(kind.__module__, "")
    return name if name and getattr(sys.modules.get(name), kind.__name__, None) is kind else ""


def foreign(value: Any) -> tuple[str, bool]:
    """The library whose frame `value` is, where that is not pandas, and whether the frame is lazy; else no name."""
    kind = type(value)
    name = kind.__module__.partition(".")[0]
    if name not in _LIBRARIES or kind.__name__ not in (*_TABLES, "LazyFrame"):
        return "", False
    return name, name == "dask" or kind.__name__ == "LazyFrame"


def is_table(value: Any) -> bool:
    """Whether `value` is an eager frame of polars or a table of pyarrow; quickly told of all else."""
    kind = type(value)
    return kind.__module__ in _MODULES and kind.__name__ in _TABLES and bool(library(value))


def is_column(value: Any) -> bool:
    """Whether `value` is a series of polars or a column of a pyarrow table; quickly told of all else."""
    kind = type(value)
    return kind.__module__ in _MODULES and kind.__name__ in _COLUMNS and bool(library(value))


def is_module(value: Any, *names: str) -> bool:
    """Whether `value` is one of these modules, if they are loaded."""
    return type(value) is ModuleType and any(value is sys.modules.get(name) for name in names)


def schema(value: Any) -> list[tuple[str, str]]:
    """The names and types of the columns of a table, or of one column; of an enumeration not what it holds."""
    if library(value) == "pyarrow":
        return [(f.name, str(f.type)) for f in value.schema] if is_table(value) else [("", str(value.type))]
    found = value.schema.items() if is_table(value) else [(value.name, value.dtype)]
    return [(name, dtype.base_type().__name__) for name, dtype in found]


def frame(table: Any, wanted: Iterable[str] | None = None) -> pd.DataFrame:
    """A table as a pandas frame; columns that are not `wanted` are there by name, and empty."""
    names = list(table.columns if library(table) == "polars" else table.column_names)
    wanted = set(names if wanted is None else wanted)
    empty = pd.Series(np.empty(len(table), dtype=object), dtype=object)
    if library(table) == "polars":
        table = _arrow(table.select([name for name in names if name in wanted]))
        arrow = iter(table.columns)
    else:
        arrow = (c for name, c in zip(names, table.columns, strict=True) if name in wanted)
    made = pd.DataFrame({i: _series(next(arrow)) if n in wanted else empty for i, n in enumerate(names)}, copy=False)
    return made.set_axis(names, axis=1)  # a join of pyarrow may give two columns one name


def series(column: Any, name: str = "") -> pd.Series[Any]:
    """A column as a pandas series."""
    if library(column) == "pyarrow":
        return _series(column).rename(name or None)
    return _series(_arrow(column)).rename(name or column.name)


def _arrow(data: Any) -> Any:
    if data.estimated_size() > BYTES:
        raise ValueError("too large to be looked at")
    return data.to_arrow()


def _series(arrow: Any) -> Any:
    """Whole numbers with gaps stay whole, dates become stamps, and decimals floats."""
    import pyarrow as pa

    if pa.types.is_decimal(arrow.type):
        arrow = arrow.cast(pa.float64())
    whole = pa.types.is_integer(arrow.type) and arrow.null_count
    made = arrow.to_pandas(types_mapper={arrow.type: pd.Int64Dtype()}.get if whole else None, date_as_object=False)
    return made if isinstance(made, pd.Series) else pd.Series(made)


def numbers(table: Any) -> list[str]:
    """The names of the columns that add up."""
    if library(table) == "polars":
        return [name for name, dtype in table.schema.items() if dtype.is_numeric()]
    import pyarrow as pa

    add_up = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    return [field.name for field in table.schema if any(is_such(field.type) for is_such in add_up)]


def _listed(names: Any) -> list[str] | None:
    """One name or several as a list; None for an expression."""
    found = [names] if isinstance(names, str) else list(names) if type(names) in (list, tuple) else []
    return found if found and all(type(name) is str for name in found) else None


@dataclass(frozen=True)
class Told:
    """A call in pandas' words: its source, its values as a kind for pandas needs them, and where it stands."""

    source: str
    values: Mapping[str, Any]
    node: ast.expr | None = None


class Translated(Kind):
    """A kind whose facts are made by one for pandas, from the same call in pandas' words."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self.name = kind.name

    def tell(self, call: Call, values: Mapping[str, Any]) -> Iterator[Told]:
        """The call, or each part of it that there is something to tell of."""
        raise NotImplementedError

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        found: Facts | None = None
        for told in self.tell(call, values):
            node = ast.parse(told.source, mode="eval").body
            facts = self._kind.facts(_in_words(call, node), told.values)
            if facts is not None and (found is None or self.telling(facts) > self.telling(found)):
                found = facts if told.node is None else facts | {"node": told.node}
        return found and found | {"library": _library_of(values)}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return self._kind.telling(facts)


def _library_of(values: Mapping[str, Any]) -> str:
    receiver: Any = values["receiver"]
    return (receiver.__name__ if isinstance(receiver, ModuleType) else type(receiver).__module__).partition(".")[0]


def _in_words(call: Call, node: ast.expr) -> Call:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)):
            return replace(call, node=node, method=name, keywords=keywords_of(node))
        case ast.Compare(ops=[op]):
            return replace(call, node=node, method=SYMBOLS[type(op)], keywords=())
    raise ValueError(ast.unparse(node))


SYMBOLS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


class Joined(Translated):
    """``frame.join(other, on="key")`` of polars, ``table.join(other, keys="key")`` of pyarrow."""

    methods = frozenset({"join"})
    arguments = frozenset(
        {"0", "1", "2", "3", "other", "on", "how", "left_on", "right_on", "suffix", "nulls_equal"}
        | {"right_table", "keys", "right_keys", "join_type", "left_suffix", "right_suffix"}
    )

    def __init__(self) -> None:
        super().__init__(Merging())

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return is_table(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        facts = super().facts(call, values)
        if facts is None:
            return None
        right = _of_join(values)["right"]
        # Rows without a key were left aside.
        alone = len(right) - facts["right_rows"]
        facts["right_unmatched"] = facts.get("right_unmatched", 0) + alone
        return facts | {"right_rows": len(right), "same": values["receiver"] is right}

    def tell(self, call: Call, values: Mapping[str, Any]) -> Iterator[Told]:  # noqa: D102
        given, left, out = _of_join(values), values["receiver"], values["result"]
        right, how = given["right"], _HOW.get(given["how"])
        keys = [_listed(given[side]) for side in ("left_keys", "right_keys")]
        if how is None or None in keys or given.get("nulls_equal") or not (is_table(right) and is_table(out)):
            return
        if max(len(left), len(right), len(out)) > ROWS:
            return
        mine, theirs = (list(k or ()) for k in keys)
        ends = given["suffixes"]
        amounts = [numbers(t)[:SUMMED] for t in (left, right)]
        made = {name + end for names, end in zip(amounts, ends, strict=True) for name in names}
        others = frame(right, {*theirs, *amounts[1]})
        others = others[others[theirs].notna().all(axis=1)].reset_index(drop=True)
        yield Told(
            "left.merge(right)",
            {
                "receiver": frame(left, {*mine, *amounts[0]}),
                "right": others,
                "result": frame(out, {*amounts[0], *amounts[1], *made}),
                "how": how,
                "left_on": mine,
                "right_on": theirs,
                "suffixes": ends,
            },
        )


def _of_join(values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a join under one name each."""
    if library(values["receiver"]) == "polars":
        given = _named(values, ("other", "on", "how"))
        on = given.get("on")
        return {
            **given,
            "right": given["other"],
            "how": given.get("how", "inner"),
            "left_keys": given.get("left_on", on),
            "right_keys": given.get("right_on", on),
            "suffixes": ("", given.get("suffix", "_right")),
        }
    given = _named(values, ("right_table", "keys", "right_keys", "join_type"))
    return {
        "right": given["right_table"],
        "how": given.get("join_type", "left outer"),
        "left_keys": given["keys"],
        "right_keys": given["keys"] if given.get("right_keys") is None else given["right_keys"],
        "suffixes": (given.get("left_suffix") or "", given.get("right_suffix") or ""),
    }


def _named(values: Mapping[str, Any], order: Sequence[str]) -> dict[str, Any]:
    """The arguments under their names, whichever way the call was written."""
    return {**values, **{name: values[str(i)] for i, name in enumerate(order) if str(i) in values}}


class Stacked(Translated):
    """``pl.concat([a, b])`` of polars, ``pa.concat_tables([a, b])`` of pyarrow, ``dd.concat([a, b])`` of dask."""

    methods = frozenset({"concat", "concat_tables"})
    arguments = frozenset({"0", "items", "tables", "dfs", "how", "axis"})

    def __init__(self) -> None:
        super().__init__(Stacking())

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return is_module(receiver, "polars", "pyarrow", "dask.dataframe")

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        if not is_module(values["receiver"], "dask.dataframe"):
            facts = super().facts(call, values)
            return facts and facts | {"mixed": ()}  # a column holds either text or numbers
        parts = _parts(values)
        if not all(type(part).__module__.startswith("dask.dataframe.") for part in parts) or len(parts) < 2:
            return None
        made_up = [part._meta_nonempty for part in parts]  # the columns that dask knows, with values of its own
        facts = self._kind.facts(call, {"receiver": pd, "0": made_up, "result": made_up[0], "ignore_index": True})
        again = len(parts) - len(set(map(id, parts)))
        return facts and facts | {"library": "dask", "rows": (), "mixed": (), "again": again}

    def tell(self, call: Call, values: Mapping[str, Any]) -> Iterator[Told]:  # noqa: D102
        parts = _parts(values)
        distinct = {id(part): part for part in parts}
        if not all(map(is_table, parts)) or sum(p.shape[0] * p.shape[1] for p in distinct.values()) > CELLS:
            return
        told = {key: frame(part) for key, part in distinct.items()}
        made = [told[id(part)] for part in parts]
        if len(made) > 1:
            yield Told("pd.concat(parts)", {"receiver": pd, "0": made, "result": made[0], "ignore_index": True})


def _parts(values: Mapping[str, Any]) -> list[Any]:
    """What is put under each other; nothing where it is put beside each other."""
    given: Any = next((values[name] for name in ("0", "items", "tables", "dfs") if name in values), None)
    beside = values.get("how") == "horizontal" or values.get("axis", 0) in (1, "columns")
    return list(given) if type(given) in (list, tuple) and not beside else []


class Unique(Translated):
    """``frame.unique(subset)`` of polars."""

    methods = frozenset({"unique"})
    arguments = frozenset({"0", "subset"})

    def __init__(self) -> None:
        super().__init__(Deduplicating())

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return is_table(receiver)

    def tell(self, call: Call, values: Mapping[str, Any]) -> Iterator[Told]:  # noqa: D102
        data, out = values["receiver"], values["result"]
        subset = values.get("0", values.get("subset"))
        by = _listed(subset)
        if len(data) > ROWS or (subset is not None and by is None):
            return
        words = {"receiver": frame(data, {*(by or ()), *numbers(data)}), "result": frame(out, ())}
        yield Told("frame.drop_duplicates()", words if by is None else {**words, "subset": by})


class NotTaken(NotKept):
    """``frame.with_columns(...)`` of polars, ``table.append_column(...)`` of pyarrow, as a statement of its own."""

    functions = frozenset()

    def __init__(self, methods: frozenset[str]) -> None:
        self.methods = methods

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return is_table(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        data, made = values["receiver"], values["result"]
        if type(made) is not type(data) or made is data or len(data) > ROWS or made.equals(data):
            return None
        told = {"method": call.method, "rows": len(data), "made": len(made), "of_text": False}
        return told | {"library": library(data)}


def whole(table: Any, names: Iterable[str] = ()) -> pd.DataFrame | None:
    """A table with all its columns; of a long one those of numbers, and those of these names; None of a longer one."""
    if len(table) > ROWS:
        return None
    return frame(table) if len(table) <= LABELLED else frame(table, {*numbers(table), *names})
