"""What a confined child does, brings back, cannot do, and is ended for."""

from __future__ import annotations

import ctypes
import dataclasses
import errno
import mmap
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reflex_magic.execute.confine import Confined, Confinement
from tests.confine.data_samples import FRAMES

SECONDS = 20.0


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with an input and a secret, and a secret outside."""
    folder = tmp_path / "project"
    (folder / "raw").mkdir(parents=True)
    (folder / "sales.csv").write_text("id,price\n1,9.5\n2,1.5\n")
    (folder / "raw" / "a.csv").write_text("a\n1\n")
    (folder / "raw" / ".hidden.csv").write_text("canary\n")
    (folder / ".env").write_text("KEY=canary\n")
    (folder / "api_token.txt").write_text("canary\n")
    (tmp_path / "outside.txt").write_text("canary\n")
    monkeypatch.chdir(folder)
    return folder


def confined(work: Callable[[], Any], *, seconds: float = SECONDS, memory: int = 1 << 30) -> Confined:
    """Run `work` in a child; what it returns is `plain`."""
    return Confinement().run(lambda: {"values": {}, "plain": work()}, seconds=seconds, memory=memory)


def refused(act: Callable[[], object]) -> Confined:
    """Run `act`, which must be refused with a `PermissionError` or an `OSError`."""

    def work() -> str:
        try:
            act()
        except OSError as error:
            return type(error).__name__
        return "it happened"

    found = confined(work)
    assert found.plain in ("PermissionError", "Denied", "OSError"), found
    return found


def children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


# --- ordinary work -------------------------------------------------------------------------------------------------


def test_pandas_work_gives_what_the_kernel_would_have_made(place: Path) -> None:
    def compute() -> dict[str, object]:
        sales = pd.read_csv("sales.csv")
        sales["when"] = pd.date_range("2024-03-30", periods=2, tz="Europe/Madrid")
        sales["kind"] = pd.Categorical(["lo", "hi"], ["lo", "hi"], ordered=True)
        sales["count"] = pd.array([1, None], dtype="Int64")
        by_kind = sales.groupby("kind", observed=True)["price"].agg(["sum", "mean"])
        return {"sales": sales, "by_kind": by_kind, "total": sales["price"].sum(), "wide": FRAMES["two levels"].stack()}

    found = Confinement().run(lambda: {"values": compute(), "plain": [1]}, seconds=SECONDS)
    expected = compute()
    assert dataclasses.replace(found, values={}, seconds=0.0) == Confined(plain=[1])
    for name in ("sales", "by_kind", "wide"):
        pd.testing.assert_frame_equal(found.values[name], expected[name])
    assert found.values["total"] == expected["total"]
    assert type(found.values["total"]) is type(expected["total"])


def test_mutation_in_the_child_leaves_the_kernel_alone(place: Path) -> None:
    frame, settings = pd.DataFrame({"a": [1, 2]}), {"rate": 5}

    def work() -> dict[str, object]:
        frame["a"] = 0
        frame.loc[2] = 9
        settings["rate"] = 0
        pd.set_option("display.max_rows", 7)
        return {"values": {"frame": frame, "settings": settings}, "plain": None}

    before = pd.get_option("display.max_rows")
    found = Confinement().run(work, seconds=SECONDS)
    assert found.values["settings"] == {"rate": 0}
    assert found.values["frame"]["a"].tolist() == [0, 0, 9]  # type: ignore[index]
    assert (frame["a"].tolist(), settings, pd.get_option("display.max_rows")) == ([1, 2], {"rate": 5}, before)


def test_what_is_not_data_is_named(place: Path) -> None:
    found = Confinement().run(lambda: {"values": {"f": len, "n": 1}, "plain": None}, seconds=SECONDS)
    assert found.values == {"n": 1}
    assert list(found.opaque) == ["f"]


def test_threads_events_and_new_modules_work_inside(place: Path) -> None:
    def work() -> list[object]:
        import asyncio
        import colorsys
        import tempfile
        from concurrent.futures import ThreadPoolExecutor

        async def three() -> int:
            return 3

        with ThreadPoolExecutor(2) as pool:
            squares = list(pool.map(lambda n: n * n, range(4)))
        with tempfile.TemporaryFile() as file:
            file.write(b"x")
        Path("copied.csv").touch()
        shutil.copy2("sales.csv", "copied.csv")
        return [squares, asyncio.run(three()), colorsys.rgb_to_hsv(0, 0, 0)[0], Path("copied.csv").read_text()]

    found = confined(work)
    assert found.plain == [[0, 1, 4, 9], 3, 0.0, (place / "sales.csv").read_text()], found
    assert found.denied == ()


def test_work_that_raises_is_told_by_class_only(place: Path) -> None:
    found = confined(lambda: 1 / 0)
    assert (found.killed, found.plain) == ("raised ZeroDivisionError", None)


def test_result_is_frozen(place: Path) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        confined(lambda: 1).plain = 2  # type: ignore[misc]


# --- files ---------------------------------------------------------------------------------------------------------


def test_changes_of_the_working_folder_are_reported_and_not_made(place: Path) -> None:
    def work() -> None:
        Path("out").mkdir()
        Path("out/new.csv").write_text("x")
        Path("sales.csv").write_text("gone")
        shutil.rmtree("raw")

    found = confined(work)
    assert found.killed == ""
    assert found.files == (
        "would create out/",
        "would create out/new.csv",
        "would overwrite sales.csv",
        "would delete raw/",
        "would delete raw/.hidden.csv",
        "would delete raw/a.csv",
    )
    assert (place / "sales.csv").read_text().startswith("id,price")
    assert (place / "raw" / "a.csv").exists()
    assert not (place / "out").exists()


@pytest.mark.parametrize("name", ["../new.csv", "../../new.csv"])
def test_file_beside_the_working_folder_is_refused(place: Path, name: str) -> None:
    found = refused(lambda: Path(name).write_text("x"))
    assert found.denied == (f"open {(place / name).resolve()} for writing",)


def test_large_input_is_read_but_not_written(place: Path) -> None:
    big = place / "big.bin"
    big.write_bytes(bytes(9 << 20))
    assert confined(lambda: len(Path("big.bin").read_bytes())).plain == 9 << 20
    found = refused(lambda: Path("big.bin").write_text("gone"))
    assert found.denied == ("open big.bin for writing",)
    assert big.stat().st_size == 9 << 20


def test_absolute_paths_into_the_working_folder_can_be_read(place: Path) -> None:
    assert confined(lambda: len(pd.read_csv(place / "sales.csv"))).plain == 2
    assert confined(lambda: sorted(p.name for p in (place / "raw").glob("*.csv"))).plain == [".hidden.csv", "a.csv"]


@pytest.mark.parametrize("name", ["../outside.txt", ".env", "api_token.txt", "raw/.hidden.csv"])
def test_secret_files_cannot_be_read(place: Path, name: str) -> None:
    for path in (Path(name), (place / name).resolve()):
        found = refused(path.read_text)
        assert found.denied == (f"open {shown(place, name)} for reading",)


def shown(place: Path, name: str) -> str:
    path = (place / name).resolve()
    return str(path.relative_to(place) if path.is_relative_to(place) else path)


@pytest.mark.parametrize("tripwire", [True, False], ids=["with tripwire", "kernel only"])
def test_nothing_outside_can_be_touched(place: Path, tripwire: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not tripwire:
        monkeypatch.setattr("sys.addaudithook", lambda hook: None)
    outside = place.parent / "outside.txt"
    libc = ctypes.CDLL(None, use_errno=True)

    def call(name: str, *arguments: object) -> None:
        if getattr(libc, name)(*arguments) < 0:
            raise OSError(ctypes.get_errno(), name)

    acts: dict[str, Callable[[], object]] = {
        "write": lambda: outside.write_text("x"),
        "create": (place.parent / "new").touch,
        "create in the real folder": lambda: (place / "new").write_text("x"),
        "delete": outside.unlink,
        "delete by C": lambda: call("unlink", str(outside).encode()),
        "truncate": lambda: os.truncate(outside, 0),
        "rename": lambda: outside.rename("mine"),
        "link": lambda: os.link(outside, "mine"),
        "open a link": lambda: os.symlink(outside, "mine"),
        "read": outside.read_text,
        "list": lambda: list(place.parent.iterdir()),
        "signal": lambda: os.kill(os.getppid(), 0),
        "group": lambda: os.killpg(0, 0),
        "priority": lambda: call("setpriority", 2, 0, 19),
        "connect": lambda: socket.create_connection(("127.0.0.1", 9), 1),
        "listen": lambda: socket.socket().bind(("127.0.0.1", 0)),
        "program": lambda: subprocess.run([sys.executable, "-c", ""], check=True),
        "shell": lambda: os.execv("/bin/sh", ["sh"]),
        "fork": os.fork,
        "parent's memory": lambda: os.open(f"/proc/{os.getppid()}/mem", os.O_RDONLY),
        "parent's environment": Path(f"/proc/{os.getpid()}/environ").read_bytes,
        "trace": lambda: call("ptrace", 16, os.getppid(), 0, 0),
        "memory file": lambda: os.memfd_create("x"),
    }

    def work() -> list[str]:
        happened = []
        for name, act in acts.items():
            try:
                act()
            except OSError as error:
                if error.errno not in (errno.EPERM, errno.EACCES, errno.EXDEV, None):
                    happened.append(f"{name}: {error}")
            else:
                happened.append(name)
        return happened

    found = confined(work)
    assert (found.plain, found.killed) == ([], "")
    assert outside.read_text() == "canary\n"
    assert sorted(p.name for p in place.parent.iterdir()) == ["outside.txt", "project"]
    assert not (place / "new").exists()
    assert len(found.denied) > 10 if tripwire else found.denied == ()


def test_metadata_stays_as_it_is(place: Path) -> None:
    sales = place / "sales.csv"
    before = sales.stat()

    def work() -> None:
        for act in (
            lambda: os.chmod(sales, 0),
            lambda: os.utime(sales, (0, 0)),
            lambda: os.setxattr(sales, "user.a", b""),
        ):
            try:
                act()
            except OSError:
                continue

    confined(work)
    after = sales.stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_mode,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )


# --- what the kernel had open --------------------------------------------------------------------------------------


def test_inherited_files_are_read_only_and_keep_their_place(place: Path) -> None:
    with open("log.txt", "w+") as log, open("sales.csv") as source:
        log.write("kept\n")
        log.flush()
        assert source.readline() == "id,price\n"

        def work() -> list[str]:
            try:
                log.write("spoiled\n")
                log.flush()
            except OSError:
                pass
            os.lseek(source.fileno(), 0, os.SEEK_SET)
            return [os.read(source.fileno(), 8).decode()]

        assert confined(work).plain == ["id,price"]
        assert os.lseek(source.fileno(), 0, os.SEEK_CUR) > 8
    assert Path("log.txt").read_text() == "kept\n"


def test_inherited_sockets_and_pipes_are_dead(place: Path) -> None:
    ours, theirs = socket.socketpair()
    reader, writer = os.pipe()

    def work() -> None:
        for send in (lambda: ours.sendall(b"DROP"), lambda: os.write(writer, b"DROP")):
            try:
                send()
            except OSError:
                continue

    assert confined(work).killed == ""
    os.close(writer)
    theirs.settimeout(0.1)
    with ours, theirs, pytest.raises(TimeoutError):
        theirs.recv(10)
    with open(reader, "rb") as stream:
        assert stream.read() == b""


def test_shared_memory_is_a_private_copy(place: Path) -> None:
    np.full(4096, 7, dtype="u1").tofile("big.bin")
    mapped = np.memmap("big.bin", dtype="u1", mode="r+")
    shared = mmap.mmap(-1, 4096)
    shared[:] = b"k" * 4096
    memory = os.memfd_create("x")
    os.ftruncate(memory, 4096)
    nameless = mmap.mmap(memory, 4096)

    def work() -> list[int]:
        seen = [int(mapped[0]), shared[0], nameless[0]]
        mapped[:] = 0
        mapped.flush()
        shared[:] = b"\0" * 4096
        nameless[:] = b"x" * 4096
        try:
            os.write(os.open(f"/proc/self/fd/{memory}", os.O_RDWR), b"x")
        except OSError:
            pass
        return seen

    assert confined(work).plain == [7, ord("k"), 0]
    assert (mapped == 7).all()
    assert bytes(shared) == b"k" * 4096
    assert bytes(nameless) == bytes(4096)
    os.close(memory)


def test_environment_is_empty_but_for_what_computing_needs(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    monkeypatch.setenv("TZ", "Europe/Madrid")
    seen = confined(lambda: dict(os.environ)).plain
    assert isinstance(seen, dict)
    assert "canary" not in str(seen)
    assert seen["TZ"] == "Europe/Madrid"
    assert Path(seen["HOME"]) != Path.home()


def test_initial_environment_block_is_gone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.addaudithook", lambda hook: None)

    def work() -> int:
        fields = PROC_STAT.rpartition(")")[2].split()
        start, end = int(fields[47]), int(fields[48])
        return sum(ctypes.string_at(start, end - start))

    PROC_STAT = Path("/proc/self/stat").read_text()
    assert work() > 0
    assert confined(work).plain == 0


# --- ended ---------------------------------------------------------------------------------------------------------


def forever() -> None:
    while True:
        pass


def deaf() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    while True:
        try:
            time.sleep(0.1)
        except BaseException:
            continue


def hoard() -> None:
    kept = []
    while True:
        kept.append(bytearray(os.urandom(1 << 16) * 64))


def chatter() -> None:
    while True:
        print("x" * 100_000)


def fill() -> None:
    for i in range(10_000):
        Path(f"fill{i}").write_bytes(bytes(32 << 20))


def flood() -> None:
    started = [threading.Thread(target=time.sleep, args=(60,), daemon=True) for _ in range(2000)]
    for thread in started:
        thread.start()


@pytest.mark.parametrize(
    ("act", "seconds", "reasons"),
    [
        (forever, 0.5, {"time"}),
        (deaf, 0.5, {"time"}),
        (hoard, 20.0, {"memory", "raised MemoryError"}),
        (chatter, 20.0, {"output"}),
        (fill, 20.0, {"scratch"}),
        # The address space may end before the threads are counted.
        (flood, 20.0, {"threads", "raised RuntimeError"}),
        (lambda: os._exit(0), 20.0, {"crash"}),
        (lambda: os.abort(), 20.0, {"crash"}),
        (lambda: ctypes.string_at(0), 20.0, {"crash", "raised Denied"}),
        (lambda: sys.exit(3), 20.0, {"raised SystemExit"}),
    ],
    ids=["loop", "deaf", "memory", "output", "disk", "threads", "exit", "abort", "segfault", "sys.exit"],
)
def test_runaway_is_ended_and_leaves_nothing(
    place: Path, act: Callable[[], None], seconds: float, reasons: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(place.parent))
    before, descriptors = children(), len(os.listdir("/proc/self/fd"))
    found = confined(act, seconds=seconds, memory=256 << 20)
    assert found.killed in reasons
    assert (found.plain, found.values) == (None, {})
    assert children() == before
    assert len(os.listdir("/proc/self/fd")) == descriptors
    assert sorted(p.name for p in place.parent.iterdir()) == ["outside.txt", "project"]
    assert confined(lambda: "healthy").plain == "healthy"


def test_threads_of_the_child_end_with_it(place: Path) -> None:
    def work() -> str:
        threading.Thread(target=forever).start()
        return "done"

    before = children()
    assert confined(work).plain == "done"
    assert children() == before


def test_interrupt_ends_the_child_and_is_raised(place: Path) -> None:
    before, started = children(), signal.getsignal(signal.SIGINT)

    def interrupt() -> None:
        while children() == before:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        confined(forever)
    thread.join()
    assert children() == before
    assert signal.getsignal(signal.SIGINT) is started


def test_runs_in_another_thread(place: Path) -> None:
    found: list[Confined] = []
    thread = threading.Thread(target=lambda: found.append(confined(lambda: 7)))
    thread.start()
    thread.join()
    assert found[0].plain == 7


# --- a child that lies ---------------------------------------------------------------------------------------------


def write_to_parent(data: bytes) -> None:
    """Write to every pipe that leads out, as foreign code could."""
    for number in range(3, 256):
        try:
            os.write(number, data)
        except OSError:
            continue


@pytest.mark.parametrize(
    ("data", "reasons"),
    [
        (b"garbage of any kind", {"crash"}),
        (b"R" + (4).to_bytes(8, "little") + b"nope", {"result"}),
        (b"R" + (1 << 60).to_bytes(8, "little"), {"time", "crash"}),
        (b"D" + (3).to_bytes(8, "little") + b"\xff{}", {""}),
        (b"F" + (4).to_bytes(8, "little") + b"\x1b[2J", {"raised an error"}),
        (b"R" + (12).to_bytes(8, "little") + (4).to_bytes(8, "little") + b"null", {"result"}),
    ],
    ids=["garbage", "short", "endless", "words", "name", "null"],
)
def test_forged_records_do_no_harm(place: Path, data: bytes, reasons: set[str]) -> None:
    found = confined(lambda: write_to_parent(data), seconds=2.0)
    assert found.killed in reasons
    assert all(words.isprintable() for words in found.denied)
