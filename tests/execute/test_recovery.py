"""A process that is killed during a trial leaves no version of the trial behind."""

from __future__ import annotations

import json
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from reflex_magic.execute import recovery
from tests.execute.test_journal import contents, tree

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="locks and signals of POSIX systems")

BEGIN = """
import os, pathlib, shutil, sys, time
from tests.execute.support import cell, executor
def here(word):
    os.write(1, word.encode() + b'\\n')  # a trial keeps what it prints
    time.sleep(60)
runner = executor(globals())
"""

TRIAL = """
base = runner.run(cell({own!r}))
here_before = os.write(1, b'base\\n')
runner.trial(cell({body!r} + "\\nhere('trial')"), base, ())
"""

CHANGES = """
open('old.csv', 'a').write('the trial')
open('new.csv', 'w').write('the trial')
os.makedirs('made/inner'); open('made/inner/f', 'w').write('the trial')
shutil.rmtree('folder')
os.rename('moving', 'moved')
os.remove('link'); open('link', 'w').write('the trial')
os.chmod('rights', 0o600)
os.replace('replacing', 'replaced')
"""

MINE = "open('old.csv', 'w').write('mine'); open('mine.csv', 'w').write('mine')"

OLD = ("old.csv", "moving", "rights", "replaced", "replacing", "folder/sub/kept ünï.txt")


@pytest.fixture(autouse=True)
def _files(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(p for p in sys.path if p))
    os.makedirs("folder/sub")
    for number, name in enumerate(OLD):
        pathlib.Path(name).write_text(f"{name} as it was")
        os.utime(name, (10**9 + number, 10**9 + number))
    os.chmod("rights", 0o640)
    os.symlink("old.csv", "link")


def state():
    return pathlib.Path(os.environ["XDG_STATE_HOME"], "reflex-magic", "reflex-magic-files")


def stores():
    return [p for p in state().iterdir() if p.name != "kept"] if state().exists() else []


def kept():
    return {p.name: p.read_text() for p in (state() / "kept").rglob("*") if p.is_file()}


class Process:
    """Another process that runs `code` and says where it is."""

    def __init__(self, code):
        self.process = subprocess.Popen([sys.executable, "-c", BEGIN + code], stdout=subprocess.PIPE, bufsize=0)

    def __enter__(self):
        return self

    def wait_for(self, word):
        while True:
            assert select.select([self.process.stdout], [], [], 30)[0], f"never said {word}"
            line = self.process.stdout.readline()
            assert line, f"ended before it said {word}"
            if line.decode().strip() == word:
                return self

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def __exit__(self, *_):
        self.kill()
        self.process.stdout.close()


def killed(body=CHANGES, own="pass", code=TRIAL, word="trial", after=0.0):
    """A process that was killed when it had said `word`."""
    with Process(code.format(own=own, body=body)) as process:
        process.wait_for(word)
        time.sleep(after)
        process.kill()
        return process.process.pid


def test_files_are_put_back_and_what_the_trial_had_written_is_kept():
    before = tree()
    pid = killed()
    assert contents(tree()) != contents(before)
    (message,) = recovery.recover()
    assert tree() == before
    assert message.startswith(f"process {pid} ended on ")
    assert re.search(r"while a repair was tried; put back: .* and \d+ more; what was there is in ", message)
    assert "\n" not in message
    found = kept()
    assert found["old.csv"] == "old.csv as it wasthe trial"
    assert [found[name] for name in ("new.csv", "f", "link")] == ["the trial"] * 3
    assert stores() == []
    assert recovery.recover() == []


def test_the_folders_are_private():
    killed()
    recovery.recover()
    folders = [state(), *(p for p in state().rglob("*") if p.is_dir())]
    assert len(folders) >= 3
    assert folders[0].stat().st_mode & 0o077 == 0


def test_files_of_the_analysts_own_run_are_left_as_they_are():
    killed(own=f"{MINE}; here('own')", word="own")
    assert len(stores()) == 1
    assert recovery.recover() == []
    assert (pathlib.Path("old.csv").read_text(), pathlib.Path("mine.csv").read_text()) == ("mine", "mine")
    assert stores() == []


def test_what_the_analysts_run_wrote_is_there_again():
    """A trial begins without it: it is not there while the trial runs."""
    with Process(
        TRIAL.format(own=f"{MINE}; nope", body="there = os.path.exists('mine.csv'); os.write(1, b'%r\\n' % there)")
    ) as process:
        process.wait_for("base")
        before = tree()
        process.wait_for("False").wait_for("trial")
        assert pathlib.Path("old.csv").read_text() == "old.csv as it was"
        process.kill()
    (message,) = recovery.recover()
    assert tree() == before
    assert message.count("`mine.csv`") == message.count("`old.csv`") == 1


