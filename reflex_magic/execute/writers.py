"""Writers whose files compiled code opens, where no audit hook sees it.

While a reflected cell runs, the functions in `WRITERS` are wrapped: the path is noted, then the
function runs as always. Only modules that are loaded are looked at; one that a step loads is wrapped
when the next audit event or step shows it. Methods of Python classes and inner functions are taken
where there are any, so that names imported before the cell are seen too. Afterwards everything is
what it was. The wrapper's frames are taken out of tracebacks, and warnings do not count them.

Limits: `pyarrow.memory_map` and file systems, partitioned sinks of polars, duckdb, GDAL, and functions
and classes of compiled modules that were imported by name. Whether something of that kind was written
in a trial is looked up in the working folder; see `Journal.end`. For the time of a run
``type(f) is pyarrow.OSFile`` is false; `isinstance` says what it always says.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Writer:
    """Functions that write to a path.

    `names` are looked up in `owner`, a class of `module`, or in the module. `place` and `keyword` are
    the argument with the path, `mode` that with the mode; without a mode it is always written.
    `beside` are endings that are appended to the path for other files it writes.
    """

    module: str
    owner: str
    names: tuple[str, ...]
    place: int
    keyword: str
    mode: tuple[int, str] | None = None
    folder: bool = False
    beside: tuple[str, ...] = ()


_INIT = ("__init__",)

WRITERS = (
    Writer("pyarrow.parquet.core", "ParquetWriter", _INIT, 1, "where"),
    Writer("pyarrow.dataset", "", ("_filesystemdataset_write",), 1, "base_dir", folder=True),
    Writer("pyarrow._feather", "", ("write_feather",), 1, "dest"),
    Writer("pyarrow.orc", "ORCWriter", _INIT, 1, "where"),
    Writer("pyarrow.csv", "", ("write_csv",), 1, "output_file"),
    Writer("pyarrow.csv", "", ("CSVWriter",), 0, "sink"),
    Writer("pyarrow", "", ("OSFile",), 0, "path", mode=(1, "mode")),
    Writer("pyarrow.ipc", "RecordBatchFileWriter", _INIT, 1, "sink"),
    Writer("pyarrow.ipc", "RecordBatchStreamWriter", _INIT, 1, "sink"),
    Writer("pyarrow", "", ("output_stream",), 0, "source"),
    Writer("pyarrow", "", ("create_memory_map",), 0, "path"),
    Writer("h5py._hl.files", "File", _INIT, 1, "name", mode=(2, "mode")),
    Writer("tables.file", "File", _INIT, 1, "filename", mode=(2, "mode")),
    Writer("polars.lazyframe.frame", "LazyFrame", ("sink_csv", "sink_parquet", "sink_ipc", "sink_ndjson"), 1, "path"),
    Writer(
        "polars.dataframe.frame",
        "DataFrame",
        ("write_csv", "write_parquet", "write_ipc", "write_ipc_stream", "write_json", "write_ndjson", "write_avro"),
        1,
        "file",
    ),
    Writer("dbm.gnu", "", ("open",), 0, "filename", mode=(1, "flags")),
    Writer("dbm.ndbm", "", ("open",), 0, "filename", mode=(1, "flags"), beside=(".db", ".dir", ".pag")),
)

PACKAGES = frozenset(w.module.partition(".")[0] for w in WRITERS)
"""Where writers come from."""

Note = Callable[[str, str], None]
"""Told a path, and what happens there: file or folder before it is written, after when a folder was."""

_made: dict[Callable[..., Any], Any] = {}
"""Wrappers by what they wrap; setting them costs half a microsecond each, making them ten times that."""

Wrapped = tuple[Any, str, Any, Any]
"""An owner, a name of it, what the name meant, and what wraps that."""


def wrap(note: Note, already: list[Wrapped]) -> None:
    """Wrap the writers of loaded modules, and append to `already` what was done."""
    for writer in WRITERS:
        module = sys.modules.get(writer.module)
        owner = getattr(module, writer.owner, None) if writer.owner else module
        if owner is None:
            continue
        for name in writer.names:
            original = vars(owner).get(name)
            # A module may be half loaded; an outer reflected cell may have wrapped it.
            if callable(original) and not _is_ours(original):
                made = _made.get(original)
                if made is None:
                    made = _made[original] = _wrapper(original, writer, note)
                setattr(owner, name, made)
                already.append((owner, name, original, made))


def unwrap(already: list[Wrapped]) -> None:
    """Give every name its meaning again, except where the cell itself has given it another."""
    while already:
        owner, name, original, wrapper = already.pop()
        if vars(owner).get(name) is wrapper:
            setattr(owner, name, original)


def _is_ours(thing: Any) -> bool:
    return getattr(thing, "__globals__", None) is globals() or getattr(type(thing), "__module__", "") == __name__


def _wrapper(original: Any, writer: Writer, note: Note) -> Any:
    if isinstance(original, type):
        return _class_wrapper(original, writer, note)

    def call(*args: Any, **kwargs: Any) -> Any:
        paths = list(_paths(writer, args, kwargs))
        if not paths:
            return original(*args, **kwargs)
        for path in paths:
            note(path, "folder" if writer.folder else "file")
        try:
            return original(*args, **kwargs)
        finally:
            if writer.folder:
                note(paths[0], "after")

    return functools.wraps(original)(_uncounted(call))


def _class_wrapper(original: type, writer: Writer, note: Note) -> type:
    """A class that stands for a class of a compiled module; its instances are the original's."""

    class Kind(type(original)):  # type: ignore[misc]
        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            for path in _paths(writer, args, kwargs):
                note(path, "file")
            return original(*args, **kwargs) if cls is made else super().__call__(*args, **kwargs)

        def __instancecheck__(cls, thing: Any) -> bool:
            return isinstance(thing, original) if cls is made else super().__instancecheck__(thing)

        def __subclasscheck__(cls, kind: type) -> bool:
            return issubclass(kind, original) if cls is made else super().__subclasscheck__(kind)

    _uncounted(Kind.__call__)
    made: type = Kind(original.__name__, (original,), {"__module__": original.__module__, "__wrapped__": original})
    return made


def _uncounted(function: Any) -> Any:
    # `warnings.warn(stacklevel=...)` does not count frames of the import system, and so not these.
    function.__code__ = function.__code__.replace(co_filename="<importlib._bootstrap reflex>")
    return function


def _paths(writer: Writer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[str]:
    """The paths that a call is going to write."""
    path = args[writer.place] if len(args) > writer.place else kwargs.get(writer.keyword)
    if not isinstance(path, (str, bytes, os.PathLike)):
        return
    if writer.mode is not None:
        place, keyword = writer.mode
        mode = args[place] if len(args) > place else kwargs.get(keyword, "r")
        if mode is None or mode == "r":
            return
    name = os.fsdecode(path).removeprefix("file://")
    if "://" in name:
        return
    yield name
    for ending in writer.beside:
        yield name + ending
