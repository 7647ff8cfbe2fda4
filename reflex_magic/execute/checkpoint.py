"""Checkpoints: an undo log of objects, put back in place.

(A restore point of the namespace, not Jupyter's file checkpoint.) A checkpoint holds the bindings
of the namespace and the content of every object the coming steps can touch. Nothing is
serialised; frames are kept by copy-on-write. Putting it back keeps identities, so that aliases,
containers and closures need no analysis.

The idea of restoring whole groups of aliased variables is Kishu's (Li et al., VLDB 2025); keeping
identities instead makes the groups unnecessary.

What is not saved is told: before a trial by `Checkpoint.unsaved` where something is too large or was
not reached in time, else when it is put back. A large content is copied at once and looked at later,
when somebody has to know whether it holds anything that can change.

Limits: numpy's ``resize`` in place needs the only reference to an array, and a checkpoint holds one.
The objects of C libraries are told when a name is bound to one, and are not noticed further inside.
What the code of a library keeps in its own modules is nobody's data. Finalizers run late.
"""

from __future__ import annotations

import array
import builtins
import collections
import contextvars
import datetime as dt
import decimal
import enum
import functools
import gc
import io
import itertools
import random
import sys
import sysconfig
import threading
import time
import types
import warnings
import weakref
from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from reflex_magic.execute import kinds
from reflex_magic.execute.kinds import ATOMS, Kind, is_atom
from reflex_magic.execute.reach import BELOW_API, DYNAMIC, SHELL_NAMES, code_names, is_shells

SECONDS = 0.005
"""So long a checkpoint may take, about; what was not reached by then is told. The thread's own time
is counted, so that a busy machine changes nothing."""

PATIENT = 1.0
"""And so long before a trial: there is a failure to repair, and nobody waits for a passing cell."""

ITEMS = 1_000_000
"""So many items of containers are saved at most; those of a list count a quarter."""

BYTES = 64 << 20
"""So many bytes of arrays are copied at most."""

SMALL = 1 << 16
"""An array of so many bytes is copied without asking whether it may be written."""

PEEK = 1000
"""So many items say whether a large container holds only what cannot change; all are looked at before a trial."""

LIBRARY_DEPTH = 4
"""How far the attributes of library objects are followed."""

_HEAP = 1 << 9
"""The flag of a class that a class statement made: Py_TPFLAGS_HEAPTYPE."""

_COPY = 30e-9
"""Seconds to copy an item of a dictionary; of a list it is an eighth."""

_SCAN = 20e-9
"""Seconds to look at the type of an item."""

_FOLLOW = 1e-6
"""Seconds to follow an item."""

REGISTRY = "__warningregistry__"
"""Where Python notes which warnings were shown; a trial must warn again."""

_IMMUTABLE = (enum.Enum, PurePath, dt.tzinfo)

LIBRARIES_APART = frozenset({
    "IPython", "ipykernel", "traitlets", "ipywidgets", "anywidget", "zmq", "tornado", "asyncio", "threading", "_thread",
    "logging", "concurrent", "multiprocessing", "socket", "_socket", "ssl", "select", "selectors", "jupyter_client",
    "comm", "reflex_magic", "importlib", "_frozen_importlib", "_frozen_importlib_external", "contextvars",
    "queue", "_queue", "subprocess", "ctypes", "_ctypes",
})  # fmt: skip
"""Libraries whose objects live a life of their own; putting them back would break it."""


_KNOWN = frozenset({
    "builtins", "numpy", "pandas", "pyarrow", "polars", "sklearn", "scipy", "matplotlib", "shapely", "sqlite3",
    "operator", "functools", "itertools", "types", "typing", "inspect", "ast", "abc", "re", "string", "time",
    "zoneinfo", "os", "posix", "warnings", "weakref", "collections", "contextvars", "io", "random", "struct", "csv",
    "json", "bisect", "sre", "weakrefset", "datetime", "decimal", "fractions",
})  # fmt: skip
"""Libraries whose objects without attributes of their own do not change, or are looked after."""


