"""Ask a model for a change when rules and lessons have none."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import secrets
from collections.abc import Callable, Iterator, Sequence

from reflex_magic.core.card import cut
from reflex_magic.core.finding import Severity
from reflex_magic.core.judge import assertions
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Applicability, Proposal
from reflex_magic.core.report import Tokens
from reflex_magic.errors import ModelError
from reflex_magic.reflector.caution import weigh
from reflex_magic.reflector.client import ModelClient, ModelSettings, Reply
from reflex_magic.reflector.prompt import INPUT_LIMIT, Prompt, build, failing_step
from reflex_magic.reflector.redact import Private
from reflex_magic.reflector.schema import SCHEMA, Refused, Repair, accept, parse
from reflex_magic.reflector.tokens import estimate

SITE = "reflect"
"""The call site under which tokens are counted."""

_SCHEMA_TOKENS = estimate(json.dumps(SCHEMA))
"""Servers count the form of the answer as input."""


def no_lessons(context: Context) -> Sequence[str]:
    """For a proposer without a lessons file."""
    return ()


class ModelProposer:
    """Offers at most one change a round: one call, and one more when the answer was refused.

    Parameters
    ----------
    settings
        Which model to ask.
    lessons
        The lessons for a context as texts, most relevant first.
    values_level
        What the model may see of the data: "none", "shapes" or "sample".
    limit
        Most tokens of input.
    nonce
        Makes the unpredictable mark around the data of one request.
    client
        Asks; default one for `settings`.
    private
        What must not leave the machine; default this machine's.

    Attributes
    ----------
    notes
        One line for each thing that went wrong, for the report.
    """

    costs_tokens = True

    def __init__(
        self,
        settings: ModelSettings,
        lessons: Callable[[Context], Sequence[str]] = no_lessons,
        values_level: str = "shapes",
        *,
        limit: int = INPUT_LIMIT,
        nonce: Callable[[], str] = lambda: secrets.token_hex(4),
        client: ModelClient | None = None,
        private: Private | None = None,
    ) -> None:
        self.settings = settings
        self.notes: list[str] = []
        self._lessons = lessons
        self._level = values_level
        self._limit = limit
        self._nonce = nonce
        self._client = client or ModelClient(settings)
        self._private = private or Private.here()

    @property
    def worst_case(self) -> tuple[int, int]:
        """The most tokens of one call, in and out."""
        return self._limit, self.settings.answer_tokens

    def propose(self, context: Context, tokens: Tokens) -> Iterator[Proposal]:
        """One proposal, or none; what went wrong is in `notes`."""
        left, refused, answer_tokens, spent = context.tokens_left, "", self.settings.answer_tokens, 0
        for _ in range(2):
            prompt = self._prompt(context, refused)
            if not prompt.complete:
                self.notes.append(f"the model was not asked: the failing statement alone exceeds {self._limit} tokens")
                return
            needed = prompt.tokens + _SCHEMA_TOKENS + answer_tokens
            if needed > left:
                self.notes.append(f"the model was not asked: a call may take {needed} tokens, {max(left, 0)} are left")
                return
            try:
                reply = self._client.ask(prompt.messages, answer_tokens)
            except ModelError as error:
                self.notes.append(str(error))
                return
            tokens.add(SITE, reply.sent, reply.received)
            spent += reply.sent + reply.received
            left -= reply.sent + reply.received
            if reply.problem:
                self.notes.append(reply.problem)
                return
            try:
                repair = self._read(reply, prompt, context)
            except Refused as reason:
                refused = str(reason)
                self.notes.append(f"an answer of {self.settings.model} was refused: {refused}")
                answer_tokens = self.settings.answer_tokens * (2 if reply.cut_off else 1)
                continue
            yield self._proposal(repair, context, spent)
            return

    def preview(self, context: Context) -> str:
        """Where a request would go, what was left out or replaced, and its body to the byte."""
        prompt = self._prompt(context, "")
        lines = [
            f"POST {self.settings.endpoint}",
            f"at most {prompt.tokens + _SCHEMA_TOKENS} tokens in, {self.settings.answer_tokens} out",
            f"left out: {', '.join(prompt.dropped) or 'nothing'}",
            f"replaced: {', '.join(prompt.redacted) or 'nothing'}",
            "",
            self._client.body(prompt.messages),
        ]
        return "\n".join(lines)

    def _prompt(self, context: Context, refused: str) -> Prompt:
        return build(
            context,
            self._lessons(context),
            self._level,
            self._limit - _SCHEMA_TOKENS,
            nonce=self._nonce(),
            private=self._private,
            versions=_versions(),
            refused=refused,
        )

    def _read(self, reply: Reply, prompt: Prompt, context: Context) -> Repair:
        if reply.cut_off:
            raise Refused("the answer was too long and broke off; give a shorter one")
        tried = {context.cell.replaced(a.proposal.source).fingerprint for a in context.tried if a.proposal.source}
        return accept(
            parse(reply.text),
            context.cell,
            failing_step(context),
            shown=prompt.shown if context.cell.steps else None,
            tried=tried,
            restore=prompt.restore,
        )

    def _proposal(self, repair: Repair, context: Context, spent: int) -> Proposal:
        judged = bool(context.run.conditions or assertions(context.cell))
        applicability, doubts = weigh(context.cell, repair.cell, judged=judged, stated=repair.stated)
        account = repair.reflection
        musts = tuple(f.code for f in context.findings if f.severity is Severity.MUST)
        evidence = account.evidence
        if doubts:
            why = "Shown only" if applicability is Applicability.DISPLAY else "For a person to decide"
            evidence = f"{evidence} {why}: {'; '.join(doubts)}.".strip()
        return Proposal(
            origin=f"model:{self.settings.model}",
            title=cut(account.root_cause or account.change, 100),
            edits=repair.edits,
            answers=tuple(dict.fromkeys(musts or (f.code for f in context.findings))),
            applicability=applicability,
            evidence=evidence,
            foreign=True,
            tokens=spent,
            reflection=account,
        )


def _versions() -> dict[str, str]:
    found = {"Python": platform.python_version()}
    for name in ("pandas", "numpy"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
