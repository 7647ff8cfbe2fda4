"""A process that runs attacks, each in a fork of its own: the analyst's session, once imported.

Reads lines of a path and ``all`` or ``kernel`` (without the tripwire); writes a JSON object a line:
harm, what came back, what the child was ended for.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

SECONDS = 2.0


def run(path: Path, barriers: str) -> dict[str, object]:
    """Set the session up, run the attack confined, and look at the harm, in this process."""
    from IPython.core.interactiveshell import InteractiveShell

    from reflex_magic.execute.confine import Confinement

    setup, attack, check = (part.partition("\n")[2] for part in path.read_text().split("# %% ")[1:])
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    namespace = shell.user_ns
    exec(compile(setup, "<setup>", "exec"), namespace)

    def work() -> dict[str, object]:
        printed, error = io.StringIO(), ""
        before = set(namespace)
        with redirect_stdout(printed), redirect_stderr(printed):
            try:
                exec(compile(attack, "<attack>", "exec"), namespace)
            except BaseException as raised:
                error = f"{type(raised).__name__}: {raised}"
        made = {name: value for name, value in namespace.items() if name not in before and not name.startswith("_")}
        return {"values": made, "plain": [printed.getvalue(), error]}

    if barriers == "kernel":
        sys.addaudithook = lambda hook: None  # type: ignore[assignment]
    started = time.monotonic()
    found = Confinement().run(work, seconds=SECONDS)
    plain = found.plain if isinstance(found.plain, list) else ["", ""]
    namespace.update(found.values)
    namespace |= {"OUT": "\n".join(map(str, plain)), "LIMIT": SECONDS, "TOOK": time.monotonic() - started}
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(check, "<check>", "exec"), namespace)
    return {
        "harm": bool(namespace["HARM"]),
        "out": namespace["OUT"][-300:],
        "killed": found.killed,
        "denied": found.denied,
        "files": found.files,
        "opaque": found.opaque,
    }


def main() -> None:
    import pandas as pd  # noqa: F401 - every attack begins with it, and a fork is cheaper
    import pyarrow.fs  # noqa: F401
    from IPython.core.interactiveshell import InteractiveShell  # noqa: F401

    from reflex_magic.execute import confine  # noqa: F401

    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    for line in sys.stdin:
        reader, writer = os.pipe()
        with tempfile.TemporaryDirectory(prefix="attack-") as folder:
            pid = os.fork()
            if pid == 0:
                os.environ |= {"ATTACK_DIR": folder, "TMPDIR": folder}
                tempfile.tempdir = folder
                try:
                    path, _, barriers = line.strip().rpartition(" ")
                    answer = run(Path(path), barriers)
                except BaseException as error:
                    answer = {"error": repr(error)}
                os.write(writer, json.dumps(answer).encode())
                os._exit(0)
            os.close(writer)
            with open(reader, "rb") as stream:
                answer = stream.read()
            os.waitpid(pid, 0)
        answers.write(answer.decode() + "\n")


if __name__ == "__main__":
    main()
