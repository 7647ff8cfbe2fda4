"""Time limits and interrupts: whatever is cut short, the namespace is whole."""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import mmap
import os
import random
import signal
import sys
import threading
import time
import types
import warnings
from pathlib import Path

import pytest

from reflex_magic.core.outcome import Completed, Interrupted, OutcomeClass, Raised, TimedOut, classify
from reflex_magic.execute import limits
from reflex_magic.execute.limits import MemoryLimit, OutOfTime, Shield, TimeLimit, available_memory
from tests.execute.support import cell, completed, executor, on


def interrupt_after(seconds):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_a_step_that_runs_too_long_is_stopped():
    namespace = {"log": []}
    run = executor(namespace, timeout=0.1).run(cell("log.append(1)\nwhile True: pass"))
    assert run.outcome == TimedOut(1, 0.1)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert [c.step for c in run.cards] == [0, 1]


def test_an_awaited_step_is_stopped_without_a_signal(shell):
    run = asyncio.run(on(shell, timeout=0.1).arun(cell("import asyncio\nawait asyncio.sleep(60)")))
    assert run.outcome == TimedOut(1, 0.1)


def test_a_trial_that_runs_too_long_leaves_nothing_behind():
    namespace = {"log": []}
    runner = executor(namespace, timeout=0.2)
    base = runner.run(cell("pass"))
    trial = runner.trial(cell("log.append(1)\nwhile True: log.append(2)"), base, ())
    assert trial.outcome == TimedOut(1, 0.2)
    assert namespace["log"] == []


