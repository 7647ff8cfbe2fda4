"""What `%%reflect` adds to a cell that passes, against plain `run_cell` in the same process.

    python -m benchmarks.overhead [--check] [--json FILE] [--tiny]

Three ways to run the same cell take turns: plain; under the magic with an observer that sees nothing
and without checks ("execution only"); and under the magic as it is ("everything on"). What is told
is the median over the rounds of the difference, or the ratio, within a round.
"""

from __future__ import annotations

import ast
import functools
import gc
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
import pandas as pd

from benchmarks.common import (
    Measure,
    Result,
    Table,
    Timing,
    arguments,
    differences,
    finish,
    interleaved,
    measure,
    ratios,
    run,
    shell,
    spread,
)
from reflex_magic.core.card import Card
from reflex_magic.core.cell import Cell
from reflex_magic.core.outcome import Operand, Operation

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

PLAIN, EXECUTION, EVERYTHING = "plain", "execution only", "everything on"

FIRST, AGAIN = "first run", "run again"

PANDAS_CELL = """\
recent = trips.loc[trips["km"] > 20.0, ["city", "rider", "km", "fare"]]
by_city = recent.groupby("city")["fare"].sum()
per_rider = recent.groupby("rider").agg(km=("km", "sum"), fare=("fare", "mean"))
named = recent.merge(riders, on="rider", how="left")
rate = named["fare"] / named["km"]
top = rate.nlargest(10)
top.mean()"""
"""A filter, two group-bys and a lookup in seven statements; the checks look at four of them."""

WRITTEN: Mapping[str, Callable[[int], str]] = {
    "trivial": lambda i: f"v{i} = {i} + 1",
    "small pandas": lambda i: f'p{i} = small["a"] * {i} + small["b"]',
}
"""Statements of which longer cells are made."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is run. `rows` are those of both tables of trips, `columns` the unused ones of each; 8 bytes a value."""

    rows: int = 2_000_000
    columns: int = 30
    array: int = 30_000_000
    items: int = 1_000_000
    riders: int = 100_000
    statements: tuple[int, ...] = (1, 10, 100, 1000)
    big_rounds: int = 40
    rounds: tuple[int, ...] = (300, 150, 60, 15)


TINY = Sizes(2_000, 2, 1_000, 100, 100, (1, 3), 2, (3, 2))


class Unobserving:
    """An observer that sees nothing."""

    def instrument(self, node: ast.stmt, step: int, cell: Cell) -> ast.stmt:
        """Leave the statement as it is."""
        return node

    def instrument_function(self, node: ast.FunctionDef, step: int, cell: Cell) -> ast.FunctionDef:
        """Leave the function as it is."""
        return node

    def probe(self, site: int, role: str, value: Any) -> Any:
        """Return the value."""
        return value

    def before(self, step: int, namespace: Mapping[str, Any]) -> None:
        """Look at nothing."""

    def after(
        self, step: int, namespace: Mapping[str, Any], seconds: float, warnings: Sequence[str], digest: str
    ) -> Card:
        """A card of nothing."""
        return Card(step, 0, "", seconds)

    def operations(self) -> tuple[Operation, ...]:
        """Nothing was seen."""
        return ()

    def operands(self) -> tuple[Operand, ...]:
        """Nothing was seen."""
        return ()


@contextmanager
def unobserved() -> Iterator[None]:
    """Cells are stepped and can be rolled back, and nobody looks at them."""
    nothing: dict[str, Any] = {
        "CellObserver": Unobserving,
        "check_all": lambda run, ignore=(): [],
        "forecast": lambda cell, namespace: None,
    }
    with mock.patch.multiple("reflex_magic.session", **nothing):
        yield


def fill(namespace: dict[str, Any], sizes: Sizes) -> None:
    """Some 1.3 GB of variables: frames, an array, and a million objects."""
    rng = np.random.default_rng(7)
    unused = [f"x{i}" for i in range(sizes.columns)]
    older, trips = (pd.DataFrame(rng.random((sizes.rows, sizes.columns)), columns=unused) for _ in range(2))
    trips["city"] = rng.integers(0, 50, sizes.rows)
    trips["rider"] = rng.integers(0, sizes.riders, sizes.rows)
    trips["km"] = rng.gamma(4.0, 10.0, sizes.rows)
    trips["fare"] = trips["km"] * 1.4 + rng.normal(size=sizes.rows)
    riders = pd.DataFrame({"rider": np.arange(sizes.riders), "age": rng.integers(18, 90, sizes.riders)})
    small = pd.DataFrame({"a": rng.normal(size=1_000), "b": rng.integers(0, 9, 1_000)})
    namespace |= {"pd": pd, "np": np, "older": older, "trips": trips, "riders": riders, "small": small}
    namespace |= {
        "signal": rng.normal(size=sizes.array),
        "names": {i: f"name {i}" for i in range(sizes.items)},
        "codes": list(range(sizes.items)),
    }


