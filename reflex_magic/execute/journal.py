"""The file journal: what a cell writes can be put back.

An audit hook sees files before they are opened for writing, removed or renamed, and a copy is kept.
The hook is installed at first use, cannot be removed, and does nothing unless a journal is armed,
which it is only while the steps of a reflected cell run. Files that compiled code opens by itself
(and what other processes write) are not seen.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LARGEST = 64 << 20
"""A file of more bytes is not copied; that it was written is a doubt."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_OUTWARD = {
    "socket.connect": "opened a network connection",
    "urllib.Request": "opened a network connection",
    "subprocess.Popen": "started a process",
    "os.system": "started a process",
    "os.exec": "started a process",
    "os.posix_spawn": "started a process",
    "os.fork": "started a process",
}

_EVENTS = frozenset({
    "open", "os.truncate", "sqlite3.connect", "os.remove", "os.rmdir", "os.mkdir", "shutil.rmtree", "os.rename",
    "os.link", "os.symlink", *_OUTWARD,
})  # fmt: skip

_armed: Journal | None = None
_installed = False


@dataclass(frozen=True, slots=True)
class Saved:
    """A file as it was. `kind` is file, link, absent, folder, large or other.

    `copy` is the copy of a file, or where a link leads.
    """

    kind: str
    copy: Path | None = None


Segment = dict[str, Saved]
"""Paths written since some moment, each with what was there before."""