@dataclass(slots=True)
class Record:
    """The content of one object. `root` is the name under which it was found first.

    `unread` is True as long as not all of a large content was looked at for objects that can change.
    """

    kind: Kind
    thing: Any
    saved: Any
    root: str
    unread: bool = False

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

    @property
    def partial(self) -> bool:
        """Whether the content holds objects that can change and were not saved; looks at all of it, once."""
        self.unread = self.unread and not self.kind.flat(self.saved)
        return self.unread

    def told(self, why: str) -> str:
        """What is said of this object."""
        return f"`{self.root}` ({type(self.thing).__name__}) {why}"


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
        return list(dict.fromkeys(doubt for record in self.records.values() if (doubt := _put(record))))

    def unsaved(self) -> list[str]:
        """The objects that a step may change and that were not saved, in words."""
        found = (r for r in self.records.values() if r.kind is kinds.TOO_LARGE or r.partial)
        return list(dict.fromkeys(r.told(kinds.TOO_LARGE.why) for r in found))

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
    try:
        lost = record.kind.lost(record.thing, record.saved)
        record.kind.put(record.thing, record.saved)
    except Exception as error:  # noqa: BLE001  a library object may refuse for any reason; the rest is still put back
        # A view may refuse what was put back through its memory.
        return "" if record.same else record.told(f"cannot be put back: {type(error).__name__}")
    if lost:
        return record.told(record.kind.why)
    return record.told(kinds.TOO_LARGE.why) if record.partial else ""


def _bytes_of(frame: Any) -> int:
    """Bytes of the columns of a frame, or of a series."""
    return sum(int(block.values.nbytes) for block in frame._mgr.blocks)


def take(
    namespace: MutableMapping[str, Any],
    names: Collection[str],
    written: Callable[[], set[str]],
    seconds: float = SECONDS,
) -> Checkpoint:
    """A checkpoint of the namespace before steps that mention `names`.

    Parameters
    ----------
    names
        Every name the steps mention, also those the namespace does not have.
    written
        The names through which those steps may write an array; asked only for a large array.
    seconds
        How long that may take, about.
    """
    walk = _Walk(namespace, set(names), written, seconds)
    walk.run()
    for kind, thing, name in kinds.process_state(walk.names):
        walk.records[id(kind)] = Record(kind, thing, kind.save(thing), name)
    return Checkpoint(dict(namespace), walk.records)


@dataclass(slots=True)
class _Place:
    """Where the walk stands: below which name, how deep in library objects, whether arrays are copied."""

    root: str
    depth: int
    copy: bool


