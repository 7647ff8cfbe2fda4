"""Two real kernels, and everything that came from them, comparable."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel

from tests.differential import probe

PATIENCE = 60.0

SETTLED = 100
"""Milliseconds of silence after which what a cell has shown before it asked is taken to be here."""

MAGIC = "%%reflect --no-model --dry-run"
OURS = "application/vnd.reflex-magic+json"
AGAIN = "%%again\n"
ENDS = ("CellUnresolved", "CellPending")

ID = re.compile(
    r"(?<![0-9a-f])[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}(?![0-9a-f])|\b[0-9a-f]{16}\b|\bT_[0-9a-f]{5}"
)
"""Of displays, widgets and tables."""

NUMBERED = (r"(?m)^ *\d+ HEAD\n", r"\AHEAD\n", r"(?<=line )\d+", r"(?m)^(-+>)? *\d+ ", r"(?<=>:)\d+")
"""Line numbers, and the magic line in what is quoted of a cell."""

Message = tuple[Any, ...]

PREPARE = f"""
import importlib.util, sys
spec = importlib.util.spec_from_file_location("kernel_probe", {str(Path(probe.__file__))!r})
module = importlib.util.module_from_spec(spec)
sys.modules["kernel_probe"] = module
spec.loader.exec_module(module)
import pandas, numpy, matplotlib.pyplot, tqdm  # a first import draws random numbers, and takes long
%matplotlib inline
del importlib, sys, spec, module, pandas, numpy, matplotlib, tqdm
"""


@dataclass(frozen=True, slots=True)
class Case:
    """One or several cells.

    Parameters
    ----------
    source
        The cell that is run plain and under the magic.
    then
        Cells that follow; both kernels run them plain, but for those that begin with `AGAIN`.
    bare
        Compare with the cell alone in the plain kernel, instead of with a comment in the place of the magic
        line. Line numbers then differ by one.
    answers, later
        What a person types at each request of the first cell; of one of the cells that follow.
    at_ready
        What happens once the cell has printed ``READY``: ``interrupt``, or a file ``go`` is made.
    silent, store_history, stop_on_error, expressions
        As in the request.
    apart
        What is written past Python comes at a moment of its own: compare each stream for itself.
    scrub
        Patterns of what differs between any two runs.
    """

    source: str
    then: tuple[str, ...] = ()
    bare: bool = False
    answers: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    at_ready: str = ""
    silent: bool = False
    store_history: bool = True
    expressions: tuple[tuple[str, str], ...] = ()
    apart: bool = False
    scrub: tuple[str, ...] = ()


@dataclass(slots=True)
class Seen:
    """What came from a kernel for one cell."""

    messages: list[Message] = field(default_factory=list)
    reply: dict[str, Any] = field(default_factory=dict)


class Kernel:
    """A kernel and its client."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient, folder: Path) -> None:
        self.manager, self.client, self.folder = manager, client, folder

    def send(self, code: str, **how: Any) -> str:
        return str(self.client.execute(code, **how))

    def receive(self, sent: str, case: Case = Case("")) -> Seen:
        """All messages until the kernel is idle again, and the reply."""
        seen, answers, ready, deadline = Seen(), list(case.answers), False, time.monotonic() + PATIENCE
        while True:
            if time.monotonic() > deadline:
                raise TimeoutError(f"the kernel does not end {case.source!r}; so far: {seen.messages}")
            if not self.client.iopub_channel.socket.poll(SETTLED if case.answers else 1000):
                if case.answers and self.client.stdin_channel.msg_ready():
                    request = self.client.get_stdin_msg(timeout=1)["content"]
                    seen.messages.append(("input_request", request["prompt"], request["password"]))
                    self.client.input(answers.pop(0) if answers else "")
                continue
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != sent:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status":
                if content["execution_state"] == "idle":
                    break
                continue
            seen.messages.append(_plain(kind, content))
            if case.at_ready and not ready and kind == "stream" and "READY" in content["text"]:
                ready = True
                if case.at_ready == "interrupt":
                    time.sleep(0.2)  # it says so just before it waits
                    self.manager.interrupt_kernel()
                else:
                    (self.folder / "go").write_text("")
        while True:
            reply = self.client.get_shell_msg(timeout=PATIENCE)
            if reply["parent_header"].get("msg_id") == sent:
                seen.reply = {k: v for k, v in reply["content"].items() if k != "engine_info"}
                return seen

    def run(self, code: str, **how: Any) -> Seen:
        return self.receive(self.send(code, **how))

    def look(self) -> str:
        """Send for the state; the kernel makes a fresh start afterwards."""
        asked = {"state": "__import__('kernel_probe').state()", "fresh": "__import__('kernel_probe').fresh()"}
        return self.send("", silent=True, store_history=False, user_expressions=asked)

    def looked(self, sent: str) -> dict[str, Any]:
        found = self.receive(sent).reply["user_expressions"]
        for part in found.values():
            if part["status"] != "ok":
                raise AssertionError("\n".join(part["traceback"]))
        return probe.read(found["state"]["data"]["text/plain"])


