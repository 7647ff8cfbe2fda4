"""A report in words: worked out once, drawn as text, as HTML and by the widget.

Every string here has been through `core.escape`; what draws them only has to know its own medium.
Text between backticks is code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reflex_magic.core.card import Card, cut, fold
from reflex_magic.core.escape import plain
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Condition
from reflex_magic.core.proposal import Applicability, Proposal, Verdict
from reflex_magic.core.report import STOPS, Report
from reflex_magic.errors import NothingToDo
from reflex_magic.review.difference import Row, counts, rows

MESSAGE_LIMIT = 600
"""Longest message that is shown, in characters."""


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that is wrong: where, what, and what to do about it."""

    code: str
    severity: str
    place: str
    message: str
    suggestion: str = ""
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A proposal. `number` is the N of `%reflect accept N`, 0 when it cannot be accepted."""

    number: int
    id: str
    title: str
    origin: str
    evidence: str
    verdict: str
    reasons: tuple[str, ...]
    caution: str
    rows: tuple[Row, ...]
    added: int
    removed: int
    symptom: str = ""
    root_cause: str = ""
    change: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """A condition in the run that counts: `mark` is ``holds``, ``fails`` or ``unknown``."""

    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A report, ready to be drawn.

    `state` is the report's status, or what was decided: ``passed``, ``doubtful``, ``pending``,
    ``repaired``, ``rejected``, ``undone``, ``unresolved``, ``interrupted``. `next` are commands
    with what they do. `shown` is the offer the rest is about: the decided one, else the best;
    None when there is none. `best` is the attempt that came furthest when nothing holds.
    """

    state: str
    headline: str
    found: tuple[Found, ...]
    offers: tuple[Offer, ...]
    shown: Offer | None
    best: Offer | None
    failed: tuple[Offer, ...]
    held: tuple[Held, ...]
    cost: str
    effort: str
    decision: str
    files: tuple[str, ...]
    notes: tuple[str, ...]
    steps: tuple[str, ...]
    next: tuple[tuple[str, str], ...]
    goal: str = ""


def summary(report: Report, shown: str = "") -> Summary:
    """Work out everything that is said about a report.

    Parameters
    ----------
    shown
        The number or id of the offer to show; "" takes the decided one, else the best.

    Raises
    ------
    NothingToDo
        There is no proposal `shown`.
    """
    offered = report.offered
    offers = tuple(_offer(p, report.original, report.first_line, n) for n, p in enumerate(offered, 1))
    failed = tuple(_offer(p, report.original, report.first_line, 0) for p in report.proposals if p not in offered)
    wanted = shown or (report.decision.proposal if report.decision else "")
    every = (*offers, *failed)
    one = next((o for o in every if wanted and wanted in (o.id, str(o.number or ""))), None)
    if one is None and shown:
        raise NothingToDo(f"there is no proposal {line(shown, 40)}; `%reflect show` without a number lists them")
    one = one or (offers[0] if offers else None)
    state = state_of(report)
    return Summary(
        state,
        _headline(state, report, offers, one),
        _found(report),
        offers,
        one,
        next((o for o in failed if o.rows), None) if one is None else None,
        failed,
        tuple(_held(c) for c in report.conditions),
        cost([report]),
        _effort(report),
        _decision(report),
        tuple(line(f) for f in report.files),
        tuple(line(n) for n in report.notes),
        tuple(_steps(report.cards)),
        _next(state, report, len(offers)),
        line(report.goal),
    )


