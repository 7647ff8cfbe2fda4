"""The executor: the analyst's own run, trials that leave no trace, commit and undo."""

from __future__ import annotations

import ast
import bdb
import builtins
import contextlib
import functools
import sys
import time
import types
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from reflex_magic.core.card import cut
from reflex_magic.core.cell import Cell
from reflex_magic.core.outcome import Completed, Condition, Interrupted, Outcome, Raised, Run, TimedOut
from reflex_magic.core.ports import Observer, Values
from reflex_magic.errors import NothingToDo, ReflexError, StaleProposal
from reflex_magic.execute import failure, output, plain
from reflex_magic.execute.checkpoint import PATIENT, SECONDS, Checkpoint, Records, rebind, take
from reflex_magic.execute.fingerprint import differences, fingerprint
from reflex_magic.execute.journal import Journal, Segment
from reflex_magic.execute.limits import MemoryLimit, OutOfTime, Shield, TimeLimit
from reflex_magic.execute.output import Recorder
from reflex_magic.execute.reach import UNREPEATABLE, code_names, is_shells, mentioned, stored, written
from reflex_magic.execute.requirements import Answer, passes, satisfies
from reflex_magic.execute.retention import thin
from reflex_magic.execute.stepper import Attempt, Boundary, Stepper, adrive, builtin, drive
from reflex_magic.execute.steps import Compiler, Program, bound

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

FOREIGN_SECONDS = 60.0
"""How long foreign code may run where no limit is set."""

_LAST = ("last_type", "last_value", "last_traceback", *(("last_exc",) if sys.version_info >= (3, 12) else ()))
"""Where the shell notes the newest exception."""

ADOPTED = "the cell ran without `%%reflect`: what its failing step had changed before it failed was not put back"

NOT_CONFINED = "foreign code was not run: it cannot be confined here"

_BUILTINS = dict(vars(builtins))
"""The builtins as they were when this package was loaded; conditions are evaluated with these."""

_NONE = object()


class Confined(Protocol):
    """What a confined run brought back; see `execute.confine`."""

    @property
    def values(self) -> Mapping[str, object]:
        """Copies of what the work made."""

    @property
    def opaque(self) -> Mapping[str, str]:
        """What could not be brought back, and why."""

    @property
    def plain(self) -> Any:
        """What the work said of itself."""

    @property
    def denied(self) -> tuple[str, ...]:
        """Acts that were refused."""

    @property
    def killed(self) -> str:
        """Why there is no result; empty when there is one."""

    @property
    def files(self) -> tuple[str, ...]:
        """What would have happened to files."""


class Confines(Protocol):
    """Runs work where it can do no harm; see `execute.confine`."""

    @property
    def level(self) -> str:
        """S3 to S0."""

    def run(self, work: Callable[[], Mapping[str, object]], *, seconds: float) -> Confined:
        """Run `work` in a confined child."""


ValuesFactory = Callable[[Mapping[str, Any], Mapping[str, Any]], Values]
"""Makes the read-only look at a namespace and the failing function's locals."""


@dataclass(slots=True)
class State:
    """A state of the namespace and of files, as far as a run can have changed it."""

    checkpoint: Checkpoint
    files: Segment

    @property
    def bindings(self) -> dict[str, Any]:
        """The names and what they are bound to."""
        return self.checkpoint.bindings


@dataclass(slots=True)
class Handle:
    """What the executor knows of one of its runs.

    `after` is the state a trial left; None for the analyst's own run, whose state is the live one.
    `adopted` is True for a run that happened without the executor, and for the trials that rest on it.
    `settled` is the live state that the run, or the trials of it, were made on. `reads` are the
    names the run depends on. `last` is what the shell noted of how the run failed, and `debugs` whether it will
    start its debugger at the next failure again. `before` and `left` are the states around its commit.
    """

    program: Program | None = None
    boundaries: list[Boundary] = field(default_factory=list)
    value: Any = None
    exception: BaseException | None = None
    compiled: bool = True
    adopted: bool = False
    scope: Mapping[str, Any] = field(default_factory=dict)
    reads: set[str] = field(default_factory=set)
    after: State | None = None
    settled: State | None = None
    last: dict[str, Any] | None = None
    debugs: bool = False
    count: int | None = None
    before: State | None = None
    left: State | None = None

    @property
    def records(self) -> Iterator[Records]:
        """Every object that the run can have changed."""
        yield from (b.checkpoint.records for b in self.boundaries)
        if self.after is not None:
            yield self.after.checkpoint.records

    @property
    def files(self) -> Iterator[Segment]:
        """Every path that the run wrote."""
        yield from (b.files for b in self.boundaries)
        if self.after is not None:
            yield self.after.files


