"""Runs the statements of one program, one by one."""

from __future__ import annotations

import asyncio
import bdb
import builtins
import contextlib
import contextvars
import threading
import time
import types
import warnings
from collections.abc import Callable, Coroutine, Generator, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from reflex_magic.core.card import Card
from reflex_magic.core.outcome import Completed, Condition, Interrupted, Operation, Outcome, Output, Raised, TimedOut
from reflex_magic.core.ports import Observer
from reflex_magic.execute import failure, retention
from reflex_magic.execute.checkpoint import Checkpoint, Record
from reflex_magic.execute.journal import Journal, Segment
from reflex_magic.execute.limits import OutOfTime, Shield, TimeLimit
from reflex_magic.execute.output import Recorder
from reflex_magic.execute.reach import final
from reflex_magic.execute.retention import Footprint
from reflex_magic.execute.steps import Program, Statement

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

RATIO = 200
"""A boundary is made when the time since the last one is this many times its cost: half a percent."""

SOONEST = 0.02
"""And at least so many seconds."""

Steps = Generator[Coroutine[Any, Any, Any], Any, None]
"""Steps that give every coroutine to whoever drives them."""


@dataclass(slots=True)
class Boundary:
    """The state before a step. `files` fills with what is written until the next boundary.

    `shown` is what the cell had shown by then, and `at` the moment in seconds. `lost` says why the
    checkpoint holds nothing any more, and `heavy` is what `retention` knows of it.
    """

    step: int
    checkpoint: Checkpoint
    shown: tuple[Output, ...] = ()
    files: Segment = field(default_factory=dict)
    at: float = 0.0
    lost: str = ""
    heavy: list[tuple[Record, Footprint]] | None = None


@dataclass(slots=True)
class Attempt:
    """One execution of a program while it goes on, and what is known of it.

    `inherited` are the boundaries before the step it was resumed at, and `shown` the outputs of
    those steps. `compiled` is False when
    it ended with a statement that the compiler refused.
    """

    program: Program
    observer: Observer
    recorder: Recorder
    limit: TimeLimit
    shield: Shield = field(default_factory=Shield)
    step: int = 0
    outcome: Outcome = field(default_factory=Completed)
    boundaries: list[Boundary] = field(default_factory=list)
    inherited: list[Boundary] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    shown: tuple[Output, ...] = ()
    value: Any = None
    exception: BaseException | None = None
    compiled: bool = True
    scope: Mapping[str, Any] = field(default_factory=dict)


