"""What the tests of this room share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from reflex_magic.core.card import Card
from reflex_magic.core.cell import Cell
from reflex_magic.core.outcome import Completed, Run
from reflex_magic.execute import CellExecutor


class Plain:
    """An observer that only notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def instrument(self, node, step, cell):
        return node

    def instrument_function(self, node, step, cell):
        return node

    def probe(self, site, role, value):
        return value

    def before(self, step: int, namespace: Mapping[str, Any]) -> None:
        self.told.append(("before", step))

    def after(self, step, namespace, seconds, warnings: Sequence[str], digest: str) -> Card:
        self.told.append(("after", step))
        return Card(step, step + 1, "", seconds, warnings=tuple(warnings), digest=digest)

    def operations(self):
        return ()

    def operands(self):
        return ()


class Look:
    """Live values, for tests: names only."""

    def __init__(self, namespace: Mapping[str, Any], scope: Mapping[str, Any]) -> None:
        self.namespace, self.scope = namespace, scope

    def __getitem__(self, name: str) -> Any:
        return self.scope[name] if name in self.scope else self.namespace[name]


def executor(namespace: dict[str, Any], **options: Any) -> CellExecutor:
    return CellExecutor(namespace, Plain, Look, **options)


def on(shell, **options: Any) -> CellExecutor:
    return executor(shell.user_ns, shell=shell, **options)


def cell(body: str, offset: int = 0) -> Cell:
    return Cell(body, offset)


def completed(run: Run) -> Run:
    assert run.outcome == Completed(), run.outcome
    return run


@contextmanager
def nothing():
    yield
