"""Which boundaries are kept, and what a cell costs in memory for them."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reflex_magic.core.outcome import Condition, Raised
from reflex_magic.execute import retention, stepper
from reflex_magic.execute.checkpoint import take
from reflex_magic.execute.retention import CAP, MOST, Choice, Held, choose, memory
from reflex_magic.execute.stepper import Boundary
from tests.execute.support import cell, completed, executor

ROOT = Path(__file__).parents[2]

copies_on_write = pytest.mark.skipif(
    int(pd.__version__.partition(".")[0]) < 3, reason="without copy-on-write a boundary holds full copies"
)

MB = 1 << 20
GB = 1 << 30


def held(*boundaries):
    """Boundaries from (moment, {memory: megabytes})."""
    return [Held({key: size * MB for key, size in footprint.items()}, at) for at, footprint in boundaries]


CHOICES = {
    "one": ([(0, {})], GB, GB, (0,)),
    "nothing held": ([(0, {}), (1, {}), (2, {})], GB, 100 * GB, (0, 1, 2)),
    "the first and the newest alone are no question of a cap": ([(0, {1: 5000}), (1, {2: 5000})], 0, 100 * GB, (0, 1)),
    "all fit": ([(0, {1: 100}), (1, {2: 100}), (2, {})], GB, 100 * GB, (0, 1, 2)),
    "the one that saves least for its bytes goes": (
        [(0, {}), (60, {1: 400}), (61, {2: 300}), (62, {})],
        GB,
        100 * GB,
        (0, 1, 3),
    ),
    "seconds count from the boundary that is kept before": (
        [(0, {}), (1, {1: 300}), (2, {2: 300}), (50, {3: 300}), (51, {})],
        GB,
        100 * GB,
        (0, 3, 4),
    ),
    "what two share is held until both are gone": (
        [(0, {}), (1, {1: 600}), (2, {1: 600}), (3, {2: 10}), (4, {})],
        10 * GB,
        100 * GB,
        (0, 3, 4),
    ),
    "no more than is alive": ([(0, {1: 100}), (1, {2: 100}), (2, {})], 150 * MB, 100 * GB, (0, 2)),
    "a little always": ([(0, {1: 30}), (1, {2: 30}), (2, {})], 0, 100 * GB, (0, 1, 2)),
    "of many that hold nothing the ones that save least go": (
        [(i * i, {}) for i in range(MOST + 3)],
        GB,
        100 * GB,
        (0, 3, *range(5, MOST + 3)),
    ),
}


@pytest.mark.parametrize(("boundaries", "alive", "available", "kept"), CHOICES.values(), ids=CHOICES)
def test_choice(boundaries, alive, available, kept):
    assert choose(held(*boundaries), alive, available) == Choice(kept)


@pytest.mark.parametrize(
    ("available", "short"),
    [(100 * GB, False), (2400 * MB, False), (2399 * MB, True), (0, True), (None, True)],
)
def test_when_memory_is_short_only_the_newest_is_kept(available, short):
    choice = choose(held((0, {1: 600}), (1, {2: 600}), (2, {})), 10 * GB, available)
    if not short:
        assert (choice.kept[0], choice.note) == (0, "")
        return
    assert choice.kept == (2,)
    assert choice.note.startswith("memory was short (older values took 1,200 MB")
    assert ("MB were left" in choice.note) is (available is not None)


def test_unknown_memory_is_not_short_below_the_cap():
    assert choose(held((0, {1: CAP // MB}), (1, {})), 10 * GB, None) == Choice((0, 1))


# -- what is held ------------------------------------------------------------------------------------


def column(kind):
    numbers = np.arange(100_000)
    return {
        "float": lambda: pd.Series(numbers * 1.5),
        "masked": lambda: pd.Series(numbers, dtype="Int64"),
        "text": lambda: pd.Series([f"text {i}" for i in numbers], dtype="string[pyarrow]"),
        "category": lambda: pd.Series(numbers % 100_000).astype("category"),
        "zone": lambda: pd.Series(pd.date_range("2024", periods=100_000, freq="s", tz="Europe/Berlin")),
        "objects": lambda: pd.Series(numbers.astype(object)),
    }[kind]()


@pytest.mark.parametrize("kind", ["float", "masked", "text", "category", "zone", "objects"])
def test_a_shallow_copy_takes_no_memory_and_a_deep_one_does(kind):
    frame = column(kind).to_frame("a")
    own = dict(memory(frame))
    assert sum(own.values()) >= 100_000
    assert dict(memory(frame.copy(deep=False))) == own
    assert dict(memory(frame["a"])) == own
    changed = frame.copy(deep=False)
    changed["a"] = frame["a"].iloc[::-1].reset_index(drop=True).copy()
    assert dict(memory(changed)).keys().isdisjoint(own) or kind == "text"


def test_views_are_the_memory_of_their_owner_and_a_mapped_file_is_none(tmp_path):
    array = np.zeros(1_000_000)
    assert dict(memory(array[10:20])) == dict(memory(array)) == {id(array): array.nbytes}
    mapped = np.memmap(tmp_path / "m", dtype=float, mode="w+", shape=(1_000_000,))
    assert dict(memory(mapped[5:])) == {}
    del mapped
    assert dict(memory([0] * 100_000)).popitem()[1] >= 800_000
    assert dict(memory("short")) == dict(memory(object())) == {}


def test_nothing_of_the_analysts_runs():
    class Refusing(pd.DataFrame):
        def _refuse(self, *_, **__):
            raise SystemExit

        nbytes = shape = dtypes = property(_refuse)
        memory_usage = __len__ = __getitem__ = _refuse

    class Proxy:
        def __getattr__(self, name):
            raise SystemExit

    frame = Refusing({"a": np.zeros(1_000_000)})
    assert sum(size for _, size in memory(frame)) == 8_000_000
    assert dict(memory(Proxy())) == {}


def taken(namespace):
    return Boundary(0, take(namespace, set(namespace), set))


CHANGES = {
    "nothing": ("pass", 0),
    "rebound": ("f = f * 2", 8),
    "deleted": ("del f", 8),
    "rebound, and another name holds it": ("g = f; f = 0", 0),
    "a column in place": ("f['a'] = f['a'] * 2", 4),
    "a view of one column is left": ("f = f['a']", 4),
    "the container is rebound": ("box = []", 8),
    "a frame in a container, in place": ("box[0]['a'] = 1.0", 4),
    "an unrelated name": ("h = 1", 0),
}


@copies_on_write
@pytest.mark.parametrize(("code", "megabytes"), CHANGES.values(), ids=CHANGES)
def test_what_a_boundary_holds(code, megabytes):
    count = 500_000
    namespace = {"f": pd.DataFrame({"a": np.zeros(count)}), "box": [pd.DataFrame({"a": np.zeros(count)})]}
    namespace["f"]["b"] = np.ones(count)
    namespace["box"][0]["b"] = np.ones(count)
    boundary = taken(namespace)
    exec(code, {}, namespace)
    alive = {key: size for value in namespace.values() for key, size in memory(value)}
    footprint = retention.weigh([boundary], namespace, alive)[0].footprint
    assert round(sum(footprint.values()) / 1e6) == megabytes


def test_the_copy_of_a_list_is_held():
    namespace = {"long": [0] * 1_000_000}
    (held,) = retention.weigh([taken(namespace)], namespace, {})
    assert round(sum(held.footprint.values()) / 1e6) == 8


# -- runs --------------------------------------------------------------------------------------------


@pytest.fixture
def every_step(monkeypatch):
    """A boundary before every step."""
    monkeypatch.setattr(stepper, "RATIO", 0)
    monkeypatch.setattr(stepper, "SOONEST", 0.0)


@pytest.fixture
def short(monkeypatch):
    """A machine with little memory left."""
    monkeypatch.setattr(retention, "available_memory", lambda: 10 * MB)


SETUP = {"np": np, "pd": pd, "weakref": weakref}


def boundaries(run):
    return [(b.step, bool(b.lost)) for b in run.handle.boundaries]


def test_a_chain_keeps_the_first_and_the_newest(every_step):
    namespace = {**SETUP, "f": pd.Series(np.zeros(10_000_000))}
    run = completed(executor(namespace).run(cell("\n".join(["f = f + 1"] * 6))))
    assert boundaries(run) == [(0, False), (5, False)]


def test_small_steps_keep_several(every_step):
    run = completed(executor({}).run(cell("\n".join(f"x{i} = {i}" for i in range(20)))))
    assert len(run.handle.boundaries) == MOST
    assert boundaries(run)[0] == (0, False)
    assert boundaries(run)[-1] == (19, False)


@copies_on_write
def test_when_memory_is_short_old_values_are_freed_and_trials_of_early_steps_are_refused(every_step, short):
    namespace = {**SETUP, "f": pd.Series(np.zeros(10_000_000)), "n": 0}
    runner = executor(namespace)
    old = weakref.ref(namespace["f"])
    run = runner.run(cell("f = f + 1\nf = f + 1\nn = 1\nn = nope"))
    gc.collect()
    assert isinstance(run.outcome, Raised)
    assert old() is None, "nobody needs it"
    assert boundaries(run) == [(0, True), (2, False), (3, False)]

    late = completed(runner.trial(cell("f = f + 1\nf = f + 1\nn = 1\nn = f[0]"), run, ()))
    assert late.doubts == ()
    assert late.start == 3
    runner.commit(late)
    assert namespace["n"] == 2

    run = runner.run(cell("f = f + 1\nf = f + 1\nn = 1\nn = nope"))
    before = dict(namespace)
    early = runner.trial(cell("f = f + 5\nf = f + 1\nn = 1\nn = f[0]"), run, ())
    (doubt,) = early.doubts
    assert doubt.startswith("memory was short (older values took ")
    assert doubt.endswith("the state before the cell was not kept, and this was not tried")
    assert early.cards == ()
    assert {n: namespace[n] for n in before} == before
    late = completed(runner.trial(cell("f = f + 1\nf = f + 1\nn = 1\nn = f[0]"), run, ()))
    assert late.doubts == (), "a refused trial does no harm to the next"


@copies_on_write
def test_with_enough_memory_the_early_step_is_tried(every_step):
    namespace = {**SETUP, "f": pd.Series(np.zeros(10_000_000))}
    runner = executor(namespace)
    run = runner.run(cell("f = f + 1\nf = f + 1\nn = nope"))
    trial = completed(runner.trial(cell("f = f + 5\nf = f + 1\nn = f[0]"), run, ()))
    assert trial.doubts == ()
    runner.commit(trial)
    assert namespace["n"] == 6


@pytest.mark.parametrize("giving_up", ["del big", "big = None", "del big, small"])
@pytest.mark.parametrize("little", [True, False])
def test_a_deleted_value_is_freed_when_memory_is_short(monkeypatch, giving_up, little):
    monkeypatch.setattr(retention, "available_memory", lambda: (10 if little else 100_000) * MB)
    body = f"small = 1\n{giving_up}\nalive = watched() is not None\nnope"
    big = np.zeros(10_000_000)
    namespace = {**SETUP, "big": big, "watched": weakref.ref(big)}
    del big
    run = executor(namespace).run(cell(body))
    assert isinstance(run.outcome, Raised)
    assert namespace["alive"] is not little


def test_a_trial_is_undone_although_memory_is_short(every_step, short):
    namespace = {
        **SETUP,
        "f": pd.Series(np.zeros(10_000_000)),
        "log": [0],
        "t": pd.DataFrame({"a": np.zeros(10_000_000)}),
    }
    runner = executor(namespace)
    was = dict(namespace)
    base = runner.run(cell("nope"))
    trial = completed(runner.trial(cell("log.append(1)\nt['a'] = f + 1\nf = f + 1\nf = f + 1\nx = f[0]"), base, ()))
    assert boundaries(trial)[0] == (0, False)
    assert namespace["log"] == [0]
    assert namespace["t"]["a"].sum() == 0
    assert all(namespace[n] is v for n, v in was.items())
    runner.commit(trial)
    assert (namespace["x"], namespace["log"]) == (2, [0, 1])


def test_a_condition_is_not_weakened_by_a_lost_state(every_step, short):
    body = "f = f + 1\nlen = lambda _: 3\nf = f + 1\nf = f + 1\nx = []"
    conditions = (Condition("len(x) == 3", "expect"),)
    run = completed(executor({**SETUP, "f": pd.Series(np.zeros(10_000_000))}).run(cell(body), conditions=conditions))
    assert boundaries(run)[0] == (0, True)
    assert [c.held for c in run.conditions] == [False]


def test_files_of_a_dropped_boundary_belong_to_the_one_before(every_step, short, tmp_path):
    (tmp_path / "a.txt").write_text("before")
    body = "f = f + 1\nwith open('a.txt', 'w') as file: file.write('x')\nf = f + 1\nf = f + 1\nnope"
    runner = executor({**SETUP, "f": pd.Series(np.zeros(10_000_000))})
    run = runner.run(cell(body))
    assert run.files == ("a.txt",)
    assert boundaries(run)[0] == (0, True)
    assert len(run.handle.boundaries[0].files) == 1


PEAK = """
import resource, sys
import numpy as np, pandas as pd
from reflex_magic.execute import stepper
from tests.execute.support import executor, cell
stepper.RATIO = 0  # as often as can be
namespace = {"f": pd.DataFrame(np.random.rand(5_000_000, 10))}
body = "\\n".join(["f = f * 1.01"] * 10)
if sys.argv[1] == "plain":
    exec(body, namespace)
else:
    executor(namespace).run(cell(body))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@copies_on_write
@pytest.mark.slow
def test_a_chain_of_ten_takes_at_most_2_2_times_the_memory():
    def peak(how):
        return int(
            subprocess.run([sys.executable, "-c", PEAK, how], stdout=subprocess.PIPE, check=True, cwd=ROOT).stdout
        )

    assert peak("reflected") <= 2.2 * peak("plain")
