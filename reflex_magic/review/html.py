"""A report as static HTML: what a saved notebook shows without a kernel.

Untrusted notebooks lose `<style>`, `<script>` and `var(...)`; so all looks are inline, and every
colour is either inherited or translucent, which reads on light and on dark ground alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from reflex_magic.core.escape import markup
from reflex_magic.core.report import Report
from reflex_magic.review.difference import Row, Side, folded, unified
from reflex_magic.review.summary import Found, Offer, Summary, count, summary

MAX_CHARACTERS = 200_000
"""Largest rendering. A saved notebook may hold hundreds of them."""

_DIFFERENCE = 60_000
"""Characters for the first difference; each further one may have a quarter of it."""
_LINE = 400
"""Longest line of code that is shown."""
_MANY = 20
"""Most entries of any list."""

_FONT = "font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:0.93em"
_PLAIN = "font:inherit;background:none;color:inherit;padding:0"
_FORMULA = re.compile(r"[$\\]")
_GROUND = {" ": "", "-": "background-color:rgba(248,81,73,0.13);", "+": "background-color:rgba(46,160,67,0.15);"}
_WORD = {"-": "background-color:rgba(248,81,73,0.35)", "+": "background-color:rgba(46,160,67,0.38)", " ": ""}
_SAID = {" ": "", "-": "removed", "+": "added"}
_TOKENS = {"keyword": "font-weight:bold", "comment": "font-style:italic"}
_QUIET = "opacity:0.72"
_COLOURS = {
    "passed": "rgb(46,160,67)",
    "repaired": "rgb(46,160,67)",
    "doubtful": "rgb(191,135,0)",
    "pending": "rgb(191,135,0)",
    "interrupted": "rgb(191,135,0)",
    "unresolved": "rgb(218,54,51)",
}
_MARKS = {"holds": "✓", "fails": "✗", "unknown": "?"}


def render(report: Report) -> str:
    """The report as one `<div>` of at most `MAX_CHARACTERS` characters; what was cut is said."""
    told = summary(report)
    colour = _COLOURS.get(told.state, "rgb(128,128,128)")
    parts = [
        '<div class="tex2jax_ignore" style="max-width:62em;margin:4px 0;padding:2px 0 2px 14px;text-align:left;'
        f'border-left:3px solid {colour};line-height:1.5">',
        _line(f"<strong>{_prose(told.headline)}</strong>"),
        *(_finding(f) for f in told.found[:3]),
        *_rest(told.found, 3),
    ]
    offer = told.shown
    if offer:
        parts += [_title(offer), *_why(offer), _difference(offer.rows, _DIFFERENCE), *_verdict(told, offer)]
    parts.append(_line(_prose(f"{told.cost} · {told.effort}"), _QUIET))
    parts += [_line(_prose(text), _QUIET) for text in (told.decision, *told.notes[:_MANY]) if text]
    if told.state == "pending":
        parts.append(_line(_prose("; ".join(f"`{c}` {what}" for c, what in told.next)), _QUIET))
    parts += [*_others(told), *_evidence(told), "</div>"]
    return _bounded(parts)


def _bounded(parts: list[str]) -> str:
    """The parts, as many as fit; parts are whole elements, and the last one closes the first."""
    room = MAX_CHARACTERS - len(parts[-1]) - 200
    kept: list[str] = []
    for part in parts[:-1]:
        room -= len(part)
        if room < 0:
            kept.append(_line(f"Cut here: {count(len(parts) - 1 - len(kept), 'part')} more in the record.", _QUIET))
            break
        kept.append(part)
    return "".join([*kept, parts[-1]])


def _line(inner: str, style: str = "") -> str:
    return f'<div style="margin:2px 0;{style}">{inner}</div>'


def _prose(text: str) -> str:
    """Text with what stands between backticks as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _text(text)
    code = f'<code style="{_FONT};background:none;color:inherit;padding:0">'
    return "".join(f"{code}{markup(p)}</code>" if i % 2 else _text(p) for i, p in enumerate(parts))


def _text(text: str) -> str:
    """Text that notebooks do not typeset as a formula, which they do between dollars outside of code."""
    return _FORMULA.sub(rf'<code style="{_PLAIN}">\g<0></code>', markup(text))


def _finding(found: Found) -> str:
    place = f'<span style="{_QUIET}"> · {markup(found.place)}</span>' if found.place else ""
    return _line(_prose(found.message) + place)


def _rest(items: tuple[object, ...], shown: int) -> Iterator[str]:
    if len(items) > shown:
        yield _line(f"+{len(items) - shown} more below", _QUIET)


def _title(offer: Offer) -> str:
    origin = f'<span style="{_QUIET}"> · {_prose(offer.origin)}</span>'
    return _line(f"<strong>{_prose(offer.title)}</strong>{origin}", "margin-top:8px")


def _why(offer: Offer) -> Iterator[str]:
    yield from (_line(_prose(text)) for text in (offer.evidence, offer.caution) if text)
    parts = (("Symptom", offer.symptom), ("Cause", offer.root_cause), ("Change", offer.change))
    yield from (_line(f'<span style="{_QUIET}">{label}:</span> {_prose(text)}') for label, text in parts if text)


