"""`%%reflect` and `%reflect`: parse, wire, iterate, display."""

from __future__ import annotations

import ast
import functools
import inspect
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from traitlets import Bool, Enum, Float, Int, List, Unicode

from reflex_magic import state
from reflex_magic.audit import Chain
from reflex_magic.core.card import cut
from reflex_magic.core.loop import Loop
from reflex_magic.core.outcome import Raised, Run
from reflex_magic.core.report import STOPS, Report
from reflex_magic.core.route import draw
from reflex_magic.errors import CellPending, CellUnresolved, NothingToDo, OptionError, ReflexError
from reflex_magic.execute.recovery import recover
from reflex_magic.lessons import JsonlLessons
from reflex_magic.options import Settings, nearest, parse, words
from reflex_magic.review import Review, attended, cell_id, text
from reflex_magic.session import Session, explain

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from reflex_magic.execute import CellExecutor

_FORMS = {
    **dict.fromkeys(("accept", "reject", "show", "why"), " [N]"),
    "explain": " CODE",
    "lessons": " [list | show ID | forget ID]",
    "audit": " save [FILE]",
    "demo": " [FOLDER]",
}
KEPT_CELLS = 4
"""So many cells can be decided about or undone; each may hold an older version of its data."""


@dataclass(slots=True)
class Reflected:
    """A cell that was reflected: its loop, the review on the screen, and the id of the notebook cell it is in."""

    session: Session
    loop: Loop
    raw: str
    review: Review
    shown_in: str

    @property
    def report(self) -> Report:
        """The cell's report."""
        return self.loop.report

    @property
    def raised(self) -> BaseException | None:
        """What the analyst's own code raised."""
        return self.session.executor.exception(self.loop.run)

    def replaces(self, other: Reflected) -> bool:
        """Whether this is a newer run of the cell of `other`, whose open proposals it makes void."""
        again = self.shown_in == other.shown_in if self.shown_in else self.report.original == other.report.original
        return again and other.report.status != "repaired"

    def rewritten(self, body: str) -> str:
        """The cell as the editor should show it: the magic line as it was, then `body`."""
        return rewrite(self.raw, self.report.original, body)


def rewrite(raw: str, old: str, new: str) -> str:
    """`raw`, the whole cell as sent by the front end, with its body `old` replaced by `new`."""
    head, found, _ = raw.rpartition(old) if old else (raw, "", "")
    if not found:
        head = raw.split("\n", 1)[0] + "\n"
    return head + new


