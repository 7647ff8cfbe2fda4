"""Wire the rooms for one cell: what the magic, `reflex_magic.reflect` and the command line share."""

from __future__ import annotations

import ast
import contextlib
import functools
import sys
import threading
from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

from reflex_magic.checks import CHECKS, applying, check_all
from reflex_magic.core.budget import Budget
from reflex_magic.core.catalogue import Entry
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Severity
from reflex_magic.core.loop import Loop, Policy, silent
from reflex_magic.core.origin import borrowed, origin
from reflex_magic.core.outcome import Condition, Run
from reflex_magic.core.ports import Progress, Proposer
from reflex_magic.errors import NothingToDo, OptionError
from reflex_magic.execute import CellExecutor
from reflex_magic.execute.confine import Confinement
from reflex_magic.lessons import JsonlLessons, LessonProposer
from reflex_magic.observe import CellObserver, LiveValues, forecast, foreign
from reflex_magic.options import Settings, nearest
from reflex_magic.reflector import ModelProposer, ModelSettings
from reflex_magic.repairs import hardenings, rules
from reflex_magic.repairs.proposer import RuleProposer

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


LONG = 1.0
"""Seconds after which a cell that will fail says so; a shorter one fails soon enough."""

ORIGINS = 2
"""So many variables of earlier cells are traced to where they were made."""

_FRAMES = ("pandas", "polars", "pyarrow")


def goal_of(body: str) -> str:
    """The comment lines at the top of a cell, as a sentence."""
    words = []
    for line in body.strip().splitlines():
        if not line.lstrip().startswith("#"):
            break
        words.append(line.lstrip("# \t").strip())
    return " ".join(w for w in words if w)


def _schema_condition(cell: Cell, text: str) -> Condition:
    """``--schema NAME:frame`` as a condition; without a frame the one that the cell assigns last is meant.

    Raises
    ------
    OptionError
        The cell assigns nothing.
    """
    name, _, frame = text.partition(":")
    try:
        names = [n for step in cell.tree.body for n in ast.walk(step) if isinstance(n, ast.Name)]
        bound = [n.id for n in names if isinstance(n.ctx, ast.Store)]
    except (SyntaxError, ValueError):
        bound = []
    if not frame and not bound:
        raise OptionError(f"the cell assigns no frame: say which one, --schema {name}:frame")
    return Condition(f"satisfies({frame or bound[-1]}, {name})", "schema", schema=name)