class Stepper:
    """Runs the steps of an attempt.

    Parameters
    ----------
    make_boundary
        Notes the state before a step in the attempt's boundaries.
    """

    def __init__(
        self,
        attempt: Attempt,
        namespace: MutableMapping[str, Any],
        global_namespace: Any,
        shell: InteractiveShell | None,
        journal: Journal,
        make_boundary: Callable[[Attempt, int, Sequence[Condition]], Boundary],
    ) -> None:
        self.attempt = attempt
        self.namespace = namespace
        self._globals, self._shell, self._journal = global_namespace, shell, journal
        self._make_boundary = make_boundary
        self._cost = self._since = 0.0
        self._warned: list[str] = []
        self._functions: list[tuple[types.FunctionType, types.CodeType, types.CodeType]] = []

    def steps(self, start: int) -> Steps:
        """Run the steps from `start` on, until one fails; never raises for the cell's sake."""
        attempt = self.attempt
        attempt.step = start
        try:
            with self._collected_warnings(), self._watching_functions(), self._journal.watching():
                if not attempt.boundaries:
                    self.boundary(start)
                for statement in attempt.program.statements[:start]:
                    self._watch_function(statement)
                for step in range(start, len(attempt.program.statements)):
                    attempt.step, statement = step, attempt.program.statements[step]
                    yield from self._observed(statement)
                    self._watch_function(statement)
                    if not isinstance(attempt.outcome, Completed):
                        return
                    self._maybe_boundary(statement)
                if attempt.program.shows is not None:
                    self._value(eval(attempt.program.shows, self._globals, self.namespace))  # noqa: S307
                attempt.shield.strike()
        except KeyboardInterrupt as error:  # between two steps
            self.interrupted(error)

    def boundary(self, step: int, conditions: Sequence[Condition] = ()) -> None:
        """Make a boundary before `step`; `conditions` will be evaluated after the last one."""
        began = time.perf_counter()
        self._give_code(watched=False)
        with self.attempt.recorder.aside():
            self._make_boundary(self.attempt, step, conditions)
        self._give_code(watched=True)
        self._since = time.perf_counter()
        self._cost = self._since - began

    def operations(self) -> tuple[Operation, ...]:
        """What the observer saw."""
        try:
            return self.attempt.observer.operations()
        except Exception:  # noqa: BLE001  a fault of the observer must not cost the analyst the cell
            return ()

    def interrupted(self, error: BaseException) -> None:
        """Note that a person stopped the run."""
        self.attempt.outcome = Interrupted(self.attempt.step)
        self._keep(error)

    def failed(self, step: int, error: BaseException) -> None:
        """Note that a step had raised `error` when the cell ran without this stepper."""
        self.attempt.step = step
        self.attempt.outcome = self._raised(self.attempt.program.statements[step], error)
        self.attempt.exception = error

    def _observed(self, statement: Statement) -> Steps:
        """One step with its card, whatever becomes of it."""
        attempt, step = self.attempt, self.attempt.step
        mark = attempt.recorder.mark()
        self._warned.clear()
        with contextlib.suppress(Exception, SystemExit):  # as in `_card`
            attempt.observer.before(step, self.namespace)
        began = time.perf_counter()
        try:
            error = yield from self._execute(statement)
        except GeneratorExit:
            raise
        except BaseException as struck:  # noqa: BLE001  at the edge of the code: the limit, a person
            error = struck
        match error:
            case None:
                pass
            case OutOfTime():
                attempt.outcome = TimedOut(step, attempt.limit.seconds or 0.0)
                self._keep(error)
            case KeyboardInterrupt() | asyncio.CancelledError() | bdb.BdbQuit():
                attempt.shield.close()
                self.interrupted(error)
            case _:  # whatever a cell may raise, SystemExit too
                attempt.outcome = self._raised(statement, error)
                self._keep(error)
        seconds = time.perf_counter() - began
        attempt.cards.append(self._card(seconds, attempt.recorder.digest(mark)))

    def _execute(self, statement: Statement) -> Generator[Coroutine[Any, Any, Any], Any, BaseException | None]:
        """What the code of a step raises, None when it ends.

        It is caught as close to the code as can be: a generator cannot raise `StopIteration`, and on its way
        through a context manager an exception is written to, which its class may refuse.
        """
        for warned in statement.warned:
            vars(warnings).get("_showwarnmsg", _show)(warnings.WarningMessage(*warned))
        if statement.error is not None:
            return statement.error
        code, value = statement.code, None
        assert code is not None
        limit, shield = self.attempt.limit, self.attempt.shield
        if statement.awaits:
            with self._journal.armed(), shield.opened():
                try:
                    value = yield _within(eval(code, self._globals, self.namespace), limit)  # noqa: S307
                except GeneratorExit:
                    raise
                except BaseException as error:  # noqa: BLE001
                    return error
        else:
            with self._journal.armed(), limit.armed(), shield.opened():
                try:
                    if statement.mode == "eval":
                        value = eval(code, self._globals, self.namespace)  # noqa: S307  the analyst's own code
                    else:
                        exec(code, self._globals, self.namespace)  # noqa: S102  the analyst's own code
                except BaseException as error:  # noqa: BLE001
                    return error
        if statement.mode == "eval":
            self._value(value)
        return None

    def _value(self, value: Any) -> None:
        """Note the value that the cell shows; a plain shell shows it after the cell, a trial records it now."""
        if self.attempt.program.quiet:
            return
        self.attempt.value = value
        if not self.attempt.recorder.live:
            self.attempt.recorder.result(value)

    def _card(self, seconds: float, digest: str) -> Card:
        attempt, step, warned = self.attempt, self.attempt.step, tuple(self._warned)
        try:
            return attempt.observer.after(step, self.namespace, seconds, warned, digest)
        except (Exception, SystemExit):  # noqa: BLE001  as in `operations`; a property may raise even that
            known = attempt.program.cell.steps[step : step + 1]
            line, source = (known[0].span.line, known[0].source) if known else (0, "")
            return Card(step, line, source, seconds, warnings=warned, digest=digest)

    def _raised(self, statement: Statement, error: BaseException) -> Raised:
        attempt = self.attempt
        program = attempt.program
        try:
            operands = attempt.observer.operands() if isinstance(error, AssertionError) else ()
        except Exception:  # noqa: BLE001  as in `operations`
            operands = ()
        if error is statement.error:
            attempt.compiled = False
            return failure.describe_syntax(error, program.cell, attempt.step)
        raised, attempt.scope = failure.describe(
            error, program.cell, program.filename, attempt.step, operands, self._earlier_cell
        )
        return raised

    def _keep(self, error: BaseException) -> None:
        failure.unframe(error)
        place = failure.trim(error, self.attempt.program.filename)
        if self._shell is not None and self.attempt.recorder.live:
            place = failure.within(place, self._shell)
        BaseException.with_traceback(error, place)  # an assignment could be refused
        self.attempt.exception = error

    def _earlier_cell(self, filename: str) -> str | None:
        """What the shell calls the cell of a file name (``In[3]``); None when it is that of no cell."""
        if self._shell is None:
            return filename[1:-1] if filename.startswith("<reflect ") else None
        found = self._shell.compile.format_code_name(filename)
        return None if found is None else str(found[1])

    def _maybe_boundary(self, statement: Statement) -> None:
        step = self.attempt.step + 1
        if step >= len(self.attempt.program.statements):
            return
        elapsed = time.perf_counter() - self._since
        worth = elapsed > SOONEST and elapsed > RATIO * self._cost
        if worth or (statement.code is not None and final(statement.code)) or self._frees(step - 1):
            self.boundary(step)

    def _frees(self, step: int) -> bool:
        """Whether a step gave up a value that the boundaries should not keep alive."""
        attempt = self.attempt
        return retention.frees(attempt.program.nodes[step]) and retention.is_short(attempt.boundaries, self.namespace)

    @contextlib.contextmanager
    def _watching_functions(self) -> Iterator[None]:
        """Functions that got probes within the block have their own code afterwards."""
        try:
            yield
        finally:
            self._give_code(watched=False)

    def _watch_function(self, statement: Statement) -> None:
        if statement.function is None:
            return
        name, plain, watched = statement.function
        function = self.namespace.get(name)
        if type(function) is not types.FunctionType:
            return
        own = function.__code__  # of an earlier run, where this one was resumed after its definition
        if (own.co_code, own.co_names, own.co_varnames) == (plain.co_code, plain.co_names, plain.co_varnames):
            self._functions.append((function, own, watched))
            function.__code__ = watched

    def _give_code(self, *, watched: bool) -> None:
        for function, plain, probed in self._functions:
            before, after = (plain, probed) if watched else (probed, plain)
            if function.__code__ is before:
                function.__code__ = after

    @contextlib.contextmanager
    def _collected_warnings(self) -> Iterator[None]:
        """Note the text of each warning that is shown, and show it as it would have been.

        What the interpreter calls is replaced, not `warnings.showwarning`: code may look at that, replace
        it, or have a `catch_warnings` that outlives the cell put it back. The name has stayed since Python 3.6.
        """
        space = vars(warnings)
        before, plain = space.get("_showwarnmsg"), space.get("_showwarnmsg_impl")
        if before is None:
            yield
            return

        def shown(message: Any) -> None:
            if space.get("_showwarnmsg_impl") is plain:  # else a `catch_warnings` records it
                self._warned.append(f"{getattr(message.category, '__name__', message.category)}: {message.message}")
            before(message)

        space["_showwarnmsg"] = shown
        try:
            yield
        finally:
            if space["_showwarnmsg"] is shown:
                space["_showwarnmsg"] = before


