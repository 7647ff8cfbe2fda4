"""Checkpoints: an undo log of objects, put back in place.

(A restore point of the namespace, not Jupyter's file checkpoint.) A checkpoint holds the bindings
of the namespace and the content of every object the coming steps can touch. Nothing is
serialised; frames are kept by copy-on-write. Putting it back keeps identities, so that aliases,
containers and closures need no analysis.

The idea of restoring whole groups of aliased variables is Kishu's (Li et al., VLDB 2025); keeping
identities instead makes the groups unnecessary.
"""

from __future__ import annotations

import array
import builtins
import collections
import datetime as dt
import decimal
import enum
import fractions
import functools
import io
import random
import re
import sys
import types
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from reflex_magic.execute import kinds
from reflex_magic.execute.kinds import Kind
from reflex_magic.execute.reach import BELOW_API, DYNAMIC, SHELL_NAMES, code_names

ITEMS = 1_000_000
"""So many items of containers are saved at most; a flat list counts a quarter."""

BYTES = 64 << 20
"""So many bytes of arrays are copied at most."""

SMALL = 1 << 16
"""An array of so many bytes is copied without asking whether it may be written."""

LIBRARY_DEPTH = 4
"""How far the attributes of library objects are followed."""

REGISTRY = "__warningregistry__"
"""Where Python notes which warnings were shown; a trial must warn again."""

_ATOMS = frozenset({
    int, float, complex, str, bytes, bool, type(None), range, slice, type(...), type(NotImplemented),
    types.ModuleType, types.CodeType, types.MethodWrapperType, types.WrapperDescriptorType,
    dt.date, dt.datetime, dt.time, dt.timedelta, dt.timezone,
    decimal.Decimal, fractions.Fraction, uuid.UUID, re.Pattern, re.Match,
})  # fmt: skip

_IMMUTABLE = (enum.Enum, PurePath, dt.tzinfo)

_PLAIN_CELLS = frozenset({
    "string", "bytes", "floating", "integer", "mixed-integer-float", "decimal", "complex", "boolean", "datetime",
    "date", "timedelta", "time", "empty",
})  # fmt: skip
"""What pandas says of an object column none of whose cells can change."""

_NOT_FOLLOWED = frozenset({
    "IPython", "ipykernel", "traitlets", "ipywidgets", "anywidget", "zmq", "tornado", "asyncio", "threading", "_thread",
    "logging", "concurrent", "multiprocessing", "socket", "_socket", "ssl", "select", "selectors", "jupyter_client",
    "comm", "reflex_magic", "importlib", "_frozen_importlib", "_frozen_importlib_external", "contextvars", "weakref",
    "queue", "_queue", "subprocess", "ctypes", "_ctypes",
})  # fmt: skip
"""Libraries whose objects live a life of their own; putting them back would break it."""


@dataclass(slots=True)
class Record:
    """The content of one object. `root` is the name under which it was found first."""

    kind: Kind
    thing: Any
    saved: Any
    root: str

    def again(self) -> Record:
        """The same object's content as it is now."""
        if isinstance(self.kind, kinds.ArrayKind) and self.kind.same(self.thing, self.saved):
            return self
        return saved(self.kind, self.thing, self.root)

    @property
    def same(self) -> bool:
        """Whether the content is as it was; False when it cannot be compared."""
        try:
            return self.kind.same(self.thing, self.saved)
        except Exception:  # noqa: BLE001  comparing may run any code
            return False


def saved(kind: Kind, thing: Any, root: str) -> Record:
    """The content of an object as it is now; a record that says so where that cannot be saved."""
    try:
        return Record(kind, thing, kind.save(thing), root)
    except Exception:  # noqa: BLE001  a library object may refuse for any reason
        return Record(kinds.REFUSED, thing, None, root)


Records = dict[int, Record]
"""Records by the identity of their object; a record keeps its object alive, so the key stays valid."""