@magics_class
class ReflectMagics(Magics):
    """`%%reflect` runs a cell, checks it and repairs it; `%reflect` decides and shows.

    The traits are what can be set for a session by `%config` or in ipython_config.py; `--goal` and
    `--expect` belong to one cell.
    """

    rounds = Int(3, min=1, help="Rounds of proposals, at most.").tag(config=True)
    budget = Int(6000, min=0, help="Tokens a cell may cost, in and out.").tag(config=True)
    timeout = Float(None, allow_none=True, help="Seconds a cell or a trial may run; None waits for ever.").tag(
        config=True
    )
    policy = Enum(
        ["ask", "accept", "dry-run"], None, allow_none=True, help="What happens to a proposal that holds."
    ).tag(config=True)
    use_model = Bool(True, help="Whether a configured model may be asked.").tag(config=True)
    model = Unicode("", help="The model's name; empty takes REFLEX_MODEL.").tag(config=True)
    values = Enum(["none", "shapes", "sample"], "shapes", help="What of the data a model may see.").tag(config=True)
    important = Bool(False, help="Never commit without a person.").tag(config=True)
    verify_rollback = Bool(False, help="Compare all variables before and after each trial.").tag(config=True)
    harden = Bool(False, help="Offer what would make a cell that passes sturdier or faster.").tag(config=True)
    ignore = List(Unicode(), help="Checks that stay silent in every cell.").tag(config=True)
    detail = Int(1, min=0, max=2, help="0 one line, 1 a summary, 2 everything.").tag(config=True)

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self._reports: list[Report] = []
        self._cells: list[Reflected] = []
        self._chain = Chain()
        self._lessons = JsonlLessons()
        self._every: str | None = None
        self._failed: tuple[int, str] | None = None
        self._ended: tuple[CellExecutor, Run] | None = None
        self._depth = 0

    # -- the cell ---------------------------------------------------------------------------

    @no_var_expand
    @line_cell_magic
    def reflect(self, line: str = "", cell: str | None = None) -> Any:
        """Run this cell, check it, repair it until it passes or a limit is hit.

        ::

            %%reflect [options]
            <cell>

            --goal TEXT            what the cell is for, in words
            --ask                  stop with a proposal that waits for you
            --accept               commit the first proposal that surely holds
            --dry-run              only report
            --expect EXPR          must be true afterwards; can be repeated
            --schema NAME[:frame]  a pandera schema that a frame must satisfy; can be repeated
            --tests PATH           a pytest file that must pass against the variables; can be repeated
            --rounds N             rounds of proposals, at most (3)
            --budget TOKENS        tokens, in and out, at most (6000)
            --timeout S            seconds that the cell or a trial may run
            --no-model             rules, lessons and checks only
            --model NAME           another model than the configured one
            --values LEVEL         what of the data a model may see: none, shapes, sample
            --important            never commit without a person
            --ignore CODE          a check that stays silent; can be repeated
            --verify-rollback      compare all variables before and after each trial
            --harden               after a pass, offer what makes the cell sturdier or faster
            -q, --quiet            one line
            -v, --verbose          everything

            %reflect                                     repair the last cell that failed
            %reflect on [options] | off                  every cell as if it had %%reflect
            %reflect accept [N] | reject [N] | undo      decide about a proposal
            %reflect show [N] | why [N] | status | cost  look
            %reflect explain CODE | prompt               a check or a rule; what a model would be sent
            %reflect lessons [list | show ID | forget ID]
            %reflect audit save [FILE] | demo [FOLDER]
        """
        if cell is None:
            return self._command(line)
        session, raw, number = self._begin(line, cell)
        with session.forecast():
            run = session.executor.run(session.cell, raw=raw, number=number, conditions=session.conditions)
        return self._finish(session, raw, run)

    async def areflect(self, line: str, cell: str) -> Any:
        """`%%reflect` for a cell with top-level await."""
        session, raw, number = self._begin(line, cell)
        with session.forecast():
            run = await session.executor.arun(session.cell, raw=raw, number=number, conditions=session.conditions)
        return self._finish(session, raw, run)

    def _begin(self, line: str, body: str) -> tuple[Session, str, int]:
        settings = parse(line, self._defaults())
        result = getattr(self.shell.displayhook, "exec_result", None)
        info = getattr(result, "info", None)
        raw = info.raw_cell if info is not None and body.rstrip("\n") in info.raw_cell else f"%%reflect {line}\n{body}"
        if not raw.endswith("\n") and body.endswith("\n"):
            body = body.removesuffix("\n")  # IPython adds a line end that the editor does not have
        number = getattr(result, "execution_count", None) or self.shell.execution_count
        return self._open(body, raw, settings), raw, number

    def _open(self, body: str, raw: str, settings: Settings) -> Session:
        offset = raw[: raw.rfind(body)].count("\n") if body else 1
        return Session(body, settings, self.shell.user_ns, self.shell, offset, self._lessons)

    def _defaults(self) -> Settings:
        policy = self.policy or ("ask" if attended(self.shell) else "dry-run")
        configured = {f.name: getattr(self, f.name) for f in fields(Settings) if self.has_trait(f.name)}
        return Settings(**configured | {"policy": policy, "ignore": tuple(self.ignore)})

    def _finish(self, session: Session, raw: str, run: Run) -> Any:
        executor = session.executor
        if self._is_front_ends():
            if executor.exception(run) is not None:
                self._ended = executor, run
                executor.reraise(run)
            return executor.result(run)
        cell = self._reflected(session, raw, run, cell_id(self.shell) or "")
        loop, report = cell.loop, cell.report
        if report.status == "passed":
            if report.offered or not report.undisputed or session.settings.detail == 2:
                self._show(cell)
            else:
                self._chain.pass_over(report, cell.shown_in)
            return executor.result(run)
        if report.status == "repaired":
            executor.retract()
            executor.replay(loop.accepted.run)
            self._show(cell)
            self.shell.set_next_input(cell.rewritten(report.source), replace=True)
            return None

        self._ended = executor, run
        if report.status == "interrupted" or (isinstance(run.outcome, Raised) and run.outcome.is_a("SystemExit")):
            self._chain.pass_over(report, cell.shown_in)
            executor.reraise(run)
        executor.show(run)
        self._show(cell)
        if report.status == "pending":
            raise CellPending(_waiting(report, session.settings.policy))
        raise CellUnresolved(_unresolved(report))

    def _is_front_ends(self) -> bool:
        """Whether the running request is a front end's own (a variable viewer's), and not a cell of the analyst's."""
        info = getattr(getattr(self.shell.displayhook, "exec_result", None), "info", None)
        return self._every is not None and info is not None and (info.silent or not info.store_history)

    def _reflected(self, session: Session, raw: str, run: Run, shown_in: str) -> Reflected:
        loop = session.finish(run)
        state.newest = loop.report
        self._reports.append(loop.report)
        review = Review(self.shell, loop.report, session.settings.detail, shown_in)
        cell = Reflected(session, loop, raw, review, shown_in)
        self._keep(cell)
        return cell

    def _keep(self, cell: Reflected) -> None:
        """Keep what may still be decided or asked about; a kept cell holds older versions of its data."""
        kept = [c for c in self._cells if c.report.offered and not cell.replaces(c)]
        if cell.report.status != "passed" or cell.report.offered:
            kept.append(cell)
        for old in kept[:-KEPT_CELLS]:
            old.loop.release()
        self._cells = kept[-KEPT_CELLS:]

    def _show(self, cell: Reflected) -> None:
        decide = functools.partial(self._decide, cell) if cell.session.settings.policy != "dry-run" else None
        texts = {p.id: cell.rewritten(p.source) for p in cell.report.offered}
        cell.review.show(self._chain.append(cell.report, cell.shown_in), cell.raw, texts, decide)

    # -- cells without the magic ------------------------------------------------------------

    def _on(self, *options: str) -> None:
        line = shlex.join(options)
        parse(line, self._defaults())
        self._every = line
        print("every cell is reflected from now on; `%reflect off` ends it")  # noqa: T201

    def _off(self) -> None:
        self._every = None
        print("only cells with `%%reflect` are reflected")  # noqa: T201

    def _last_failed(self) -> None:
        """Repair the last cell that failed, whether or not it had the magic."""
        error = getattr(sys, "last_value", None)
        newest = self._cells[-1] if self._cells and self._cells[-1].report.status != "repaired" else None
        if error is None or isinstance(error, ReflexError) or (newest is not None and newest.raised is error):
            if newest is None:
                raise NothingToDo("no cell has failed; `%reflect status` says where things stand")
            session, raw, run, shown_in = newest.session, newest.raw, newest.loop.run, newest.shown_in
        else:
            filename, number = self._code_of(error)
            raw = self.shell.history_manager.input_hist_raw[number]
            head, _, body = raw.partition("\n") if raw.startswith("%%reflect") else ("", "", raw)
            if body.lstrip().startswith("%%"):
                raise NothingToDo(
                    f"`{body.split(maxsplit=1)[0]}` stands on top of the cell that failed: run it without"
                )
            settings = parse(head.removeprefix("%%reflect"), replace(self._defaults(), policy="ask"))
            session = self._open(body, raw, settings)
            run = session.executor.adopt(session.cell, error, filename, number)
            shown_in = self._failed[1] if self._failed and self._failed[0] == number else ""
        cell = self._reflected(session, raw, run, shown_in)
        self._show(cell)
        if cell.report.status == "pending":
            print(_waiting(cell.report, session.settings.policy))  # noqa: T201
        elif cell.report.status == "unresolved":
            print(_unresolved(cell.report))  # noqa: T201

    def _code_of(self, error: BaseException) -> tuple[str, int]:
        """What the code of the cell that raised `error` is called in tracebacks, and its execution count."""
        place, names = error.__traceback__, []
        while place is not None:
            names.append(place.tb_frame.f_code.co_filename)
            place = place.tb_next
        if isinstance(error, SyntaxError) and error.filename:
            names.append(error.filename)
        for name in names:
            label = self.shell.compile.format_code_name(name)
            if label is not None and (number := label[1].removeprefix("In[").removesuffix("]")).isdigit():
                return name, int(number)
        raise NothingToDo(f"the last failure ({type(error).__name__}) is not a cell's")

    def starts(self) -> None:
        """A cell begins: what is transformed until it ends is part of it, and not a cell."""
        self._depth += 1

    def ends(self) -> None:
        """A cell has ended; cells that it ran itself ended before it."""
        self._depth = max(self._depth - 1, 0)
        if self._ended is not None:
            executor, run = self._ended
            self._ended = None
            executor.point(run)

    def ran(self, result: Any) -> None:
        """Note which notebook cell it was that failed."""
        if not result.success and result.execution_count is not None:
            self._failed = result.execution_count, cell_id(self.shell) or ""

    def transform(self, lines: list[str]) -> list[str]:
        """An input transformation: which cells are reflected, and which of those are awaited.

        A cell magic is called, not awaited, so the cells with top-level await are rewritten to a
        call of `areflect`.
        """
        head = next((i for i, line in enumerate(lines) if line.strip()), None)
        if head is None or self._depth:
            return lines
        if lines[head].startswith("%%reflect"):
            options, body, every = lines[head].removeprefix("%%reflect").strip(), "".join(lines[head + 1 :]), False
        elif self._every is not None and not _only_magics(lines):
            options, body, every = self._every, "".join(lines), True
        else:
            return lines
        if self._awaits(body):
            call = f"await get_ipython().magics_manager.registry['ReflectMagics'].areflect({options!r}, {body!r})\n"
        elif every:
            call = f"get_ipython().run_cell_magic('reflect', {options!r}, {body!r})\n"
        else:
            return lines
        return [*lines[:head], call]

    # Whether a cell is complete is asked of what was typed.
    transform.has_side_effects = True  # type: ignore[attr-defined]

    def _awaits(self, body: str) -> bool:
        """Whether a cell awaits at its top level."""
        if "await" not in body and "async" not in body:
            return False
        self.starts()
        try:
            code = self.shell.transform_cell(body)
            flags = compile(code, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True).co_flags
        except (SyntaxError, ValueError, UnicodeError):
            return False
        finally:
            self.ends()
        return bool(flags & inspect.CO_COROUTINE)

    # -- decisions --------------------------------------------------------------------------

    def _decide(self, cell: Reflected, what: str, proposal: str) -> str:
        """Carry out a decision; a message for the person, empty when there is nothing to say."""
        if what == "undo":
            cell.loop.undo("person")
        else:
            cell.loop.decide(what, proposal, "person")
        cell.review.update(self._chain.append(cell.report, cell.shown_in))
        return ""

    def _waiting(self, number: str) -> tuple[Reflected, str]:
        """The newest cell with something to decide, and the proposal meant by `number`."""
        cell = next(
            (
                c
                for c in reversed(self._cells)
                if c.report.offered and (c.report.decision is None or c.report.decision.what == "undo")
            ),
            None,
        )
        if cell is None:
            raise NothingToDo("no proposal waits; `%reflect status` says where things stand")
        offered = cell.report.offered
        if not number:
            return cell, offered[0].id
        ids = {str(n): p.id for n, p in enumerate(offered, 1)} | {p.id: p.id for p in offered}
        if number not in ids:
            raise OptionError(f"there is no proposal {number}; there are 1 to {len(offered)}")
        return cell, ids[number]

    def _accept(self, number: str = "") -> None:
        cell, proposal = self._waiting(number)
        self._decide(cell, "accept", proposal)
        cell.session.executor.replay(cell.loop.accepted.run)
        print(text.decided(cell.report))  # noqa: T201

    def _reject(self, number: str = "") -> None:
        cell, proposal = self._waiting(number)
        self._decide(cell, "reject", proposal)
        print(text.decided(cell.report))  # noqa: T201

    def _undo(self) -> None:
        cell = next((c for c in reversed(self._cells) if c.report.status == "repaired"), None)
        if cell is None:
            raise NothingToDo("nothing was accepted that could be undone")
        self._decide(cell, "undo", "")
        print(text.decided(cell.report))  # noqa: T201

    # -- the line magic ---------------------------------------------------------------------

    def _command(self, line: str) -> None:
        given = words(line)
        commands: dict[str, Callable[..., None]] = {
            "on": self._on,
            "off": self._off,
            "accept": self._accept,
            "reject": self._reject,
            "undo": self._undo,
            "show": self._print_report,
            "why": self._why,
            "status": self._status,
            "cost": self._cost,
            "prompt": self._prompt,
            "explain": self._explain,
            "lessons": self._lesson_command,
            "audit": self._audit,
            "demo": self._demo,
        }
        if not given:
            self._last_failed()
            return
        name, *rest = given
        if name not in commands:
            raise OptionError(f"there is no `%reflect {name}`. {nearest(name, commands)}")
        try:
            inspect.signature(commands[name]).bind(*rest)
        except TypeError:
            raise OptionError(f"the form is `%reflect {name}{_FORMS.get(name, '')}`") from None
        commands[name](*rest)

    def _newest(self) -> Report:
        if not self._reports:
            raise NothingToDo("no cell was reflected in this session")
        return self._reports[-1]

    def _print_report(self, number: str = "") -> None:
        print(text.render(self._newest(), detail=2, proposal=number))  # noqa: T201

    def _why(self, number: str = "") -> None:
        print(text.why(self._newest(), number))  # noqa: T201

    def _status(self) -> None:
        lines = ["no cell was reflected in this session"]
        if self._reports:
            lines = [text.render(self._newest(), detail=0), draw(self._newest().route)]
        session = Session("", self._defaults(), {}, self.shell, lessons=self._lessons)
        asked = session.model.settings if session.model else None
        lines.append(f"model: {asked.model} at {asked.host}" if asked else "model: none (nothing is sent)")
        lines.append(f"foreign code: {session.executor.level}")
        lines.append(f"every cell: {'no' if self._every is None else f'yes {self._every}'.strip()}")
        lines.append(f"lessons: {session.lessons.describe()}")
        print("\n".join(lines))  # noqa: T201

    def _cost(self) -> None:
        print("\n".join(text.cost(self._reports)))  # noqa: T201

    def _prompt(self) -> None:
        if not self._cells:
            raise NothingToDo("no cell has failed; there is nothing that could be sent")
        cell = self._cells[-1]
        print(cell.session.preview(cell.loop))  # noqa: T201

    def _explain(self, code: str) -> None:
        print(explain(code))  # noqa: T201

    def _lesson_command(self, what: str = "list", lesson: str = "") -> None:
        store = self._lessons
        match what:
            case "list":
                print(store.table())  # noqa: T201
            case "show":
                print(store.show(lesson))  # noqa: T201
            case "forget":
                store.forget(lesson)
                print(f"forgotten: {lesson}")  # noqa: T201
            case _:
                raise OptionError(f"there is no `%reflect lessons {what}`. {nearest(what, ['list', 'show', 'forget'])}")

    def _audit(self, what: str, path: str = "audit.ipynb") -> None:
        if what != "save":
            raise OptionError(f"there is no `%reflect audit {what}`. {nearest(what, ['save'])}")
        written = self._chain.save(Path(path).expanduser())
        count = len(self._chain.records)
        print(f"{count} record{'s' if count != 1 else ''} written to {written}")  # noqa: T201

    def _demo(self, folder: str = ".") -> None:
        from reflex_magic import demo

        for path in demo.write(Path(folder).expanduser()):
            print(f"written: {path}")  # noqa: T201