def test_the_handler_and_the_timer_of_others_go_on():
    struck = []
    before = signal.signal(signal.SIGALRM, lambda *_: struck.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with TimeLimit(5).armed():
            pass
        signal.pause()
        assert struck == [1]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


STUCK = {
    "a loop": "while True: pass",
    "sleep": "import time\ntime.sleep(60)",
    "a lock": "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
    "a queue": "import queue\nqueue.Queue().get()",
    "a thread": "import threading\nevent = threading.Event()\nt = threading.Thread(target=event.wait, args=(2,))\n"
    "t.start()\nt.join()",
    "a process": "import subprocess\nsubprocess.run(['sleep', '60'])",
    "an event loop": "import asyncio\nasyncio.run(asyncio.sleep(60))",
    "a socket": "import socket\na, b = socket.socketpair()\na.recv(1)",
    "a regular expression": "import re\nre.match('(a+)+$', 'a' * 40 + 'b')",
    "a callback of a library": "x = 1\npd.Series(range(3)).apply(lambda v: [0 for _ in iter(int, 1)])",
    "except Exception": "while True:\n    try:\n        while True: pass\n    except Exception: pass",
    "except BaseException, once": "try:\n    while True: sum(range(9))\nexcept BaseException: pass\nwhile True: pass",
    "except BaseException, for ever": "while True:\n  try:\n    while True: sum([])\n  except BaseException: pass",
    "finally": "try:\n    while True: pass\nfinally:\n    while True: pass",
    "a class": "class A:\n    while True: pass",
    "a generator": "def g():\n    while True: yield 1\nsum(g())",
}


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # what was cut short, not closed
@pytest.mark.parametrize("body", STUCK.values(), ids=STUCK)
def test_what_is_stuck_is_stopped(monkeypatch, body):
    monkeypatch.setattr(limits, "AGAIN", 0.2)
    before = signal.getsignal(signal.SIGALRM)
    run = executor({"pd": pytest.importorskip("pandas")}, timeout=0.1).run(cell(body))
    assert isinstance(run.outcome, TimedOut), run.outcome
    assert run.outcome.seconds == 0.1
    assert run.outcome.step == run.cell.steps[-1].number
    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == (before, (0.0, 0.0))


def test_a_call_of_compiled_code_ends_first():
    """A limit of the limit: nothing can stop it within the process."""
    body = "x = sorted(range(2_000_000, 0, -1), key=None) and sum(range(30_000_000))\ny = 1"
    namespace = {}
    run = executor(namespace, timeout=0.05).run(cell(body))
    assert run.outcome == TimedOut(0, 0.05)
    assert "y" not in namespace


def test_the_limit_is_for_all_steps_together():
    body = "import time\n" + "\n".join(["time.sleep(0.08)"] * 5)
    run = executor({}, timeout=0.2).run(cell(body))
    assert isinstance(run.outcome, TimedOut)
    assert 1 < run.outcome.step < 5


def test_the_handler_of_the_cell_stays_with_its_timer():
    """A cell that sets an alarm for later has one."""
    struck = []
    before = signal.getsignal(signal.SIGALRM)
    namespace = {"signal": signal, "struck": struck}
    body = "signal.signal(signal.SIGALRM, lambda *_: struck.append(1))\nsignal.setitimer(signal.ITIMER_REAL, 0.1)"
    try:
        completed(executor(namespace, timeout=5).run(cell(body)))
        signal.pause()
        assert struck == [1]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_earlier_timer_goes_off_within_the_block_as_well():
    struck = []
    before = signal.signal(signal.SIGALRM, lambda *_: struck.append(time.monotonic()))
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    try:
        run = executor({}, timeout=0.3).run(cell("while True: pass"))
        within = len(struck)
        signal.pause()
        assert run.outcome == TimedOut(0, 0.3)
        assert within >= 2
        assert len(struck) > within
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_limit_within_a_limit():
    """The inner one is over first, and the outer one goes on; then the other way round."""
    inner = (
        "from tests.execute.support import executor, cell\nrun = executor({}, timeout=%s).run(cell('while True: pass'))"
    )
    namespace = {}
    run = executor(namespace, timeout=0.4).run(cell(f"{inner % 0.1}\nwhile True: pass"))
    assert (run.outcome, namespace["run"].outcome) == (TimedOut(2, 0.4), TimedOut(0, 0.1))
    run = executor(namespace, timeout=0.1).run(cell(f"{inner % 60}\nwhile True: pass"))
    assert isinstance(run.outcome, TimedOut)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_limit_is_no_ordinary_exception():
    def swallowing():
        with TimeLimit(0.01).armed():
            while True:
                try:
                    sum(range(100))
                except Exception:
                    pytest.fail("an ordinary handler swallowed it")

    with pytest.raises(OutOfTime):
        swallowing()


def test_our_own_bookkeeping_is_never_struck():
    """A probe that the cell calls takes longer than the limit; it ends, and then the limit strikes."""
    ended = []
    source = "def bookkeeping(ended):\n    import time\n    time.sleep(0.2)\n    ended.append(1)"
    scope = {}
    exec(compile(source, str(Path(limits.__file__).parent / "bookkeeping.py"), "exec"), scope)
    namespace = {"probe": scope["bookkeeping"], "ended": ended}
    run = executor(namespace, timeout=0.05).run(cell("probe(ended)\nx = 1\nwhile True: pass"))
    assert isinstance(run.outcome, TimedOut)
    assert ended == [1]


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of a file that was cut short
@pytest.mark.parametrize("seed", range(4))
def test_the_limit_at_any_moment(seed, tmp_path):
    """Trials in which the time is over at a random moment: the variables are as before or as after."""
    moments = random.Random(seed)
    before = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    namespace = {"log": [0], "d": {"a": 1}}
    body = (
        "log.append(5)\nwith open('out.txt', 'w') as f: n = f.write('x' * 10)\nd['b'] = sum(range(2000))\nx = 1\nx += 1"
    )
    outcomes = set()
    runner = executor(namespace)
    base = runner.run(cell("pass"))
    for _ in range(60):
        runner.timeout = moments.random() * 0.012
        trial = runner.trial(cell(body), base, ())
        assert isinstance(trial.outcome, (TimedOut, Completed)), trial.outcome
        assert trial.doubts == ()
        outcomes.add(type(trial.outcome))
        assert (namespace["log"], namespace["d"], "x" in namespace) == ([0], {"a": 1}, False)
        assert not Path("out.txt").exists()
        assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == before
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert outcomes == {TimedOut, Completed}


def test_steps_that_are_shorter_than_any_timer_end_as_well():
    run = executor({}, timeout=0.002).run(cell("\n".join(["sum(range(5_000))"] * 500)))
    assert isinstance(run.outcome, TimedOut)


@pytest.mark.parametrize("line", range(1, 60, 2))
def test_a_strike_between_any_two_of_our_lines_is_put_off(line):
    """Counted in lines of ours around one armed block: the signal comes there, and nothing is left behind."""
    seen = 0
    before = signal.getsignal(signal.SIGALRM)

    def trace(frame, event, argument):
        nonlocal seen
        if "reflex_magic" not in frame.f_code.co_filename:
            return None
        seen += 1
        if seen == line and signal.getsignal(signal.SIGALRM) is not before:
            signal.raise_signal(signal.SIGALRM)
        return trace

    limit = TimeLimit(1e-9, MemoryLimit(1 << 30))
    previous = sys.gettrace()
    with contextlib.suppress(OutOfTime):
        sys.settrace(trace)
        try:
            with limit.armed():
                pass
        finally:
            sys.settrace(previous)
    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == (before, (0.0, 0.0))


def test_without_a_limit_nothing_is_armed():
    assert TimeLimit(None).armed() is TimeLimit(None).armed()


# -- memory --------------------------------------------------------------------------------------------

needs_a_bound = pytest.mark.skipif(not MemoryLimit().available, reason="this system does not bound memory")
MB = 1 << 20


@needs_a_bound
def test_an_allocation_beyond_the_bound_fails_and_the_bound_is_taken_back():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    limit = MemoryLimit(256 * MB)
    with pytest.raises(MemoryError), limit.armed():
        bytearray(512 * MB)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    with limit.armed():
        bytearray(64 * MB)
    bytearray(512 * MB)


@needs_a_bound
def test_a_bound_of_the_system_that_is_lower_stays():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    lower = limits._address_space() + 128 * MB
    try:
        resource.setrlimit(resource.RLIMIT_AS, (lower, before[1]))
        with MemoryLimit(1 << 40).armed():
            assert resource.getrlimit(resource.RLIMIT_AS)[0] == lower
        assert resource.getrlimit(resource.RLIMIT_AS)[0] == lower
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@needs_a_bound
def test_the_bound_is_for_all_steps_of_a_trial_together():
    limit = MemoryLimit(256 * MB)
    with limit.armed():
        kept = [mmap.mmap(-1, 100 * MB)]
    with limit.armed():
        kept.append(mmap.mmap(-1, 100 * MB))
    with pytest.raises((OSError, MemoryError)), limit.armed():
        kept.append(mmap.mmap(-1, 100 * MB))
    for part in kept:
        part.close()


TOO_MUCH = {
    "one array": "x = np.ones((100_000, 100_000))",
    "a join that multiplies rows": "x = t.merge(t, on='k')",
    "a list": "x = [0] * 10**11",
    "text": "x = 'a' * 10**11",
}


@needs_a_bound
@pytest.mark.parametrize("body", TOO_MUCH.values(), ids=TOO_MUCH)
def test_a_trial_that_takes_too_much_fails_and_leaves_nothing_behind(monkeypatch, body):
    np, pd = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    monkeypatch.setattr(limits, "available_memory", lambda: 500 * MB)
    namespace = {"np": np, "log": [0], "t": pd.DataFrame({"k": np.zeros(40_000, dtype=int), "v": 1.0})}
    runner = executor(namespace)
    base = runner.run(cell("log.append(1)\nnope"))
    trial = runner.trial(cell(f"log.append(1)\nlog.append(2)\n{body}"), base, ())
    assert isinstance(trial.outcome, Raised)
    assert trial.outcome.step == 2
    assert classify(trial.outcome) is OutcomeClass.RESOURCE
    assert namespace["log"] == [0, 1]
    assert "x" not in namespace
    completed(runner.trial(cell("log.append(1)\nx = bytearray(10**8)"), base, ()))


def test_the_analysts_own_run_is_not_bounded(monkeypatch):
    monkeypatch.setattr(limits, "available_memory", lambda: 0)
    completed(executor({}).run(cell("x = bytearray(400 << 20)")))


def test_where_the_system_bounds_nothing_nothing_fails(monkeypatch):
    monkeypatch.setattr(limits, "resource", None)
    assert not MemoryLimit().available
    with MemoryLimit(1).armed():
        bytearray(10 * MB)


MEMINFO = "MemTotal: 8000 kB\nMemFree: 1000 kB\nMemAvailable:    4000 kB\n"
MACHINES = {
    "a machine": ({"proc/meminfo": MEMINFO}, 4000 << 10),
    "a group without a limit": (
        {"proc/meminfo": MEMINFO, "proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n"},
        4000 << 10,
    ),
    "a group, whose cached files can be given up": (
        {
            "proc/meminfo": MEMINFO,
            "proc/self/cgroup": "0::/a/b\n",
            "sys/fs/cgroup/a/b/memory.max": "3000000\n",
            "sys/fs/cgroup/a/b/memory.current": "2500000\n",
            "sys/fs/cgroup/a/b/memory.stat": "anon 5\ninactive_file 100000\n",
        },
        600_000,
    ),
    "a group above is narrower": (
        {
            "proc/meminfo": MEMINFO,
            "proc/self/cgroup": "0::/a/b\n",
            "sys/fs/cgroup/a/b/memory.max": "max\n",
            "sys/fs/cgroup/a/memory.max": "3000\n",
            "sys/fs/cgroup/a/memory.current": "1000\n",
        },
        2000,
    ),
    "a container, whose path is the host's": (
        {
            "proc/meminfo": MEMINFO,
            "proc/self/cgroup": "0::/docker/123\n",
            "sys/fs/cgroup/memory.max": "3000\n",
            "sys/fs/cgroup/memory.current": "1000\n",
        },
        2000,
    ),
    "version one": (
        {
            "proc/meminfo": MEMINFO,
            "proc/self/cgroup": "4:memory:/a\n3:cpu:/a\n",
            "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "3000\n",
            "sys/fs/cgroup/memory/memory.usage_in_bytes": "1000\n",
            "sys/fs/cgroup/memory/memory.stat": "inactive_file 1\ntotal_inactive_file 500\n",
        },
        2500,
    ),
    "a group that is full": (
        {
            "proc/self/cgroup": "0::/a\n",
            "sys/fs/cgroup/a/memory.max": "1000\n",
            "sys/fs/cgroup/a/memory.current": "1001\n",
        },
        0,
    ),
}


@pytest.mark.parametrize(("files", "expected"), MACHINES.values(), ids=MACHINES)
def test_available_memory(monkeypatch, tmp_path, files, expected):
    monkeypatch.setitem(sys.modules, "psutil", None)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert available_memory(tmp_path) == expected


def test_where_nothing_says_how_much_is_available(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert available_memory(tmp_path) is None
    psutil = types.SimpleNamespace(virtual_memory=lambda: types.SimpleNamespace(available=5))
    monkeypatch.setitem(sys.modules, "psutil", psutil)
    assert available_memory(tmp_path) == 5


def test_outside_the_main_thread_nothing_is_limited_and_nothing_fails():
    found = []
    thread = threading.Thread(target=lambda: found.append(executor({}, timeout=5).run(cell("x = 1")).outcome))
    thread.start()
    thread.join()
    assert found == [Completed()]


def test_an_interrupt_of_the_own_run():
    namespace = {}
    timer = interrupt_after(0.1)
    run = executor(namespace).run(cell("x = 1\nimport time\ntime.sleep(30)"))
    timer.join()
    assert run.outcome == Interrupted(2)
    assert namespace["x"] == 1


def test_an_interrupt_of_a_trial_leaves_the_namespace_whole():
    namespace = {"log": [0], "d": {"a": 1}}
    runner = executor(namespace)
    base = runner.run(cell("log.append(1)\nnope"))
    timer = interrupt_after(0.1)
    trial = runner.trial(cell("log.append(5)\nd['b'] = 2\nimport time\ntime.sleep(30)"), base, ())
    timer.join()
    assert trial.outcome == Interrupted(3)
    assert namespace["log"] == [0, 1]
    assert namespace["d"] == {"a": 1}
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    completed(runner.trial(cell("log.append(6)"), base, ()))


def test_an_interrupt_while_a_repair_is_bound_comes_too_late(monkeypatch):
    namespace = {"log": [0]}
    runner = executor(namespace)
    base = runner.run(cell("pass"))
    trial = runner.trial(cell("log.append(1)\nx = 1"), base, ())
    enter = runner._enter

    def interrupted(handle):
        os.kill(os.getpid(), signal.SIGINT)
        enter(handle)

    monkeypatch.setattr(runner, "_enter", interrupted)
    runner.commit(trial)
    assert (namespace["log"], namespace["x"]) == ([0, 1], 1)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    runner.undo(trial)
    assert namespace["log"] == [0]


def test_an_interrupt_within_at_puts_the_namespace_back():
    namespace = {}
    runner = executor(namespace)
    trial = runner.trial(cell("x = 1"), runner.run(cell("pass")), ())
    seen = []

    def interrupted():
        with runner.at(trial):
            seen.append(namespace["x"])
            signal.raise_signal(signal.SIGINT)
            seen.append("not reached")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert seen == [1]
    assert "x" not in namespace


@pytest.mark.parametrize("step", range(1, 300, 6))
def test_an_interrupt_at_any_moment_of_a_trial_and_commit(step):
    """Counted in lines of ours: wherever the interrupt comes, the variables are as before or as after."""
    namespace = {"log": [0], "x": 0}
    runner = executor(namespace)
    base = runner.run(cell("log.append(1)\nnope"))
    seen = 0

    def trace(frame, event, argument):
        nonlocal seen
        if "reflex_magic" not in frame.f_code.co_filename:
            return None
        seen += 1
        if seen == step * 4:
            signal.raise_signal(signal.SIGINT)
        return trace

    trial = None
    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        trial = runner.trial(cell("log.append(5)\nx = 5"), base, ())
        whole = dict(namespace)["log"][:]
        assert whole == [0, 1]
        runner.commit(trial)
    except KeyboardInterrupt:
        pass
    except Exception:
        if not isinstance(getattr(trial, "outcome", None), Interrupted):
            raise
    finally:
        sys.settrace(previous)
    state = namespace["log"], namespace["x"]
    assert state in [([0, 1], 0), ([0, 5], 5)]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_shield_defers():
    done = []

    def shielded():
        with Shield():
            signal.raise_signal(signal.SIGINT)
            done.append(1)

    with pytest.raises(KeyboardInterrupt):
        shielded()
    assert done == [1]


def test_a_second_interrupt_strikes_where_the_shield_is_insistent():
    done = []

    def shielded():
        with Shield(insistent=True):
            signal.raise_signal(signal.SIGINT)
            done.append(1)
            signal.raise_signal(signal.SIGINT)
            done.append(2)

    with pytest.raises(KeyboardInterrupt):
        shielded()
    assert done == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_cell_sees_the_handler_of_interrupts_as_it_is_and_may_set_its_own():
    struck = []
    namespace = {"signal": signal, "struck": struck}
    body = "was = signal.signal(signal.SIGINT, lambda *_: struck.append(1))\nx = 1\nsignal.raise_signal(signal.SIGINT)"
    try:
        completed(executor(namespace).run(cell(body)))
        signal.raise_signal(signal.SIGINT)
        assert namespace["was"] is signal.default_int_handler
        assert struck == [1, 1]
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def test_a_handler_of_ours_that_code_kept_works_as_the_one_before():
    with Shield():
        kept = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, kept)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("step", range(1, 400, 4))
def test_an_interrupt_at_any_moment_of_the_own_run(step):
    """Counted in lines of ours: wherever it comes, streams, builtins, warnings and handlers are as before."""
    namespace = {"log": []}
    runner = executor(namespace, timeout=60)
    seen = 0

    def state():
        handlers = (
            signal.getsignal(signal.SIGINT),
            signal.getsignal(signal.SIGALRM),
            signal.getitimer(signal.ITIMER_REAL),
        )
        return sys.stdout, sys.stderr, sys.displayhook, warnings.showwarning, set(vars(builtins)), handlers

    def trace(frame, event, argument):
        nonlocal seen
        if "reflex_magic" not in frame.f_code.co_filename:
            return None
        seen += 1
        if seen == step:
            signal.raise_signal(signal.SIGINT)
        return trace

    before, previous = state(), sys.gettrace()
    try:
        sys.settrace(trace)
        run = runner.run(cell("log.append(1)\nlog.append(2)\nlog.append(3)"))
    except KeyboardInterrupt:
        run = None
    finally:
        sys.settrace(previous)
    assert state() == before
    assert seen >= step
    if run is not None:
        assert run.outcome == Interrupted(min(len(namespace["log"]), 2))
    completed(runner.run(cell("log.append(4)")))
