"""The file journal: what a cell writes can be put back.

An audit hook sees files before they are opened for writing, removed, renamed or given other rights,
and a copy is kept. The hook is installed at first use, cannot be removed, and does nothing unless a
journal is armed, which it is only while the steps of a reflected cell run. Writers in compiled code
are seen by `writers`. A killed trial is put back by `recovery`.

The analyst's own run is never held up: what cannot be kept is written, and a doubt later. In a trial
an act on a file that cannot be kept is refused before it happens.

Limits: what other processes write; writes through handles that were open before the cell, and
writers that nobody sees. In a trial the latter two are found afterwards, as far as the working folder
and the handles of this process show it, and are doubts; files that were open when this package was
loaded (logs of the server or the job) are passed over. Paths relative to an open folder, and
handles, are resolved through ``/proc`` only.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import stat
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from reflex_magic.execute import writers
from reflex_magic.execute.files import Saved, alike, in_order, keep, look, put, shown
from reflex_magic.execute.recovery import Store, is_store

OWN_ROOM = 64 << 20
"""Bytes that are copied for the analyst's own run, at most; a megabyte takes 0.4 ms and what the disk needs."""

ROOM = 1 << 30
"""Bytes that are copied for what one trial writes, and for each file that is noted off the analyst's path."""

ENTRIES = 2000
"""A working folder with more entries is not looked at, and a folder with more is not moved or removed in a trial."""

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
    "os.link", "os.symlink", "os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr", "import",
    *_OUTWARD,
})  # fmt: skip

_HANDLES = "/proc/self/fd"

_armed: Journal | None = None
_installed = False

Segment = dict[str, Saved]
"""Paths written since some moment, each with what was there before."""


class NotKept(OSError):
    """A trial would have changed what cannot be put back; it has not."""


