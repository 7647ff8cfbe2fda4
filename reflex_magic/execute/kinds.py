"""How each kind of object is saved, compared and put back in place.

A kind saves the content of one object, not of what it refers to, and puts it back into the same
object. Identity is kept, so aliases, containers and closures see the old content as well.
What the methods of a kind do is said once, in `Kind`.
"""
# ruff: noqa: D102

from __future__ import annotations

import array
import gc
import io
import operator
import os
import random
import sys
import types
import warnings
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from typing import Any

_NOTHING = object()


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


def _identical(a: Any, b: Any) -> bool:
    return len(a) == len(b) and all(map(operator.is_, a, b))


def _same_items(a: Mapping[Any, Any], b: Mapping[Any, Any]) -> bool:
    keys = all(k is j or (type(k) is type(j) is str and k == j) for k, j in zip(a, b, strict=False))
    return keys and _identical(a.values(), b.values())


class ListKind(Kind):
    """Lists, and what else takes a slice: byte and number arrays."""

    def save(self, thing: Any) -> Any:
        # The class's own methods would run code, here and in the kinds below.
        return _base(thing).__getitem__(thing, slice(None))

    def put(self, thing: Any, saved: Any) -> None:
        _base(thing).__setitem__(thing, slice(None), saved)

    def same(self, thing: Any, saved: Any) -> bool:
        now = self.save(thing)
        return _identical(now, saved) if isinstance(now, list) else bool(now == saved)


def _base(thing: Any) -> Any:
    return next(t for t in (list, bytearray, array.array) if issubclass(type(thing), t))


class DictKind(Kind):
    """Dictionaries and their subclasses, with their order."""

    def save(self, thing: Any) -> Any:
        # An OrderedDict has an order of its own beside the dictionary's.
        return dict(OrderedDict.items(thing) if isinstance(thing, OrderedDict) else dict.items(thing))

    def put(self, thing: Any, saved: Any) -> None:
        # The class's own methods would run code; `dict.clear` would break an OrderedDict.
        base: Any = OrderedDict if isinstance(thing, OrderedDict) else dict
        base.clear(thing)
        base.update(thing, saved)

    def same(self, thing: Any, saved: Any) -> bool:
        return _same_items(self.save(thing), saved)


class SetKind(Kind):
    """Sets."""

    def save(self, thing: Any) -> Any:
        return set(thing)

    def put(self, thing: Any, saved: Any) -> None:
        set.clear(thing)
        set.update(thing, saved)

    def same(self, thing: Any, saved: Any) -> bool:
        return bool(set(thing) == saved)


class DequeKind(Kind):
    """Double-ended queues."""

    def save(self, thing: Any) -> Any:
        return list(thing)

    def put(self, thing: Any, saved: Any) -> None:
        deque.clear(thing)
        deque.extend(thing, saved)

    def same(self, thing: Any, saved: Any) -> bool:
        return _identical(thing, saved)


class AttributesKind(Kind):
    """The attributes of an instance, in its dictionary and its slots."""

    def save(self, thing: Any) -> Any:
        own = own_dict(thing)
        slots = {name: value for name in slot_names(type(thing)) if (value := _slot(thing, name)) is not _NOTHING}
        return (dict(own) if own is not None else None), slots

    def put(self, thing: Any, saved: Any) -> None:
        own, slots = saved
        if own is not None:
            now = own_dict(thing)
            assert now is not None
            now.clear()
            now.update(own)
        for name in slot_names(type(thing)):
            # A frozen class refuses its own __setattr__, and an ordinary one might run code.
            if name in slots:
                object.__setattr__(thing, name, slots[name])
            elif _slot(thing, name) is not _NOTHING:
                object.__delattr__(thing, name)

    def same(self, thing: Any, saved: Any) -> bool:
        own, slots = self.save(thing)
        return _same_items(own or {}, saved[0] or {}) and _same_items(slots, saved[1])


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


def slot_names(cls: type) -> list[str]:
    """The slots of a class and its bases, under the names they really have."""
    found = []
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                private = name.startswith("__") and not name.endswith("__")
                found.append(f"_{base.__name__.lstrip('_')}{name}" if private else name)
    return found


