"""Wire the rooms for one cell: what the magic, `reflex_magic.reflect` and the command line share."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

from reflex_magic.checks import CHECKS, check_all
from reflex_magic.core.budget import Budget
from reflex_magic.core.catalogue import Entry
from reflex_magic.core.cell import Cell
from reflex_magic.core.loop import Loop, Policy, silent
from reflex_magic.core.outcome import Condition, Run
from reflex_magic.core.ports import Progress, Proposer
from reflex_magic.errors import NothingToDo, OptionError
from reflex_magic.execute import CellExecutor
from reflex_magic.execute.confine import Confinement
from reflex_magic.lessons import JsonlLessons, LessonProposer
from reflex_magic.observe import CellObserver, LiveValues
from reflex_magic.options import Settings, nearest
from reflex_magic.reflector import ModelProposer, ModelSettings
from reflex_magic.repairs import REPAIRS
from reflex_magic.repairs.proposer import RuleProposer

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def goal_of(body: str) -> str:
    """The comment lines at the top of a cell, as a sentence."""
    words = []
    for line in body.strip().splitlines():
        if not line.lstrip().startswith("#"):
            break
        words.append(line.lstrip("# \t").strip())
    return " ".join(w for w in words if w)


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
        self.conditions = tuple(Condition(e, "expect") for e in settings.expect)
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

    def finish(self, run: Run) -> Loop:
        """Check the run and, where it needs it, repair it; the loop has come to its end."""
        free: list[Proposer] = [LessonProposer(self.lessons), RuleProposer()]
        loop = Loop(
            run,
            self.executor,
            check_all,
            [*free, self.model] if self.model else free,
            self.lessons,
            goal=self.settings.goal or goal_of(self.cell.body),
            expectations=self.conditions,
            budget=Budget(self.settings.rounds, self.settings.budget),
            policy=Policy(self.settings.policy == "accept", self.settings.important),
            progress=self._progress,
        )
        loop.drive()
        if self.settings.policy == "dry-run" and loop.report.status != "passed":
            loop.report.notes.insert(0, loop.budget.worst_case(sum(self.model.worst_case) if self.model else 0))
        loop.report.level = self.executor.level if any(p.foreign for p in loop.report.proposals) else ""
        return loop

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
    entries: dict[str, type[Entry]] = {check.name: type(check) for check in CHECKS}
    entries |= {rule.name: rule for rule in REPAIRS}
    if code not in entries:
        raise OptionError(f"there is no check or rule `{code}`. {nearest(code, sorted(entries))}")
    return entries[code].explain()
