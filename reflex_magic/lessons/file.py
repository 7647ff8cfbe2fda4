"""The lessons file: append-only lines of JSON, safe among many kernels, readable in a diff."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import platformdirs
from filelock import FileLock, Timeout

from reflex_magic.lessons.lesson import SCHEMA

NAME = "lessons.jsonl"
FOLDER = ".reflex"
KINDS = ("lesson", "outcome", "retirement")
LINE_LIMIT = 1 << 16
"""Longest line, in bytes; a longer one is not ours."""

_LOCK_SECONDS = 5


def home() -> Path:
    """The user's data folder."""
    return Path(platformdirs.user_data_dir("reflex-magic", appauthor=False))


def find(start: Path | None = None) -> Path:
    """The lessons file that counts for a working folder; it need not exist.

    ``REFLEX_LESSONS`` first; then the nearest folder upwards that has a ``.reflex`` folder or
    is the root of a project; else the user's data folder.
    """
    named = os.environ.get("REFLEX_LESSONS")
    if named:
        path = Path(named).expanduser()
        return path / NAME if path.is_dir() else path
    try:
        here = (start or Path.cwd()).resolve()
    except OSError:  # the working folder was deleted
        return home() / NAME
    for folder in (here, *here.parents):
        if any((folder / mark).exists() for mark in (FOLDER, ".git", "pyproject.toml")):
            return folder / FOLDER / NAME
    return home() / NAME


class LessonsFile:
    """Reads and appends lines. What goes wrong is a line in `notes`, never an exception."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[str] = []
        self._reported: set[bytes] = set()

    @property
    def shown(self) -> str:
        """The file's name for messages."""
        return f"{self.path.parent.name}/{self.path.name}"

    def note(self, text: str) -> None:
        """Say `text` once."""
        if text not in self.notes:
            self.notes.append(text)

    def stamp(self) -> tuple[int, int, int] | None:
        """Changes whenever the file does; None when there is no file."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def read(self) -> list[dict[str, Any]]:
        """Every readable line, in order. Lines that are not are reported once and left alone."""
        try:
            raw = self.path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            self.note(f"lessons cannot be read from {self.shown}: {error.strerror}")
            return []
        *lines, last = raw.split(b"\n")
        good: list[dict[str, Any]] = []
        broken: list[int] = []
        newer: list[int] = []
        for number, line in enumerate((*lines, last), 1):
            if not line.strip():
                continue
            data = _parse(line)
            if data is not None and data["schema"] <= SCHEMA and data["kind"] in KINDS:
                good.append(data)
            elif number > len(lines):  # unfinished: another kernel may be writing it now
                continue
            elif line not in self._reported:
                self._reported.add(line)
                (newer if data is not None else broken).append(number)
        if broken:
            self.note(f"{self.shown}: {_places(broken)} cannot be read and {_were(broken)} skipped")
        if newer:
            self.note(
                f"{self.shown}: {_places(newer)} {_were(newer)} written by a newer version and {_were(newer)} skipped; "
                "upgrade reflex-magic to use them"
            )
        return good

    def append(self, lines: Iterable[Mapping[str, Any]]) -> bool:
        """Add lines, all or none; True when they are safely on the disk."""
        texts = [json.dumps(line, ensure_ascii=False, separators=(", ", ": ")) + "\n" for line in lines]
        try:
            self._make_folder()
            with FileLock(f"{self.path}.lock", timeout=_LOCK_SECONDS):
                self._write("".join(texts).encode())
        except Timeout:
            self.note(f"nothing was learned: {self.shown} stayed locked for {_LOCK_SECONDS} s")
            return False
        except (OSError, UnicodeEncodeError) as error:
            reason = getattr(error, "strerror", None) or "the text cannot be encoded"
            self.note(f"nothing was learned: {self.shown} cannot be written ({reason})")
            return False
        return True

    def _write(self, data: bytes) -> None:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        handle = os.open(self.path, flags, 0o644)
        try:
            size = os.fstat(handle).st_size
            if size:
                # A writer that was killed left half a line: end it, so that only it is lost.
                os.lseek(handle, size - 1, os.SEEK_SET)
                if os.read(handle, 1) != b"\n":
                    data = b"\n" + data
            try:
                if os.write(handle, data) < len(data):
                    raise OSError(28, "no space left on the disk")
                os.fsync(handle)
            except OSError:
                os.ftruncate(handle, size)
                raise
        finally:
            os.close(handle)
        if not size:
            _sync_folder(self.path.parent)

    def _make_folder(self) -> None:
        folder = self.path.parent
        if folder.is_dir():
            return
        folder.mkdir(parents=True, exist_ok=True)
        if folder.name == FOLDER:
            # The folder is made to be committed: two branches' lessons merge by keeping both.
            (folder / ".gitattributes").write_text("*.jsonl merge=union\n", encoding="utf-8")
            (folder / ".gitignore").write_text("*.lock\n", encoding="utf-8")


def user_key(folder: Path) -> bytes:
    """The key of this user, made at the first call.

    Raises
    ------
    OSError
        It can be neither read nor made.
    """
    path = folder / "lessons.key"
    try:
        return _key(path)
    except FileNotFoundError:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = folder / f".lessons.key.{secrets.token_hex(8)}"
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_hex(32).encode())
            file.flush()
            os.fsync(file.fileno())
        try:
            # A link, since it fails where another process was first; a rename would replace its key.
            path.hardlink_to(new)
        except FileExistsError:
            pass
    finally:
        new.unlink()
    return _key(path)


def _key(path: Path) -> bytes:
    key = path.read_bytes()
    if len(key) < 32:
        raise OSError(22, "the key file is damaged")
    return key


def _parse(line: bytes) -> dict[str, Any] | None:
    """The line's data, or None when it is not a line of ours."""
    if len(line) > LINE_LIMIT:
        return None
    try:
        data = json.loads(line.decode())
    except (ValueError, RecursionError):
        return None
    ours = isinstance(data, dict) and isinstance(data.get("schema"), int) and isinstance(data.get("kind"), str)
    return data if ours else None


def _places(numbers: list[int]) -> str:
    return f"line {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} lines (the first is line {numbers[0]})"


def _were(numbers: list[int]) -> str:
    return "was" if len(numbers) == 1 else "were"


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":  # other systems cannot open a folder
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
