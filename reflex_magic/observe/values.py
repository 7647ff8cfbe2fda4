"""Look at live values by expression, without running code of the analyst's.

The evaluator walks the syntax tree and knows a closed list of names: attributes, methods and
functions of pandas, numpy and the builtins that only compute. Only values of exactly those
libraries' own types are touched, because a subclass may override anything, and cells of object
columns are looked at first, because a comparison or a hash may be the analyst's code as well.
Whatever is not on a list, too large, too slow or raises is `None`: silence, not a guess.
"""

from __future__ import annotations

import ast
import builtins
import datetime as dt
import decimal
import fractions
import itertools
import operator
import sys
import time
import types
import uuid
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sized
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd

from reflex_magic.core.card import Shapes, ValueCard, shape
from reflex_magic.core.warned import unheard
from reflex_magic.observe.cards import describe

SECONDS = 2.0
"""An evaluation that has taken longer is given up at its next step."""

ROWS = 2_000_000
"""A computation over more rows than this is not made."""

SHAPE_ROWS = 1_000_000
"""Shapes are counted over so many rows; of a longer column, over an even sample of as many."""

FILES = 2000
FILE_BYTES = 20_000_000

_OWN = ("pandas", "numpy")

_PLAIN = (
    bool, int, float, complex, str, bytes, type(None), dt.date, dt.datetime, dt.time,
    dt.timedelta, dt.timezone, decimal.Decimal, fractions.Fraction, uuid.UUID,
)  # fmt: skip

_CONTAINERS = (list, tuple, dict, set, frozenset, range, OrderedDict, Counter, deque)

_ITERABLES: tuple[type, ...] = (
    zip,
    enumerate,
    reversed,
    map,
    types.GeneratorType,
    type({}.keys()),
    type({}.values()),
    type({}.items()),
)
"""What calls return instead of a list."""

_SHELL_NAMES = frozenset({"In", "Out", "exit", "quit", "get_ipython", "open", "display"})


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ATTRIBUTES = _words("""
    T axes cat categories codes columns date day day_of_year dayofweek days dt dtype dtypes empty freq hasnans
    hour iloc index is_monotonic_decreasing is_monotonic_increasing is_unique keys left length levels loc
    microsecond minute month name names nbytes ndim ngroups nlevels obj ordered quarter right second seconds
    shape size str time tz unit values week weekday year
""")

_METHODS = _words("""
    abs add add_categories add_prefix add_suffix all any argmax argmin as_ordered as_unit asof assign astype
    at_time between between_time bfill capitalize casefold cat ceil center clip combine_first contains copy corr
    count cov cumcount cummax cummin cumprod cumsum date day_name decode describe diff difference div divide dot
    drop drop_duplicates droplevel dropna duplicated encode endswith eq equals ewm expanding explode extract
    extractall ffill fillna filter find findall first flatten floor floordiv fullmatch ge get get_group
    get_indexer get_level_values groupby gt head idxmax idxmin index infer_objects interpolate intersection
    isalnum isalpha isdecimal isdigit isin islower isna isnull isnumeric isocalendar isoformat isspace istitle
    isupper item items join keys kurt last le len ljust lower lstrip lt map mask match max mean median melt
    merge min mod mode month_name mul multiply ne ngroup nlargest normalize notna notnull nsmallest nth nunique
    pad partition pct_change pivot pivot_table pow prod quantile rank ravel reindex remove_categories
    removeprefix removesuffix rename rename_axis rename_categories reorder_levels repeat replace resample
    reset_index reshape rfind rjust rolling round rpartition rsplit rstrip select_dtypes sem set_axis
    set_categories set_index shift size skew slice slice_replace sort_index sort_values split squeeze stack
    startswith std strftime strip sub subtract sum swapcase swaplevel tail take time title to_dict to_frame
    to_list to_numpy to_period to_series to_timestamp tolist total_seconds transpose truediv truncate tz_convert
    tz_localize union unique unstack upper value_counts values var where xs zfill
""")

