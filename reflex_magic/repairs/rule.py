"""What every repair rule has in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reflex_magic.core.catalogue import Entry
from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Applicability, Proposal


class Repair(Entry):
    """A rule: for one kind of failure or finding, the edits that answer it, or nothing."""

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The proposals of this rule, best first; none when it is not sure what went wrong."""
        raise NotImplementedError

    def offer(
        self,
        title: str,
        edits: Sequence[Edit],
        evidence: str,
        *,
        sure: bool = True,
        answers: Sequence[str] = (),
    ) -> Proposal:
        """A proposal of this rule. Not `sure` means that a person has to choose."""
        kind = Applicability.SAFE if sure else Applicability.UNSAFE
        return Proposal(f"rule:{self.name}", title, tuple(edits), tuple(answers), kind, evidence)
