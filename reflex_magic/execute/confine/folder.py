"""What of the disk a confined child sees, and the private copy of the working folder it works in."""

from __future__ import annotations

import functools
import math
import os
import re
import shutil
import site
import stat
import sys
import sysconfig
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

SECRET = re.compile(
    r"""id_(rsa|dsa|ecdsa|ed25519).* | .*\.(pem|key|p12|pfx|kdbx|jks|ppk|gpg|asc|env|netrc)
    | (.*[^a-z])?(credentials?|secrets?|passwords?|passwd|tokens?|api[_-]?keys?)([^a-z].*)?""",
    re.VERBOSE | re.IGNORECASE,
)
"""Names of files that hold keys rather than data. They are never shown to foreign code."""

SYSTEM = (
    "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share", "/lib", "/lib64", "/etc/localtime", "/etc/timezone",
    "/etc/fonts", "/etc/mime.types", "/etc/ld.so.cache", "/sys/devices/system", "/sys/fs/cgroup",
    "/proc/self/cgroup", "/proc/self/maps", "/proc/self/stat", "/proc/self/statm", "/proc/self/status",
    "/proc/cpuinfo", "/proc/meminfo", "/proc/sys/vm/overcommit_memory", "/dev/urandom", "/dev/random", "/dev/zero",
)  # fmt: skip
"""What the interpreter and its libraries read while they compute."""

ENTRIES = 20_000
"""At most so many files of a folder are looked at; what lies beyond cannot be read in a child."""

COPY_EACH, COPY_ALL, COPY_DEPTH, COPY_ENTRIES = 8 << 20, 64 << 20, 2, 2000
"""Inputs up to `COPY_EACH` bytes are copied, `COPY_ALL` in all; others are linked, for reading."""

CHANGES = 200
"""At most so many changed files are named."""

NULL = Path(os.devnull)


def hidden(name: str) -> bool:
    """Whether foreign code must not see an entry of this name."""
    return name.startswith(".") or bool(SECRET.fullmatch(name))


def _exists(path: Path) -> bool:
    """Whether `path` is there and can be reached; `Path.exists` raises for what cannot."""
    return os.path.exists(path)  # noqa: PTH110


@functools.cache
def interpreter() -> tuple[Path, ...]:
    """Where Python, its libraries and those of the system lie."""
    own = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    own += [*site.getsitepackages(), site.getusersitepackages()]
    for prefix in (sys.prefix, sys.base_prefix):
        own += [f"{prefix}/{part}" for part in ("lib", "lib64", "share", "etc/fonts", "ssl", "pyvenv.cfg")]
    places = dict.fromkeys(Path(place) for place in (*own, *SYSTEM))
    return tuple(filter(_exists, places))


def readable(folder: Path) -> tuple[Path, ...]:
    """What of `folder` may be read: all but hidden and secret entries, however deep.

    Whole folders where nothing in them is hidden, single entries otherwise. Links are followed
    if nothing on the way to their target is hidden.
    """
    tree: dict[Path, list[os.DirEntry[str]]] = {}
    unclean: set[Path] = set()
    queue, seen = deque([folder]), 0
    while queue:
        here = queue.popleft()
        try:
            entries = list(os.scandir(here))
        except OSError:
            unclean.add(here)
            continue
        seen += len(entries)
        if seen > ENTRIES:
            unclean.add(here)
            continue
        tree[here] = [entry for entry in entries if not hidden(entry.name)]
        if len(tree[here]) < len(entries) or any(entry.is_symlink() for entry in entries):
            unclean.add(here)
        queue += [Path(entry.path) for entry in tree[here] if entry.is_dir(follow_symlinks=False)]
    for here in list(unclean):
        unclean.update(above for above in here.parents if above.is_relative_to(folder))
    return tuple(_granted(folder, tree, unclean))


def _granted(here: Path, tree: dict[Path, list[os.DirEntry[str]]], unclean: set[Path]) -> Iterator[Path]:
    if here not in unclean:
        yield here
        return
    for entry in tree.get(here, ()):
        path = Path(entry.path)
        if entry.is_symlink():
            target = path.resolve()
            if not any(map(hidden, target.parts)):
                yield target
        elif entry.is_dir(follow_symlinks=False):
            yield from _granted(path, tree, unclean)
        elif entry.is_file():
            yield path


