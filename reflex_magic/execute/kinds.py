"""How each kind of object is saved, compared and put back in place.

A kind saves the content of one object, not of what it refers to, and puts it back into the same
object. Identity is kept, so aliases, containers and closures see the old content as well.
What the methods of a kind do is said once, in `Kind`.
"""
# ruff: noqa: D102

from __future__ import annotations

import array
import datetime as dt
import decimal
import fractions
import gc
import io
import itertools
import logging
import operator
import os
import re
import sys
import threading
import types
import uuid
import warnings
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from typing import Any

_NOTHING = object()

ATOMS: frozenset[type] = frozenset({
    int, float, complex, str, bytes, bool, type(None), range, slice, type(...), type(NotImplemented),
    types.CodeType, types.MethodWrapperType, types.WrapperDescriptorType,
    dt.date, dt.datetime, dt.time, dt.timedelta, dt.timezone,
    decimal.Decimal, fractions.Fraction, uuid.UUID, re.Pattern, re.Match,
})  # fmt: skip
"""Types whose objects never change and lead nowhere."""

_PLAIN_CELLS = frozenset({
    "string", "bytes", "floating", "integer", "mixed-integer-float", "decimal", "complex", "boolean", "datetime",
    "date", "timedelta", "time", "empty",
})  # fmt: skip
"""What pandas says of an object column none of whose cells can change."""


def is_atom(cls: type) -> bool:
    """Whether objects of a type never change: Python's own, and the scalars of numpy and pandas."""
    if cls in ATOMS:
        return True
    if cls.__module__ == "numpy":
        np = sys.modules["numpy"]
        return issubclass(cls, (np.generic, np.dtype, np.ufunc)) and not issubclass(cls, np.void)
    return cls.__module__.startswith("pandas._libs")


def flat(items: Iterable[Any], depth: int = 3) -> bool:
    """Whether none of the items can change, nor anything they lead to."""
    items = items if isinstance(items, list) else list(items)
    rest = {cls for cls in set(map(type, items)) if not is_atom(cls)}
    if not rest:
        return True
    if not depth or not rest <= {tuple, frozenset}:
        return False
    return flat(list(itertools.chain.from_iterable(i for i in items if type(i) in rest)), depth - 1)


class Kind:
    """One kind of object. `data` is False for the state of the process, which no result is made of."""

    data = True
    why = "was used and cannot be put back"

    def save(self, thing: Any) -> Any:
        """The content of `thing`, in a form that later changes do not reach."""
        raise NotImplementedError

    def put(self, thing: Any, saved: Any) -> None:
        """Make `saved` the content of `thing` again."""
        raise NotImplementedError

    def same(self, thing: Any, saved: Any) -> bool:
        """Whether the content of `thing` is `saved`."""
        raise NotImplementedError

    def lost(self, thing: Any, saved: Any) -> bool:
        """Whether `thing` has changed in a way that `put` does not take back."""
        return False

    def flat(self, saved: Any) -> bool:
        """Whether nothing that `saved` leads to can change."""
        return flat(saved)


def _identical(a: Any, b: Any) -> bool:
    return len(a) == len(b) and all(map(operator.is_, a, b))


def _same_items(a: Mapping[Any, Any], b: Mapping[Any, Any]) -> bool:
    keys = all(k is j or (type(k) is type(j) is str and k == j) for k, j in zip(a, b, strict=False))
    return keys and _identical(a.values(), b.values())


class ContainerKind(Kind):
    """What all containers share: what is as it was is not touched, so that iterators over it live on."""

    def put(self, thing: Any, saved: Any) -> None:
        if not self.same(thing, saved):
            self.fill(thing, saved)

    def fill(self, thing: Any, saved: Any) -> None:
        """Make `saved` the content of `thing`, which has another."""
        raise NotImplementedError


class ListKind(ContainerKind):
    """Lists, and what else takes a slice: byte and number arrays."""

    def save(self, thing: Any) -> Any:
        # The class's own methods would run code, here and in the kinds below.
        return _base(thing).__getitem__(thing, slice(None))

    def fill(self, thing: Any, saved: Any) -> None:
        _base(thing).__setitem__(thing, slice(None), saved)

    def same(self, thing: Any, saved: Any) -> bool:
        now = self.save(thing)
        return _identical(now, saved) if isinstance(now, list) else bytes(now) == bytes(saved)


def _base(thing: Any) -> Any:
    return next(t for t in (list, bytearray, array.array) if issubclass(type(thing), t))


