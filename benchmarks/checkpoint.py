"""What it takes to keep and put back a namespace, against copying or serialising it.

    python -m benchmarks.checkpoint [--check] [--json FILE] [--tiny]

A frame of 1 GB of numbers and one of 1 GB of text are kept, changed and put back: by a checkpoint of
`%%reflect`, by `copy.deepcopy`, and by dill. Then a frame is rebound ten times in one cell, in a
process of its own, plain and under the magic: older versions that are kept cost memory.
"""

from __future__ import annotations

import copy
import gc
import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from benchmarks.common import (
    Measure,
    Result,
    Table,
    arguments,
    finish,
    forget_peak,
    measure,
    peak,
    resident,
    run,
    shell,
    spread,
)
from reflex_magic.execute.checkpoint import Checkpoint, take

UNDO, DEEP, DILL = "checkpoint", "copy.deepcopy", "dill"
NAMES = {"numbers", "texts"}
REBINDS = 10


@dataclass(frozen=True, slots=True)
class Sizes:
    """Rows of the two frames (80 and 96 bytes each) and of the one that is rebound, and how often each is measured."""

    numbers: int = 12_500_000
    texts: int = 10_500_000
    rebound: int = 5_000_000
    rounds: int = 3
    repeats: int = 50


TINY = Sizes(20_000, 20_000, 20_000, 1, 3)


@dataclass(frozen=True, slots=True)
class Way:
    """A way to keep a namespace and to put it back, and how often to measure it in a round."""

    keep: Callable[[dict[str, Any]], Any]
    restore: Callable[[dict[str, Any], Any], object]
    repeats: int = 1


def fill(sizes: Sizes) -> dict[str, Any]:
    """The two frames."""
    rng = np.random.default_rng(7)
    numbers = pd.DataFrame(rng.random((sizes.numbers, 10)), columns=[f"x{i}" for i in range(10)])
    pool = pa.array([f"order {i:010d}" for i in range(10_000)], pa.large_string())
    dtype = "str" if int(pd.__version__.split(".")[0]) >= 3 else "string[pyarrow]"
    columns = {}
    for i in range(4):
        chosen = pool.take(pa.array(rng.integers(0, len(pool), sizes.texts)))
        columns[f"t{i}"] = pd.array(chosen, dtype=dtype)
    return {"numbers": numbers, "texts": pd.DataFrame(columns, copy=False)}


def ways(repeats: int) -> dict[str, Way]:
    """The ways that are installed."""

    def kept(namespace: dict[str, Any]) -> Checkpoint:
        return take(namespace, NAMES, set)

    def put_back(namespace: dict[str, Any], saved: Checkpoint) -> None:
        assert saved.restore(namespace) == []

    found = {
        UNDO: Way(kept, put_back, repeats),
        DEEP: Way(copy.deepcopy, lambda namespace, saved: namespace.update(saved)),
    }
    if importlib.util.find_spec("dill") is not None:
        import dill  # type: ignore[import-untyped]

        found[DILL] = Way(dill.dumps, lambda namespace, saved: namespace.update(dill.loads(saved)))  # noqa: S301
    return found


def change(namespace: dict[str, Any]) -> None:
    """Change both frames in place, as a step would."""
    del namespace["numbers"]["x0"]
    namespace["texts"]["seen"] = True


def digest(namespace: dict[str, Any]) -> tuple[Any, ...]:
    """What the frames look like, with a row out of each thousand."""
    return tuple(
        (list(f.columns), len(f), pd.util.hash_pandas_object(f.iloc[::1000]).sum()) for f in namespace.values()
    )


