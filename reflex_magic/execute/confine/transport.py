"""Values as data: what a confined child writes, and what the analyst's kernel makes of it.

Nothing is pickled. A value is a tree of JSON, whose leaves may point to raw buffers: columns and
arrays travel as the bytes they consist of, text as Arrow's buffers. The reader trusts nothing: a
buffer is used once and must have exactly the size that its array needs (so a short message cannot
ask for much memory), Arrow arrays are validated in full, and whatever is unexpected is an error.

A tree is ``null``, a boolean, a number or text, or ``[tag, ...]``; `Reader` has one method a tag.
"""

from __future__ import annotations

import base64
import datetime as dt
import decimal
import json
import math
import pathlib
import re
import struct
import sys
import zoneinfo
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa

ITEMS = 1_000_000
"""At most so many plain items in one value."""

DEPTH = 32

INTEGER_BITS = 4096

HEADER_BYTES = 128 << 20

ARRAY_KINDS = "biufcmMSU"
ARRAY_TYPE = re.compile(r"[<>|=][biufcmMSU]\d{1,6}(\[\d{0,6}[a-zA-Z]{1,2}\])?")

Tree = Any
"""JSON."""


class Opaque(Exception):
    """A value that is not data; the message says what it is."""


class Corrupted(Exception):
    """A message that no writer of ours has written."""


def pack(values: Mapping[str, object], plain: object) -> list[bytes | memoryview]:
    """The message that carries `values` and `plain`, in parts.

    Raises
    ------
    TypeError, ValueError
        `plain` is not JSON.
    """
    writer, trees, opaque = Writer(), {}, {}
    for name, value in values.items():
        try:
            trees[name] = writer.value(value)
        except Opaque as reason:
            opaque[name] = str(reason)
        except Exception as error:  # noqa: BLE001 - whatever a foreign value does when it is looked at
            opaque[name] = f"a {type(value).__name__} that cannot be read: {type(error).__name__}"
    sizes = [len(part) for part in writer.buffers]
    header = json.dumps({"values": trees, "opaque": opaque, "plain": plain, "buffers": sizes}).encode()
    return [struct.pack("<Q", len(header)), header, *writer.buffers]


def unpack(message: memoryview) -> tuple[dict[str, object], dict[str, str], object]:
    """Values, opaque names with reasons, and the plain part of a message.

    Raises
    ------
    Corrupted
        The message as a whole cannot be read. A single value that cannot be read is opaque.
    """
    try:
        (length,) = struct.unpack_from("<Q", message)
        if length > min(HEADER_BYTES, len(message)):
            raise Corrupted("header")
        header = json.loads(bytes(message[8 : 8 + length]))
        trees, opaque, plain, sizes = (header[key] for key in ("values", "opaque", "plain", "buffers"))
        buffers, at = [], 8 + length
        for size in sizes:
            if type(size) is not int or not 0 <= size <= len(message) - at:
                raise Corrupted("buffer")
            buffers.append(message[at : at + size])
            at += size
        if not isinstance(trees, dict) or not isinstance(opaque, dict):
            raise Corrupted("names")
    except Corrupted:
        raise
    except Exception as error:
        raise Corrupted(type(error).__name__) from error
    reader = Reader(buffers)
    values: dict[str, object] = {}
    reasons = {name: str(reason)[:200] for name, reason in opaque.items() if _is_name(name)}
    for name in filter(_is_name, trees):
        try:
            values[name] = reader.value(trees[name])
        except Exception as error:  # noqa: BLE001 - a corrupted tree can fail anywhere in pandas
            reasons[name] = f"cannot be read back: {type(error).__name__}"
    return values, reasons, plain


def _is_name(name: str) -> bool:
    return name.isidentifier() and not name.startswith("__") and len(name) <= 200


