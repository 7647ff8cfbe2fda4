"""The loop: check, gate, propose, try, judge, decide. It walks the table in `route`."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property

from reflex_magic.core.budget import TRIALS_PER_ROUND, Budget
from reflex_magic.core.card import ValueCard
from reflex_magic.core.cell import diff
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.gate import Gate, gate
from reflex_magic.core.judge import Judgement, assertions, end_state, judge, signature
from reflex_magic.core.outcome import Completed, Condition, Interrupted, Raised, Run
from reflex_magic.core.ports import Attempt, Context, Executor, LessonStore, Progress, Proposer
from reflex_magic.core.proposal import Applicability, Decision, Proposal, Verdict
from reflex_magic.core.report import Report, now, outcome_dict
from reflex_magic.core.route import ROUTE, State
from reflex_magic.errors import NothingToDo, StaleProposal

FASTER, NOTICED = 1.5, 0.01
"""A cell is told to be faster when it is so many times as fast, and took so many seconds before."""

SMALLEST_CALL = 1500
"""Tokens without which a model call is not worth starting."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Who decides. `accept` commits the first safe proposal that holds; `important` never does."""

    accept: bool = False
    important: bool = False


@dataclass(slots=True)
class Tried:
    """A proposal with its trial, its findings and the context it answered."""

    proposal: Proposal
    run: Run
    findings: tuple[Finding, ...]
    context: Context
    judgement: Judgement


def silent(state: str, detail: str) -> None:
    """Tell nobody."""


