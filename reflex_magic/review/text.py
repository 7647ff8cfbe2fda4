"""A report as text: one layout, coloured by rich on a terminal and plain everywhere else."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TextIO

from reflex_magic.core.report import Report
from reflex_magic.review.difference import folded, unified
from reflex_magic.review.summary import Found, Held, Offer, Summary, cost_by_site, count, summary
from reflex_magic.review.summary import cost as cost_words

Span = tuple[str, str]
"""Text and the name of its style in `_STYLES`."""
Line = list[Span]

WIDTH = 88
_LABEL = 10
_DIFF_LINES = 9
"""Lines of difference in the short form."""

_STYLES = {
    "good": "green",
    "wait": "yellow",
    "bad": "red",
    "title": "bold",
    "code": "cyan",
    "quiet": "dim",
    "+": "green",
    "-": "red",
    "+word": "bold reverse green",
    "-word": "bold reverse red",
    "": "",
}

_LOOKS = {
    "passed": ("✓", "good"),
    "repaired": ("✓", "good"),
    "doubtful": ("●", "wait"),
    "pending": ("●", "wait"),
    "rejected": ("○", "quiet"),
    "undone": ("○", "quiet"),
    "interrupted": ("■", "wait"),
    "unresolved": ("✗", "bad"),
}
_MARKS = {"holds": ("✓", "good"), "fails": ("✗", "bad"), "unknown": ("?", "wait")}
_ASCII = str.maketrans({"✓": "+", "✗": "x", "●": "*", "○": "o", "■": "#", "·": "-", "…": "~", "⟦": "[", "⟧": "]"})


def render(report: Report, detail: int = 1, proposal: str = "") -> str:
    """The report as plain text.

    Parameters
    ----------
    detail
        0 one line, 1 at most about 25 lines, 2 everything.
    proposal
        The number or id of the offer to show instead of the first.
    """
    return _plain(_layout(_about(report, proposal), detail))


def write(report: Report, stream: TextIO | None = None, detail: int = 1, proposal: str = "") -> None:
    """Write the report to `stream` (default: standard output), in colour where that is wanted.

    Colour is used on a terminal unless NO_COLOR is set (https://no-color.org) or TERM is dumb.
    """
    stream = stream or sys.stdout
    lines = _layout(_about(report, proposal), detail)
    if not _colours(stream):
        stream.write(_encodable(_plain(lines), stream) + "\n")
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False, soft_wrap=True)
    for parts in lines:
        console.print(Text.assemble(*((_encodable(t, stream), _STYLES[s]) for t, s in parts)))


def decided(report: Report) -> str:
    """One line that says what was decided, and the command that takes it back."""
    told = summary(report)
    mark, _ = _LOOKS[told.state]
    what = f"{mark} {told.headline}"
    if told.shown and told.state in ("repaired", "rejected"):
        what = f"{what.removesuffix('.')}: {told.shown.title} ({told.shown.origin})."
    return what + (" `%reflect undo` takes it back." if told.state == "repaired" else "")


def why(report: Report, proposal: str = "") -> str:
    """Why the shown proposal is thought right: its evidence, its account of the failure, its trial."""
    told = _about(report, proposal)
    offer = told.shown or told.best
    lines = [*_found(told.found, len(told.found), full=True)]
    if offer is None:
        return _plain([*lines, *_labelled("proposed", "nothing")])
    lines += [[], *_offered(offer), *_account(offer)]
    return _plain([*lines, *_labelled("verdict", _verdict(offer, True))])


def cost(reports: Sequence[Report]) -> list[str]:
    """What the reports of a session cost, one line each call site, and what was avoided."""
    if not reports:
        return ["no cell was reflected in this session"]
    lines = [f"{count(len(reports), 'cell')}: {cost_words(reports)}"]
    return lines + [
        f"  {site:<10} {sent:>8,} in {received:>8,} out {count(calls, 'call'):>10}"
        for site, (sent, received, calls) in cost_by_site(reports).items()
    ]


def _about(report: Report, proposal: str) -> Summary:
    return summary(report, shown=proposal)


# -- layout -----------------------------------------------------------------------------------


def _layout(told: Summary, detail: int) -> list[Line]:
    if detail == 0:
        return [_one_line(told)]
    mark, style = _LOOKS[told.state]
    full = detail > 1
    lines: list[Line] = [[(f"{mark} reflect", style), ("  ", ""), (told.headline, "title")]]
    if told.state == "passed" and not full:
        return lines
    if full and told.goal:
        lines += _labelled("goal", told.goal)
    lines += [[], *_found(told.found, len(told.found) if full else 2, full=full)]
    offer = told.shown or (told.best if full else None)
    if offer is not None:
        lines += [*_offered(offer), *(_account(offer) if full else ()), []]
        lines += [*_difference(offer, None if full else _DIFF_LINES), []]
        lines += _labelled("verdict", _verdict(offer, full))
    lines += _conditions(told.held, len(told.held) if full else 3)
    others = [o for o in told.offers if o is not told.shown]
    for other in others if full else others[:2]:
        lines += _labelled(f"or {other.number}", f"{other.title} ({other.origin})", limit=1)
    if len(others) > 2 and not full:
        lines += _labelled("", f"+{len(others) - 2} more: `%reflect show`")
    lines += _labelled("files", ", ".join(told.files)) if told.files else []
    lines += _labelled("cost", f"{told.cost} · {told.effort}")
    if full:
        lines += _everything(told)
    for note in told.notes if full else told.notes[:1]:
        lines += _labelled("note", note, limit=None if full else 2)
    if told.decision:
        lines += _labelled("decision", told.decision)
    if told.next:
        wide = max(len(command) for command, _ in told.next) + 3
        lines += [[], *([(f"{command:<{wide}}", "code"), (what, "quiet")] for command, what in told.next)]
    return lines


def _one_line(told: Summary) -> Line:
    mark, style = _LOOKS[told.state]
    if told.shown:
        rest = f"{told.shown.title} ({told.shown.origin}, {told.shown.verdict})"
    else:
        rest = told.found[0].message if told.found else told.headline
    command = f"; {told.next[0][0]}" if told.next and told.state == "pending" else ""
    words = f" reflect: {told.state}: {rest}"
    room = 2 * WIDTH - len(command)
    return [(mark, style), ((words if len(words) <= room else words[: room - 1] + "…") + command, "")]


def _found(found: Sequence[Found], most: int, *, full: bool) -> list[Line]:
    lines: list[Line] = []
    for f in found[:most]:
        place = f"{f.place}: " if f.place else ""
        lines += _labelled("found", place + f.message, limit=None if full else 3)
        if full:
            lines += _labelled("", f.suggestion) if f.suggestion else []
            lines += _labelled("", f"{f.code}, {f.severity}" + (f": {f.evidence}" if f.evidence else ""), "quiet")
    if len(found) > most:
        lines += _labelled("", f"+{len(found) - most} more: `%reflect show`", "quiet")
    return lines


def _offered(offer: Offer) -> list[Line]:
    lines = _labelled("proposed", f"{offer.title} ({offer.origin})", "title", limit=2)
    lines += _labelled("because", offer.evidence, limit=3) if offer.evidence else []
    return lines + (_labelled("careful", offer.caution, "wait") if offer.caution else [])


def _account(offer: Offer) -> list[Line]:
    parts = (("symptom", offer.symptom), ("cause", offer.root_cause), ("change", offer.change))
    return [line for label, text in parts if text for line in _labelled(label, text)]


def _difference(offer: Offer, most: int | None) -> list[Line]:
    """The difference; at most `most` lines of it and the nearest unchanged lines only, or the whole."""
    lines: list[Line] = []
    digits = len(str(max((s.number for r in offer.rows for s in (r.old, r.new) if s), default=1)))
    groups = folded(offer.rows) if most is None else folded(offer.rows, context=1, least=1)
    for i, (shown, group) in enumerate(groups):
        if not shown:
            if most is None or 0 < i < len(groups) - 1:
                lines.append([(f"  {'':>{digits}}   … {count(len(group), 'unchanged line')}", "quiet")])
            continue
        for sign, side in unified(group):
            style = "" if sign == " " else sign
            head: Span = (f"  {side.number:>{digits}} {sign} ", style or "quiet")
            words: Iterable[Span] = (
                (p.text.expandtabs(4), f"{sign}word" if p.changed and style else style) for p in side.pieces
            )
            lines.append([head, *words])
    if most is not None and len(lines) > most:
        lines[most - 1 :] = [
            [(f"  {'':>{digits}}   … {count(len(lines) - most + 1, 'more line')}: `%reflect show`", "quiet")]
        ]
    return lines


def _verdict(offer: Offer, full: bool) -> str:
    reasons = offer.reasons if full or offer.verdict != "holds" else offer.reasons[:1]
    return f"{offer.verdict}: {'; '.join(reasons)}" if reasons else offer.verdict


def _conditions(held: Sequence[Held], most: int) -> list[Line]:
    lines: list[Line] = []
    for condition in held[:most]:
        mark, style = _MARKS[condition.mark]
        first, *rest = _labelled("checked", f"{mark} {condition.text}", limit=2)
        lines += [[first[0], (first[1][0][:1], style), (first[1][0][1:], "")], *rest]
    return lines + (_labelled("", f"+{len(held) - most} more conditions", "quiet") if len(held) > most else [])


def _everything(told: Summary) -> list[Line]:
    lines: list[Line] = []
    for attempt in told.failed:
        if attempt is not told.best:
            lines += _labelled("tried", f"{attempt.title} ({attempt.origin}): {_verdict(attempt, True)}")
    for step in told.steps:
        lines += _labelled("step", step.removeprefix("step "))
    return lines


def _labelled(label: str, text: str, style: str = "", limit: int | None = None) -> list[Line]:
    """A label and its text beside it, wrapped; `limit` lines at most."""
    wrapped = textwrap.wrap(
        text,
        WIDTH - _LABEL,
        max_lines=limit,
        placeholder=" …",
        break_on_hyphens=False,
    ) or [""]
    return [[(f"{label if i == 0 else '':<{_LABEL}}", "quiet"), (part, style)] for i, part in enumerate(wrapped)]


# -- the two ways out ---------------------------------------------------------------------------


def _plain(lines: Sequence[Line]) -> str:
    return "\n".join("".join(text for text, _ in parts).rstrip() for parts in lines)


def _colours(stream: TextIO) -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()


def _encodable(text: str, stream: TextIO) -> str:
    """`text` as far as the stream's encoding goes; the rest as look-alikes or code points."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return text
