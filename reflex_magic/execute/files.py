"""What is at a path: kept, compared, and put back."""

from __future__ import annotations

import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

CHUNK = 1 << 20

SPARE = 64 << 20
"""A copy leaves so many bytes of its disk free: the analyst's own writing must not fail for it."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What was at a path.

    `kind` is file, unkept (a file without a copy), link, folder, absent or other (a pipe, a device).
    `copy` is the copy of a file, or where a link leads; `mtime` is in nanoseconds; `inode` is the
    device and the number of the file.
    """

    kind: str
    copy: Path | None = None
    mode: int = 0
    mtime: int = 0
    size: int = 0
    inode: tuple[int, int] = (0, 0)


def look(path: str) -> Saved:
    """What is at `path`; a file is not kept."""
    kind, copy = "other", None
    try:
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            kind, copy = "link", Path(path).readlink()
    except (OSError, ValueError):  # a path with a NUL is nowhere
        return Saved("absent")
    if stat.S_ISDIR(found.st_mode):
        kind = "folder"
    elif stat.S_ISREG(found.st_mode):
        kind = "unkept"
    inode = found.st_dev, found.st_ino
    return Saved(kind, copy, stat.S_IMODE(found.st_mode), found.st_mtime_ns, found.st_size, inode)


def keep(path: str, found: Saved, copy: Path) -> Saved:
    """Copy a file that was looked at; it stays unkept when there is no room, or no right to read it."""
    try:
        if shutil.disk_usage(copy.parent).free < found.size + SPARE:
            return found
        shutil.copy2(path, copy)
    except OSError:
        copy.unlink(missing_ok=True)
        return found
    except BaseException:  # an interrupt or the time limit; the operation itself will not happen
        copy.unlink(missing_ok=True)
        raise
    return Saved("file", copy, found.mode, found.mtime, found.size, found.inode)


def alike(path: str, saved: Saved) -> bool:
    """Whether `path` has the content that was saved; for what was not kept, whether it seems untouched."""
    now = look(path)
    if saved.kind == "file" and saved.copy is not None:
        return now.kind == "unkept" and now.size == saved.size and _equal(path, saved.copy)
    if saved.kind == "unkept":
        return now == saved
    return now.kind == saved.kind and (saved.kind != "link" or now.copy == saved.copy)


def put(path: str, saved: Saved) -> str:
    """Make `path` what it was; why that is not possible, in words, or the empty string."""
    target = Path(path)
    try:
        if not alike(path, saved):
            match saved.kind:
                case "absent":
                    _clear(target)
                case "folder":
                    _clear(target)
                    target.mkdir()
                    _stamp(target, saved)
                case "file":
                    _put_file(target, saved)
                case "link" if saved.copy is not None:
                    _clear(target)
                    target.symlink_to(saved.copy)
                case _:
                    return f"`{shown(path)}` was written and is too large, or no plain file, to be put back"
        elif saved.kind == "file" and _stamped(target) != (saved.mode, saved.mtime):
            _stamp(target, saved)
        elif saved.kind == "folder" and _stamped(target)[0] != saved.mode:
            target.chmod(saved.mode)
    except OSError as error:
        return f"`{shown(path)}` could not be put back: {error.strerror}"
    return ""


def in_order(paths: dict[str, Saved]) -> list[str]:
    """The order in which paths are put back: a folder is made before what is in it, and removed after it."""
    gone = sorted((p for p, saved in paths.items() if saved.kind == "absent"), reverse=True)
    return [*gone, *sorted(paths.keys() - set(gone))]


def shown(path: str) -> str:
    """A path as a person would write it: relative where it is below the working folder."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return path


def _put_file(target: Path, saved: Saved) -> None:
    copy = saved.copy
    assert copy is not None
    now = look(str(target))
    if now.kind == "unkept" and now.inode == saved.inode:
        try:
            _rewrite(target, copy)  # so that open handles and other names of the file see it too
            _stamp(target, saved)
            return
        except PermissionError:  # a file that may not be written can still be replaced
            pass
    elif now.kind != "unkept":
        _clear(target)
    beside = target.with_name(f".{target.name}.reflex")
    try:
        shutil.copy2(copy, beside)
        beside.replace(target)
    except PermissionError:  # the folder cannot be written, but the file can
        shutil.copy2(copy, target)
    finally:
        beside.unlink(missing_ok=True)


def _rewrite(target: Path, copy: Path) -> None:
    """Write a copy over a file; what is equal is not shortened in between, others may have it mapped."""
    with copy.open("rb") as source, target.open("r+b") as sink:
        while chunk := source.read(CHUNK):
            sink.write(chunk)
        sink.truncate()


def _clear(target: Path) -> None:
    """Remove what is at a path; a folder must be empty by now, else something unseen was put into it."""
    if target.is_dir() and not target.is_symlink():
        target.rmdir()
    else:
        target.unlink(missing_ok=True)


def _stamped(target: Path) -> tuple[int, int]:
    found = target.stat()
    return stat.S_IMODE(found.st_mode), found.st_mtime_ns


def _stamp(target: Path, saved: Saved) -> None:
    target.chmod(saved.mode)
    os.utime(target, ns=(saved.mtime, saved.mtime))


def _equal(path: str, copy: Path) -> bool:
    try:
        with Path(path).open("rb") as one, copy.open("rb") as other:
            while chunk := one.read(CHUNK):
                if chunk != other.read(CHUNK):
                    return False
            return not other.read(1)
    except OSError:
        return False
