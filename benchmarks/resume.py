"""How long a repair takes when the cell begins with a slow load and fails in its last step.

    python -m benchmarks.resume [--check] [--json FILE] [--tiny]

A cell reads a large CSV file, computes, and misspells a column in its last line. Under `%%reflect --accept`
it runs, fails, is repaired by a rule, and its results are bound. That takes turns with one plain run of
the repaired cell, in the same process.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv

import reflex_magic
from benchmarks.common import Result, Table, arguments, finish, interleaved, measure, ratios, run, shell, spread

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

PLAIN, REPAIRED = "the repaired cell, plain", "the failing cell, repaired"

CELL = """\
trips = pd.read_csv("trips.csv", parse_dates=["began"])
per_city = trips.groupby("city")["fare"].mean()
longest = trips["km"].max()
total = trips["{column}"].sum()"""
"""`fare` is a column; `Fare` is not."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Rows of the file, some 80 bytes each, and how often the two take turns."""

    rows: int = 15_000_000
    rounds: int = 5


TINY = Sizes(2_000, 1)


def write(folder: Path, rows: int) -> None:
    """The file."""
    rng = np.random.default_rng(7)
    names = ["km", "fare", "tip"]
    numbers = {name: rng.gamma(4.0, 10.0, rows) for name in names}
    began = pa.array(rng.integers(1.7e9, 1.8e9, rows), pa.timestamp("s"))
    table = pa.table({"began": began, "city": rng.integers(0, 50, rows), **numbers})
    pyarrow.csv.write_csv(table, folder / "trips.csv")


def repair(made: InteractiveShell) -> None:
    """Run the failing cell and have it repaired."""
    made.run_cell("%%reflect --accept\n" + CELL.format(column="Fare"), store_history=True)
    report = reflex_magic.last_report()
    assert report is not None
    assert report.status == "repaired", report.status
    assert report.source == CELL.format(column="fare"), report.source


def benchmark(sizes: Sizes) -> Result:
    """Everything."""
    result = Result("resume", "A slow load, then a failure in the last step, repaired by a rule. Wall time.")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), shell() as made:
        write(Path(folder), sizes.rows)
        made.user_ns["pd"] = pd
        plain = functools.partial(run, made, CELL.format(column="fare"))
        plain()
        expected = made.user_ns["total"]
        found = interleaved({PLAIN: plain, REPAIRED: functools.partial(repair, made)}, sizes.rounds, warm=1)
        del made.user_ns["total"]
        repair(made)
        assert made.user_ns["total"] == expected
        size = (Path(folder) / "trips.csv").stat().st_size
    result.measures += [
        measure("repaired, against one plain run", ratios(found[PLAIN], found[REPAIRED], "wall"), "times", target=1.05)
    ]
    table = Table(f"A file of {size / 1e6:,.0f} MB, seconds, medians:", ("", "wall", "CPU"))
    for name, timings in found.items():
        table.rows.append((name, *(f"{spread([getattr(t, c) for t in timings])[0]:.3f}" for c in ("wall", "cpu"))))
    result.tables.append(table)
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked to."""
    options = arguments(__doc__ or "").parse_args(argv)
    return finish(benchmark(TINY if options.tiny else Sizes()), options)


if __name__ == "__main__":
    sys.exit(main())
