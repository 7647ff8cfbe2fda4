"""The audit notebook: the records of a session as a document that people read and programs check.

It has markdown cells only, so nothing in it can run. Whatever comes from outside (code, messages,
names of columns, words of a model) is either in a fence that it cannot close or spelled so that it
is neither markdown, nor HTML, nor a formula, nor a link.
"""

from __future__ import annotations

import json
import os
import re
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reflex_magic.audit.record import NOTEBOOK_KEY, is_audit, read, verify, versions
from reflex_magic.core.card import Card, ValueCard, cut, fold
from reflex_magic.core.escape import visible
from reflex_magic.core.finding import Finding
from reflex_magic.core.proposal import Proposal, Verdict
from reflex_magic.core.report import STOPS, Report, now
from reflex_magic.errors import RecordError

STATUS = {
    "passed": ("✓", "passed"),
    "repaired": ("✓", "repaired"),
    "pending": ("…", "waiting for a person"),
    "unresolved": ("✗", "unresolved"),
    "interrupted": ("✗", "interrupted"),
}

VERDICTS = {
    Verdict.HOLDS: "✓ holds",
    Verdict.FAILS: "✗ fails",
    Verdict.REGRESSES: "✗ brings an earlier failure back",
    Verdict.INCONCLUSIVE: "? inconclusive",
    None: "not tried",
}

_LITERAL = frozenset(string.ascii_letters + string.digits + " ,")