class ClassKind(Kind):
    """The attributes of a class the analyst wrote."""

    def save(self, thing: Any) -> Any:
        return {k: v for k, v in vars(thing).items() if k not in ("__dict__", "__weakref__")}

    def put(self, thing: Any, saved: Any) -> None:
        now = self.save(thing)
        for name in now.keys() - saved.keys():
            type.__delattr__(thing, name)
        for name, value in saved.items():
            if now.get(name, _NOTHING) is not value:
                type.__setattr__(thing, name, value)

    def same(self, thing: Any, saved: Any) -> bool:
        now = self.save(thing)
        return now.keys() == saved.keys() and all(now[k] is v for k, v in saved.items())


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
    is for pandas without copy-on-write and for code that writes below pandas' API.
    """

    why = "is too large for a full copy, which this code needs"

    def __init__(self, *, deep: bool, sure: bool = True) -> None:
        self.deep, self.sure = deep, sure

    def lost(self, thing: Any, saved: Any) -> bool:
        return not self.sure

    def save(self, thing: Any) -> Any:
        # The axes' names are part of objects that a shallow copy shares.
        frame = bare(thing)
        return frame.copy(deep=self.deep), [list(a.names) for a in frame.axes], _plain_attributes(thing)

    def put(self, thing: Any, saved: Any) -> None:
        copy, names, attributes = saved
        type(copy).__setstate__(thing, copy.copy(deep=self.deep).__getstate__())
        for axis, kept in zip(bare(thing).axes, names, strict=True):
            if list(axis.names) != kept:
                axis.names = kept
        for name in _plain_attributes(thing).keys() - attributes.keys():
            del thing.__dict__[name]
        thing.__dict__.update(attributes)

    def same(self, thing: Any, saved: Any) -> bool:
        copy, names, attributes = saved
        frame = bare(thing)
        return (
            bool(frame.equals(copy))
            and [list(a.names) for a in frame.axes] == names
            # A frame's `name` would be its column of that name.
            and (frame.ndim > 1 or frame.name is copy.name or bool(frame.name == copy.name))
            and _same_items(_plain_attributes(thing), attributes)
        )


def bare(thing: Any) -> Any:
    """A frame or series as pandas' own class has it, with the same memory; a subclass may run any code."""
    pandas = sys.modules["pandas"]
    base = pandas.DataFrame if issubclass(type(thing), pandas.DataFrame) else pandas.Series
    if type(thing) is base:
        return thing
    own = vars(thing)
    frame = base._from_mgr(own["_mgr"], own["_mgr"].axes)
    for name in ("_name", "_attrs", "_flags"):
        if name in own:
            object.__setattr__(frame, name, own[name])
    return frame


def _plain_attributes(thing: Any) -> dict[str, Any]:
    return {k: v for k, v in vars(thing).items() if not k.startswith("_")}


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
    """numpy arrays and pandas extension arrays: a full copy."""

    def save(self, thing: Any) -> Any:
        return thing.copy()

    def put(self, thing: Any, saved: Any) -> None:
        if not self.same(thing, saved):
            thing[...] = saved

    def same(self, thing: Any, saved: Any) -> bool:
        np = sys.modules["numpy"]
        if not isinstance(thing, np.ndarray):
            return bool(thing.equals(saved))
        if thing.dtype == object:
            return _identical(thing.ravel().tolist(), saved.ravel().tolist())
        mask = np.ma.getmaskarray
        alike = bool(thing.tobytes() == saved.tobytes())
        return alike and (not isinstance(thing, np.ma.MaskedArray) or bool((mask(thing) == mask(saved)).all()))


class ExtensionArrayKind(ArrayKind):
    """pandas extension arrays."""

    def put(self, thing: Any, saved: Any) -> None:
        if not self.same(thing, saved):
            thing[:] = saved


class StateKind(Kind):
    """Anything with a pair of functions that read and set its whole state."""

    def __init__(self, read: Callable[[Any], Any], write: Callable[[Any, Any], object], *, data: bool = True) -> None:
        self._read, self._write, self.data = read, write, data

    def save(self, thing: Any) -> Any:
        return self._read(thing)

    def put(self, thing: Any, saved: Any) -> None:
        self._write(thing, saved)

    def same(self, thing: Any, saved: Any) -> bool:
        # Some states hold arrays, whose comparison is not a truth value.
        return repr(self._read(thing)) == repr(saved)


class GlobalKind(StateKind):
    """State of the process: random numbers, environment, options. Equality is plain."""

    def __init__(self, read: Callable[[Any], Any], write: Callable[[Any, Any], object]) -> None:
        super().__init__(read, write, data=False)

    def put(self, thing: Any, saved: Any) -> None:
        if not self.same(thing, saved):
            self._write(thing, saved)

    def same(self, thing: Any, saved: Any) -> bool:
        return bool(self._read(thing) == saved)


class WatchedKind(Kind):
    """What cannot be put back, but shows whether it was used: iterators, connections, figures.

    `probe` gives something that is equal as long as the object was not used.
    """

    def __init__(self, probe: Callable[[Any], Any]) -> None:
        self._probe = probe

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


