"""Where copies of files are, and how they come back when the process of a trial was killed.

Every journal that keeps something has a store: a private folder below the user's state folder. A
lock that ends with the process claims it. While a trial is under way, a manifest in the store says
what was at each path that the trial may have changed, before it is changed. `recover` looks for
stores that nobody holds any more, and puts back what a manifest says.

A lock rather than a process id: ids are used again, and are different ones in each container.
Locks of `fcntl` are not inherited by forked children.

Limits: without `fcntl` (Windows), and where folders cannot be locked, copies are in the temporary
folder and a killed trial is not recovered. Nor are stores of a computer with another name.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import sys
import tempfile
import threading
import time
import weakref
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from reflex_magic.execute.files import Saved, alike, in_order, look, put, shown

if sys.platform != "win32":
    import fcntl

BEAT = 0.25
"""Seconds between two signs of life of a process whose trial has written something."""

GRACE = 2.0
"""A file that was written so many seconds after the last sign of life was written by somebody else."""

MANY = 8
"""Beyond so many files, writing out everything is faster than one after the other."""

_STORES = "reflex-magic-files"
"""The folder that stores are in: a name that says whose they are, wherever it is."""

_MANIFEST, _LOCK, _KEPT = "trial.jsonl", "lock", "kept"

_held: dict[Path, int] = {}
"""The stores of this process, with their locks. Opening a lock again would give it up."""


class Store:
    """The copies of one journal, and while a trial is under way its manifest.

    It is removed with its owner, except for what was set aside.
    """

    def __init__(self, owner: object) -> None:
        self.folder = _claimed_folder()
        self._count = 0
        self._manifest: TextIO | None = None
        self._stop = threading.Event()
        self.beats: int | None = None
        """The thread that gives signs of life, while there is one."""
        weakref.finalize(owner, _remove, self.folder, os.getpid())

    def place(self) -> Path:
        """A new path for a copy."""
        self._count += 1
        return self.folder / str(self._count)

    def note(self, entries: dict[str, Saved]) -> None:
        """Write down what was at these paths; it is on the disk when this returns."""
        if not entries:
            return
        _flush([saved.copy for saved in entries.values() if saved.kind == "file" and saved.copy is not None])
        if self._manifest is None:
            self._begin()
        assert self._manifest is not None
        self._manifest.writelines(_line(path, saved) for path, saved in entries.items())
        self._manifest.flush()
        os.fsync(self._manifest.fileno())

    def done(self) -> None:
        """The trial has ended and everything is as it was, or as was decided."""
        if self._manifest is None:
            return
        self._stop.set()
        (self.folder / _MANIFEST).unlink(missing_ok=True)
        self._manifest.close()
        self._manifest = self.beats = None

    def aside(self, path: str, saved: Saved) -> str:
        """Keep a copy for good that could not be put back; where it is, in words."""
        return _as_it_was(self.folder, path, saved)

    def _begin(self) -> None:
        manifest = self.folder / _MANIFEST
        self._manifest = manifest.open("x", encoding="ascii")
        head = {"process": os.getpid(), "started": _started(os.getpid()), "computer": platform.node()}
        self._manifest.write(json.dumps(head) + "\n")
        self._stop = threading.Event()
        thread = threading.Thread(target=_beat, args=(manifest, self._stop), name="reflex-trial", daemon=True)
        thread.start()
        self.beats = thread.ident


def recover() -> list[str]:
    """Put back what trials of killed processes had changed; one line for each process.

    A file that nobody has written since becomes what it was before the trial, and what is found
    there now is set aside. A file that was written since is left, and its old copy is set aside.
    Stores of processes that are alive are not touched.
    """
    told = []
    for root in _roots():
        try:
            folders = sorted(p for p in root.iterdir() if p.is_dir() and p.name != _KEPT and not p.name.startswith("."))
        except OSError:
            continue
        for folder in folders:
            if folder in _held or not _is_private(folder) or (lock := _lock(folder)) is None:
                continue
            try:
                message = _recover(folder)
                if message is not None:
                    told += [message] if message else []
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
    return told


def _recover(folder: Path) -> str | None:
    """Put back what one store holds; what was done, or None when it is not ours to decide."""
    manifest = folder / _MANIFEST
    try:
        alive = manifest.stat().st_mtime
        head, *lines = manifest.read_text(encoding="ascii").splitlines()
        known = json.loads(head)
    except (OSError, ValueError):
        return ""  # no trial was under way, or it had not begun to write
    if known["computer"] != platform.node():
        return None
    entries = _entries(folder, lines)
    latest = int((alive + GRACE) * 1e9)
    back, left, failed = [], [], []
    for path in in_order(entries):
        saved = entries[path]
        same = alike(path, saved)
        if not same and _written_at(path) > latest:
            left.append(f"`{shown(path)}`" + _as_it_was(folder, path, saved))
            continue
        try:
            if not same:
                _set_aside_what_is_there(folder, path)
            trouble = put(path, saved)
        except OSError as error:
            trouble = f"`{shown(path)}` could not be put back: {error.strerror}"
        if trouble:
            failed.append(trouble + _as_it_was(folder, path, saved))
        elif not same:
            back.append(f"`{shown(path)}`")
    if not (back or left or failed):
        return ""
    when = datetime.fromtimestamp(alive).strftime("%Y-%m-%d %H:%M")
    parts = [f"process {known['process']} ended on {when} while a repair was tried"]
    if back:
        parts.append(f"put back: {_some(back)}; what was there is in {_kept(folder)}")
    if left:
        parts.append(f"left, because written since: {_some(left)}")
    return "; ".join([*parts, *failed])


def _written_at(path: str) -> int:
    """When a file was last written, moved or given other rights, in nanoseconds; 0 for anything else."""
    return os.lstat(path).st_ctime_ns if look(path).kind == "unkept" else 0


def _set_aside_what_is_there(folder: Path, path: str) -> None:
    if look(path).kind == "unkept":
        shutil.copy2(path, _free(_kept(folder), Path(path).name))


def _as_it_was(folder: Path, path: str, saved: Saved) -> str:
    """Set the copy of a file aside for good; where that is, in words."""
    if saved.kind != "file" or saved.copy is None:
        return ""
    place = _free(_kept(folder), Path(path).name)
    try:
        shutil.copy2(saved.copy, place)
    except OSError as error:
        return f" (its copy could not be kept: {error.strerror})"
    return f" (as it was: {place})"


def _entries(folder: Path, lines: list[str]) -> dict[str, Saved]:
    """What a manifest says; the first word about a path counts."""
    found: dict[str, Saved] = {}
    for line in lines:
        try:
            path, kind, copy, mode, mtime, size, device, number = json.loads(line)
        except ValueError:  # a torn last line: what it speaks of had not been touched
            continue
        place = None if copy is None else Path(copy) if kind == "link" else folder / copy
        if kind in ("file", "link", "folder", "absent"):
            found.setdefault(path, Saved(kind, place, mode, mtime, size, (device, number)))
    return found


def _line(path: str, saved: Saved) -> str:
    copy = saved.copy and (str(saved.copy) if saved.kind == "link" else saved.copy.name)
    return json.dumps([path, saved.kind, copy, saved.mode, saved.mtime, saved.size, *saved.inode]) + "\n"


def _kept(folder: Path) -> Path:
    """Where things stay that were set aside from a store."""
    place = folder.parent / _KEPT / folder.name
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return place


def _free(folder: Path, name: str) -> Path:
    """A path in `folder` that is not taken, named after `name`."""
    free, number = folder / name, 1
    while os.path.lexists(free):
        number += 1
        free = folder / f"{number}-{name}"
    return free


def _some(items: list[str]) -> str:
    return ", ".join(items[:4]) + (f" and {len(items) - 4} more" if len(items) > 4 else "")


def _roots() -> list[Path]:
    """Where stores may be, the best place first."""
    import platformdirs

    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    state = Path(platformdirs.user_state_dir("reflex-magic"))
    return [state / _STORES, Path(tempfile.gettempdir(), f"reflex-magic-{user}", _STORES)]


def is_store(path: str) -> bool:
    """Whether a path belongs to a store, of this executor or of another."""
    return f"{os.sep}{_STORES}{os.sep}" in path or any(path.startswith(f"{f}{os.sep}") or path == str(f) for f in _held)


def _claimed_folder() -> Path:
    for root in _roots():
        with contextlib.suppress(OSError):
            root.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_private(root):
                continue
            # It gets its name when it is locked: nobody recovers it in between.
            new = Path(tempfile.mkdtemp(prefix=".new-", dir=root))
            lock = _lock(new)
            if lock is None:
                shutil.rmtree(new)
                continue
            folder = root / f"{os.getpid()}-{_started(os.getpid())}-{new.name.removeprefix('.new-')}"
            new.rename(folder)
            _held[folder] = lock
            return folder
    folder = Path(tempfile.mkdtemp(prefix="reflex-"), "copies")
    folder.mkdir(mode=0o700)
    _held[folder] = -1
    return folder


def _is_private(folder: Path) -> bool:
    """Whether a folder is the user's own and nobody else's to read."""
    found = folder.lstat()
    mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    return mine and folder.is_dir() and not folder.is_symlink() and not found.st_mode & 0o077


def _lock(folder: Path) -> int | None:
    """Take the lock of a store until this process ends; None when somebody has it or there are no locks."""
    if sys.platform == "win32":
        return None
    lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


def _remove(folder: Path, process: int) -> None:
    if os.getpid() != process:  # a forked child that comes to its end
        return
    shutil.rmtree(folder, ignore_errors=True)
    lock = _held.pop(folder, -1)
    if lock >= 0:
        os.close(lock)
    else:
        with contextlib.suppress(OSError):  # something was set aside
            folder.parent.rmdir()


def _flush(files: list[Path]) -> None:
    """Make sure that these are on the disk: a machine that stops must not lose both versions."""
    if len(files) > MANY and hasattr(os, "sync"):
        os.sync()
        return
    for file in files:
        handle = os.open(file, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _beat(manifest: Path, stop: threading.Event) -> None:
    while not stop.wait(BEAT):
        with contextlib.suppress(OSError):
            os.utime(manifest)


def _started(process: int) -> Any:
    """When a process started, as the system counts; for people who look into a store."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return int(time.time())
