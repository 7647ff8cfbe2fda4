"""The file on the disk: many writers, killed writers, broken lines, no room, no rights."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from reflex_magic.lessons.file import LessonsFile, find, home, user_key


def outcome(lesson: str, what: str = "held") -> dict[str, object]:
    return {"schema": 1, "kind": "outcome", "lesson": lesson, "what": what, "when": "2026-01-01T00:00:00.000Z"}


@pytest.fixture
def file(tmp_path: Path) -> LessonsFile:
    return LessonsFile(tmp_path / ".reflex" / "lessons.jsonl")


def test_round_trip(file: LessonsFile) -> None:
    assert file.read() == []
    assert file.append([outcome("a"), outcome("größe")])
    assert file.append([outcome("c")])
    assert [line["lesson"] for line in file.read()] == ["a", "größe", "c"]
    assert "größe" in file.path.read_text(encoding="utf-8"), "readable in a diff"
    assert file.notes == []


def test_the_folder_is_made_to_be_committed(file: LessonsFile) -> None:
    file.append([outcome("a")])
    assert (file.path.parent / ".gitattributes").read_text() == "*.jsonl merge=union\n"
    assert (file.path.parent / ".gitignore").read_text() == "*.lock\n"


def test_two_branches_merge_by_keeping_both(tmp_path: Path) -> None:
    def git(*command: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *identity, *command], cwd=tmp_path, check=True, capture_output=True)

    file = LessonsFile(tmp_path / ".reflex" / "lessons.jsonl")
    git("init")
    file.append([outcome("base")])
    git("add", ".")
    git("commit", "-m", "base")
    git("checkout", "-b", "other")
    file.append([outcome("theirs")])
    git("commit", "-am", "theirs")
    git("checkout", "main")
    file.append([outcome("ours")])
    git("commit", "-am", "ours")
    git("merge", "other")
    assert {line["lesson"] for line in file.read()} == {"base", "theirs", "ours"}
    assert file.notes == []
    tracked = subprocess.run(["git", "ls-files"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert ".lock" not in tracked


def test_a_broken_line_is_reported_once_and_kept(file: LessonsFile) -> None:
    file.append([outcome("a")])
    with file.path.open("ab") as raw:
        raw.write(
            b'{"broken\n<<<<<<< HEAD\n\xff\xfe\n[1]\n{"schema": true, "kind": 3}\n' + b'"' + b"x" * 70_000 + b'"\n'
        )
    file.append([outcome("b")])
    before = file.path.read_bytes()
    for _ in range(3):
        assert [line["lesson"] for line in file.read()] == ["a", "b"]
    assert file.notes == [".reflex/lessons.jsonl: 6 lines (the first is line 2) cannot be read and were skipped"]
    assert file.path.read_bytes() == before


def test_a_line_of_a_newer_version_is_reported_once_and_kept(file: LessonsFile) -> None:
    newer = {"schema": 2, "kind": "lesson", "id": "n"}
    file.append([newer, outcome("a")])
    assert [line["lesson"] for line in file.read()] == ["a"]
    file.append([outcome("b")])
    assert [line["lesson"] for line in file.read()] == ["a", "b"]
    assert len(file.notes) == 1
    assert "line 1 was written by a newer version" in file.notes[0]
    assert json.loads(file.path.read_text().splitlines()[0]) == newer


def test_half_a_line_is_ended_and_only_it_is_lost(file: LessonsFile) -> None:
    file.append([outcome("a")])
    with file.path.open("ab") as raw:
        raw.write(b'{"schema": 1, "kind": "outc')
    assert [line["lesson"] for line in file.read()] == ["a"]
    assert file.notes == [], "another kernel may be writing it now"
    file.append([outcome("b")])
    assert [line["lesson"] for line in file.read()] == ["a", "b"]
    assert file.notes == [".reflex/lessons.jsonl: line 2 cannot be read and was skipped"]
    assert b'"kind": "outc\n' in file.path.read_bytes()


def test_a_whole_last_line_without_its_end_counts(file: LessonsFile) -> None:
    file.path.parent.mkdir()
    file.path.write_text(json.dumps(outcome("a")))
    assert [line["lesson"] for line in file.read()] == ["a"]
    file.append([outcome("b")])
    assert [line["lesson"] for line in file.read()] == ["a", "b"]
    assert file.notes == []


def test_a_folder_that_cannot_be_made_costs_one_line(tmp_path: Path) -> None:
    (tmp_path / ".reflex").write_text("a file where the folder should be")
    file = LessonsFile(tmp_path / ".reflex" / "lessons.jsonl")
    assert file.read() == []
    assert not file.append([outcome("a")])
    assert not file.append([outcome("b")])
    assert len(file.notes) == 1
    assert "cannot be written" in file.notes[0]
    assert (tmp_path / ".reflex").read_text() == "a file where the folder should be"


def test_a_folder_where_the_file_should_be_costs_one_line_each_way(tmp_path: Path) -> None:
    file = LessonsFile(tmp_path / "lessons.jsonl")
    file.path.mkdir()
    assert file.read() == []
    assert not file.append([outcome("a")])
    assert len(file.notes) == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_costs_one_line(tmp_path: Path) -> None:
    file = LessonsFile(tmp_path / "lessons.jsonl")
    file.path.symlink_to("/dev/full")
    assert not file.append([outcome("a")])
    assert len(file.notes) == 1
    assert "cannot be written" in file.notes[0]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a file size limit")
def test_a_disk_that_fills_within_a_line_leaves_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "lessons.jsonl"
    script = f"""
        import resource
        from pathlib import Path
        from reflex_magic.lessons.file import LessonsFile
        file = LessonsFile(Path({str(path)!r}))
        line = {outcome("a")!r}
        assert file.append([line])
        size = file.path.stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, size + 20))
        assert not file.append([line])
        print(file.path.stat().st_size == size, len(file.notes), file.notes[0])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("True 1 nothing was learned:"), done.stdout
    assert len(LessonsFile(path).read()) == 1