def progress(iterator: Any, depth: int = 3) -> Any:
    """Something that changes when an iterator is advanced."""
    for prefix in ("gi", "ag", "cr"):
        if hasattr(iterator, f"{prefix}_frame"):
            return _frame_progress(getattr(iterator, f"{prefix}_frame"), depth)
    if hasattr(iterator, "__length_hint__"):
        return operator.length_hint(iterator)
    if hasattr(iterator, "line_num"):
        return iterator.line_num
    found = gc.get_referents(iterator)
    found += [v for t in found if isinstance(t, tuple) for v in t]
    return [progress(v, depth - 1) for v in found if depth and hasattr(v, "__next__")], [
        v for v in found if isinstance(v, int)
    ]


def _frame_progress(frame: types.FrameType | None, depth: int) -> Any:
    if frame is None:
        return "exhausted"
    inner = [progress(v, depth - 1) for v in frame.f_locals.values() if depth and hasattr(v, "__next__")]
    return frame.f_lasti, {name: id(value) for name, value in frame.f_locals.items()}, inner


def _set_filters(_: Any, saved: list[Any]) -> None:
    warnings.filters[:] = saved  # type: ignore[index]
    with warnings.catch_warnings():
        pass  # leaving the block tells the warnings machinery that the filters changed


def _set_environment(thing: Any, saved: dict[str, str]) -> None:
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


def _set_figures(thing: Any, saved: list[Any]) -> None:
    thing.figs.clear()
    thing.figs.update(saved)


def _numpy_state(module: Any) -> tuple[Any, ...]:
    name, keys, *rest = module.random.get_state()
    return (name, keys.tobytes(), *rest)


def _set_numpy_state(module: Any, saved: tuple[Any, ...]) -> None:
    name, keys, *rest = saved
    module.random.set_state((name, module.frombuffer(keys, dtype=module.uint32), *rest))


def _changes(connection: Any) -> int | None:
    """How many rows a database connection has changed; None when it is closed."""
    try:
        return int(connection.total_changes)
    except Exception:  # noqa: BLE001  an exception class of the database's own
        return None


LIST, DICT, SET, DEQUE = ListKind(), DictKind(), SetKind(), DequeKind()
ATTRIBUTES, CLASS, FUNCTION = AttributesKind(), ClassKind(), FunctionKind()
FRAME, DEEP_FRAME, UNSURE_FRAME = FrameKind(deep=False), FrameKind(deep=True), FrameKind(deep=False, sure=False)
INDEX = IndexKind()
ARRAY, EXTENSION_ARRAY = ArrayKind(), ExtensionArrayKind()
GENERATOR = StateKind(lambda g: g.bit_generator.state, lambda g, s: setattr(g.bit_generator, "state", s))
RANDOM_STATE = StateKind(lambda r: r.get_state(), lambda r, s: r.set_state(s))
RANDOM = StateKind(lambda r: r.getstate(), lambda r, s: r.setstate(s))
TABLE = TableKind()
ITERATOR = WatchedKind(progress)
TOO_LARGE, REFUSED = UnknownKind("is too large to be put back"), UnknownKind("cannot be put back")
FILE = FileKind(position)
CONNECTION = WatchedKind(_changes)
ARTIST = WatchedKind(lambda a: len(a.findobj()))


def _memory(thing: Any) -> tuple[Any, int]:
    return thing.getvalue(), thing.tell()


def _set_memory(thing: Any, saved: tuple[Any, int]) -> None:
    thing.seek(0)
    thing.truncate()
    thing.write(saved[0])
    thing.seek(saved[1])


MEMORY_FILE = StateKind(_memory, _set_memory)


def process_state(names: set[str]) -> list[tuple[Kind, Any]]:
    """The cheap state of the process, and the options where code with these names may set them."""
    found: list[tuple[Kind, Any]] = [
        (GlobalKind(lambda m: m.getstate(), lambda m, s: m.setstate(s)), random),
        (GlobalKind(dict, _set_environment), os.environ),
        (GlobalKind(_folder, lambda m, s: s is not None and m.chdir(s)), os),
        (GlobalKind(lambda m: list(m.filters), _set_filters), warnings),
    ]
    np, pd = sys.modules.get("numpy"), sys.modules.get("pandas")
    if np is not None:
        found.append((GlobalKind(_numpy_state, _set_numpy_state), np))
        if "set_printoptions" in names:
            found.append((GlobalKind(lambda f: f(), lambda _, s: np.set_printoptions(**s)), np.get_printoptions))
    if pd is not None and not names.isdisjoint({"options", "set_option", "reset_option"}):
        found.append((GlobalKind(_options, _set_options), pd.options))
    helpers = sys.modules.get("matplotlib._pylab_helpers")
    if helpers is not None:
        found.append((GlobalKind(lambda g: list(g.figs.items()), _set_figures), helpers.Gcf))
    return found


def is_open_file(thing: Any) -> bool:
    """Whether this is a file of the system, not one in memory."""
    return isinstance(thing, io.IOBase) and not isinstance(thing, (io.StringIO, io.BytesIO))
