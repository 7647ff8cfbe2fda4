"""What a forked child inherits and must not use: descriptors, shared memory, environment, budget.

Landlock and seccomp judge what is opened from now on. What the analyst's kernel had open at the
fork (a database connection, a memory-mapped file, a log) would still work, and is taken away here.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import re
import resource
import stat
from collections.abc import Collection, Mapping
from pathlib import Path

from reflex_magic.execute.confine.linux import MAP_ANONYMOUS, MAP_FAILED, MAP_PRIVATE_FIXED, PROT_READ_WRITE, libc

FILE_BYTES = 256 << 20
"""The largest file that a child may write."""

DESCRIPTORS = 512

KEPT = re.compile(
    r"PATH|LANG|LC_\w+|TZ|PYTHONHASHSEED|PYTHONIOENCODING|PYTHONUTF8|(OMP|MKL|OPENBLAS|NUMEXPR|BLIS)_(MAX_|NUM_)?THREADS"
)
"""Environment variables that a child keeps: what computing depends upon."""

MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) ..(.)(.) ([0-9a-f]+) ([0-9a-f]+):([0-9a-f]+) (\d+)\s*(.*)")


def descriptors(keep: Collection[int]) -> None:
    """Turn every descriptor but those in `keep` into one that can do no harm.

    Files are opened anew, for reading only and with a position of their own; everything else
    (sockets, pipes, terminals, event queues) becomes the null device. Numbers stay in use, so
    that objects which hold one do not hit upon another file.
    """
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    for number in [int(entry.name) for entry in Path("/proc/self/fd").iterdir()]:
        if number in keep or number == null:
            continue
        try:
            found = os.fstat(number)
        except OSError:
            continue  # the descriptor of this very listing
        # A file without a name (memfd) is outside of what Landlock judges: it could be opened again for writing.
        fresh = _reopened(number) if stat.S_ISREG(found.st_mode) and found.st_nlink else None
        os.dup2(null if fresh is None else fresh, number)
        if fresh is not None:
            os.close(fresh)
    os.close(null)


def _reopened(number: int) -> int | None:
    try:
        position = os.lseek(number, 0, os.SEEK_CUR)
        fresh = os.open(f"/proc/self/fd/{number}", os.O_RDONLY | os.O_CLOEXEC)
        os.lseek(fresh, position, os.SEEK_SET)
    except OSError:
        return None
    return fresh


def shared_memory() -> None:
    """Turn every shared mapping into a private copy at the same address.

    Those that cannot be written now are included: they could be made writable again.

    Raises
    ------
    OSError
        A mapping cannot be replaced.
    """
    for line in Path("/proc/self/maps").read_text(errors="replace").splitlines():
        found = MAPPING.match(line)
        if not found or found[4] != "s":
            continue
        start, end, offset = int(found[1], 16), int(found[2], 16), int(found[5], 16)
        size = end - start
        device = os.makedev(int(found[6], 16), int(found[7], 16))
        source = _same_file(found[9], device, int(found[8]))
        data = ctypes.string_at(start, size) if source is None else b""
        flags = MAP_PRIVATE_FIXED | (MAP_ANONYMOUS if source is None else 0)
        placed = libc.mmap(start, size, PROT_READ_WRITE, flags, -1 if source is None else source, offset)
        if source is not None:
            os.close(source)
        if placed in (None, MAP_FAILED):
            raise OSError(ctypes.get_errno(), "a shared mapping cannot be made private")
        if data:
            ctypes.memmove(start, data, size)


def _same_file(path: str, device: int, inode: int) -> int | None:
    """A descriptor of the mapped file; None when its path leads elsewhere by now."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError):
        return None
    found = os.fstat(number)
    if stat.S_ISREG(found.st_mode) and (found.st_dev, found.st_ino) == (device, inode):
        return number
    os.close(number)
    return None


def environment(extra: Mapping[str, str]) -> None:
    """Keep `KEPT` and add `extra`; the block that ``/proc/self/environ`` shows becomes zeros."""
    kept = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
    # Counted from behind the program's name, which may hold anything: fields 50 and 51 of proc(5).
    fields = Path("/proc/self/stat").read_text(errors="replace").rpartition(")")[2].split()
    start, end = int(fields[47]), int(fields[48])
    os.environ.clear()
    if 0 < start < end:
        ctypes.memset(start, 0, end - start)
    os.environ.update({**kept, **extra})


def limits(memory: int, seconds: float) -> None:
    """Bound what the child may use; `memory` is in bytes, on top of what it has now."""
    status = Path("/proc/self/status").read_text()
    for kind, field in ((resource.RLIMIT_AS, "VmSize"), (resource.RLIMIT_DATA, "VmData")):
        found = re.search(rf"^{field}:\s+(\d+) kB$", status, re.MULTILINE)
        _limit(kind, (int(found[1]) << 10 if found else 0) + memory)
    # The parent ends a child that is late; this is for the case that there is no parent any more.
    _limit(resource.RLIMIT_CPU, math.ceil(seconds + 5) * (os.cpu_count() or 1))
    _limit(resource.RLIMIT_FSIZE, FILE_BYTES)
    _limit(resource.RLIMIT_NOFILE, DESCRIPTORS)
    _limit(resource.RLIMIT_CORE, 0)


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with contextlib.suppress(ValueError):  # above a limit that is already lower
        resource.setrlimit(kind, (value, value))
