"""Faults of the cell, of the machine and of the person's patience: the kernel lives and nothing is half done."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import reflex_magic
from tests.end_to_end.conftest import Notebook

REPAIRABLE = """a = 1
log.append(1)
t['x'] = 5
total = t['Revenue'].sum()
for i in range(5): time.sleep(0.003); log.append(i)
b = 2
open('out.txt', 'w').write('done')"""

BROKEN = {
    "containers": """
class L(list):
    def _refuse(self, *_): raise RuntimeError('refused')
    __iter__ = __len__ = __getitem__ = _refuse
class D(dict):
    def _refuse(self, *_): raise RuntimeError('refused')
    __iter__ = __len__ = keys = items = values = _refuse
class S(set):
    def _refuse(self, *_): raise RuntimeError('refused')
    __iter__ = __len__ = _refuse
class T(tuple):
    def _refuse(self, *_): raise RuntimeError('refused')
    __iter__ = __len__ = _refuse
things = L([1]), D(a=1), S([1]), T([1])
""",
    "frames": """
class F(pd.DataFrame):
    def _refuse(self, *_, **__): raise SystemExit('refused')
    dtypes = shape = axes = property(_refuse)
    copy = memory_usage = __getitem__ = _refuse
things = F({'a': [1, 'x']})
""",
    "truth": """
class A:
    def _refuse(self, *_): raise RuntimeError('refused')
    __bool__ = __eq__ = __len__ = __iter__ = __repr__ = __getattr__ = _refuse
    __hash__ = None
things = [A(), {'k': A()}]
""",
}


@pytest.mark.parametrize("setup", BROKEN.values(), ids=BROKEN)
def test_objects_that_refuse_everything_do_not_hinder_the_cell(notebook: Notebook, setup: str) -> None:
    assert notebook.run(setup).success
    notebook.run("%%reflect --no-model\nsame = things\nx = 1")
    assert reflex_magic.last_report().status == "passed"
    assert notebook["x"] == 1


def test_a_trial_on_a_frame_of_an_own_class_leaves_no_trace(notebook: Notebook) -> None:
    notebook.run("""
class F(pd.DataFrame):
    _metadata = ['note']
    _constructor = property(lambda self: F)
class S(pd.Series):
    _constructor = property(lambda self: S)