class Session:
    """One cell: its executor before the run, its loop afterwards.

    Parameters
    ----------
    namespace
        Where the cell runs; with a shell, `shell.user_ns`.
    lessons
        The store that the cells of one shell share; None opens one.
    progress
        Called with the state and a few words while rounds run.
    """

    def __init__(
        self,
        body: str,
        settings: Settings,
        namespace: MutableMapping[str, Any],
        shell: InteractiveShell | None = None,
        offset: int = 0,
        lessons: JsonlLessons | None = None,
        progress: Progress = silent,
    ) -> None:
        transform = {"transform": shell.transform_cell} if shell is not None else {}
        self.cell = Cell(body, offset, **transform)
        self.settings = settings
        self.conditions = (
            *(Condition(e, "expect") for e in settings.expect),
            *(_schema_condition(self.cell, text) for text in settings.schema),
            *(Condition(f"passes({path!r})", "tests") for path in settings.tests),
        )
        self.executor = CellExecutor(
            namespace,
            CellObserver,
            LiveValues,
            shell=shell,
            timeout=settings.timeout,
            verify=settings.verify_rollback,
            confinement=Confinement(),
        )
        self.lessons = lessons or JsonlLessons()
        self.model = self._configured() if settings.use_model else None
        self._progress = progress
        self._namespace, self._shell = namespace, shell

    @contextlib.contextmanager
    def forecast(self) -> Iterator[None]:
        """Say what will surely fail, once the cell has run for a second within the block."""
        try:
            coming = forecast(self.cell, self._namespace)
        except Exception:  # noqa: BLE001  a fault of ours must not cost the analyst the cell
            coming = None
        if coming is None:
            yield
            return
        said = f"reflect: line {coming.line} will fail: {coming.message}\n"
        timer = threading.Timer(LONG, sys.stderr.write, (said,))  # the stream as it is before the run records it
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def finish(self, run: Run) -> Loop:
        """Check the run and, where it needs it, repair it; the loop has come to its end."""
        free: list[Proposer] = [LessonProposer(self.lessons), RuleProposer()]
        goal = self.settings.goal or goal_of(self.cell.body)
        loop = Loop(
            run,
            self.executor,
            functools.partial(check_all, ignore=self.settings.ignore, goal=goal),
            [*free, self.model] if self.model else free,
            self.lessons,
            goal=goal,
            expectations=self.conditions,
            budget=Budget(self.settings.rounds, self.settings.budget),
            policy=Policy(self.settings.policy == "accept", self.settings.important),
            progress=self._progress,
            hardeners=[RuleProposer(hardenings())] if self.settings.harden else (),
        )
        loop.drive()
        if self.settings.policy == "dry-run" and loop.report.status != "passed":
            loop.report.notes.insert(0, loop.budget.worst_case(sum(self.model.worst_case) if self.model else 0))
        if loop.report.status != "passed":
            loop.report.notes[:0] = self._origins(loop)
        if self.settings.detail > 1:
            loop.report.notes += self._other_frames()
        loop.report.level = self.executor.level if any(p.foreign for p in loop.report.proposals) else ""
        return loop

    def _origins(self, loop: Loop) -> Iterator[str]:
        """Where the data were made that the findings are about, when an earlier cell made them."""
        for name in borrowed(self.cell, [f for f in loop.report.findings if f.severity is Severity.MUST])[:ORIGINS]:
            if type(self._namespace.get(name)).__module__.startswith(_FRAMES):
                said = origin(name, self._earlier_cells(name))
                if said:
                    yield said

    def _other_frames(self) -> Iterator[str]:
        """Which tables of the cell are not pandas', and how many checks work on them."""
        try:
            names = dict.fromkeys(node.id for node in self.cell.nodes if isinstance(node, ast.Name))
        except (SyntaxError, ValueError):
            return
        found: dict[tuple[str, bool], list[str]] = {}
        for name in names:
            found.setdefault(foreign(self._namespace.get(name)), []).append(f"`{name}`")
        for (library, lazy), tables in found.items():
            if library:
                what = f"{'lazy ' if lazy else ''}frame{'s' if len(tables) > 1 else ''} of {library}"
                told = (
                    f"{', '.join(tables)}: {what}, on which {applying('' if lazy and library == 'polars' else library)}"
                )
                why = ", and nothing is computed for them" if lazy else ""
                yield f"{told} of {len(CHECKS)} checks work{why}"

    def _earlier_cells(self, name: str) -> Iterator[tuple[str, Cell]]:
        """The cells that ran before and have the word in them, newest first."""
        shell = self._shell
        ran = shell.history_manager.input_hist_raw[: shell.execution_count] if shell and shell.history_manager else []
        for number, raw in reversed(list(enumerate(ran))):
            if name in raw:
                head, _, body = raw.partition("\n")
                own = head.startswith("%%reflect")
                yield f"In[{number}]", Cell(body, 1) if own else Cell(raw, 0)

    def preview(self, loop: Loop) -> str:
        """Exactly what would be sent to the model for this cell's failure; sends nothing.

        Raises
        ------
        NothingToDo
            No model is configured.
        """
        model = self._configured()
        if model is None:
            raise NothingToDo("no model is configured (OPENAI_API_KEY, OPENAI_BASE_URL, REFLEX_MODEL): nothing is sent")
        with loop.context() as context:
            return model.preview(context)

    def _configured(self) -> ModelProposer | None:
        """The model that the environment and the options name; None where there is none."""
        configured = ModelSettings.from_environment(model=self.settings.model)
        if configured is None:
            return None
        return ModelProposer(configured, self.lessons.lines, values_level=self.settings.values)


def explain(code: str) -> str:
    """What a check or a rule looks for, when it stays silent, and an example.

    Raises
    ------
    OptionError
        There is no check or rule of this name.
    """
    entries: list[type[Entry]] = [*map(type, CHECKS), *rules(), *hardenings()]
    found = [entry for entry in entries if entry.name == code]
    if not found:
        raise OptionError(f"there is no check or rule `{code}`. {nearest(code, sorted({e.name for e in entries}))}")
    # a rule that answers one check has its name
    return "\n\n".join(entry.explain() for entry in found)