class Writer:
    """Makes trees of values. `buffers` are the raw parts that the trees point to, in order."""

    def __init__(self) -> None:
        self.buffers: list[bytes | memoryview] = []
        self._known: dict[int, int] = {}
        self._open: set[int] = set()
        self._items = 0

    def value(self, value: object) -> Tree:
        """The tree of one value.

        Raises
        ------
        Opaque
            The value is not data.
        """
        buffers, known = len(self.buffers), len(self._known)
        self._items = 0
        self._open.clear()
        try:
            return self._tree(value, 0)
        except BaseException:
            # What was written for a value that failed must not be pointed to later.
            del self.buffers[buffers:]
            while len(self._known) > known:
                self._known.popitem()
            raise

    def _tree(self, value: object, depth: int) -> Tree:
        self._items += 1
        if self._items > ITEMS:
            raise Opaque(f"more than {ITEMS:,} items")
        if depth > DEPTH:
            raise Opaque(f"nested deeper than {DEPTH} levels")
        scalar = self._scalar(value)
        if scalar is not _NOTHING:
            return scalar
        writes = self._writer_of(value)
        if writes is None:
            raise Opaque(f"a {_type_name(value)}, not data")
        # The same object under two names, or twice in a list, must come back as one object.
        if id(value) in self._known:
            return ["ref", self._known[id(value)]]
        if id(value) in self._open:
            raise Opaque("contains itself")
        self._open.add(id(value))
        tree = writes(value, depth + 1)
        self._open.discard(id(value))
        number = self._known[id(value)] = len(self._known)
        return ["def", number, tree]

    def _scalar(self, value: object) -> Tree:
        kind = type(value)
        if value is None or kind in (bool, str):
            return value
        if isinstance(value, float) and kind is float:
            return value
        if isinstance(value, int) and kind is int:
            if value.bit_length() > INTEGER_BITS:
                raise Opaque(f"an integer of {value.bit_length():,} bits")
            return value
        plain = _PLAIN.get(kind)
        if plain is not None:
            return plain(value)
        return self._library_scalar(value)

    def _library_scalar(self, value: Any) -> Tree:
        np, pd = sys.modules.get("numpy"), sys.modules.get("pandas")
        if np is not None and isinstance(value, np.generic) and type(value).__module__ == "numpy":
            if value.dtype.kind not in ARRAY_KINDS or not value.dtype.itemsize:
                raise Opaque(f"a numpy {value.dtype} value")
            return ["scalar", value.dtype.str, base64.b64encode(value.tobytes()).decode()]
        if pd is None:
            return _NOTHING
        if value is pd.NaT:
            return ["nat"]
        if value is pd.NA:
            return ["na"]
        if type(value) is pd.Timestamp:
            return ["timestamp", int(value.asm8.view("i8")), value.unit, _zone_tree(value.tzinfo)]
        if type(value) is pd.Timedelta:
            return ["pandas-timedelta", int(value.asm8.view("i8")), value.unit]
        if type(value) is pd.Period:
            return ["period", value.ordinal, value.freqstr]
        if type(value) is pd.Interval:
            return ["interval", self._scalar(value.left), self._scalar(value.right), value.closed]
        return _NOTHING

    def _writer_of(self, value: object) -> Callable[[Any, int], Tree] | None:
        kind = type(value)
        if kind in (list, tuple, set, frozenset):
            return self._sequence
        if kind is dict:
            return self._dict
        np, pd = sys.modules.get("numpy"), sys.modules.get("pandas")
        if np is not None and kind is np.ndarray:
            return self._array
        if pd is None:
            return None
        if kind is pd.DataFrame:
            return self._frame
        if kind is pd.Series:
            return self._series
        if isinstance(value, pd.Index) and kind.__module__.startswith("pandas."):
            return self._index
        if isinstance(value, pd.api.extensions.ExtensionArray) and kind.__module__.startswith("pandas."):
            return self._column  # one that wraps a numpy array is opaque: it would come back as the array
        return None

    def _sequence(self, value: Sequence[object], depth: int) -> Tree:
        return [type(value).__name__, [self._tree(item, depth) for item in value]]

    def _dict(self, value: Mapping[object, object], depth: int) -> Tree:
        pairs = list(value.items())
        return ["dict", [self._tree(k, depth) for k, _ in pairs], [self._tree(v, depth) for _, v in pairs]]

    def _buffer(self, data: bytes | memoryview) -> int:
        self.buffers.append(data)
        return len(self.buffers) - 1

    def _array(self, value: np.ndarray, depth: int) -> Tree:
        dtype, shape = value.dtype, list(value.shape)
        if dtype.kind == "O":
            return ["objects", shape, self._objects(value.ravel(), depth)]
        if dtype.kind not in ARRAY_KINDS or not dtype.itemsize:
            raise Opaque(f"an array of {dtype}")
        return ["array", dtype.str, shape, self._buffer(value.tobytes())]

    def _objects(self, values: np.ndarray, depth: int) -> Tree:
        """Python objects: text as Arrow writes it, anything else item by item."""
        import numpy as np
        import pyarrow as pa

        kinds = list(map(_text_kind, values))
        if TEXT in kinds and OTHER not in kinds:
            items = [item if kind == TEXT else None for item, kind in zip(values, kinds, strict=True)]
            text = self._arrow(pa.array(items, type=pa.large_string()))
            return ["text", text, self._array(np.array(kinds, dtype=np.uint8), depth)]
        items = [self._tree(item, depth) for item in values]
        return ["items", items]

    def _arrow(self, array: pa.Array) -> Tree:
        if array.type not in _arrow_types().values() and not _ARROW_PATTERNS.fullmatch(str(array.type)):
            raise Opaque(f"a column of Arrow's {array.type}")
        if array.offset:
            array = _compact(array)
        parts = [None if part is None else self._buffer(memoryview(part)) for part in array.buffers()]
        return [str(array.type), len(array), parts]

    def _column(self, column: Any, depth: int) -> Tree:
        """One column: a numpy array or an extension array."""
        import numpy as np
        import pandas as pd
        import pyarrow as pa

        dtype: Any = column.dtype
        if isinstance(column, np.ndarray):
            return self._array(column, depth)
        if isinstance(dtype, pd.StringDtype):
            text = pa.array(column.to_numpy(dtype=object, na_value=None), type=pa.large_string())
            return ["strings", self._arrow(text), dtype.storage, dtype.na_value is pd.NA]
        if isinstance(dtype, pd.ArrowDtype):
            array = pa.array(column)
            return ["arrow", self._arrow(array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array)]
        if isinstance(dtype, pd.CategoricalDtype):
            return ["category", self._array(column.codes, depth), self._index(column.categories, depth), column.ordered]
        if isinstance(dtype, pd.DatetimeTZDtype):
            moments = column.tz_convert("UTC").tz_localize(None).to_numpy()
            return ["moments", self._array(moments, depth), _zone_tree(dtype.tz)]
        if isinstance(dtype, pd.PeriodDtype):
            return ["periods", self._array(column.asi8, depth), dtype.name[len("period[") : -1]]
        if isinstance(dtype, pd.IntervalDtype):
            ends = [self._index(end, depth) for end in (column.left, column.right)]
            return ["intervals", *ends, dtype.closed]
        if isinstance(dtype, _masked_types()):
            filled = column.to_numpy(dtype=column.dtype.numpy_dtype, na_value=0)
            return ["masked", self._array(filled, depth), self._array(column.isna(), depth)]
        raise Opaque(f"a column of type {dtype}")

    def _index(self, index: pd.Index, depth: int) -> Tree:
        import numpy as np
        import pandas as pd

        if isinstance(index, pd.MultiIndex):
            levels = [self._index(level, depth) for level in index.levels]
            codes = [self._array(np.asarray(code), depth) for code in index.codes]
            return ["multiindex", levels, codes, [self._tree(name, depth) for name in index.names]]
        name = self._tree(index.name, depth)
        if isinstance(index, pd.RangeIndex):
            return ["rangeindex", index.start, index.stop, index.step, name]
        frequency = index.freq if isinstance(index, pd.DatetimeIndex | pd.TimedeltaIndex) else None
        values = index.to_numpy() if isinstance(index.dtype, np.dtype) else index.array
        return ["index", self._column(values, depth), name, frequency and frequency.freqstr]

    def _series(self, series: pd.Series, depth: int) -> Tree:
        index, name = self._index(series.index, depth), self._tree(series.name, depth)
        return ["series", self._series_values(series, depth), index, name, self._tree(series.attrs, depth)]

    def _series_values(self, series: pd.Series, depth: int) -> Tree:
        import numpy as np

        return self._column(series.to_numpy() if isinstance(series.dtype, np.dtype) else series.array, depth)

    def _frame(self, frame: pd.DataFrame, depth: int) -> Tree:
        columns = [self._series_values(frame.iloc[:, i], depth) for i in range(frame.shape[1])]
        index, labels = self._index(frame.index, depth), self._index(frame.columns, depth)
        return ["frame", columns, index, labels, self._tree(frame.attrs, depth)]


