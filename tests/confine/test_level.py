"""The level is found out by trying, drops when a barrier is missing, and forbids to run below S2."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from reflex_magic.errors import ReflexError
from reflex_magic.execute.confine import Confinement, landlock, level, linux, seccomp

PROGRAM = """
import pathlib, sys
from reflex_magic.errors import ReflexError
from reflex_magic.execute.confine import Confinement
sys.modules.update(dict.fromkeys(sys.argv[2:]))
confinement = Confinement(pathlib.Path(sys.argv[1]))

def work():
    answers = []
    for act in (lambda: pathlib.Path("new.txt").write_text("x"), lambda: pathlib.Path("seen.txt").read_text()):
        try:
            answers.append(str(act()))
        except OSError as error:
            answers.append(type(error).__name__)
    return {"values": {"n": 1}, "plain": answers}

try:
    found = confinement.run(work, seconds=20)
    print(confinement.level, found.values, found.plain, found.files)
except ReflexError as error:
    print(confinement.level, error)
"""


@pytest.mark.parametrize(
    ("disabled", "loaded", "printed"),
    [
        ("", (), "S3 {'n': 1} ['1', 'here'] ('would create new.txt',)"),
        ("landlock", (), "S2 {'n': 1} ['PermissionError', 'here'] ()"),
        ("seccomp", (), "S1 foreign code cannot be confined here (level S1)"),
        ("landlock,seccomp", (), "S1 foreign code cannot be confined here (level S1)"),
        ("", ("polars",), "S0 foreign code cannot be confined here (level S0)"),
    ],
)
def test_level_drops_with_what_is_missing(
    disabled: str, loaded: tuple[str, ...], printed: str, tmp_path: object
) -> None:
    (tmp_path / "seen.txt").write_text("here")  # type: ignore[operator]
    environment = {**os.environ, level.DISABLE: disabled}
    command = [sys.executable, "-W", "error", "-c", PROGRAM, str(tmp_path), *loaded]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == (printed, "")


def test_other_systems_are_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert Confinement().level == "S0"
    with pytest.raises(ReflexError, match="cannot be confined"):
        Confinement().run(lambda: {"values": {}, "plain": None}, seconds=1)


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_package_can_be_imported_where_nothing_can_be_confined(system: str) -> None:
    program = f"""
import sys
from reflex_magic.execute.confine import level
sys.platform = {system!r}
sys.modules.update(dict.fromkeys(["resource", "fcntl", "reflex_magic.execute.confine.linux"]))
from reflex_magic.execute.confine import Confined, Confinement
print(Confinement().level, Confined().killed == "")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("S0 True", "")


@pytest.mark.skipif(os.geteuid() != 0, reason="is an ordinary user already")
def test_ordinary_user_is_confined_as_root_is() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chown(folder, 65534, 65534)
        Path(folder, "seen.txt").write_text("here")
        become = """
import ctypes, os
import reflex_magic.execute.confine.trial
os.setgroups([]); os.setgid(65534); os.setuid(65534)
ctypes.CDLL(None).prctl(4, 1)
"""
        program = PROGRAM.replace("confinement =", f"{become}confinement =")
        done = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("S3 {'n': 1} ['1', 'here'] ('would create new.txt',)", "")


def test_unknown_machine_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert not level._withstands(frozenset({"landlock", "seccomp"}), reads=True)


def test_barrier_that_lets_an_act_through_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Landlock alone stops no fork, and the probe finds out."""
    monkeypatch.setattr(seccomp, "install", lambda read_only: None)
    assert not level._withstands(frozenset({"landlock", "seccomp"}), reads=True)


def test_old_landlock_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: landlock.OLDEST - 1)
    assert not level._withstands(frozenset({"landlock", "seccomp"}), reads=True)


def test_tables_name_the_same_calls_for_both_machines() -> None:
    """What one machine has and the other has not are the older forms that Linux keeps on x86-64."""
    older = {
        "open", "fork", "vfork", "rename", "mkdir", "rmdir", "creat", "link", "unlink", "symlink", "chmod", "chown",
        "lchown", "utime", "utimes", "futimesat", "mknod", "inotify_init", "iopl", "ioperm", "modify_ldt",
    }  # fmt: skip
    assert set(seccomp.X86_64) - set(seccomp.AARCH64) == older
    assert set(seccomp.AARCH64) <= set(seccomp.X86_64)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("read_only", [True, False])
def test_filter_jumps_stay_inside(machine: str, read_only: bool) -> None:
    steps = seccomp.Filter(machine, 1234, read_only).program()
    assert len(steps) < 4096
    for i, (code, if_true, if_false, _) in enumerate(steps):
        if code & 7 == 5:
            assert max(if_true, if_false) < 256
            assert i + 1 + max(if_true, if_false) < len(steps)


def test_failed_call_is_an_error() -> None:
    with pytest.raises(OSError, match="implemented"):
        linux.syscall(100_000)
