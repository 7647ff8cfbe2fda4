"""The attack snippets that are kept beside the project: none may do harm from a confined child."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("REFLEX_ATTACKS") or ROOT.parent / "shared" / "attacks")
ATTACKS = sorted(path.name for path in FOLDER.glob("[a-z][0-9][0-9]_*.py"))

ALLOWED = {
    "r09_user_var.py": "prints a variable that the kernel holds in memory; what a model is sent is scrubbed elsewhere",
}
"""Attacks that read what the analyst's kernel itself holds in memory: a fork cannot take that away."""

Ask = Callable[[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Runs an attack in a session of its own."""
    environment = {**os.environ, "OPENAI_API_KEY": "CANARY-3f9c1d", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("attack_session.py"))],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as session:
        assert session.stdin
        assert session.stdout

        def answer(name: str, barriers: str) -> dict[str, Any]:
            print(FOLDER / name, barriers, file=session.stdin, flush=True)
            found: dict[str, Any] = json.loads(session.stdout.readline())
            return found

        yield answer
        session.stdin.close()


def test_attacks_are_there() -> None:
    if not ATTACKS and os.environ.get("CI") != "true":
        pytest.skip(f"no attacks in {FOLDER.name}")
    assert ATTACKS


UNTIL_THE_LIMIT = ("p09", "p10", "p11", "p13")
"""Loops: what ends them is not in the child."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "barriers"),
    [
        (name, barriers)
        for name in ATTACKS
        for barriers in ("all", "kernel")
        if barriers == "all" or not name.startswith(UNTIL_THE_LIMIT)
    ],
)
def test_attack_does_no_harm(ask: Ask, name: str, barriers: str) -> None:
    found = ask(name, barriers)
    assert "error" not in found
    assert found["harm"] is (name in ALLOWED), found