class Reader:
    """Makes values of trees that may be anything. Every surprise is an exception."""

    def __init__(self, buffers: Sequence[memoryview]) -> None:
        self._buffers: dict[int, memoryview] = dict(enumerate(buffers))
        self._known: dict[int, object] = {}

    def value(self, tree: Tree) -> Any:
        """The value that a tree stands for."""
        if tree is None or isinstance(tree, bool | int | float | str):
            return tree
        tag, *parts = tree
        read: Callable[..., object] | None = getattr(self, f"_read_{tag.replace('-', '_')}", None)
        if read is None:
            raise Corrupted("tag")
        return read(*parts)

    def _taken(self, number: int) -> memoryview:
        return self._buffers.pop(number)

    def _read_def(self, number: int, tree: Tree) -> object:
        value = self._known[number] = self.value(tree)
        return value

    def _read_ref(self, number: int) -> object:
        return self._known[number]

    def _read_list(self, trees: list[Tree]) -> list[Any]:
        return [self.value(tree) for tree in trees]

    def _read_tuple(self, trees: list[Tree]) -> tuple[object, ...]:
        return tuple(self._read_list(trees))

    def _read_set(self, trees: list[Tree]) -> set[object]:
        return set(self._read_list(trees))

    def _read_frozenset(self, trees: list[Tree]) -> frozenset[object]:
        return frozenset(self._read_list(trees))

    def _read_dict(self, keys: list[Tree], values: list[Tree]) -> dict[object, object]:
        return dict(zip(self._read_list(keys), self._read_list(values), strict=True))

    def _read_complex(self, real: float, imaginary: float) -> complex:
        return complex(real, imaginary)

    def _read_bytes(self, text: str) -> bytes:
        return base64.b64decode(text, validate=True)

    def _read_decimal(self, text: str) -> decimal.Decimal:
        return decimal.Decimal(text)

    def _read_date(self, text: str) -> dt.date:
        return dt.date.fromisoformat(text)

    def _read_time(self, text: str) -> dt.time:
        return dt.time.fromisoformat(text)

    def _read_datetime(self, text: str, zone: Tree, fold: int) -> dt.datetime:
        return dt.datetime.fromisoformat(text).replace(tzinfo=_zone(zone), fold=fold)

    def _read_timedelta(self, days: int, seconds: int, microseconds: int) -> dt.timedelta:
        return dt.timedelta(days, seconds, microseconds)

    def _read_range(self, start: int, stop: int, step: int) -> range:
        return range(start, stop, step)

    def _read_slice(self, start: Tree, stop: Tree, step: Tree) -> slice:
        return slice(*map(self.value, (start, stop, step)))

    def _read_path(self, text: str) -> pathlib.Path:
        return pathlib.Path(text)

    def _read_scalar(self, dtype: str, data: str) -> Any:
        import numpy as np

        raw = base64.b64decode(data, validate=True)
        return np.frombuffer(raw, _dtype(dtype), count=1)[0]

    def _read_nat(self) -> Any:
        import pandas as pd

        return pd.NaT

    def _read_na(self) -> Any:
        import pandas as pd

        return pd.NA

    def _read_timestamp(self, value: Any, unit: Any, zone: Tree) -> Any:
        import numpy as np
        import pandas as pd

        moment = pd.Timestamp(np.datetime64(value, unit))
        return moment if zone is None else moment.tz_localize("UTC").tz_convert(_zone(zone))

    def _read_pandas_timedelta(self, value: Any, unit: Any) -> Any:
        import numpy as np
        import pandas as pd

        return pd.Timedelta(np.timedelta64(value, unit))

    def _read_period(self, ordinal: int, frequency: str) -> Any:
        import numpy as np
        import pandas as pd

        return pd.arrays.PeriodArray(np.array([ordinal], dtype=np.int64), dtype=pd.PeriodDtype(frequency))[0]

    def _read_interval(self, left: Tree, right: Tree, closed: Any) -> Any:
        import pandas as pd

        return pd.Interval(self.value(left), self.value(right), closed=closed)

    def _read_array(self, dtype: str, shape: list[int], number: int) -> Any:
        import numpy as np

        kind, data = _dtype(dtype), self._taken(number)
        if any(type(n) is not int or n < 0 for n in shape) or math.prod(shape) * kind.itemsize != len(data):
            raise Corrupted("shape")
        array = np.frombuffer(data, kind).reshape(shape)
        if kind.kind == "b":
            return array.view(np.uint8) != 0  # numpy relies on a boolean being 0 or 1
        if kind.kind == "U" and array.size and np.frombuffer(data, np.uint32).max() > sys.maxunicode:
            raise Corrupted("text")
        return array.copy()

    def _read_objects(self, shape: list[int], tree: Tree) -> Any:
        return self.value(tree).reshape(shape)

    def _read_items(self, trees: list[Tree]) -> Any:
        import numpy as np

        values: np.ndarray = np.empty(len(trees), dtype=object)
        for i, tree in enumerate(trees):
            values[i] = self.value(tree)
        return values

    def _read_text(self, tree: Tree, kinds: Tree) -> Any:
        import numpy as np
        import pandas as pd

        text, missing = self._arrow(tree).to_pylist(), self.value(kinds)
        values: np.ndarray = np.empty(len(text), dtype=object)
        values[:] = text
        values[missing == NAN] = math.nan
        values[missing == NA] = pd.NA
        return values

    def _arrow(self, tree: Tree) -> pa.Array:
        import pyarrow as pa

        name, length, numbers = tree
        buffers = [None if number is None else pa.py_buffer(bytes(self._taken(number))) for number in numbers]
        array = pa.Array.from_buffers(_arrow_type(name), length, buffers)
        array.validate(full=True)
        return array

    def _read_strings(self, tree: Tree, storage: Any, nullable: bool) -> Any:
        import numpy as np
        import pandas as pd

        # pandas 2.2 has no `na_value`, and no string column whose missing value is NaN.
        dtype: Any = pd.StringDtype(storage) if nullable else pd.StringDtype(storage, na_value=np.nan)
        return dtype.__from_arrow__(self._arrow(tree))

    def _read_arrow(self, tree: Tree) -> Any:
        import pandas as pd

        array = self._arrow(tree)
        dtype: Any = pd.ArrowDtype(array.type)
        return dtype.__from_arrow__(array)

    def _read_category(self, codes: Tree, categories: Tree, ordered: bool) -> Any:
        import pandas as pd

        dtype = pd.CategoricalDtype(self.value(categories), ordered is True)
        return pd.Categorical.from_codes(self.value(codes), dtype=dtype)

    def _read_moments(self, values: Tree, zone: Tree) -> Any:
        import pandas as pd

        return pd.DatetimeIndex(self.value(values)).tz_localize("UTC").tz_convert(_zone(zone)).array

    def _read_periods(self, ordinals: Tree, frequency: str) -> Any:
        import pandas as pd

        return pd.arrays.PeriodArray(self.value(ordinals), dtype=pd.PeriodDtype(frequency))

    def _read_intervals(self, left: Tree, right: Tree, closed: Any) -> Any:
        import pandas as pd

        return pd.arrays.IntervalArray.from_arrays(self.value(left), self.value(right), closed=closed)

    def _read_masked(self, values: Tree, mask: Tree) -> Any:
        import pandas as pd

        data, missing = self.value(values), self.value(mask)
        kinds = {
            "b": pd.arrays.BooleanArray,
            "i": pd.arrays.IntegerArray,
            "u": pd.arrays.IntegerArray,
            "f": pd.arrays.FloatingArray,
        }
        return kinds[data.dtype.kind](data, missing)

    def _read_multiindex(self, levels: list[Tree], codes: list[Tree], names: list[Tree]) -> Any:
        import pandas as pd

        values = [self._read_list(part) for part in (levels, codes, names)]
        return pd.MultiIndex(levels=values[0], codes=values[1], names=values[2])

    def _read_rangeindex(self, start: int, stop: int, step: int, name: Tree) -> Any:
        import pandas as pd

        return pd.RangeIndex(start, stop, step, name=self.value(name))

    def _read_index(self, values: Tree, name: Tree, frequency: str | None) -> Any:
        import pandas as pd

        array = self.value(values)
        index = pd.Index(array, dtype=array.dtype, name=self.value(name))
        if frequency is not None:
            index.freq = frequency  # pandas refuses one that the values do not have
        return index

    def _read_series(self, values: Tree, index: Tree, name: Tree, attributes: Tree) -> Any:
        import pandas as pd

        array = self.value(values)
        series = pd.Series(array, self.value(index), dtype=array.dtype, name=self.value(name), copy=False)
        series.attrs.update(self.value(attributes))
        return series

    def _read_frame(self, columns: list[Tree], index: Tree, labels: Tree, attributes: Tree) -> Any:
        import pandas as pd

        rows, arrays = self.value(index), self._read_list(columns)
        series = {i: pd.Series(array, rows, dtype=array.dtype, copy=False) for i, array in enumerate(arrays)}
        frame = pd.DataFrame(series, index=rows, copy=False)
        frame.columns = self.value(labels)
        frame.attrs.update(self.value(attributes))
        return frame


