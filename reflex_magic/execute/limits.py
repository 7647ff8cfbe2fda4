"""Limits of time and memory, and deferred interrupts. Time and interrupts rest on signals, hence on the main thread."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

AGAIN = 1.0
"""Seconds after which the limit strikes once more, for code that swallowed it; then half of that, and so on."""

SOON = 0.001
"""Seconds by which a strike is put off that met our own bookkeeping."""

SLACK = 0.005
"""A timer that is due so many seconds from where ours would be is taken for ours."""

SHARE = 0.8
"""The share of the available memory that a trial may take."""

LEAST = 256 << 20
"""Bytes that a trial may always take: less would refuse what has nothing to do with its data, as a thread's stack."""

UNLIMITED = 1 << 60
"""A control group without a limit says "max", or a number beyond every memory."""

_PACKAGE = str(Path(__file__).resolve().parents[1]) + os.sep
_FREE = contextlib.nullcontext()


class OutOfTime(BaseException):
    """The time limit. No `Exception`, so that a library's ``except Exception`` does not swallow it."""


class TimeLimit:
    """At most `seconds` of the steps' own time; None is no limit. With `memory`, that is bounded as well.

    Limits: a running C call ends before the limit can strike. Code that catches `BaseException` in a
    loop is struck again and again, ever sooner, until a strike meets it outside of its handler; code
    that leaves no such moment goes on. Outside the main thread, and where there are no interval timers
    (Windows), nothing is limited.
    """

    def __init__(self, seconds: float | None, memory: MemoryLimit | None = None) -> None:
        self.seconds = seconds
        self.memory = memory
        self._left = seconds or 0.0

    @property
    def left(self) -> float | None:
        """Seconds that may still be spent; None without a limit."""
        return None if self.seconds is None else max(self._left, SOON)

    def spend(self, seconds: float) -> None:
        """Count time that was not spent under `armed`."""
        self._left -= seconds

    def armed(self) -> contextlib.AbstractContextManager[object]:
        """Raise `OutOfTime` in the block when the time is over. An earlier timer goes on, in it and afterwards."""
        if self.seconds is None or not _signals() or not hasattr(signal, "setitimer"):
            return _FREE if self.memory is None else self.memory.armed()
        if signal.getsignal(signal.SIGALRM) is None:  # not Python's; it could not be put back
            return _FREE if self.memory is None else self.memory.armed()
        return _Armed(self)


class _Armed:
    """The time for which a limit is armed.

    The signal may come at any moment between two instructions. It strikes only where the analyst's
    code, or a library for it, is running: what we do around it (a card, a probe, a copy of a file)
    is never cut in two. That is told by the frames, so no moment is left between arming and running.
    """

    def __init__(self, limit: TimeLimit) -> None:
        self._limit = limit
        self._memory = limit.memory.armed() if limit.memory is not None else _FREE
        self._handler = self._struck  # one object, to be recognised by
        self._on = False
        self._again = AGAIN
        self._mine: tuple[bool, bool] | None = None

    def __enter__(self) -> None:
        if self._limit._left <= 0:  # no timer is as short as a step may be
            raise OutOfTime
        self._before: Any = signal.getsignal(signal.SIGALRM)
        delay, self._interval = signal.getitimer(signal.ITIMER_REAL)
        self._left, self._started = self._limit._left, time.monotonic()
        self._due = self._started + (self._limit.left or SOON)
        self._other = self._started + delay if delay else None
        self._next = self._latest = self._due
        try:
            self._on = True
            signal.signal(signal.SIGALRM, self._handler)
            self._set()
            self._memory.__enter__()
        except BaseException:
            self._disarm()
            raise

    def __exit__(self, *error: Any) -> None:
        try:
            self._memory.__exit__(*error)
        finally:
            try:
                self._disarm()
            except BaseException:  # a person's interrupt, in the middle of it
                self._disarm()
                raise

    def _disarm(self) -> None:
        """Hand the signal and the timer back, where they are still ours. Calling it twice is calling it once."""
        self._on = False
        if self._mine is None:
            # The code may have put a handler there for good, or set a timer for later.
            self._mine = signal.getsignal(signal.SIGALRM) is self._handler, self._is_set()
        self._limit._left = self._left - (time.monotonic() - self._started)
        handler, timer = self._mine
        if timer:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if handler:
            signal.signal(signal.SIGALRM, self._before)
        if timer and self._other is not None:
            signal.setitimer(signal.ITIMER_REAL, max(self._other - time.monotonic(), SOON), self._interval)

    def _set(self) -> None:
        """Let the timer go off at what is due next."""
        self._next = self._due if self._other is None or not callable(self._before) else min(self._due, self._other)
        delay = max(self._next - time.monotonic(), SOON)
        signal.setitimer(signal.ITIMER_REAL, delay)
        self._latest = time.monotonic() + delay

    def _is_set(self) -> bool:
        """Whether the timer is as we set it; the code may have set another."""
        before = time.monotonic()
        delay, interval = signal.getitimer(signal.ITIMER_REAL)
        after = time.monotonic()  # much later on a busy machine, where a timer of ours that stays would end the process
        earliest, latest = max(self._next - after, 0) - SLACK, max(self._latest - before, 0) + SLACK
        return not interval and (earliest < delay < latest or not delay)

    def _struck(self, signum: int, frame: FrameType | None) -> None:
        if not self._on:
            return
        now = time.monotonic()
        if now < self._next - SLACK:  # the code has set a timer of its own
            _, self._interval = signal.getitimer(signal.ITIMER_REAL)
            self._other = now
        if callable(self._before) and self._other is not None and now >= self._other:
            self._other = now + self._interval if self._interval else None
            self._set()
            self._before(signum, frame)
        elif now < self._due or _is_ours(frame):
            self._set()
        else:
            self._due, self._again = now + self._again, max(self._again / 2, SOON)
            self._set()
            raise OutOfTime


