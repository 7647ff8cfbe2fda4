"""A real kernel that is interrupted: it answers, and everything is as before the cell or as after it."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager, start_new_kernel

pytestmark = pytest.mark.slow

PATIENCE = 20.0

BEGIN = """
%load_ext reflex_magic
import builtins, gc, json, os, signal, sys, time, warnings, pathlib
import pandas as pd
import __main__
"""

LOOK = """
_shell = get_ipython()
print(json.dumps({
    "total": globals().get("total"), "b": globals().get("b"), "columns": list(t.columns), "log": log,
    "revenue": t["revenue"].tolist(), "same": same is t, "box": box,
    "file": pathlib.Path("out.txt").read_text() if pathlib.Path("out.txt").exists() else None,
    "old": pathlib.Path("old.txt").read_text(),
    "beside": sorted(p.name for p in pathlib.Path(".").iterdir()),
    "clean": {
        "streams": [type(sys.stdout).__module__, type(sys.stderr).__module__],
        "publisher": sorted(vars(_shell.display_pub).keys() & {"publish", "clear_output"}),
        "hook": type(sys.displayhook).__module__.split(".")[0],
        "alarm": [signal.getsignal(signal.SIGALRM) is signal.SIG_DFL, signal.getitimer(signal.ITIMER_REAL)],
        "interrupt": signal.getsignal(signal.SIGINT) is signal.default_int_handler,
        "probe": [n for n in vars(builtins) if "reflex" in n],
        "warnings": warnings.showwarning.__module__,
        "future": _shell.compile.flags,
    },
}, default=int))
"""

RESET = """
for _n in ("a", "b", "total"): globals().pop(_n, None)
log, box = [], {"k": [1]}
t = same = pd.DataFrame({"revenue": [1, 2]})
pathlib.Path("out.txt").unlink(missing_ok=True)
pathlib.Path("old.txt").write_text("old")
"""

CELL = """a = 1
log.append(1)
t['x'] = 5
box['k'].append(2)
time.sleep(0.04)
total = t['Revenue'].sum()
t.loc[0, 'revenue'] = 7
with open('old.txt', 'w') as file: file.write('new' * 1000)
for i in range(20): time.sleep(0.002); log.append(i)
print('shown'); display(t)
with open('out.txt', 'w') as file: file.write('done' * 1000)
b = 2"""
"""Fails in its sixth step, and is repaired there. Half of its time is before, half is after."""


class Kernel:
    """A kernel and its client."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient, folder: Path) -> None:
        self.manager, self.client, self.folder = manager, client, folder

    def start(self, code: str, *, stdin: bool = False) -> str:
        """Send a cell; returns when it has begun."""
        sent = self.client.execute(code, allow_stdin=stdin)
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") == sent and message["msg_type"] == "status":
                return str(sent)

    def finish(self, sent: str) -> str:
        """Wait until the kernel is idle after a cell; what it printed, and the name of its error."""
        shown = ""
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != sent:
                continue
            content = message["content"]
            if message["msg_type"] == "stream":
                shown += content["text"]
            elif message["msg_type"] == "error":
                shown += f"\n{content['ename']}: {content['evalue']}"
            elif message["msg_type"] == "status" and content["execution_state"] == "idle":
                return shown

    def run(self, code: str) -> str:
        return self.finish(self.start(code))

    def interrupt(self) -> None:
        self.manager.interrupt_kernel()

    def look(self) -> Any:
        shown = self.run(LOOK)
        try:
            return json.loads(shown)
        except ValueError:
            pytest.fail(f"the kernel does not answer as it should: {shown!r}")


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    home = tmp_path_factory.mktemp("home")
    work = home / "work"
    work.mkdir()
    settings = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "REFLEX_"))}
    settings |= {"HOME": str(home), "IPYTHONDIR": str(home / "ipython"), "XDG_DATA_HOME": str(home / "data")}
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(work), env=settings)
    made = Kernel(manager, client, work)
    try:
        made.run(BEGIN)
        yield made
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


BEFORE = {"total": None, "b": None, "columns": ["revenue"], "log": [], "revenue": [1, 2], "box": {"k": [1]}}
FAILED = {**BEFORE, "columns": ["revenue", "x"], "log": [1], "box": {"k": [1, 2]}}
AFTER = {
    "total": 3,
    "b": 2,
    "columns": ["revenue", "x"],
    "log": [1, *range(20)],
    "revenue": [7, 2],
    "box": {"k": [1, 2]},
}
"""What the variables are before the cell, after its own steps ran up to the failure, and after the repair."""