_NOTHING = object()

TEXT, NONE, NAN, NA, OTHER = range(5)
"""What an item of an object column is. None and NaN both say "missing", and must not be confused."""


def _text_kind(item: object) -> int:
    if type(item) is str:
        return TEXT
    if item is None:
        return NONE
    if type(item) is float and math.isnan(item):
        return NAN
    pd = sys.modules.get("pandas")
    return NA if pd is not None and item is pd.NA else OTHER


_PLAIN: dict[type, Callable[[Any], Tree]] = {
    complex: lambda v: ["complex", v.real, v.imag],
    bytes: lambda v: ["bytes", base64.b64encode(v).decode()],
    decimal.Decimal: lambda v: ["decimal", str(v)],
    dt.date: lambda v: ["date", v.isoformat()],
    dt.time: lambda v: ["time", v.isoformat()] if v.tzinfo is None else _NOTHING,
    dt.datetime: lambda v: ["datetime", v.replace(tzinfo=None).isoformat(), _zone_tree(v.tzinfo), v.fold],
    dt.timedelta: lambda v: ["timedelta", v.days, v.seconds, v.microseconds],
    range: lambda v: ["range", v.start, v.stop, v.step],
    slice: lambda v: ["slice", *(_bound(part) for part in (v.start, v.stop, v.step))],
    type(pathlib.Path()): lambda v: ["path", str(v)],
}


