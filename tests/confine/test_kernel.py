"""A confined child of a real kernel: many threads, sockets of a message queue, a front end that listens."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel
from jupyter_core.utils import ensure_event_loop

pytestmark = pytest.mark.slow

Kernel = tuple[Any, Any]

SETUP = """
import logging, os, time
import pandas as pd
from IPython.display import display
from reflex_magic.execute.confine import Confinement
confinement = Confinement()

def run(act, seconds=20):
    return confinement.run(lambda: {"values": {}, "plain": act()}, seconds=seconds)

def kids():
    return open(f"/proc/self/task/{os.getpid()}/children").read()
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(tmp_path_factory.mktemp("work")))
    try:
        assert execute(client, SETUP) == ""
        yield manager, client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        ensure_event_loop().close()  # jupyter_client makes one for a thread, and leaves it open


def execute(client: Any, code: str) -> str:
    """Everything that came to the front end while the cell ran, as text."""
    shown: list[str] = []

    def hook(message: dict[str, Any]) -> None:
        content = message["content"]
        if message["msg_type"] == "stream":
            shown.append(content["text"])
        elif message["msg_type"] == "error":
            shown.append(content["ename"])
        elif "data" in content:
            shown.append(content["data"]["text/plain"])

    client.execute_interactive(code, timeout=60, output_hook=hook, store_history=True)
    return "".join(shown)


def test_level_in_a_kernel(kernel: Kernel) -> None:
    assert execute(kernel[1], "print(confinement.level)") == "S3\n"


def test_nothing_of_the_child_reaches_the_front_end(kernel: Kernel) -> None:
    code = """
def work():
    print("printed"); display(pd.DataFrame({"a": [1]})); logging.getLogger().warning("logged")
    get_ipython().display_formatter.format(1); get_ipython().run_cell("display(2); 1 + 1")
    get_ipython().kernel.session.send(get_ipython().kernel.iopub_socket, "stream", {"name": "stdout", "text": "forged"})
    return [get_ipython().user_ns["In"], list(get_ipython().history_manager.get_range(raw=True))[:1]]

found = run(work)
print(found.killed, found.plain, found.denied)
"""
    assert execute(kernel[1], code) == " [[''], []] ()\n"
    assert execute(kernel[1], "print(len(In) > 1, kids() == '')") == "True True\n"


def test_many_children_and_a_healthy_kernel(kernel: Kernel) -> None:
    code = """
for _ in range(10):
    assert run(lambda: pd.DataFrame({"a": range(1000)}).a.sum().item()).plain == 499500
assert run(lambda: time.sleep(60), seconds=0.3).killed == "time"
print("healthy", kids())
"""
    assert execute(kernel[1], code) == "healthy \n"


def test_sockets_of_the_kernel_are_dead_in_the_child(kernel: Kernel) -> None:
    code = """
import stat
def sockets():
    modes = []
    for fd in range(256):
        try: modes.append(os.fstat(fd).st_mode)
        except OSError: pass
    return sum(map(stat.S_ISSOCK, modes))
print(sockets() > 5, run(sockets).plain)
"""
    assert execute(kernel[1], code) == "True 0\n"


def test_interrupt_from_the_front_end(kernel: Kernel, tmp_path: Path) -> None:
    manager, client = kernel
    started = tmp_path / "started"
    code = f"""
import pathlib, threading
def note():
    while not kids(): time.sleep(0.01)
    pathlib.Path({str(started)!r}).touch()
threading.Thread(target=note).start()
run(lambda: time.sleep(60), seconds=60)
"""

    def interrupt() -> None:
        while not started.exists():
            threading.Event().wait(0.02)
        manager.interrupt_kernel()
        ensure_event_loop().close()

    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    assert execute(client, code) == "KeyboardInterrupt"
    thread.join()
    assert execute(client, "print(kids() == '', run(lambda: 5).plain)") == "True 5\n"
