"""Each benchmark on tiny data: what it prints and writes, and not how fast anything was."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.common import Measure, Result, Timing, differences, finish, interleaved, measure, ratios, shown

ROOT = Path(__file__).parents[2]

EXPECTED = {
    "overhead": (
        [
            "pandas cell, first run, execution only: ratio",
            "pandas cell, first run, everything on: ratio",
            "pandas cell, run again, execution only: ratio",
            "pandas cell, run again, everything on: ratio",
            "1 trivial statement, execution only: added",
            "each further trivial statement, execution only",
            "1 trivial statement, everything on: added",
            "each further trivial statement, everything on",
            "1 small pandas statement, execution only: added",
            "each further small pandas statement, execution only",
            "1 small pandas statement, everything on: added",
            "each further small pandas statement, everything on",
        ],
        [*2 * [["plain", "execution only", "everything on"]], ["1", "3"], ["1", "3"]],
    ),
    "checkpoint": (
        [
            "checkpoint, against copy.deepcopy",
            "extra memory until something changes",
            "10 rebinds: peak of the data",
        ],
        [["checkpoint", "copy.deepcopy"], ["plain", "magic"]],
    ),
    "resume": (
        ["repaired, against one plain run"],
        [["the repaired cell, plain", "the failing cell, repaired"]],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED)
def test_benchmark(name: str, tmp_path: Path) -> None:
    written = tmp_path / "results" / f"{name}.json"
    command = [sys.executable, "-m", f"benchmarks.{name}", "--tiny", "--json", str(written)]
    environment = os.environ | {"IPYTHONDIR": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr  # a missed target is no error
    data = json.loads(written.read_text())
    measures, tables = EXPECTED[name]
    told = {m["name"]: m for m in data["measures"]}
    assert [m for m in told if "dill" not in m] == measures
    rows = [[row[0] for row in table["rows"] if row[0] != "dill"] for table in data["tables"]]
    assert rows == tables
    assert all(m["target"] is not None and isinstance(m["value"], float) for m in told.values())
    assert {"date", "python", "cpus", "pandas", "ipython"} <= data["machine"].keys()
    for text in (done.stdout, report.page([data])):
        assert all(f"| {m} |" in text for m in told)
        assert all(len(row) == len(table["head"]) for table in data["tables"] for row in table["rows"])


def test_what_is_compared_takes_turns() -> None:
    ran: list[str] = []
    works = {name: lambda name=name: ran.append(name) for name in "abc"}
    found = interleaved(works, rounds=4, warm=1)
    assert {name: len(timings) for name, timings in found.items()} == {"a": 4, "b": 4, "c": 4}
    rounds = [ran[i : i + 3] for i in range(0, 15, 3)]
    assert all(sorted(order) == ["a", "b", "c"] for order in rounds)
    assert len({order[0] for order in rounds}) == 3


def test_figures_are_of_one_round() -> None:
    plain, other = [Timing(1.0, 10.0), Timing(2.0, 20.0)], [Timing(3.0, 11.0), Timing(3.0, 24.0)]
    assert differences(plain, other) == [1.0, 4.0]
    assert ratios(plain, other, "wall") == [3.0, 1.5]
    told = measure("x", [1.0, 2.0, 3.0, 4.0, 5.0], "ms", scale=10)
    assert (told.value, told.low, told.high) == (30.0, 20.0, 40.0)


@pytest.mark.parametrize(
    ("value", "target", "at_least", "verdict"),
    [(1.0, None, False, ""), (1.0, 1.0, False, "ok"), (1.1, 1.0, False, "missed"), (9.0, 10.0, True, "missed")],
)
def test_targets(
    value: float, target: float | None, at_least: bool, verdict: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = Result("sample", "About.", [Measure("what", value, "ms", target=target, at_least=at_least)])
    assert result.measures[0].verdict == verdict
    assert f"| {verdict} |" in shown(result)
    for check in (False, True):
        assert finish(result, _options(check)) == int(check and verdict == "missed")
    assert capsys.readouterr().out == 2 * shown(result)


def _options(check: bool) -> argparse.Namespace:
    return argparse.Namespace(check=check, json=None)
