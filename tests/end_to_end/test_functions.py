"""Calls in the functions that a cell defines are watched while the cell runs, and leave no trace."""

from __future__ import annotations

import builtins

import pytest

import reflex_magic
from tests.end_to_end.conftest import Notebook

FRAMES = "a = pd.DataFrame({'k': [1, 1, 2], 'v': [1, 2, 3]})\nb = pd.DataFrame({'k': [1, 1, 2], 'w': [1, 2, 3]})"
JOIN = "def joined(left, right):\n    return left.merge(right, on='k')\n"


@pytest.fixture
def frames(notebook: Notebook) -> Notebook:
    notebook.run(FRAMES)
    return notebook


def codes(notebook: Notebook, cell: str) -> list[tuple[str, int]]:
    """The findings of a cell with their lines in the body."""
    report = notebook.reflect(cell, "--no-model --dry-run")
    return [(f.code, f.span.line - 1) for f in report.findings if f.severity != "note"]


def test_a_call_in_a_function_is_found_where_it_stands(frames: Notebook) -> None:
    assert codes(frames, JOIN + "out = joined(a, b)") == [("join-multiplies-rows", 2)]


def test_a_function_of_an_earlier_cell_is_not_watched(frames: Notebook) -> None:
    frames.run(JOIN)
    assert codes(frames, "out = joined(a, b)") == []


def test_a_function_has_its_own_code_afterwards(frames: Notebook) -> None:
    frames.reflect(JOIN + "during = joined.__code__.co_names\nout = joined(a, b)", "--no-model --dry-run")
    assert "__reflex_probe__" not in vars(builtins)
    frames.run(JOIN.replace("joined", "other"))
    joined, other = frames["joined"], frames["other"]
    assert joined.__code__.co_names == other.__code__.co_names == ("merge",)
    assert joined.__code__.co_code == other.__code__.co_code
    assert len(joined(frames["a"], frames["b"])) == 5


@pytest.mark.parametrize("failing", [JOIN + "out = joined(a, b)\nnope", JOIN + "out = joined(a, 1)"])
def test_also_when_the_cell_fails(frames: Notebook, failing: str) -> None:
    frames.reflect(failing, "--no-model --dry-run")
    assert frames["joined"].__code__.co_names == ("merge",)


def test_a_function_that_calls_itself_is_not_misread(frames: Notebook) -> None:
    cell = (
        "def shrink(left, n):\n    return shrink(left, n - 1).merge(b, on='k', how='left') if n else left\n"
        "out = shrink(a[:1], 2)"
    )
    assert all(line == 2 for _, line in codes(frames, cell))
    assert len(frames["out"]) == 4


def test_a_generator_function_goes_on_after_the_cell(frames: Notebook) -> None:
    parts = "def parts():\n    for k in (1, 2):\n        yield a[a['k'] == k].merge(b, on='k')\n"
    frames.reflect(parts + "stream = parts()\nfirst = next(stream)", "--no-model")
    assert len(next(frames["stream"])) == 1


def test_a_thread_goes_on_after_the_cell(frames: Notebook) -> None:
    cell = (
        "import threading\nmay = threading.Event()\nmade = []\n"
        "def work():\n    may.wait(5)\n    made.append(len(a.merge(b, on='k')))\n"
        "thread = threading.Thread(target=work)\nthread.start()"
    )
    frames.reflect(cell, "--no-model")
    frames.run("may.set()\nthread.join(5)")
    assert frames["made"] == [5]


@pytest.mark.parametrize(
    "cell",
    [
        "import pickle, types\n" + JOIN + "names = joined.__code__.co_names",
        "def tag(f): return f\n@tag\n" + JOIN + "names = tag(joined).__code__.co_names",
    ],
)
def test_a_function_that_may_leave_or_was_wrapped_is_left_alone(frames: Notebook, cell: str) -> None:
    frames.reflect(cell, "--no-model")
    assert frames["names"] == ("merge",)


def test_a_finding_in_a_function_is_not_lost_when_a_trial_begins_after_its_definition(frames: Notebook) -> None:
    cell = (
        "import time\n"
        + JOIN
        + "time.sleep(0.1)\nout = joined(a, b)\ntotal = out['W'].sum()\nassert len(out) == len(a)"
    )
    report = frames.reflect(cell, "--accept --no-model")
    assert report.status != "repaired"
    assert "out" in frames.shell.user_ns
    alone = [p.verdict for p in reflex_magic.last_report().proposals if not p.parents]
    assert alone
    assert "holds" not in alone


def test_functions_under_their_own_name_are_watched(frames: Notebook) -> None:
    assert codes(frames, "from pandas import merge\nout = merge(a, b, on='k')") == [("join-multiplies-rows", 2)]
    assert codes(frames, "def merge(x, y, on): return x\nout = merge(a, b, on='k')") == []