def _is_ours(frame: FrameType | None) -> bool:
    """Whether our own code is running, or a library for it. Code that we execute for the analyst is a module's."""
    inner = ""
    while frame is not None:
        if frame.f_code.co_filename.startswith(_PACKAGE):
            return inner != "<module>"
        inner, frame = frame.f_code.co_name, frame.f_back
    return False


def _signals() -> bool:
    return threading.current_thread() is threading.main_thread()


class MemoryLimit:
    """At most `allowance` bytes more than now, for what runs in this process; None takes a share of what is available.

    A repair that multiplies rows would otherwise take the kernel down, and every variable with it: the
    system ends the process without a word when its memory is used up. Under the bound the allocation
    fails instead, with a `MemoryError` in the trial.

    The default is four fifths of the available memory: less would refuse trials that could have run,
    as a cell that succeeds may take as much; and with all of it nothing would be left for the kernel's
    other threads, the front end, and the pages that keep the machine responsive. It is taken when the
    first step is armed, and holds for the trial as a whole.

    Limits: what is bounded is address space, of which a process has more than memory: a large file
    that is mapped, or an allocator that reserves ahead, counts although nothing is used, so on a machine
    with little memory a trial may be refused that could have run. The bound is for the whole process;
    another thread that allocates while it is reached meets it too. Only Linux enforces such a bound and
    tells the address space in use; on macOS and Windows `available` is False and nothing is limited.
    """

    def __init__(self, allowance: int | None = None) -> None:
        self.allowance = allowance
        self._ceiling: int | None = None

    @property
    def available(self) -> bool:
        """Whether memory can be bounded here."""
        return resource is not None and _address_space() is not None

    @contextlib.contextmanager
    def armed(self) -> Iterator[None]:
        """Bound the memory in the block."""
        used = _address_space()
        if resource is None or used is None:
            yield
            return
        if self._ceiling is None:
            free = available_memory() if self.allowance is None else None
            allowed = self.allowance or (None if free is None else max(int(free * SHARE), LEAST))
            self._ceiling = used + allowed if allowed is not None else resource.RLIM_INFINITY
        before, hard = resource.getrlimit(resource.RLIMIT_AS)
        bounds = [b for b in (self._ceiling, before, hard) if b != resource.RLIM_INFINITY]
        try:
            resource.setrlimit(resource.RLIMIT_AS, (min(bounds, default=resource.RLIM_INFINITY), hard))
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (before, hard))


