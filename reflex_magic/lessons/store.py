"""The lessons of a project: what was learned, how it fared, what fits a failure."""

from __future__ import annotations

import ast
import re
import secrets
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from reflex_magic.core.card import cut
from reflex_magic.core.cell import Cell
from reflex_magic.core.escape import visible
from reflex_magic.core.judge import signature as failure_signature
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.core.report import Report, now
from reflex_magic.errors import NothingToDo, RecordError
from reflex_magic.lessons import file, signature, trees
from reflex_magic.lessons.derive import ALIASES, derive
from reflex_magic.lessons.generalise import generalise
from reflex_magic.lessons.lesson import SCHEMA, Counts, Lesson, general, identity, vague
from reflex_magic.lessons.signature import FINDING, Fault, Signature
from reflex_magic.lessons.template import Template, TemplateError

SILENT_BELOW = 0.3
"""A lesson whose next use is less likely to hold than this is not used, once it was tried `SILENT_AFTER` times."""

SILENT_AFTER = 3
MAX_LESSONS = 100_000
MAX_FORMS = 50
_FLOOR = 0.25
_REMEMBERED = 32

# Within the class, `list` is a method.
Lessons = list[Lesson]
Texts = list[str]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What could be seen while a failed run was in place: forms of values, names of modules."""

    forms: tuple[str, ...] | None = None
    modules: frozenset[str] = frozenset()


class JsonlLessons:
    """The lessons file as a `LessonStore`.

    Parameters
    ----------
    path
        The file; found from the working folder when None (`file.find`).
    home
        The folder of the user's key; the user's data folder when None.
    """

    def __init__(self, path: Path | None = None, home: Path | None = None) -> None:
        self.file = file.LessonsFile(path or file.find())
        self._home = home or file.home()
        self._stamp: object = ()
        self._lessons: dict[str, Lesson] = {}
        self._retired: dict[str, str] = {}
        self._key = b""
        self._told = 0
        self._seen: OrderedDict[tuple[str, str], _Seen] = OrderedDict()

    @property
    def notes(self) -> Texts:
        """What went wrong with the file, one clear line each."""
        return self.file.notes

    def news(self) -> Texts:
        """The notes that this method has not returned yet."""
        new = self.file.notes[self._told :]
        self._told += len(new)
        return new

    def list(self) -> Lessons:
        """The lessons that were not forgotten, oldest first."""
        self._read()
        return [lesson for lesson in self._lessons.values() if not self._is_retired(lesson)]

    def get(self, lesson_id: str) -> Lesson | None:
        """The lesson whose id begins so, forgotten ones too; None where none or several do."""
        self._read()
        found = [lesson for lesson in self._lessons.values() if lesson_id and lesson.id.startswith(lesson_id)]
        return found[0] if len(found) == 1 else None

    def show(self, lesson_id: str) -> str:
        """A lesson in full, for reading.

        Raises
        ------
        NothingToDo
            There is no such lesson.
        """
        lesson = self._wanted(lesson_id)
        known = ", ".join(f"{name} {version}" for name, version in lesson.versions.items())
        facts = {
            "lesson": lesson.id + (" (forgotten)" if self._is_retired(lesson) else ""),
            "failure": f"{lesson.error}: {lesson.signature}",
            "symptom": lesson.symptom,
            "cause": lesson.root_cause,
            "remedy": lesson.remedy,
            "applies": lesson.applies,
            "values": ", ".join(lesson.forms[:10]),
            "from": f"{lesson.origin}, {lesson.created}, {known}"
            + (", written by somebody else" if lesson.foreign else ""),
            "record": f"{lesson.counts}; accepted {lesson.counts.accepted} times",
        }
        lines = [f"{name:<8} {text}" for name, text in facts.items() if text]
        if lesson.template:
            lines += [f"- {c.before}\n+ {c.after}" if c.after else f"at {c.before}" for c in lesson.template.changes]
            lines += [f"+ {line}" for line in lesson.template.insert.splitlines()]
        # Anybody may have written a lesson: a terminal must not obey what stands in it.
        return visible("\n".join(lines))

    def table(self) -> str:
        """The lessons, one line each, the newest first."""
        lessons = self.list()
        if not lessons:
            return f"no lessons in {self.file.shown} yet: an accepted repair becomes one"
        marks = {True: " [from somebody else]", False: ""}
        return "\n".join(
            visible(f"{x.id}  {x.error}: {cut(x.signature, 60)}  {cut(x.remedy, 80)}  ({x.counts}){marks[x.foreign]}")
            for x in reversed(lessons)
        )

    def describe(self) -> str:
        """One line: how many lessons there are, and where."""
        count = len(self.list())
        return f"{count} lesson{'s' * (count != 1)} in {self.file.shown}"

    def forget(self, lesson_id: str) -> None:
        """Retire a lesson; its lines stay in the file.

        Raises
        ------
        NothingToDo
            There is no such lesson, or it was forgotten before.
        RecordError
            The file cannot be written.
        """
        lesson = self._wanted(lesson_id)
        if self._is_retired(lesson):
            raise NothingToDo(f"lesson {lesson.id} was forgotten already")
        if not self.file.append([self._line("retirement", lesson.id, until=lesson.created)]):
            raise RecordError(f"lesson {lesson.id} is still there: {self.file.shown} cannot be written")

    def _wanted(self, lesson_id: str) -> Lesson:
        lesson = self.get(lesson_id)
        if lesson is None:
            raise NothingToDo(f"there is no lesson {lesson_id!r}; `%reflect lessons` lists them")
        return lesson

    def tried(self, proposal: Proposal, held: bool) -> None:
        """Count a trial of a lesson's proposal; other proposals are not counted."""
        lesson_id = _lesson_id(proposal)
        if lesson_id:
            self.file.append([self._line("outcome", lesson_id, what="held" if held else "failed")])

    def rejected(self, proposal: Proposal) -> None:
        """Count that a person did not want a lesson's proposal."""
        lesson_id = _lesson_id(proposal)
        if lesson_id:
            self.file.append([self._line("outcome", lesson_id, what="rejected")])

    def see(self, context: Context) -> tuple[str, ...] | None:
        """The forms of the text values at the failing expression (`signature.forms`).

        They can only be looked at while the run is in place, so they are kept for `learn`,
        which comes when the repair is bound already.
        """
        found = signature.forms(context)
        forms = None if found is None else tuple(sorted(found))
        modules = frozenset(name for name, type_ in context.values.names().items() if type_ == "module")
        self._seen[_run_key(context)] = _Seen(forms, modules)
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return forms

    def learn(self, report: Report, context: Context | None, proposal: Proposal) -> str | None:
        """Learn from an accepted proposal; the lesson's id, also of one that was known already.

        `context` is what the proposal answered; without one the report's original cell and
        outcome count (a person's own repair). None where nothing general can be said, with a
        note why.
        """
        fault = _fault(report, context, proposal)
        if fault is None:
            return None
        seen = self._seen.get(_run_key(context), _Seen()) if context else _Seen()
        forms = seen.forms
        if forms is None:
            forms = tuple(signature.quoted_forms(context)) if context else ()
        if _lesson_id(proposal):
            known = self.get(_lesson_id(proposal))
            return self._accepted(known, forms) if known else None
        lesson = self._lesson(fault, context, proposal, seen.modules)
        return self._accepted(self._merged(lesson), forms) if lesson else None

    def _lesson(
        self, fault: Fault, context: Context | None, proposal: Proposal, modules: Collection[str]
    ) -> Lesson | None:
        """What an accepted proposal teaches; None, with a note, where its words say too little."""
        columns = signature.columns(context) if context else frozenset()
        names = _particulars(fault.cell) | columns
        # What a rule does, the rule does again: only its words are kept.
        by_rule = proposal.origin.startswith("rule:")
        remembered, why = (None, "") if by_rule else _remember(fault, proposal, columns, modules)
        keep = _words_of(remembered)
        said = proposal.reflection
        # A proposal that builds upon others names them in its title: the last part is its own.
        title = proposal.title.rpartition("; then ")[2]
        texts = [general(text, names, keep) for text in (said.change if said else "", title)]
        remedy = next((text for text in texts if not vague(text)), None)
        if remedy is None:
            self.file.note(f"nothing was learned: the remedy says too little ({cut(title, 60)!r})")
            return None
        if why:
            self.file.note(f"the lesson has words but no edit: {why}")
        kind = fault.signature
        what = str(remembered.to_dict()) if remembered else "" if by_rule else remedy
        return Lesson(
            id=identity(kind, proposal.origin, what),
            error=kind.error,
            signature=kind.message,
            api=kind.api,
            symptom=general(said.symptom, names, keep) if said else kind.message,
            root_cause=general(said.root_cause, names, keep) if said else "",
            remedy=remedy,
            applies=_applies(kind),
            versions=_versions(),
            origin=proposal.origin,
            created=now(),
            template=remembered,
        )

    def _merged(self, lesson: Lesson) -> Lesson:
        """The lesson of ours that says the same already, wider where the two have a common form; else `lesson`."""
        ours = {x.id: x for x in self.list() if not x.foreign}
        for known in ours.values():
            if known.key == lesson.key and known.template and lesson.template:
                wider = generalise(known.template, lesson.template)
                if wider is not None:
                    return replace(known, template=wider)
        return ours.get(lesson.id, lesson)

    def relevant(self, context: Context, limit: int = 3) -> Lessons:
        """The lessons that may help, best first: of the same kind, then by the words they share."""
        kinds = [fault.signature for fault in signature.faults(context)]
        if not kinds:
            return []
        keys = [kind.key for kind in kinds]
        words = _bag(" ".join((*keys[0], kinds[0].api, context.goal)))
        scored = []
        for lesson in self.list():
            if not usable(lesson):
                continue
            if lesson.key in keys:
                scored.append((2.0, lesson.counts.mean, lesson))
            else:
                own = _bag(" ".join((lesson.error, lesson.signature, lesson.api, lesson.symptom)))
                score = len(words & own) / (len(words | own) or 1)
                # The same exception from the same function is near, however it is worded.
                score += any(lesson.api and (k.error, k.api) == (lesson.error, lesson.api) for k in kinds) / 4
                if score >= _FLOOR:
                    scored.append((score, lesson.counts.mean, lesson))
        scored.sort(key=lambda s: s[:2], reverse=True)
        return [lesson for _, _, lesson in scored[:limit]]

    def lines(self, context: Context) -> Texts:
        """The relevant lessons for a prompt; those that this user did not write are left out."""
        return [
            f"{lesson.error}: {lesson.signature}: {lesson.remedy} ({lesson.counts})"
            for lesson in self.relevant(context)
            if not lesson.foreign
        ]

    def _accepted(self, lesson: Lesson, forms: tuple[str, ...]) -> str | None:
        """Count an acceptance. The lesson itself is written where it is new, grew, or becomes ours by it."""
        lines = [self._line("outcome", lesson.id, what="accepted")]
        seen = tuple(sorted({*lesson.forms, *forms})[:MAX_FORMS])
        known = self._lessons.get(lesson.id)
        if (
            known is None
            or known.foreign
            or self._is_retired(known)
            or (known.template, known.forms) != (lesson.template, seen)
        ):
            grown = replace(lesson, forms=seen, created=now(), counts=Counts(), foreign=False)
            lines.insert(0, grown.signed(self._user_key()).to_dict())
        return lesson.id if self.file.append(lines) else None

    def _is_retired(self, lesson: Lesson) -> bool:
        """Whether it was forgotten after it was last learned; the order of lines does not count."""
        return self._retired.get(lesson.id, "") >= lesson.created

    def _line(self, kind: str, lesson_id: str, **more: str) -> dict[str, Any]:
        return {"schema": SCHEMA, "kind": kind, "lesson": lesson_id, **more, "when": now()}

    def _user_key(self) -> bytes:
        if not self._key:
            try:
                self._key = file.user_key(self._home)
            except OSError as error:
                self._key = secrets.token_bytes(32)
                later = "they count as somebody else's in the next session"
                self.file.note(f"lessons cannot be signed for later ({error.strerror}): {later}")
        return self._key

    def _read(self) -> None:
        """Read the file again if it changed."""
        stamp = self.file.stamp()
        if stamp == self._stamp:
            return
        self._stamp, self._lessons, self._retired = stamp, {}, {}
        counts: dict[str, Counts] = {}
        for line in self.file.read():
            match line:
                case {"kind": "lesson"}:
                    self._add(line)
                case {"kind": "outcome", "lesson": str(lesson_id), "what": str(what)}:
                    counts[lesson_id] = _counted(counts.get(lesson_id, Counts()), what, str(line.get("when", "")))
                case {"kind": "retirement", "lesson": str(lesson_id), "until": str(until)}:
                    self._retired[lesson_id] = max(self._retired.get(lesson_id, ""), until)
        for lesson_id, lesson in self._lessons.items():
            self._lessons[lesson_id] = replace(lesson, counts=counts.get(lesson_id, Counts()))

    def _add(self, line: dict[str, Any]) -> None:
        try:
            lesson = Lesson.from_dict(line)
        except (ValueError, TypeError) as error:
            self.file.note(f"{self.file.shown}: a lesson is not usable and was skipped ({error})")
            return
        lesson = replace(lesson, foreign=not lesson.is_signed(self._user_key()))
        known = self._lessons.get(lesson.id)
        # A line from elsewhere never replaces one of ours; else the newest counts.
        if known is not None and (not known.foreign, known.created) > (not lesson.foreign, lesson.created):
            return
        if len(self._lessons) >= MAX_LESSONS and known is None:
            self.file.note(f"{self.file.shown}: more than {MAX_LESSONS} lessons; the rest was skipped")
            return
        self._lessons[lesson.id] = lesson


