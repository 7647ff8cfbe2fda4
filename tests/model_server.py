"""A real HTTP server on this machine that plays an OpenAI-compatible model from a script.

    with ScriptedModel([answer(changes=[("replace", 2, "total = 1")]), Status(429)]) as model:
        settings = ModelSettings("scripted", model.base_url)
        ...
    assert len(model.requests) == 2

Each request takes the next entry of the script; the last entry is repeated when the script is
used up only if `repeat` is set, otherwise the server answers 410 and the test can see why.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True)
class Request:
    """What a client sent.

    Names of `headers` are lower case; `body` is the decoded JSON, `raw` the bytes as they came.
    """

    path: str
    headers: Mapping[str, str]
    raw: bytes
    body: Mapping[str, Any]

    @property
    def text(self) -> str:
        """All messages as one text."""
        return "\n".join(m["content"] for m in self.body["messages"])


@dataclass(frozen=True)
class Status:
    """An HTTP error."""

    code: int
    body: str | Mapping[str, Any] = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Completion:
    """A well-formed chat completion. `usage` None leaves it out; `message` replaces the whole message."""

    text: str = ""
    finish: str = "stop"
    usage: tuple[int, int] | None = (200, 50)
    message: Mapping[str, Any] | None = None
    choices: Sequence[Any] | None = None


@dataclass(frozen=True)
class Raw:
    """A 200 with these bytes, whatever they are. `promise` is the content length that is claimed."""

    data: bytes
    promise: int | None = None


class Hang:
    """Accept the request and never answer."""


class Trickle:
    """Send one byte after another and never finish."""


class Close:
    """Close the connection without an answer."""


Entry = Mapping[str, Any] | str | Status | Completion | Raw | type[Hang] | type[Trickle] | type[Close]
Scripted = Entry | Callable[[Request], Entry]


def answer(
    changes: Sequence[tuple[str, int, str]] = (),
    cause: str = "The statement names a column that the table does not have.",
    symptom: str = "The statement raised.",
    evidence: str = "The columns listed.",
    resume: int = 0,
) -> dict[str, Any]:
    """A structured answer as the reflector asks for it."""
    return {
        "symptom": symptom,
        "root_cause": cause,
        "changes": [{"action": a, "statement": n, "code": c} for a, n, c in changes],
        "evidence": evidence,
        "resume_step": resume,
    }


class ScriptedModel:
    """The server. A mapping is sent as JSON content, a string as it is; callables get the request."""

    def __init__(self, script: Sequence[Scripted], *, repeat: bool = False, name: str = "scripted") -> None:
        self.requests: list[Request] = []
        self.name = name
        self._script = list(script)
        self._repeat = repeat
        self._lock = threading.Lock()
        self.released = threading.Event()
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                model.handle(self)

            def do_GET(self) -> None:
                if self.path.endswith("/models"):
                    send(self, 200, json.dumps({"object": "list", "data": [{"id": model.name}]}).encode())
                else:
                    send(self, 404, b"{}")

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Stay quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        # the poll interval is what shutdown waits for
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def base_url(self) -> str:
        """What a client is configured with."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> ScriptedModel:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer one request from the script."""
        raw = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        headers = {k.lower(): v for k, v in handler.headers.items()}
        request = Request(handler.path, headers, raw, json.loads(raw or b"{}"))
        with self._lock:
            turn = len(self.requests)
            self.requests.append(request)
        if not handler.path.endswith("/chat/completions"):
            return send(handler, 404, b'{"error": {"message": "no such path"}}')
        if turn >= len(self._script) and not self._repeat:
            return send(handler, 410, b'{"error": {"message": "the script is used up"}}')
        entry = self._script[min(turn, len(self._script) - 1)]
        if callable(entry) and not isinstance(entry, type):
            entry = entry(request)
        return self._answer(handler, entry)

    def _answer(self, handler: BaseHTTPRequestHandler, entry: Any) -> None:
        match entry:
            case Status():
                body = entry.body if isinstance(entry.body, str) else json.dumps(entry.body)
                send(handler, entry.code, body.encode(), entry.headers)
            case Raw():
                send(handler, 200, entry.data, {"content-length": str(entry.promise or len(entry.data))})
            case Completion():
                send(handler, 200, json.dumps(completion(entry, self.name)).encode())
            case str():
                send(handler, 200, json.dumps(completion(Completion(entry), self.name)).encode())
            case Mapping():
                send(handler, 200, json.dumps(completion(Completion(json.dumps(entry)), self.name)).encode())
            case _ if entry is Hang:
                self.released.wait(30)
            case _ if entry is Trickle:
                handler.send_response(200)
                handler.send_header("content-length", "100000")
                handler.end_headers()
                try:
                    while not self.released.wait(0.05):
                        handler.wfile.write(b" ")
                except OSError:
                    pass
        handler.close_connection = True


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
    """A whole response."""
    given = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
    handler.send_response(status)
    for name, value in given.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def completion(entry: Completion, model: str) -> dict[str, Any]:
    """The JSON of a chat completion."""
    message = dict(entry.message) if entry.message is not None else {"role": "assistant", "content": entry.text}
    choices = (
        [{"index": 0, "message": message, "finish_reason": entry.finish}] if entry.choices is None else entry.choices
    )
    found: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": choices,
    }
    if entry.usage:
        sent, received = entry.usage
        found["usage"] = {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received}
    return found
