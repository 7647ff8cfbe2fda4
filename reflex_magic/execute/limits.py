"""Time limits and deferred interrupts. Both rest on signals, hence on the main thread."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType

AGAIN = 1.0
"""Seconds after which the limit strikes once more, for code that swallowed it."""


class OutOfTime(BaseException):
    """The time limit. No `Exception`, so that a library's ``except Exception`` does not swallow it."""


class TimeLimit:
    """At most `seconds` of the steps' own time; None is no limit.

    A running C call ends before the limit can strike. Outside the main thread, and where there are
    no interval timers, nothing is limited.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._left = seconds or 0.0

    @property
    def left(self) -> float | None:
        """Seconds that may still be spent; None without a limit."""
        return None if self.seconds is None else max(self._left, 0.001)

    def spend(self, seconds: float) -> None:
        """Count time that was not spent under `armed`."""
        self._left -= seconds

    @contextlib.contextmanager
    def armed(self) -> Iterator[None]:
        """Raise `OutOfTime` in the block when the time is over. An earlier timer goes on afterwards."""
        if self.seconds is None or not _signals() or not hasattr(signal, "setitimer"):
            yield
            return
        started = time.monotonic()
        before = signal.signal(signal.SIGALRM, _strike)
        delay, interval = signal.setitimer(signal.ITIMER_REAL, self.left or AGAIN, AGAIN)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            spent = time.monotonic() - started
            self._left -= spent
            if signal.getsignal(signal.SIGALRM) is _strike:
                signal.signal(signal.SIGALRM, before)
                if delay:
                    signal.setitimer(signal.ITIMER_REAL, max(delay - spent, 0.001), interval)


def _strike(signum: int, frame: FrameType | None) -> None:
    raise OutOfTime


def _signals() -> bool:
    return threading.current_thread() is threading.main_thread()


class Shield:
    """Defers an interrupt until the block has ended, so that the namespace is never left in between.

    The analyst's own code runs within `opened`, where an interrupt strikes at once.
    """

    def __init__(self) -> None:
        self._open = False
        self._pending = False
        self._installed = False

    def __enter__(self) -> Shield:
        self._before = signal.getsignal(signal.SIGINT)
        # Where something else than Python's own handler decides, an interrupt is not ours to hold.
        if _signals() and callable(self._before):
            signal.signal(signal.SIGINT, self._handle)
            self._installed = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._installed and signal.getsignal(signal.SIGINT) == self._handle:
            signal.signal(signal.SIGINT, self._before)
        if self._pending:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Let interrupts through. One that came before the block strikes at its beginning."""
        try:
            self._open = True
            if self._pending:
                self._pending = False
                raise KeyboardInterrupt
            yield
        finally:
            self._open = False

    def close(self) -> None:
        """Hold interrupts again, whatever was cut short."""
        self._open = False

    def _handle(self, signum: int, frame: FrameType | None) -> None:
        if self._open and callable(self._before):
            self._before(signum, frame)
        else:
            self._pending = True
