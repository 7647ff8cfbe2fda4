"""One question to a server that speaks the OpenAI protocol.

Servers refuse different things: LM Studio `json_object`, llama-cpp-python `json_schema` (with
status 500), newer OpenAI models `max_tokens`. What a server refused is remembered for the
session, per base URL and model. Whatever else goes wrong is one `ModelError` with one line.
"""

from __future__ import annotations

import email.utils
import importlib
import ipaddress
import json
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NoReturn
from urllib.parse import urlsplit

from reflex_magic.core.card import cut
from reflex_magic.errors import ModelError
from reflex_magic.reflector.redact import Private, Redactor
from reflex_magic.reflector.schema import SCHEMA
from reflex_magic.reflector.tokens import estimate, estimate_messages

OPENAI_URL = "https://api.openai.com/v1"

RUNGS = ("json_schema", "json_object", "text")
"""How the form of the answer is asked for, most binding first."""

LARGEST_ANSWER = 4_000_000
"""Bytes of a reply that are read at most."""

_BUSY = (408, 409, 425, 429, 500, 502, 503, 504)
_NOT_UNDERSTOOD = (400, 404, 405, 415, 422, 501)
_FORMAT_WORDS = ("response_format", "json_schema", "json_object", "structured output", "grammar")
_NO_KEY = "none"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which model to ask, where, and for how long.

    `timeout` bounds one question with all its retries, in seconds; `connect` the connection
    alone. `answer_tokens` is the longest answer that is asked for. `retries` are tries after
    the first.
    """

    model: str
    base_url: str = OPENAI_URL
    api_key: str = field(default="", repr=False)
    timeout: float = 120.0
    connect: float = 5.0
    answer_tokens: int = 800
    retries: int = 2

    @classmethod
    def from_environment(cls, model: str = "", *, environment: Mapping[str, str] | None = None) -> ModelSettings | None:
        """From `REFLEX_MODEL`, `OPENAI_BASE_URL` and `OPENAI_API_KEY`; `model` wins over the first.

        None when no model is named: then nothing is ever sent. A key alone does not name one,
        since it may be meant for other programs.
        """
        variables = os.environ if environment is None else environment
        name = (model or variables.get("REFLEX_MODEL", "")).strip()
        if not name:
            return None
        url = variables.get("OPENAI_BASE_URL", "").strip() or OPENAI_URL
        return cls(name, url.rstrip("/"), variables.get("OPENAI_API_KEY", "").strip())

    @property
    def host(self) -> str:
        """Host and port, as messages show them; never the user part of the URL."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2] or self.base_url

    @property
    def endpoint(self) -> str:
        """The address that requests go to, without a password that may stand in it."""
        scheme, _, rest = self.base_url.partition("://")
        place, slash, path = rest.partition("/")
        return f"{scheme}://{place.rpartition('@')[2]}{slash}{path}/chat/completions"

    @property
    def local(self) -> bool:
        """Whether the server is on this machine."""
        name = urlsplit(self.base_url).hostname or ""
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return name == "localhost"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `problem` is "" for an answer that can be read, else one line.

    `sent` and `received` are tokens, estimated where the server did not count them. `cut_off` is
    True when the answer reached its limit.
    """

    text: str
    sent: int
    received: int
    cut_off: bool = False
    problem: str = ""


@dataclass(slots=True)
class Dialect:
    """What a server was found to understand."""

    rung: int = 0
    limit_name: str = "max_tokens"
    dropped: set[str] = field(default_factory=set)


@cache
def dialect(base_url: str, model: str) -> Dialect:
    """What is known of this server and model, for the session."""
    return Dialect()


class ModelClient:
    """Asks one model. Connections live for one question only.

    Parameters
    ----------
    settings
        Which model, where, how long.
    sleep, clock
        For tests.
    """

    def __init__(
        self,
        settings: ModelSettings,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings
        self._sleep = sleep
        self._clock = clock
        self._dialect = dialect(settings.base_url, settings.model)

    def ask(self, messages: Sequence[Mapping[str, str]], answer_tokens: int | None = None) -> Reply:
        """The model's reply.

        Raises
        ------
        ModelError
            Nothing usable came back; the message is one line.
        """
        deadline = self._clock() + self.settings.timeout
        limit = answer_tokens or self.settings.answer_tokens
        tries = 0
        while True:
            failure = self._try(messages, limit, deadline)
            if isinstance(failure, Reply):
                return failure
            if self._adapt(failure):
                continue
            wait = self._wait(failure, tries)
            if wait is None or tries >= self.settings.retries:
                self._fail(failure)
            left = deadline - self._clock()
            if wait >= left:
                self._fail(failure, f" It asks to wait {math.ceil(wait)} s, and {max(0, math.floor(left))} s are left.")
            self._sleep(wait)
            tries += 1

    def body(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The bytes of the request, as text, made by the same client; nothing is sent."""
        caught: list[bytes] = []

        def stop(request: Any) -> NoReturn:
            caught.append(request.content)
            raise _NotSentError

        openai = importlib.import_module("openai")
        with self._open(openai, self.settings.timeout, stop) as client:
            try:
                client.chat.completions.create(**self._arguments(messages, self.settings.answer_tokens))
            except (_NotSentError, openai.OpenAIError):
                # before 3.x the package wraps what a hook raises
                pass
        if not caught:
            raise ModelError(f"{self.settings.base_url} is not an address that a request can go to")
        return caught[0].decode()

    def _try(self, messages: Sequence[Mapping[str, str]], limit: int, deadline: float) -> Reply | _Failure:
        """One request."""
        self._check_key()
        openai = importlib.import_module("openai")
        # the package uses httpx or, from 3.x on, httpx2; broken bodies raise its errors as they are
        http = importlib.import_module(openai.DefaultHttpxClient.__base__.__module__.partition(".")[0])
        left = deadline - self._clock()
        if left <= 0:
            return _Failure("timeout")
        try:
            with (
                self._open(openai, left) as client,
                client.chat.completions.with_streaming_response.create(**self._arguments(messages, limit)) as response,
            ):
                data = bytearray()
                for chunk in response.iter_bytes():
                    data += chunk
                    if self._clock() > deadline:
                        return _Failure("timeout")
                    if len(data) > LARGEST_ANSWER:
                        raise ModelError(
                            f"{self._who} sent more than {LARGEST_ANSWER // 1_000_000} MB; stopped reading"
                        )
        except (openai.APITimeoutError, http.TimeoutException) as error:
            connecting = "Connect" in type(error.__cause__).__name__
            return _Failure("unreachable" if connecting else "timeout", said="the connection timed out")
        except openai.APIStatusError as error:
            return _Failure("status", error.status_code, _server_said(error), dict(error.response.headers))
        except (openai.APIConnectionError, http.HTTPError) as error:
            cause = error.__cause__ or error
            refused = type(cause).__name__ in (
                "ConnectError",
                "UnsupportedProtocol",
                "InvalidURL",
                "LocalProtocolError",
            )
            return _Failure("unreachable" if refused else "broken", said=str(cause))
        except (openai.OpenAIError, http.InvalidURL, UnicodeError) as error:
            raise ModelError(f"{self._who}: {self._clean(str(error))}") from None
        return self._read(bytes(data), messages)

    def _open(self, openai: Any, left: float, hook: Callable[[Any], None] | None = None) -> Any:
        timeout = openai.Timeout(left, connect=min(self.settings.connect, left))
        return openai.OpenAI(
            api_key=self.settings.api_key or _NO_KEY,
            base_url=self.settings.base_url,
            max_retries=0,
            timeout=timeout,
            http_client=openai.DefaultHttpxClient(
                timeout=timeout,
                # a proxy has no business with a server on this machine
                trust_env=not self.settings.local,
                # the request goes where the preview said, or nowhere
                follow_redirects=False,
                event_hooks={"request": [hook] if hook else [], "response": []},
            ),
        )

    def _arguments(self, messages: Sequence[Mapping[str, str]], limit: int) -> dict[str, Any]:
        known = self._dialect
        arguments: dict[str, Any] = {"model": self.settings.model, "messages": list(messages), "temperature": 0}
        arguments[known.limit_name] = limit
        match RUNGS[known.rung]:
            case "json_schema":
                form = {"name": "repair", "strict": True, "schema": SCHEMA}
                arguments["response_format"] = {"type": "json_schema", "json_schema": form}
            case "json_object":
                arguments["response_format"] = {"type": "json_object"}
        return {k: v for k, v in arguments.items() if k not in known.dropped}

    def _adapt(self, failure: _Failure) -> bool:
        """Learn from a refused request; whether it is worth sending it in another form."""
        said, known = failure.said.lower(), self._dialect
        if failure.status not in (*_NOT_UNDERSTOOD, 500) or _about_size(said) or _about_model(failure.status, said):
            return False
        if any(word in said for word in _FORMAT_WORDS):
            return self._step_down()
        if failure.status == 500:
            return False
        if "max_completion_tokens" in said or ("max_tokens" in said and known.limit_name == "max_tokens"):
            if known.limit_name == "max_completion_tokens":
                return False
            known.limit_name = "max_completion_tokens"
            return True
        if "temperature" in said and "temperature" not in known.dropped:
            known.dropped.add("temperature")
            return True
        # servers are bad at saying what they did not understand; the form is the likeliest
        return self._step_down()

    def _step_down(self) -> bool:
        if self._dialect.rung + 1 == len(RUNGS):
            return False
        self._dialect.rung += 1
        return True

    def _wait(self, failure: _Failure, tries: int) -> float | None:
        """Seconds until the next try; None when another try is of no use."""
        if failure.kind == "broken":
            return _pause(tries)
        if failure.status not in _BUSY or "quota" in failure.said.lower():
            return None
        asked = _retry_after(failure.headers)
        return _pause(tries) if asked is None else asked

    def _read(self, data: bytes, messages: Sequence[Mapping[str, str]]) -> Reply:
        try:
            found = json.loads(data, strict=False)
        except (ValueError, RecursionError):
            raise ModelError(f"{self._who} sent something that is not JSON: {self._clean(repr(data[:60]))}") from None
        if not isinstance(found, dict):
            raise ModelError(f"{self._who} sent JSON that is no chat completion")
        if found.get("error") and not found.get("choices"):
            raise ModelError(f"{self._who}: {self._clean(_error_text(found['error']))}")
        choices = found.get("choices")
        choice = _mapping(choices[0]) if isinstance(choices, list) and choices else {}
        message = _mapping(choice.get("message"))
        text = _content(message.get("content"))
        finish = choice.get("finish_reason")
        usage = _mapping(found.get("usage"))
        sent, received = (_count(usage.get(k)) for k in ("prompt_tokens", "completion_tokens"))
        # a count of 0 is what some servers report for a cached prompt
        sent = sent or estimate_messages(messages)
        received = received or estimate(text + _content(message.get("reasoning_content") or message.get("reasoning")))
        problem = ""
        if not choice:
            problem = "sent no answer (no choices)"
        elif message.get("refusal"):
            problem = f"refused: {self._clean(str(message['refusal']))}"
        elif finish == "content_filter":
            problem = "stopped the answer by its content filter"
        elif not text.strip() and finish != "length":
            problem = "sent an empty answer"
        return Reply(text, sent, received, finish == "length", f"{self._who} {problem}" if problem else "")

    def _fail(self, failure: _Failure, more: str = "") -> NoReturn:
        said = f": {self._clean(failure.said)}" if failure.said else ""
        match failure.kind:
            case "timeout":
                raise ModelError(f"{self._who} did not answer within {self.settings.timeout:g} s")
            case "unreachable":
                raise ModelError(f"nothing answers at {self.settings.host}{said}. Is the server running?")
            case "broken":
                raise ModelError(f"{self._who}: the connection broke{said}")
        match failure.status:
            case 401 | 403:
                raise ModelError(f"{self._who} refused the key (status {failure.status}); check OPENAI_API_KEY")
            case 404:
                raise ModelError(f"{self._who} was not found (status 404){said}")
            case 429:
                raise ModelError(f"{self._who} takes no more requests now (status 429){said}.{more}")
            case status if 300 <= status < 400:
                raise ModelError(
                    f"{self.settings.host} sends requests elsewhere (status {status}); set OPENAI_BASE_URL"
                )
            case status:
                raise ModelError(f"{self._who} failed (status {status}){said}.{more}")

    def _check_key(self) -> None:
        if not self.settings.api_key and self.settings.base_url == OPENAI_URL:
            raise ModelError("no key for api.openai.com: set OPENAI_API_KEY, or OPENAI_BASE_URL for another server")

    @property
    def _who(self) -> str:
        return f"{self.settings.model} at {self.settings.host}"

    def _clean(self, text: str) -> str:
        """A server's words on one line, without keys."""
        if self.settings.api_key:
            text = text.replace(self.settings.api_key, "[key]")
        return Redactor("", Private.here()).plain(cut(" ".join(text.split()), 200)).rstrip(".")


