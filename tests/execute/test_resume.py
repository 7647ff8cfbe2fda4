"""After an edit, execution goes on at the first changed step, where that is sound."""

from __future__ import annotations

import time

import pandas as pd
import pytest

from tests.execute.support import cell, completed, executor, on

SLOW = "data = load()\n"
"""A step after which there is a boundary, because repeating it would cost more than noting it."""


@pytest.fixture(autouse=True)
def _worth_it(monkeypatch):
    """Whether a boundary is worth its cost is not what is tested here, and a busy machine decides otherwise."""
    monkeypatch.setattr("reflex_magic.execute.stepper.RATIO", 1)


@pytest.fixture
def namespace():
    calls: list[str] = []

    def load() -> list[int]:
        calls.append("load")
        time.sleep(0.05)
        return [3, 1, 2]

    return {"load": load, "calls": calls, "pd": pd}


def resumed(namespace, before: str, after: str):
    """A cell that failed as `before` and is tried as `after`: the executor and the trial."""
    runner = executor(namespace)
    base = runner.run(cell(before))
    assert base.outcome.ename == "NameError"
    return runner, completed(runner.trial(cell(after), base, ()))


def test_a_slow_step_is_not_run_again_for_an_edit_below_it(namespace):
    runner, trial = resumed(namespace, SLOW + "data.sort()\nnope", SLOW + "data.sort()\nfirst = data[0]")
    assert (trial.start, trial.doubts, trial.notes) == (1, (), ())
    runner.commit(trial)
    assert (namespace["first"], namespace["data"], namespace["calls"]) == (1, [1, 2, 3], ["load"])


def test_a_slow_step_is_run_again_when_it_was_changed_itself(namespace):
    _, trial = resumed(namespace, SLOW + "nope", "data = load()[:2]\nfirst = data[0]")
    assert trial.start == 0


def test_a_comment_is_no_change(namespace):
    _, trial = resumed(namespace, SLOW + "nope", "data = load()  # once\n\nfirst = data[0]")
    assert trial.start == 1


@pytest.mark.parametrize(
    "draw",
    ["draws.append(random.random())", "draws.append(np.random.rand())", "draws.append(generator.random())"],
)
def test_a_step_with_a_generator_gives_the_same_numbers_again(namespace, draw):
    namespace["draws"] = []
    start = "import random\nimport numpy as np\ngenerator = np.random.default_rng(1)\n"
    runner = executor(namespace)
    base = runner.run(cell(start + SLOW + draw + "\nnope"))
    drawn = list(namespace["draws"])
    trial = completed(runner.trial(cell(start + SLOW + draw + "\ndone = 1"), base, ()))
    runner.commit(trial)
    assert namespace["draws"] == drawn
    assert trial.doubts == ()


@pytest.mark.parametrize("step", ["import uuid\nname = uuid.uuid4()", "import time\nname = (time.time(),)"])
def test_a_step_that_gives_something_else_each_time_is_not_run_again(namespace, step):
    runner = executor(namespace)
    base = runner.run(cell(SLOW + step + "\nnope"))
    name = namespace["name"]
    trial = completed(runner.trial(cell(SLOW + step + "\nkept = name"), base, ()))
    runner.commit(trial)
    assert namespace["kept"] is namespace["name"] is name
    assert trial.doubts == ()


def test_where_it_has_to_be_run_again_that_is_a_doubt(namespace, monkeypatch):
    monkeypatch.setattr("reflex_magic.execute.stepper.final", lambda code: False)
    step = "import uuid\nname = uuid.uuid4()"
    _, trial = resumed(namespace, step + "\nnope", step + "\nkept = name")
    assert trial.doubts == ("step 2 was run again, which may give something else: name = uuid.uuid4()",)