_FUNCTIONS = _words("""
    Categorical CategoricalDtype DataFrame DateOffset DatetimeIndex Grouper Index MultiIndex NA Period Series
    Timedelta Timestamp abs absolute arange argsort array asarray bool_ ceil clip concat crosstab cumsum cut
    date_range datetime64 diff exp factorize float32 float64 floating floor full get_dummies inf int16 int32
    int64 int8 integer intp isfinite isin isinf isna isnan isnull linspace log log10 log1p max maximum mean
    median melt merge merge_asof merge_ordered min minimum nan nanmax nanmean nanmin nansum notna notnull number
    ones period_range pivot pivot_table qcut rint round select sign sort sqrt std str_ sum timedelta64
    timedelta_range to_datetime to_numeric to_timedelta uint16 uint32 uint64 uint8 unique value_counts var where
    zeros
""")
_READERS = frozenset({"read_csv", "read_table"})

_BUILTINS: Mapping[str, Any] = {
    n: getattr(builtins, n)
    for n in _words("""
        abs all any bool bytes dict enumerate float int len list max min reversed round set sorted str sum tuple zip
    """)
}

_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


class _Refused(Exception):
    """The expression is not one that only looks."""


def _own_type(kind: type) -> bool:
    """Whether this class is pandas' or numpy's own, and not one that only says so."""
    if kind.__module__.partition(".")[0] not in _OWN:
        return False
    holder: Any = sys.modules.get(kind.__module__)
    for part in kind.__qualname__.split("."):
        holder = getattr(holder, part, None)
    return holder is kind


def _is_plain(value: object, depth: int = 3) -> bool:
    """Whether nothing of the analyst's can run when this value is used."""
    kind = type(value)
    if kind in _PLAIN:
        return True
    if kind in _CONTAINERS:
        if len(value) > ROWS or depth == 0:  # type: ignore[arg-type]
            return False
        items: Iterable[object] = value  # type: ignore[assignment]
        if isinstance(value, dict):
            items = itertools.chain(value.keys(), value.values())
        return all(_is_plain(v, depth - 1) for v in items)
    if not _own_type(kind):
        return False
    if isinstance(value, pd.DataFrame):
        columns = (value.iloc[:, i] for i in range(value.shape[1]))
        return all(_plain_cells(c, depth) for c in columns) and _labels_plain(value)
    if isinstance(value, pd.Series):
        return _plain_cells(value, depth) and _labels_plain(value)
    if isinstance(value, pd.MultiIndex):
        return all(_is_plain(level, depth) for level in value.levels)
    if isinstance(value, (pd.Index, pd.Categorical)):
        return _plain_cells(value if isinstance(value, pd.Index) else value.categories, depth)
    if isinstance(value, np.ndarray):
        return _plain_cells(value.ravel(), depth)
    inner = getattr(value, "obj", None)
    return inner is None or isinstance(inner, type) or _is_plain(inner, depth)


def _labels_plain(holder: Any) -> bool:
    """The same for what a lookup in this value compares with: keys, index and columns."""
    if isinstance(holder, dict):
        return all(_is_plain(k) for k in holder)
    holder = getattr(holder, "obj", holder) if _own_type(type(holder)) else holder
    if not isinstance(holder, (pd.Series, pd.DataFrame)):
        return True
    return _is_plain(holder.index) and (isinstance(holder, pd.Series) or _is_plain(holder.columns))


def _plain_cells(cells: Any, depth: int) -> bool:
    """The same for the cells of a column: only object columns can hold anything of the analyst's."""
    if isinstance(cells.dtype, pd.CategoricalDtype):
        return _plain_cells(cells.dtype.categories, depth)
    if cells.dtype != object:
        module = type(cells.dtype).__module__.partition(".")[0]
        return module in _OWN
    if len(cells) > ROWS or depth == 0:
        return False
    kinds = {type(v) for v in cells}
    if all(k in _PLAIN or (_own_type(k) and issubclass(k, (np.generic, *_STAMPS))) for k in kinds):
        return True
    return all(_is_plain(v, depth - 1) for v in cells)


_STAMPS = (pd.Timestamp, pd.Timedelta, pd.Period, type(pd.NaT), type(pd.NA))


def _rows(value: object) -> int:
    """How much work a value is: rows times columns, length, or what a group is made of."""
    if isinstance(value, pd.DataFrame):
        return len(value) * max(1, len(value.columns))
    inner = getattr(value, "obj", None) if _own_type(type(value)) else None
    if inner is not None and not isinstance(inner, type):
        return _rows(inner)
    try:
        return len(value)  # type: ignore[arg-type]
    except TypeError:
        return 1