def import_path(folder: Path) -> tuple[Path, ...]:
    """The folders that modules are imported from and that are not the interpreter's."""
    known = interpreter()
    places = dict.fromkeys(Path(place).absolute() for place in sys.path if place)
    return tuple(
        place
        for place in places
        if _exists(place) and place != folder and not any(place.is_relative_to(other) for other in known)
    )


Stamp = tuple[int, int, int]


@dataclass(slots=True)
class WorkFolder:
    """A private copy of `source` at `path`, and what became of it.

    Small files are copied and large ones linked. Hidden and secret ones are linked too, and the
    link leads to what cannot be read: code that opens one is refused, and not told it is missing.
    """

    source: Path
    path: Path
    stamps: dict[str, Stamp] = field(default_factory=dict)
    copied: int = 0

    def fill(self) -> None:
        """Copy and link."""
        self.path.mkdir()
        self._fill(self.source, self.path, 0)

    def _fill(self, source: Path, target: Path, depth: int) -> None:
        for entry in self._entries(source):
            if len(self.stamps) >= COPY_ENTRIES:
                return
            copy = target / entry.name
            try:
                if hidden(entry.name):
                    self._link(entry, copy)
                elif entry.is_dir(follow_symlinks=False) and depth < COPY_DEPTH:
                    copy.mkdir()
                    self._note(copy)
                    self._fill(Path(entry.path), copy, depth + 1)
                else:
                    self._place(entry, copy)
            except OSError:
                continue  # unreadable here, so unreadable there

    @staticmethod
    def _entries(source: Path) -> Iterable[os.DirEntry[str]]:
        try:
            return list(os.scandir(source))
        except OSError:
            return ()

    def _place(self, entry: os.DirEntry[str], copy: Path) -> None:
        found = entry.stat()
        size = found.st_size
        if stat.S_ISREG(found.st_mode) and size <= COPY_EACH and self.copied + size <= COPY_ALL:
            shutil.copyfile(entry.path, copy)
            self.copied += size
            self._note(copy)
        elif stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode):  # not a pipe or a device
            self._link(entry, copy)

    def _link(self, entry: os.DirEntry[str], copy: Path) -> None:
        copy.symlink_to(entry.path)
        self._note(copy)

    def _note(self, copy: Path) -> None:
        name, stamp = self._stamp(copy)
        self.stamps[name] = stamp

    def _stamp(self, path: Path) -> tuple[str, Stamp]:
        """The name of an entry, a folder's with a slash, and what tells whether it was changed."""
        found, name = path.lstat(), str(path.relative_to(self.path))
        if stat.S_ISDIR(found.st_mode):
            return f"{name}/", (0, 0, 0)
        return name, (found.st_size, found.st_mtime_ns, found.st_ino)

    def changes(self) -> tuple[str, ...]:
        """What would have happened to the working folder, in words."""
        now = dict(map(self._stamp, walk(self.path)))
        found = [f"would create {shown(name)}" for name in sorted(now.keys() - self.stamps.keys())]
        changed = (name for name in self.stamps if name in now and now[name] != self.stamps[name])
        found += [f"would overwrite {shown(name)}" for name in sorted(changed)]
        found += [f"would delete {shown(name)}" for name in sorted(self.stamps.keys() - now.keys())]
        more = len(found) - CHANGES
        return (*found[:CHANGES], f"+{more} more") if more > 0 else tuple(found)


def walk(folder: Path) -> Iterator[Path]:
    """Everything below `folder`, without following links; at most `ENTRIES`."""
    queue, seen = deque([folder]), 0
    while queue and seen < ENTRIES:
        try:
            entries = list(os.scandir(queue.popleft()))
        except OSError:
            continue
        seen += len(entries)
        yield from (Path(entry.path) for entry in entries)
        queue += [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]


def remove(folder: Path) -> None:
    """Remove a folder that foreign code has written in, whatever modes it gave its folders."""
    for path in walk(folder):
        if stat.S_ISDIR(path.lstat().st_mode):
            path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def size(folder: Path) -> float:
    """Bytes that the files below `folder` take; infinite when there are more than `ENTRIES`."""
    total, entries = 0.0, 0
    for path in walk(folder):
        entries += 1
        try:
            total += path.lstat().st_blocks * 512
        except OSError:
            continue  # removed meanwhile
    return total if entries < ENTRIES else math.inf


def shown(name: str) -> str:
    """A path for a person to read: control characters escaped, at most 200 characters."""
    text = name.encode("unicode_escape", "backslashreplace").decode() if not name.isprintable() else name
    return text if len(text) <= 200 else text[:199] + "…"
