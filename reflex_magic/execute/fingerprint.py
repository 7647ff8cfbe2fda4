"""A fingerprint of variables: two are equal when nothing that can be seen of the variables differs.

For ``--verify-rollback`` and for tests. It is written apart from `kinds`, which it checks: values bit
by bit with their types, labels, names, attributes, flags; the order of containers; which names and
places lead to the same object, and which arrays share memory; what functions close over, classes,
default values, states of random numbers, positions in files and iterators.

Nothing is changed, and no code of the analyst's is run: content is read past the methods of classes
that are not a library's. Objects are walked breadth first, without recursion, each once; it counts to
the name that is bound to it, else to the first that leads to it.

Limits: of a library's modules, and of objects that live a life of their own (threads, sockets, the
shell), no more is seen than they say; of an ``lru_cache`` only its function; objects of C libraries
without attributes are seen as such only. Attributes of library objects are followed eight deep.
"""

from __future__ import annotations

import array
import collections
import contextvars
import datetime as dt
import decimal
import enum
import functools
import gc
import hashlib
import io
import logging
import marshal
import os
import random
import sys
import threading
import types
import warnings
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from reflex_magic.execute import kinds
from reflex_magic.execute.checkpoint import LIBRARIES_APART, is_local
from reflex_magic.execute.reach import is_shells

DEPTH = 8
"""How far the attributes of library objects are followed."""

_PLAIN = frozenset({int, float, complex, str, bytes, bool, type(None)})
"""Types that `marshal` writes by value, floats bit by bit."""

_RAW = 2
"""The newest version of `marshal` whose output does not depend on which objects are the same."""

Content = Any
"""What an object is made of, in tuples and lists that `marshal` writes; other objects by their number."""