class _Walk:
    """Follows names to objects. Nothing here runs code of the analyst's."""

    def __init__(
        self, namespace: MutableMapping[str, Any], names: set[str], written: Callable[[], set[str]], seconds: float
    ) -> None:
        self.namespace = namespace
        self.names = names
        self.records: Records = {}
        self._written = written
        self._unsafe: set[str] | None = None
        self._seen: dict[int, Any] = {}
        self._stack: list[tuple[Any, _Place]] = []
        self._items = ITEMS
        self._bytes = BYTES
        self._until = time.thread_time() + seconds
        self._eager = seconds / 10 / _SCAN  # so many items of one container are looked at in any case
        self._modules = {"__main__", "builtins", namespace.get("__name__", "builtins")}
        self._met: dict[int, tuple[types.ModuleType | type, _Place]] = {}
        self._pandas, self._numpy = sys.modules.get("pandas"), sys.modules.get("numpy")
        self._tables = (self._pandas.DataFrame, self._pandas.Series) if self._pandas is not None else ()
        self._low = not self.names.isdisjoint(BELOW_API)
        self._deep = self._low or not _copy_on_write(self._pandas)
        self._sharing: dict[int, list[Any]] | None = None

    def run(self) -> None:
        """Follow every name."""
        if self._low and self._pandas is not None:
            # Memory may be shared between frames; below the API a write to one is a write to all.
            data = (self._pandas.DataFrame, self._pandas.Series)
            self.names |= {n for n, v in list(self.namespace.items()) if isinstance(v, data)}
        self._push_names(self.names, copy=False)
        if REGISTRY in self.namespace:
            self._save(kinds.DICT, self.namespace[REGISTRY], REGISTRY)
        self._follow()
        known = -1
        while known != len(self.names) + len(self._met):  # a module's function may mention more
            known = len(self.names) + len(self._met)
            self._look_into_modules()
            self._follow()
        if not self.names.isdisjoint(_ANY_MODULE):
            loaded = [(name, m) for name, m in list(sys.modules.items()) if type(m) is types.ModuleType]
            self._met = {id(m): (m, _Place(name, 0, False)) for name, m in loaded} | self._met
        for module, place in self._met.values():
            self._save(kinds.ModuleKind(self._settable(module)), module, place.root)

    def _follow(self) -> None:
        for turn in itertools.count():
            if not self._stack:
                return
            if not turn % 16 and time.thread_time() > self._until:
                break
            thing, place = self._stack.pop()
            try:
                self._look(thing, place)
            except Exception:  # noqa: BLE001  a class of the analyst's may refuse anything; a trial then has a doubt
                self.records[id(thing)] = Record(kinds.REFUSED, thing, None, place.root)
        late = {place.root: thing for thing, place in self._stack if id(thing) not in self._seen}
        for root, thing in late.items():
            self.records[id(thing)] = Record(kinds.TOO_LARGE, thing, None, root)
        self._stack.clear()

    def _left(self) -> float:
        """Seconds that are left."""
        return self._until - time.thread_time()

    def _push_names(self, names: Collection[str], *, copy: bool) -> None:
        if not DYNAMIC.isdisjoint(names):
            names, copy = {n for n in self.namespace if not is_shells(n)}, True
        for name in names:
            if name in self.namespace and name not in SHELL_NAMES:
                self._push(self.namespace[name], _Place(name, 0, copy))

    def _push(self, thing: Any, place: _Place) -> None:
        if type(thing) not in ATOMS and id(thing) not in self._seen:
            self._stack.append((thing, place))

    def _push_all(self, things: Iterable[Any], place: _Place) -> None:
        for thing in things:
            self._push(thing, place)

    def _save(self, kind: Kind, thing: Any, root: str) -> Record:
        record = self.records[id(thing)] = saved(kind, thing, root)
        return record

    def _look(self, thing: Any, place: _Place) -> None:
        if id(thing) in self._seen:
            return
        self._seen[id(thing)] = thing
        cls = type(thing)
        if issubclass(cls, _CONTAINERS_AND_FIXED):
            self._look_at_container(thing, place)
        elif is_atom(cls):
            return
        elif issubclass(cls, type):
            self._look_at_class(thing, place)
        elif cls is types.FunctionType:
            self._look_at_function(thing, place)
        elif cls is types.ModuleType or issubclass(cls, types.ModuleType):
            self._met.setdefault(id(thing), (thing, place))
        elif self._numpy is not None and issubclass(cls, self._numpy.ndarray):
            self._look_at_array(thing, place)
        elif (
            self._pandas is not None
            and (cls.__module__.startswith("pandas") or issubclass(cls, self._tables))
            and self._look_at_pandas(thing, place)
        ):
            pass
        elif self._numpy is not None and issubclass(cls, self._numpy.void):
            self._push(thing.base, place)
        elif cls is types.MethodType:
            self._push_all((thing.__self__, thing.__func__), place)
        elif cls is types.BuiltinFunctionType:
            self._push(thing.__self__, place)
        elif issubclass(cls, functools.partial):
            self._push_all((thing.func, thing.args, thing.keywords, thing.__dict__), place)
        elif cls is memoryview:
            self._save(kinds.VIEW, thing, place.root)
            self._push(thing.obj, place)
        elif cls in _LEADING:
            self._push_all(gc.get_referents(thing), place)
        elif issubclass(cls, weakref.ref):
            self._look_at_weak(thing, place)
        elif issubclass(cls, (property, staticmethod, classmethod)):
            self._push_all(_functions(thing), place)
        elif not issubclass(cls, _IMMUTABLE) or self._own_class(cls):
            self._look_at_instance(thing, place)

    def _look_at_weak(self, thing: weakref.ref[Any], place: _Place) -> None:
        target = weakref.ref.__call__(thing)
        if self._numpy is not None and isinstance(target, self._numpy.ndarray):
            self._save(kinds.UNSEEN, thing, place.root)  # a record would keep large data alive
        else:
            self._push(target, place)

    # -- code ------------------------------------------------------------------------------------

    def _look_at_class(self, cls: type, place: _Place) -> None:
        if not self._own_class(cls):
            if cls.__flags__ & _HEAP and cls.__module__.partition(".")[0] not in LIBRARIES_APART:
                self._met.setdefault(id(cls), (cls, place))
            return
        self._save(kinds.CLASS, cls, place.root)
        self._push_all([v for k, v in vars(cls).items() if not (k.startswith("__") and not callable(v))], place)
        self._push_all((*cls.__bases__, type(cls)), place)

    def _own_class(self, cls: type) -> bool:
        own = cls.__module__ in self._modules or is_local(cls.__module__)
        return bool(cls.__flags__ & _HEAP) and own and vars(builtins).get(cls.__name__) is not cls

    def _look_at_function(self, function: types.FunctionType, place: _Place) -> None:
        scope = function.__globals__
        own = scope is self.namespace
        if not own and not is_local(scope.get("__name__")):
            self._look_at_library_function(function, place)
            return
        self._save(kinds.FUNCTION, function, place.root)
        inner = _Place(place.root, place.depth, True)
        self._push_all(map(_cell_content, function.__closure__ or ()), inner)
        self._push_all((*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()), inner)
        self._push_all(function.__dict__.values(), inner)
        mentioned = code_names(function.__code__)
        if self.names.isdisjoint(BELOW_API) and not mentioned.isdisjoint(BELOW_API):
            mentioned |= {n for n, v in list(self.namespace.items()) if self._pandas and isinstance(v, self._tables)}
            self._low = self._deep = True
        self.names |= mentioned
        if own:
            self._push_names(mentioned, copy=True)
        elif (module := sys.modules.get(scope["__name__"])) is not None:
            # A module of the analyst's own: its state is among what a step changes.
            self._met.setdefault(id(module), (module, inner))

    def _look_at_library_function(self, function: types.FunctionType, place: _Place) -> None:
        """A library's function: its state is its own; a decorated one leads to the analyst's."""
        wrapped = getattr(function, "__wrapped__", None)
        self._push(wrapped, place)
        if place.depth >= LIBRARY_DEPTH:
            return
        inner = _Place(place.root, place.depth + 1, True)
        if wrapped is not None:
            self._push_all(function.__dict__.values(), inner)
        for content in map(_cell_content, function.__closure__ or ()):
            mine = isinstance(content, types.FunctionType) and content.__globals__ is self.namespace
            if mine or (wrapped is not None and isinstance(content, (list, dict, set))):
                self._push(content, inner)

    # -- modules ---------------------------------------------------------------------------------

    def _settable(self, module: types.ModuleType | type) -> list[str]:
        """The attributes of a module or class that code with the names met may set."""
        names = self.names
        if not DYNAMIC.isdisjoint(names):
            names = names | {n for n in vars(module) if not n.startswith("_")}
        return sorted(n for n in names if not n.startswith("__"))

    def _look_into_modules(self) -> None:
        """Follow what the names met lead to in modules: data, and code of the analyst's own."""
        for module, place in list(self._met.values()):
            if isinstance(module, type) or module.__name__.partition(".")[0] in LIBRARIES_APART:
                continue
            inner = _Place(place.root, place.depth, True)
            for name in self.names & vars(module).keys():
                value = vars(module)[name]
                if not any(value is one for one in (sys.modules, warnings.filters)) and self._leads(value):
                    self._push(value, inner)

    def _leads(self, value: Any) -> bool:
        if isinstance(value, types.FunctionType):
            return value.__globals__ is self.namespace or is_local(value.__module__)
        return (
            isinstance(value, (type, types.ModuleType, contextvars.ContextVar, *_CONTAINERS_AND_FIXED))
            or (self._numpy is not None and isinstance(value, self._numpy.ndarray))
            or isinstance(value, self._tables)
            or self._own_class(type(value))
        )

    # -- arrays and frames -------------------------------------------------------------------------

    def _look_at_array(self, thing: Any, place: _Place) -> None:
        if thing.base is not None:
            self._push(thing.base, place)
        # A copy, where one is made, is the content that is looked at.
        plain = type(thing) is self._numpy.ndarray  # type: ignore[union-attr]
        cells = thing.ravel().tolist() if thing.dtype.hasobject and (thing.size <= self._eager or not plain) else None
        copied = self._copied(thing, place)
        own = None if plain else kinds.own_dict(thing)
        if copied or not plain:
            record = self._copy_array(kinds.ARRAY, thing, thing.nbytes if copied else 0, place)
        elif thing.dtype.hasobject:
            record = self._save(kinds.FIXED_ARRAY, thing, place.root)
        else:
            return
        if thing.dtype.hasobject and record.kind is not kinds.TOO_LARGE:
            self._look_at_items(record, cells if cells is not None else thing.ravel(), place)
        if own:
            self._push_all(own.values(), _Place(place.root, place.depth, True))

    def _copied(self, thing: Any, place: _Place) -> bool:
        if self._low:
            return True
        if not thing.flags.writeable:
            return False
        return thing.nbytes <= SMALL or place.copy or place.root in self._arrays_written()

    def _copy_array(self, kind: Kind, thing: Any, size: int, place: _Place) -> Record:
        self._bytes -= size
        record = self._save(kind if self._bytes >= 0 else kinds.TOO_LARGE, thing, place.root)
        if self._bytes < 0:
            self._bytes += size
        return record

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
            if self._low and not isinstance(thing, (pd.MultiIndex, pd.RangeIndex)):
                self._push(thing.array, place)
        elif isinstance(thing, pd.api.extensions.ExtensionArray):
            self._copy_array(kinds.EXTENSION_ARRAY, thing, int(thing.nbytes), place)
        else:
            # Types and offsets never change; the rest (groupings, accessors) leads to data.
            return type(thing).__module__.startswith(("pandas.core.dtypes", "pandas.tseries"))
        return True

    def _look_at_frame(self, thing: Any, place: _Place) -> None:
        frame = kinds.bare(thing)
        # Only a deep copy has a size, and asking each column for it takes longer than the record.
        size = _bytes_of(frame) if self._deep else 0
        if self._deep and size <= self._bytes:
            self._bytes -= size
            record = self._save(kinds.DEEP_FRAME, thing, place.root)
        else:
            record = self._save(kinds.UNSURE_FRAME if self._deep else kinds.FRAME, thing, place.root)
        if self._deep:
            # Without copy-on-write a write to a frame is seen through every view of its memory.
            self._push_all((s for m in _memory_of(frame) for s in self._sharers().get(m, ())), place)
        own = vars(thing)
        if frame is not thing:
            self._push(type(thing), place)
        self._push_all((v for k, v in own.items() if not k.startswith("_") or k == "_attrs"), place)
        self._push_all(own["_mgr"].axes, place)
        for column in kinds.object_columns(frame):
            if len(column) > self._eager or not kinds.is_flat_column(column):
                self._look_at_items(record, column, place)

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

    # -- containers and instances ------------------------------------------------------------------

    def _look_at_container(self, thing: Any, place: _Place) -> None:
        cls = type(thing)
        base: Any = cls if cls in _CONTAINERS else next(t for t in _CONTAINERS if issubclass(cls, t))
        kind, cost = _CONTAINERS[base]
        size = base.__len__(thing) if cost else 0
        self._items -= size * cost // 8
        fits = self._items >= 0 and size * cost / 8 * _COPY <= max(self._left(), 0)
        record = self._save(kind if fits else kinds.TOO_LARGE, thing, place.root)
        if not fits:
            self._items += size * cost // 8
        elif isinstance(thing, dict):
            self._look_at_items(record, dict.values(thing), place)
            if not set(map(type, itertools.islice(dict.keys(thing), PEEK))) <= ATOMS:
                self._look_at_items(record, dict.keys(thing), place)
        elif not isinstance(thing, (bytearray, array.array)):
            self._look_at_items(record, thing if cls is base else list(base.__iter__(thing)), place)
        own = kinds.own_dict(thing) if cls not in _CONTAINERS else None
        if own is not None:
            # A subclass with attributes of its own: they are a record beside the content.
            self._save(kinds.DICT, own, place.root)
            self._push_all(own.values(), place)
        if cls is not base:
            self._push(cls, place)
        if isinstance(thing, collections.defaultdict):
            self._push(thing.default_factory, place)

    def _look_at_items(self, record: Record, items: Collection[Any], place: _Place) -> None:
        """Follow what a saved object holds, or note that it was not looked at, or is too much."""
        if len(items) > self._eager and kinds.flat(itertools.islice(items, PEEK)):
            record.unread = True
            return
        inner = [v for v in items if type(v) not in ATOMS] if len(items) * _SCAN < self._left() else items
        self._items -= len(inner)
        if self._items < 0 or len(inner) * _FOLLOW > self._left():
            self._items += len(inner)
            if kinds.flat(itertools.islice(inner, PEEK)):
                record.unread = True
            else:
                self.records[id(record.thing)] = Record(kinds.TOO_LARGE, record.thing, None, record.root)
            return
        self._push_all(inner, place)

    def _look_at_instance(self, thing: Any, place: _Place) -> None:
        cls = type(thing)
        roots = {c.__module__.partition(".")[0] for c in cls.__mro__ if isinstance(c.__module__, str)}
        own = self._own_class(cls)
        special = self._special_kind(thing, roots, own)
        if special is not None:
            self._save(special, thing, place.root)
            self._push_all(self._led_to(special, thing), _Place(place.root, place.depth + 1, True))
            return
        if not own and not roots.isdisjoint(LIBRARIES_APART):
            return
        if own:
            self._push(cls, place)
        depth = place.depth if own else place.depth + 1
        attributes = kinds.own_dict(thing)
        if depth > LIBRARY_DEPTH:
            return
        if attributes is None and not kinds.slot_names(cls):
            known = cls.__module__.partition(".")[0].lstrip("_") in _KNOWN
            if place.depth == 0 and (not known or (cls.__name__ == "_abc_data" and "register" in self.names)):
                self._save(kinds.UNSEEN, thing, place.root)
            return
        record = self._save(kinds.ATTRIBUTES, thing, place.root)
        if record.kind is kinds.ATTRIBUTES:
            values, slots, _, made = record.saved
            self._items -= len(values or ()) + len(slots)
            inner = (*(values or {}).values(), *slots.values(), *(made or ()))
            self._push_all(inner, _Place(place.root, depth, True))

    def _led_to(self, kind: Kind, thing: Any) -> Iterable[Any]:
        """What an object of a special kind leads to."""
        if kind is kinds.ATTRIBUTES:
            return [v for v in (kinds.own_dict(thing) or {}).values() if type(v) in _CONTAINERS]
        if kind is kinds.CACHE:
            return (thing.__wrapped__,)
        if kind is kinds.GENERATOR:
            return (getattr(thing.bit_generator, "seed_seq", None),)
        if kind is kinds.CELL:
            return (_cell_content(thing),)
        if kind is kinds.LOCAL:
            return list(vars(thing).values())
        if kind is kinds.VARIABLE:
            return (thing.get(None),)
        if kind in (kinds.ITERATOR, kinds.UNSEEN):
            found = [getattr(thing, "base", None), *gc.get_referents(thing)]
            found += [v for t in found if type(t) is tuple for v in t]
            # What an iterator inside of it shows is part of its progress.
            scope = getattr(getattr(thing, "gi_frame", None), "f_locals", None)
            return [v for v in found if not (type(v) is tuple or v is scope or hasattr(type(v), "__next__"))]
        return ()

    def _special_kind(self, thing: Any, roots: set[str], own: bool) -> Kind | None:
        cls, np = type(thing), self._numpy
        if isinstance(thing, (io.StringIO, io.BytesIO)):
            return None if thing.closed else kinds.MEMORY_FILE
        if kinds.is_open_file(thing) or isinstance((kinds.own_dict(thing) or {}).get("file"), io.IOBase):
            return kinds.FILE
        if isinstance(thing, random.Random):
            return kinds.RANDOM
        if cls in _SPECIAL:
            return _SPECIAL[cls]
        if np is not None:
            if isinstance(thing, np.random.Generator):
                return kinds.GENERATOR
            if isinstance(thing, np.random.RandomState):
                return kinds.RANDOM_STATE
            if isinstance(thing, np.random.BitGenerator):
                return kinds.STATEFUL
            if isinstance(thing, np.random.SeedSequence):
                return kinds.SEEDS
        for library, attribute, kind in _BY_LIBRARY:
            if library in roots and hasattr(cls, attribute):
                return kind
        if not roots.isdisjoint(kinds.LIVELY):
            return kinds.LOCAL if issubclass(cls, threading.local) else kinds.LIVING
        if own:
            return None  # an iterator the analyst wrote keeps its state in attributes
        if hasattr(cls, "hexdigest"):
            return kinds.DIGEST
        if hasattr(cls, "__next__") or isinstance(thing, (types.CoroutineType, types.AsyncGeneratorType)):
            return kinds.ITERATOR if kinds.is_seen(thing) else kinds.UNSEEN
        return None