def _address_space() -> int | None:
    """The bytes of address space in use; None where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123  this runs before every step of a trial
            return int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
    except (OSError, ValueError, IndexError):
        return None


def available_memory(root: Path = Path("/")) -> int | None:
    """The bytes that could be taken without swapping; None where neither the system nor psutil says.

    The least of what the machine has and what the control groups of this process leave. Pages of files
    that can be given up count as available. macOS and Windows say nothing in a file; there it is
    psutil's answer, if that is loaded, as it is in every kernel.

    Parameters
    ----------
    root
        Where ``proc`` and ``sys`` are.
    """
    found = [left for group in _groups(root) if (left := _left_by(group)) is not None]
    for line in _read(root / "proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            found.append(int(line.split()[1]) << 10)
            break
    else:
        psutil = sys.modules.get("psutil")
        if psutil is not None:
            found.append(int(psutil.virtual_memory().available))
    return max(min(found), 0) if found else None


@functools.cache
def _groups(root: Path) -> tuple[tuple[Path, Path, Path, str], ...]:
    """The control groups that this process is in: where the limit, the use and what can be given up stand."""
    found = []
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            top, most, used, given_up = root / "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"
        elif "memory" in controllers.split(","):
            top, given_up = root / "sys/fs/cgroup/memory", "total_inactive_file"
            most, used = "memory.limit_in_bytes", "memory.usage_in_bytes"
        else:
            continue
        # In a container the path may be the host's; what counts is then mounted at the top.
        group = top / path.lstrip("/")
        above = [p for p in (group, *group.parents) if p.is_relative_to(top)]
        found += [(p / most, p / used, p / "memory.stat", given_up) for p in above if (p / most).exists()]
    return tuple(found)


def _left_by(group: tuple[Path, Path, Path, str]) -> int | None:
    most, used, stat, given_up = group
    limit = _read(most).strip()
    if not limit.isdecimal() or int(limit) > UNLIMITED:
        return None
    now = _read(used).strip()
    if not now.isdecimal():
        return None
    cached = next((int(line.split()[1]) for line in _read(stat).splitlines() if line.startswith(f"{given_up} ")), 0)
    return int(limit) - int(now) + cached


def _read(path: Path) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:  # noqa: PTH123  half the time of `read_text`
            return file.read()
    except OSError:
        return ""


class Shield:
    """Defers an interrupt until the block has ended, so that nothing is ever left in between.

    The analyst's own code runs within `opened`, where an interrupt strikes at once, by the handler
    that was there before. The handler here is for the whole block, as a system call for each step
    would cost more than the rest of it; code that looks for the handler finds this one.

    Parameters
    ----------
    insistent
        Whether a second interrupt strikes at once, wherever it comes.
    final
        Whether an interrupt that was held is dropped at the end: what the block did stands, and
        whoever called it must come to note that.
    """

    def __init__(self, *, insistent: bool = False, final: bool = False) -> None:
        self._insistent, self._final = insistent, final
        self._handler = self._handle  # one object, to be recognised by
        self._before: Any = None
        self._holding = False
        self._open = False
        self._pending = False

    def __enter__(self) -> Shield:
        before = signal.getsignal(signal.SIGINT)
        # Where something else than Python's own handler decides, an interrupt is not ours to hold.
        if _signals() and callable(before):
            self._before, self._holding = before, True
            signal.signal(signal.SIGINT, self._handler)
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
        if not self._final:
            self.strike()

    def release(self) -> None:
        """Hold no interrupts any more; the handler is the one from before."""
        try:
            if self._before is not None and signal.getsignal(signal.SIGINT) is self._handler:
                signal.signal(signal.SIGINT, self._before)
        finally:  # an interrupt until then is still held, else the handler would stay
            self._holding = False

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Let interrupts through. One that came before the block strikes at its beginning."""
        try:
            self._open = True
            self.strike()
            yield
        finally:
            self._open = False

    def close(self) -> None:
        """Hold interrupts again, whatever was cut short."""
        self._open = False

    def strike(self) -> None:
        """Raise an interrupt that was held."""
        if self._pending:
            self._pending = False
            raise KeyboardInterrupt

    def _handle(self, signum: int, frame: FrameType | None) -> None:
        if self._open or not self._holding:  # code may have kept this handler, and put it back later
            self._before(signum, frame)
        elif self._pending and self._insistent:
            self.strike()
        else:
            self._pending = True
