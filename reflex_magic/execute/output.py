"""What a cell shows: recorded while it is shown, held back during trials, taken back, shown again."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reflex_magic.core.outcome import Output

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

CHUNK = 1 << 16
"""Text of one stream is joined into outputs of about so many characters."""


class Recorder:
    """Everything that was shown, in order.

    Parameters
    ----------
    live
        Whether it is shown as well (the analyst's own run) or only recorded (a trial).
    """

    def __init__(self, shell: InteractiveShell | None, *, live: bool) -> None:
        self.shell = shell
        self.live = live
        self.closed = False
        self._shown: list[tuple[str, Any, Any]] = []
        self._stand_ins: list[tuple[str, Any, Any]] = []

    def add(self, kind: str, data: Any, metadata: Any = None) -> None:
        """Note one output; text of a stream goes on where it left off."""
        if self.closed:
            return
        if kind in ("stdout", "stderr") and self._shown and self._shown[-1][0] == kind:
            parts = self._shown[-1][1]
            if len(parts) < CHUNK:
                parts.append(data)
                return
        self._shown.append((kind, [data] if kind in ("stdout", "stderr") else data, metadata or {}))

    @property
    def outputs(self) -> tuple[Output, ...]:
        """What was shown so far."""
        return tuple(
            Output(k, {"text/plain": "".join(d)} if k in ("stdout", "stderr") else d, m) for k, d, m in self._shown
        )

    def mark(self) -> tuple[int, int]:
        """A place in the record, for `digest`."""
        last = self._shown[-1][1] if self._shown and isinstance(self._shown[-1][1], list) else []
        return len(self._shown), len(last)

    def digest(self, since: tuple[int, int]) -> str:
        """A hash of what was shown since `mark`; empty when that is nothing."""
        if self.mark() == since:
            return ""
        count, parts = since
        text = hashlib.sha256()
        for i, (kind, data, _) in enumerate(self._shown[max(count - 1, 0) :], max(count - 1, 0)):
            if isinstance(data, list):
                text.update(f"{kind}:{''.join(data[parts:] if i == count - 1 else data)}".encode(errors="replace"))
            elif i >= count:
                text.update(f"{kind}:{json.dumps(data, sort_keys=True, default=repr)}".encode(errors="replace"))
        return text.hexdigest()[:16]

    @contextlib.contextmanager
    def recording(self) -> Iterator[Recorder]:
        """Record within the block; streams and displays are as they were afterwards."""
        streams = {name: getattr(sys, name) for name in ("stdout", "stderr")}
        if streams["stdout"] is streams["stderr"]:
            del streams["stderr"]
        with contextlib.ExitStack() as stack:
            for name, stream in streams.items():
                held = None if self.live else Held(stream, name, self)
                stack.enter_context(self._patched(stream, name) if held is None else self._replaced(name, held))
            stack.enter_context(self._displays())
            if not self.live:
                stack.enter_context(self._replaced("displayhook", self.result))
            try:
                yield self
            finally:
                self.closed = True

    @contextlib.contextmanager
    def _patched(self, stream: Any, name: str) -> Iterator[None]:
        """Record what the analyst's own run writes: to the very stream, as code may keep it or ask what it is."""
        own = getattr(stream, "__dict__", None)
        if own is None:  # no stream at all, in a process without a terminal, or one that takes no attribute
            yield
            return
        before, write = own.get("write"), stream.write

        @functools.wraps(write)
        def written(text: str, *args: Any, **kwargs: Any) -> Any:
            count = write(text, *args, **kwargs)
            self.add(name, text)
            return count

        stream.write = written
        try:
            yield
        finally:
            if own.get("write") is written:  # else the code has put another there, for good
                if before is None:
                    del stream.write
                else:
                    stream.write = before

    @contextlib.contextmanager
    def _replaced(self, name: str, ours: Any) -> Iterator[None]:
        """Have something of ours in the place of a stream or hook of `sys`."""
        stand_in = name, ours, getattr(sys, name)
        setattr(sys, name, ours)
        self._stand_ins.append(stand_in)
        try:
            yield
        finally:
            self._stand_ins.pop()
            if getattr(sys, name) is ours:  # else the code has put one of its own there, for good
                setattr(sys, name, stand_in[2])

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """Within the block nothing of ours is in `sys`: a checkpoint would keep it, and bring it back for good."""
        taken = [(name, ours, own) for name, ours, own in self._stand_ins if getattr(sys, name) is ours]
        for name, _, own in taken:
            setattr(sys, name, own)
        try:
            yield
        finally:
            for name, ours, _ in taken:
                setattr(sys, name, ours)

    @contextlib.contextmanager
    def _displays(self) -> Iterator[None]:
        publisher = self.shell.display_pub if self.shell is not None else None
        if publisher is None:
            yield
            return
        publish, clear = publisher.publish, publisher.clear_output

        def published(data: Any, metadata: Any = None, *args: Any, **kwargs: Any) -> Any:
            kind = "update" if kwargs.get("update") else "display"
            extra = {"transient": kwargs["transient"]} if kwargs.get("transient") else {}
            self.add(kind, dict(data), {**(metadata or {}), **extra})
            if self.live:
                return self._apart(publish, data, metadata, *args, **kwargs)
            return None

        def cleared(*args: Any, **kwargs: Any) -> Any:
            self.add("clear", {"wait": bool(args[0] if args else kwargs.get("wait", False))})
            return self._apart(clear, *args, **kwargs) if self.live else None

        publisher.publish, publisher.clear_output = published, cleared
        try:
            yield
        finally:
            for name in ("publish", "clear_output"):
                vars(publisher).pop(name, None)

    def _apart(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        """Call without recording the streams."""
        before, self.closed = self.closed, True
        try:
            return call(*args, **kwargs)
        finally:
            self.closed = before

    def result(self, value: object) -> None:
        """Record the value of an expression as a cell would show it."""
        if value is None:
            return
        if self.shell is None:
            self.add("result", {"text/plain": repr(value)})
        else:
            data, metadata = self.shell.display_formatter.format(value)
            if data:
                self.add("result", data, metadata)


class Held(io.TextIOBase):
    """A stream that records what is written; once the trial is over it passes it on."""

    def __init__(self, stream: Any, name: str, recorder: Recorder) -> None:
        self._stream, self._name, self._recorder = stream, name, recorder

    def write(self, text: str) -> int:
        """Write and record."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._recorder.add(self._name, text)
        if self._recorder.closed:
            self._stream.write(text)
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Flush the stream below."""
        self._stream.flush()

    def close(self) -> None:
        """The stream below is not ours to close."""

    def fileno(self) -> int:
        """The descriptor of the stream below."""
        return int(self._stream.fileno())

    def isatty(self) -> bool:
        """Whether the stream below is a terminal."""
        return bool(self._stream.isatty())

    def writable(self) -> bool:
        """Always."""
        return True

    @property
    def closed(self) -> bool:
        """Whether the stream below is closed."""
        return bool(getattr(self._stream, "closed", False))

    @property
    def encoding(self) -> Any:  # type: ignore[override]
        """The encoding of the stream below."""
        return getattr(self._stream, "encoding", "utf-8")

    @property
    def errors(self) -> Any:  # type: ignore[override]
        """The error handling of the stream below."""
        return getattr(self._stream, "errors", "strict")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def retract(shell: InteractiveShell | None) -> None:
    """Clear what the cell has shown so far; a terminal keeps what it has."""
    if shell is not None and hasattr(shell, "kernel"):
        sys.stdout.flush()
        sys.stderr.flush()
        shell.display_pub.clear_output(wait=False)


def replay(shell: InteractiveShell | None, outputs: Sequence[Output], *, results: bool) -> None:
    """Show recorded outputs. `results` also shows the values of expressions, as plain displays."""
    for output in outputs:
        match output.kind:
            case "stdout":
                sys.stdout.write(output.data["text/plain"])
            case "stderr":
                sys.stderr.write(output.data["text/plain"])
            case "clear":
                if shell is not None:
                    shell.display_pub.clear_output(wait=output.data["wait"])
            case "result" if not results:
                pass
            case _:
                _publish(shell, output.data, output.metadata, update=output.kind == "update")


def _publish(
    shell: InteractiveShell | None, data: Mapping[str, Any], metadata: Mapping[str, Any], *, update: bool
) -> None:
    if shell is None:
        print(data.get("text/plain", ""))  # noqa: T201  a plain Python has nothing else to show it with
        return
    plain = dict(metadata)
    transient = plain.pop("transient", None)
    shell.display_pub.publish(dict(data), plain, transient=transient, update=update)