f, s, t = F({'revenue': [1, 2]}), S([1, 2]), pd.DataFrame({'revenue': [1, 2]})
f.note = 'a'
""")
    body = "t['Revenue']\nf['new'] = 5\nf.loc[0, 'revenue'] = 9\nf.note = 'b'\ns.iloc[0] = 9"
    report = notebook.reflect(body, "--dry-run --no-model")
    assert report.status == "pending", "the trial ran"
    f = notebook["f"]
    assert (list(f.columns), list(f["revenue"]), f.note, list(notebook["s"])) == (["revenue"], [1, 2], "a", [1, 2])
    assert notebook.reflect(body).status == "repaired"
    assert (list(f.columns), list(f["revenue"]), f.note, list(notebook["s"])) == (
        ["revenue", "new"],
        [9, 2],
        "b",
        [9, 2],
    )
    assert notebook.run("%reflect undo").success, notebook.shown
    assert (list(f.columns), list(f["revenue"]), f.note, list(notebook["s"])) == (["revenue"], [1, 2], "a", [1, 2])


@pytest.mark.parametrize(
    "raising",
    [
        "class E(Exception):\n    def __str__(self): raise SystemExit\nraise E(1)",
        "class E(Exception):\n    def __str__(self): return 5\nraise E(1)",
        "e = ValueError('x')\ne.__notes__ = 5\nraise e",
        "class S:\n    def __str__(self): raise KeyError\ne = ValueError('x')\ne.__notes__ = [S()]\nraise e",
        "class E(BaseException): pass\nraise E(1)",
        "raise ExceptionGroup('g', [ValueError(1), TypeError(2)])",
    ],
)
def test_exceptions_that_cannot_be_told(notebook: Notebook, raising: str) -> None:
    report = notebook.reflect(f"first = 1\n{raising}")
    assert report.status == "unresolved"
    assert notebook["first"] == 1
    assert "reflex-magic itself" not in " ".join(report.notes)


def test_a_huge_message_is_not_kept_whole(notebook: Notebook) -> None:
    report = notebook.reflect("raise ValueError('x' * 5_000_000)", "--dry-run --no-model")
    assert len(report.outcome["evalue"]) < 20_000


def test_a_handler_of_the_analyst_s_own_is_used(notebook: Notebook) -> None:
    notebook.shell.set_custom_exc((ZeroDivisionError,), lambda shell, kind, error, tb, tb_offset=None: print("mine"))
    notebook.reflect("1 / 0")
    assert notebook.shown.startswith("mine\n")


def test_a_deleted_working_folder(notebook: Notebook, here: Path) -> None:
    gone = here / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    notebook.run("t = pd.DataFrame({'revenue': [1]})")
    report = notebook.reflect("first = 1\ntotal = t['Revenue'].sum()")
    assert report.status in ("repaired", "unresolved")
    assert notebook["first"] == 1
    if report.status == "unresolved":
        assert "KeyError" in notebook.shown
        assert "reflex_magic/" not in notebook.shown, "the traceback is the cell's"
        assert any("FileNotFoundError" in n for n in report.notes)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.filterwarnings("always")
def test_a_repair_can_be_undone_although_a_warning_was_shown(notebook: Notebook) -> None:
    notebook.run("import warnings\nt = pd.DataFrame({'revenue': [1]})\nwarnings.warn('once', stacklevel=1)")
    assert notebook.reflect("total = t['Revenue'].sum()\nwarnings.warn('twice', stacklevel=1)").status == "repaired"
    notebook.run("with warnings.catch_warnings(): pass\nwarnings.warn('later', stacklevel=1)")
    assert notebook.run("%reflect undo").success, notebook.shown
    assert "total" not in notebook.shell.user_ns


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of files that an interrupt left open
def test_interrupts_at_any_moment_leave_the_state_before_or_after(notebook: Notebook, here: Path) -> None:
    notebook.run("import time")
    moments = random.Random(1)
    for _ in range(50):
        notebook.run(
            "log = []\nt = pd.DataFrame({'revenue': [1, 2]})\nfor n in ('a', 'b', 'total'): globals().pop(n, None)"
        )
        (here / "out.txt").unlink(missing_ok=True)
        over = threading.Event()

        def strike(delay: float = moments.random() * 0.06, over: threading.Event = over) -> None:
            if not over.wait(delay):
                os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=strike)
        try:
            thread.start()
            notebook.run(f"%%reflect --accept --no-model\n{REPAIRABLE}")
            over.set()
            thread.join()
        except KeyboardInterrupt:  # it came after the cell's own handling
            thread.join()
        found = notebook.shell.user_ns
        state = found.get("total"), found.get("b"), list(found["t"].columns), (here / "out.txt").exists()
        ran = found["log"] == [1, *range(5)]
        assert state in [
            (3, 2, ["revenue", "x"], True),
            *((None, None, c, False) for c in (["revenue"], ["revenue", "x"])),
        ]
        assert ran or found["log"] in ([], [1])
        assert ran is (state[0] is not None)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert notebook.run("q = 5\nassert q == 5").success


KILLED = """
import os, threading, time
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "reflex_magic")
shell.run_cell("import pandas as pd, time\\nt = pd.DataFrame({'revenue': [1, 2]})")
shell.run_cell("%%reflect --accept --no-model\\nbest = t['Revenue'].max()")
shell.run_cell('''%%reflect --accept --no-model
total = t['Revenue'].sum()
t.to_csv('data.csv')
print(open('begun', 'w').write('x'), flush=True)
time.sleep(60)''')
"""


def test_a_kernel_killed_in_a_trial_leaves_whole_files(here: Path) -> None:
    (here / "data.csv").write_text("a,b\n1,2\n")
    process = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not (here / "begun").exists():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    assert (here / "data.csv").read_text() in ("a,b\n1,2\n", ",revenue\n0,1\n1,2\n")
    namespace: dict[str, object] = {}
    report = reflex_magic.reflect("import pandas as pd\nt = pd.DataFrame({'revenue': [1]})", namespace, use_model=False)
    report = reflex_magic.reflect("x = t['Revenue'].sum()", namespace, accept=True, use_model=False)
    assert report.status == "repaired"
    assert not report.notes, "the lessons file reads"
