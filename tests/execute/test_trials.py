"""Trials, resume, commit, undo, conditions."""

from __future__ import annotations

import contextlib
import io

import pandas as pd
import pytest

from reflex_magic.core.outcome import Completed, Condition, Interrupted, Raised, Run
from reflex_magic.errors import NothingToDo, StaleProposal
from reflex_magic.execute import CellExecutor, stepper
from reflex_magic.observe import CellObserver
from tests.execute.support import Look, Plain, cell, completed, executor, on


@pytest.fixture(autouse=True)
def _worth_it(monkeypatch):
    """Whether a boundary is worth its cost is not what is tested here."""
    monkeypatch.setattr("reflex_magic.execute.stepper.RATIO", 1)


@pytest.fixture(autouse=True)
def _boundaries_cost_nothing(monkeypatch):
    """A step of 50 ms is slow enough for a boundary, however slow the machine."""
    monkeypatch.setattr(stepper, "RATIO", 0)


LOAD = "import time\ncalls.append('load')\ntime.sleep(0.05)\nraw = pd.DataFrame({'id': [1, 2], 'w': [1.0, 2.0]})\n"


@pytest.fixture
def namespace():
    frame = pd.DataFrame({"id": [1, 2], "v": [0.0, 1.0]})
    return {"pd": pd, "calls": [], "orders": frame, "alias": frame, "box": {"o": frame}, "log": [0]}


def condition(source):
    return Condition(source, "expect")


def test_only_the_changed_step_runs_again(namespace):
    runner = executor(namespace)
    base = runner.run(cell(LOAD + "orders['flag'] = orders['v'] > 0\nlog.append(1)\nout = raw['typo'].sum()"))
    assert base.outcome.step == 6
    trial = completed(
        runner.trial(cell(LOAD + "orders['flag'] = orders['v'] > 0\nlog.append(1)\nout = raw['w'].sum()"), base, ())
    )
    assert trial.start > 0
    assert namespace["calls"] == ["load"], "the slow step ran once"
    assert [c.step for c in trial.cards] == list(range(7)), "the cards of the kept steps are carried over"
    runner.commit(trial)
    assert namespace["out"] == 3.0
    assert namespace["log"] == [0, 1], "a step between the boundary and the change is not applied twice"
    assert namespace["calls"] == ["load"]


def test_a_changed_first_step_starts_at_the_beginning(namespace):
    runner = executor(namespace)
    base = runner.run(cell(LOAD + "del orders['v']\nout = raw['typo']"))
    assert "v" not in namespace["orders"]
    trial = completed(runner.trial(cell("out = orders['v'].sum()"), base, ()))
    runner.commit(trial)
    assert namespace["out"] == 1.0
    assert "v" in namespace["orders"]
    assert namespace["alias"] is namespace["orders"] is namespace["box"]["o"]
    assert "raw" not in namespace
    assert namespace["calls"] == []


def test_a_trial_that_goes_on_from_a_trial(namespace):
    runner = executor(namespace)
    base = runner.run(cell("a = nope\n" + LOAD + "out = raw['typo']"))
    first = runner.trial(cell("a = 1\n" + LOAD + "out = raw['typo']"), base, ())
    assert (first.outcome.ename, first.outcome.step) == ("KeyError", 5)
    assert namespace["calls"] == []
    second = completed(runner.trial(cell("a = 1\n" + LOAD + "out = raw['w']"), first, ()))
    assert second.start == 4, "the slow step of the first trial is not repeated"
    with runner.at(second) as look:
        assert look["calls"] == ["load"]
        assert look["a"] == 1
    assert namespace["calls"] == []
    runner.commit(second)
    assert list(namespace["out"]) == [1.0, 2.0]


def test_commit_executes_nothing(namespace):
    runner = executor(namespace)
    base = runner.run(cell("x = nope"))
    trial = runner.trial(cell("with open('count.txt', 'a') as f: f.write('x')\nx = 1"), base, ())
    runner.commit(trial)
    with open("count.txt") as file:
        assert file.read() == "x"


def test_what_a_trial_did_not_change_keeps_its_identity(namespace):
    runner = executor(namespace)
    identities = {k: id(v) for k, v in namespace.items()}
    base = runner.run(cell("x = nope"))
    trial = runner.trial(cell("x = 1\nlog.append(2)"), base, ())
    runner.commit(trial)
    assert {k: id(namespace[k]) for k in identities} == identities
    assert namespace["log"] == [0, 2]