def check(found: dict[str, Any], clean: dict[str, Any]) -> str:
    """Assert that nothing is in between; which of the states it is."""
    assert found["clean"] == clean
    assert found["same"], "the same frame under both names"
    assert [n for n in found["beside"] if n not in ("out.txt", "old.txt", ".reflex")] == []
    state = {k: found[k] for k in BEFORE}
    files = found["file"], found["old"]
    if state == AFTER:
        assert files == ("done" * 1000, "new" * 1000)
        return "after"
    assert files == (None, "old")
    # The analyst's own steps are not undone by an interrupt, as in a plain cell; each is whole.
    between = [
        {**BEFORE},
        {**BEFORE, "log": [1]},
        {**BEFORE, "log": [1], "columns": ["revenue", "x"]},
        FAILED,
    ]
    assert state in between
    return "failed" if state == FAILED else "before"


@pytest.mark.parametrize("options", ["", "--timeout 20"])
def test_two_hundred_moments(kernel: Kernel, options: str) -> None:
    """The kernel is interrupted at random moments from just before the cell to just after it."""
    moments = random.Random(7)
    body = f"%%reflect --accept --no-model {options}\n{CELL}"
    kernel.run(RESET)
    clean = kernel.look()["clean"]
    kernel.run(body)  # imports what it needs
    kernel.run(RESET)
    begun = time.monotonic()
    kernel.run(body)
    seconds = time.monotonic() - begun
    assert check(kernel.look(), clean) == "after", "uninterrupted it is repaired"
    seen: dict[str, int] = {}
    for _ in range(100):
        kernel.run(RESET)
        sent = kernel.start(body)
        time.sleep(moments.random() * seconds * 1.05)
        kernel.interrupt()
        kernel.finish(sent)
        state = check(kernel.look(), clean)
        seen[state] = seen.get(state, 0) + 1
    assert seen.keys() >= {"failed", "after"}, seen
    kernel.run(RESET)
    kernel.run(body)
    assert check(kernel.look(), clean) == "after", "the next run works"


WAITING = {
    "sleep": "time.sleep(60)",
    "a loop": "while True: pass",
    "a lock": "import threading\nevent = threading.Event()\nevent.wait()",
    "a process": "import subprocess\nx = subprocess.run(['sleep', '60'])",
    "a long call of compiled code": "x = sorted(range(3_000_000), key=str)\ntime.sleep(60)",
}


@pytest.mark.parametrize("body", WAITING.values(), ids=WAITING)
@pytest.mark.parametrize("where", ["run", "trial"])
def test_what_waits_is_interrupted(kernel: Kernel, body: str, where: str) -> None:
    kernel.run(RESET)
    clean = kernel.look()["clean"]
    write = "pathlib.Path('begun').write_text('x')"
    fault = "total = t['Revenue'].sum()\n" if where == "trial" else ""
    sent = kernel.start(f"%%reflect --accept --no-model\nlog.append(1)\n{fault}log.append(2)\n{write}\n{body}")
    begun = kernel.folder / "begun"
    deadline = time.monotonic() + PATIENCE
    while not begun.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.1)
    kernel.interrupt()
    started = time.monotonic()
    shown = kernel.finish(sent)
    assert time.monotonic() - started < PATIENCE
    # A trial that is interrupted leaves the cell as it failed.
    assert ("KeyboardInterrupt" if where == "run" else "KeyError: 'Revenue'") in shown
    begun.unlink(missing_ok=True)
    found = kernel.look()
    assert found["clean"] == clean
    assert found["log"] == ([1, 2] if where == "run" else [1])
    assert found["total"] is None
    assert kernel.run("print('alive')") == "alive\n"


def test_waiting_for_a_person(kernel: Kernel) -> None:
    kernel.run(RESET)
    clean = kernel.look()["clean"]
    sent = kernel.start(
        "%%reflect --accept --no-model\nlog.append(1)\nname = input('name? ')\nlog.append(2)", stdin=True
    )
    request = kernel.client.get_stdin_msg(timeout=PATIENCE)
    assert request["content"]["prompt"] == "name? "
    kernel.interrupt()
    shown = kernel.finish(sent)
    assert "KeyboardInterrupt" in shown
    found = kernel.look()
    assert (found["clean"], found["log"]) == (clean, [1])
    sent = kernel.start("%%reflect --accept --no-model\nname = input('name? ')\nprint(name)", stdin=True)
    kernel.client.get_stdin_msg(timeout=PATIENCE)
    kernel.client.input("Ada")
    assert "Ada" in kernel.finish(sent)


def test_the_limit_strikes_while_a_person_is_waited_for(kernel: Kernel) -> None:
    sent = kernel.start("%%reflect --no-model --timeout 0.3\nname = input('name? ')", stdin=True)
    kernel.client.get_stdin_msg(timeout=PATIENCE)
    assert "CellUnresolved" in kernel.finish(sent)
    assert kernel.run("print('alive')") == "alive\n"