@dataclass(slots=True)
class Checkpoint:
    """The bindings of a namespace and the content of some of its objects."""

    bindings: dict[str, Any]
    records: Records = field(default_factory=dict)

    def contents(self) -> list[str]:
        """Put the content of the objects back; what could not be put back, in words."""
        return [doubt for record in self.records.values() if (doubt := _put(record))]

    def unsaved(self) -> list[str]:
        """The objects that a step may change and that were not saved, in words."""
        large = (r for r in self.records.values() if r.kind is kinds.TOO_LARGE)
        return [f"`{r.root}` ({type(r.thing).__name__}) {r.kind.why}" for r in large]

    def restore(self, namespace: MutableMapping[str, Any]) -> list[str]:
        """Put everything back, with all bindings; what could not be put back, in words."""
        doubts = self.contents()
        rebind(namespace, dict(namespace), self.bindings)
        return doubts


def rebind(namespace: MutableMapping[str, Any], was: Mapping[str, Any], will: Mapping[str, Any]) -> None:
    """Make the changes that lead from the bindings `was` to `will`; other names stay as they are."""
    for name in was.keys() - will.keys():
        namespace.pop(name, None)
    for name, value in will.items():
        if name not in was or was[name] is not value:
            namespace[name] = value


def _put(record: Record) -> str:
    """Put one object's content back; why that is not possible, in words, or the empty string."""
    where = f"`{record.root}` ({type(record.thing).__name__})"
    try:
        lost = record.kind.lost(record.thing, record.saved)
        record.kind.put(record.thing, record.saved)
    except Exception as error:  # noqa: BLE001  a library object may refuse for any reason; the rest is still put back
        return f"{where} cannot be put back: {type(error).__name__}"
    return f"{where} {record.kind.why}" if lost else ""


def _bytes_of(frame: Any) -> int:
    """Bytes of the columns of a frame, or of a series."""
    return int(frame.memory_usage(index=False, deep=False).sum()) if frame.ndim == 2 else int(frame.nbytes)


def take(namespace: MutableMapping[str, Any], names: Collection[str], written: Callable[[], set[str]]) -> Checkpoint:
    """A checkpoint of the namespace before steps that mention `names`.

    Parameters
    ----------
    names
        Every name the steps mention, also those the namespace does not have.
    written
        The names through which those steps may write an array; asked only for a large array.
    """
    walk = _Walk(namespace, set(names), written)
    walk.run()
    for kind, thing in kinds.process_state(walk.names):
        walk.records[id(thing)] = Record(kind, thing, kind.save(thing), "")
    return Checkpoint(dict(namespace), walk.records)


@dataclass(slots=True)
class _Place:
    """Where the walk stands: below which name, how deep in library objects, whether arrays are copied."""

    root: str
    depth: int
    copy: bool


