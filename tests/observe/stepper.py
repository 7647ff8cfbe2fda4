"""A small real stepper: instrument each statement, compile it, run it."""

from __future__ import annotations

import ast
import signal
import time
import traceback
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

from reflex_magic.core.card import Card
from reflex_magic.core.cell import Cell, Span
from reflex_magic.core.outcome import Completed, Condition, Frame, Outcome, Raised, Run, TimedOut
from reflex_magic.execute.steps import bound
from reflex_magic.observe import CellObserver

FILE = "<cell>"


class _Limit(BaseException):
    """The time is over."""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def over(number: int, frame: FrameType | None) -> None:
        raise _Limit

    old = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


@contextmanager
def _shown() -> Iterator[list[str]]:
    """The warnings that are shown within the block: those that the cell itself has let through."""
    before, shown = warnings.showwarning, list[str]()

    def show(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        shown.append(f"{category.__name__}: {message}")

    warnings.showwarning = show
    try:
        yield shown
    finally:
        warnings.showwarning = before


def run_cell(
    body: str,
    namespace: dict[str, Any] | None = None,
    *,
    expect: tuple[str, ...] = (),
    timeout: float = 20.0,
    observer: CellObserver | None = None,
) -> Run:
    """Run a cell under observation; `handle` of the run is the namespace."""
    cell = Cell(body)
    names: dict[str, Any] = {} if namespace is None else namespace
    observer = observer or CellObserver()
    try:
        nodes = cell.tree.body
    except SyntaxError as error:
        line = error.lineno or 1
        return Run(cell, Raised("SyntaxError", error.msg, None, Span(line, error.offset or 1, line, error.offset or 1)))
    plan = [observer.instrument(node, i, cell) for i, node in enumerate(nodes)]
    cards: list[Card] = []
    outcome: Outcome = Completed()
    for step, node in enumerate(plan):
        observer.before(step, names)
        started = time.perf_counter()
        with _shown() as warned:
            outcome = _run(step, node, names, timeout, observer, cell)
        cards.append(observer.after(step, names, time.perf_counter() - started, warned, ""))
        if not isinstance(outcome, Completed):
            break
    conditions = tuple(_condition(source, names) for source in expect)
    return Run(cell, outcome, tuple(cards), observer.operations(), conditions=conditions, handle=names)


def _run(
    step: int, node: ast.stmt, names: dict[str, Any], timeout: float, observer: CellObserver, cell: Cell
) -> Outcome:
    code = bound(compile(ast.Module([node], []), FILE, "exec"), observer)
    try:
        with _limited(timeout):
            exec(code, names)
    except _Limit:
        return TimedOut(step, timeout)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        mine = [f for f in frames if f.filename == FILE and f.lineno and f.end_lineno]
        last = mine[-1]
        span = Span(
            last.lineno or 1,
            cell.character(last.lineno or 1, last.colno or 0) + 1,
            last.end_lineno or 1,
            cell.character(last.end_lineno or 1, last.end_colno or 0) + 1,
        )
        return Raised(
            type(error).__name__,
            str(error),
            step,
            span,
            tuple(Frame(f.name, f.lineno or 0, f.line or "", f.filename == FILE) for f in frames),
            observer.operands(),
            tuple(c.__name__ for c in type(error).__mro__),
        )
    return Completed()


def _condition(source: str, names: Mapping[str, Any]) -> Condition:
    try:
        return Condition(source, "expect", bool(eval(source, dict(names))))
    except Exception as error:
        return Condition(source, "expect", None, f"{type(error).__name__}: {error}")


def run_body(body: str, setup: str = "", **options: Any) -> Run:
    """Run a cell after `setup`, which is not observed; a warning is an error."""
    namespace: dict[str, Any] = {}
    exec("import numpy as np\nimport pandas as pd\n" + setup, namespace)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return run_cell(body, namespace, **options)
