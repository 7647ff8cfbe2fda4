"""Asks the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.core.report import Tokens
from reflex_magic.repairs import rules as shipped
from reflex_magic.repairs.earlier_cells import inserted
from reflex_magic.repairs.rule import Repair


class RuleProposer:
    """Proposals of the shipped rules, in the order of the catalogue; they cost nothing.

    A rule that raises is skipped and noted; it never costs the analyst the cell.
    """

    costs_tokens = False

    def __init__(self, rules: Sequence[type[Repair]] | None = None):
        self._rules = rules
        self.notes: list[str] = []

    def propose(self, context: Context, tokens: Tokens) -> Iterator[Proposal]:
        """The rules' proposals for the context; `tokens` is left alone."""
        seen = {
            context.cell.fingerprint,
            *(context.cell.replaced(a.proposal.source).fingerprint for a in context.tried),
        }
        earlier = inserted(context)
        for rule in shipped() if self._rules is None else self._rules:
            there = [] if earlier is None else map(earlier.proposal, self._ask(rule, earlier.context))
            for proposal in (*self._ask(rule, context), *filter(None, there)):
                try:
                    result = context.cell.apply(proposal.edits)
                    result.tree  # noqa: B018 - it parses
                except (ValueError, SyntaxError) as error:
                    self.notes.append(f"rule {rule.name} made an edit that does not fit: {error}")
                    continue
                if result.fingerprint not in seen:
                    seen.add(result.fingerprint)
                    yield proposal

    def _ask(self, rule: type[Repair], context: Context) -> Iterator[Proposal]:
        try:
            yield from list(rule().propose(context))
        except Exception as error:  # noqa: BLE001 - a fault of a rule is ours
            self.notes.append(f"rule {rule.name} failed: {type(error).__name__}: {error}")
