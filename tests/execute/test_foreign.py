"""Foreign code runs in a confined child; what it made comes back as data."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass, field

import pandas as pd
import pytest

from reflex_magic.core.outcome import Completed, Condition, Raised, TimedOut
from reflex_magic.execute import CellExecutor
from reflex_magic.execute.confine import Confinement
from reflex_magic.observe import CellObserver
from tests.execute.support import Look, cell, completed, executor

confined = pytest.mark.skipif(Confinement().level not in ("S3", "S2"), reason="foreign code cannot be confined here")


@pytest.fixture
def namespace():
    frame = pd.DataFrame({"k": ["a", "b"], "v": [1.0, 2.0]})
    return {"pd": pd, "df": frame, "alias": frame, "log": [0], "calls": []}


def confining(namespace, **options):
    return CellExecutor(namespace, CellObserver, Look, confinement=Confinement(), **options)


@confined
def test_what_it_made_is_bound_as_data_and_not_run_here(namespace):
    runner = confining(namespace)
    base = runner.run(cell("total = df['V'].sum()"))
    body = "calls.append(1)\ndf['w'] = df['v'] * 2\ntotal = df['w'].sum()\nprint('shown')\ntotal"
    trial = completed(runner.trial(cell(body), base, [Condition("total == 6", "expect")], foreign=True))
    assert trial.doubts == ()
    assert trial.conditions[0].held is True
    assert [c.source for c in trial.cards][:2] == ["calls.append(1)", "df['w'] = df['v'] * 2"]
    assert "".join(o.data["text/plain"] for o in trial.outputs).startswith("shown\n")
    assert ("total" in namespace, namespace["calls"], list(namespace["df"])) == (False, [], ["k", "v"])
    runner.commit(trial)
    assert (namespace["total"], namespace["calls"]) == (6.0, [1])
    assert namespace["alias"] is namespace["df"], "what was changed in place there is changed in place here"
    assert list(namespace["df"]) == ["k", "v", "w"]
    runner.undo(trial)
    assert list(namespace["df"]) == ["k", "v"]


@confined
def test_how_it_failed_comes_back(namespace):
    runner = confining(namespace)
    base = runner.run(cell("nope"))
    trial = runner.trial(cell("x = 1\ndf['V']"), base, (), foreign=True)
    assert isinstance(trial.outcome, Raised)
    assert (trial.outcome.ename, trial.outcome.step, trial.cell.text(trial.outcome.span)) == ("KeyError", 1, "df['V']")
    assert trial.outcome.details["key"] == "V"
    assert "x" not in namespace


@confined
def test_an_act_that_is_refused_is_reported_and_does_not_happen(namespace):
    runner = confining(namespace)
    base = runner.run(cell("nope"))
    target = pathlib.Path("out.txt").resolve()
    trial = runner.trial(cell("import subprocess\nsubprocess.run(['touch', 'out.txt'])"), base, (), foreign=True)
    assert trial.denied
    assert not target.exists()


@confined
def test_what_is_no_data_is_a_doubt(namespace):
    runner = confining(namespace)
    trial = runner.trial(cell("f = lambda: 1\nx = f()"), runner.run(cell("nope")), (), foreign=True)
    assert [d.split(" ")[0] for d in trial.doubts] == ["`f`"]
    with runner.at(trial) as look:
        assert look["x"] == 1


@confined
def test_a_module_that_is_loaded_is_bound(namespace):
    runner = confining(namespace)
    trial = runner.trial(cell("import json\nx = json.dumps([1])"), runner.run(cell("nope")), (), foreign=True)
    assert trial.doubts == ()
    with runner.at(trial) as look:
        assert look["json"].__name__ == "json"


@confined
def test_it_is_ended_when_it_takes_too_long(namespace):
    runner = confining(namespace, timeout=0.5)
    trial = runner.trial(cell("while True:\n    try:\n        while True: pass\n    except BaseException: pass"),
                         runner.run(cell("nope")), (), foreign=True)  # fmt: skip
    assert isinstance(trial.outcome, TimedOut)


@dataclass
class Sent:
    """A child that sends what it likes."""

    values: dict = field(default_factory=dict)
    opaque: dict = field(default_factory=dict)
    plain: object = None
    denied: tuple = ()
    killed: str = ""
    files: tuple = ()
    level = "S3"

    def run(self, work, *, seconds):
        return self


@pytest.mark.parametrize("plain", [None, 5, {"run": {}}, {"run": {"outcome": {"type": "Interrupted"}}}, {"run": [1]}])
def test_a_child_that_sends_nonsense_holds_nothing(namespace, plain):
    runner = executor(namespace, confinement=Sent(plain=plain))
    trial = runner.trial(cell("x = 1"), runner.run(cell("nope")), (), foreign=True)
    assert isinstance(trial.outcome, Raised)
    assert trial.outcome.ename == "Killed"


def test_a_child_cannot_bind_names_of_the_shell_or_import(namespace):
    from reflex_magic.execute import plain

    run = plain.pack(Completed(), (), (), ())
    sent = Sent({"get_ipython": 1, "x": 2, "not a name": 3}, plain={"run": run, "modules": {"m": "antigravity"}})
    runner = executor(namespace, confinement=sent)
    trial = runner.trial(cell("x = 1"), runner.run(cell("nope")), (), foreign=True)
    assert trial.doubts == ("`m` could not be brought back: the module antigravity is not loaded",)
    with runner.at(trial):
        assert namespace["x"] == 2
        assert "get_ipython" not in namespace
        assert "not a name" not in namespace


@pytest.mark.parametrize("level", ["S0", "S1"])
def test_without_confinement_it_is_not_run(namespace, level):
    sent = Sent()
    sent.level = level
    trial = executor(namespace, confinement=sent).trial(
        cell("x = 1"), executor(namespace).run(cell("pass")), (), foreign=True
    )
    assert trial.doubts == ("foreign code was not run: it cannot be confined here",)
    assert trial.handle is None
