"""What a trial wrote is put back; what was committed stays; what was undone is gone."""

from __future__ import annotations

import gc
import importlib.util
import inspect
import os
import pathlib
import sqlite3
import subprocess
import sys
import textwrap
import threading
import traceback
import warnings

import pandas as pd
import pytest

from reflex_magic.core.outcome import Raised
from reflex_magic.errors import StaleProposal
from reflex_magic.execute import files, journal, recovery, writers
from tests.execute.support import cell, completed, executor

SETUP = """
import os, pathlib, shutil, sqlite3, gzip, json, logging, mmap, pickle, shelve, tempfile, threading, zipfile
import pandas as pd, numpy as np, pyarrow as pa
frame = pd.DataFrame({'a': [9]})
table = pa.table({'a': [9]})
"""

WRITES = [
    "frame.to_csv('old.csv')",
    "open('old.csv', 'a').write('more')",
    "open('old.csv', 'r+').write('x')",
    "open('old.csv', 'w').close()",
    "open(b'old.csv', 'w').write('bytes')",
    "open(os.path.abspath('old.csv'), 'w').write('whole')",
    "pathlib.Path('old.csv').write_text('third')",
    "pathlib.Path('ünï.txt').write_text('grün'); open('old ünï.txt', 'a').write('x')",
    "os.chdir('folder'); open('../old.csv', 'w').write('u'); os.chdir('sub'); os.remove('kept.txt'); os.chdir('../..')",
    "json.dump({'a': 1}, open('new.json', 'w'))",
    "frame.to_json('old.csv')",
    "frame.to_pickle('new.pkl')",
    "pickle.dump(1, open('old.csv', 'wb'))",
    "frame.to_csv('new.csv.gz')",
    "gzip.open('old.csv', 'wb').write(b'x')",
    "zipfile.ZipFile('old.csv', 'w').writestr('a', 'b')",
    "frame.to_excel('new.xlsx')",
    "np.save('old.npy', np.zeros(9))",
    "np.savez('old.npz', a=np.zeros(9))",
    "np.zeros(9).tofile('old.npy')",
    "m = np.memmap('old.npy', mode='r+', shape=7, dtype='u1'); m[0] = 1; m.flush(); del m",
    "f = open('old.npy', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0:2] = b'xx'; m.close(); f.close(); del f, m",
    "s = shelve.open('shelf'); s['a'] = 2; s.close(); del s",
    "s = shelve.open('new_shelf'); s['a'] = 2; s.close(); del s",
    "h = logging.FileHandler('old.csv'); h.emit(logging.makeLogRecord({'msg': 'm'})); h.close(); del h",
    "os.remove('old.csv')",
    "pathlib.Path('old.csv').unlink()",
    "os.rename('old.csv', 'moved.csv')",
    "os.rename('old.csv', 'moved.csv'); open('moved.csv', 'a').write('x'); open('old.csv', 'w').write('y')",
    "os.replace('old.csv', 'old.npy')",
    "os.rename('folder', 'moved'); open('moved/sub/kept.txt', 'w').write('x')",
    "shutil.move('folder', 'made_for_it')",
    "os.truncate('old.csv', 2)",
    "os.mkdir('made'); open('made/inside.txt', 'w').write('x')",
    "os.makedirs('one/two'); pathlib.Path('one/two/f').write_text('x')",
    "shutil.copy('old.csv', 'copy.csv')",
    "shutil.copytree('folder', 'copied')",
    "shutil.rmtree('folder')",
    "shutil.rmtree('folder'); open('folder', 'w').write('a file now')",
    "os.remove('old.csv'); os.mkdir('old.csv'); open('old.csv/inside', 'w').close()",
    "db = sqlite3.connect('old.sqlite'); db.execute('insert into t values (1)'); db.commit(); db.close(); del db",
    "db = sqlite3.connect('file:old.sqlite?mode=rw', uri=True)\ndb.execute('create table n (i)'); db.close(); del db",
    "db = sqlite3.connect('wal.sqlite'); db.execute('insert into t values (1)'); db.commit(); db.close(); del db",
    "db = sqlite3.connect('new.db'); frame.to_sql('fresh', db); db.close(); del db",
    "os.symlink('old.csv', 'link.csv')",
    "os.symlink('old.csv', 'link.csv'); open('link.csv', 'w').write('through a new link')",
    "open('link-to-old', 'w').write('through the link')",
    "os.remove('link-to-old'); open('link-to-old', 'w').write('a file now')",
    "os.link('old.csv', 'hard.csv'); open('hard.csv', 'w').write('through a new name')",
    "open('other-name', 'a').write('both names')",
    "os.chmod('old.csv', 0o600)",
    "os.chmod('folder', 0o700)",
    "os.utime('old.csv', (1, 1))",
    "open('read-only', 'w').write('x')" if os.geteuid() == 0 else "os.chmod('read-only', 0o644)",
    "n = os.open('old.csv', os.O_WRONLY | os.O_TRUNC); os.write(n, b'x'); os.close(n)",
    "n = os.open('old.csv', os.O_RDWR); os.ftruncate(n, 1); os.fchmod(n, 0o600); os.close(n)",
    "n = os.open('folder', 0); m = os.open('x', os.O_CREAT | os.O_WRONLY, dir_fd=n); os.close(m); os.close(n)",
    "n = os.open('folder', 0); os.mkdir('x', dir_fd=n); os.rename('sub', 's', src_dir_fd=n, dst_dir_fd=n); os.close(n)",
    "t = threading.Thread(target=lambda: open('old.csv', 'w').write('a thread')); t.start(); t.join(); del t",
    "ts = [threading.Thread(target=pathlib.Path(f'{i}.txt').write_text, args='x') for i in range(9)]\n"
    "for t in ts: t.start()\nfor t in ts: t.join()\ndel t, ts",
]