def samples(made: InteractiveShell, body: str, rounds: int, *, anew: bool = False) -> dict[str, list[Timing]]:
    """Times of a cell in the three ways; `anew` without the variables of the run before."""
    known = set(made.user_ns)

    def forget() -> None:
        if anew:
            made.displayhook.flush()
            for name in made.user_ns.keys() - known:
                del made.user_ns[name]
            gc.collect()

    def execution() -> None:
        with unobserved():
            run(made, f"%%reflect\n{body}")

    return interleaved(
        {
            PLAIN: functools.partial(run, made, body),
            EXECUTION: execution,
            EVERYTHING: functools.partial(run, made, f"%%reflect\n{body}"),
        },
        rounds,
        before=forget,
    )


def big_cell(made: InteractiveShell, sizes: Sizes, when: str) -> tuple[list[Measure], Table]:
    """The pandas cell: ratios of times."""
    found = samples(made, PANDAS_CELL, sizes.big_rounds, anew=when == FIRST)
    measures = [
        measure(f"pandas cell, {when}, {mode}: ratio", ratios(found[PLAIN], found[mode]), "", target=target)
        for mode, target in ((EXECUTION, 1.01), (EVERYTHING, 1.02))
    ]
    table = Table(
        f"The pandas cell of 7 statements ({sizes.rows:,} rows), {when}, milliseconds:",
        ("", "CPU", "wall", "added CPU", "added wall", "wall ratio"),
    )
    for mode in (PLAIN, EXECUTION, EVERYTHING):
        middle = [_ms(spread([getattr(t, clock) for t in found[mode]])[0]) for clock in ("cpu", "wall")]
        added = [_added(found, mode, clock) for clock in ("cpu", "wall")] if mode != PLAIN else ["", ""]
        ratio = f"{spread(ratios(found[PLAIN], found[mode], 'wall'))[0]:.4f}" if mode != PLAIN else ""
        table.rows.append((mode, *middle, *added, ratio))
    return measures, table


def statements(
    made: InteractiveShell, what: str, write: Callable[[int], str], sizes: Sizes
) -> tuple[list[Measure], Table]:
    """Cells of more and more statements: what is added to the first, and by each further one."""
    table = Table(
        f"{what.capitalize()} statements, CPU in milliseconds:",
        ("statements", "plain", "execution only adds", "each further", "everything on adds", "each further"),
    )
    added: dict[str, dict[int, list[float]]] = {EXECUTION: {}, EVERYTHING: {}}
    for count, rounds in zip(sizes.statements, sizes.rounds, strict=True):
        found = samples(made, "\n".join(write(i) for i in range(count)), rounds)
        cells = [str(count), _ms(spread([t.cpu for t in found[PLAIN]])[0])]
        for mode, by_count in added.items():
            by_count[count] = differences(found[PLAIN], found[mode])
            further = "" if count == 1 else _ms(_further(by_count, count)[0])
            cells += [_ms(spread(by_count[count])[0]), further]
        table.rows.append(tuple(cells))
    measures = []
    for mode, once, each in ((EXECUTION, 1.0, 0.05), (EVERYTHING, 2.0, 0.1)):
        measures.append(measure(f"1 {what} statement, {mode}: added", added[mode][1], "ms", scale=1e3, target=once))
        last = sizes.statements[-1]
        middle, low, high = (1e3 * v for v in _further(added[mode], last))
        measures.append(Measure(f"each further {what} statement, {mode}", middle, "ms", low, high, each))
    return measures, table


def _further(by_count: Mapping[int, Sequence[float]], count: int) -> tuple[float, float, float]:
    """Seconds that each statement after the first one adds."""
    first = spread(by_count[1])[0]
    middle, low, high = ((value - first) / (count - 1) for value in spread(by_count[count]))
    return middle, low, high


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.3f}" if abs(seconds) < 0.01 else f"{1e3 * seconds:.1f}"


def _added(found: Mapping[str, Sequence[Timing]], mode: str, clock: str) -> str:
    middle, low, high = spread(differences(found[PLAIN], found[mode], clock))
    return f"{_ms(middle)} ({_ms(low)} to {_ms(high)})"


def benchmark(sizes: Sizes) -> Result:
    """Everything."""
    result = Result(
        "overhead", "What `%%reflect` adds to a cell that passes. CPU time, medians over interleaved rounds."
    )
    with shell() as made:
        fill(made.user_ns, sizes)
        for when in (FIRST, AGAIN):
            measures, table = big_cell(made, sizes, when)
            result.measures += measures
            result.tables.append(table)
        for what, write in WRITTEN.items():
            measures, table = statements(made, what, write, sizes)
            result.measures += measures
            result.tables.append(table)
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked to."""
    options = arguments(__doc__ or "").parse_args(argv)
    return finish(benchmark(TINY if options.tiny else Sizes()), options)


if __name__ == "__main__":
    sys.exit(main())