def keeping(namespace: dict[str, Any], sizes: Sizes) -> tuple[list[Measure], Table, list[str]]:
    """Seconds and bytes of each way."""
    data = sum(int(f.memory_usage(deep=False).sum()) for f in namespace.values())
    before = digest(namespace)
    installed = ways(sizes.repeats)
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in installed}
    extra: dict[str, list[int]] = {name: [] for name in installed}
    for _ in range(sizes.rounds):
        for name, way in installed.items():
            for _ in range(way.repeats):
                gc.collect(0)
                memory, began = resident(), time.perf_counter()
                saved = way.keep(namespace)
                kept = time.perf_counter() - began
                extra[name].append(resident() - memory)
                change(namespace)
                began = time.perf_counter()
                way.restore(namespace, saved)
                seconds[name].append((kept, time.perf_counter() - began))
                del saved
                assert digest(namespace) == before, f"{name} did not put everything back"
    total = {name: spread([sum(pair) for pair in pairs])[0] for name, pairs in seconds.items()}
    table = Table(
        f"Keeping and putting back {data / 1e9:.1f} GB, medians:",
        ("", "keep", "put back", "both", "times as long", "extra memory"),
    )
    for name, pairs in seconds.items():
        middle = [f"{1e3 * spread([p[i] for p in pairs])[0]:,.3f} ms" for i in (0, 1)]
        more = f"{spread(extra[name])[0] / 1e6:,.1f} MB"
        table.rows.append((name, *middle, f"{1e3 * total[name]:,.3f} ms", f"{total[name] / total[UNDO]:,.0f}", more))
    measures = [
        Measure(f"checkpoint, against {name}", total[name] / total[UNDO], "times as fast", target=10_000, at_least=True)
        for name in installed
        if name != UNDO
    ]
    measures.append(measure("extra memory until something changes", extra[UNDO], "%", scale=100 / data, target=1.0))
    notes = [] if DILL in installed else ["dill is not installed (`pip install '.[bench]'`): not compared."]
    return measures, table, notes


def rebind(rows: int, magic: bool) -> int:
    """Rebind a frame ten times in one cell; the most bytes that this process grew by."""
    body = "\n".join(["f = f * 1.01"] * REBINDS)
    with shell() as made:
        made.user_ns["f"] = pd.DataFrame(np.ones((10, 10)))
        run(made, f"%%reflect\n{body}")  # whatever is loaded or made at the first use
        run(made, body)
        made.user_ns["f"] = pd.DataFrame(np.ones((rows, 10)))
        gc.collect()
        forget_peak()
        before = resident()
        run(made, f"%%reflect\n{body}" if magic else body)
        return peak() - before


def chain(sizes: Sizes) -> tuple[Measure, Table]:
    """The same in a process for each way."""
    grown = {}
    for way in ("plain", "magic"):
        command = [sys.executable, "-m", "benchmarks.checkpoint", "--rebind", way, "--rows", str(sizes.rebound)]
        grown[way] = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    own = sizes.rebound * 80
    whole = {way: own + size for way, size in grown.items()}
    table = Table(
        f"A frame of {own / 1e6:,.0f} MB, rebound {REBINDS} times in one cell (`f = f * 1.01`), most memory:",
        ("", "above what the process had before the cell", "with the frame it began with"),
        [(way, f"{grown[way] / 1e6:,.0f} MB", f"{whole[way] / 1e6:,.0f} MB") for way in grown],
    )
    return Measure(f"{REBINDS} rebinds: peak of the data", whole["magic"] / whole["plain"], "times", target=2.2), table


def benchmark(sizes: Sizes) -> Result:
    """Everything."""
    result = Result("checkpoint", "What it takes to keep variables and put them back.")
    namespace = fill(sizes)
    measures, table, result.notes = keeping(namespace, sizes)
    namespace.clear()
    result.measures += measures
    result.tables.append(table)
    rebinding, table = chain(sizes)
    result.measures.append(rebinding)
    result.tables.append(table)
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked to."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--rebind", choices=["plain", "magic"], help="only rebind a frame, and print the growth")
    parser.add_argument("--rows", type=int, default=Sizes().rebound)
    options = parser.parse_args(argv)
    if options.rebind:
        sys.stdout.write(f"{rebind(options.rows, options.rebind == 'magic')}\n")
        return 0
    return finish(benchmark(TINY if options.tiny else Sizes()), options)


if __name__ == "__main__":
    sys.exit(main())