class CellExecutor:
    """Runs the cells of one namespace.

    Parameters
    ----------
    namespace
        Where the cells run; with a shell, `shell.user_ns`.
    observer_factory
        Makes one observer for each run.
    values_factory
        Makes the look at live values from the namespace and the failing function's locals.
    timeout
        Seconds that the steps of one run may take together; None waits for ever.
    confinement
        Where foreign code runs; without it, foreign code is not run.
    verify
        Compare the content of every variable before and after each trial: a difference is a doubt.
        It costs a look at all data for each trial.
    """

    def __init__(
        self,
        namespace: MutableMapping[str, Any],
        observer_factory: Callable[[], Observer],
        values_factory: ValuesFactory,
        *,
        shell: InteractiveShell | None = None,
        timeout: float | None = None,
        confinement: Confines | None = None,
        verify: bool = False,
    ) -> None:
        self.namespace = namespace
        self.shell = shell
        self.timeout = timeout
        self._verify = verify
        self._globals: Any = shell.user_global_ns if shell is not None else namespace
        self._observer_factory, self._values_factory = observer_factory, values_factory
        self._confinement = confinement
        self._compiler = Compiler(shell)
        self._journal = Journal()
        self._committed: Run | None = None
        self._number: int | None = None

    @property
    def level(self) -> str:
        """How foreign code is confined here; S0 is not at all."""
        return self._confinement.level if self._confinement is not None else "S0"

    # -- the analyst's own run ---------------------------------------------------------------

    def run(
        self, cell: Cell, raw: str | None = None, number: int | None = None, conditions: Sequence[Condition] = ()
    ) -> Run:
        """Run a cell as a plain cell would run; whatever it raises is in the outcome.

        Parameters
        ----------
        raw
            The cell as the front end sent it, with its magic line.
        number
            The execution count, for ``Cell In[3]`` in tracebacks.
        conditions
            Evaluated when every step ran.
        """
        started = time.perf_counter()
        with Shield(insistent=True) as shield:
            stepper = self._own_stepper(cell, raw, number)
            if isinstance(stepper, Run):
                return stepper
            stepper.attempt.shield = shield
            if any("signal" in code.co_names for code in stepper.attempt.program.codes):
                shield.release()  # a cell that asks for the handlers finds them as they are
            with stepper.attempt.recorder.recording():
                drive(stepper.steps(0), self.shell)
            return self._report_own(stepper, started, conditions)

    async def arun(
        self, cell: Cell, raw: str | None = None, number: int | None = None, conditions: Sequence[Condition] = ()
    ) -> Run:
        """`run` for a cell with top-level await."""
        started = time.perf_counter()
        stepper = self._own_stepper(cell, raw, number)
        if isinstance(stepper, Run):
            return stepper
        with stepper.attempt.recorder.recording():
            await adrive(stepper.steps(0))
        return self._report_own(stepper, started, conditions)

    def adopt(self, cell: Cell, error: BaseException, filename: str, number: int) -> Run:
        """A cell that failed without this executor, as a run; the namespace is as the cell left it.

        Trials of it start at the step that failed, on variables as they are now. What that step
        had changed before it failed is not known, so there is always a doubt.

        Parameters
        ----------
        error
            What the cell raised.
        filename, number
            What its code is called in the traceback of `error`, and its execution count.
        """
        observer, self._number = self._observer_factory(), number
        try:
            program = self._compiler.compile(cell, observer, None, number)
        except Exception as refused:  # noqa: BLE001  as in a run
            return self._uncompiled(cell, refused)
        program.filename = filename
        stepper = self._stepper(program, observer, live=False)
        step = cell.step_at(failure.line_in(error, program.filename))
        stepper.failed(step.number if step is not None else 0, error)
        stepper.boundary(stepper.attempt.step)
        run = self._report(stepper, time.perf_counter())
        _handle(run).adopted = True
        return run

    def result(self, run: Run) -> object:
        """The value of a last expression; None without one, or when the cell ends in ``;``."""
        return _handle(run).value

    def exception(self, run: Run) -> BaseException | None:
        """The exception the run ended with, its traceback beginning at the cell; None if it did not."""
        return _handle(run).exception

    def show(self, run: Run) -> None:
        """Print how the run failed, as a plain cell would have; nothing if it did not."""
        handle, shell = _handle(run), self.shell
        error = handle.exception
        if error is None or shell is None:
            return
        failure.unframe(error)
        place = error.__traceback__
        try:
            raise error
        except BaseException:  # noqa: BLE001  the shell shows the exception that is being handled
            BaseException.with_traceback(error, place)  # without this frame
            if isinstance(error, shell.custom_exceptions):
                shell.CustomTB(type(error), error, place)
            else:
                at = failure.offset(place, shell)
                shell.showtraceback(tb_offset=at, running_compiled_code=handle.compiled)
        handle.last = {name: getattr(sys, name) for name in _LAST if hasattr(sys, name)}
        if shell.call_pdb:  # the debugger has had its turn; the line with which the cell ends is none of its business
            handle.debugs, shell.call_pdb = True, False

    def reraise(self, run: Run) -> NoReturn:
        """End the cell with what it raised; the shell shows it as that of a plain cell."""
        handle = _handle(run)
        error = handle.exception or KeyboardInterrupt()
        place = error.__traceback__
        if not isinstance(error, bdb.BdbQuit):  # of which the shell notes nothing
            handle.last = dict(zip(_LAST, (type(error), error, place, error), strict=False))
        if self.shell is not None:
            failure.as_shell_would(error, self.shell)
        raise error

    def point(self, run: Run) -> None:
        """Let ``%tb`` and ``%debug`` mean what they mean after a plain cell, and not how we ended this one."""
        handle = _handle(run)
        if handle.debugs and self.shell is not None:
            handle.debugs, self.shell.call_pdb = False, True
        if handle.last is None:
            return
        for name in _LAST:
            vars(sys).pop(name, None)
        vars(sys).update(handle.last)
        same = handle.last.get("last_value") is handle.exception
        if handle.exception is not None and same:
            BaseException.with_traceback(handle.exception, handle.last["last_traceback"])

    def retract(self) -> None:
        """Clear what the cell has shown; terminals keep it."""
        output.retract(self.shell)

    def replay(self, run: Run) -> None:
        """Show the outputs of a trial as if the cell had produced them."""
        value = _handle(run).value
        output.replay(self.shell, run.outputs, results=self.shell is None or value is None)
        if self.shell is not None and value is not None:
            self.shell.displayhook(value)

    def _own_stepper(self, cell: Cell, raw: str | None, number: int | None) -> Stepper | Run:
        observer, self._number = self._observer_factory(), number
        try:
            program = self._compiler.compile(cell, observer, raw, number)
        except Exception as error:  # noqa: BLE001  whatever parsing, or a transformer of the shell's, raises
            return self._uncompiled(cell, error)
        return self._stepper(program, observer, live=True)

    def _report_own(self, stepper: Stepper, started: float, conditions: Sequence[Condition]) -> Run:
        run = self._report(stepper, started)
        if conditions and isinstance(run.outcome, Completed):
            with Recorder(self.shell, live=False).recording(), stepper.attempt.shield.opened():
                run = replace(run, conditions=self._evaluate(conditions, stepper.attempt.boundaries[0]))
        return run

    # -- trials --------------------------------------------------------------------------------

    def trial(
        self,
        cell: Cell,
        base: Run,
        conditions: Sequence[Condition],
        *,
        foreign: bool = False,
        consented: bool = False,
    ) -> Run:
        """Run `cell` and leave the namespace, the files and the screen as they were.

        The steps that it has in common with `base`, up to the failure, are not run again where a
        boundary allows that. What is left can be looked at with `at` and bound with `commit`.

        Raises
        ------
        StaleProposal
            The variables changed since `base`; nothing was done.
        """
        origin = _handle(base)
        with Shield():
            self._settle(origin)
        self._refuse_overtaken(origin)
        if foreign and (self._confinement is None or self.level in ("S0", "S1")):
            return Run(cell, Completed(), doubts=(NOT_CONFINED,))
        started, observer, flags = time.perf_counter(), self._observer_factory(), self._compiler.flags
        try:
            program = self._compiler.compile(cell, observer, None, self._number)
        except Exception as error:  # noqa: BLE001  as in a run
            return self._uncompiled(cell, error)
        finally:
            self._compiler.flags = flags
        stepper = self._stepper(program, observer, live=False)
        attempt = stepper.attempt
        doubts: list[str] = []
        notes: list[str] = []
        unsaved: list[str] = []
        self._journal.outward.clear()
        before = fingerprint(self.namespace) if self._verify else {}
        with Shield() as shield:
            live = self._state(origin)
            self._journal.begin(live.files)
            handle = Handle(program, adopted=origin.adopted)
            try:
                start, inherited = self._rewind(cell, base, doubts, notes)
                attempt.inherited, attempt.shown = inherited[:-1], inherited[-1].shown if inherited else ()
                stepper.boundary(start, conditions)
                if inherited and inherited[-1].lost:
                    unsaved = [f"{inherited[-1].lost}, and this was not tried"]
                elif not (foreign or consented):
                    unsaved = attempt.boundaries[0].checkpoint.unsaved()
                if unsaved:
                    run = Run(cell, Completed(), doubts=tuple(unsaved))
                elif foreign:
                    run = self._run_confined(stepper, start, started, shield)
                else:
                    run = self._run_apart(stepper, start, started, shield)
                if isinstance(run.outcome, Completed) and not unsaved:
                    run = self._judged(run, conditions, (inherited or attempt.boundaries)[0], shield)
                handle.boundaries = attempt.boundaries
                handle.after = self._state(origin, handle)
                for boundary in reversed(attempt.boundaries):
                    lost = boundary.checkpoint.restore(self.namespace)
                    doubts += self._journal.restore(boundary.files)
                doubts += lost  # what later boundaries know was made by the trial, and is gone with it
                handle.boundaries = [*attempt.inherited, *attempt.boundaries]
            finally:
                shield.close()
                doubts += self._apply(live)
                doubts += self._journal.end()
            if self._verify:
                now = fingerprint(self.namespace)
                doubts += [f"`{name}` is not as it was before the trial" for name in differences(before, now)]
            handle.settled, handle.count = self._state(origin, handle), self._count
            handle.value, handle.exception = attempt.value, attempt.exception
            handle.scope = attempt.scope
            handle.reads = mentioned(program.codes, program.nodes) | stored(program.nodes)
        if unsaved:
            return run
        doubts += [f"a step {act}" for act in sorted(self._journal.outward)]
        prefix = (
            tuple(c for c in base.cards if c.step < start),
            tuple(o for o in base.operations if o.step < start),
        )
        return replace(
            run,
            cards=prefix[0] + run.cards,
            operations=prefix[1] + run.operations,
            doubts=tuple(dict.fromkeys((*doubts, *run.doubts))),
            notes=tuple(notes),
            handle=handle,
        )

    @contextlib.contextmanager
    def at(self, run: Run) -> Iterator[Values]:
        """Within the block the namespace is as `run` left it; afterwards as before."""
        handle = _handle(run)
        with Shield() as shield:
            self._settle(handle)
            if handle.after is not None:
                self._refuse_overtaken(handle)
            live = self._state(handle) if handle.after is not None else None
            if live is not None:
                self._journal.begin(live.files)
            try:
                self._enter(handle)
                with shield.opened():
                    yield self._values_factory(self.namespace, handle.scope)
            finally:
                shield.close()
                if live is not None:
                    self._apply(live)
                    self._journal.end()

    def contents(self, *runs: Run) -> list[dict[str, str]]:
        """For each run a digest of every name in the code of any of them, as that run left it.

        Each is looked at on its own: what it shares with another does not count. It costs a look at
        all their data for each run.
        """
        names = set().union(*(_handle(run).reads for run in runs))
        found: list[dict[str, str]] = []
        for run in runs:
            with self.at(run):
                found.append({n: d for name in names for n, d in fingerprint(self.namespace, [name]).items()})
        return found

    def commit(self, run: Run) -> None:
        """Bind what a trial made; nothing is executed again.

        Raises
        ------
        StaleProposal
            The variables or files that the trial was made on have changed; nothing was done.
        """
        handle = _handle(run)
        if handle.after is None or handle.settled is None:
            raise StaleProposal("this run left nothing that could be committed; run the cell again")
        if not isinstance(run.outcome, Completed):
            raise StaleProposal("this trial did not come to its end; nothing was committed")
        changed = self._changed(handle.settled, handle.after, handle.reads)
        if changed:
            raise StaleProposal(f"{_listed(changed)} changed since the proposal was tried; run the cell again")
        with Shield(final=True):
            handle.before = self._state(handle)
            self._journal.begin(handle.before.files)
            self._enter(handle)
            self._journal.end()
            handle.left = self._state(handle)
            self._committed = run

    def undo(self, run: Run | None = None) -> None:
        """Put variables and files back as they were before `run`, else the newest, was committed.

        Raises
        ------
        NothingToDo
            It was not committed.
        StaleProposal
            What the commit made has been changed since; nothing was done.
        """
        run = run or self._committed
        handle = _handle(run) if run is not None else Handle()
        if handle.before is None or handle.left is None:
            raise NothingToDo("nothing was committed that could be undone")
        changed = self._changed(handle.left, handle.before, set())
        if changed:
            raise StaleProposal(f"{_listed(changed)} changed since the repair was accepted; nothing was undone")
        with Shield(final=True):
            self._journal.begin(handle.left.files)
            self._contents(handle.before)
            self._journal.end()
            rebind(self.namespace, handle.left.bindings, handle.before.bindings)
            handle.before = handle.left = None

    def _run_apart(self, stepper: Stepper, start: int, started: float, shield: Shield) -> Run:
        """Run the steps with nothing shown; an interrupt ends the trial, not the loop's bookkeeping."""
        attempt = stepper.attempt
        attempt.shield = shield
        with attempt.recorder.recording(), builtin("input", _nobody):
            drive(stepper.steps(start), self.shell)
            _flush_figures()
        return self._report(stepper, started, start)

    def _judged(self, run: Run, conditions: Sequence[Condition], first: Boundary, shield: Shield) -> Run:
        try:
            with Recorder(self.shell, live=False).recording(), TimeLimit(self.timeout).armed(), shield.opened():
                return replace(run, conditions=self._evaluate(conditions, first))
        except KeyboardInterrupt:
            shield.close()
            return replace(run, outcome=Interrupted(len(run.cell.steps)))
        except OutOfTime:
            message = f"took longer than {self.timeout:g} s"
            return replace(run, conditions=tuple(replace(c, held=None, message=message) for c in conditions))

    def _rewind(self, cell: Cell, base: Run, doubts: list[str], notes: list[str]) -> tuple[int, list[Boundary]]:
        """Go back to the newest sound boundary before the first changed step; its step, and those up to it.

        A boundary is sound when everything it knows could be put back. Where something could not (a
        generator that went on), an earlier one, from before that was made, is.
        """
        origin = _handle(base)
        self._enter(origin)
        if not origin.boundaries:
            return 0, []
        common = cell.common_steps(base.cell)
        if base.failed_step is not None:
            common = min(common, base.failed_step)
        kept, reached = list(origin.boundaries), dict(self.namespace)
        if origin.settled is not None:
            reached = origin.after.bindings if origin.after is not None else origin.settled.bindings
        while True:
            boundary = kept[-1]
            lost = boundary.checkpoint.contents()
            doubts += self._journal.restore(boundary.files)
            rebind(self.namespace, reached, boundary.checkpoint.bindings)
            reached = boundary.checkpoint.bindings
            if (boundary.step <= common and not lost) or len(kept) == 1:
                break
            notes += [f"{what}: the trial began at an earlier step" for what in lost]
            kept.pop()
        doubts += lost  # what only later boundaries know does not exist here
        start = boundary.step
        if origin.adopted:
            doubts.append(ADOPTED)
            start = start if start <= common else 0
        program = origin.program
        assert program is not None  # it has boundaries
        doubts += [
            f"step {i + 1} was run again, which may give something else: {cut(ast.unparse(program.nodes[i]), 60)}"
            for i in range(start, common)
            if (code := program.statements[i].code) is not None and not UNREPEATABLE.isdisjoint(code_names(code))
        ]
        return start, kept

    # -- foreign code ----------------------------------------------------------------------------

    def _run_confined(self, stepper: Stepper, start: int, started: float, shield: Shield) -> Run:
        """Run the steps in a confined child, and bind the data it made."""
        attempt, confinement = stepper.attempt, self._confinement
        assert confinement is not None
        first = attempt.boundaries[0]
        seconds = self.timeout or FOREIGN_SECONDS

        def work() -> Mapping[str, object]:
            with attempt.recorder.recording():
                drive(stepper.steps(start), self.shell)
            return self._made(stepper, first.checkpoint)

        try:
            with shield.opened():
                confined = confinement.run(work, seconds=seconds)
        except KeyboardInterrupt as error:
            shield.close()
            stepper.interrupted(error)
            return self._report(stepper, started, start)
        except ReflexError as error:
            return replace(self._report(stepper, started, start), doubts=(str(error),))
        outcome: Outcome
        doubts = [f"`{name}` could not be brought back: {why}" for name, why in confined.opaque.items()]
        doubts += self._patched(attempt.program.nodes[start:])
        if confined.killed:
            message = f"the confined run was ended: {confined.killed}"
            outcome = TimedOut(start, seconds) if confined.killed == "time" else Raised("Killed", message, start, None)
            return replace(self._report(stepper, started, start), outcome=outcome, denied=confined.denied)
        try:
            told = confined.plain if isinstance(confined.plain, dict) else {}
            outcome, cards, operations, outputs = plain.unpack(told.get("run"))
            doubts += self._bind(confined.values, told)
        except ValueError as error:
            outcome, cards, operations, outputs = Raised("Killed", str(error), start, None), (), (), ()
        return replace(
            self._report(stepper, started, start),
            outcome=outcome,
            cards=cards,
            operations=operations,
            outputs=attempt.shown + outputs,
            denied=confined.denied,
            files=confined.files,
            doubts=tuple(doubts),
        )

    def _patched(self, nodes: Sequence[ast.stmt]) -> list[str]:
        """What the steps set in modules and classes: it was in force in the child only."""
        inner = [n for s in nodes for n in ast.walk(s)]
        imported = {n.asname or n.name.partition(".")[0] for n in inner if isinstance(n, ast.alias)}
        found = []
        for node in inner:
            if not isinstance(node, (ast.Attribute, ast.Subscript)) or isinstance(node.ctx, ast.Load):
                continue
            root = node.value
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            if not isinstance(root, ast.Name):
                continue
            if root.id in imported or isinstance(self.namespace.get(root.id), (types.ModuleType, type)):
                found.append(f"`{ast.unparse(node)}` was set, which no result is made of")
        return found

    def _made(self, stepper: Stepper, first: Checkpoint) -> Mapping[str, object]:
        """In the child: what the steps bound, changed in place and deleted, and how they ran."""
        attempt, now = stepper.attempt, self.namespace
        names = [n for n in now if not is_shells(n) and not n.startswith("__")]
        bound = [n for n in names if first.bindings.get(n, _NONE) is not now[n]]
        roots = {r.root for r in first.records.values() if r.kind.data and r.root in names and not r.same}
        modules = {n: now[n].__name__ for n in bound if isinstance(now[n], types.ModuleType)}
        return {
            "values": {n: now[n] for n in dict.fromkeys([*bound, *sorted(roots)]) if n not in modules},
            "plain": {
                "run": plain.pack(
                    attempt.outcome, attempt.cards, stepper.operations(), attempt.recorder.outputs[len(attempt.shown) :]
                ),
                "changed": sorted(roots - set(bound)),
                "deleted": [n for n in first.bindings if n not in now],
                "modules": modules,
            },
        }

    def _bind(self, values: Mapping[str, object], told: Mapping[str, Any]) -> list[str]:
        """Bind what a child made, as data; what was changed in place there is changed in place here."""
        doubts = []
        changed = {n for n in told.get("changed", ()) if isinstance(n, str)}
        for name, value in values.items():
            if not name.isidentifier() or is_shells(name):
                continue
            if name not in changed or not _replace_content(self.namespace.get(name), value):
                self.namespace[name] = value
        for name in told.get("deleted", ()):
            self.namespace.pop(name, None)
        for name, module in dict(told.get("modules", {})).items():
            # Importing runs code; only what is loaded already is as good as data.
            if module in sys.modules:
                self.namespace[name] = sys.modules[module]
            else:
                doubts.append(f"`{name}` could not be brought back: the module {module} is not loaded")
        return doubts

    # -- reports -----------------------------------------------------------------------------------

    def _stepper(self, program: Program, observer: Observer, *, live: bool) -> Stepper:
        attempt = Attempt(
            program, observer, Recorder(self.shell, live=live), TimeLimit(self.timeout, None if live else MemoryLimit())
        )
        return Stepper(attempt, self.namespace, self._globals, self.shell, self._journal, self._boundary)

    def _uncompiled(self, cell: Cell, error: Exception) -> Run:
        return Run(cell, failure.describe_syntax(error, cell, None), handle=Handle(exception=error, compiled=False))

    def _report(self, stepper: Stepper, started: float, start: int = 0) -> Run:
        attempt = stepper.attempt
        handle = Handle(attempt.program, attempt.boundaries, attempt.value, attempt.exception, attempt.compiled)
        handle.scope = attempt.scope
        return Run(
            attempt.program.cell,
            attempt.outcome,
            tuple(attempt.cards),
            stepper.operations(),
            attempt.shown + attempt.recorder.outputs,
            (),
            start,
            time.perf_counter() - started,
            self._journal.changed(*(b.files for b in (*attempt.inherited, *attempt.boundaries))),
            handle=handle,
        )

    def _evaluate(self, conditions: Sequence[Condition], first: Boundary) -> tuple[Condition, ...]:
        """Each condition against the namespace as it is; `first` says which names were there before the cell."""
        scope = {
            name: value
            for name, value in self.namespace.items()
            # A cell cannot weaken a condition by a name of its own that hides a builtin.
            if name not in _BUILTINS or first.checkpoint.bindings.get(name, _NONE) is value
        }
        for condition in conditions:
            # Nor by a schema of its own, where there was one before.
            if condition.schema in first.checkpoint.bindings:
                scope[condition.schema] = first.checkpoint.bindings[condition.schema]
        return tuple(self._held(condition, scope) for condition in conditions)

    def _held(self, condition: Condition, scope: Mapping[str, Any]) -> Condition:
        observer = self._observer_factory()
        try:
            cell = Cell(f"assert {condition.source}", 0)
            node = observer.instrument(cell.tree.body[0], 0, cell)
            test = node.test if isinstance(node, ast.Assert) else ast.parse(condition.source, mode="eval").body
            code = bound(compile(ast.Expression(test), "<condition>", "eval", dont_inherit=True), observer)
            lent = {"satisfies": satisfies} if condition.origin == "schema" else {}
            lent |= {"passes": functools.partial(passes, namespace=scope)} if condition.origin == "tests" else {}
            value = eval(code, {**scope, **lent, "__builtins__": _BUILTINS})  # noqa: S307
            held = bool(value)
        except Exception as error:  # noqa: BLE001  a condition may raise anything; it then says nothing
            return replace(condition, held=None, message=f"{type(error).__name__}: {error}", operands=())
        message = value.message if isinstance(value, Answer) else ""
        return replace(condition, held=held, message=message, operands=() if message else observer.operands())

    # -- boundaries and states -----------------------------------------------------------------------

    def _boundary(self, attempt: Attempt, step: int, conditions: Sequence[Condition]) -> Boundary:
        """Note the state before `step`; what is written from now on belongs to this boundary."""
        program = attempt.program
        names = mentioned(program.codes_from(step), program.nodes[step:])
        for condition in conditions:
            with contextlib.suppress(SyntaxError, ValueError):
                names |= {n.id for n in ast.walk(ast.parse(condition.source)) if isinstance(n, ast.Name)}
        # A hundredth of the time the run has taken so far is little; a trial may take its time.
        first = attempt.boundaries[0].at if attempt.boundaries else time.perf_counter()
        seconds = max(SECONDS, (time.perf_counter() - first) / 100) if attempt.recorder.live else PATIENT
        checkpoint = take(self.namespace, names, functools.partial(written, program.nodes[step:]), seconds)
        boundary = Boundary(step, checkpoint, attempt.shown + attempt.recorder.outputs, at=time.perf_counter())
        self._journal.segment = boundary.files
        attempt.boundaries.append(boundary)
        # A trial is undone by its first boundary; a person's run has made its changes for good.
        thin(attempt.boundaries, self.namespace, first=attempt.recorder.live)
        return boundary

    def _state(self, *handles: Handle) -> State:
        """Everything these runs can have changed, as it is now."""
        records: Records = {}
        for key, record in (pair for h in handles for group in h.records for pair in group.items()):
            if key not in records:
                records[key] = record.again()
        files = self._journal.again(*(f for h in handles for f in h.files))
        return State(Checkpoint(dict(self.namespace), records), files)

    def _contents(self, state: State) -> list[str]:
        return [*state.checkpoint.contents(), *self._journal.restore(state.files)]

    def _apply(self, state: State) -> list[str]:
        """Make everything as it was in `state`, with all bindings."""
        return [*state.checkpoint.restore(self.namespace), *self._journal.restore(state.files)]

    def _enter(self, handle: Handle) -> None:
        """From the live state to the one a trial left; for the analyst's own run they are the same."""
        if handle.after is not None and handle.settled is not None:
            self._contents(handle.after)
            rebind(self.namespace, handle.settled.bindings, handle.after.bindings)

    @property
    def _count(self) -> int | None:
        return self.shell.execution_count if self.shell is not None else None

    def _settle(self, handle: Handle) -> None:
        """Note the live state that a run is a base for, at its first use."""
        if handle.settled is None:
            handle.settled, handle.count = self._state(handle), self._count

    def _refuse_overtaken(self, handle: Handle) -> None:
        """Refuse a base that later cells have overtaken. Within one cell nobody else runs."""
        if handle.settled is not None and self._count != handle.count:
            changed = self._changed(handle.settled, handle.settled, handle.reads)
            if changed:
                raise StaleProposal(f"{_listed(changed)} changed since the cell ran; run the cell again")

    def _changed(self, expected: State, target: State, reads: set[str]) -> list[str]:
        """What is no longer as `expected` although `target` depends on it or would replace it."""
        was, will, now = expected.bindings, target.bindings, self.namespace
        concerned = reads | {n for n in was.keys() | will.keys() if was.get(n, _NONE) is not will.get(n, _NONE)}
        found = [n for n in sorted(concerned) if not is_shells(n) and was.get(n, _NONE) is not now.get(n, _NONE)]
        data = (r for r in expected.checkpoint.records.values() if r.kind.data and r.root and not is_shells(r.root))
        found += [r.root for r in data if not r.same]
        if not self._journal.unchanged(expected.files):
            found.append("a file")
        return list(dict.fromkeys(found))


def _handle(run: Run) -> Handle:
    return run.handle if isinstance(run.handle, Handle) else Handle()


def _listed(names: Sequence[str], limit: int = 4) -> str:
    shown = [n if " " in n else f"`{n}`" for n in names[:limit]]
    return ", ".join(shown) + (f" and {len(names) - limit} more" if len(names) > limit else "")


def _replace_content(old: Any, new: Any) -> bool:
    """Give `old` the content of `new` where both are the same kind of container; whether that was done."""
    if type(old) is not type(new):
        return False
    if isinstance(old, list):
        old[:] = new
    elif isinstance(old, (dict, set)):
        old.clear()
        old.update(new)
    elif type(old).__module__.startswith("pandas") and type(old).__name__ in ("DataFrame", "Series"):
        old.__setstate__(new.__getstate__())
    else:
        return False
    return True


def _nobody(prompt: object = "") -> str:
    """What `input` is in a trial."""
    raise EOFError("a trial asks nobody: the cell needs input")


def _flush_figures() -> None:
    """Let figures that an inline backend would show at the end of the cell be recorded."""
    backend = sys.modules.get("matplotlib_inline.backend_inline")
    if backend is not None and "matplotlib.pyplot" in sys.modules:
        backend.flush_figures()