class _Walk:
    """Follows names to objects. Nothing here runs code of the analyst's."""

    def __init__(self, namespace: MutableMapping[str, Any], names: set[str], written: Callable[[], set[str]]) -> None:
        self.namespace = namespace
        self.names = names
        self.records: Records = {}
        self._written = written
        self._unsafe: set[str] | None = None
        self._seen: dict[int, Any] = {}
        self._stack: list[tuple[Any, _Place]] = []
        self._items = ITEMS
        self._bytes = BYTES
        self._modules = ("__main__", "builtins", namespace.get("__name__", "builtins"))
        self._pandas, self._numpy = sys.modules.get("pandas"), sys.modules.get("numpy")
        self._tables = (self._pandas.DataFrame, self._pandas.Series) if self._pandas is not None else ()
        self._deep = not _copy_on_write(self._pandas)
        self._sharing: dict[int, list[Any]] | None = None

    def run(self) -> None:
        """Follow every name."""
        if not self.names.isdisjoint(BELOW_API):
            self._deep = True
            if self._pandas is not None:
                # Memory may be shared between frames; below the API a write to one is a write to all.
                data = (self._pandas.DataFrame, self._pandas.Series)
                self.names |= {n for n, v in list(self.namespace.items()) if isinstance(v, data)}
        self._push_names(self.names, copy=False)
        if REGISTRY in self.namespace:
            self._save(kinds.DICT, self.namespace[REGISTRY], REGISTRY)
        while self._stack:
            thing, place = self._stack.pop()
            try:
                self._look(thing, place)
            except Exception:  # noqa: BLE001  a class of the analyst's may refuse anything; a trial then has a doubt
                self.records[id(thing)] = Record(kinds.REFUSED, thing, None, place.root)

    def _push_names(self, names: Collection[str], *, copy: bool) -> None:
        if not DYNAMIC.isdisjoint(names):
            names, copy = {n for n in self.namespace if not n.startswith("_")}, True
        for name in names:
            if name in self.namespace and name not in SHELL_NAMES:
                self._push(self.namespace[name], _Place(name, 0, copy))

    def _push(self, thing: Any, place: _Place) -> None:
        if type(thing) not in _ATOMS and id(thing) not in self._seen:
            self._stack.append((thing, place))

    def _push_all(self, things: Iterable[Any], place: _Place) -> None:
        for thing in things:
            self._push(thing, place)

    def _save(self, kind: Kind, thing: Any, root: str) -> None:
        self.records[id(thing)] = saved(kind, thing, root)

    def _look(self, thing: Any, place: _Place) -> None:
        if id(thing) in self._seen:
            return
        self._seen[id(thing)] = thing
        if isinstance(thing, type):
            self._look_at_class(thing, place)
        elif isinstance(thing, types.FunctionType):
            self._look_at_function(thing, place)
        elif self._numpy is not None and isinstance(thing, self._numpy.ndarray):
            self._look_at_array(thing, place)
        elif (
            self._pandas is not None
            and (type(thing).__module__.startswith("pandas") or issubclass(type(thing), self._tables))
            and self._look_at_pandas(thing, place)
        ):
            pass
        elif isinstance(thing, (list, dict, set, collections.deque, bytearray, array.array)):
            self._look_at_container(thing, place)
        elif isinstance(thing, (tuple, frozenset)):
            base: Any = tuple if isinstance(thing, tuple) else frozenset
            items = thing if type(thing) is base else list(base.__iter__(thing))
            if self._afford(thing, items, place):
                self._push_all(items, place)
        elif isinstance(thing, types.MethodType):
            self._push_all((thing.__self__, thing.__func__), place)
        elif isinstance(thing, types.BuiltinFunctionType):
            self._push(thing.__self__, place)
        elif isinstance(thing, functools.partial):
            self._push_all((thing.func, *thing.args, *thing.keywords.values()), place)
        elif isinstance(thing, memoryview):
            self._push(thing.obj, place)
        elif isinstance(thing, (property, staticmethod, classmethod)):
            self._push_all(_functions(thing), place)
        elif not isinstance(thing, _IMMUTABLE):
            self._look_at_instance(thing, place)

    def _look_at_class(self, cls: type, place: _Place) -> None:
        if not self._own_class(cls):
            return
        self._save(kinds.CLASS, cls, place.root)
        self._push_all([v for k, v in vars(cls).items() if not (k.startswith("__") and not callable(v))], place)
        self._push_all(cls.__bases__, place)

    def _own_class(self, cls: type) -> bool:
        heap = cls.__flags__ & 1 << 9  # Py_TPFLAGS_HEAPTYPE: made by a class statement
        return bool(heap) and cls.__module__ in self._modules and vars(builtins).get(cls.__name__) is not cls

    def _look_at_function(self, function: types.FunctionType, place: _Place) -> None:
        if function.__globals__ is not self.namespace:
            # A library's function: its state is its own; a decorated one leads to the analyst's.
            self._push(getattr(function, "__wrapped__", None), place)
            if function.__closure__ and place.depth < LIBRARY_DEPTH:
                inner = _Place(place.root, place.depth + 1, True)
                self._push_all(self._own_functions(c for c in map(_cell_content, function.__closure__)), inner)
            return
        self._save(kinds.FUNCTION, function, place.root)
        inner = _Place(place.root, place.depth, True)
        self._push_all(map(_cell_content, function.__closure__ or ()), inner)
        self._push_all((*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()), inner)
        self._push_all(function.__dict__.values(), inner)
        mentioned = code_names(function.__code__)
        self.names |= mentioned
        self._push_names(mentioned, copy=True)

    def _own_functions(self, things: Iterable[Any]) -> Iterator[Any]:
        return (t for t in things if isinstance(t, types.FunctionType) and t.__globals__ is self.namespace)

    def _look_at_array(self, thing: Any, place: _Place) -> None:
        if thing.base is not None:
            self._push(thing.base, place)
        if thing.dtype == object:
            self._push_all((v for v in thing.ravel().tolist() if type(v) not in _ATOMS), place)
        if not thing.flags.writeable:
            return
        if thing.nbytes > SMALL and not place.copy and place.root not in self._arrays_written():
            return
        self._copy_array(kinds.ARRAY, thing, thing.nbytes, place)

    def _copy_array(self, kind: Kind, thing: Any, size: int, place: _Place) -> None:
        self._bytes -= size
        self._save(kind if self._bytes >= 0 else kinds.TOO_LARGE, thing, place.root)
        if self._bytes < 0:
            self._bytes += size

    def _arrays_written(self) -> set[str]:
        if self._unsafe is None:
            self._unsafe = self._written()
        return self._unsafe

    def _look_at_pandas(self, thing: Any, place: _Place) -> bool:
        pd = self._pandas
        assert pd is not None
        if isinstance(thing, (pd.DataFrame, pd.Series)):
            self._look_at_frame(thing, place)
        elif isinstance(thing, pd.Index):
            self._save(kinds.INDEX, thing, place.root)
        elif isinstance(thing, pd.api.extensions.ExtensionArray):
            self._copy_array(kinds.EXTENSION_ARRAY, thing, int(thing.nbytes), place)
        else:
            # Scalars, offsets and types never change; the rest (groupings, accessors) leads to data.
            return type(thing).__module__.startswith(("pandas._libs", "pandas.core.dtypes", "pandas.tseries"))
        return True

    def _look_at_frame(self, thing: Any, place: _Place) -> None:
        frame = kinds.bare(thing)
        # Only a deep copy has a size, and asking each column for it takes longer than the record.
        size = _bytes_of(frame) if self._deep else 0
        if self._deep and size <= self._bytes:
            self._bytes -= size
            self._save(kinds.DEEP_FRAME, thing, place.root)
        else:
            self._save(kinds.UNSURE_FRAME if self._deep else kinds.FRAME, thing, place.root)
        if self._deep:
            # Without copy-on-write a write to a frame is seen through every view of its memory.
            self._push_all((s for m in _memory_of(frame) for s in self._sharers().get(m, ())), place)
        if frame is not thing:
            self._push_all((type(thing), *(v for k, v in vars(thing).items() if not k.startswith("_"))), place)
        for axis in frame.axes:
            self._push(axis, place)
        # Of the dtypes only `object` holds objects; a category, of the same kind, does not.
        columns = (
            [frame] if frame.ndim == 1 else [frame.iloc[:, i] for i, t in enumerate(frame.dtypes) if t == "object"]
        )
        for column in columns:
            if column.dtype == object and self._infer(column) not in _PLAIN_CELLS:
                cells = column.to_numpy().tolist()
                if not set(map(type, cells)) <= _ATOMS and self._afford(thing, cells, place):
                    self._push_all(cells, place)

    def _sharers(self) -> dict[int, list[Any]]:
        """The frames, series and arrays of the namespace by the memory they are made of."""
        if self._sharing is None:
            assert self._pandas is not None
            assert self._numpy is not None
            self._sharing = {}
            data = (self._pandas.DataFrame, self._pandas.Series, self._numpy.ndarray)
            for thing in [v for v in self.namespace.values() if isinstance(v, data)]:
                for memory in _memory_of(thing):
                    self._sharing.setdefault(memory, []).append(thing)
        return self._sharing

    def _infer(self, column: Any) -> str:
        assert self._pandas is not None
        return str(self._pandas.api.types.infer_dtype(column, skipna=True))

    def _look_at_container(self, thing: Any, place: _Place) -> None:
        base: Any = next(t for t in _CONTAINERS if isinstance(thing, t))
        kind = _CONTAINERS[base]
        size = base.__len__(thing)
        inner: Iterable[Any] = ()
        if isinstance(thing, dict):
            inner = dict.values(thing)
        elif not isinstance(thing, (bytearray, array.array)):
            inner = thing if type(thing) is base else list(base.__iter__(thing))
        flat = set(map(type, inner)) <= _ATOMS
        self._items -= size // 4 if flat and isinstance(thing, list) else size
        self._save(kind if self._items >= 0 else kinds.TOO_LARGE, thing, place.root)
        if self._items < 0:
            self._items += size
        elif not flat:
            self._push_all(inner, place)
        own = kinds.own_dict(thing) if type(thing) not in _CONTAINERS else None
        if own is not None:
            # A subclass with attributes of its own: they are a record beside the content.
            self._save(kinds.DICT, own, place.root)
            self._push_all(own.values(), place)
            self._push(type(thing), place)
        if isinstance(thing, collections.defaultdict):
            self._push(thing.default_factory, place)

    def _afford(self, owner: Any, items: Collection[Any], place: _Place) -> bool:
        """Whether the budget allows to look at `items`; they are not saved themselves."""
        self._items -= len(items)
        if self._items < 0:
            self._items += len(items)
            self.records.setdefault(id(owner), Record(kinds.TOO_LARGE, owner, None, place.root))
            return False
        return True

    def _look_at_instance(self, thing: Any, place: _Place) -> None:
        cls = type(thing)
        roots = {c.__module__.partition(".")[0] for c in cls.__mro__ if isinstance(c.__module__, str)}
        own = self._own_class(cls)
        special = self._special_kind(thing, roots, own)
        if special is not None:
            self._save(special, thing, place.root)
            return
        if self._numpy is not None and isinstance(thing, (self._numpy.generic, self._numpy.dtype)):
            return
        if not roots.isdisjoint(_NOT_FOLLOWED):
            return
        wrapped = getattr(thing, "__wrapped__", None) if cls is _LRU else None
        if wrapped is not None:
            self._push(wrapped, place)
            return
        if own:
            self._push(cls, place)
        depth = place.depth if own else place.depth + 1
        attributes = kinds.own_dict(thing)
        if depth > LIBRARY_DEPTH or not (attributes is not None or (own and kinds.slot_names(cls))):
            return
        self._save(kinds.ATTRIBUTES, thing, place.root)
        record = self.records[id(thing)]
        if record.kind is kinds.ATTRIBUTES:
            values, slots = record.saved
            self._items -= len(values or ()) + len(slots)
            self._push_all((*(values or {}).values(), *slots.values()), _Place(place.root, depth, True))

    def _special_kind(self, thing: Any, roots: set[str], own: bool) -> Kind | None:
        np = self._numpy
        if isinstance(thing, (io.StringIO, io.BytesIO)):
            return None if thing.closed else kinds.MEMORY_FILE
        if kinds.is_open_file(thing) or isinstance((kinds.own_dict(thing) or {}).get("file"), io.IOBase):
            return kinds.FILE
        if isinstance(thing, random.Random):
            return kinds.RANDOM
        if np is not None and isinstance(thing, np.random.Generator):
            return kinds.GENERATOR
        if np is not None and isinstance(thing, np.random.RandomState):
            return kinds.RANDOM_STATE
        if "polars" in roots and hasattr(thing, "clone"):
            return kinds.TABLE
        if "sqlite3" in roots and hasattr(thing, "total_changes"):
            return kinds.CONNECTION
        if "matplotlib" in roots and hasattr(thing, "findobj"):
            return kinds.ARTIST
        if own:
            return None  # an iterator the analyst wrote keeps its state in attributes
        if hasattr(type(thing), "__next__") or isinstance(thing, (types.CoroutineType, types.AsyncGeneratorType)):
            return kinds.ITERATOR
        return None


