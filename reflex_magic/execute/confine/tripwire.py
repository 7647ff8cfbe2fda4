"""What foreign code attempted that it must not do: an audit hook that refuses, and tells.

The kernel is the boundary; code that knows CPython can get around a hook. The hook is there
because a refusal by it can be named, and because what a trial attempted is what a person wants
to know before accepting.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflex_magic.execute.confine.folder import NULL, interpreter, shown

Hook = Callable[[str, tuple[Any, ...]], None]

EVENTS = 200
"""At most so many refusals are told of."""

ACTS = (
    ("subprocess.", "run a program"), ("os.system", "run a program"), ("os.exec", "run a program"),
    ("os.posix_spawn", "run a program"), ("os.spawn", "run a program"), ("os.fork", "start a process"),
    ("pty.", "start a process"), ("socket.connect", "connect"), ("socket.bind", "listen on the network"),
    ("socket.sendto", "send to the network"), ("socket.sendmsg", "send to the network"),
    ("socket.getaddrinfo", "look up a host"), ("socket.gethostby", "look up a host"),
    ("socket.getnameinfo", "look up a host"), ("webbrowser.", "open a browser"),
    ("os.kill", "signal a process"), ("signal.pthread_kill", "signal a process"),
    ("ctypes.dlopen", "load a C library"), ("ctypes.dlsym", "call a C function"),
    ("ctypes.call_function", "call a C function"), ("ctypes.cdata", "write to memory by address"),
    ("ctypes.string_at", "read memory by address"), ("gc.get_objects", "look through all objects"),
    ("gc.get_referrers", "look through all objects"), ("sys.addaudithook", "hook into the interpreter"),
    ("sqlite3.enable_load_extension", "load a C library"), ("sqlite3.load_extension", "load a C library"),
)  # fmt: skip
"""Beginnings of audit events, and what the person is told."""

CHANGES = {
    "os.remove": "delete", "os.rmdir": "delete", "shutil.rmtree": "delete", "os.rename": "rename",
    "shutil.move": "move", "os.mkdir": "create", "os.truncate": "truncate", "os.link": "link", "os.symlink": "link",
    "os.chmod": "change the mode of", "os.chown": "change the owner of", "os.utime": "change the times of",
    "os.setxattr": "change the attributes of", "os.removexattr": "change the attributes of",
}  # fmt: skip
"""Events whose arguments are paths that are changed, and what is done to them."""

LISTS = ("os.listdir", "os.scandir")

UNPICKLED = {"os", "posix", "subprocess", "sys", "importlib", "runpy", "ctypes", "shutil", "socket", "pty"}
EVALUATED = {"eval", "exec", "compile", "__import__", "open", "getattr"}


OF_LIBRARIES = ("ctypes.", "gc.")
"""Acts that are only told of where the code itself does them: scikit-learn loads OpenMP this way."""


class Denied(PermissionError):
    """Foreign code attempted something that it must not do."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where what is allowed: below `writable` everything; below `readable` and `listable` as they say.

    `folder` is the analyst's working folder. Relative paths that lead out of the child's copy of
    it are judged and named as they would be there.
    """

    writable: Collection[Path]
    readable: Collection[Path]
    listable: Collection[Path]
    folder: Path


def tripwire(places: Places, tell: Callable[[str], None]) -> Hook:
    """A hook that refuses what leads out of the child.

    `tell` is called with each refusal in words. The hook keeps its state to itself: there is no
    module attribute that would switch it off.
    """
    writable = (*(str(path.resolve()) for path in places.writable), str(NULL))
    readable = (*writable, *(str(path.resolve()) for path in places.readable))
    listable = (*readable, *(str(path.resolve()) for path in places.listable))
    home = str(places.folder.resolve())
    realpath, exists, separator = os.path.realpath, os.path.exists, os.sep
    libraries = tuple(f"{place}{os.sep}" for place in interpreter())
    ctypes_home = f"{Path(ctypes.__file__).parent}{os.sep}"
    acts, of_libraries = ACTS, OF_LIBRARIES
    busy: list[bool] = []
    told: set[str] = set()

    def within(path: str, places: tuple[str, ...]) -> bool:
        return any(path == place or path.startswith(place + separator) for place in places)

    def target(path: Any) -> str | None:
        """The file a path leads to; None for what is no path."""
        if isinstance(path, bytes):
            path = path.decode(errors="surrogateescape")
        if not isinstance(path, str) or "\0" in path:
            return None
        busy.append(True)  # resolving a path raises audit events of its own
        try:
            place = realpath(path)
            led_out = not path.startswith(separator) and not within(place, writable)
            return realpath(home + separator + path) if led_out else place
        except OSError:
            return None
        finally:
            busy.pop()

    def name(path: str) -> str:
        return shown(path[len(home) + 1 :] if path.startswith(home + separator) else path)

    def opened(path: Any, mode: Any, flags: Any) -> str:
        place = target(path)
        if place is None:
            return ""
        writing = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        if writing or (isinstance(mode, str) and not {"w", "a", "x", "+"}.isdisjoint(mode)):
            return "" if within(place, writable) else f"open {name(place)} for writing"
        if within(place, readable) or not exists(place):
            return ""  # a missing file is missed as it would be outside
        return f"open {name(place)} for reading"

    def changed(verb: str, arguments: tuple[Any, ...]) -> str:
        changed = [place for place in map(target, arguments[:2]) if place is not None]
        outside = [name(place) for place in changed if not within(place, writable)]
        return f"{verb} {' to '.join(outside)}" if outside else ""

    def listed(path: Any) -> str:
        place = target(path)
        if place is None or within(place, listable) or not exists(place):
            return ""
        return f"list {name(place)}"

    def unpickled(module: Any, attribute: Any) -> str:
        module, attribute = str(module), str(attribute)
        harmful = module.split(".")[0] in UNPICKLED or (module == "builtins" and attribute in EVALUATED)
        return f"unpickle {shown(f'{module}.{attribute}')}" if harmful else ""

    def of_library() -> bool:
        """Whether the nearest code that is not ctypes, gc or this hook is a library's."""
        frame = sys._getframe(3)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(ctypes_home):
            frame = frame.f_back
        return frame.f_code.co_filename.startswith(libraries)

    def attempted(event: str, arguments: tuple[Any, ...]) -> str:
        if event == "open":
            return opened(*arguments)
        if event in CHANGES:
            return changed(CHANGES[event], arguments)
        if event in LISTS:
            return listed(arguments[0] if arguments and arguments[0] is not None else ".")
        if event == "pickle.find_class":
            return unpickled(*arguments)
        if event.startswith(of_libraries) and of_library():
            return ""
        return next((words for beginning, words in acts if event.startswith(beginning)), "")

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if busy:
            return
        words = attempted(event, arguments)
        if not words:
            return
        if words not in told and len(told) < EVENTS:
            told.add(words)
            tell(words)
        raise Denied(f"not allowed in a trial: {words}")

    return hook
