"""What a trial wrote is put back; what was committed stays; what was undone is gone."""

from __future__ import annotations

import gc
import os
import pathlib
import sqlite3

import pandas as pd
import pytest

from reflex_magic.execute import journal
from tests.execute.support import cell, completed, executor

SETUP = """
import os, pathlib, shutil, sqlite3, gzip, json
import pandas as pd, numpy as np
frame = pd.DataFrame({'a': [9]})
"""

WRITES = [
    "frame.to_csv('old.csv')",
    "open('old.csv', 'a').write('more')",
    "pathlib.Path('old.csv').write_text('third')",
    "json.dump({'a': 1}, open('new.json', 'w'))",
    "frame.to_json('old.csv')",
    "frame.to_pickle('new.pkl')",
    "frame.to_csv('new.csv.gz')",
    "np.save('old.npy', np.zeros(9))",
    "os.remove('old.csv')",
    "pathlib.Path('old.csv').unlink()",
    "os.rename('old.csv', 'moved.csv')",
    "os.replace('old.csv', 'old.npy')",
    "os.truncate('old.csv', 2)",
    "os.mkdir('made'); open('made/inside.txt', 'w').write('x')",
    "os.makedirs('one/two'); pathlib.Path('one/two/f').write_text('x')",
    "shutil.copy('old.csv', 'copy.csv')",
    "shutil.rmtree('folder')",
    "db = sqlite3.connect('old.sqlite'); db.execute('insert into t values (1)'); db.commit(); db.close()",
    "os.symlink('old.csv', 'link.csv')",
    "open('link-to-old', 'w').write('through the link')",
]


def tree():
    found = {}
    for folder, _, files in os.walk("."):
        found[folder] = None
        for name in files:
            path = pathlib.Path(folder, name)
            found[str(path)] = os.readlink(path) if path.is_symlink() else path.read_bytes()
    return found


@pytest.fixture
def namespace():
    pd.DataFrame({"a": [1]}).to_csv("old.csv")
    pathlib.Path("old.npy").write_bytes(b"numbers")
    os.symlink("old.csv", "link-to-old")
    os.makedirs("folder/sub")
    pathlib.Path("folder/sub/kept.txt").write_text("kept")
    db = sqlite3.connect("old.sqlite")
    db.execute("create table t (i)")
    db.commit()
    db.close()
    made = {}
    exec(SETUP, made)
    return made


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("line", WRITES)
def test_files_are_put_back_committed_and_undone(namespace, line):
    runner = executor(namespace)
    base = runner.run(cell("pass"))
    before = tree()
    trial = completed(runner.trial(cell(line), base, ()))
    assert tree() == before
    assert trial.doubts == ()
    runner.commit(trial)
    after = tree()
    assert after != before
    runner.undo(trial)
    assert tree() == before
    exec(line, namespace)
    assert tree().keys() == after.keys()


def test_files_written_are_listed(namespace):
    runner = executor(namespace)
    run = runner.run(cell("open('new.txt', 'w').close()\nfor _ in 'ab': open('tmp', 'w').close()\nos.remove('tmp')"))
    assert run.files == ("new.txt",)


def test_the_failed_run_keeps_its_files_and_a_trial_starts_without_them(namespace):
    runner = executor(namespace)
    base = runner.run(cell("pathlib.Path('out.txt').write_text('first'); nope"))
    trial = completed(
        runner.trial(cell("there = os.path.exists('out.txt')\npathlib.Path('out.txt').write_text('second')"), base, ())
    )
    assert pathlib.Path("out.txt").read_text() == "first"
    with runner.at(trial) as look:
        assert look["there"] is False
    runner.commit(trial)
    assert pathlib.Path("out.txt").read_text() == "second"
    runner.undo(trial)
    assert pathlib.Path("out.txt").read_text() == "first"


def test_a_file_too_large_to_copy_is_a_doubt(namespace, monkeypatch):
    monkeypatch.setattr(journal, "LARGEST", 3)
    runner = executor(namespace)
    trial = runner.trial(cell("os.truncate('old.csv', 2)"), runner.run(cell("pass")), ())
    assert trial.doubts == ("`old.csv` was written and is too large, or no plain file, to be put back",)


def test_reading_is_not_writing(namespace):
    assert executor(namespace).run(cell("pd.read_csv('old.csv')\nos.listdir()")).files == ()


def test_a_process_started_in_a_trial_is_a_doubt(namespace):
    runner = executor(namespace)
    trial = runner.trial(cell("import subprocess\nsubprocess.run(['true'])"), runner.run(cell("pass")), ())
    assert trial.doubts == ("a step started a process",)


def test_what_happens_outside_a_reflected_cell_is_nobodys_business(namespace):
    runner = executor(namespace)
    trial = runner.trial(cell("pass"), runner.run(cell("pass")), ())
    pathlib.Path("mine.txt").write_text("mine")
    runner.commit(trial)
    runner.undo(trial)
    assert pathlib.Path("mine.txt").read_text() == "mine"


def test_a_commit_is_refused_when_its_file_has_been_written_since(namespace):
    from reflex_magic.errors import StaleProposal

    runner = executor(namespace)
    trial = runner.trial(cell("pathlib.Path('old.csv').write_text('trial')"), runner.run(cell("pass")), ())
    pathlib.Path("old.csv").write_text("theirs")
    with pytest.raises(StaleProposal, match="a file changed since the proposal was tried"):
        runner.commit(trial)
    assert pathlib.Path("old.csv").read_text() == "theirs"


def test_the_copies_go_with_the_executor(namespace):
    runner = executor(namespace)
    runner.trial(cell("pathlib.Path('old.csv').write_text('trial')"), runner.run(cell("pass")), ())
    store = runner._journal._store
    assert list(store.iterdir())
    del runner
    gc.collect()
    assert not store.exists()
