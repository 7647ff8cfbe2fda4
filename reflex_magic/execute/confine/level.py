"""How well foreign code can be confined here, found out by trying what must not succeed."""

from __future__ import annotations

import functools
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from reflex_magic.execute.confine.answer import NotConfined

DISABLE = "REFLEX_DISABLE_CONFINE"
"""Environment variable of the tests: layers, separated by commas, to do without."""

FORK_UNSAFE = ("polars",)
"""Libraries whose threads do not survive a fork."""

SECONDS, MEMORY = 20.0, 1 << 30

FULL, READ_ONLY, TRIPWIRE, NONE = "S3", "S2", "S1", "S0"


def level() -> str:
    """The level of this process, now.

    S3: Landlock and seccomp. S2: seccomp alone, nothing can be written. S1: only fork and
    tripwire. S0: no fork. Probed once in a process; libraries that forbid a fork count from
    when they are loaded.
    """
    if sys.platform != "linux" or _fork_is_unsafe():
        return NONE
    return _probed(frozenset(filter(None, os.environ.get(DISABLE, "").split(","))))


def layers(at: str) -> frozenset[str]:
    """The barriers that make up a level."""
    return frozenset({FULL: ("landlock", "seccomp"), READ_ONLY: ("seccomp",)}.get(at, ())) | {"tripwire"}


def _fork_is_unsafe() -> bool:
    if any(name in sys.modules for name in FORK_UNSAFE):
        return True
    # CUDA cannot be used after a fork, and not be left out of one: its memory is mapped.
    return any(part in Path("/proc/self/maps").read_text(errors="replace") for part in ("libcuda.so", "/dev/nvidia"))


@functools.cache
def _probed(disabled: frozenset[str]) -> str:
    for candidate in (FULL, READ_ONLY):
        barriers = layers(candidate) - {"tripwire"}
        if not barriers & disabled and _withstands(barriers, reads=candidate == FULL):
            return candidate
    return TRIPWIRE


def _withstands(barriers: frozenset[str], *, reads: bool) -> bool:
    """Whether every forbidden act fails in a child behind these barriers.

    The acts are done for the kernel to refuse, without the tripwire. An act that succeeds does
    no harm: the file is ours, the program is not there, the signal is none.
    """
    from reflex_magic.execute.confine import trial  # of Linux only

    with tempfile.TemporaryDirectory(prefix="reflex-probe-") as name:
        # Hidden, as a folder above may be visible: the one of the script that is running.
        outside = Path(name) / ".outside"
        outside.write_text("as it was")
        inside = Path(name) / "inside"
        inside.mkdir()
        acts: dict[str, Callable[[], object]] = {
            "write": lambda: outside.write_text("changed"),
            "create": (outside.parent / "new").touch,
            "delete": outside.unlink,
            "connect": _connect,
            "execute": lambda: os.execv(sys.executable, [sys.executable, "-c", ""]),  # noqa: S606
            "fork": _fork,
            "signal": functools.partial(os.kill, os.getpid(), 0),
        }
        if reads:
            acts["read"] = outside.read_text
        try:
            found = trial.run(lambda: _attempt(acts), inside, barriers, SECONDS, MEMORY)
        except (NotConfined, OSError):
            return False
        return found.plain == dict.fromkeys(acts, True) and outside.read_text() == "as it was"


def _attempt(acts: Mapping[str, Callable[[], object]]) -> dict[str, object]:
    refused: dict[str, bool] = {}
    for name, act in acts.items():
        try:
            act()
            refused[name] = False
        except PermissionError:
            refused[name] = True
    return {"values": {}, "plain": refused}


def _connect() -> None:
    with socket.socket() as client:
        client.settimeout(1)
        client.connect(("127.0.0.1", 9))


def _fork() -> None:
    if os.fork() == 0:
        os.kill(os.getpid(), signal.SIGKILL)