def test_outputs_of_a_trial_are_held_back(shell, capsys):
    runner = on(shell)
    base = runner.run(cell("print('kept')\nnope"))
    shown = capsys.readouterr().out
    trial = runner.trial(cell("print('kept')\nfrom IPython.display import display\ndisplay(5)\n'value'"), base, ())
    assert capsys.readouterr().out == ""
    assert shown == "kept\n"
    assert [(o.kind, o.data["text/plain"]) for o in trial.outputs] == [
        ("stdout", "kept\n"),
        ("display", "5"),
        ("result", "'value'"),
    ]
    runner.commit(trial)
    runner.replay(trial)
    assert capsys.readouterr().out.split("\n")[:2] == ["kept", "5"]
    assert list(shell.user_ns["Out"].values()) == ["value"]


def test_outputs_of_kept_steps_are_part_of_a_resumed_trial(namespace):
    runner = executor(namespace)
    with contextlib.redirect_stdout(io.StringIO()):
        base = runner.run(cell("print('loaded')\n" + LOAD + "print('more')\nnope"))
    trial = completed(runner.trial(cell("print('loaded')\n" + LOAD + "print('more')\nprint('end')"), base, ()))
    assert trial.start > 0
    assert "".join(o.data["text/plain"] for o in trial.outputs) == "loaded\nmore\nend\n"


def test_conditions_are_evaluated_after_the_last_step():
    namespace = {"pd": pd}
    runner = CellExecutor(namespace, CellObserver, Look)
    base = runner.run(cell("total = nope"))
    conditions = [
        condition("total == 6"),
        condition("total > 10"),
        condition("missing + 1"),
        condition("pd.Series([1, 2]) > 0"),
        condition("len([1]) == 1"),
        condition("not"),
    ]
    trial = runner.trial(cell("total = 6\nlen = lambda x: 99"), base, conditions)
    assert [c.held for c in trial.conditions] == [True, False, None, None, True, None]
    assert "total" in {o.expression for o in trial.conditions[1].operands}
    assert trial.conditions[2].message == "NameError: name 'missing' is not defined"
    assert trial.conditions[3].message.startswith("ValueError: The truth value of a Series is ambiguous")


def test_a_builtin_hidden_before_the_cell_stays_hidden():
    namespace = {"len": lambda x: 99}
    runner = executor(namespace)
    trial = runner.trial(cell("pass"), runner.run(cell("pass")), [condition("len([]) == 99")])
    assert trial.conditions[0].held is True


def test_conditions_of_the_own_run_only_when_it_completed(namespace):
    runner = executor(namespace)
    assert runner.run(cell("x = 1"), conditions=[condition("x == 1")]).conditions[0].held is True
    assert runner.run(cell("nope"), conditions=[condition("x == 1")]).conditions == ()


def test_a_condition_that_changes_something_is_undone(namespace):
    runner = executor(namespace)
    base = runner.run(cell("pass"))
    runner.trial(cell("pass"), base, [condition("log.append(1) is None")])
    assert namespace["log"] == [0]


def test_undo_puts_back_what_was_before_the_commit(namespace):
    runner = executor(namespace)
    base = runner.run(cell("log.append(1)\nx = nope"))
    trial = runner.trial(cell("log.append(1)\nx = 5\norders['new'] = 1"), base, ())
    runner.commit(trial)
    assert ("x" in namespace, "new" in namespace["orders"]) == (True, True)
    namespace["later"] = 1
    runner.undo(trial)
    assert "x" not in namespace
    assert "new" not in namespace["orders"]
    assert (namespace["log"], namespace["later"]) == ([0, 1], 1)
    with pytest.raises(NothingToDo):
        runner.undo(trial)
    runner.commit(trial)
    assert namespace["x"] == 5, "what was undone can be accepted again"


@pytest.mark.parametrize("change", ["orders = 5", "orders.loc[0, 'v'] = 9", "log.append(7)", "x = 3"])
def test_a_stale_commit_is_refused(namespace, change):
    runner = executor(namespace)
    base = runner.run(cell("x = nope"))
    trial = runner.trial(cell("x = orders['v'].sum() + len(log)\nlog.append(1)"), base, ())
    exec(change, namespace)
    before = {k: str(v) for k, v in namespace.items()}
    with pytest.raises(StaleProposal, match="changed since the proposal was tried"):
        runner.commit(trial)
    assert {k: str(v) for k, v in namespace.items()} == before


def test_a_commit_is_not_refused_for_what_it_does_not_touch(namespace):
    runner = executor(namespace)
    base = runner.run(cell("x = nope"))
    trial = runner.trial(cell("x = orders['v'].sum()"), base, ())
    namespace["elsewhere"] = 1
    namespace["log"].append(5)
    runner.commit(trial)
    assert (namespace["x"], namespace["elsewhere"], namespace["log"]) == (1.0, 1, [0, 5])