def _plain(kind: str, content: dict[str, Any]) -> Message:
    match kind:
        case "stream":
            return "stream", content["name"], content["text"]
        case "error":
            return "error", content["ename"], content["evalue"], "\n".join(content["traceback"])
        case "execute_input":
            return kind, content["code"], content["execution_count"]
        case "display_data" | "update_display_data" | "execute_result":
            return (
                kind,
                content["data"],
                content["metadata"],
                content.get("transient", {}),
                content.get("execution_count"),
            )
        case _:
            return kind, content


@contextmanager
def started(folder: Path, name: str) -> Iterator[Kernel]:
    """A kernel in a folder of its own, with no settings of the person who runs the tests."""
    work, home = folder / name / "place" / "work", folder / name / "home"
    work.mkdir(parents=True)
    home.mkdir()
    settings = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "REFLEX_"))}
    settings |= {"HOME": str(home), "IPYTHONDIR": str(home / "ipython"), "XDG_DATA_HOME": str(home / "data")}
    settings |= {"PYTHONHASHSEED": "0", "MPLCONFIGDIR": str(folder / "matplotlib"), "MPLBACKEND": ""}
    settings |= {"COLUMNS": "80", "PYTHONWARNINGS": ""}
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(work), env=settings)
    kernel = Kernel(manager, client, work)
    try:
        yield kernel
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


class Pair:
    """A plain kernel, and one whose cells have the magic."""

    def __init__(self, plain: Kernel, magic: Kernel) -> None:
        self.plain, self.magic = plain, magic
        for kernel in (plain, magic):
            seen = kernel.run(PREPARE)
            assert seen.reply["status"] == "ok", seen
            seen = kernel.run("%load_ext reflex_magic" if kernel is magic else "pass")
            assert seen.reply["status"] == "ok", seen
            kernel.run("__import__('kernel_probe').begin()", silent=True, store_history=False)
            kernel.looked(kernel.look())
        magic.run(f"{MAGIC}\nimport pandas as pd\npd.DataFrame({{'a': [1]}})")
        magic.run(f"{MAGIC}\n1 / 0")
        plain.run(f"{'#' + MAGIC}\nimport pandas as pd\npd.DataFrame({{'a': [1]}})")
        plain.run(f"{'#' + MAGIC}\n1 / 0")
        for kernel in (plain, magic):
            kernel.run("0")
            kernel.run("0")
            kernel.looked(kernel.look())

    def differences(self, case: Case) -> list[str]:
        """What differs between the two; empty when nothing does."""
        heads = {self.plain: "" if case.bare else f"#{MAGIC}\n", self.magic: f"{MAGIC}\n"}
        how = {
            "silent": case.silent,
            "store_history": case.store_history,
            "allow_stdin": bool(case.answers),
            "user_expressions": dict(case.expressions),
        }
        both = self.plain, self.magic
        asked = [(k, k.send(heads[k] + case.source, **how)) for k in both]
        seen = [[k.receive(s, case)] for k, s in asked]
        answering = replace(case, at_ready="", answers=case.later)
        how |= {"allow_stdin": bool(case.later), "user_expressions": {}, "silent": False, "store_history": True}
        for cell in case.then:
            asked = [(k, k.send(cell.replace(AGAIN, heads[k], 1), **how)) for k in both]
            for parts, (kernel, sent) in zip(seen, asked, strict=True):
                parts.append(kernel.receive(sent, answering))
        asked = [(k, k.look()) for k in both]
        left = [k.looked(s) for k, s in asked]
        self._align(left[0]["count"] - left[1]["count"])
        return compared(case, *seen, *left)

    def _align(self, ahead: int) -> None:
        """Let the cells that follow a difference have equal numbers again."""
        behind = self.magic if ahead > 0 else self.plain
        for _ in range(abs(ahead)):
            behind.run("pass")
            behind.looked(behind.look())