def fingerprint(namespace: Mapping[str, Any], names: Collection[str] | None = None) -> dict[str, str]:
    """A digest of each variable, and of the cheap state of the process where all variables are asked for.

    Parameters
    ----------
    names
        The variables to look at; None for all but the shell's own. Names that are not bound are left out.
    """
    asked = (n for n in (namespace if names is None else names) if n in namespace and not is_shells(n))
    found = _Walk({name: namespace[name] for name in sorted(asked)}).digests()
    if names is None:
        found |= {name: _digest(content) for name, content in _process()}
    return found


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The names whose digests differ, or that only one of the two has, in order."""
    return sorted(n for n in before.keys() | after.keys() if before.get(n) != after.get(n))


def _digest(content: Content) -> str:
    return hashlib.blake2b(marshal.dumps(content, _RAW), digest_size=16).hexdigest()


def _process() -> Iterator[tuple[str, Content]]:
    yield "random.getstate()", random.getstate()
    yield "os.environ", sorted(os.environ.items())
    yield "warnings.filters", [repr(f) for f in warnings.filters]
    try:
        yield "os.getcwd()", os.getcwd()  # noqa: PTH109  the text is all that is needed
    except OSError:
        yield "os.getcwd()", None
    np = sys.modules.get("numpy")
    if np is not None:
        name, keys, *rest = np.random.get_state()
        yield "np.random.get_state()", (name, keys.tobytes(), *rest)


class _Walk:
    """Breadth first through everything that the variables lead to.

    An object gets a number when it is first met: the name that it counts to, and how many that name
    had before. So a change that makes one variable larger does not move the numbers of the others.
    """

    def __init__(self, variables: Mapping[str, Any]) -> None:
        self._hashes = {name: hashlib.blake2b(digest_size=16) for name in variables}
        self._met: dict[int, tuple[str, int | str]] = {}
        self._kept: list[Any] = []  # as long as they live, their identities are theirs
        self._counts: collections.Counter[str] = collections.Counter()
        self._queue: collections.deque[tuple[Any, str, int]] = collections.deque()
        self._owner, self._depth = "", 0
        self._looks: dict[type, Callable[[_Walk, Any], Content]] = {}
        self._np, self._pd = sys.modules.get("numpy"), sys.modules.get("pandas")
        for name, value in variables.items():
            self._owner = name
            self._hashes[name].update(marshal.dumps(self._of(value), _RAW))

    def digests(self) -> dict[str, str]:
        """The digest of each variable."""
        while self._queue:
            thing, self._owner, self._depth = self._queue.popleft()
            try:
                content = self._content(thing)
            except Exception as error:  # noqa: BLE001  a library object may refuse to be looked at
                content = ("refused", type(error).__name__)
            self._hashes[self._owner].update(marshal.dumps((_name_of(type(thing)), content), _RAW))
        return {name: made.hexdigest() for name, made in self._hashes.items()}

    # -- references ------------------------------------------------------------------------------

    def _of(self, value: Any, deeper: int = 0) -> Content:
        """A plain value as it is; the number of any other object, which will be looked at."""
        if type(value) in _PLAIN:
            return value
        number = self._met.get(id(value))
        if number is None:
            named = _library_name(value)
            if named:  # what is everybody's counts to nobody
                self._kept.append(value)
                self._met[id(value)] = number = ("", named)
                return number
            number = self._number(value)
            if self._depth + deeper <= DEPTH:
                self._queue.append((value, self._owner, self._depth + deeper))
        return number

    def _number(self, thing: Any) -> tuple[str, int | str]:
        self._counts[self._owner] += 1
        self._kept.append(thing)
        self._met[id(thing)] = number = (self._owner, self._counts[self._owner])
        return number

    def _all(self, values: Iterable[Any], deeper: int = 0) -> Content:
        return [v if type(v) in _PLAIN else self._of(v, deeper) for v in values]

    def _attributes(self, own: Mapping[Any, Any] | None, deeper: int = 0) -> Content:
        return None if own is None else (self._all(own), self._all(own.values(), deeper))

    # -- kinds of objects --------------------------------------------------------------------------

    def _content(self, thing: Any) -> Content:
        cls = type(thing)
        if cls not in self._looks:
            self._looks[cls] = next((look for base, look in _LOOKS if issubclass(cls, base)), _Walk._other)
        return self._looks[cls](self, thing)

    def _other(self, thing: Any) -> Content:
        """An object that is none of Python's own."""
        cls, np, pd = type(thing), self._np, self._pd
        if np is not None:
            if issubclass(cls, np.ndarray):
                return self._array(thing)
            if issubclass(cls, np.void):
                return thing.dtype.str, thing.tobytes(), self._of(thing.base)
            if issubclass(cls, (np.generic, np.dtype)):
                return str(thing.dtype) if issubclass(cls, np.generic) else str(thing), _bytes(thing)
            if issubclass(cls, np.random.Generator):
                return self._state(thing.bit_generator.state), self._of(thing.bit_generator.seed_seq)
            if issubclass(cls, np.random.RandomState):
                return self._state(thing.get_state(legacy=False))
            if issubclass(cls, np.random.BitGenerator):
                return self._state(thing.state)
            if issubclass(cls, np.random.SeedSequence):
                return repr(thing.state)
        if pd is not None:
            if issubclass(cls, (pd.DataFrame, pd.Series)):
                return self._frame(thing)
            if issubclass(cls, pd.Index):
                return self._index(thing)
            if issubclass(cls, pd.api.extensions.ExtensionArray):
                return self._column(thing)
            if kinds.module_of(cls).startswith(("pandas._libs", "pandas.core.dtypes")):
                return repr(thing)
        return self._instance(thing)

    def _instance(self, thing: Any) -> Content:
        cls = type(thing)
        roots = {kinds.module_of(c).partition(".")[0] for c in kinds.mro(cls)}
        own = _is_own(cls)
        if not own or not roots.isdisjoint({*kinds.LIVELY, "_ctypes"}):
            said = self._said(thing, roots)
            if said is not None:
                return said
        deeper = 0 if own else 1
        attributes = vars(thing) if issubclass(cls, threading.local) else kinds.own_dict(thing)
        slots = [(n, self._of(v, deeper)) for n, v in kinds.slots(thing).items()]
        made = self._all(vars(BaseException)["args"].__get__(thing)) if issubclass(cls, BaseException) else None
        return self._of(cls), self._attributes(attributes, deeper), slots, made

    def _said(self, thing: Any, roots: set[str]) -> Content:
        """What a library's object says of its state; None for one that is looked into."""
        cls = type(thing)
        if not roots.isdisjoint(kinds.LIVELY):
            return None if issubclass(cls, threading.local) else kinds.LIVING.save(thing)
        if "pyarrow" in roots:
            return _arrow(thing)
        if "polars" in roots and hasattr(cls, "clone"):
            return _arrow(thing.to_arrow())
        if not roots.isdisjoint({"queue", "_queue"}) and hasattr(cls, "qsize"):
            return thing.qsize(), self._all(getattr(thing, "queue", ()))
        if "mmap" in roots:
            return thing[:], thing.tell()
        if "_ctypes" in roots:
            return bytes(thing)
        if hasattr(cls, "hexdigest"):
            return thing.hexdigest()
        if hasattr(cls, "total_changes"):
            return thing.total_changes, self._of(getattr(thing, "row_factory", None), 1)
        if hasattr(cls, "__next__") or issubclass(cls, types.CoroutineType):
            return repr(kinds.progress(thing))
        if isinstance(thing, logging.Logger):
            return thing.name, thing.level, thing.disabled, thing.propagate, self._all(thing.handlers + thing.filters)
        if isinstance(thing, (logging.Handler, logging.Formatter)):
            return None
        return None if roots.isdisjoint(LIBRARIES_APART) else ""

    def _class(self, cls: type) -> Content:
        own = {k: v for k, v in sorted(kinds.own_attributes(cls).items()) if k not in ("__dict__", "__weakref__")}
        named = _name_of(cls), type.__dict__["__name__"].__get__(cls)
        bases = type.__dict__["__bases__"].__get__(cls)
        return named, self._attributes(own), self._all(bases), self._of(type(cls))

    def _function(self, function: types.FunctionType) -> Content:
        own = is_local(function.__module__) or function.__module__ in ("__main__", None)
        if not own and function.__globals__.get("__file__") is not None:
            # A library's: what it wraps and closes over may be the analyst's.
            within = function.__closure__ if "<locals>" in function.__qualname__ else ()
            return function.__qualname__, self._all(within or (), 1), self._attributes(function.__dict__, 1)
        return (
            function.__code__.replace(co_filename=""),  # wherever it was written
            self._all(function.__closure__ or ()),
            self._of(function.__defaults__),
            self._attributes(function.__kwdefaults__),
            self._attributes(function.__dict__),
        )

    def _module(self, module: types.ModuleType) -> Content:
        return self._attributes({k: v for k, v in vars(module).items() if not k.startswith("__")})

    def _mapping(self, thing: Any) -> Content:
        base: Any = collections.OrderedDict if isinstance(thing, collections.OrderedDict) else dict
        factory = thing.default_factory if isinstance(thing, collections.defaultdict) else None
        items = [*base.items(thing)]
        return self._all(k for k, _ in items), self._all(v for _, v in items), self._of(factory), self._more(thing)

    def _sequence(self, thing: Any) -> Content:
        base: Any = next(t for t in (list, tuple, collections.deque) if isinstance(thing, t))
        return self._all(base.__iter__(thing)), self._more(thing)

    def _set(self, thing: Any) -> Content:
        base: Any = set if isinstance(thing, set) else frozenset
        items = [*base.__iter__(thing)]
        plain = sorted(marshal.dumps(v, _RAW) for v in items if type(v) in _PLAIN)
        # Their order says nothing, and must not decide about their numbers.
        return plain, self._all(sorted((v for v in items if type(v) not in _PLAIN), key=id)), self._more(thing)

    def _more(self, thing: Any) -> Content:
        """What an object of a subclass of a container has beside the content."""
        own = None if kinds.module_of(type(thing)) in ("builtins", "collections") else kinds.own_dict(thing)
        return self._of(type(thing)), self._attributes(own)

    def _cell(self, cell: types.CellType) -> Content:
        try:
            return [self._of(cell.cell_contents)]
        except ValueError:
            return []

    def _time(self, thing: Any) -> Content:
        return repr(thing.replace(tzinfo=None)), self._of(thing.tzinfo)

    def _file(self, thing: Any) -> Content:
        if thing.closed:
            return "closed"
        if isinstance(thing, (io.StringIO, io.BytesIO)):
            return thing.getvalue(), thing.tell()
        return str(getattr(thing, "name", "")), kinds.position(thing)

    def _view(self, thing: memoryview) -> Content:
        return "released" if "released" in repr(thing) else (thing.format, bytes(thing), self._of(thing.obj))

    def _variable(self, thing: contextvars.ContextVar[Any]) -> Content:
        return self._all(thing.get(value) for value in (None, 0))  # equal when it has a value

    def _enum(self, thing: enum.Enum) -> Content:
        own = kinds.own_dict(thing)
        return self._of(type(thing)), self._attributes(own) if _is_own(type(thing)) else repr(own)

    def _state(self, state: Any) -> Content:
        """The state of a generator of random numbers: dictionaries, numbers, an array."""
        if isinstance(state, dict):
            return [(k, self._state(v)) for k, v in state.items()]
        return _bytes(state) if hasattr(state, "tobytes") else str(state)

    # -- arrays and frames ---------------------------------------------------------------------------

    def _array(self, thing: Any) -> Content:
        """An array with its layout, and where it lies in the memory that it shares."""
        raw = self._np.ndarray.view(thing, self._np.ndarray)  # type: ignore[union-attr]
        own = None if type(thing) is self._np.ndarray else kinds.own_dict(thing)  # type: ignore[union-attr]
        flags = bool(thing.flags.writeable), thing.strides
        return self._values(raw), flags, self._of(thing.base), self._memory(raw), self._attributes(own)

    def _values(self, raw: Any) -> Content:
        """The values of a plain array, bit by bit; objects by number."""
        if raw.dtype.hasobject:
            fields = raw.dtype.names
            items = raw.ravel().tolist() if fields is None else [v for row in raw.ravel().tolist() for v in row]
            return str(raw.dtype), raw.shape, self._all(items)
        made = hashlib.blake2b(digest_size=16)
        made.update(self._np.ascontiguousarray(raw).view("u1") if raw.size and raw.itemsize else b"")  # type: ignore[union-attr]
        return str(raw.dtype), raw.shape, made.digest()

    def _memory(self, raw: Any) -> Content:
        """Whose memory an array is a part of, and which part."""
        owner = raw
        while isinstance(owner.base, self._np.ndarray):  # type: ignore[union-attr]
            owner = owner.base
        number = self._met.get(id(owner)) or self._number(owner)
        return number, raw.__array_interface__["data"][0] - owner.__array_interface__["data"][0]

    def _frame(self, thing: Any) -> Content:
        frame, own = kinds.bare(thing), vars(thing)
        columns = [frame] if frame.ndim == 1 else [frame.iloc[:, i] for i in range(frame.shape[1])]
        return (
            [self._column(c.array) for c in columns],
            self._all(own["_mgr"].axes),
            self._of(own.get("_name")),
            self._of(own["_attrs"]),
            self._of(own["_flags"]),
            own["_flags"]._allows_duplicate_labels,
            self._attributes({k: v for k, v in own.items() if not k.startswith("_")}),
            self._of(type(thing)),
        )

    def _index(self, thing: Any) -> Content:
        pd = self._pd
        names = self._all(thing.names)
        if isinstance(thing, pd.RangeIndex):  # type: ignore[union-attr]
            return names, thing.start, thing.stop, thing.step
        if isinstance(thing, pd.MultiIndex):  # type: ignore[union-attr]
            return names, [self._index(i) for i in thing.levels], [self._values(_plain(c)) for c in thing.codes]
        return names, str(getattr(thing, "freqstr", "")), self._column(thing.array)

    def _column(self, column: Any) -> Content:
        """The values of a pandas array."""
        pd, dtype = self._pd, str(column.dtype)
        arrays = pd.arrays  # type: ignore[union-attr]
        if isinstance(column, arrays.NumpyExtensionArray) and not isinstance(column, arrays.StringArray):
            values = column.to_numpy()
            return self._values(values), self._memory(values)
        if isinstance(column, pd.Categorical):  # type: ignore[union-attr]
            return self._values(_plain(column.codes)), self._index(column.categories), bool(column.ordered)
        if isinstance(column, arrays.SparseArray):
            places = column.sp_index.indices
            return dtype, self._values(column.sp_values), self._values(places), self._of(column.fill_value)
        if isinstance(column, arrays.IntervalArray):
            return dtype, self._column(column.left.array), self._column(column.right.array)
        if hasattr(column, "asi8"):
            return dtype, self._values(_plain(column.asi8)), str(getattr(column, "freq", ""))
        if hasattr(column.dtype, "numpy_dtype"):
            values = column.to_numpy(dtype=column.dtype.numpy_dtype, na_value=0)
            return dtype, self._values(values), self._values(column.isna())
        if hasattr(column, "__arrow_array__") and not isinstance(column, arrays.StringArray):
            return dtype, _arrow(column.__arrow_array__())
        return dtype, self._all(list(column))