COMPILED = [
    ("", "frame.to_parquet('old.parquet')"),
    ("", "frame.to_parquet(pathlib.Path('new.parquet'))"),
    ("", "frame.to_parquet('parts', partition_cols=['a'])"),
    ("", "frame.to_parquet('old_parts', partition_cols=['a'])"),
    ("", "frame.to_feather('old.feather')"),
    ("", "frame.to_orc('new.orc')"),
    ("", "import pyarrow.parquet as pq; pq.write_table(table, 'old.parquet')"),
    ("", "from pyarrow.parquet import write_table; write_table(table, where='old.parquet')"),
    (
        "",
        "pq = __import__('pyarrow.parquet').parquet; w = pq.ParquetWriter('n.pq', table.schema); w.close(); del w, pq",
    ),
    ("", "import pyarrow.parquet as pq; pq.write_to_dataset(table, 'old_parts')"),
    ("", "import pyarrow.dataset as ds; ds.write_dataset(table, 'parts', format='parquet')"),
    ("", "import pyarrow.csv\npyarrow.csv.write_csv(table, 'old.csv')"),
    ("", "import pyarrow.feather as pf; pf.write_feather(table, 'old.feather')"),
    ("", "import pyarrow.orc as po; po.write_table(table, 'new.orc')"),
    ("", "w = pa.ipc.new_file('new.arrow', table.schema); w.write(table); w.close(); del w"),
    ("", "w = pa.ipc.new_stream('new.arrow', table.schema); w.write(table); w.close(); del w"),
    ("", "w = pa.OSFile('old.csv', 'wb'); w.write(b'x'); w.close(); del w"),
    ("", "import pyarrow.csv\nw = pyarrow.csv.CSVWriter('old.csv', table.schema); w.close(); del w"),
    ("", "w = pa.output_stream('old.csv'); w.write(b'x'); w.close(); del w"),
    ("h5py", "import h5py\nwith h5py.File('new.h5', 'w') as h: h['a'] = [1]"),
    ("h5py", "import h5py; h = h5py.File(name='old.h5', mode='a'); h['new'] = [1]; h.close(); del h"),
    ("tables", "frame.to_hdf('new.h5', key='a')"),
    ("tables", "import tables; h = tables.open_file('old.h5', 'a'); h.create_array('/', 'new', [1]); h.close(); del h"),
    ("polars", "import polars as pl; pl.DataFrame({'a': [1]}).write_csv('old.csv')"),
    *(
        ("polars", f"import polars as pl; pl.DataFrame({{'a': [1]}}).write_{kind}('new.{kind}')")
        for kind in ("parquet", "ipc", "ipc_stream", "json", "ndjson", "avro")
    ),
    *(
        ("polars", f"import polars as pl; pl.LazyFrame({{'a': [1]}}).sink_{kind}('new.{kind}')")
        for kind in ("csv", "parquet", "ipc", "ndjson")
    ),
]

needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="handles are looked up in /proc")
loose_ends = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


def tree():
    """Everything in the working folder: contents, rights, and when files were written."""
    found = {}
    for folder, folders, names in os.walk("."):
        found[folder] = os.stat(folder).st_mode
        for name in (*names, *(f for f in folders if os.path.islink(os.path.join(folder, f)))):
            path = pathlib.Path(folder, name)
            at = path.lstat()
            whole = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            found[str(path)] = os.readlink(path) if path.is_symlink() else (whole, at.st_mode, at.st_mtime_ns)
    return found


def contents(found):
    return {path: what[0] if isinstance(what, tuple) else what for path, what in found.items()}


def prepare():
    pd.DataFrame({"a": [1]}).to_csv("old.csv")
    pathlib.Path("old.npy").write_bytes(b"numbers")
    pathlib.Path("old.npz").write_bytes(b"numbers")
    pathlib.Path("old ünï.txt").write_text("old")
    pathlib.Path("read-only").write_text("read only")
    os.chmod("read-only", 0o444)
    os.link("old.csv", "other-name")
    os.symlink("old.csv", "link-to-old")
    os.makedirs("folder/sub")
    pathlib.Path("folder/sub/kept.txt").write_text("kept")
    for name, mode in (("old.sqlite", "delete"), ("wal.sqlite", "wal")):
        db = sqlite3.connect(name)
        db.execute(f"pragma journal_mode={mode}")
        db.execute("create table t (i)")
        db.commit()
        db.close()
    for name in pathlib.Path().iterdir():
        if name.is_file() and not name.is_symlink():
            os.utime(name, (10**9, 10**9))


@pytest.fixture
def namespace():
    prepare()
    made = {}
    exec(SETUP, made)
    return made


