"""What happens in the child between the fork and its end. Nothing in here returns.

The order matters: first what was inherited is made harmless, then the kernel's own barriers go
up, each of which would forbid the steps before it, and last the tripwire.
"""

from __future__ import annotations

import gc
import io
import json
import os
import signal
import struct
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from reflex_magic.execute.confine import folder, landlock, linux, scrub, seccomp, transport, tripwire
from reflex_magic.execute.confine.answer import Work

RECORD = struct.Struct("<cQ")
"""A record on the result pipe: its kind, its length in bytes, then the bytes."""

DENIED, RESULT, FAILED, UNREADY = b"D", b"R", b"F", b"U"
"""Kinds: a refused act, the values, `work` raised (its class), the child could not be confined."""

FORGOTTEN: dict[str, Callable[[], object]] = {
    **dict.fromkeys(("In", "_ih"), lambda: [""]),
    **dict.fromkeys(("Out", "_oh"), dict),
    **dict.fromkeys(("_i", "_ii", "_iii", "_", "__", "___"), str),
}
"""What IPython remembers of earlier cells; passwords are typed into cells."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a child is confined.

    `parent` is the process that forks. `results` and `output` are the writing ends of two pipes.
    `layers` are the barriers that go up: landlock, seccomp, tripwire. `copy` is the private copy
    of the working folder `folder`, `home` is for temporary files; nothing else can be written.
    """

    parent: int
    results: int
    output: int
    folder: Path
    copy: Path
    home: Path
    layers: frozenset[str]
    seconds: float
    memory: int


def live(plan: Plan, work: Work) -> NoReturn:
    """Confine this freshly forked process, do the work, write the results, and end."""
    try:
        _report(plan.results, *_outcome(plan, work))
    except BaseException:  # noqa: BLE001 - the parent sees that no result has come
        os._exit(1)
    finally:
        os._exit(0)


def _outcome(plan: Plan, work: Work) -> tuple[bytes, list[bytes | memoryview]]:
    try:
        confine(plan)
    except BaseException as error:  # noqa: BLE001 - anything less than full confinement is none
        return UNREADY, [type(error).__name__.encode()]
    try:
        answer = work()
        return RESULT, transport.pack(dict(answer["values"]), answer["plain"])  # type: ignore[call-overload]
    except BaseException as error:  # noqa: BLE001 - foreign code raises what it likes
        return FAILED, [type(error).__name__.encode()]


def _report(results: int, kind: bytes, parts: list[bytes | memoryview]) -> None:
    _write(results, RECORD.pack(kind, sum(len(part) for part in parts)))
    for part in parts:
        _write(results, part)


def _write(results: int, data: bytes | memoryview) -> None:
    rest = memoryview(data).cast("B")
    while rest:
        rest = rest[os.write(results, rest) :]


def confine(plan: Plan) -> None:
    """Put every barrier of the plan up around this process.

    Raises
    ------
    OSError
        A barrier cannot be put up; the process must not go on.
    """
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != plan.parent:
        os._exit(1)  # it ended before the line above
    gc.freeze()  # objects of the analyst's are not torn down here
    _silence(plan.output)
    scrub.descriptors({0, 1, 2, plan.results})
    scrub.shared_memory()
    scrub.environment(_environment(plan.home))
    tempfile.tempdir = str(plan.home)
    sys.dont_write_bytecode = True
    os.utime = _keep_times
    _forget()
    places = _places(plan)
    hook = tripwire.tripwire(places, _teller(plan.results))
    os.chdir(plan.copy)
    scrub.limits(plan.memory, plan.seconds)
    linux.drop_capabilities()
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    if "landlock" in plan.layers:
        landlock.restrict(places.readable, places.writable, places.listable, folder.NULL)
    if "seccomp" in plan.layers:
        seccomp.install(read_only="landlock" not in plan.layers)
    if "tripwire" in plan.layers:
        sys.addaudithook(hook)


def _silence(output: int) -> None:
    """Nothing is read; what is printed goes to the pipe, where it is counted."""
    null = os.open(os.devnull, os.O_RDONLY)
    for number, source in ((0, null), (1, output), (2, output)):
        os.dup2(source, number)
    old = (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    quiet = io.TextIOWrapper(open(1, "wb", 0, closefd=False), "utf-8", "replace", write_through=True)  # noqa: SIM115
    sys.stdout = sys.stderr = quiet
    sys.displayhook = _no_display
    # Loggers and widgets hold the old streams, whose other end is a thread that was not forked.
    for stream in old:
        if stream is not None and not isinstance(stream, io.TextIOWrapper):
            stream.write, stream.flush = quiet.write, quiet.flush  # type: ignore[method-assign]


def _no_display(value: object) -> None:
    """What a cell's last expression shows is for the executor to keep, not for this room."""


def _environment(home: Path) -> dict[str, str]:
    homes = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "MPLCONFIGDIR"), str(home))
    return {**homes, "MPLBACKEND": "agg"}


def _forget() -> None:
    """Detach IPython: no message to a front end, no history, no earlier cells."""
    module: Any = sys.modules.get("IPython.core.interactiveshell")
    if module is None or not module.InteractiveShell.initialized():
        return
    shell = module.InteractiveShell.instance()
    from IPython.core.displaypub import CapturingDisplayPublisher

    shell.display_pub = CapturingDisplayPublisher(parent=shell)
    session = getattr(getattr(shell, "kernel", None), "session", None)
    if session is not None:
        session.send = _unsent
    shell.user_ns |= {name: empty() for name, empty in FORGOTTEN.items()}
    history = shell.history_manager
    if history is not None:
        history.enabled = False
        history.input_hist_parsed[:] = history.input_hist_raw[:] = [""]
        history.output_hist.clear()


def _unsent(*_: object, **__: object) -> None:
    """In the place of `Session.send`."""


def _keep_times(path: Any, *_: object, **__: object) -> None:
    """In the place of `os.utime`, which the kernel refuses here: `shutil.copy2` must not fail over a date."""
    Path(path).stat()


def _places(plan: Plan) -> tripwire.Places:
    listable = (plan.folder, *folder.import_path(plan.folder))
    readable = [path for place in listable for path in folder.readable(place)]
    return tripwire.Places((plan.copy, plan.home), (*folder.interpreter(), *readable), listable, plan.folder)


def _teller(results: int) -> Callable[[str], None]:
    """Tells the parent at once: what has been told cannot be taken back by the code that did it."""

    def tell(words: str) -> None:
        data = json.dumps(words).encode()
        _write(results, RECORD.pack(DENIED, len(data)) + data)

    return tell