def usable(lesson: Lesson) -> bool:
    """Whether a lesson's record is good enough to use it."""
    return lesson.counts.uses < SILENT_AFTER or lesson.counts.mean >= SILENT_BELOW


def _counted(counts: Counts, what: str, when: str) -> Counts:
    tried = what in ("held", "failed")
    return Counts(
        counts.tried + tried,
        counts.held + (what == "held"),
        counts.accepted + (what == "accepted"),
        counts.rejected + (what == "rejected"),
        max(counts.last_used, when),
    )


def _lesson_id(proposal: Proposal) -> str:
    kind, _, name = proposal.origin.partition(":")
    return name if kind == "lesson" else ""


def _run_key(context: Context) -> tuple[str, str]:
    return context.cell.fingerprint, failure_signature(context.run)


def _fault(report: Report, context: Context | None, proposal: Proposal) -> Fault | None:
    """What the proposal resolved: the failure, or the finding that it answers."""
    if context is not None:
        found = list(signature.faults(context))
        answered = (f for f in found if f.signature.message in proposal.answers)
        return next(answered, found[0] if found else None)
    cell, outcome = Cell(report.original), report.outcome
    if outcome.get("ename"):
        step = cell.step_at(outcome["line"]) if outcome.get("line") else None
        kind = Signature(outcome["ename"], signature.normalise(outcome.get("evalue", "")))
        return Fault(kind, cell, outcome.get("evalue", ""), None, step.number if step else None)
    return signature.of_finding(report.findings[0], cell) if report.findings else None