_SPECIAL: dict[type, Kind] = {
    type(functools.lru_cache(lambda: None)): kinds.CACHE,
    contextvars.ContextVar: kinds.VARIABLE,
    contextvars.Context: kinds.SURROUNDINGS,
    decimal.Context: kinds.PRECISION,
    types.CellType: kinds.CELL,
}

_BY_LIBRARY: tuple[tuple[str, str, Kind], ...] = (
    ("polars", "clone", kinds.TABLE),
    ("sqlite3", "total_changes", kinds.CONNECTION),
    ("matplotlib", "findobj", kinds.ARTIST),
    ("queue", "qsize", kinds.QUEUE),
    ("_queue", "qsize", kinds.QUEUE),
    ("subprocess", "communicate", kinds.PROCESS),
    ("traitlets", "trait_values", kinds.WIDGET),
    ("logging", "setFormatter", kinds.ATTRIBUTES),
    ("logging", "formatTime", kinds.ATTRIBUTES),
    ("mmap", "flush", kinds.MAPPED_FILE),
    ("_ctypes", "from_buffer", kinds.C_DATA),
)
"""Kinds by the library of an object and an attribute of its class."""

_CONTAINERS: dict[type, tuple[Kind, int]] = {
    list: (kinds.LIST, 1),
    dict: (kinds.DICT, 8),
    set: (kinds.SET, 8),
    tuple: (kinds.FIXED, 0),
    frozenset: (kinds.FIXED, 0),
    collections.deque: (kinds.DEQUE, 1),
    collections.OrderedDict: (kinds.DICT, 8),
    collections.defaultdict: (kinds.DEFAULT_DICT, 8),
    collections.Counter: (kinds.DICT, 8),
    bytearray: (kinds.LIST, 1),
    array.array: (kinds.LIST, 1),
}
"""How a container is saved, and what an item costs, in eighths."""