_LRU = type(functools.lru_cache(lambda: None))

_CONTAINERS: dict[type, Kind] = {
    list: kinds.LIST,
    dict: kinds.DICT,
    collections.OrderedDict: kinds.DICT,
    collections.defaultdict: kinds.DICT,
    collections.Counter: kinds.DICT,
    set: kinds.SET,
    collections.deque: kinds.DEQUE,
    bytearray: kinds.LIST,
    array.array: kinds.LIST,
}


def _functions(thing: Any) -> list[Any]:
    if isinstance(thing, property):
        return [f for f in (thing.fget, thing.fset, thing.fdel) if f is not None]
    return [thing.__func__]


def _cell_content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


@functools.cache
def _major(version: str) -> int:
    return int(version.partition(".")[0])


def _copy_on_write(pandas: Any) -> bool:
    if pandas is None or _major(pandas.__version__) >= 3:
        return True
    return pandas.options.mode.copy_on_write is True


def _memory_of(thing: Any) -> set[int]:
    """The identities of the arrays that own the memory of a frame, series or array."""
    columns = [thing.iloc[:, i] for i in range(thing.shape[1])] if hasattr(thing, "columns") else [thing]
    owners = set()
    for column in columns:
        values = column.to_numpy(copy=False) if hasattr(column, "to_numpy") else column
        while getattr(values, "base", None) is not None:
            values = values.base
        owners.add(id(values))
    return owners
