"""Remembered remedies: the repair of a kind of failure that was accepted before, for no tokens."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Applicability, Proposal
from reflex_magic.core.report import Tokens
from reflex_magic.lessons import signature
from reflex_magic.lessons.instantiate import instantiate
from reflex_magic.lessons.lesson import Lesson
from reflex_magic.lessons.signature import FINDING, Fault
from reflex_magic.lessons.store import JsonlLessons, usable

MAX_PROPOSALS = 3


class LessonProposer:
    """Offers what was learned, the lesson with the best record first."""

    costs_tokens = False

    def __init__(self, store: JsonlLessons) -> None:
        self.store = store
        self.notes: list[str] = []  # the file's notes are the store's, said once for the whole loop

    def propose(self, context: Context, tokens: Tokens) -> Iterator[Proposal]:
        """The remembered edits that fit the failure, or the findings, of `context`."""
        forms = self.store.see(context)
        given = 0
        for fault in signature.faults(context):
            lessons = [x for x in self.store.list() if x.key == fault.signature.key and x.template and usable(x)]
            # Ours before others', then by record, then those learned at the same function.
            lessons.sort(key=lambda x: (x.foreign, -x.counts.mean, x.api != fault.signature.api))
            for lesson in lessons:
                proposal = _proposal(lesson, fault, context, forms)
                if proposal is not None and given < MAX_PROPOSALS:
                    given += 1
                    yield proposal


def _proposal(lesson: Lesson, fault: Fault, context: Context, forms: tuple[str, ...] | None) -> Proposal | None:
    if lesson.template is None:
        return None
    edits = instantiate(lesson.template, fault.cell, fault.span, fault.step, context.values.names())
    if edits is None:
        return None
    unseen = sorted(set(forms or ()) - set(lesson.forms))
    evidence = str(lesson.counts)
    if forms is None:
        evidence += "; only some of the values were looked at"
    elif unseen:
        evidence += f"; values like {', '.join(unseen[:3])} were not seen with it before"
    sure = not (lesson.foreign or lesson.template.doubtful or forms is None or unseen)
    return Proposal(
        origin=f"lesson:{lesson.id}",
        title=lesson.remedy,
        edits=edits,
        answers=(fault.signature.message,) if fault.signature.error == FINDING else (),
        applicability=Applicability.SAFE if sure else Applicability.UNSAFE,
        evidence=evidence,
        foreign=lesson.foreign,
    )