@dataclass
class Loop:
    """One cell on its way.

    Parameters
    ----------
    run
        The analyst's own run, which has happened.
    executor, check, proposers, lessons
        The rooms, by their ports; free proposers are asked before those that cost tokens.
    expectations
        Conditions beyond the cell's own assertions: ``--expect`` and the like.
    hardeners
        Asked instead of the proposers when the cell passes; what they offer is never applied unasked.
    """

    run: Run
    executor: Executor
    check: Callable[[Run], Sequence[Finding]]
    proposers: Sequence[Proposer]
    lessons: LessonStore
    goal: str = ""
    expectations: tuple[Condition, ...] = ()
    budget: Budget = field(default_factory=Budget)
    policy: Policy = field(default_factory=Policy)
    progress: Progress = silent
    hardeners: Sequence[Proposer] = ()
    report: Report = field(init=False)
    tried: dict[str, Tried] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.original = self.run.cell
        self.report = Report(
            self.original.body,
            self.goal,
            outcome=outcome_dict(self.run.outcome),
            first_line=self.original.offset + 1,
        )
        self._base: Run = self.run
        self._findings: tuple[Finding, ...] = ()
        self._parents: tuple[Tried, ...] = ()
        self._queue: deque[tuple[Proposal, Context]] = deque()
        self._sources: set[str] = set()
        self._overcome: set[str] = set()
        self._asked_model = False
        self._round_tried: list[Tried] = []
        self._offering = self._hardening = False

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """The frozen pass condition of every trial: the cell's own last assertions and the expectations."""
        frozen = (c for c in assertions(self.original) if end_state(self.original, c))
        return (*frozen, *self.expectations)

    # -- the walk ---------------------------------------------------------------------------

    def drive(self) -> Report:
        """Walk the route to its end; the report says what happened. Never raises for the cell's sake."""
        handlers: dict[State, Callable[[], str]] = {
            State.RUN: self._ran,
            State.CHECK: self._check,
            State.GATE: self._gate,
            State.REPAIR: self._repair,
            State.TRIAL: self._trial,
            State.REVIEW: self._review,
        }
        started, state = time.monotonic(), State.RUN
        try:
            while handler := handlers.get(state):
                self.report.route.append(str(state))
                self.progress(str(state), "")
                state = ROUTE[state][handler()]
        except KeyboardInterrupt:
            self.report.stop, self.report.status, state = "interrupted", "interrupted", State.HANDOFF
        except Exception as error:  # noqa: BLE001  a fault of ours must not cost the analyst the cell
            self._note([f"reflex-magic itself failed ({type(error).__name__}: {error}): the cell was not repaired"])
            self.report.stop, state = "fault", State.HANDOFF
            if isinstance(self.run.outcome, Completed) and not any(f.severity is Severity.MUST for f in self._findings):
                self.report.status, state = "passed", State.DONE
        self.report.route.append(str(state))
        if state is State.HANDOFF:
            self._hand_off()
        self._note(self.lessons.news())
        self.report.seconds = self.run.seconds + time.monotonic() - started
        return self.report

    def _ran(self) -> str:
        return "interrupted" if isinstance(self.run.outcome, Interrupted) else "ran"

    def _check(self) -> str:
        self._findings = tuple(self.check(self.run))
        self.report.findings = list(self._findings)
        self.report.cards = list(self.run.cards)
        self.report.conditions = list(self.run.conditions)
        self.report.files = list(self.run.files)
        return "checked"

    def _gate(self) -> str:
        way = gate(self.run, self._findings)
        if way is Gate.PASS and self.hardeners:
            self.proposers, self._hardening, way = self.hardeners, True, Gate.OFFER
        self._offering = way is Gate.OFFER
        if way is Gate.PASS:
            self.report.status, self.report.stop = "passed", "passed"
        elif way is not Gate.STOP:
            self._start_round()
        return str(way)

    def _repair(self) -> str:
        """Take the next proposal; when there is none left, end the round and see how to go on."""
        if not self._queue and not self._asked_model and not self._held():
            self._ask(costly=True)
        if self._queue:
            return "proposed"
        if self._held():
            return "held"
        advanced = [t for t in self._round_tried if t.judgement.progress]
        again = any(t.proposal.foreign for t in self._round_tried)
        if advanced and not self._offering:
            self._advance(min(advanced, key=_steps_left))
        elif not again:
            return self._give_up()
        if self.report.rounds >= self.budget.rounds:
            return self._stop("rounds")
        self._start_round()
        return "again"

    def _trial(self) -> str:
        proposal, context = self._queue.popleft()
        self.progress("trial", proposal.title)
        cell = self.original.replaced(proposal.source)
        try:
            run = self.executor.trial(cell, self._base, self.conditions, foreign=proposal.foreign)
        except Exception as error:  # noqa: BLE001  a fault of ours must not cost the analyst the cell
            run = Run(cell, Completed(), doubts=(f"the trial could not be run: {type(error).__name__}: {error}",))
        if isinstance(run.outcome, Interrupted):
            raise KeyboardInterrupt
        self._note(run.notes)
        findings = tuple(self.check(run))
        judgement = judge(self.original, self._base, self._findings, run, findings, proposal, self._overcome)
        if self._hardening and judgement.verdict is Verdict.HOLDS:
            judgement = self._compared(run)
        proposal = replace(proposal, verdict=judgement.verdict, reasons=judgement.reasons)
        tried = Tried(proposal, run, findings, context, judgement)
        self.tried[proposal.id] = tried
        self._round_tried.append(tried)
        self.report.trials += 1
        self.report.proposals.append(proposal)
        self.lessons.tried(proposal, judgement.verdict is Verdict.HOLDS)
        return "holds" if judgement.verdict is Verdict.HOLDS else "fails"

    def _compared(self, run: Run) -> Judgement:
        """How a cell that was made sturdier or faster compares with the one that passed."""
        old, new = self.executor.contents(self.run, run)
        other = sorted(n for n in old.keys() | new.keys() if old.get(n) != new.get(n))
        before, now = (sum(c.seconds for c in r.cards) for r in (self.run, run))
        said = f"other than before: {', '.join(f'`{n}`' for n in other)}" if other else "every variable is as before"
        if before > FASTER * now and before > NOTICED:
            said += f", and it ran {before / now:.2g} times as fast ({now:.2g} s, before {before:.2g} s)"
        return Judgement(Verdict.INCONCLUSIVE if other else Verdict.HOLDS, (said,))

    def _review(self) -> str:
        held = self._held()
        best = held[0]
        rivals = [t for t in held[1:] if _comparable(best, t)]
        same = [] if self._offering else self._same_result(best, rivals)
        best = min([best, *same], key=lambda t: _changed(t.proposal))
        self._rank(best)
        self.report.proposals.sort(key=lambda p: _ORDER.index(p.verdict))
        if self._offering:
            self.report.status, self.report.stop = "passed", "asked"
            return "offer"
        sure = best.proposal.verdict is Verdict.HOLDS and best.proposal.applicability is Applicability.SAFE
        alone = len(same) == len(rivals)
        if not alone:
            self.report.notes.append("more than one proposal holds, with different results: choose one")
        may_commit = sure and alone and not self.policy.important and not (best.proposal.foreign and best.run.files)
        if self.policy.accept and may_commit:
            try:
                self.decide("accept", best.proposal.id, "policy")
            except StaleProposal as error:
                self.report.notes.append(str(error))
            else:
                return "accept"
        self.report.status = "pending"
        self.report.stop = "denied" if best.run.denied else "held" if sure and alone else "asked"
        self.report.unresolved = [f for f in self.report.findings if f.severity is Severity.MUST]
        return "ask"

    # -- rounds -----------------------------------------------------------------------------

    def _start_round(self) -> None:
        self.report.rounds += 1
        self._round_tried = []
        self._asked_model = not any(p.costs_tokens for p in self.proposers)
        self._ask(costly=False)

    def _ask(self, *, costly: bool) -> None:
        """Fill the queue from the proposers of one kind."""
        self._asked_model = self._asked_model or costly
        limit = TRIALS_PER_ROUND - len(self._round_tried)
        with self.context() as context:
            for proposer in self.proposers:
                if proposer.costs_tokens is costly:
                    self._enqueue(proposer.propose(context, self.report.tokens), context, limit)
                    self._note(proposer.notes)

    @contextmanager
    def context(self) -> Iterator[Context]:
        """What a proposer is asked with; its values are valid within the block only."""
        with self.executor.at(self._base) as values:
            yield Context(
                self._base.cell,
                self._base,
                self._findings,
                values,
                self.goal,
                tuple(Attempt(t.proposal, "; ".join(t.judgement.reasons)) for t in self.tried.values()),
                self.budget.tokens - self.report.tokens.total,
            )

    def _enqueue(self, offered: Iterable[Proposal], context: Context, limit: int) -> None:
        for proposal in offered:
            if len(self._queue) >= limit:
                return
            finished = self._finish(proposal, context)
            if finished is not None:
                self._queue.append((finished, context))

    def _finish(self, proposal: Proposal, context: Context) -> Proposal | None:
        """The proposal with its source, diff and place in the chain; None if it is nothing new."""
        try:
            cell = context.cell.apply(proposal.edits)
            cell.tree  # noqa: B018  parses
        except (ValueError, SyntaxError):
            return None
        known = cell.fingerprint == self.original.fingerprint or cell.fingerprint in self._sources
        if known or proposal.applicability is Applicability.DISPLAY:
            return None
        self._sources.add(cell.fingerprint)
        earlier = [t.proposal for t in self._parents]
        return replace(
            proposal,
            id=f"p{len(self.tried) + len(self._queue) + 1}",
            title="; then ".join([*(p.title for p in earlier[-1:]), proposal.title]),
            source=cell.body,
            diff=diff(self.original.body, cell.body),
            answers=tuple(dict.fromkeys([*(a for p in earlier for a in p.answers), *proposal.answers])),
            applicability=_weakest([*earlier, proposal]),
            foreign=proposal.foreign or any(p.foreign for p in earlier),
            parents=tuple(p.id for p in earlier),
        )

    def _advance(self, tried: Tried) -> None:
        """Go on from a proposal that got past the failure and met the next one."""
        self._overcome.add(signature(self._base))
        self._base, self._findings = tried.run, tried.findings
        self._parents = (*self._parents, tried)

    def _held(self) -> list[Tried]:
        """The proposals of this round that may be offered, best first."""
        order = (Verdict.HOLDS, Verdict.INCONCLUSIVE)
        offered = [t for t in self._round_tried if t.judgement.verdict in order]
        return sorted(
            offered,
            key=lambda t: (
                order.index(t.judgement.verdict),
                t.proposal.applicability is not Applicability.SAFE,
                t.proposal.foreign,
            ),
        )

    def _same_result(self, best: Tried, rivals: Sequence[Tried]) -> list[Tried]:
        """Those that showed the same and left the same values. Kinds are compared first: it costs nothing."""
        alike = [t for t in rivals if _kinds(t.run) == _kinds(best.run)]
        if not alike:
            return []
        wanted, *found = self.executor.contents(best.run, *(t.run for t in alike))
        return [t for t, content in zip(alike, found, strict=True) if content == wanted]

    def _rank(self, best: Tried) -> None:
        """Show the run that counts with what is doubtful about it, and put the best proposal first."""
        known = {f.key for f in self.report.findings}
        self.report.findings += [f for f in best.findings if f.key not in known]
        self.report.proposals.sort(key=lambda p: p.id != best.proposal.id)
        self.report.conditions = list(best.run.conditions)

    def _give_up(self) -> str:
        if self._offering:
            # A doubt about a result that stands: it is reported, and there is nothing to hand over.
            self.report.status, self.report.stop = "passed", "no-proposal"
            return "report"
        left = self.budget.tokens - self.report.tokens.total
        if any(p.costs_tokens for p in self.proposers) and left < SMALLEST_CALL:
            return self._stop("budget")
        return self._stop("plateau" if self.report.trials else "no-proposal", "nothing")

    def _stop(self, why: str, event: str = "limit") -> str:
        self.report.stop = why
        return "report" if self._offering else event

    def _hand_off(self) -> None:
        """Report what is left: the best attempt first, and what it still fails at."""
        if self.report.status != "interrupted":
            self.report.status = "interrupted" if isinstance(self.run.outcome, Interrupted) else "unresolved"
            self.report.stop = self.report.stop or "interrupted"
        self.report.unresolved = [f for f in self._findings if f.severity is Severity.MUST]
        self.report.proposals.sort(key=lambda p: (_ORDER.index(p.verdict), -len(p.parents)))

    # -- decisions --------------------------------------------------------------------------

    def decide(self, what: str, proposal_id: str, who: str) -> Decision:
        """Carry out a decision about a proposal.

        Raises
        ------
        NothingToDo
            There is no such proposal, or the decision does not fit the report's status.
        StaleProposal
            The variables changed since the trial; nothing was done.
        """
        tried = self.tried.get(proposal_id)
        if tried is None:
            raise NothingToDo(f"there is no proposal {proposal_id!r}; `%reflect show` lists them")
        if self.report.decision and self.report.decision.what == what:
            raise NothingToDo(f"proposal {self.report.decision.proposal} was already {_PAST[what]}")
        if what == "accept":
            self._accept(tried)
        elif what == "reject":
            if self.report.status == "repaired":
                raise NothingToDo("the repair was committed; `%reflect undo` takes it back")
            self.lessons.rejected(tried.proposal)
        else:
            raise NothingToDo(f"{what!r} is not a decision about a proposal")
        self.report.decision = Decision(what, who, now(), proposal_id)
        self._note(self.lessons.news())
        return self.report.decision

    def _note(self, notes: Iterable[str]) -> None:
        """Add to the report what was not said before."""
        self.report.notes += [n for n in notes if n not in self.report.notes]

    def undo(self, who: str) -> Decision:
        """Take an accepted repair back: variables and journalled files are as before it.

        Raises
        ------
        NothingToDo
            Nothing was accepted.
        StaleProposal
            The variables changed since; nothing was done.
        """
        accepted = self.accepted
        self.executor.undo(accepted.run)
        self.report.status, self.report.source = "pending", self.original.body
        self.report.decision = Decision("undo", who, now(), accepted.proposal.id)
        return self.report.decision

    def release(self) -> None:
        """Let go of the data that trials and checkpoints hold; nothing can be decided afterwards."""
        self.tried.clear()
        self._queue.clear()
        self._parents, self._round_tried = (), []
        self.run = self._base = Run(self.original, self.run.outcome)

    @property
    def accepted(self) -> Tried:
        """The proposal that was committed.

        Raises
        ------
        NothingToDo
            Nothing was accepted.
        """
        if self.report.decision is None or self.report.status != "repaired":
            raise NothingToDo("nothing was accepted that could be undone")
        return self.tried[self.report.decision.proposal]

    def _accept(self, tried: Tried) -> None:
        if self.report.status == "repaired":
            raise NothingToDo("a repair of this cell was already accepted; `%reflect undo` takes it back")
        run = tried.run
        if run.handle is None:
            # It was never run (foreign code that could not be confined, or a trial that could not be
            # taken back); a person has read it and said yes, so it runs here, once.
            run = self.executor.trial(run.cell, self.run, self.conditions, foreign=False, consented=True)
            findings = tuple(self.check(run))
            judgement = judge(self.original, self.run, self._findings, run, findings, tried.proposal, ())
            if judgement.verdict not in (Verdict.HOLDS, Verdict.INCONCLUSIVE):
                raise StaleProposal(f"it was run and does not hold: {judgement.reasons[0]}")
        self.executor.commit(run)
        tried.run = run
        report, chain = self.report, [*self._chain(tried), tried]
        report.status, report.source = "repaired", tried.proposal.source
        report.stop = "held"
        report.cards, report.conditions = list(run.cards), list(run.conditions)
        report.files, report.unresolved = list(run.files), []
        free = [t for t in chain if not t.proposal.origin.startswith("model:")]
        report.tokens.avoided += len(free)
        report.lessons["used"] += [
            t.proposal.origin.partition(":")[2] for t in chain if t.proposal.origin.startswith("lesson:")
        ]
        for t in chain:
            learned = self.lessons.learn(report, t.context, t.proposal)
            if learned and learned not in report.lessons["used"]:
                report.lessons["learned"].append(learned)

    def _chain(self, tried: Tried) -> Iterator[Tried]:
        """The proposals that `tried` builds upon, first to last."""
        return (self.tried[i] for i in tried.proposal.parents)