class _Evaluator:
    """Evaluates one expression; raises `_Refused` for what it does not know."""

    def __init__(self, scopes: tuple[Mapping[str, Any], ...], folder: Path):
        self._scopes = scopes
        self._folder = folder
        self._until = time.monotonic() + SECONDS

    def value(self, node: ast.AST) -> Any:
        """The value of a node."""
        if time.monotonic() > self._until:
            raise _Refused("too slow")
        handler = getattr(self, f"_{type(node).__name__.lower()}", None)
        if handler is None:
            raise _Refused(type(node).__name__)
        return handler(node)

    def _expression(self, node: ast.Expression) -> Any:
        return self.value(node.body)

    def _constant(self, node: ast.Constant) -> Any:
        return node.value

    def _name(self, node: ast.Name) -> Any:
        for scope in self._scopes:
            if node.id in scope:
                return scope[node.id]
        if node.id in _BUILTINS:
            return _BUILTINS[node.id]
        raise _Refused(node.id)

    def _list(self, node: ast.List) -> Any:
        return [self.value(v) for v in node.elts]

    def _tuple(self, node: ast.Tuple) -> Any:
        return tuple(self.value(v) for v in node.elts)

    def _set(self, node: ast.Set) -> Any:
        return {self._plain(self.value(v)) for v in node.elts}

    def _dict(self, node: ast.Dict) -> Any:
        if None in node.keys:
            raise _Refused("unpacking")
        return {self._plain(self.value(k)): self.value(v) for k, v in zip(node.keys, node.values, strict=True) if k}

    def _slice(self, node: ast.Slice) -> Any:
        return slice(*(self.value(p) if p else None for p in (node.lower, node.upper, node.step)))

    def _joinedstr(self, node: ast.JoinedStr) -> Any:
        return "".join(self.value(v) for v in node.values)

    def _formattedvalue(self, node: ast.FormattedValue) -> Any:
        value = self._plain(self.value(node.value))
        spec = self.value(node.format_spec) if node.format_spec else ""
        if node.conversion not in (-1, ord("s")) or any(c.isdigit() and len(spec) > 8 for c in spec):
            raise _Refused("format")
        return format(value, spec)

    def _ifexp(self, node: ast.IfExp) -> Any:
        test = self._plain(self.value(node.test))
        return self.value(node.body if test else node.orelse)

    def _boolop(self, node: ast.BoolOp) -> Any:
        result: Any = None
        for part in node.values:
            result = self._plain(self.value(part))
            if bool(result) is isinstance(node.op, ast.Or):
                break
        return result

    def _unaryop(self, node: ast.UnaryOp) -> Any:
        return _UNARY[type(node.op)](self._plain(self.value(node.operand)))

    def _binop(self, node: ast.BinOp) -> Any:
        compute = _BINARY.get(type(node.op))
        left, right = self._plain(self.value(node.left)), self._plain(self.value(node.right))
        if compute is None:
            raise _Refused("operator")
        # repeating a text or a list is how a small expression becomes a large value
        if isinstance(node.op, (ast.Mult, ast.Mod)) and any(
            type(v) in (str, bytes, list, tuple) for v in (left, right)
        ):
            raise _Refused("repetition")
        return compute(left, right)

    def _compare(self, node: ast.Compare) -> Any:
        if len(node.ops) != 1:
            raise _Refused("chained comparison")
        left, right = self._plain(self.value(node.left)), self._plain(self.value(node.comparators[0]))
        return _COMPARE[type(node.ops[0])](left, right)

    def _subscript(self, node: ast.Subscript) -> Any:
        holder, key = self.value(node.value), self.value(node.slice)
        if type(holder) not in _CONTAINERS and type(holder) not in (str, bytes) and not _own_type(type(holder)):
            raise _Refused("subscript")
        self._plain(key)
        # a lookup compares the key with the labels there; their comparison may be the analyst's code
        if not _labels_plain(holder):
            raise _Refused("subscript")
        if isinstance(holder, Counter) and key not in holder:
            raise _Refused("missing key")
        return holder[key]

    def _attribute(self, node: ast.Attribute) -> Any:
        return self._get(self.value(node.value), node.attr)

    def _get(self, holder: Any, name: str) -> Any:
        kind = type(holder)
        if kind is types.ModuleType:
            return self._module_member(holder, name)
        if kind is type:
            raise _Refused(name)
        if isinstance(holder, pd.DataFrame) and _own_type(kind) and not hasattr(pd.DataFrame, name):
            if name in holder.columns:
                return holder[name]
            raise _Refused(name)
        if name not in _ATTRIBUTES or not (_own_type(kind) or kind in _PLAIN):
            raise _Refused(name)
        if name in ("str", "cat", "dt"):
            self._plain(holder)
        found = getattr(holder, name)
        if callable(found) and not _own_type(type(found)):
            raise _Refused(name)
        return found

    def _module_member(self, module: types.ModuleType, name: str) -> Any:
        """pandas, numpy and datetime themselves; a module of the analyst's is never read."""
        own = (pd, np, dt)
        if not any(module is m for m in own) or not hasattr(module, name):
            raise _Refused(name)
        if module is dt and name in ("date", "datetime", "timedelta", "time", "timezone"):
            return getattr(module, name)
        if module is not dt and (name in _FUNCTIONS or name in _READERS):
            return getattr(module, name)
        raise _Refused(name)

    def _call(self, node: ast.Call) -> Any:
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            raise _Refused("unpacking")
        holder: Any = None
        if isinstance(node.func, ast.Attribute):
            holder = self.value(node.func.value)
        if isinstance(node.func, ast.Attribute) and type(holder) is not types.ModuleType:
            call = self._method(holder, node.func.attr)
        else:
            call = self._function(self.value(node.func))
        args = [self._argument(self.value(a)) for a in node.args]
        named = {str(k.arg): self._argument(self.value(k.value)) for k in node.keywords}
        if named.get("inplace") or "out" in named or "engine" in named or "engine_kwargs" in named:
            raise _Refused("writes")
        if sum(map(_rows, [holder, *args, *named.values()])) > ROWS:
            raise _Refused("too many rows")
        self._bound(call, holder, args, named)
        if getattr(call, "__name__", "") in _READERS:
            return self._read(call, args, named)
        result: Any = call(*args, **named)
        if isinstance(result, _ITERABLES):
            return list(itertools.islice(cast("Iterable[Any]", result), ROWS))
        return result

    def _method(self, holder: Any, name: str) -> Any:
        kind = type(holder)
        if name not in _METHODS or not (_own_type(kind) or kind in (str, dict, list, tuple) or kind in _PLAIN):
            raise _Refused(name)
        self._plain(holder)
        if not hasattr(kind, name):
            raise _Refused(name)
        return getattr(holder, name)

    def _function(self, found: Any) -> Any:
        """A function that is pandas', numpy's or a builtin, by identity."""
        if any(found is f for f in _BUILTINS.values()):
            return found
        name = getattr(found, "__name__", "")
        if name in _FUNCTIONS | _READERS and any(getattr(m, name, None) is found for m in (pd, np)):
            module = str(getattr(found, "__module__", "") or "numpy")
            if module.partition(".")[0] in _OWN:
                return found
        if any(found is f for f in (dt.date, dt.datetime, dt.timedelta)):
            return found
        raise _Refused(name or "call")

    def _argument(self, value: Any) -> Any:
        if isinstance(value, type) and (value in (int, float, str, bool, object) or _own_type(value)):
            return value
        if isinstance(value, slice):
            return value
        # a function among the arguments would be called back: `groupby(f)`, `map(f)`, `assign(x=f)`
        if callable(value):
            raise _Refused("callable")
        if isinstance(value, (list, tuple, dict)):
            parts = value.values() if isinstance(value, dict) else value
            if any(isinstance(v, type) or _own_type(type(v)) for v in parts):
                for part in parts:
                    self._argument(part)
                return value
        return self._plain(value)

    @staticmethod
    def _plain(value: Any) -> Any:
        if not _is_plain(value) and not isinstance(value, slice):
            raise _Refused(type(value).__name__)
        return value

    def _bound(self, call: Any, holder: Any, args: list[Any], named: dict[str, Any]) -> None:
        """Refuse the few calls whose result can be far larger than what goes in."""
        name = getattr(call, "__name__", "")
        everything = [holder, *args, *named.values()]
        if name in ("merge", "join", "get_dummies", "crosstab", "pivot", "pivot_table", "unstack"):
            frames = [v for v in everything if isinstance(v, (pd.DataFrame, pd.Series))]
            if sum(map(len, frames)) > ROWS // 100 or named.get("how") == "cross":
                raise _Refused("may multiply rows")
        numbers = [v for v in everything if type(v) is int]
        growing = (
            "repeat",
            "zfill",
            "ljust",
            "rjust",
            "center",
            "pad",
            "arange",
            "linspace",
            "zeros",
            "ones",
            "full",
            "range",
        )
        if name in growing and any(abs(n) > 10_000 for n in numbers):
            raise _Refused("may grow")
        if (
            name in ("resample", "date_range", "period_range", "timedelta_range", "asfreq", "reindex")
            and len(everything) > 0
        ):
            index = getattr(getattr(holder, "obj", holder), "index", None)
            if index is not None and len(index) > ROWS // 100:
                raise _Refused("may grow")

    def _read(self, call: Any, args: list[Any], named: dict[str, Any]) -> Any:
        """Read a table of the working folder: an existing small file, and nothing else."""
        if not args or not isinstance(args[0], (str, Path)):
            raise _Refused("not a file name")
        path = _inside(self._folder, str(args[0]))
        if path is None or path.stat().st_size > FILE_BYTES or "chunksize" in named or "iterator" in named:
            raise _Refused("file")
        return call(path, *args[1:], **named)