def _show(message: warnings.WarningMessage) -> None:
    warnings.showwarning(
        message.message, message.category, message.filename, message.lineno, message.file, message.line
    )


@contextlib.contextmanager
def builtin(name: str, value: Any) -> Iterator[None]:
    """A builtin for the time of the block; a reflected cell may run another one."""
    space = vars(builtins)
    nothing = object()
    before = space.get(name, nothing)
    space[name] = value
    try:
        yield
    finally:
        if before is nothing:
            space.pop(name, None)
        else:
            space[name] = before


async def _within(coroutine: Coroutine[Any, Any, Any], limit: TimeLimit) -> Any:
    """Await within what is left of the limit. A signal would strike in the event loop's own code."""
    began = time.perf_counter()
    scope = asyncio.timeout(limit.left)
    try:
        async with scope:
            return await coroutine
    except TimeoutError:
        if scope.expired():
            raise OutOfTime from None
        raise
    finally:
        limit.spend(time.perf_counter() - began)


async def adrive(steps: Steps) -> None:
    """Run steps to their end within an event loop."""
    result: Any = None
    error: BaseException | None = None
    while True:
        try:
            pending = steps.throw(error) if error is not None else steps.send(result)
        except StopIteration:
            return
        result = error = None
        try:
            result = await pending
        except BaseException as raised:  # noqa: BLE001  it belongs to the step
            error = raised


def drive(steps: Steps, shell: InteractiveShell | None) -> None:
    """Run steps to their end; coroutines get an event loop of their own where one is running."""
    result: Any = None
    error: BaseException | None = None
    while True:
        try:
            pending = steps.throw(error) if error is not None else steps.send(result)
        except StopIteration:
            return
        result = error = None
        try:
            result = _finish(pending, shell)
        except BaseException as raised:  # noqa: BLE001  it belongs to the step
            error = raised


def _finish(coroutine: Coroutine[Any, Any, Any], shell: InteractiveShell | None) -> Any:
    """The result of a coroutine."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        runner = getattr(shell, "loop_runner", None) if shell is not None else None
        return runner(coroutine) if runner is not None and not hasattr(shell, "kernel") else asyncio.run(coroutine)
    outcome: list[Any] = []
    context = contextvars.copy_context()

    def work() -> None:
        try:
            outcome.extend((True, asyncio.run(coroutine)))
        except BaseException as error:  # noqa: BLE001  it is raised where the coroutine was awaited
            outcome.extend((False, error))

    thread = threading.Thread(target=context.run, args=(work,), daemon=True)
    thread.start()
    thread.join()
    succeeded, value = outcome
    if succeeded:
        return value
    raise value
