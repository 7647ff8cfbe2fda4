"""The review as a widget.

One order for every click, so that no cell is ever lost:

1. The front end replaces the cell's source, if the cell still reads as expected; if it does not,
   nothing happens and the person is told. This needs no kernel, so it works while one is busy.
2. It tells the kernel: what, which proposal, how the cell was changed and what it read before.
3. The kernel carries the decision out (`on_decision`) when it gets to it. If it refuses, it asks the
   front end, by the trait `swap`, to put back exactly what the cell read before, again only if the
   cell reads as the first step left it. The wish is kept until it is fulfilled, so that it
   survives a reload of the page.

A kernel that is gone does not answer: the cell then holds the repair, the original is one Ctrl-Z
or the saved record away, and the widget says that nothing was recorded.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from reflex_magic.core.report import Report
from reflex_magic.review.difference import Row, Side, counts, folded, rows
from reflex_magic.review.summary import Offer, Summary, line, summary

MAX_ROWS = 2000
"""Rows of one difference that are sent to the front end."""
_OFFERS = 6
_ITEMS = 20

_BY_HAND = "This front end does not let the review change the cell: copy the code into it."

_HERE = Path(__file__).parent

Decide = Callable[[str, str], str]


class ReviewWidget(anywidget.AnyWidget):  # type: ignore[misc]
    """The difference, its evidence, and the buttons Accept, Reject and Undo.

    Parameters
    ----------
    report
        What to review.
    base
        The cell's whole source as the front end sent it, magic line included.
    texts
        For each offered proposal's id the whole source that the cell gets on accept.
    cell_id
        The cell to change; None finds it by the widget's place on the page.
    on_decision
        Called with ``accept``, ``reject`` or ``undo`` and a proposal's id, on the thread that made
        the widget. Returns a message to show: "" when the decision was carried out, else why it
        was refused. An exception refuses as well.

    Attributes
    ----------
    lasting
        Whether the front end shows the static record when the notebook is opened again (the lab
        extension sees to it); elsewhere a saved widget view is an error message.
    """

    _esm = (_HERE / "widget.js").read_text(encoding="utf-8")
    _css = (_HERE / "widget.css").read_text(encoding="utf-8")

    # `before` is what the cell reads while no proposal is accepted: the base, unless edited and replaced anyway.
    view = traitlets.Dict().tag(sync=True)
    before = traitlets.Unicode().tag(sync=True)
    texts = traitlets.Dict().tag(sync=True)
    cell_id = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    state = traitlets.Unicode().tag(sync=True)
    headline = traitlets.Unicode().tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    swap = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(
        self, report: Report, base: str, texts: Mapping[str, str], cell_id: str | None, on_decision: Decide
    ) -> None:
        told = summary(report)
        super().__init__(
            view=_view(told, base, texts),
            before=base,
            texts=dict(texts),
            cell_id=cell_id,
            state=told.state,
            headline=told.headline,
        )
        self.lasting = False
        self._on_decision = on_decision
        self._deciding = False
        self._thread = threading.get_ident()
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None
        self.on_msg(self._on_message)

    def refresh(self, report: Report) -> None:
        """Show what was decided since; a decision made elsewhere (`%reflect accept`) changes the cell too."""
        told = summary(report)
        if not self._deciding and report.decision:
            text = self.texts.get(report.decision.proposal)
            match self.state, told.state:
                case "repaired", "undone" if text is not None:
                    self.swap = [text, self.before]
                case (("pending" | "doubtful" | "rejected" | "undone"), "repaired") if text is not None:
                    self.swap = [self.before, text]
        self.state, self.headline, self.message = told.state, told.headline, ""

    def _on_message(self, _widget: object, content: Any, _buffers: object) -> None:
        # Some kernels call this on a thread of its own while a cell runs (subshells).
        if threading.get_ident() != self._thread and self._loop is not None:
            self._loop.call_soon_threadsafe(self._receive, content)
        else:
            self._receive(content)

    def _receive(self, content: Any) -> None:
        match content:
            case {"type": "shown", "lasting": bool(lasting)}:
                self.lasting = lasting
            case {"type": "swapped"}:
                self.swap = []
            case {"type": "decide", "what": "accept" | "reject" | "undo" as what, "proposal": str(proposal), **rest}:
                if proposal in self.texts:
                    self._decide(what, proposal, str(rest.get("how") or ""), rest.get("before"))

    def _decide(self, what: str, proposal: str, how: str, before: Any) -> None:
        text, previous = self.texts[proposal], self.before
        if what == "accept" and isinstance(before, str):
            previous = before
        self._deciding = True
        try:
            message = self._on_decision(what, proposal)
        except Exception as error:  # noqa: BLE001  whatever went wrong, the cell has to be put back
            message = line(str(error)) or type(error).__name__
        finally:
            self._deciding = False
        self.message = message
        if not message:
            self.before = previous
            if (what, how) == ("accept", "manual"):
                self.message = _BY_HAND  # here, not in the view: an update of the output makes a new one
        elif how in ("extension", "editor"):
            self.swap = [text, previous] if what == "accept" else [previous, text]
        self.send({"type": "answer", "message": message})


def _view(told: Summary, base: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """What the front end draws, as JSON."""
    offers = [o for o in told.offers if o.id in texts][:_OFFERS]
    if told.shown and told.shown.id in texts and told.shown not in offers:
        offers.append(told.shown)
    return {
        "shown": told.shown.id if told.shown in offers and told.shown else "",
        "offers": [_offer(o, base, texts[o.id], best=o is told.offers[0] if told.offers else True) for o in offers],
        "found": [
            {"code": f.code, "place": f.place, "message": f.message, "suggestion": f.suggestion, "evidence": f.evidence}
            for f in told.found[:_ITEMS]
        ],
        "held": [{"mark": c.mark, "text": c.text} for c in told.held[:_ITEMS]],
        "failed": [_words(o) for o in told.failed[:_ITEMS]],
        "steps": list(told.steps[:_ITEMS]),
        "files": list(told.files[:_ITEMS]),
        "notes": list(told.notes[:_ITEMS]),
        "cost": told.cost,
        "effort": told.effort,
    }


def _offer(offer: Offer, base: str, text: str, *, best: bool) -> dict[str, Any]:
    found = rows(base, text)
    added, removed = counts(found)
    groups = [{"shown": shown, "rows": [_row(r) for r in group]} for shown, group in folded(found[:MAX_ROWS])]
    return {
        **_words(offer),
        "number": offer.number,
        "best": best,
        "evidence": offer.evidence,
        "caution": offer.caution,
        "symptom": offer.symptom,
        "root_cause": offer.root_cause,
        "change": offer.change,
        "added": added,
        "removed": removed,
        "groups": groups,
        "cut": max(0, len(found) - MAX_ROWS),
    }


def _words(offer: Offer) -> dict[str, Any]:
    return {
        "id": offer.id,
        "title": offer.title,
        "origin": offer.origin,
        "verdict": offer.verdict,
        "reasons": list(offer.reasons),
    }


def _row(row: Row) -> dict[str, Any]:
    return {"changed": row.changed, "old": _side(row.old), "new": _side(row.new)}


def _side(side: Side | None) -> list[Any] | None:
    return None if side is None else [side.number, [[p.text, p.kind, p.changed] for p in side.pieces]]
