"""The client, at the wire: every way in which a server can disappoint."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from dataclasses import replace

import pytest

from reflex_magic.errors import ModelError
from reflex_magic.reflector.client import OPENAI_URL, ModelClient, ModelSettings
from reflex_magic.reflector.tokens import estimate
from tests.model_server import Close, Completion, Hang, Raw, Scripted, ScriptedModel, Status, Trickle

MESSAGES = [{"role": "user", "content": "hello, 世界"}]
KEY = "sk-test-0123456789abcdefghij"


class PatientClient(ModelClient):
    """Notes how long it would have slept."""

    def __init__(self, url: str, **options: float) -> None:
        self.waits: list[float] = []
        super().__init__(replace(ModelSettings("scripted", url, KEY), **options), sleep=self.waits.append)  # type: ignore[arg-type]


def client(url: str, **options: float) -> PatientClient:
    return PatientClient(url, **options)


def failure(*script: Scripted, **options: float) -> tuple[str, ScriptedModel]:
    """What the client says of a server that fails, on one line and without the key."""
    with ScriptedModel(script) as model, pytest.raises(ModelError) as caught:
        client(model.base_url, **options).ask(MESSAGES)
    text = str(caught.value)
    assert "\n" not in text
    assert KEY not in text
    return text, model


def test_a_good_answer_carries_text_and_counts() -> None:
    with ScriptedModel([Completion("hi", usage=(12, 3))]) as model:
        reply = client(model.base_url).ask(MESSAGES)
    assert (reply.text, reply.sent, reply.received, reply.problem) == ("hi", 12, 3, "")
    sent = model.requests[0]
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.body["model"] == "scripted"
    assert sent.body["max_tokens"] == 800
    assert sent.body["messages"] == MESSAGES


@pytest.mark.parametrize("usage", [None, (0, 3)])
def test_counts_that_are_missing_or_nought_are_estimated(usage: tuple[int, int] | None) -> None:
    with ScriptedModel([Completion("an answer of some words", usage=usage)]) as model:
        reply = client(model.base_url).ask(MESSAGES)
    assert reply.sent >= estimate(MESSAGES[0]["content"]) > 0
    assert reply.received == (usage[1] if usage else estimate("an answer of some words"))


def test_no_key_is_needed_on_this_machine() -> None:
    with ScriptedModel(["hi"]) as model:
        assert ModelClient(ModelSettings("scripted", model.base_url)).ask(MESSAGES).text == "hi"


def test_without_a_key_nothing_goes_to_openai() -> None:
    with pytest.raises(ModelError, match=r"no key for api\.openai\.com"):
        ModelClient(ModelSettings("gpt", OPENAI_URL)).ask(MESSAGES)


def test_a_proxy_does_not_see_what_stays_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedModel(["through the proxy"], repeat=True) as proxy, ScriptedModel(["direct"]) as model:
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url.removesuffix("/v1"))
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert client(model.base_url).ask(MESSAGES).text == "direct"
    assert proxy.requests == []


def test_busy_then_ready_waits_as_asked() -> None:
    with ScriptedModel([Status(429, headers={"retry-after": "3"}), Status(503), "hi"]) as model:
        asked = client(model.base_url)
        assert asked.ask(MESSAGES).text == "hi"
    assert asked.waits == [3.0, 1.0]


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, 0.5),
    ],
)
def test_the_forms_of_retry_after(headers: dict[str, str], wait: float) -> None:
    with ScriptedModel([Status(429, headers=headers), "hi"]) as model:
        asked = client(model.base_url)
        asked.ask(MESSAGES)
    assert asked.waits == [wait]


def test_a_wait_longer_than_the_time_left_is_not_waited() -> None:
    said, model = failure(Status(429, headers={"retry-after": "600"}), "hi", timeout=20)
    assert "asks to wait 600 s" in said
    assert len(model.requests) == 1


def test_a_spent_quota_is_not_asked_again() -> None:
    body = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
    said, model = failure(Status(429, body), "hi")
    assert "quota" in said
    assert len(model.requests) == 1


def test_a_server_that_stays_busy_is_left_after_the_retries() -> None:
    said, model = failure(*[Status(503, "loading model")] * 5)
    assert "status 503" in said
    assert len(model.requests) == 3


def test_a_wrong_key_is_said_and_not_retried_or_shown() -> None:
    said, model = failure(Status(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}))
    assert "OPENAI_API_KEY" in said
    assert len(model.requests) == 1


def test_a_server_that_hangs_is_left_in_time() -> None:
    said, _ = failure(Hang, timeout=0.3)
    assert said.endswith("did not answer within 0.3 s")


def test_a_server_that_never_finishes_is_left_in_time() -> None:
    said, _ = failure(Trickle, timeout=0.3)
    assert "did not answer within 0.3 s" in said


def test_nobody_there() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    asked = client(f"http://127.0.0.1:{port}/v1")
    with pytest.raises(ModelError, match=rf"nothing answers at 127\.0\.0\.1:{port}.*Is the server running\?"):
        asked.ask(MESSAGES)
    assert asked.waits == []


def test_an_address_that_is_none() -> None:
    with pytest.raises(ModelError):
        client("not a url").ask(MESSAGES)


@pytest.mark.parametrize("broken", [Close, Raw(b'{"choices": [', promise=500)])
def test_a_broken_connection_is_tried_again(broken: Scripted) -> None:
    with ScriptedModel([broken, "hi"]) as model:
        assert client(model.base_url).ask(MESSAGES).text == "hi"
    said, model = failure(*[broken] * 5)
    assert "connection broke" in said
    assert len(model.requests) == 3


@pytest.mark.parametrize("data", [b"<html>proxy login</html>", b"", b"[1, 2]", b'{"choices": [{"message"'])
def test_what_is_no_completion_is_said(data: bytes) -> None:
    said, _ = failure(Raw(data))
    assert "JSON" in said


def test_an_error_in_a_200_is_said() -> None:
    said, _ = failure(Raw(b'{"error": {"message": "model crashed"}}'))
    assert "model crashed" in said


def test_a_model_that_is_not_there_is_named() -> None:
    said, model = failure(Status(404, {"error": {"message": "The model `scripted` does not exist"}}))
    assert "scripted" in said
    assert len(model.requests) == 1


def test_a_prompt_too_long_is_not_sent_in_another_form() -> None:
    said, model = failure(Status(400, {"error": {"message": "maximum context length is 4096 tokens"}}), "hi")
    assert "context length" in said
    assert len(model.requests) == 1


def test_redirects_are_not_followed() -> None:
    with ScriptedModel(["elsewhere"]) as other:
        said, _ = failure(Status(307, headers={"location": other.base_url + "/chat/completions"}))
    assert "OPENAI_BASE_URL" in said
    assert other.requests == []


@pytest.mark.parametrize(
    ("message", "finish", "said"),
    [
        ({"content": None, "refusal": "I cannot help\nwith that."}, "stop", "refused: I cannot help with that"),
        ({"content": ""}, "content_filter", "content filter"),
        ({"content": "", "reasoning_content": "hmm"}, "stop", "empty answer"),
        ({"content": None}, "stop", "empty answer"),
    ],
)
def test_answers_that_are_none(message: dict[str, str], finish: str, said: str) -> None:
    with ScriptedModel([Completion(message=message, finish=finish)]) as model:
        reply = client(model.base_url).ask(MESSAGES)
    assert said in reply.problem
    assert "\n" not in reply.problem
    assert reply.sent == 200


@pytest.mark.parametrize("choices", [[], [None], ["text"]])
def test_no_choices(choices: list[object]) -> None:
    with ScriptedModel([Completion(choices=choices)]) as model:
        assert "no choices" in client(model.base_url).ask(MESSAGES).problem


def test_a_cut_answer_is_marked() -> None:
    with ScriptedModel([Completion("half an ans", finish="length")]) as model:
        reply = client(model.base_url).ask(MESSAGES)
    assert reply.cut_off
    assert reply.problem == ""


def test_content_in_parts() -> None:
    parts = {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
    with ScriptedModel([Completion(message=parts)]) as model:
        assert client(model.base_url).ask(MESSAGES).text == "ab"


@pytest.mark.parametrize(
    "refusal",
    [
        Status(400, {"error": {"message": "'response_format.type' must be 'json_object'"}}),
        Status(
            500, {"error": {"message": "literal_error: response_format.type Input should be 'text' or 'json_object'"}}
        ),
        Status(422, {"detail": "json_schema is not supported"}),
        Status(400, "Bad Request"),
        Status(501),
    ],
)
def test_the_ladder_steps_down_and_is_remembered(refusal: Status) -> None:
    with ScriptedModel([refusal, "one", "two"]) as model:
        client(model.base_url).ask(MESSAGES)
        client(model.base_url).ask(MESSAGES)
    forms = [r.body.get("response_format", {}).get("type") for r in model.requests]
    assert forms == ["json_schema", "json_object", "json_object"]


def test_the_ladder_ends_in_plain_text() -> None:
    no = Status(400, {"error": {"message": "response_format is not supported"}})
    with ScriptedModel([no, no, "one"]) as model:
        assert client(model.base_url).ask(MESSAGES).text == "one"
    assert "response_format" not in model.requests[2].body
    said, model = failure(*[no] * 9)
    assert "response_format" in said
    assert len(model.requests) == 3


def test_a_500_about_something_else_stays_on_its_rung() -> None:
    with ScriptedModel([Status(500, "out of memory"), "one"]) as model:
        client(model.base_url).ask(MESSAGES)
    assert [r.body["response_format"]["type"] for r in model.requests] == ["json_schema"] * 2


def test_parameters_a_model_does_not_know_are_renamed_or_left_out() -> None:
    renamed = Status(
        400, {"error": {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}}
    )
    fixed = Status(
        400, {"error": {"message": "Unsupported value: 'temperature' does not support 0", "param": "temperature"}}
    )
    with ScriptedModel([renamed, fixed, "one", "two"]) as model:
        client(model.base_url).ask(MESSAGES)
        client(model.base_url).ask(MESSAGES)
    last = model.requests[3].body
    assert last["max_completion_tokens"] == 800
    assert "max_tokens" not in last
    assert "temperature" not in last
    assert last["response_format"]["type"] == "json_schema"


def test_an_endless_reply_is_not_read_to_its_end() -> None:
    said, _ = failure(Raw(b" " * 4_100_000))
    assert "more than 4 MB" in said


def test_the_body_that_is_shown_is_the_body_that_is_sent() -> None:
    with ScriptedModel(["hi"]) as model:
        asked = client(model.base_url)
        shown = asked.body(MESSAGES)
        assert model.requests == []
        asked.ask(MESSAGES)
    assert model.requests[0].raw == shown.encode()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, None),
        ({"OPENAI_API_KEY": "k"}, None),
        ({"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://localhost:1/v1"}, None),
        ({"REFLEX_MODEL": " "}, None),
        ({"REFLEX_MODEL": "m", "OPENAI_API_KEY": "k"}, ("m", OPENAI_URL, "k")),
        ({"REFLEX_MODEL": "m", "OPENAI_BASE_URL": "http://localhost:1/v1/"}, ("m", "http://localhost:1/v1", "")),
    ],
)
def test_settings_from_the_environment(environment: dict[str, str], expected: tuple[str, str, str] | None) -> None:
    found = ModelSettings.from_environment(environment=environment)
    assert (found and (found.model, found.base_url, found.api_key)) == expected


def test_a_named_model_wins_over_the_environment_and_the_key_is_never_shown() -> None:
    environment = {"REFLEX_MODEL": "m", "OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://[::1]:9/v1"}
    found = ModelSettings.from_environment("other", environment=environment)
    assert found is not None
    assert (found.model, found.local) == ("other", True)
    assert KEY not in repr(found)
    assert "secret" not in ModelSettings("m", "http://user:secret@box:8000/v1").endpoint


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:1/v1", True),
        ("http://localhost:1", True),
        ("http://localhost.evil.org/v1", False),
        (OPENAI_URL, False),
    ],
)
def test_what_is_this_machine(url: str, local: bool) -> None:
    assert ModelSettings("m", url).local is local


INTERRUPTED = """
import os, signal
from reflex_magic.reflector.client import ModelClient, ModelSettings
from tests.model_server import ScriptedModel

def press(request):
    os.kill(os.getpid(), signal.SIGINT)
    model.released.wait(30)

with ScriptedModel([press]) as model:
    try:
        ModelClient(ModelSettings("scripted", model.base_url, timeout=20)).ask([{"role": "user", "content": "hi"}])
    except KeyboardInterrupt:
        print("left")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a blocking read is not interrupted there")
def test_an_interrupt_leaves_at_once() -> None:
    command = [sys.executable, "-W", "error", "-c", INTERRUPTED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=15)
    assert (done.stdout, done.stderr) == ("left\n", "")


def test_importing_the_reflector_imports_no_client_library() -> None:
    code = (
        "import sys, pkgutil, importlib, reflex_magic.reflector as r\n"
        "[importlib.import_module(m.name) for m in pkgutil.iter_modules(r.__path__, 'reflex_magic.reflector.')]\n"
        "heavy = ('openai', 'httpx', 'httpx2', 'pydantic', 'pandas', 'IPython', 'tiktoken')\n"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.replace("'", '"')) == []