@pytest.fixture(autouse=True)
def _own_state_folder(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


def check_tried_committed_and_undone(namespace, line):
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
    gc.collect()
    assert tree().keys() == after.keys()


@loose_ends
@pytest.mark.parametrize("line", WRITES)
def test_files_are_put_back_committed_and_undone(namespace, line):
    if "dir_fd" in line and not os.path.isdir("/proc/self/fd"):
        pytest.skip("handles are looked up in /proc")
    if "to_excel" in line:
        pytest.importorskip("openpyxl")
    check_tried_committed_and_undone(namespace, line)


@loose_ends
@pytest.mark.parametrize(
    ("module", "line"), [pytest.param(m, c, marks=[pytest.mark.apart] if m == "polars" else []) for m, c in COMPILED]
)
def test_writers_in_compiled_code_are_seen(namespace, module, line):
    if module:
        pytest.importorskip(module)
    exec("frame.to_parquet('old.parquet'); frame.to_feather('old.feather')", namespace)
    exec("frame.to_parquet('old_parts', partition_cols=['a'])", namespace)
    if module in ("h5py", "tables"):
        exec(
            f"import {module} as m; {'m.File' if module == 'h5py' else 'm.open_file'}('old.h5', 'w').close()", namespace
        )
    runner = executor(namespace)
    base = runner.run(cell("pass"))
    before = tree()
    trial = completed(runner.trial(cell(line), base, ()))
    assert tree() == before
    assert trial.doubts == ()
    assert trial.files
    runner.commit(trial)
    after = tree()
    assert all(os.path.exists(name) for name in trial.files)
    runner.undo(trial)
    assert tree() == before
    assert after != before


@loose_ends
def test_the_list_of_files_names_what_compiled_code_wrote(namespace):
    lines = (
        "frame.to_parquet('one.parquet'); frame.to_csv('folder/two.csv')\nframe.to_parquet('parts', partition_cols='a')"
    )
    run = completed(executor(namespace).run(cell(lines)))
    assert set(run.files[:2]) == {"one.parquet", os.path.join("folder", "two.csv")}
    assert [pathlib.Path(f).parts[:2] for f in run.files[2:]] == [("parts", "a=9")]


FIRST_USE = """
import os, sys, tempfile
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(dir=".")
{setup}
from tests.execute.support import cell, completed, executor
runner = executor(globals())
base = runner.run(cell("pass"))
trial = completed(runner.trial(cell({line!r}), base, ()))
assert not os.path.exists("new"), trial.doubts
print(trial.files, trial.doubts)
"""


@pytest.mark.parametrize(
    ("module", "setup", "line"),
    [
        ("", "import pandas as pd; frame = pd.DataFrame({'a': [1]})", "frame.to_parquet('new')"),
        ("", "import pandas as pd; frame = pd.DataFrame({'a': [1]})", "frame.to_feather('new')"),
        ("tables", "import pandas as pd; frame = pd.DataFrame({'a': [1]})", "frame.to_hdf('new', key='a')"),
        ("h5py", "", "import h5py; h5py.File('new', 'w').close()"),
        ("polars", "", "import polars; polars.DataFrame({'a': [1]}).write_ipc('new')"),
    ],
)
def test_a_writer_that_the_step_itself_imports_is_seen(module, setup, line):
    if module and importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not there")
    code = FIRST_USE.format(setup=setup, line=line)
    path = os.pathsep.join(p for p in sys.path if p)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert done.stderr == ""
    # Importing h5py starts a process.
    assert done.stdout == ("('new',) ('a step started a process',)\n" if module == "h5py" else "('new',) ()\n")


# -- nothing is left of the wrapping -----------------------------------------------------------------


def meanings():
    found = {}
    for writer in writers.WRITERS:
        module = sys.modules.get(writer.module)
        owner = getattr(module, writer.owner, None) if writer.owner else module
        found |= {(writer.module, writer.owner, n): vars(owner).get(n) for n in writer.names if owner is not None}
    return found


@pytest.mark.parametrize("line", ["pass", "1 / 0", "raise SystemExit", "raise KeyboardInterrupt", "import pyarrow.orc"])
def test_after_a_run_every_function_is_what_it_was(namespace, line):
    import pyarrow.dataset
    import pyarrow.orc
    import pyarrow.parquet  # noqa: F401

    before, seen = meanings(), {}
    namespace["look"] = lambda: seen.update(meanings())
    executor(namespace).run(cell(f"look()\n{line}"))
    assert meanings() == before
    assert len(before) >= 5
    assert all(seen[key] is not before[key] and seen[key].__wrapped__ is before[key] for key in before)


def test_a_class_is_what_it_was_for_whoever_asks(namespace):
    body = """
f = pa.OSFile('old.csv')
class Mine(pa.OSFile): pass
m = Mine('old.csv')
answers = [isinstance(f, pa.OSFile), isinstance(m, pa.OSFile)]
answers += [isinstance(1, pa.OSFile), issubclass(pa.PythonFile, pa.OSFile)]
again = isinstance(f, Mine), isinstance(m, Mine), type(f).__name__, pa.OSFile.__name__, pa.OSFile.__module__
"""
    completed(executor(namespace).run(cell(body)))
    assert namespace["answers"] == [True, True, False, False]
    assert namespace["again"] == (False, True, "OSFile", "OSFile", "pyarrow.lib")
    assert type(namespace["f"]) is namespace["pa"].OSFile


def test_what_a_cell_itself_puts_there_stays(namespace):
    import pyarrow.parquet

    original = pyarrow.parquet.ParquetWriter.__init__
    try:
        executor(namespace).run(cell("import pyarrow.parquet as pq\npq.ParquetWriter.__init__ = len"))
        assert pyarrow.parquet.ParquetWriter.__init__ is len
    finally:
        pyarrow.parquet.ParquetWriter.__init__ = original


def test_a_traceback_has_no_frames_of_the_wrapping(namespace):
    body = """
import pyarrow.parquet as pq
try:
    pq.write_table(table, 'no/such/folder')
except OSError as error:
    raise ValueError from error
"""
    runner = executor(namespace)
    error = runner.exception(runner.run(cell(body)))
    names = [f.name for e in (error, error.__cause__) for f in traceback.extract_tb(e.__traceback__)]
    assert [n for n in names if n[0] != "p"] == ["<module>", "<module>", "write_table", "__init__"]
    assert "call" not in names


@pytest.mark.apart
def test_a_warning_names_the_line_that_it_would_have_named(namespace):
    polars = pytest.importorskip("polars")
    original = polars.DataFrame.write_avro

    def write_avro(self, file):
        warnings.warn("old", UserWarning, stacklevel=2)

    try:
        polars.DataFrame.write_avro = write_avro
        namespace["polars"] = polars
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            executor(namespace).run(cell("\n\npolars.DataFrame().write_avro('x')"))
        assert [w.lineno for w in caught] == [3]
        assert caught[0].filename.startswith("<reflect")
    finally:
        polars.DataFrame.write_avro = original


def test_a_function_looks_as_always_while_it_is_wrapped(namespace):
    import pyarrow.csv

    namespace["found"] = found = []
    body = "import inspect, pyarrow.csv\nfound += [pyarrow.csv.write_csv.__name__, pyarrow.csv.write_csv.__doc__]"
    completed(executor(namespace).run(cell(body)))
    assert found == ["write_csv", inspect.getdoc(pyarrow.csv.write_csv) and pyarrow.csv.write_csv.__doc__]


# -- what cannot be kept, and what is not seen ---------------------------------------------------------


UNKEPT = [
    "os.truncate('old.csv', 2)",
    "os.remove('old.csv')",
    "os.replace('old.npy', 'old.csv')",
    "frame.to_csv('old.csv')",
    "shutil.rmtree('.')",
    "import pyarrow.csv\npyarrow.csv.write_csv(table, 'old.csv')",
]


@loose_ends
@pytest.mark.parametrize("line", UNKEPT)
def test_a_trial_is_not_let_near_a_file_that_cannot_be_kept(namespace, monkeypatch, line):
    monkeypatch.setattr(journal, "ROOM", 3)
    runner = executor(namespace)
    base = runner.run(cell("pass"))
    before = tree()
    trial = runner.trial(cell(line), base, ())
    assert tree() == before
    assert isinstance(trial.outcome, Raised)
    assert trial.outcome.ename == "NotKept"
    assert len(trial.doubts) == 1
    assert "would have been changed and could not be kept first" in trial.doubts[0]


def test_code_that_swallows_the_refusal_leaves_the_doubt(namespace, monkeypatch):
    monkeypatch.setattr(journal, "ROOM", 3)
    runner = executor(namespace)
    line = "try: os.remove('old.csv')\nexcept OSError: pass"
    trial = completed(runner.trial(cell(line), runner.run(cell("pass")), ()))
    assert [d.split(" would")[0] for d in trial.doubts] == ["`old.csv` (0 MB)"]


@loose_ends
def test_the_analysts_own_run_is_never_held_up_and_nothing_of_it_is_lost(namespace, monkeypatch):
    monkeypatch.setattr(journal, "ROOM", 3)
    monkeypatch.setattr(journal, "OWN_ROOM", 3)
    runner = executor(namespace)
    base = completed(runner.run(cell("open('new.csv', 'w').write('mine')\nopen('old.csv', 'w').write('mine')")))
    before = tree()
    trial = completed(runner.trial(cell("there = open('new.csv').read()"), base, ()))
    assert tree() == before
    assert pathlib.Path("new.csv").read_text() == "mine"
    assert set(trial.doubts) == {f"`{n}` is too large to be kept, and stays as it is" for n in ("new.csv", "old.csv")}


def test_a_folder_with_too_many_entries_is_not_touched_by_a_trial(namespace, monkeypatch):
    monkeypatch.setattr(journal, "ENTRIES", 2)
    runner = executor(namespace)
    own = completed(runner.run(cell("shutil.rmtree('folder')")))
    prepare_again = pathlib.Path("folder/sub")
    prepare_again.mkdir(parents=True)
    for name in "abc":
        (prepare_again / name).write_text(name)
    trial = runner.trial(cell("os.rename('folder', 'moved')"), own, ())
    assert sorted(p.name for p in prepare_again.iterdir()) == ["a", "b", "c"]
    assert any("more than 2 entries" in d for d in trial.doubts)


FULL = """
import os, resource, sys, tempfile
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(dir=".")
from tests.execute.support import cell, executor
open("big", "wb").write(bytes(200_000))
runner = executor({{"os": os}})
base = runner.run(cell({own!r}))
size = os.path.getsize("big")
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY))
trial = runner.trial(cell("os.truncate('big', 5)"), base, ())
print(os.path.getsize("big") == size, trial.outcome.ename, len(trial.doubts))
"""


@pytest.mark.parametrize(("limit", "own"), [(100_000, "pass"), (10, "pass"), (0, "pass")])
def test_when_a_copy_cannot_be_written_nothing_is_lost(limit, own):
    done = subprocess.run(
        [sys.executable, "-c", FULL.format(own=own, limit=limit)],
        capture_output=True, text=True, env=os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("True NotKept 1\n", "")


def test_a_disk_that_is_nearly_full_is_not_filled(namespace, monkeypatch):
    monkeypatch.setattr(files, "SPARE", 1 << 62)
    runner = executor(namespace)
    trial = runner.trial(cell("os.remove('old.csv')"), runner.run(cell("pass")), ())
    assert os.path.exists("old.csv")
    assert trial.outcome.ename == "NotKept"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_in_a_folder_that_cannot_be_written_is_put_back(namespace):
    os.chmod("folder/sub", 0o500)
    try:
        check_tried_committed_and_undone(namespace, "pathlib.Path('folder/sub/kept.txt').write_text('x')")
    finally:
        os.chmod("folder/sub", 0o700)


UNSEEN = [
    "m = pa.memory_map('old.npy', 'r+'); m.write(b'x'); m.close()",
    "pa.fs.LocalFileSystem().open_output_stream('new.bin').close()",
]


@pytest.mark.parametrize("line", UNSEEN)
def test_what_is_not_seen_is_found_and_is_a_doubt(namespace, line):
    exec("import pyarrow.csv, pyarrow.fs", namespace)
    runner = executor(namespace)
    trial = completed(runner.trial(cell(line), runner.run(cell("pass")), ()))
    name = "old.npy" if "old" in line else "new.bin"
    assert trial.doubts == (f"`{name}` was written in a way that is not seen, and was not put back",)


@needs_proc
def test_what_is_written_through_an_older_handle_is_a_doubt(namespace, tmp_path_factory):
    """What was flushed stays in the file. Logging handlers and connections are such handles too."""
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "app.log"
    handle = os.open(elsewhere, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        namespace["handle"] = handle
        runner = executor(namespace)
        trial = completed(runner.trial(cell("os.write(handle, b'a line')"), runner.run(cell("pass")), ()))
    finally:
        os.close(handle)
    assert trial.doubts == (f"`{elsewhere}` was written in a way that is not seen, and was not put back",)
    assert elsewhere.read_text() == "a line"


def test_an_older_handle_still_writes_to_the_file_that_was_put_back(namespace):
    with open("old.csv", "a") as older:
        runner = executor(namespace)
        base = runner.run(cell("pass"))
        before = pathlib.Path("old.csv").read_text()
        completed(runner.trial(cell("pathlib.Path('old.csv').write_text('trial')"), base, ()))
        older.write("appended")
    assert pathlib.Path("old.csv").read_text() == before + "appended"


def test_a_pipe_is_a_doubt_and_devices_are_not(namespace):
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        runner = executor(namespace)
        lines = "open('/dev/null', 'w').close()\nopen('pipe', 'w').close()"
        trial = completed(runner.trial(cell(lines), runner.run(cell("pass")), ()))
    finally:
        os.close(reader)
    assert trial.doubts == ("a step used a pipe or a device",)


def test_files_in_folders_of_the_home_are_noted_where_the_work_is_there(namespace, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    work = tmp_path / ".local" / "work"
    work.mkdir(parents=True)
    monkeypatch.chdir(work)
    line = f"open('mine', 'w').close()\nopen({str(tmp_path / '.local' / 'theirs')!r}, 'w').close()"
    assert completed(executor(namespace).run(cell(line))).files == ("mine",)


# -- whose business it is --------------------------------------------------------------------------


def test_files_written_are_listed(namespace):
    runner = executor(namespace)
    run = runner.run(cell("open('new.txt', 'w').close()\nfor _ in 'ab': open('tmp', 'w').close()\nos.remove('tmp')"))
    assert run.files == ("new.txt",)


def test_the_failed_run_keeps_its_files_and_a_trial_starts_without_them(namespace):
    runner = executor(namespace)
    base = runner.run(cell("pathlib.Path('out.txt').write_text('first'); frame.to_parquet('out.parquet'); nope"))
    trial = completed(
        runner.trial(
            cell("there = os.listdir()\npathlib.Path('out.txt').write_text('second'); frame.to_parquet('out.parquet')"),
            base,
            (),
        )
    )
    assert pathlib.Path("out.txt").read_text() == "first"
    with runner.at(trial) as look:
        assert not {"out.txt", "out.parquet"} & set(look["there"])
        assert pathlib.Path("out.txt").read_text() == "second"
    runner.commit(trial)
    assert pathlib.Path("out.txt").read_text() == "second"
    runner.undo(trial)
    assert pathlib.Path("out.txt").read_text() == "first"


def test_reading_is_not_writing(namespace):
    pytest.importorskip("h5py").File("old.h5", "w").close()
    namespace["frame"].to_parquet("old.parquet")
    lines = (
        "pd.read_csv('old.csv'); pd.read_parquet('old.parquet')\nos.listdir()\nimport h5py; h5py.File('old.h5').close()"
    )
    assert completed(executor(namespace).run(cell(lines))).files == ()


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


def test_what_a_thread_of_an_earlier_cell_writes_is_not_the_cells(namespace):
    go, done = threading.Event(), threading.Event()

    def write():
        go.wait(10)
        pathlib.Path("theirs.txt").write_text("theirs")
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    namespace |= {"go": go, "done": done}
    run = completed(executor(namespace).run(cell("go.set()\nok = done.wait(10)\nopen('mine.txt', 'w').close()")))
    thread.join()
    assert namespace["ok"]
    assert run.files == ("mine.txt",)


@pytest.mark.parametrize(
    "raised", [("open", 1), ("open", "x", "w", "w"), ("os.rename", "x"), ("import", None), ("os.remove",)]
)
def test_an_event_that_is_not_what_it_should_be_costs_nothing(namespace, raised):
    namespace["raised"] = raised
    completed(executor(namespace).run(cell("import sys; sys.audit(*raised)")))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_neither_journals_nor_removes_the_copies(namespace):
    runner = executor(namespace)
    body = """
        pathlib.Path('old.csv').write_text('trial')
        child = os.fork()
        if not child:
            try:
                pathlib.Path('old.npy').write_text('the child')
                __import__('weakref').finalize._exitfunc()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
    """
    base = runner.run(cell("pass"))
    before = contents(tree())
    trial = completed(runner.trial(cell(textwrap.dedent(body)), base, ()))
    now = contents(tree())
    assert {path for path in now if now[path] != before[path]} == {"old.npy"}
    assert set(trial.doubts) == {
        "a step started a process",
        "`old.npy` was written in a way that is not seen, and was not put back",
    }


def test_a_commit_is_refused_when_its_file_has_been_written_since(namespace):
    runner = executor(namespace)
    trial = runner.trial(cell("pathlib.Path('old.csv').write_text('trial')"), runner.run(cell("pass")), ())
    pathlib.Path("old.csv").write_text("theirs")
    with pytest.raises(StaleProposal, match="a file changed since the proposal was tried"):
        runner.commit(trial)
    assert pathlib.Path("old.csv").read_text() == "theirs"


def test_the_copies_are_private_and_go_with_the_executor(namespace):
    runner = executor(namespace)
    runner.trial(cell("pathlib.Path('old.csv').write_text('trial')"), runner.run(cell("pass")), ())
    store = runner._journal._store.folder
    assert store in recovery._held
    assert [p.stat().st_mode & 0o777 for p in (store, store.parent)] == [0o700, 0o700]
    assert {p.name for p in store.iterdir()} > {"lock"}
    assert not (store / "trial.jsonl").exists()
    del runner
    gc.collect()
    assert not store.exists()
    assert store not in recovery._held


LOGGED = """
import os, tempfile, threading, time
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp()
log = os.dup(1)  # as a kernel keeps the stream that it was started with
from tests.execute.support import cell, completed, executor
stop = threading.Event()
def others():
    while not stop.wait(0.001):
        os.write(log, b"something of a server\\n")
writer = threading.Thread(target=others)
writer.start()
runner = executor({})
trial = completed(runner.trial(cell("import time; time.sleep(0.05)"), runner.run(cell("pass")), ()))
later = open("later", "wb", buffering=0)
write = cell("import os; os.write(" + str(later.fileno()) + ", b'x')")
second = completed(runner.trial(write, runner.run(cell("pass")), ()))
stop.set()
writer.join()
print((trial.doubts, len(second.doubts)), file=__import__("sys").stderr)
"""


@needs_proc
@pytest.mark.parametrize("place", ["server output", "../server output"])
def test_the_log_of_the_process_is_not_the_cells(place):
    with open(place, "ab") as log:
        path = os.pathsep.join(p for p in sys.path if p)
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", LOGGED],
            stdout=log,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": path},
            timeout=60,
        )
    assert os.path.getsize(place) > 0
    assert done.stderr == "((), 1)\n"