def _inside(folder: Path, name: str) -> Path | None:
    """The file of this name below `folder`; None when it lies elsewhere or is none."""
    try:
        path = (folder / name).resolve()
        return path if path.is_relative_to(folder.resolve()) and path.is_file() else None
    except (OSError, ValueError):
        return None


class LiveValues:
    """The values of a namespace, read-only; see `core.ports.Values`.

    Parameters
    ----------
    namespace
        The user namespace as the run left it.
    locals_
        The locals of the failing function, which come first; empty at top level.
    folder
        The working folder; None is the process's.
    """

    def __init__(
        self, namespace: Mapping[str, Any], locals_: Mapping[str, Any] | None = None, folder: Path | None = None
    ):
        self._scopes = tuple(s for s in (locals_, namespace) if s)
        self._folder = folder or Path.cwd()
        self._cards: dict[str, ValueCard | None] = {}

    def _evaluate(self, expression: str) -> Any:
        """The value, or `_Refused`. Warnings of a look are nobody's business."""
        try:
            tree = ast.parse(expression.strip(), mode="eval")
            return unheard(lambda: _Evaluator(self._scopes, self._folder).value(tree))
        except _Refused:
            raise
        except Exception as e:  # noqa: BLE001 - whatever a look raises, it saw nothing
            raise _Refused(type(e).__name__) from None

    def card(self, expression: str) -> ValueCard | None:
        """The summary of a value, with missing counts per column.

        A look is at one state: what was counted once is not counted for the next rule that asks.
        """
        if expression not in self._cards:
            self._cards[expression] = self._card(expression)
        return self._cards[expression]

    def _card(self, expression: str) -> ValueCard | None:
        try:
            value = self._evaluate(expression)
        except _Refused:
            return None
        kind = type(value)
        if isinstance(value, (pd.DataFrame, pd.Series, pd.Index, np.ndarray)) and not _own_type(kind):
            return ValueCard(expression, kind.__name__)
        return describe(expression, value, count_missing=True)

    def shapes(self, expression: str) -> Shapes | None:
        """The value shapes of a column or an index (text as it is, other values by their str)."""
        try:
            value = self._evaluate(expression)
            total = len(value)
        except (_Refused, TypeError):
            return None
        complete = total <= SHAPE_ROWS
        if not complete:
            step = -(-total // SHAPE_ROWS)
            value = value.iloc[::step] if isinstance(value, pd.Series) else list(itertools.islice(value, 0, None, step))
        cells = _plain_array(value)
        if cells is None:
            return None
        missing = np.array([_missing(c) for c in cells], dtype=bool)
        counts: Counter[str] = Counter()
        for text, count in Counter(map(str, cells[~missing])).items():
            counts[shape(text)] += count
        return Shapes(dict(counts.most_common()), int(missing.sum()), total, complete)

    def sample(self, expression: str, limit: int = 20) -> tuple[object, ...] | None:
        """Up to `limit` distinct plain values of a column, index, list, dict (its keys) or scalar, in order.

        Missing values are left out of a column, but a missing scalar is given as it is.
        """
        try:
            value = self._evaluate(expression)
        except _Refused:
            return None
        if type(value) in _PLAIN or isinstance(value, (np.generic, *_STAMPS)):
            return (_plain_value(value),)
        cells = _array(value)
        if cells is None:
            return None
        found: dict[object, None] = {}
        for cell in cells:
            if not _cell_type(type(cell)):
                return None
            if not _missing(cell):
                found.setdefault(_plain_value(cell))
            if len(found) >= limit:
                break
        return tuple(found)

    def overlap(self, left: str, right: str) -> float | None:
        """The share (0 to 1) of distinct values of column `left` that occur in column `right`."""
        try:
            a, b = (_plain_array(self._evaluate(side)) for side in (left, right))
        except _Refused:
            return None
        if a is None or b is None:
            return None
        ours, theirs = ({_plain_value(v) for v in side if not _missing(v)} for side in (a, b))
        return len(ours & theirs) / len(ours) if ours else None

    def names(self) -> Mapping[str, str]:
        """The names in scope that the analyst made, with the name of the value's type."""
        found: dict[str, str] = {}
        for scope in self._scopes:
            for name, value in scope.items():
                if not name.startswith("_") and name not in _SHELL_NAMES:
                    found.setdefault(name, type(value).__name__)
        return found

    def files(self) -> tuple[str, ...]:
        """The files in and one level below the working folder, relative, at most 2,000."""
        found: list[str] = []
        try:
            for entry in sorted(self._folder.iterdir()):
                if entry.name.startswith("."):
                    continue
                inner = sorted(entry.iterdir()) if entry.is_dir() else [entry]
                found += [p.relative_to(self._folder).as_posix() for p in inner if p.is_file() and p.name[0] != "."]
        except OSError:
            pass
        return tuple(found[:FILES])

    def text(self, path: str, limit: int = 65536) -> bytes | None:
        """The first `limit` bytes of a file in the working folder; None when unreadable."""
        found = _inside(self._folder, path)
        try:
            if found is None:
                return None
            with found.open("rb") as f:
                return f.read(limit)
        except OSError:
            return None


def _plain_array(value: object) -> np.ndarray[Any, Any] | None:
    """The cells of a column; None when it is no column, too long, or not all cells are plain."""
    cells = _array(value)
    if cells is None or not all(map(_cell_type, set(map(type, cells)))):
        return None
    return cells


def _array(value: object) -> np.ndarray[Any, Any] | None:
    """A column-like value as an object array, or None."""
    if isinstance(value, Sized) and len(value) > ROWS:
        return None
    if isinstance(value, (pd.Series, pd.Index, pd.Categorical, pd.api.extensions.ExtensionArray)) and _own_type(
        type(value)
    ):
        return None if isinstance(value, pd.MultiIndex) else np.asarray(value.astype(object), dtype=object)
    if type(value) is np.ndarray and value.ndim == 1:
        return value.astype(object)
    if type(value) in (list, tuple, set, frozenset, range, dict, OrderedDict, Counter):
        cells = list(value)  # type: ignore[call-overload]
        out: np.ndarray[Any, Any] = np.empty(len(cells), dtype=object)
        out[:] = cells
        return out
    return None


def _cell_type(kind: type) -> bool:
    return kind in _PLAIN or (issubclass(kind, (np.generic, *_STAMPS)) and _own_type(kind))


def _missing(value: object) -> bool:
    return value is None or value is pd.NaT or value is pd.NA or (isinstance(value, float) and value != value)


def _plain_value(value: object) -> object:
    """NumPy's scalars as Python's; dates stay as they are."""
    return (
        value.item()
        if isinstance(value, np.generic) and not isinstance(value, (np.datetime64, np.timedelta64))
        else value
    )