def line(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """`text` on one line, harmless, at most `limit` characters."""
    return cut(" ".join(plain(text[: 4 * limit]).split()), limit)


def count(number: int, word: str, plural: str = "") -> str:
    """``1 call``, ``2 calls``, ``1,284 tokens``."""
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def cost(reports: Sequence[Report]) -> str:
    """What the reports cost together, in words."""
    calls = sum(c[2] for r in reports for c in r.tokens.by_site.values())
    avoided = sum(r.tokens.avoided for r in reports)
    said = count(sum(r.tokens.total for r in reports), "token")
    if calls:
        said += f" in {count(calls, 'model call')}"
    return f"{said}, {count(avoided, 'model call')} avoided" if avoided else said


def cost_by_site(reports: Sequence[Report]) -> dict[str, tuple[int, int, int]]:
    """Tokens in, tokens out and calls of each call site, over all reports."""
    sums: dict[str, tuple[int, int, int]] = {}
    for site, (sent, received, calls) in (item for r in reports for item in r.tokens.by_site.items()):
        before = sums.get(site, (0, 0, 0))
        sums[site] = (before[0] + sent, before[1] + received, before[2] + calls)
    return sums


def state_of(report: Report) -> str:
    """The status, refined by what was decided; see `Summary`."""
    match report.status, report.decision.what if report.decision else "":
        case "repaired", _:
            return "repaired"
        case _, "reject":
            return "rejected"
        case _, "undo":
            return "undone"
        case "passed", _ if report.offered or not report.undisputed:
            return "doubtful"
        case status, _:
            return status


def origin(text: str) -> str:
    """``rule:near-miss-column`` in words."""
    kind, _, name = line(text, 120).partition(":")
    return f"{kind} {name}".strip()


def _headline(state: str, report: Report, offers: Sequence[Offer], shown: Offer | None) -> str:
    match state:
        case "passed":
            return "Passed; nothing to repair."
        case "doubtful" if report.undisputed:
            one = len(offers) == 1
            return f"The cell passes. {'A change is' if one else f'{len(offers)} changes are'} offered to harden it."
        case "doubtful":
            return "The cell ran, and its result is doubtful." + (" A change is offered." if offers else "")
        case "pending" if shown and shown.verdict == Verdict.INCONCLUSIVE:
            return "A repair is offered that could not be checked in full."
        case "pending" if len(offers) > 1:
            return f"{len(offers)} repairs are offered: choose one."
        case "pending":
            return "A repair holds and waits for your decision."
        case "repaired":
            who = "by the stated policy" if report.decision and report.decision.who == "policy" else "and accepted"
            return f"{'Hardened' if report.undisputed else 'Repaired'} {who}."
        case "rejected":
            return "Rejected; the cell is as it was."
        case "undone":
            return "Undone; the cell and its variables are as before the repair."
        case "interrupted":
            return "Interrupted; nothing was changed."
        case _:
            tried = f"{count(report.trials, 'proposal')} tried, none holds" if report.trials else "Not repaired"
            return f"{tried}: {STOPS.get(report.stop, line(report.stop)) or 'no repair was found'}."


def _found(report: Report) -> tuple[Found, ...]:
    """The findings, worst first, led by the exception unless a finding says what is wrong with its line."""
    order = list(Severity)
    found = [_finding(f) for f in sorted(report.findings, key=lambda f: order.index(f.severity))]
    outcome = report.outcome
    place = f"line {outcome['line']}" if outcome.get("line") else ""
    explained = any(f.severity == Severity.MUST and f.place == place for f in found)
    if outcome.get("class", "ok") != "ok" and not explained:
        name, value = line(outcome.get("ename") or outcome["class"], 120), line(outcome.get("evalue", ""))
        found.insert(0, Found(str(outcome["class"]), "must", place, f"{name}: {value}" if value else name))
    return tuple(found)


def _finding(finding: Finding) -> Found:
    return Found(
        line(finding.code, 120),
        str(finding.severity),
        f"line {finding.span.line}" if finding.span else "",
        line(finding.message),
        line(finding.suggestion),
        ", ".join(f"{line(str(k), 60)} {line(str(v), 120)}" for k, v in list(finding.evidence.items())[:12]),
    )


def _offer(proposal: Proposal, original: str, first_line: int, number: int) -> Offer:
    found = rows(original, proposal.source, first_line) if proposal.source else ()
    added, removed = counts(found)
    caution = ""
    if proposal.applicability is Applicability.UNSAFE:
        caution = "Another answer may be as good, or the meaning may change: look before you accept."
    if proposal.foreign:
        caution = f"{caution} A model wrote this code.".strip()
    offer = Offer(
        number,
        line(proposal.id, 60),
        line(proposal.title, 240),
        origin(proposal.origin),
        line(proposal.evidence),
        str(proposal.verdict or "not tried"),
        tuple(line(r, 240) for r in proposal.reasons[:20]),
        caution,
        found,
        added,
        removed,
    )
    told = proposal.reflection
    if told is None:
        return offer
    return replace(offer, symptom=line(told.symptom), root_cause=line(told.root_cause), change=line(told.change))


def _held(condition: Condition) -> Held:
    mark = {True: "holds", False: "fails", None: "unknown"}[condition.held]
    text = f"`{line(condition.source, 160)}`"
    return Held(mark, f"{text} {line(condition.message, 160)}".strip() if condition.held is not True else text)


def _effort(report: Report) -> str:
    seconds = report.seconds
    said = [f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"]
    if report.trials:
        said += [count(report.trials, "trial"), count(report.rounds, "round")]
    return ", ".join(said)


def _decision(report: Report) -> str:
    if report.decision is None:
        return ""
    past = {"accept": "accepted", "reject": "rejected", "undo": "undone"}
    what = past.get(report.decision.what, line(report.decision.what, 40))
    who = "a person" if report.decision.who == "person" else f"the {line(report.decision.who, 40)}"
    when = line(report.decision.when, 40)[:16].replace("T", " ")
    return f"{what} by {who}, {when} UTC"


def _steps(cards: Sequence[Card]) -> list[str]:
    """The state cards, one line each; runs without an anomaly are one line."""
    said = []
    for card in fold(cards):
        if isinstance(card, tuple):
            said.append(f"steps {card[0].step + 1} to {card[-1].step + 1}: nothing unusual")
            continue
        left = ", ".join(_value(v.name, v.type, v.rows, len(v.columns)) for v in card.after[:6])
        warned = f"; {count(len(card.warnings), 'warning')}" if card.warnings else ""
        said.append(f"step {card.step + 1}, line {card.line}: {left or 'no data'}{warned}")
    return said


def _value(name: str, kind: str, size: int | None, columns: int) -> str:
    shape = "" if size is None else f" of {count(size, 'row')}" if columns else f" of {size:,}"
    return f"{line(name, 60)} {line(kind, 60)}{shape}" + (f" by {count(columns, 'column')}" if columns > 1 else "")


def _next(state: str, report: Report, offers: int) -> tuple[tuple[str, str], ...]:
    """What to type, and what it does."""
    match state:
        case "pending" | "doubtful" if offers:
            accept = (
                ("%reflect accept 1", f"take the first, or another of 1 to {offers}")
                if offers > 1
                else ("%reflect accept", "take it")
            )
            return accept, ("%reflect reject", "leave the cell as it is"), ("%reflect why", "how it was checked")
        case "repaired":
            return (("%reflect undo", "restore the cell and its variables"), ("%reflect why", "how it was checked"))
        case "unresolved" if report.trials:
            return (("%reflect show", "what was tried"), ("%reflect prompt", "what a model would be sent"))
        case "unresolved":
            return (("%reflect prompt", "what a model would be sent"),)
        case _:
            return ()