class Journal:
    """Copies of files from before they were written, segment by segment."""

    def __init__(self) -> None:
        self.segment: Segment = {}
        self.outward: set[str] = set()
        self._store: Store | None = None
        self._room = OWN_ROOM
        self._strangers: frozenset[int | None] | None = None
        self._trial: _Trial | None = None
        self._lock = threading.RLock()
        self._busy = False
        self._wrapped: list[writers.Wrapped] = []
        self._watching = self._importing = False
        self._process = os.getpid()
        self._passed_over = _passed_over()

    # -- watching ------------------------------------------------------------------------------

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """For the time of a run: see the writers of compiled code too."""
        self._strangers = _others()
        self._watching = self._importing = True
        try:
            yield
        finally:
            self._watching = False
            writers.unwrap(self._wrapped)

    def armed(self) -> _Armed:
        """Watch what the code in the block does to files."""
        return _Armed(self)

    def ready(self) -> bool:
        """Whether to watch the next step; not in a forked child, whose files are another's business."""
        global _installed
        if os.getpid() != self._process:
            return False
        if not _installed:
            sys.addaudithook(_hook)
            if hasattr(os, "register_at_fork"):
                os.register_at_fork(after_in_child=_disarm)
            _installed = True
        if self._strangers is None:
            self._strangers = _others()
        if self._importing:
            self._look_for_writers()
            self._importing = False
        return True

    def saw(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note an audit event."""
        if event not in _EVENTS:
            return
        if event == "import":
            self._importing |= str(arguments[0]).partition(".")[0] in writers.PACKAGES
        if self._importing:  # a module is complete at some later event, and at the next step at the latest
            self._look_for_writers()
        if event == "import" or self._is_strange() or (event == "open" and not _is_for_writing(arguments)):
            return
        with self._noting() as free:
            if free:
                self._note_event(event, arguments)

    def _look_for_writers(self) -> None:
        if self._watching:
            writers.wrap(_wrote, self._wrapped)

    def _is_strange(self) -> bool:
        """Whether this is not the cell's thread: the shell's own write their history and connection files."""
        me = threading.get_ident()
        return me in (self._strangers or ()) or (self._store is not None and me == self._store.beats)

    def writes(self, path: str, how: str) -> None:
        """Note what a wrapped writer is told to do."""
        if self._is_strange():
            return
        with self._noting():
            whole = os.path.realpath(path)
            if how == "file":
                self._note([whole])
            elif how == "folder":
                self._note(self._tree(whole))
            elif self.segment.get(whole) != _TOO_MANY:
                new = [p for p in _tree(whole)[:ENTRIES] if p not in self.segment]
                self._record({p: Saved("absent") for p in new if not self._is_passed_over(p)})

    @contextlib.contextmanager
    def _noting(self) -> Iterator[bool]:
        """One thread at a time looks and copies; False where that is what raised the event."""
        with self._lock:
            before, self._busy = self._busy, True
            try:
                yield not before
            except NotKept:
                raise
            except Exception:  # noqa: BLE001  a fault of ours must not cost the analyst the step
                self.outward.add("acted on a file in a way that could not be followed")
            finally:
                self._busy = before

    def _note_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        path = arguments[0] if arguments else None
        match event:
            case "open":
                self._note(_places(path, follow=True, anywhere=arguments[1] is None))
            case "sqlite3.connect":
                self._note([p + end for p in _database(path) for end in ("", "-journal", "-wal", "-shm")])
            case "os.truncate" | "os.chmod" | "os.chown" | "os.utime" | "os.setxattr" | "os.removexattr":
                known = event in ("os.chmod", "os.chown", "os.utime")
                self._note(_places(path, arguments[-1] if known else -1, follow=True))
            case "os.remove" | "os.rmdir" | "os.mkdir":
                self._note(_places(path, arguments[-1]))
            case "shutil.rmtree":
                self._note([p for place in _places(path) for p in self._tree(place)])
            case "os.rename":
                for source in _places(path, arguments[2]):
                    moved = self._tree(source)
                    for target in _places(arguments[1], arguments[3]):
                        self._note([*moved, *(target + p.removeprefix(source) for p in moved)])
            case "os.link":
                # What is written to the new name is written to the old one.
                self._note([*_places(path, arguments[2], follow=True), *_places(arguments[1], arguments[3])])
            case "os.symlink":
                self._note(_places(arguments[1], arguments[2]))
            case _:
                self.outward.add(_OUTWARD[event])

    def _note(self, paths: list[str]) -> None:
        """Keep what is at these paths, unless that is known."""
        new: Segment = {}
        for path in paths:
            if path not in self.segment and not self._is_passed_over(path):
                saved = new[path] = self.save(path, self._room)
                if saved.kind == "file":
                    self._room -= saved.size
                elif saved.kind == "other":
                    self.outward.add("used a pipe or a device")
        self._record(new)

    def _tree(self, path: str) -> list[str]:
        """A path and, where it is a folder, everything in it."""
        found = _tree(path)
        if len(found) <= ENTRIES:
            return found
        if self._trial is not None:
            self._refuse(f"the more than {ENTRIES:,} entries of `{shown(path)}`")
        self.segment.setdefault(path, _TOO_MANY)
        return []

    def _record(self, new: Segment) -> None:
        trial = self._trial
        if trial is not None:
            for path, saved in new.items():
                if saved.kind == "unkept":
                    self._refuse(f"`{shown(path)}` ({saved.size / 1e6:,.0f} MB)")
            first = {path: saved for path, saved in new.items() if path not in trial.known}
            try:
                if first:
                    self._storage.note(first)
            except OSError as error:
                self._refuse(f"`{shown(next(iter(first)))}` ({error.strerror})")
            trial.known |= first.keys()
        self.segment.update(new)

    def _refuse(self, what: str) -> None:
        assert self._trial is not None
        reason = f"{what} would have been changed and could not be kept first, so this was not done"
        self._trial.doubts.append(reason)
        raise NotKept(errno.EFBIG, reason)

    def _is_passed_over(self, path: str) -> bool:
        """Whether a path is the system's or a library's own business: devices, caches, installed code."""
        if path.startswith(self._passed_over):
            return path.startswith(_NO_FILES) or not path.startswith(str(Path.cwd()) + os.sep)
        return f"{os.sep}__pycache__{os.sep}" in path or is_store(path)

    # -- trials --------------------------------------------------------------------------------

    def begin(self, live: Segment) -> None:
        """From now on the files are a trial's, until `end`; `live` is what is there for paths it begins with.

        When the process is killed before the end, `recovery.recover` puts the files back.
        """
        self._room, self._strangers = ROOM, _others()
        unkept = {path for path, saved in live.items() if saved.kind == "unkept"}
        self._trial = _Trial(set(live), unkept, self._surroundings())
        try:
            if live:
                self._storage.note(live)
        except OSError as error:
            self._trial.unkept |= self._trial.known
            self._trial.doubts.append(f"nothing could be kept for putting files back: {error.strerror}")

    def end(self) -> list[str]:
        """The files are the analyst's again; what was refused, and what was written unseen, in words."""
        trial, self._trial = self._trial, None
        if trial is None:
            return []
        if self._store is not None:
            self._store.done()
        now = self._surroundings()
        differing = sorted(p for p in {*now, *trial.around} if now.get(p) != trial.around.get(p))
        unseen = [p for p in differing if p not in trial.known]
        written = [f"`{shown(p)}` was written in a way that is not seen, and was not put back" for p in unseen[:4]]
        if len(unseen) > len(written):
            written.append(f"{len(unseen) - len(written)} more files were written in a way that is not seen")
        return [*dict.fromkeys(trial.doubts), *written]

    def _surroundings(self) -> dict[str, tuple[int, int]]:
        """Files in the working folder, and those that this process has open for writing, with size and time."""
        found: dict[str, tuple[int, int]] = {}
        with contextlib.suppress(OSError), os.scandir() as entries:
            here = os.getcwd()  # noqa: PTH109
            listed = list(itertools.islice(entries, ENTRIES + 1))
            for entry in listed if len(listed) <= ENTRIES else ():
                # Front ends save notebooks, and servers and tools write these, at any time.
                if entry.name.startswith(".") or entry.name.endswith((".ipynb", ".log", "nohup.out")):
                    continue
                with contextlib.suppress(OSError):
                    at = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(at.st_mode) and (at.st_dev, at.st_ino) not in _INHERITED:
                        found[os.path.join(here, entry.name)] = at.st_size, at.st_mtime_ns  # noqa: PTH118
        for handle in _handles():
            with contextlib.suppress(OSError, ValueError):
                at = os.fstat(handle)
                if (at.st_dev, at.st_ino) in _INHERITED:
                    continue
                if handle > 2 and stat.S_ISREG(at.st_mode) and at.st_nlink and _is_writing(handle):
                    path = os.readlink(f"{_HANDLES}/{handle}")  # noqa: PTH115
                    if not self._is_passed_over(path):
                        found[path] = at.st_size, at.st_mtime_ns
        return found

    # -- keeping and putting back ----------------------------------------------------------------

    @property
    def _storage(self) -> Store:
        if self._store is None:
            self._store = Store(self)
        return self._store

    def save(self, path: str, room: int | None = None) -> Saved:
        """What is at `path` now; a file of up to `room` bytes is copied."""
        found = look(path)
        if found.kind != "unkept" or found.size > (ROOM if room is None else room):
            return found
        try:
            return keep(path, found, self._storage.place())
        except OSError:  # there is no place for copies
            return found

    def restore(self, segment: Segment) -> list[str]:
        """Put every path of a segment back; what could not be put back, in words."""
        return [doubt for path in in_order(segment) if (doubt := self._restore(path, segment[path]))]

    def _restore(self, path: str, saved: Saved) -> str:
        if self._trial is not None and path in self._trial.unkept and not alike(path, saved):
            return f"`{shown(path)}` is too large to be kept, and stays as it is"
        doubt = put(path, saved)
        if doubt and saved.kind == "file" and not alike(path, saved):
            doubt += self._storage.aside(path, saved)
        return doubt

    def again(self, *segments: Segment) -> Segment:
        """All paths of these segments as they are now."""
        return {path: self.save(path) for segment in segments for path in segment}

    def changed(self, *segments: Segment) -> tuple[str, ...]:
        """The paths of these segments that were written and are there, as a person would write them."""
        paths = dict.fromkeys(path for segment in segments for path in segment)
        return tuple(shown(p) for p in paths if Path(p).is_file())

    def unchanged(self, segment: Segment) -> bool:
        """Whether every path is as it was."""
        return all(alike(path, saved) for path, saved in segment.items())


class _Trial:
    """What is known of a trial that is under way.

    `known` are the paths whose state before it is written down, `unkept` those that it must not touch.
    """

    def __init__(self, known: set[str], unkept: set[str], around: dict[str, tuple[int, int]]) -> None:
        self.known, self.unkept, self.around = known, unkept, around
        self.doubts: list[str] = []


class _Armed:
    """A journal that is armed for a block; a class, because it is entered for each step."""

    __slots__ = ("_before", "_journal")

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def __enter__(self) -> None:
        global _armed
        self._before = _armed
        if self._journal.ready():
            _armed = self._journal

    def __exit__(self, *_: object) -> None:
        global _armed
        _armed = self._before


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _armed is not None:
        _armed.saw(event, arguments)


def _wrote(path: str, how: str) -> None:
    if _armed is not None:
        _armed.writes(path, how)


def _disarm() -> None:
    """In a forked child: what it writes is another process's business."""
    global _armed
    _armed = None


def _others() -> frozenset[int | None]:
    """All threads but this one."""
    return frozenset(t.ident for t in threading.enumerate()) - {threading.get_ident()}


_NO_FILES = ("/dev/", "/proc/", "/sys/")

_TOO_MANY = Saved("other")
"""A folder with too many entries to be kept."""


def _passed_over() -> tuple[str, ...]:
    home = str(Path("~").expanduser())
    own = (f"{home}/{name}/" for name in (".cache", ".ipython", ".jupyter", ".config", ".local"))
    return (*_NO_FILES, sys.prefix + os.sep, *own)


def _places(path: Any, folder: Any = -1, *, follow: bool = False, anywhere: bool = False) -> list[str]:
    """The whole paths that an argument of an audit event means.

    Parameters
    ----------
    path
        A path, or the number of a handle.
    folder
        The handle of the folder that the path is relative to; -1 is the working folder.
    follow
        Whether a link is followed.
    anywhere
        The event does not say which folder: every one that is open may be meant.
    """
    whole = os.path.realpath if follow else os.path.abspath
    if isinstance(path, int):
        return _of_handle(path)
    if not isinstance(path, (str, bytes, os.PathLike)) or not path:
        return []
    name = os.fsdecode(path)
    if os.path.isabs(name):  # noqa: PTH117
        return [whole(name)]
    bases = [""] if folder == -1 else _of_handle(folder)
    if anywhere:
        bases += [p for handle in _handles() for p in _of_handle(handle) if Path(p).is_dir()]
    return [whole(os.path.join(base, name)) for base in bases]  # noqa: PTH118


def _database(path: Any) -> list[str]:
    """The file of an SQLite database; none for one in memory."""
    name = os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else ""
    if name.startswith("file:"):
        name = unquote(urlsplit(name).path)
    return [] if name in ("", ":memory:") else [os.path.realpath(name)]


def _tree(path: str) -> list[str]:
    """A path and, where it is a folder, everything in it; the walk ends beyond `ENTRIES`."""
    found = [path]
    if not Path(path).is_symlink():
        for folder, folders, names in os.walk(path):
            found += [os.path.join(folder, name) for name in (*folders, *names)]  # noqa: PTH118
            if len(found) > ENTRIES:
                break
    return found


def _handles() -> list[int]:
    try:
        return [int(name) for name in os.listdir(_HANDLES)]  # noqa: PTH208
    except OSError:
        return []


def _open_files() -> frozenset[tuple[int, int]]:
    """The files that this process has open."""
    found = set()
    for handle in _handles():
        with contextlib.suppress(OSError):
            at = os.fstat(handle)
            found.add((at.st_dev, at.st_ino))
    return frozenset(found)


_INHERITED = _open_files()
"""What was open when this package was loaded: the log of a server or a nightly job, which others write too."""


def _of_handle(handle: int) -> list[str]:
    try:
        return [path for path in (os.readlink(f"{_HANDLES}/{handle}"),) if path.startswith(os.sep)]  # noqa: PTH115
    except OSError:
        return []


def _is_for_writing(opened: tuple[Any, ...]) -> bool:
    flags = opened[2] if len(opened) == 3 else None  # libraries raise such events too
    return isinstance(flags, int) and bool(flags & _WRITING)


def _is_writing(handle: int) -> bool:
    import fcntl

    return bool(fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_ACCMODE)
