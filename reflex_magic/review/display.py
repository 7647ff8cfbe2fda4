"""Show a report: in a notebook as one output with several mimetypes, in a terminal as text."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reflex_magic.core.report import MIMETYPE, Report
from reflex_magic.review import html, text
from reflex_magic.review.request import in_kernel

if TYPE_CHECKING:
    from reflex_magic.review.widget import Decide, ReviewWidget

_WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def bundle(
    report: Report, widget: ReviewWidget | None = None, record: Mapping[str, Any] | None = None, detail: int = 1
) -> dict[str, Any]:
    """The output of a cell under review, by mimetype.

    A front end takes the richest it knows: the widget, else HTML, else text. The saved notebook
    holds them all, and `record` (default: the report itself) for programs.
    """
    data: dict[str, Any] = {
        "text/plain": text.render(report, detail),
        "text/html": html.render(report),
        MIMETYPE: dict(record) if record is not None else report.to_dict(),
    }
    if widget is not None:
        data[_WIDGET_VIEW] = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    return data


class Review:
    """One report on the screen, shown once and updated when something was decided.

    Parameters
    ----------
    shell
        The IPython shell that runs the cell.
    detail
        0 one line, 1 a summary, 2 everything; what text says. HTML and widget fold instead.
    cell
        The id of the notebook cell that a decision changes; empty where nobody said.
    """

    def __init__(self, shell: Any, report: Report, detail: int = 1, cell: str = "") -> None:
        self.widget: ReviewWidget | None = None
        self._shell = shell
        self._report = report
        self._detail = detail
        self._cell = cell
        self._id = uuid.uuid4().hex

    def show(
        self,
        record: Mapping[str, Any] | None,
        base: str,
        texts: Mapping[str, str],
        decide: Decide | None = None,
    ) -> None:
        """Show the report.

        Parameters
        ----------
        record
            What programs read; None shows the report itself.
        base, texts, decide
            As for `ReviewWidget`. Without `decide`, without anything to accept, and where the front
            end does not name the cell (nbclient, papermill) there is no widget.
        """
        if not in_kernel(self._shell):
            text.write(self._report, detail=self._detail)
            return
        if decide is not None and texts and self._cell:
            from reflex_magic.review.widget import ReviewWidget

            self.widget = ReviewWidget(self._report, base, texts, self._cell, decide)
        self._publish(record, update=False)

    def update(self, record: Mapping[str, Any] | None) -> None:
        """Show the report as it is now, in its old place. A terminal cannot, and prints nothing.

        Where a saved widget could not be shown again, a decided report goes on without it.
        """
        if not in_kernel(self._shell):
            return
        if self.widget is not None:
            self.widget.refresh(self._report)
            if self._report.decision and not self.widget.lasting and not self.widget.swap:
                self.widget = None
        self._publish(record, update=True)

    def _publish(self, record: Mapping[str, Any] | None, *, update: bool) -> None:
        self._shell.display_pub.publish(
            bundle(self._report, self.widget, record, self._detail),
            metadata={},
            transient={"display_id": self._id},
            update=update,
        )
