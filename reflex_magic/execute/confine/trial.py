"""The parent's side of a confined child: fork, watch, end, and read what came back."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import select
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from reflex_magic.execute.confine import child, folder, transport
from reflex_magic.execute.confine.answer import Confined, NotConfined, Work

POLL_SECONDS = 0.05
THREADS = 128
SCRATCH_BYTES = 512 << 20
OUTPUT_BYTES = 16 << 20
RESULT_BYTES = 512 << 20

SCRATCH_LOOKS = 4
"""The scratch folder is measured at every fourth look: this takes longest."""

CHUNK = 1 << 20

TOLD = 1000
"""So many refusals are more than a child of ours tells of."""


def run(work: Work, where: Path, layers: frozenset[str], seconds: float, memory: int) -> Confined:
    """Fork, do `work` behind `layers`, and bring back what it made.

    Raises
    ------
    NotConfined
        A layer cannot be put up here.
    KeyboardInterrupt
        A person interrupted; the child is gone.
    """
    started = time.monotonic()
    scratch = Path(tempfile.mkdtemp(prefix="reflex-"))
    try:
        place = folder.WorkFolder(where, scratch / "work")
        place.fill()
        (scratch / "home").mkdir()
        with _interrupts_deferred() as interrupted, _Child(work, where, place, layers, seconds, memory) as forked:
            killed = forked.watch(interrupted)
        files = place.changes()
    finally:
        folder.remove(scratch)
    values, opaque, plain, denied, killed = _read(forked.received, killed)
    return Confined(values, opaque, plain, denied, killed, files, time.monotonic() - started)


@contextlib.contextmanager
def _interrupts_deferred() -> Iterator[list[int]]:
    """Ctrl-C is noted in the list this gives, and acted upon when the block has ended.

    An exception raised in the middle of clearing up would leave a process behind.
    """
    noted: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield noted
        return
    frames: list[FrameType | None] = []

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        frames.append(frame)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
        if noted and callable(before):
            before(noted[0], frames[0])
        elif noted and before is not signal.SIG_IGN:
            raise KeyboardInterrupt


class _Child:
    """A forked child, from its fork to its end: on leaving the block it is gone, whatever happened."""

    def __init__(
        self,
        work: Work,
        where: Path,
        place: folder.WorkFolder,
        layers: frozenset[str],
        seconds: float,
        memory: int,
    ) -> None:
        self.received = bytearray()
        self.parsed = 0
        self.printed = 0
        self.looks = 0
        self.memory = memory
        self.scratch = place.path.parent
        self.deadline = time.monotonic() + seconds
        with contextlib.suppress(Exception):  # a closed stream has nothing to flush
            sys.stdout.flush()
            sys.stderr.flush()
        self.results, results = os.pipe()
        self.output, output = os.pipe()
        plan = child.Plan(
            os.getpid(), results, output, where, place.path, self.scratch / "home", layers, seconds, memory
        )
        with warnings.catch_warnings():
            # Python 3.12 warns of forks while threads run. The child uses none of what they hold:
            # it ends with os._exit, and one that hangs is ended like any other.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if self.pid == 0:
            child.live(plan, work)
        os.close(results)
        os.close(output)

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, *_: object) -> None:
        for kill in (os.killpg, os.kill):  # the group does not exist before the child has made it
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):  # a handler of the analyst's has reaped it
            os.waitpid(self.pid, 0)
        os.close(self.results)
        os.close(self.output)

    def watch(self, interrupted: list[int]) -> str:
        """Read until the child is done or must be ended; why it must, or "" when it is done."""
        streams = [self.results, self.output]
        ready = select.poll()  # `select.select` refuses descriptors from 1024 on, and a kernel may have more
        for stream in streams:
            ready.register(stream, select.POLLIN)
        next_look = 0.0
        while self.results in streams and not self._complete() and not interrupted:
            for stream, _ in ready.poll(1000 * POLL_SECONDS):
                data = os.read(stream, CHUNK)
                if not data:
                    streams.remove(stream)
                    ready.unregister(stream)
                elif stream == self.results:
                    self.received += data
                else:
                    self.printed += len(data)
            now = time.monotonic()
            if now < next_look:
                continue
            next_look = now + POLL_SECONDS
            reason = self._excess(now)
            if reason:
                return reason
        return ""

    def _complete(self) -> bool:
        """Whether the last record, which is the result, has come in full."""
        while len(self.received) - self.parsed >= child.RECORD.size:
            kind, length = child.RECORD.unpack_from(self.received, self.parsed)
            end = self.parsed + child.RECORD.size + length
            if kind != child.DENIED or end > len(self.received):
                return bool(kind != child.DENIED and end <= len(self.received))
            self.parsed = end
        return False

    def _excess(self, now: float) -> str:
        if now > self.deadline:
            return "time"
        if self.printed > OUTPUT_BYTES:
            return "output"
        if len(self.received) > RESULT_BYTES:
            return "result"
        threads = _field(f"/proc/{self.pid}/status", "Threads")
        if threads > THREADS:
            return "threads"
        if _field(f"/proc/{self.pid}/smaps_rollup", "Private_Dirty") << 10 > self.memory:
            return "memory"
        self.looks += 1
        if self.looks % SCRATCH_LOOKS:
            return ""
        return "scratch" if folder.size(self.scratch) > SCRATCH_BYTES else ""


def _field(path: str, name: str) -> int:
    """A number of a status file; 0 when the process has ended."""
    try:
        text = Path(path).read_text(errors="replace")
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ESRCH, errno.EACCES):
            raise
        return 0
    found = re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE)
    return int(found[1]) if found else 0


_Read = tuple[dict[str, object], dict[str, str], object, tuple[str, ...], str]


def _read(received: bytearray, killed: str) -> _Read:
    """What the records say. `received` was written by foreign code: anything may be in it."""
    denied: list[str] = []
    values: dict[str, object] = {}
    opaque: dict[str, str] = {}
    plain: object = None
    ended = killed or "crash"
    stream, at = memoryview(received), 0
    while at + child.RECORD.size <= len(stream):
        kind, length = child.RECORD.unpack_from(stream, at)
        at += child.RECORD.size
        payload = stream[at : at + length]
        if len(payload) < length:
            break
        at += length
        if kind == child.DENIED:
            denied.append(_words(payload))
            if len(denied) > TOLD:
                break
        elif kind == child.UNREADY:
            raise NotConfined(_identifier(payload))
        elif kind == child.FAILED:
            ended = killed or f"raised {_identifier(payload)}"
            break
        elif kind == child.RESULT and not killed:
            try:
                values, opaque, plain = transport.unpack(payload)
                ended = ""
            except transport.Corrupted:
                ended = "result"
            break
        else:
            ended = killed or "result"
            break
    return values, opaque, plain, tuple(denied), ended


def _words(payload: memoryview) -> str:
    try:
        words = json.loads(bytes(payload[:4096]))
    except ValueError:
        words = None
    return folder.shown(words) if isinstance(words, str) else "something that it did not tell"


def _identifier(payload: memoryview) -> str:
    name = bytes(payload[:100]).decode(errors="replace")
    return name if name.isidentifier() else "an error"