def save(records: Sequence[Mapping[str, Any]], path: str | os.PathLike[str], title: str = "Audit trail") -> Path:
    """Write the audit notebook and return its path.

    A file that exists is replaced only when it is an audit notebook of ours.

    Raises
    ------
    RecordError
        The file cannot be written, is something else, or a record cannot be read.
    """
    target = Path(path).expanduser()
    _refuse_foreign(target)
    text = json.dumps(build(records, title), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    # Written beside and moved: a reader never sees half a notebook, and a full disk costs no older one.
    beside = target.with_name(f".{target.name}.part")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(target)
    except OSError as e:
        beside.unlink(missing_ok=True)
        raise RecordError(f"{target} cannot be written: {e.strerror or e}") from e
    return target


def build(records: Sequence[Mapping[str, Any]], title: str = "Audit trail") -> dict[str, Any]:
    """The audit notebook as a dict (nbformat 4.5).

    Raises
    ------
    RecordError
        A record cannot be read.
    """
    from nbformat import v4, validate

    pairs = [(record, read(record)) for record in records]
    cells = [("summary", _summary(pairs, title))]
    for number, (record, report) in enumerate(pairs, 1):
        parts = {
            "cell": _cell(number, report),
            "attempts": _attempts(report),
            "decision": _decision(record, report),
        }
        cells += [(f"record-{number}-{name}", text) for name, text in parts.items() if text]
    notebook = v4.new_notebook(
        metadata={NOTEBOOK_KEY: {"kind": "audit", "records": [dict(r) for r in records]}},
        cells=[v4.new_markdown_cell(text, id=name, metadata={"editable": False}) for name, text in cells],
    )
    validate(notebook)
    return dict(notebook)


def _refuse_foreign(target: Path) -> None:
    """Raise unless `target` may be written: a new notebook, or an older audit notebook of ours."""
    if target.suffix != ".ipynb":
        raise RecordError(f"{target} is no notebook name; end it in .ipynb")
    if not target.parent.is_dir():
        raise RecordError(f"the folder {target.parent} does not exist; make it first")
    try:
        ours = is_audit(json.loads(target.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return
    except OSError as e:
        raise RecordError(f"{target} cannot be written: {e.strerror or e}") from e
    except ValueError:
        ours = False
    if not ours:
        raise RecordError(f"{target} exists and is not an audit notebook; choose another name")


# What the notebook says


def _summary(pairs: Sequence[tuple[Mapping[str, Any], Report]], title: str) -> str:
    reports = [report for _, report in pairs]
    lines = [f"# {_text(title)}", ""]
    if not pairs:
        return "\n".join([*lines, "No cell needed a repair."])
    seen = Counter(report.status for report in reports)
    counts = ", ".join(f"{seen[status]} {words}" for status, (_, words) in STATUS.items() if seen[status])
    sent, received = (sum(r.tokens.to_dict()[k] for r in reports) for k in ("in", "out"))
    avoided = sum(r.tokens.avoided for r in reports)
    problems = verify([record for record, _ in pairs])
    lines += [
        f"{_count(len(pairs), 'record')}: {counts}. "
        f"{_count(sum(r.trials for r in reports), 'trial')}; {sent:,} tokens sent, {received:,} received, "
        f"{_count(avoided, 'model call')} avoided.",
        "",
        f"Written {now()[:16].replace('T', ' ')} UTC by reflex-magic {versions().get('reflex-magic', '')}. "
        "Nothing here runs: this notebook has no code cells.",
        "",
        "The chain of records " + ("is broken:" if problems else "is whole: none was changed, removed or moved."),
        "",
        *(f"- ✗ {_text(p)}" for p in problems),
        "",
        "| record | cell | status | cause | what was done | decided by | cost |",
        "| :--- | :--- | :--- | :--- | :--- | :--- | :--- |",
    ]
    for number, (_, report) in enumerate(pairs, 1):
        row = (
            f"[{number}](#Record-{number})",
            _text(cut(_label(report), 70)),
            _status(report),
            _prose(cut(_cause(report), 90)),
            _prose(cut(accepted.title, 120)) if (accepted := _accepted(report)) else "—",
            _who(report),
            _cost(report),
        )
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def _cell(number: int, report: Report) -> str:
    outcome = report.outcome
    lines = ["---", "", f"## Record {number}", "", f"**{_status(report)}**"]
    if report.goal:
        lines[-1] += f" · goal: {_text(report.goal)}"
    lines += ["", "### The cell as it was", "", _fence(report.original, "python")]
    lines += ["### What was found", ""]
    # A raised failure is usually a finding as well, with its place and evidence.
    if not any(outcome.get("ename") and f.message.startswith(outcome["ename"]) for f in report.findings):
        lines += [_ended(report), ""]
    for finding in report.findings:
        lines += _finding(finding)
    return "\n".join(lines)


def _ended(report: Report) -> str:
    """How the original run ended, in one line."""
    outcome = report.outcome
    said = _text(cut(str(outcome.get("evalue", ""))))
    if outcome.get("ename"):
        where = f" in line {outcome['line']}" if outcome.get("line") else ""
        return f"{_code(outcome['ename'])}{where}: {said}"
    if said or report.status == "interrupted":
        return f"{_text(str(outcome.get('class', '')))} {said}".strip()
    return "Every statement ran."


def _finding(finding: Finding) -> list[str]:
    where = f", line {finding.span.line}" if finding.span else ""
    lines = [f"- **{_text(finding.code)}** ({finding.severity}{where}): {_prose(finding.message)}"]
    if finding.expression:
        lines.append(f"    - at {_code(cut(finding.expression))}")
    lines += [f"    - {_text(str(k))}: {_code(_value(v))}" for k, v in finding.evidence.items()]
    if finding.suggestion:
        lines.append(f"    - suggested: {_prose(finding.suggestion)}")
    return lines


def _attempts(report: Report) -> str:
    if not report.proposals:
        return f"### What was tried\n\nNothing: {_stop(report)}." if report.findings else ""
    lines = ["### What was tried", ""]
    accepted = _accepted(report)
    for place, proposal in enumerate(report.proposals, 1):
        mark = ""
        if accepted:
            mark = " (accepted)" if proposal.id == accepted.id else ""
            mark = " (the accepted one builds upon it)" if proposal.id in accepted.parents else mark
        # No foreign text in a heading: renderers make an anchor of it.
        lines += [f"#### Proposal {place}{mark}", "", f"**{_prose(proposal.title)}**", "", *_proposal(proposal)]
    return "\n".join(lines)


def _proposal(proposal: Proposal) -> list[str]:
    facts = [
        f"from {_code(proposal.origin)}",
        f"**{VERDICTS[proposal.verdict]}**",
        f"{proposal.applicability} to apply" if proposal.applicability != "display" else "a hint",
    ]
    if proposal.foreign:
        facts.append("code that a model wrote")
    if proposal.tokens:
        facts.append(f"{proposal.tokens:,} tokens")
    lines = [" · ".join(facts), ""]
    if proposal.evidence:
        lines += [f"Why: {_prose(proposal.evidence)}", ""]
    if proposal.reflection:
        named = {
            "symptom": proposal.reflection.symptom,
            "root cause": proposal.reflection.root_cause,
            "change": proposal.reflection.change,
            "evidence": proposal.reflection.evidence,
        }
        lines += [f"- {name}: {_prose(text)}" for name, text in named.items() if text]
    lines += [f"- trial: {_prose(reason)}" for reason in proposal.reasons]
    if proposal.diff:
        lines += ["", _fence(proposal.diff, "diff")]
    return [*lines, ""]


def _decision(record: Mapping[str, Any], report: Report) -> str:
    lines = ["### How it ended", "", f"It stopped because {_stop(report)}.", ""]
    if report.decision:
        d = report.decision
        lines += [f"- decision: **{_text(d.what)}** by {_text(d.who)}, {_text(d.when)}"]
    else:
        lines += ["- decision: none"]
    for condition in report.conditions:
        held = {True: "✓ held", False: "✗ did not hold", None: "? could not be evaluated"}[condition.held]
        said = f": {_prose(condition.message)}" if condition.message else ""
        lines.append(f"- frozen condition ({_text(condition.origin)}) {_code(cut(condition.source))} **{held}**{said}")
    lines += [f"- still wrong: {_prose(f.message)}" for f in report.unresolved]
    lines += [f"- note: {_prose(note)}" for note in report.notes]
    if report.files:
        lines.append(f"- files written: {', '.join(map(_code, report.files))}")
    for key, ids in report.lessons.items():
        if ids:
            lines.append(f"- lessons {_text(key)}: {', '.join(map(_code, ids))}")
    lines += [
        f"- cost: {_cost(report)}; {_count(report.rounds, 'round')}, {_count(report.trials, 'trial')}, "
        f"{report.seconds:.2f} s; {_count(report.tokens.avoided, 'model call')} avoided"
    ]
    if report.level:
        lines.append(f"- foreign code was confined at level {_text(report.level)}")
    lines += [f"- left out of this record: {_text(str(c))}" for c in record.get("cut", ())]
    if report.source != report.original:
        lines += ["", "The cell as it reads now:", "", _fence(report.source, "python"), ""]
    lines += _cards(report.cards)
    named = ", ".join(f"{_text(str(k))} {_text(str(v))}" for k, v in record.get("versions", {}).items())
    lines += [
        "",
        f"<sub>report {_text(report.id)} · started {_text(report.started)} · {named} · "
        f"{_text(str(record.get('sequence')))} in its chain, "
        f"digest {_code(str(record.get('digest')))}</sub>",
    ]
    return "\n".join(lines)


def _cards(cards: Sequence[Card]) -> list[str]:
    if not cards:
        return []
    lines = ["", "What each statement of the run that counts left behind:", ""]
    lines += ["| line | statement | left behind | seconds | warnings |", "| ---: | :--- | :--- | ---: | :--- |"]
    for entry in fold(cards):
        if isinstance(entry, tuple):
            where = f"{entry[0].line}–{entry[-1].line}"
            what, left, warned = f"{len(entry)} statements, nothing unusual", _last(entry), ""
            seconds = sum(c.seconds for c in entry)
        else:
            where, seconds = str(entry.line), entry.seconds
            what, left = _code(cut(entry.source.split("\n")[0], 80)), _left(entry.after)
            warned = "<br>".join(_text(cut(w, 120)) for w in entry.warnings)
        lines.append(f"| {where} | {what} | {left} | {seconds:.3f} | {warned} |")
    return lines


def _last(cards: Iterable[Card]) -> str:
    return _left(tuple({v.name: v for card in cards for v in card.after}.values()))


def _left(values: Sequence[ValueCard]) -> str:
    shown = [f"{_code(v.name)}: {_text(_size(v))}" for v in values[:6]]
    return "<br>".join([*shown, f"+{len(values) - 6} more"] if len(values) > 6 else shown)


def _size(value: ValueCard) -> str:
    if value.is_frame:
        return f"{value.rows:,} × {len(value.columns)}" if value.rows is not None else "frame"
    return f"{value.type}, {value.rows:,}" if value.rows is not None else cut(value.text or value.type, 40)


def _status(report: Report) -> str:
    return "&nbsp;".join(STATUS.get(report.status, ("?", _text(report.status))))


def _stop(report: Report) -> str:
    return STOPS.get(report.stop, _text(report.stop))


def _label(report: Report) -> str:
    """What the reader knows the cell by: its goal, else its first line of code."""
    code = (line.strip() for line in report.original.splitlines())
    return report.goal or next((line for line in code if line), "(empty)")


def _cause(report: Report) -> str:
    musts = [f.message for f in report.findings if f.severity == "must"]
    if report.outcome.get("ename"):
        said = str(report.outcome.get("evalue", "")).split("\n")[0]
        return f"{report.outcome['ename']}: {said}" if said else musts[0] if musts else str(report.outcome["ename"])
    return musts[0] if musts else report.findings[0].message if report.findings else "—"


def _accepted(report: Report) -> Proposal | None:
    if not report.decision or report.decision.what != "accept":
        return None
    return report.proposal(report.decision.proposal)


def _who(report: Report) -> str:
    return f"{_text(report.decision.who)}: {_text(report.decision.what)}" if report.decision else "—"


def _cost(report: Report) -> str:
    return f"{report.tokens.total:,}&nbsp;tokens"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _value(value: Any) -> str:
    return cut(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


# How it says it


def _text(text: str) -> str:
    """`text` as itself, on one line: every mark of markdown, HTML or TeX becomes a character reference.

    MathJax reads the page after that, so what could begin a formula stands in an element of its own.
    """
    line = " ".join(visible(text).split())
    return "".join(
        c if c in _LITERAL or not c.isascii() else f"<span>&#{ord(c)};</span>" if c in "$\\" else f"&#{ord(c)};"
        for c in line
    )


def _prose(text: str) -> str:
    """A message: as `_text`, with what stands between two backticks as code."""
    parts = text.strip().split("`")
    if len(parts) % 2 == 0:
        return _text(text)
    # Blanks at the ends of a part are the space between words and code.
    return "".join(_code(p) if i % 2 else _text(f"x{p}x")[1:-1] for i, p in enumerate(parts))


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _fence(text: str, language: str) -> str:
    """A fenced block that `text` cannot close."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{visible(text)}\n{fence}\n"