def _bound(value: object) -> Tree:
    if value is not None and type(value) not in (int, str):
        raise Opaque("a slice of other things than numbers")
    return value


def _type_name(value: object) -> str:
    kind = type(value)
    module = str(getattr(kind, "__module__", ""))
    name = str(getattr(kind, "__qualname__", "value"))
    return (name if module in ("builtins", "__main__") else f"{module}.{name}")[:100]


def _zone_tree(zone: dt.tzinfo | None) -> Tree:
    if zone is None or zone is dt.UTC:
        return None if zone is None else "UTC"
    if type(zone) is zoneinfo.ZoneInfo and zone.key:
        return ["zone", zone.key]
    if type(zone) is dt.timezone:
        return ["offset", zone.utcoffset(None).total_seconds()]
    raise Opaque(f"a time zone of {type(zone).__module__}")


def _zone(tree: Tree) -> dt.tzinfo | None:
    match tree:
        case None:
            return None
        case "UTC":
            return dt.UTC
        case ["zone", str(key)]:
            return zoneinfo.ZoneInfo(key)
        case ["offset", int(seconds) | float(seconds)]:
            return dt.timezone(dt.timedelta(seconds=seconds))
    raise Corrupted("zone")


def _dtype(text: str) -> np.dtype:
    import numpy as np

    if not ARRAY_TYPE.fullmatch(text):
        raise Corrupted("dtype")
    dtype = np.dtype(text)
    if dtype.kind not in ARRAY_KINDS or not dtype.itemsize:
        raise Corrupted("dtype")
    return dtype