def _plain(values: Any) -> Any:
    return sys.modules["numpy"].asarray(values)


def _bytes(thing: Any) -> bytes:
    return bytes(thing.tobytes()) if hasattr(thing, "tobytes") else b""


def _arrow(thing: Any) -> Content:
    """The content of an Arrow table or array, however it is cut into pieces; for anything else what it says."""
    import pyarrow as pa

    if isinstance(thing, (pa.Array, pa.ChunkedArray)):
        thing = pa.table({"": thing})
    elif isinstance(thing, pa.RecordBatch):
        thing = pa.Table.from_batches([thing])
    elif not isinstance(thing, pa.Table):
        return str(thing)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, thing.schema) as writer:
        writer.write_table(thing.combine_chunks())
    return hashlib.blake2b(sink.getvalue(), digest_size=16).digest()


def _library_name(thing: Any) -> str:
    """The name of a library's class or module; empty for anything else."""
    if issubclass(type(thing), type):
        return "" if _is_own(thing) else _name_of(thing)
    if type(thing) is types.ModuleType:
        return "" if is_local(thing.__name__) else thing.__name__
    return ""


def _name_of(cls: type) -> str:
    return f"{kinds.module_of(cls)}.{type.__dict__['__qualname__'].__get__(cls)}"


_FLAGS: Any = type.__dict__["__flags__"]


