"""What the tests of this room share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Any

from reflex_magic.core.card import Card
from reflex_magic.core.cell import Cell
from reflex_magic.core.outcome import Completed, Raised, Run
from reflex_magic.execute import CellExecutor
from reflex_magic.execute.fingerprint import differences, fingerprint


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


def table_row(line: str) -> tuple[str, frozenset[str]]:
    """A line of a table: a body, with ``\\n`` between its lines, and the names that are told behind `## told:`."""
    body, _, told = line.partition(" ## told: ")
    return body.replace("\\n", "\n"), frozenset(told.split())


def taken_back(
    make: Callable[[], dict[str, Any]], body: str, told: Set[str], process: Callable[[], dict[str, str]] = dict
) -> set[str]:
    """Insist that a trial of `body` leaves no trace, and that it is rewound after it ran; what it changes.

    Parameters
    ----------
    make
        Makes the variables.
    told
        The names that a doubt must name; of these, and no others, the change may stay.
    process
        Digests of what else must be as it was.
    """

    def look() -> dict[str, str]:
        return fingerprint(namespace) | process()

    namespace, failing = make(), cell(f"{body}\nraise LookupError('enough')")
    runner, before, identities = executor(namespace), look(), {k: id(v) for k, v in namespace.items()}
    trial = runner.trial(failing, completed(runner.run(cell("pass"))), ())
    assert isinstance(trial.outcome, Raised)
    assert set(differences(before, look())) <= told
    assert {k: id(namespace.get(k)) for k in identities} == identities
    assert {doubt.split("`")[1] for doubt in trial.doubts} == told, trial.doubts

    if told:  # the trial may have left them changed
        namespace = make()
        runner, before = executor(namespace), look()
    base = runner.run(failing)  # a person's cell: what it did before it failed stays
    failed = look()
    assert isinstance(base.outcome, Raised)
    assert base.outcome.ename == trial.outcome.ename, trial.outcome
    rewound = completed(runner.trial(cell("pass"), base, ()))
    with runner.at(rewound):
        lost = set(differences(before, look()))
    assert lost <= {doubt.split("`")[1] for doubt in rewound.doubts} <= told, rewound.doubts
    assert set(differences(failed, look())) <= told
    return set(differences(before, failed)) or ({base.outcome.ename} - {"LookupError"})