class DictKind(ContainerKind):
    """Dictionaries and their subclasses, with their order."""

    def save(self, thing: Any) -> Any:
        # An OrderedDict has an order of its own beside the dictionary's.
        return dict(OrderedDict.items(thing) if isinstance(thing, OrderedDict) else dict.items(thing))

    def fill(self, thing: Any, saved: Any) -> None:
        # The class's own methods would run code; `dict.clear` would break an OrderedDict.
        base: Any = OrderedDict if isinstance(thing, OrderedDict) else dict
        base.clear(thing)
        base.update(thing, saved)

    def same(self, thing: Any, saved: Any) -> bool:
        return _same_items(self.save(thing), saved)

    def flat(self, saved: Any) -> bool:
        return flat(saved.values()) and flat(saved)


class DefaultDictKind(DictKind):
    """Dictionaries with a factory."""

    def save(self, thing: Any) -> Any:
        return defaultdict(thing.default_factory, dict.items(thing))

    def fill(self, thing: Any, saved: Any) -> None:
        super().fill(thing, saved)
        _FACTORY.__set__(thing, saved.default_factory)

    def same(self, thing: Any, saved: Any) -> bool:
        return thing.default_factory is saved.default_factory and _same_items(thing, saved)


class SetKind(ContainerKind):
    """Sets."""

    def save(self, thing: Any) -> Any:
        return set(thing)

    def fill(self, thing: Any, saved: Any) -> None:
        set.clear(thing)
        set.update(thing, saved)

    def same(self, thing: Any, saved: Any) -> bool:
        return len(thing) == len(saved) and set(map(id, thing)) == set(map(id, saved))


class DequeKind(ContainerKind):
    """Double-ended queues."""

    def save(self, thing: Any) -> Any:
        return list(deque.__iter__(thing))

    def fill(self, thing: Any, saved: Any) -> None:
        deque.clear(thing)
        deque.extend(thing, saved)

    def same(self, thing: Any, saved: Any) -> bool:
        return _identical(list(deque.__iter__(thing)), saved)


class FixedKind(Kind):
    """Tuples and frozen sets: nothing of their own to put back."""

    def save(self, thing: Any) -> Any:
        return thing

    def put(self, thing: Any, saved: Any) -> None:
        """Nothing has changed."""

    def same(self, thing: Any, saved: Any) -> bool:
        return True


_ARGUMENTS: Any = vars(BaseException)["args"]
_FACTORY: Any = vars(defaultdict)["default_factory"]


class AttributesKind(Kind):
    """The attributes of an instance, in its dictionary and its slots; its class; what an error was made of."""

    def save(self, thing: Any) -> Any:
        own = own_dict(thing)
        made = _ARGUMENTS.__get__(thing) if isinstance(thing, BaseException) else None
        return (dict(own) if own is not None else None), slots(thing), type(thing), made

    def put(self, thing: Any, saved: Any) -> None:
        own, filled, cls, made = saved
        if type(thing) is not cls:
            object.__setattr__(thing, "__class__", cls)
        now = own_dict(thing)
        if own is not None and now is not None and not _same_items(now, own):
            now.clear()
            now.update(own)
        for name in slot_names(type(thing)):
            # A frozen class refuses its own __setattr__, and an ordinary one might run code.
            if name in filled:
                object.__setattr__(thing, name, filled[name])
            elif _slot(thing, name) is not _NOTHING:
                object.__delattr__(thing, name)
        if made is not None:
            _ARGUMENTS.__set__(thing, made)

    def same(self, thing: Any, saved: Any) -> bool:
        own, filled, cls, made = self.save(thing)
        return (
            cls is saved[2]
            and made == saved[3]
            and _same_items(own or {}, saved[0] or {})
            and _same_items(filled, saved[1])
        )


def own_dict(thing: Any) -> dict[str, Any] | None:
    """The attribute dictionary of an instance, past whatever its class does on access; None without one."""
    try:
        found = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        return None
    return found if isinstance(found, dict) else None


def _slot(thing: Any, name: str) -> Any:
    try:
        return object.__getattribute__(thing, name)
    except AttributeError:
        return _NOTHING


def slots(thing: Any) -> dict[str, Any]:
    """What is in the slots of an instance; slots that are empty are left out."""
    return {name: value for name in slot_names(type(thing)) if (value := _slot(thing, name)) is not _NOTHING}


def mro(cls: type) -> tuple[type, ...]:
    """A class and its bases, past whatever a metaclass does on access, as in the two below."""
    return tuple(_MRO.__get__(cls))


def own_attributes(cls: type) -> Mapping[str, Any]:
    """What stands in a class itself."""
    found: Mapping[str, Any] = _OWN.__get__(cls)
    return found