def _is_own(cls: type) -> bool:
    """Whether the analyst wrote a class."""
    module = kinds.module_of(cls)
    heap = bool(_FLAGS.__get__(cls) & 1 << 9)  # made by a class statement; without a name of the module, in `builtins`
    return module == "__main__" or (module == "builtins" and heap) or is_local(module)


def _functions(thing: Any) -> list[Any]:
    return [thing.fget, thing.fset, thing.fdel] if isinstance(thing, property) else [thing.__func__]


_LOOKS: tuple[tuple[type | tuple[type, ...], Callable[[_Walk, Any], Content]], ...] = (
    (dict, _Walk._mapping),
    ((list, tuple, collections.deque), _Walk._sequence),
    ((set, frozenset), _Walk._set),
    (bytearray, lambda walk, thing: (bytes(thing), walk._more(thing))),
    (array.array, lambda walk, thing: (thing.typecode, thing.tobytes(), walk._more(thing))),
    (type, _Walk._class),
    (types.FunctionType, _Walk._function),
    (types.ModuleType, _Walk._module),
    (types.CodeType, lambda walk, thing: thing),
    (types.CellType, _Walk._cell),
    (types.MethodType, lambda walk, thing: walk._all((thing.__self__, thing.__func__))),
    (types.BuiltinFunctionType, lambda walk, thing: (thing.__name__, walk._of(thing.__self__, 1))),
    (functools.partial, lambda walk, thing: walk._all((thing.func, thing.args, thing.keywords, thing.__dict__))),
    (type(functools.lru_cache(lambda: None)), lambda walk, thing: walk._of(thing.__wrapped__)),
    ((property, staticmethod, classmethod), lambda walk, thing: walk._all(_functions(thing))),
    (weakref.ref, lambda walk, thing: walk._of(weakref.ref.__call__(thing))),
    (contextvars.ContextVar, _Walk._variable),
    (contextvars.Context, lambda walk, thing: walk._all(thing.values())),
    (decimal.Context, lambda walk, thing: repr(thing)),
    (memoryview, _Walk._view),
    (io.IOBase, _Walk._file),
    (random.Random, lambda walk, thing: repr(thing.getstate())),
    ((dt.datetime, dt.time), _Walk._time),
    (slice, lambda walk, thing: walk._all((thing.start, thing.stop, thing.step))),
    (enum.Enum, _Walk._enum),
    (PurePath, lambda walk, thing: str(thing)),
    (types.MappingProxyType, lambda walk, thing: walk._all(gc.get_referents(thing))),
    ((*(kinds.ATOMS - _PLAIN),), lambda walk, thing: repr(thing)),
    # Numbers and texts of a subclass, with the attributes it may have.
    ((int, float, complex, str, bytes), lambda walk, thing: (_worth(thing), walk._more(thing))),
)
"""How an object is looked at, by its type; the first that fits."""


def _worth(thing: Any) -> Content:
    base: Any = next(t for t in (int, float, complex, str, bytes) if isinstance(thing, t))
    return base.__getnewargs__(thing) if base is not complex else base.__repr__(thing)