_CONTAINERS_AND_FIXED = (list, dict, set, tuple, frozenset, collections.deque, bytearray, array.array)

_ANY_MODULE = frozenset({"modules", "import_module", "__import__"})
"""Code that mentions one of these may mean any module."""

_LEADING: tuple[type, ...] = (types.MappingProxyType, type({}.keys()), type({}.values()), type({}.items()))
"""Views of a dictionary."""


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
def _library_folders() -> tuple[str, ...]:
    return tuple({p for n, p in sysconfig.get_paths().items() if n in ("stdlib", "platstdlib", "purelib", "platlib")})


def is_local(name: Any) -> bool:
    """Whether a loaded module is a file of the analyst's own, not one that was installed."""
    module = sys.modules.get(name) if isinstance(name, str) else None
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and name.partition(".")[0] not in LIBRARIES_APART and _is_own_file(file)


@functools.lru_cache(1000)
def _is_own_file(file: str) -> bool:
    return "-packages" not in file and not file.startswith(_library_folders())


@functools.cache
def _major(version: str) -> int:
    return int(version.partition(".")[0])


def _copy_on_write(pandas: Any) -> bool:
    if pandas is None or _major(pandas.__version__) >= 3:
        return True
    return pandas.options.mode.copy_on_write is True


def _memory_of(thing: Any) -> set[int]:
    """The identities of the arrays that own the memory of a frame, series or array."""
    blocks = [thing] if not hasattr(thing, "_mgr") else [block.values for block in thing._mgr.blocks]
    owners = set()
    for values in blocks:
        parts = (
            [values] if hasattr(values, "flags") else [getattr(values, n, None) for n in ("_ndarray", "_data", "_mask")]
        )
        for part in parts:
            owner: Any = part
            while getattr(owner, "base", None) is not None:
                owner = owner.base
            owners.add(id(owner))
    return owners - {id(None)}