def compared(
    case: Case, plain: Sequence[Seen], magic: Sequence[Seen], before: dict[str, Any], after: dict[str, Any]
) -> list[str]:
    """Each difference in a few lines."""
    found, scrub = [], (*case.scrub, *(NUMBERED if case.bare else ()))
    for number, (one, other) in enumerate(zip(plain, magic, strict=True)):
        unified = Unified(scrub)
        expected = unified.messages(one.messages)
        unified = Unified(scrub)
        got = unified.messages(without_ours(other.messages, failed=one.reply["status"] == "error"))
        if case.apart:
            expected, got = sorted(map(repr, expected)), sorted(map(repr, got))
        if expected != got:
            found.append(f"cell {number}: messages\n{_apart(expected, got)}")
        replies = [Unified(scrub).reply(s.reply) for s in (one, other)]
        if one.reply["status"] == "error" and other.reply.get("ename") in ENDS:
            replies = [{k: r[k] for k in ("status", "execution_count", "payload") if k in r} for r in replies]
        if replies[0] != replies[1]:
            found.append(f"cell {number}: reply\n  plain {replies[0]}\n  magic {replies[1]}")
    unified = Unified(scrub)
    for key in dict.fromkeys([*before, *after]):
        values = [unified.value(s.get(key)) for s in (before, after)]
        if key == "failure" and case.bare:
            values = [re.sub(r", \d+\]", "]", repr(v)) for v in values]
        if key == "events":
            values = [_events(v) for v in values]
        if values[0] != values[1]:
            found.append(f"{key}\n  plain {values[0]}\n  magic {values[1]}")
    return found


def _events(value: Any) -> Any:
    """A failing cell ends with an error of ours, instead of its own."""
    return [[*e[:3], e[3] if e[2] else "", e[-1]] if e[0] == "post_run_cell" else e for e in value]


def without_ours(messages: Sequence[Message], *, failed: bool) -> list[Message]:
    """What the cell itself produced: without the report, and without the line with which a failed cell ends."""
    return [m for m in messages if not _is_ours(m, failed)]


def _is_ours(message: Message, failed: bool) -> bool:
    if message[0] in ("display_data", "update_display_data"):
        return OURS in message[1]
    return failed and message[0] == "error" and message[1] in ENDS


class Unified:
    """Makes the output of two kernels comparable. The same id is the same number in both."""

    def __init__(self, more: Sequence[str]) -> None:
        self._ids: dict[str, str] = {}
        self._more = [re.compile(m) for m in more]

    def value(self, value: Any) -> Any:
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(str(k)): self.value(v) for k, v in value.items()}
            case list() | tuple():
                return [self.value(v) for v in value]
        return value

    def text(self, text: str) -> str:
        text = re.sub(r"\x1b\[[0-9;]*m", "", text)
        text = re.sub(rf"#?{re.escape(MAGIC)}", "HEAD", text)
        text = re.sub(r"/[^\s'\"]*?/(plain|magic)/(place/work|place|home)\b", r"/\2", text)
        text = probe.CELL.sub("<cell>", text)
        text = re.sub(r"0x[0-9a-f]+", "0x", text)
        text = re.sub(r"\b\d+\.py\b", "<cell>", text)
        text = ID.sub(self._id, text)
        for pattern in self._more:
            text = pattern.sub("", text)
        return text

    def _id(self, match: re.Match[str]) -> str:
        return self._ids.setdefault(match[0], f"id-{len(self._ids)}")

    def messages(self, messages: Sequence[Message]) -> list[Any]:
        """With adjacent text of one stream joined."""
        found: list[Any] = []
        for message in messages:
            if message[0] == "stream" and found and found[-1][:2] == ["stream", message[1]]:
                found[-1][2] += message[2]
            else:
                found.append(list(message))
        return [self.value(m) for m in found]

    def reply(self, reply: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self.value(reply)
        return found


def _apart(expected: Sequence[Any], got: Sequence[Any]) -> str:
    lines = []
    for i in range(max(len(expected), len(got))):
        pair = [s[i] if i < len(s) else None for s in (expected, got)]
        if pair[0] != pair[1]:
            lines += [f"  {i} plain {pair[0]}", f"  {i} magic {pair[1]}"]
    return "\n".join(lines[:8])