def module_of(cls: type) -> str:
    """Where a class was made; empty where the analyst put something else there."""
    name = _MODULE.__get__(cls)
    return name if isinstance(name, str) else ""


_MRO: Any = type.__dict__["__mro__"]
_OWN: Any = type.__dict__["__dict__"]
_MODULE: Any = type.__dict__["__module__"]


def slot_names(cls: type) -> list[str]:
    """The slots of a class and its bases, under the names they really have."""
    found = []
    for base in mro(cls):
        slots = own_attributes(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                private = name.startswith("__") and not name.endswith("__")
                found.append(f"_{base.__name__.lstrip('_')}{name}" if private else name)
    return found


_MADE = "what it is called, and the classes it is made from"


class ClassKind(Kind):
    """The attributes of a class the analyst wrote."""

    def save(self, thing: Any) -> Any:
        return {
            **{k: v for k, v in vars(thing).items() if k not in ("__dict__", "__weakref__")},
            _MADE: _made(thing),
        }

    def put(self, thing: Any, saved: Any) -> None:
        now, saved = self.save(thing), dict(saved)
        made = saved.pop(_MADE)
        if now.pop(_MADE) != made:
            thing.__name__, thing.__qualname__, bases = made
            if thing.__bases__ != bases:
                thing.__bases__ = bases
        for name in now.keys() - saved.keys():
            type.__delattr__(thing, name)
        for name, value in saved.items():
            if now.get(name, _NOTHING) is not value:
                type.__setattr__(thing, name, value)

    def same(self, thing: Any, saved: Any) -> bool:
        now, saved = self.save(thing), dict(saved)
        alike = now.pop(_MADE) == saved.pop(_MADE)
        return alike and now.keys() == saved.keys() and all(now[k] is v for k, v in saved.items())


def _made(cls: type) -> tuple[str, str, tuple[type, ...]]:
    return cls.__name__, cls.__qualname__, cls.__bases__


class FunctionKind(Kind):
    """What a function closes over, its defaults and its attributes."""

    def save(self, thing: Any) -> Any:
        cells = [_content(c) for c in thing.__closure__ or ()]
        return cells, thing.__defaults__, thing.__kwdefaults__, thing.__code__, dict(thing.__dict__)

    def put(self, thing: Any, saved: Any) -> None:
        cells, defaults, keyword_defaults, code, attributes = saved
        for cell, value in zip(thing.__closure__ or (), cells, strict=True):
            if _content(cell) is value:
                continue
            if value is _NOTHING:
                del cell.cell_contents
            else:
                cell.cell_contents = value
        thing.__defaults__, thing.__kwdefaults__ = defaults, keyword_defaults
        if thing.__code__ is not code:
            thing.__code__ = code
        thing.__dict__.clear()
        thing.__dict__.update(attributes)

    def same(self, thing: Any, saved: Any) -> bool:
        now = self.save(thing)
        return _identical(now[0], saved[0]) and _identical(now[1:4], saved[1:4]) and _same_items(now[4], saved[4])


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _NOTHING


class FrameKind(Kind):
    """pandas frames and series.

    A shallow copy costs microseconds and no memory, because copy-on-write keeps it apart. `deep`
    is for pandas without copy-on-write and for code that writes below pandas' API: the values are
    copied, and put back into the memory they were in, so that what shared it shares it again.
    """

    why = "is too large for a full copy, which this code needs"

    def __init__(self, *, deep: bool, sure: bool = True) -> None:
        self.deep, self.sure = deep, sure

    def lost(self, thing: Any, saved: Any) -> bool:
        return not self.sure

    def save(self, thing: Any) -> Any:
        own = dict(vars(thing))
        manager = own.pop("_mgr")
        shape = manager.copy(deep=False)
        kept = _of_manager(_base_of(thing), shape.apply("copy", deep=True) if self.deep else shape)
        return kept, shape, list(manager.axes), own, own["_flags"]._allows_duplicate_labels

    def put(self, thing: Any, saved: Any) -> None:
        # Not by `__setstate__`, which makes new objects of the axes, the attributes and the flags.
        kept, shape, axes, own, duplicates = saved
        if self.deep:
            for block, copied in zip(shape.blocks, kept._mgr.blocks, strict=True):
                _write(block.values, copied.values)
        manager = shape.copy(deep=False)
        manager.axes = list(axes)
        now = vars(thing)
        now.clear()
        now.update(own, _mgr=manager)
        if "_item_cache" in now:
            now["_item_cache"] = {}  # columns handed out before, in pandas 2
        own["_flags"]._allows_duplicate_labels = duplicates

    def same(self, thing: Any, saved: Any) -> bool:
        kept, _, axes, own, duplicates = saved
        now = dict(vars(thing))
        manager = now.pop("_mgr")
        return (
            bool(_of_manager(_base_of(thing), manager).equals(kept))
            and [list(a.names) for a in manager.axes] == [list(a.names) for a in axes]
            and now["_flags"]._allows_duplicate_labels == duplicates
            # A frame's `name` would be its column of that name.
            and (now.pop("_name", None) is (name := own.get("_name")) or bool(vars(thing)["_name"] == name))
            and _same_items(_plain_attributes(now), _plain_attributes(own))
        )

    def flat(self, saved: Any) -> bool:
        return all(is_flat_column(c) for c in object_columns(saved[0]))


def _write(values: Any, copied: Any) -> None:
    """Put the copied values of a block back into its memory."""
    np = sys.modules["numpy"]
    if not isinstance(values, np.ndarray):
        EXTENSION_ARRAY.put(values, copied)
    elif not _same_values(values, copied):
        frozen = not values.flags.writeable
        if frozen:
            values.flags.writeable = True
        values[...] = copied
        if frozen:
            values.flags.writeable = False


def object_columns(frame: Any) -> list[Any]:
    """The columns of a bare frame, or the series, that hold Python objects, as arrays. Nothing is read."""
    columns: list[Any] = []
    for block in frame._mgr.blocks:
        values = block.values
        if values.dtype == object and type(values).__name__ == "ndarray":
            columns.extend(values if values.ndim == 2 else [values])
    return columns


def is_flat_column(values: Any) -> bool:
    """Whether no cell of an array of objects can change."""
    if sys.modules["pandas"].api.types.infer_dtype(values, skipna=True) in _PLAIN_CELLS:
        return True
    return flat(values.tolist())


def _base_of(thing: Any) -> Any:
    pandas = sys.modules["pandas"]
    return pandas.DataFrame if issubclass(type(thing), pandas.DataFrame) else pandas.Series


def _of_manager(base: Any, manager: Any) -> Any:
    return base._from_mgr(manager, manager.axes)


def bare(thing: Any) -> Any:
    """A frame or series as pandas' own class has it, with the same memory; a subclass may run any code."""
    base = _base_of(thing)
    return thing if type(thing) is base else _of_manager(base, vars(thing)["_mgr"])


def _plain_attributes(own: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in own.items() if not k.startswith("_")}


class TableKind(Kind):
    """polars frames and series; a clone shares the memory."""

    def save(self, thing: Any) -> Any:
        return thing.clone()

    def put(self, thing: Any, saved: Any) -> None:
        thing.__setstate__(saved.__getstate__())

    def same(self, thing: Any, saved: Any) -> bool:
        return bool(thing.equals(saved))


class IndexKind(Kind):
    """The names of an index; its labels never change."""

    def save(self, thing: Any) -> Any:
        return list(thing.names)

    def put(self, thing: Any, saved: Any) -> None:
        if list(thing.names) != saved:
            thing.names = saved

    def same(self, thing: Any, saved: Any) -> bool:
        return bool(list(thing.names) == saved)


class ArrayKind(Kind):
    """numpy arrays: a full copy, with the layout, the flag and the attributes."""

    def save(self, thing: Any) -> Any:
        return _raw(thing).copy(), _layout(thing), thing.flags.writeable, dict(own_dict(thing) or {})

    def put(self, thing: Any, saved: Any) -> None:
        copied, layout, writeable, own = saved
        if _layout(thing) != layout:
            _lay_out(thing, layout)
        if not _same_values(_raw(thing), copied):
            if not thing.flags.writeable:
                thing.flags.writeable = True
            _raw(thing)[...] = copied
        if thing.flags.writeable != writeable:
            thing.flags.writeable = writeable
        now = own_dict(thing)
        if now is not None and not _same_items(now, own):
            now.clear()
            now.update(own)

    def same(self, thing: Any, saved: Any) -> bool:
        copied, layout, writeable, own = saved
        return (
            _layout(thing) == layout
            and thing.flags.writeable == writeable
            and _same_items(own_dict(thing) or {}, own)
            and _same_values(_raw(thing), copied)
        )

    def flat(self, saved: Any) -> bool:
        return flat(saved[0].ravel().tolist())


class FixedArrayKind(FixedKind):
    """Arrays of objects that are not written themselves."""

    def flat(self, saved: Any) -> bool:
        return flat(saved.ravel().tolist())


def _raw(thing: Any) -> Any:
    """The memory of an array of any class as a plain array."""
    return sys.modules["numpy"].ndarray.view(thing, sys.modules["numpy"].ndarray)


def _layout(thing: Any) -> tuple[Any, ...]:
    return thing.dtype, thing.dtype.names, thing.shape, thing.strides


def _lay_out(thing: Any, layout: tuple[Any, ...]) -> None:
    dtype, names, shape, strides = layout
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # setting these is discouraged, and there is no other way back
        if dtype.names != names:
            dtype.names = names
        if thing.dtype != dtype:
            thing.dtype = dtype
        if thing.shape != shape:
            thing.shape = shape
        if thing.strides != strides:
            thing.strides = strides


def _same_values(values: Any, copied: Any) -> bool:
    if values.dtype == object:
        return _identical(values.ravel().tolist(), copied.ravel().tolist())
    return bool(values.tobytes() == copied.tobytes())


class ExtensionArrayKind(Kind):
    """pandas extension arrays: a full copy."""

    def save(self, thing: Any) -> Any:
        return thing.copy()

    def put(self, thing: Any, saved: Any) -> None:
        if self.same(thing, saved):
            return
        if hasattr(thing, "sp_values"):
            _write(thing.sp_values, saved.sp_values)
        else:
            thing[:] = saved

    def same(self, thing: Any, saved: Any) -> bool:
        return bool(thing.equals(saved))


class StateKind(Kind):
    """Anything with a pair of functions that read and set its whole state."""

    def __init__(self, read: Callable[[Any], Any], write: Callable[[Any, Any], object]) -> None:
        self._read, self._write = read, write

    def save(self, thing: Any) -> Any:
        return self._read(thing)

    def put(self, thing: Any, saved: Any) -> None:
        self._write(thing, saved)

    def same(self, thing: Any, saved: Any) -> bool:
        # Some states hold arrays, whose comparison is not a truth value.
        return repr(self._read(thing)) == repr(saved)


class GlobalKind(StateKind):
    """State of the process: random numbers, environment, options. Equality is plain."""

    data = False

    def put(self, thing: Any, saved: Any) -> None:
        if not self.same(thing, saved):
            self._write(thing, saved)

    def same(self, thing: Any, saved: Any) -> bool:
        return bool(self._read(thing) == saved)


class ModuleKind(Kind):
    """The attributes of a library's module or class that code with these names may set."""

    data = False

    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def save(self, thing: Any) -> Any:
        own = vars(thing)
        return {name: own.get(name, _NOTHING) for name in self._names}

    def put(self, thing: Any, saved: Any) -> None:
        base: Any = type if isinstance(thing, type) else types.ModuleType
        own = vars(thing)
        for name, value in saved.items():
            now = own.get(name, _NOTHING)
            if now is value or isinstance(now, types.ModuleType):  # a part of it that was imported meanwhile stays
                continue
            if value is _NOTHING:
                base.__delattr__(thing, name)
            else:
                base.__setattr__(thing, name, value)

    def same(self, thing: Any, saved: Any) -> bool:
        return all(vars(thing).get(name, _NOTHING) is value for name, value in saved.items())


class CacheKind(Kind):
    """An ``lru_cache``: one that was filled since is emptied, since what it holds may be wrong now."""

    data = False

    def save(self, thing: Any) -> Any:
        return thing.cache_info().misses

    def put(self, thing: Any, saved: Any) -> None:
        if not self.same(thing, saved):
            thing.cache_clear()

    def same(self, thing: Any, saved: Any) -> bool:
        return bool(thing.cache_info().misses == saved)


class VariableKind(Kind):
    """A context variable: its value is put back; that it had none cannot be."""

    def save(self, thing: Any) -> Any:
        return thing.get(_NOTHING)

    def put(self, thing: Any, saved: Any) -> None:
        if not self.same(thing, saved) and saved is not _NOTHING:
            thing.set(saved)

    def same(self, thing: Any, saved: Any) -> bool:
        return thing.get(_NOTHING) is saved

    def lost(self, thing: Any, saved: Any) -> bool:
        return saved is _NOTHING and not self.same(thing, saved)


class WatchedKind(Kind):
    """What cannot be put back, but shows whether it was used: iterators, connections, figures.

    `probe` gives something that is equal as long as the object was not used.
    """

    def __init__(self, probe: Callable[[Any], Any], *, data: bool = True) -> None:
        self._probe, self.data = probe, data

    def save(self, thing: Any) -> Any:
        return self._probe(thing)

    def put(self, thing: Any, saved: Any) -> None:
        """Nothing can be done."""

    def same(self, thing: Any, saved: Any) -> bool:
        return bool(self._probe(thing) == saved)

    def lost(self, thing: Any, saved: Any) -> bool:
        return not self.same(thing, saved)


class FileKind(WatchedKind):
    """An open file: its position is put back; what was written to it is not."""

    def put(self, thing: Any, saved: Any) -> None:
        if self.lost(thing, saved) or saved is None or position(thing) == saved:
            return
        thing.seek(saved)

    def lost(self, thing: Any, saved: Any) -> bool:
        if bool(thing.closed) or saved is None:
            return bool(thing.closed) != (saved is None)
        return position(thing) != saved and (thing.writable() or not thing.seekable())


class UnknownKind(Kind):
    """An object that is not saved: whether it changed is not known."""

    def __init__(self, why: str) -> None:
        self.why = why

    def save(self, thing: Any) -> Any:
        return None

    def put(self, thing: Any, saved: Any) -> None:
        """Nothing was saved."""

    def same(self, thing: Any, saved: Any) -> bool:
        return True

    def lost(self, thing: Any, saved: Any) -> bool:
        return True


def position(file: Any) -> int | None:
    """Where an open file stands; None when it is closed or cannot say."""
    try:
        return int(file.tell())
    except (OSError, ValueError):
        return None


_UNSEEN = ("cycle", "_tee", "tee", "callable_iterator", "SRE_Scanner", "nditer")
"""Iterators whose state cannot be seen from outside."""


def is_seen(iterator: Any) -> bool:
    """Whether `progress` shows every use of an iterator."""
    return type(iterator).__name__ not in _UNSEEN


def progress(iterator: Any, depth: int = 3) -> Any:
    """Something that changes when an iterator is advanced."""
    for prefix in ("gi", "ag", "cr"):
        if hasattr(iterator, f"{prefix}_frame"):
            return _frame_progress(iterator, getattr(iterator, f"{prefix}_frame"), depth)
    if hasattr(iterator, "__length_hint__"):
        return operator.length_hint(iterator)
    if hasattr(iterator, "line_num"):
        return iterator.line_num
    if type(iterator) is itertools.count:
        return repr(iterator)
    own = own_dict(iterator)
    found = [*own.values()] if own is not None else gc.get_referents(iterator)
    found += [v for t in found if isinstance(t, tuple) for v in t]
    return list(map(id, found)), [progress(v, depth - 1) for v in found if depth and hasattr(v, "__next__")]


def _frame_progress(iterator: Any, frame: types.FrameType | None, depth: int) -> Any:
    if frame is None:
        return "exhausted"
    # What a loop is going over has no name.
    found = [*frame.f_locals.values(), *gc.get_referents(iterator)]
    inner = [progress(v, depth - 1) for v in found if depth and hasattr(v, "__next__")]
    return frame.f_lasti, {name: id(value) for name, value in frame.f_locals.items()}, inner


def _set_filters(_: Any, saved: list[Any]) -> None:
    warnings.filters[:] = saved  # type: ignore[index]
    with warnings.catch_warnings():
        pass  # leaving the block tells the warnings machinery that the filters changed


def _set_environment(module: Any, saved: dict[str, str]) -> None:
    thing = module.environ
    for name in thing.keys() - saved.keys():
        del thing[name]
    for name, value in saved.items():
        if thing.get(name) != value:
            thing[name] = value


def _folder(_: Any) -> str | None:
    try:
        return os.getcwd()  # noqa: PTH109  the text is all that is needed
    except OSError:
        return None


def _options(thing: Any) -> list[tuple[Any, str, Any]]:
    """Every option below `pd.options`, by the group it is in."""
    found = []
    for name in dir(thing):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = getattr(thing, name)
        found += _options(value) if type(value) is type(thing) else [(thing, name, value)]
    return found


def _set_options(_: Any, saved: list[tuple[Any, str, Any]]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for group, name, value in saved:
            if getattr(group, name) is not value:
                setattr(group, name, value)


def _set_figures(module: Any, saved: list[Any]) -> None:
    module.Gcf.figs.clear()
    module.Gcf.figs.update(saved)


def _numpy_state(module: Any) -> tuple[Any, ...]:
    name, keys, *rest = module.random.get_state()
    return (name, keys.tobytes(), *rest)


def _set_numpy_state(module: Any, saved: tuple[Any, ...]) -> None:
    name, keys, *rest = saved
    module.random.set_state((name, module.frombuffer(keys, dtype=module.uint32), *rest))


def _changes(connection: Any) -> tuple[int, int] | None:
    """How many rows a database connection has changed, and how it gives rows; None when it is closed."""
    try:
        return int(connection.total_changes), id(getattr(connection, "row_factory", None))
    except Exception:  # noqa: BLE001  an exception class of the database's own
        return None


def _precision(context: Any) -> dict[str, Any]:
    plain = {name: getattr(context, name) for name in ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")}
    return plain | {"flags": dict(context.flags), "traps": dict(context.traps)}


def _set_precision(context: Any, saved: dict[str, Any]) -> None:
    for name, value in saved.items():
        setattr(context, name, value)


LIST, DICT, SET, DEQUE, DEFAULT_DICT = ListKind(), DictKind(), SetKind(), DequeKind(), DefaultDictKind()
FIXED, FIXED_ARRAY = FixedKind(), FixedArrayKind()
ATTRIBUTES, CLASS, FUNCTION = AttributesKind(), ClassKind(), FunctionKind()
FRAME, DEEP_FRAME, UNSURE_FRAME = FrameKind(deep=False), FrameKind(deep=True), FrameKind(deep=False, sure=False)
INDEX = IndexKind()
ARRAY, EXTENSION_ARRAY = ArrayKind(), ExtensionArrayKind()
GENERATOR = StateKind(lambda g: g.bit_generator.state, lambda g, s: setattr(g.bit_generator, "state", s))
RANDOM_STATE = StateKind(lambda r: r.get_state(), lambda r, s: r.set_state(s))
RANDOM = StateKind(lambda r: r.getstate(), lambda r, s: r.setstate(s))
PRECISION = StateKind(_precision, _set_precision)
STATEFUL = StateKind(lambda b: b.state, lambda b, s: setattr(b, "state", s))
TABLE = TableKind()
ITERATOR = WatchedKind(progress)
TOO_LARGE, REFUSED = UnknownKind("is too large to be put back"), UnknownKind("cannot be put back")
UNSEEN = UnknownKind("cannot be looked into")
FILE = FileKind(position)
CONNECTION = WatchedKind(_changes)
ARTIST = WatchedKind(lambda a: len(a.findobj()))
CACHE, VARIABLE = CacheKind(), VariableKind()
SURROUNDINGS = WatchedKind(lambda c: {id(v): id(value) for v, value in c.items()})
CELL = StateKind(_content, lambda c, s: setattr(c, "cell_contents", s))
LOCAL = StateKind(lambda t: dict(vars(t)), lambda t, s: (vars(t).clear(), vars(t).update(s)))
MAPPED_FILE = StateKind(lambda m: (m[:], m.tell()), lambda m, s: (m.__setitem__(slice(None), s[0]), m.seek(s[1])))
C_DATA = StateKind(bytes, lambda c, s: sys.modules["ctypes"].memmove(sys.modules["ctypes"].addressof(c), s, len(s)))
SEEDS = WatchedKind(lambda s: s.n_children_spawned)
DIGEST = WatchedKind(lambda h: h.hexdigest())
QUEUE = WatchedKind(lambda q: (q.qsize(), list(map(id, getattr(q, "queue", ())))))
PROCESS = WatchedKind(lambda p: p.returncode)
WIDGET = WatchedKind(lambda w: {name: id(value) for name, value in w._trait_values.items()})
VIEW = WatchedKind(lambda m: "released" in repr(m))


def _told(thing: Any) -> str:
    """What an object of the threading or asyncio modules says of its state, past a class of the analyst's."""
    own: Any = next(c for c in type(thing).__mro__ if c.__module__.partition(".")[0] in LIVELY)
    return str(own.__repr__(thing))


LIVELY = frozenset({"threading", "_thread", "asyncio", "_asyncio", "concurrent"})
"""Modules of objects that say in their representation what state they are in."""

LIVING = WatchedKind(_told)


def _memory(thing: Any) -> tuple[Any, int]:
    return thing.getvalue(), thing.tell()


def _set_memory(thing: Any, saved: tuple[Any, int]) -> None:
    thing.seek(0)
    thing.truncate()
    thing.write(saved[0])
    thing.seek(saved[1])


MEMORY_FILE = StateKind(_memory, _set_memory)


_Loggers = dict[Any, Any]


def _loggers(module: Any) -> _Loggers:
    manager = module.root.manager
    found = [module.root, *(g for g in manager.loggerDict.values() if isinstance(g, logging.Logger))]
    levels: _Loggers = {None: manager.disable}
    return levels | {g: (g.level, g.disabled, g.propagate, list(g.handlers), list(g.filters)) for g in found}


def _set_loggers(module: Any, saved: _Loggers) -> None:
    module.disable(saved[None])
    for logger in _loggers(module).keys() - {None}:
        state = saved.get(logger, (logging.NOTSET, False, True, [], []))
        level, logger.disabled, logger.propagate, logger.handlers[:], logger.filters[:] = state
        logger.setLevel(level)


def _extensions(pandas: Any) -> dict[Any, Any]:
    return {cls: (dict(vars(cls)), set(cls._accessors)) for cls in (pandas.DataFrame, pandas.Series, pandas.Index)}


def _set_extensions(_: Any, saved: dict[Any, Any]) -> None:
    for cls, (own, accessors) in saved.items():
        for name in vars(cls).keys() - own.keys():
            delattr(cls, name)
        for name in own.keys() - vars(cls).keys():
            setattr(cls, name, own[name])
        cls._accessors.intersection_update(accessors)
        cls._accessors.update(accessors)


class ThreadsKind(WatchedKind):
    """The threads that run: one that a step has begun and that still runs may do anything."""

    why = "has a thread more, which still runs"

    def __init__(self) -> None:
        super().__init__(lambda _: {t.ident for t in threading.enumerate() if t.name != "reflex-trial"}, data=False)

    def lost(self, thing: Any, saved: Any) -> bool:
        return not self.save(thing) <= saved


_STATE: tuple[tuple[str, str, frozenset[str], Kind], ...] = (
    ("random", "random.getstate()", frozenset(), GlobalKind(lambda m: m.getstate(), lambda m, s: m.setstate(s))),
    ("os", "os.environ", frozenset(), GlobalKind(lambda m: dict(m.environ), _set_environment)),
    ("os", "os.getcwd()", frozenset(), GlobalKind(_folder, lambda m, s: s is not None and m.chdir(s))),
    ("warnings", "warnings.filters", frozenset(), GlobalKind(lambda m: list(m.filters), _set_filters)),
    ("numpy", "np.random.get_state()", frozenset(), GlobalKind(_numpy_state, _set_numpy_state)),
    (
        "matplotlib._pylab_helpers", "figures", frozenset(),
        GlobalKind(lambda m: list(m.Gcf.figs.items()), _set_figures),
    ),
    (
        "numpy", "np.get_printoptions()", frozenset({"set_printoptions"}),
        GlobalKind(lambda m: m.get_printoptions(), lambda m, s: m.set_printoptions(**s)),
    ),
    ("numpy", "np.geterr()", frozenset({"seterr"}), GlobalKind(lambda m: m.geterr(), lambda m, s: m.seterr(**s))),
    (
        "pandas", "pd.options", frozenset({"options", "set_option", "reset_option"}),
        GlobalKind(lambda m: _options(m.options), _set_options),
    ),
    (
        "pandas", "accessors",
        frozenset({"register_dataframe_accessor", "register_series_accessor", "register_index_accessor"}),
        GlobalKind(_extensions, _set_extensions),
    ),
    (
        "logging", "logging",
        frozenset({"logging", "getLogger", "setLevel", "addHandler", "removeHandler", "basicConfig"}),
        GlobalKind(_loggers, _set_loggers),
    ),
    (
        "decimal", "decimal.getcontext()", frozenset({"getcontext", "setcontext"}),
        GlobalKind(lambda m: _precision(m.getcontext()), lambda m, s: _set_precision(m.getcontext(), s)),
    ),
    (
        "locale", "locale", frozenset({"setlocale"}),
        GlobalKind(lambda m: m.setlocale(m.LC_ALL), lambda m, s: m.setlocale(m.LC_ALL, s)),
    ),
    (
        "sys", "sys.getrecursionlimit()", frozenset({"setrecursionlimit"}),
        GlobalKind(lambda m: m.getrecursionlimit(), lambda m, s: m.setrecursionlimit(s)),
    ),
    (
        "threading", "threading.enumerate()",
        frozenset({"Thread", "Timer", "ThreadPoolExecutor", "to_thread", "start_new_thread"}), ThreadsKind(),
    ),
)  # fmt: skip
"""What of the process is saved: the module, what it is called, names without which it is not set, and how."""


def process_state(names: Set[str]) -> list[tuple[Kind, Any, str]]:
    """The cheap state of the process, and what only code with these names sets; with its name."""
    return [
        (kind, sys.modules[module], label)
        for module, label, needed, kind in _STATE
        if module in sys.modules and (not needed or not needed.isdisjoint(names))
    ]


def is_open_file(thing: Any) -> bool:
    """Whether this is a file of the system, not one in memory."""
    return isinstance(thing, io.IOBase) and not isinstance(thing, (io.StringIO, io.BytesIO))