@dataclass(frozen=True, slots=True)
class _Failure:
    """`kind` is timeout, unreachable, broken or status; `said` the server's or the system's words."""

    kind: str
    status: int = 0
    said: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


class _NotSentError(Exception):
    """Stops a request that is only looked at."""


def _server_said(error: Any) -> str:
    body = error.body
    return _error_text(body) if body else str(error.response.text)[:2000]


def _error_text(body: object) -> str:
    """The message of an error body, in the forms that servers use."""
    if isinstance(body, Mapping):
        for key in ("message", "detail", "error"):
            if body.get(key):
                return f"{_error_text(body[key])} {body.get('code') or ''}".strip()
    return body if isinstance(body, str) else json.dumps(body, default=str)


def _about_size(said: str) -> bool:
    return "context length" in said or "context_length" in said or "context size" in said or "too long" in said


def _about_model(status: int, said: str) -> bool:
    return status == 404 and not any(word in said for word in _FORMAT_WORDS)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait; the header is milliseconds, seconds or a date."""
    given = {k.lower(): v for k, v in headers.items()}
    try:
        if "retry-after-ms" in given:
            return max(0.0, float(given["retry-after-ms"]) / 1000)
        value = given.get("retry-after", "")
        if value.replace(".", "", 1).isdecimal():
            return float(value)
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time()) if value else None
    except (ValueError, TypeError):
        return None


def _content(content: object) -> str:
    """The text of a message, which is a string or a list of parts."""
    if isinstance(content, list):
        return "".join(str(p.get("text") or "") for p in content if isinstance(p, dict))
    return content if isinstance(content, str) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _pause(tries: int) -> float:
    """Seconds between tries where the server names none."""
    return float(0.5 * 2**tries)


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