def _waiting(report: Report, policy: str | None) -> str:
    best = report.offered[0]
    if policy == "dry-run":
        return f"a repair was found and not applied (dry run): {cut(best.title, 120)}"
    more = len(report.offered) - 1
    others = f" (and {more} more)" if more else ""
    return f"a proposal waits{others}: `%reflect accept`, `%reflect reject`, or the buttons above"


def _unresolved(report: Report) -> str:
    left = report.unresolved[0].message if report.unresolved else report.outcome.get("evalue", "")
    return f"not repaired, {STOPS.get(report.stop, report.stop)}: {cut(left, 160)}"


def _only_magics(lines: list[str]) -> bool:
    """Whether there is nothing to check: another cell magic is on top, or every line is a magic or a command."""
    written = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return not written or written[0].startswith("%%") or all(w.startswith(("%", "!", "?")) for w in written)


def load(shell: InteractiveShell) -> None:
    """Register the magics on a shell; put back what a trial of a killed kernel left."""
    for line in recover():
        print(f"reflex: {line}")  # noqa: T201
    magics = ReflectMagics(shell)
    shell.register_magics(magics)
    shell.input_transformers_cleanup.append(magics.transform)
    for event, callback in _callbacks(magics):
        shell.events.register(event, callback)


def unload(shell: InteractiveShell) -> None:
    """Take the magics off a shell."""
    magics = shell.magics_manager.registry.pop("ReflectMagics", None)
    if magics is None:
        return
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop("reflect", None)
    shell.input_transformers_cleanup.remove(magics.transform)
    for event, callback in _callbacks(magics):
        shell.events.unregister(event, callback)
    shell.configurables.remove(magics)


def _callbacks(magics: ReflectMagics) -> list[tuple[str, Callable[..., None]]]:
    return [("pre_execute", magics.starts), ("post_execute", magics.ends), ("post_run_cell", magics.ran)]