LOOK = """
base = runner.run(cell("pass"))
tried = runner.trial(cell({body!r}), base, ())
os.write(1, b'base\\n')
with runner.at(tried):
    here('trial')
"""


def test_a_look_at_a_trial_is_put_back_too():
    before = tree()
    killed(code=LOOK)
    assert contents(tree()) != contents(before)
    assert len(recovery.recover()) == 1
    assert tree() == before


def test_after_a_trial_there_is_nothing_to_put_back():
    killed(code="base = runner.run(cell('pass'))\nrunner.commit(runner.trial(cell({body!r}), base, ()))\nhere('trial')")
    after = tree()
    assert recovery.recover() == []
    assert tree() == after
    assert stores() == []


def test_processes_that_are_alive_are_left_alone():
    before = tree()
    with Process(TRIAL.format(own="pass", body=CHANGES)) as process:
        process.wait_for("trial")
        during = contents(tree())
        assert recovery.recover() == []
        assert contents(tree()) == during
        process.kill()
    assert len(recovery.recover()) == 1
    assert tree() == before


def test_two_that_recover_at_once_do_it_once():
    before = tree()
    killed()
    code = "from reflex_magic.execute.recovery import recover; print(len(recover()))"
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in "ab"]
    assert sorted(p.communicate(timeout=30)[0].strip() for p in both) == ["0", "1"]
    assert tree() == before


@pytest.mark.parametrize("how", ["write", "replace with an older file"])
def test_a_file_that_was_written_since_is_left_and_its_old_copy_kept(monkeypatch, how):
    monkeypatch.setattr(recovery, "GRACE", 0.1)
    before = tree()
    killed(after=2 * recovery.BEAT)
    time.sleep(0.3)
    if how == "write":
        pathlib.Path("old.csv").write_text("mine")
    else:
        pathlib.Path("other").write_text("mine")
        os.utime("other", (10**9, 10**9))
        os.replace("other", "old.csv")
    (message,) = recovery.recover()
    assert pathlib.Path("old.csv").read_text() == "mine"
    where = re.search(r"left, because written since: `old.csv` \(as it was: (.*?)\)", message)[1]
    assert pathlib.Path(where).read_text() == "old.csv as it was"
    after = tree()
    assert {path for path in before if before[path] != after.get(path)} == {"old.csv"}


def test_another_computer_is_not_touched(monkeypatch):
    killed()
    after = tree()
    monkeypatch.setattr("platform.node", lambda: "another")
    assert recovery.recover() == []
    assert tree() == after


def test_a_manifest_that_ends_in_the_middle_of_a_line_is_read_up_to_there():
    before = tree()
    killed()
    (store,) = stores()
    manifest = store / "trial.jsonl"
    at = manifest.stat()
    with manifest.open("a") as sink:
        sink.write('["/half')
    os.utime(manifest, ns=(at.st_mtime_ns, at.st_mtime_ns))
    assert len(recovery.recover()) == 1
    assert tree() == before


def test_what_cannot_be_put_back_is_kept_and_said(monkeypatch):
    killed("os.remove('folder/sub/kept ünï.txt')")
    os.rmdir("folder/sub")
    pathlib.Path("folder/sub").write_text("a file now")
    (message,) = recovery.recover()
    where = re.search(r"could not be put back: Not a directory \(as it was: (.*?)\)", message)[1]
    assert pathlib.Path(where).read_text().endswith("as it was")
    assert pathlib.Path("folder/sub").read_text() == "a file now"


def test_nothing_is_recovered_where_there_is_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "no" / "such"))
    assert recovery.recover() == []
    assert not (tmp_path / "no").exists()


def test_a_folder_that_others_can_read_is_neither_used_nor_believed(tmp_path, monkeypatch):
    before = tree()
    killed()
    (store,) = stores()
    store.chmod(0o755)
    assert recovery.recover() == []
    assert contents(tree()) != contents(before)
    store.chmod(0o700)
    assert len(recovery.recover()) == 1


def test_a_manifest_names_its_process():
    pid = killed()
    (store,) = stores()
    head = json.loads((store / "trial.jsonl").read_text().splitlines()[0])
    assert head["process"] == pid
    assert store.name.startswith(f"{pid}-{head['started']}-")
    recovery.recover()