_ORDER = [Verdict.HOLDS, Verdict.INCONCLUSIVE, Verdict.FAILS, Verdict.REGRESSES, None]
_PAST = {"accept": "accepted", "reject": "rejected"}


def _weakest(proposals: Sequence[Proposal]) -> Applicability:
    """Unsafe as soon as one of a chain is."""
    return next((p.applicability for p in proposals if p.applicability is not Applicability.SAFE), Applicability.SAFE)


def _steps_left(tried: Tried) -> int:
    """How many steps the trial did not reach."""
    outcome = tried.run.outcome
    step = outcome.step if isinstance(outcome, Raised) else None
    return 0 if step is None else len(tried.run.cell.steps) - step


def _kinds(run: Run) -> tuple[list[str], dict[str, ValueCard]]:
    """What a run showed, as digests, and of which kinds the values are that it left."""
    return [c.digest for c in run.cards if c.digest], {v.name: v for c in run.cards for v in c.after}


def _changed(proposal: Proposal) -> int:
    """How many characters a proposal takes away and adds, in whole lines."""
    return sum(len(line) for line in proposal.diff.splitlines() if line.startswith(("+", "-")))


def _comparable(best: Tried, other: Tried) -> bool:
    """Whether another proposal is as good a claim: it holds, is safe, and does not come from elsewhere."""
    return (
        other.judgement.verdict is Verdict.HOLDS
        and other.proposal.applicability is best.proposal.applicability
        and other.proposal.foreign is best.proposal.foreign
    )