def _verdict(told: Summary, offer: Offer) -> Iterator[str]:
    # A verdict of "holds" repeats the conditions, which follow with their marks.
    yield _line(_prose(_said(offer, 1 if offer.verdict == "holds" and told.held else _MANY)))
    for held in told.held[:_MANY]:
        yield _line(f"{_MARKS[held.mark]} {_prose(held.text)}")
    yield from _rest(told.held, _MANY)
    if told.files:
        yield _line(_prose(f"Files written: {', '.join(told.files[:_MANY])}"))


def _difference(rows: tuple[Row, ...], room: int) -> str:
    """The rows as a table of at most `room` characters."""
    if not rows:
        return ""
    table = (
        '<table style="border-collapse:collapse;border:none;margin:6px 0;width:100%;table-layout:auto;'
        f'text-align:left;{_FONT}"><tbody>'
    )
    lines: list[str] = []
    left_out = 0
    for shown, group in folded(rows):
        if not shown:
            lines.append(_gap(f"{count(len(group), 'unchanged line')}"))
            continue
        for sign, side in unified(group):
            drawn = _row(sign, side)
            room -= len(drawn)
            if room < 0:
                left_out += 1
            else:
                lines.append(drawn)
    if left_out:
        lines.append(_gap(f"{count(left_out, 'more line')}; the record holds the whole difference"))
    return f"{table}{''.join(lines)}</tbody></table>"


def _gap(text: str) -> str:
    return f'<tr style="background:none"><td></td><td></td><td style="text-align:left;{_QUIET}">… {text}</td></tr>'


def _row(sign: str, side: Side) -> str:
    cell = "border:none;text-align:left;vertical-align:top;line-height:1.4"
    narrow = f"{cell};width:1%;white-space:nowrap;padding:0 4px"
    return (
        f'<tr style="{_GROUND[sign] or "background:none"}"><td style="{narrow};{_QUIET}">{side.number}</td>'
        f'<td style="{narrow}" title="{_SAID[sign]}">{sign.strip() and {"-": "−", "+": "+"}[sign]}</td>'
        f'<td style="{cell};padding:0 4px"><pre dir="ltr" style="margin:0;padding:0;border:none;background:none;'
        f'color:inherit;white-space:pre-wrap;line-height:1.4;font:inherit">{"".join(_code(sign, side))}</pre></td></tr>'
    )


def _code(sign: str, side: Side) -> Iterator[str]:
    left = _LINE
    for piece in side.pieces:
        text = markup(piece.text[:left])
        left -= len(piece.text)
        style = ";".join(s for s in (_TOKENS.get(piece.kind, ""), _WORD[sign] if piece.changed else "") if s)
        yield f'<span style="{style}">{text}</span>' if style else text
        if left <= 0:
            yield f'<span style="{_QUIET}"> … {-left} more characters</span>' if left < 0 else ""
            return


def _others(told: Summary) -> Iterator[str]:
    others = [o for o in told.offers if o is not told.shown]
    for offer in others[:5]:
        inner = [*_why(offer), _difference(offer.rows, _DIFFERENCE // 4), _line(_prose(_said(offer)))]
        yield _folding(f'{_prose(offer.title)} <span style="{_QUIET}">· {_prose(offer.origin)}</span>', inner)
    if len(others) > 5:
        yield _line(f"{count(len(others) - 5, 'more alternative')} in the record", _QUIET)


def _said(offer: Offer, most: int = 5) -> str:
    return f"{offer.verdict}: {'; '.join(offer.reasons[:most])}" if offer.reasons else offer.verdict


def _evidence(told: Summary) -> Iterator[str]:
    """What was found and tried, in full, folded away."""
    found = [
        _line(f"<strong>{_prose(f.code)}</strong> {_prose(f.message)} {_prose(f.suggestion)}")
        + (_line(_prose(f.evidence), _QUIET) if f.evidence else "")
        for f in told.found[:_MANY]
    ]
    if any(f.evidence or f.suggestion for f in told.found) or len(told.found) > 3:
        yield _folding(f"Evidence: {count(len(told.found), 'finding')}", [*found, *_rest(told.found, _MANY)])
    if told.failed:
        tried = [_line(f"{_prose(o.title)} ({_prose(o.origin)}): {_prose(_said(o))}") for o in told.failed[:_MANY]]
        best = [_difference(told.best.rows, _DIFFERENCE // 4)] if told.best else []
        yield _folding(f"Tried and not held: {len(told.failed)}", [*tried, *best, *_rest(told.failed, _MANY)])
    if told.steps:
        steps = [_line(_prose(s)) for s in told.steps[:_MANY]]
        yield _folding("What the steps did", [*steps, *_rest(told.steps, _MANY)])


def _folding(title: str, inner: Iterable[str]) -> str:
    return (
        '<details style="margin:4px 0"><summary style="cursor:pointer">'
        f'{title}</summary><div style="margin-left:14px">{"".join(inner)}</div></details>'
    )