def _masked_types() -> tuple[type, ...]:
    import pandas as pd

    sized = [f"{sign}Int{bits}Dtype" for sign in ("", "U") for bits in (8, 16, 32, 64)]
    names = ["BooleanDtype", "Float32Dtype", "Float64Dtype", *sized]
    return tuple(getattr(pd, name) for name in names)


_ARROW_PATTERNS = re.compile(r"timestamp\[(s|ms|us|ns)(, tz=([\w/+:-]+))?\]|decimal128\((\d+), (-?\d+)\)")


def _arrow_types() -> dict[str, pa.DataType]:
    """The Arrow types that travel, by name: all are one, two or three flat buffers."""
    import pyarrow as pa

    numbers = [getattr(pa, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)]
    text = [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()]
    times = [pa.date32(), pa.date64(), pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")]
    times += [pa.duration(unit) for unit in ("s", "ms", "us", "ns")]
    known = [pa.bool_(), pa.float16(), pa.float32(), pa.float64(), *numbers, *text, *times]
    return {str(kind): kind for kind in known}


def _arrow_type(name: str) -> pa.DataType:
    import pandas as pd
    import pyarrow as pa

    known = _arrow_types().get(name)
    if known is not None:
        return known
    found = _ARROW_PATTERNS.fullmatch(name)
    if not found:
        raise Corrupted("type")
    unit, _, zone, precision, scale = found.groups()
    if zone is not None:
        pd.DatetimeTZDtype("ns", zone)  # Arrow takes any name for a zone, and fails when it is looked at
    return pa.timestamp(unit, zone) if unit else pa.decimal128(int(precision), int(scale))


def _compact(array: pa.Array) -> pa.Array:
    """A copy of a slice, with buffers that start where the slice starts."""
    import pyarrow as pa

    return array.take(pa.array(range(len(array)), type=pa.int64()))
