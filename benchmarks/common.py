"""What the benchmarks share: interleaved timing, measures with targets, tables and JSON."""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib.metadata
import io
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

PACKAGES = ("pandas", "numpy", "pyarrow", "ipython", "dill")


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of one run: by the clock, and of the processor (user and system, all threads)."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure, the middle half of its samples, and the target it is held against.

    `target` is None where a figure is only told. `at_least` turns the comparison round.
    """

    name: str
    value: float
    unit: str
    low: float | None = None
    high: float | None = None
    target: float | None = None
    at_least: bool = False

    @property
    def held(self) -> bool:
        """Whether the target was reached; a figure without one cannot miss it."""
        if self.target is None:
            return True
        return self.value >= self.target if self.at_least else self.value <= self.target

    @property
    def verdict(self) -> str:
        """``ok``, ``missed``, or nothing for a figure without a target."""
        return "" if self.target is None else "ok" if self.held else "missed"


@dataclass(slots=True)
class Table:
    """Further figures as they stand in a table."""

    title: str
    head: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)


@dataclass(slots=True)
class Result:
    """What a benchmark found."""

    benchmark: str
    about: str
    measures: list[Measure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def missed(self) -> list[Measure]:
        """The measures that did not reach their target."""
        return [m for m in self.measures if not m.held]

    def to_dict(self) -> dict[str, Any]:
        """JSON-able, with the machine and the versions it was measured on."""
        return {"machine": machine(), **asdict(self), "missed": [m.name for m in self.missed]}


Work = Callable[[], object]


def timed(work: Work) -> Timing:
    """Run `work` once."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Timing(time.perf_counter() - wall, time.process_time() - cpu)


def interleaved(
    works: Mapping[str, Work], rounds: int, warm: int = 2, before: Work = lambda: None
) -> dict[str, list[Timing]]:
    """Run all works in turn, `rounds` times, each round in another order; `warm` rounds before are not kept.

    What slows the machine down for a while then slows all of them down. `before` is called before each, untimed.
    """
    found: dict[str, list[Timing]] = {name: [] for name in works}
    names = list(works)
    for turn in range(warm + rounds):
        for name in names if turn % 2 else reversed(names):
            before()
            timing = timed(works[name])
            if turn >= warm:
                found[name].append(timing)
        names = [*names[1:], names[0]]
    return found


def spread(samples: Sequence[float]) -> tuple[float, float, float]:
    """The median, and the first and third quartile."""
    if len(samples) < 2:
        return samples[0], samples[0], samples[0]
    low, middle, high = statistics.quantiles(samples, n=4, method="inclusive")
    return middle, low, high


def differences(plain: Sequence[Timing], other: Sequence[Timing], clock: str = "cpu") -> list[float]:
    """Seconds that `other` took longer than `plain`, round by round."""
    return [getattr(b, clock) - getattr(a, clock) for a, b in zip(plain, other, strict=True)]


def ratios(plain: Sequence[Timing], other: Sequence[Timing], clock: str = "cpu") -> list[float]:
    """How many times as long `other` took, round by round."""
    return [getattr(b, clock) / getattr(a, clock) for a, b in zip(plain, other, strict=True)]


def measure(
    name: str,
    samples: Sequence[float],
    unit: str,
    *,
    scale: float = 1.0,
    target: float | None = None,
    at_least: bool = False,
) -> Measure:
    """The median of samples, each multiplied by `scale`."""
    middle, low, high = (value * scale for value in spread(samples))
    return Measure(name, middle, unit, low, high, target, at_least)


@contextlib.contextmanager
def shell() -> Iterator[InteractiveShell]:
    """An IPython shell with the extension loaded, which writes no history and prints nowhere."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor" if importlib.metadata.version("ipython") < "9" else "nocolor"
    made = InteractiveShell.instance(config=config)
    made.run_line_magic("load_ext", "reflex_magic")
    made.run_line_magic("config", "ReflectMagics.use_model = False")
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield made
    finally:
        made.run_line_magic("unload_ext", "reflex_magic")
        made.reset(new_session=False)
        InteractiveShell.clear_instance()
        gc.collect()


def run(made: InteractiveShell, source: str) -> None:
    """Run a cell as a front end does, and insist that it passes."""
    made.run_cell(source, store_history=True).raise_error()


def resident() -> int:
    """Bytes of this process in memory."""
    return _status("VmRSS")


def peak() -> int:
    """Most bytes of this process in memory since `forget_peak`."""
    return _status("VmHWM")


def forget_peak() -> None:
    """Let `peak` begin anew."""
    Path("/proc/self/clear_refs").write_text("5")


def _status(name: str) -> int:
    """A line of ``/proc/self/status``, in bytes; these benchmarks measure memory on Linux only."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    raise LookupError(name)


def machine() -> dict[str, Any]:
    """When, and on what: no names of hosts or people."""
    versions = {}
    for package in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[package] = importlib.metadata.version(package)
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        **versions,
    }


def shown(result: Result) -> str:
    """The result in Markdown."""
    parts = [f"## {result.benchmark}", result.about]
    if result.measures:
        rows = [(m.name, _figure(m.value, m.unit), _middle_half(m), _target(m), m.verdict) for m in result.measures]
        parts.append(_table(("measure", "median", "middle half", "target", ""), rows))
    for table in result.tables:
        parts += [table.title, _table(table.head, table.rows)]
    parts += result.notes
    return "\n\n".join(parts) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _figure(value: float, unit: str) -> str:
    ratio = unit in ("", "times") and abs(value) < 10
    digits = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3f}" if ratio else f"{value:.3g}"
    return f"{digits} {unit}".strip()


def _middle_half(m: Measure) -> str:
    if m.low is None or m.high is None or m.low == m.high:
        return ""
    return " to ".join(_figure(value, m.unit).removesuffix(m.unit).strip() for value in (m.low, m.high))


def _target(m: Measure) -> str:
    return "" if m.target is None else f"{'≥' if m.at_least else '≤'} {m.target:,g} {m.unit}".strip()


def arguments(about: str) -> argparse.ArgumentParser:
    """The options that every benchmark has."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--check", action="store_true", help="end with status 1 when a target is missed")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result there, with machine and versions")
    parser.add_argument("--tiny", action="store_true", help="tiny data and few rounds: the figures mean nothing")
    return parser


def finish(result: Result, options: argparse.Namespace) -> int:
    """Print and write a result; the exit status."""
    sys.stdout.write(shown(result))
    if options.json is not None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result.to_dict(), indent=2) + "\n")
    return int(options.check and bool(result.missed))