def test_a_generator_that_went_on_is_made_again(namespace):
    namespace["pull"] = next  # the name `next` alone would ask for a boundary
    start = SLOW + "stream = (x * 10 for x in data)\n"
    runner = executor(namespace)
    base = runner.run(cell(start + "b = pull(stream) + nope"))
    trial = completed(runner.trial(cell(start + "b = pull(stream)"), base, ()))
    runner.commit(trial)
    assert namespace["b"] == 30
    assert namespace["calls"] == ["load"]
    assert trial.doubts == ()


def test_a_generator_that_a_boundary_knows_is_a_reason_to_start_earlier(namespace):
    namespace["wait"], namespace["pull"] = time.sleep, next
    start = "stream = (x * 10 for x in (1, 2))\nwait(0.05)\n"
    runner = executor(namespace)
    base = runner.run(cell(start + "b = pull(stream) + nope"))
    trial = completed(runner.trial(cell(start + "b = pull(stream)"), base, ()))
    runner.commit(trial)
    assert namespace["b"] == 10
    assert (trial.start, trial.doubts) == (0, ())
    assert trial.notes == ("`stream` (generator) was used and cannot be put back: the trial began at an earlier step",)


def test_a_generator_from_before_the_cell_is_a_doubt(namespace):
    namespace["stream"] = (x for x in range(9))
    _, trial = resumed(namespace, "a = next(stream)\nb = nope", "a = next(stream)\nb = a")
    assert any("stream" in doubt for doubt in trial.doubts) or trial.start == 1


def test_files_that_repeated_steps_write_are_written_once(namespace, tmp_path):
    write = "with open('log.txt', 'a') as f: f.write('x')\n"
    runner, trial = resumed(namespace, write + "nope", write + "done = 1")
    assert (tmp_path / "log.txt").read_text() == "x"
    runner.commit(trial)
    assert (tmp_path / "log.txt").read_text() == "x"


# -- a cell that ran without the executor ---------------------------------------------------------


def adopted(shell, body: str):
    """A plain cell that failed, and an executor that takes it over."""
    result = shell.run_cell(body, store_history=True)
    error = result.error_in_exec or result.error_before_exec
    place = error.__traceback__
    while place.tb_next is not None and shell.compile.format_code_name(place.tb_frame.f_code.co_filename) is None:
        place = place.tb_next
    runner = on(shell)
    return runner, runner.adopt(cell(body), error, place.tb_frame.f_code.co_filename, result.execution_count)


def test_a_plain_cell_is_taken_over_at_the_step_that_failed(shell):
    shell.user_ns["made"] = []
    body = "made.append(1)\nx = {'a': 1}\ny = x['b']"
    runner, base = adopted(shell, body)
    assert (base.outcome.ename, base.outcome.step, base.outcome.span.line) == ("KeyError", 2, 3)
    trial = completed(runner.trial(cell(body.replace("'b'", "'a'")), base, ()))
    assert trial.start == 2
    assert any("ran without" in doubt for doubt in trial.doubts)
    assert "y" not in shell.user_ns
    runner.commit(trial)
    assert (shell.user_ns["y"], shell.user_ns["made"]) == (1, [1])
    runner.undo(trial)
    assert "y" not in shell.user_ns


def test_an_edit_above_the_step_that_failed_runs_the_whole_plain_cell(shell):
    runner, base = adopted(shell, "x = {'a': 1}\nz = 1\ny = x['b']")
    trial = completed(runner.trial(cell("x = {'b': 2}\nz = 1\ny = x['b']"), base, ()))
    assert trial.start == 0
    runner.commit(trial)
    assert shell.user_ns["y"] == 2


def test_a_plain_cell_that_is_not_python_is_taken_over(shell):
    runner, base = adopted(shell, "x = (1")
    assert base.outcome.ename == "SyntaxError"
    trial = completed(runner.trial(cell("x = (1)"), base, ()))
    runner.commit(trial)
    assert shell.user_ns["x"] == 1


def test_the_locals_of_a_plain_cells_function_can_be_seen(shell):
    runner, base = adopted(shell, "def f(frame):\n    return frame['b']\n\nf({'a': 1})")
    with runner.at(base) as values:
        assert values["frame"] == {"a": 1}