WRITER = """
import os, sys
from pathlib import Path
from reflex_magic.lessons.file import LessonsFile
file, name = LessonsFile(Path(sys.argv[1])), sys.argv[2]
print("ready", flush=True)
for number in range(100_000):
    line = {"schema": 1, "kind": "outcome", "lesson": f"{name}-{number}", "what": "held", "when": "x" * 200}
    if not file.append([line]):
        raise SystemExit(str(file.notes))
    os.write(1, f"{name}-{number}\\n".encode())
"""


def test_what_was_acknowledged_is_there_though_writers_are_killed(tmp_path: Path) -> None:
    path = tmp_path / ".reflex" / "lessons.jsonl"
    choose = random.Random(7)

    def start(name: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        return process

    def kill(process: subprocess.Popen[bytes]) -> list[str]:
        os.kill(process.pid, signal.SIGKILL)
        said = process.communicate()[0].decode()
        assert process.returncode == -signal.SIGKILL, said
        return said.splitlines()

    acknowledged: list[str] = []
    writers = [start(f"w{i}") for i in range(4)]
    for number in range(4, 8):
        time.sleep(choose.uniform(0.05, 0.2))
        acknowledged += kill(writers.pop(choose.randrange(len(writers))))
        writers.append(start(f"w{number}"))
    time.sleep(0.2)
    for writer in writers:
        acknowledged += kill(writer)

    file = LessonsFile(path)
    assert file.append([outcome("last")]), "no lock is left behind"
    found = [line["lesson"] for line in file.read()]
    assert len(acknowledged) > 20
    assert set(acknowledged) <= set(found)
    assert len(found) == len(set(found))
    assert found[-1] == "last"


def test_where_the_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REFLEX_LESSONS", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    deep = tmp_path / "project" / "notebooks" / "a"
    deep.mkdir(parents=True)
    assert find(deep) == home() / "lessons.jsonl"
    for mark in ("pyproject.toml", ".git"):
        (tmp_path / "project" / mark).touch()
        assert find(deep) == tmp_path / "project" / ".reflex" / "lessons.jsonl"
    (tmp_path / "project" / "notebooks" / ".reflex").mkdir()
    assert find(deep) == tmp_path / "project" / "notebooks" / ".reflex" / "lessons.jsonl"
    monkeypatch.setenv("REFLEX_LESSONS", str(tmp_path / "mine.jsonl"))
    assert find(deep) == tmp_path / "mine.jsonl"
    monkeypatch.setenv("REFLEX_LESSONS", str(tmp_path))
    assert find(deep) == tmp_path / "lessons.jsonl"


def test_the_key_is_made_once_and_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "reflex"
    key = user_key(folder)
    assert len(key) >= 32
    assert user_key(folder) == key
    assert [f.name for f in folder.iterdir()] == ["lessons.key"]
    if os.name == "posix":
        assert stat.S_IMODE((folder / "lessons.key").stat().st_mode) == 0o600