def _remember(
    fault: Fault, proposal: Proposal, columns: Collection[str], modules: Collection[str]
) -> tuple[Template | None, str]:
    """The edit to remember, or None and why not."""
    try:
        after = fault.cell.replaced(proposal.source)
        return derive(fault.cell, after, fault.span, fault.step, columns=columns, known=modules), ""
    except TemplateError as error:
        return None, str(error)


def _particulars(cell: Cell) -> set[str]:
    """The names in a cell that are the analyst's: variables, and labels written as text."""
    try:
        variables = trees.names(cell.tree) - trees.bound(trees.imports(cell.tree)) - trees.BUILTINS - {*ALIASES}
        texts = {n.value for n in cell.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    except (SyntaxError, ValueError):
        return set()
    return variables | {text for text in texts if any(map(str.isalnum, text))}


def _words_of(remembered: Template | None) -> set[str]:
    """The words that an edit consists of: they are the remedy, not the data."""
    if remembered is None:
        return set()
    texts = [t for c in remembered.changes for t in (c.before, c.after)] + [remembered.insert]
    return {word for text in texts for word in re.findall(r"\w+", text)}


def _applies(kind: Signature) -> str:
    where = f"`{kind.api}`" if kind.api else "the failing statement"
    return (
        f"the check {kind.message} reports {where}" if kind.error == FINDING else f"{kind.error} is raised at {where}"
    )


def _versions() -> dict[str, str]:
    found = {}
    for name in ("pandas", "numpy"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _bag(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]{2,}", re.sub(r"<\w+>", " ", text).lower()))