def test_a_stale_undo_is_refused(namespace):
    runner = executor(namespace)
    trial = runner.trial(cell("log.append(1)"), runner.run(cell("pass")), ())
    runner.commit(trial)
    namespace["log"].append(2)
    with pytest.raises(StaleProposal, match="`log` changed since the repair was accepted"):
        runner.undo(trial)
    assert namespace["log"] == [0, 1, 2]


def test_a_trial_on_a_base_that_later_cells_overtook_is_refused(shell):
    shell.run_cell("import pandas as pd\ndf = pd.DataFrame({'a': [1]})", store_history=True)
    runner = on(shell)
    base = runner.run(cell("df['b'] = 2\nnope"))
    runner.trial(cell("df['b'] = 2"), base, ())
    shell.run_cell("df['c'] = 3", store_history=True)
    with pytest.raises(StaleProposal, match="`df` changed since the cell ran"):
        runner.trial(cell("df['b'] = 2"), base, ())
    assert list(shell.user_ns["df"]) == ["a", "b", "c"]


def test_foreign_code_is_not_run_without_confinement(namespace):
    runner = executor(namespace)
    trial = runner.trial(cell("calls.append('ran')"), runner.run(cell("pass")), (), foreign=True)
    assert trial.doubts == ("foreign code was not run: it cannot be confined here",)
    assert (trial.outcome, trial.handle, namespace["calls"]) == (Completed(), None, [])
    with pytest.raises(StaleProposal):
        runner.commit(trial)


def test_the_failing_functions_locals_are_seen(namespace):
    runner = executor(namespace)
    base = runner.run(cell("def f(n):\n    half = n / 2\n    return half['x']\nf(4)"))
    with runner.at(base) as look:
        assert look["half"] == 2.0


def test_an_observer_that_fails_costs_nothing(namespace):
    class Broken(Plain):
        def instrument(self, node, step, cell):
            raise RuntimeError

        before = after = operations = operands = instrument

    runner = CellExecutor(namespace, Broken, Look)
    run = completed(runner.run(cell("x = 1\nx + 1")))
    assert runner.result(run) == 2
    assert [(c.line, c.source) for c in run.cards] == [(1, "x = 1"), (2, "x + 1")]


def test_a_trial_of_a_cell_that_does_not_compile(namespace):
    runner = executor(namespace)
    trial = runner.trial(cell("x = ("), runner.run(cell("pass")), ())
    assert (trial.outcome.ename, trial.outcome.step) == ("SyntaxError", None)


def test_a_trial_with_await_inside_a_running_loop(shell):
    import asyncio

    runner = on(shell)

    async def main() -> Run:
        base = await runner.arun(cell("import asyncio\nx = await asyncio.sleep(0, nope)"))
        assert isinstance(base.outcome, Raised)
        return runner.trial(cell("import asyncio\nx = await asyncio.sleep(0, 5)"), base, ())

    trial = completed(asyncio.run(main()))
    runner.commit(trial)
    assert shell.user_ns["x"] == 5


def test_cancelling_an_awaited_cell_is_an_interrupt(shell):
    import asyncio

    runner = on(shell)

    async def main() -> Run:
        task = asyncio.ensure_future(runner.arun(cell("import asyncio\nawait asyncio.sleep(60)")))
        await asyncio.sleep(0.05)
        task.cancel()
        return await task

    assert asyncio.run(main()).outcome == Interrupted(1)


def test_magics_run_in_trials(shell):
    runner = on(shell)
    base = runner.run(cell("nope"))
    body = "%env REFLEX_TRIAL=1\nimport os\nx = os.environ['REFLEX_TRIAL']"
    trial = completed(runner.trial(cell(body).__class__(body, 0, shell.transform_cell), base, ()))
    import os

    assert "REFLEX_TRIAL" not in os.environ
    with runner.at(trial) as look:
        assert look["x"] == "1"


def test_a_trial_asks_nobody(namespace, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda prompt="": "typed")
    runner = executor(namespace)
    base = runner.run(cell("a = nope"))
    trial = runner.trial(cell("a = input()"), base, ())
    assert (trial.outcome.ename, input()) == ("EOFError", "typed")


@pytest.mark.parametrize("verify", [True, False])
def test_a_rollback_can_be_verified(namespace, verify):
    hidden = [1]
    namespace["hidden"] = hidden
    runner = executor(namespace, verify=verify)
    base = runner.run(cell("nope"))
    trial = runner.trial(cell("a = 1"), base, ())
    assert trial.doubts == ()
    restore = runner._apply

    def forgets(state):
        doubts = restore(state)
        hidden.append(9)
        return doubts

    runner._apply = forgets
    trial = runner.trial(cell("a = 2"), base, ())
    assert trial.doubts == (("`hidden` is not as it was before the trial",) if verify else ())