class Journal:
    """Copies of files from before they were written, segment by segment."""

    def __init__(self) -> None:
        self.segment: Segment = {}
        self.outward: set[str] = set()
        self._store: Path | None = None
        self._count = 0
        self._busy = False
        self._strangers: frozenset[int] = frozenset()

    @contextlib.contextmanager
    def armed(self) -> Iterator[None]:
        """Watch what the code in the block does to files."""
        global _armed, _installed
        if not _installed:
            sys.addaudithook(_hook)
            _installed = True
        before, own = _armed, threading.get_ident()
        # The shell's own threads write their history and connection files all the time.
        self._strangers = frozenset(t.ident for t in threading.enumerate() if t.ident not in (own, None) and t.ident)
        _armed = self
        try:
            yield
        finally:
            _armed = before

    def saw(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note an audit event."""
        if self._busy or event not in _EVENTS or threading.get_ident() in self._strangers:
            return
        match event:
            case "open":
                path, _, flags = arguments
                if isinstance(flags, int) and flags & _WRITING:
                    self._note(path, follow=True)
            case "os.truncate" | "sqlite3.connect":
                self._note(arguments[0], follow=True)
            case "os.remove" | "os.rmdir" | "os.mkdir":
                if arguments[-1] == -1:  # else the path is relative to an open folder
                    self._note(arguments[0])
            case "shutil.rmtree":
                self._note(arguments[0])
                for path in sorted(Path(os.fsdecode(arguments[0])).rglob("*")):
                    self._note(path)
            case "os.rename":
                self._note(arguments[0])
                self._note(arguments[1])
            case "os.link" | "os.symlink":
                self._note(arguments[1])
            case _:
                self.outward.add(_OUTWARD[event])

    def save(self, path: str) -> Saved:
        """What is at `path` now."""
        try:
            found = os.lstat(path)
        except OSError:
            return Saved("absent")
        if stat.S_ISDIR(found.st_mode):
            return Saved("folder")
        if stat.S_ISLNK(found.st_mode):
            return Saved("link", Path(path).readlink())
        if not stat.S_ISREG(found.st_mode):
            return Saved("other")
        if found.st_size > LARGEST:
            return Saved("large")
        if self._store is None:
            self._store = Path(tempfile.mkdtemp(prefix="reflex-"))
            weakref.finalize(self, shutil.rmtree, self._store, ignore_errors=True)
        self._count += 1
        copy = self._store / str(self._count)
        try:
            shutil.copy2(path, copy)
        except OSError:
            return Saved("other")
        return Saved("file", copy)

    def put(self, path: str, saved: Saved) -> str:
        """Make `path` what it was; why that is not possible, in words, or the empty string."""
        target = Path(path)
        try:
            match saved:
                case Saved("absent"):
                    _remove(target)
                case Saved("folder"):
                    target.mkdir(exist_ok=True)
                case Saved("file", copy) if copy is not None:
                    _replace(copy, target)
                case Saved("link", copy) if copy is not None:
                    if not _alike(path, saved):
                        target.unlink(missing_ok=True)
                        target.symlink_to(copy)
                case _:
                    return f"`{shown(path)}` was written and is too large, or no plain file, to be put back"
        except OSError as error:
            return f"`{shown(path)}` could not be put back: {error.strerror}"
        return ""

    def restore(self, segment: Segment) -> list[str]:
        """Put every path of a segment back; what could not be put back, in words."""
        # A folder is made before what is in it, and removed after it.
        gone = sorted((p for p, saved in segment.items() if saved.kind == "absent"), reverse=True)
        order = [*gone, *sorted(segment.keys() - set(gone))]
        return [doubt for path in order if (doubt := self.put(path, segment[path]))]

    def again(self, *segments: Segment) -> Segment:
        """All paths of these segments as they are now."""
        return {path: self.save(path) for segment in segments for path in segment}

    def changed(self, *segments: Segment) -> tuple[str, ...]:
        """The paths of these segments that were written and are there, as a person would write them."""
        paths = dict.fromkeys(path for segment in segments for path in segment)
        return tuple(shown(p) for p in paths if Path(p).is_file())

    def unchanged(self, segment: Segment) -> bool:
        """Whether every path is as it was."""
        return all(_alike(path, saved) for path, saved in segment.items())

    def _note(self, path: Any, *, follow: bool = False) -> None:
        if not isinstance(path, (str, bytes, os.PathLike)) or path in (":memory:", ""):
            return
        self._busy = True
        try:
            name = os.fsdecode(path)
            whole = os.path.realpath(name) if follow else os.path.abspath(name)  # noqa: PTH100  links are kept
            if whole not in self.segment and not _ignored(whole):
                self.segment[whole] = self.save(whole)
        finally:
            self._busy = False


def shown(path: str) -> str:
    """A path as a person would write it: relative where it is below the working folder."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return path


def _ignored(path: str) -> bool:
    """Whether a path is the system's or a library's own business: devices, caches, installed code."""
    home = str(Path("~").expanduser())
    own = tuple(f"{home}/{name}/" for name in (".cache", ".ipython", ".jupyter", ".config", ".local"))
    if path.startswith(("/dev/", "/proc/", "/sys/", sys.prefix + os.sep, *own)):
        return True
    return f"{os.sep}__pycache__{os.sep}" in path or path.startswith(f"{tempfile.gettempdir()}{os.sep}reflex-")


def _remove(target: Path) -> None:
    if target.is_dir() and not target.is_symlink():
        with contextlib.suppress(OSError):  # something else was put into it
            target.rmdir()
    else:
        target.unlink(missing_ok=True)


def _replace(copy: Path, target: Path) -> None:
    """Put the copy's content into place at once, so that nobody ever sees half a file."""
    if target.exists() and _alike(str(target), Saved("file", copy)):
        return
    beside = target.with_name(f".{target.name}.reflex")
    try:
        shutil.copy2(copy, beside)
        beside.replace(target)
    except PermissionError:  # the folder cannot be written, but the file can
        shutil.copy2(copy, target)


def _alike(path: str, saved: Saved) -> bool:
    target = Path(path)
    match saved:
        case Saved("absent"):
            return not os.path.lexists(target)
        case Saved("folder"):
            return target.is_dir()
        case Saved("link", copy):
            return target.is_symlink() and target.readlink() == copy
        case Saved("file", copy) if copy is not None:
            if not target.is_file() or target.stat().st_size != copy.stat().st_size:
                return False
            return target.read_bytes() == copy.read_bytes()
        case _:
            return target.exists()


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _armed is not None:
        _armed.saw(event, arguments)
