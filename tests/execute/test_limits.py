"""Time limits and interrupts: whatever is cut short, the namespace is whole."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading

import pytest

from reflex_magic.core.outcome import Completed, Interrupted, TimedOut
from reflex_magic.execute.limits import OutOfTime, Shield, TimeLimit
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


def test_code_that_swallows_exceptions_is_stopped_as_well():
    body = "while True:\n    try:\n        while True: pass\n    except Exception: pass"
    assert executor({}, timeout=0.1).run(cell(body)).outcome == TimedOut(0, 0.1)


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


def test_an_interrupt_while_things_are_put_back_comes_afterwards(monkeypatch):
    namespace = {"log": [0]}
    runner = executor(namespace)
    base = runner.run(cell("pass"))
    trial = runner.trial(cell("log.append(1)\nx = 1"), base, ())
    enter = runner._enter

    def interrupted(handle):
        os.kill(os.getpid(), signal.SIGINT)
        enter(handle)

    monkeypatch.setattr(runner, "_enter", interrupted)
    with pytest.raises(KeyboardInterrupt):
        runner.commit(trial)
    assert (namespace["log"], namespace["x"]) == ([0, 1], 1)
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
