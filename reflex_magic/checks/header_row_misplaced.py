"""`header-row-misplaced`: a record was read as the header, or a header is among the records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_HANDLING = frozenset({"drop", "iloc", "to_numeric", "astype"})


class HeaderRowMisplaced(Check):
    r"""The first record became the names of the columns, or rows of the table are a header: repeated, or of units.

    Told from the frame: the names are numbers and dates as the values are; rows have in each column its name; or the
    first row has words where all others have numbers. Reported when the rows are then counted, grouped or added up,
    or when the names are set afterwards; a note otherwise. Silent for years and numbers as names of columns, and when
    the cell drops rows or converts columns.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("ulm,2024-01-02,3.5\njena,2024-01-03,4.5\nbonn,2024-01-04,1.5\n")
        %%reflect
        rain = pd.read_csv(file)
        rain.columns = ["town", "day", "mm"]
        total = rain["mm"].sum()
        %%clean
        rain = pd.read_csv(file, names=["town", "day", "mm"])
        total = rain["mm"].sum()
    """

    name = "header-row-misplaced"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not (header := op.facts["header"]):
                continue
            used = uses(run.cell, op, op.facts["names"])
            message, remedy = _told(header)
            if not header["data"] and (
                used.whole & _HANDLING or "skiprows" in op.keywords or _drops(run.cell.python, header["above"])
            ):
                continue
            matters = used.counts() or "columns =" in used.whole
            yield self.finding(
                op,
                Severity.MAY if matters else Severity.NOTE,
                message,
                remedy,
                {"rows": op.facts["rows"], **header},
            )


def _drops(source: str, above: bool) -> bool:
    """Whether the cell leaves rows out by itself."""
    return "to_numeric" in source or "!=" in source or (above and ("columns =" in source or "set_axis" in source))


def _told(header: Mapping[str, Any]) -> tuple[str, str]:
    if header["data"]:
        message = "the names of the columns are values: the first record was read as the header"
        return message, "Say that there is none: header=None, names=[...]."
    if header["above"]:
        message = "a title stands where the names of the columns should be, and they are in a row below"
        return message, "Skip the lines above the header: skiprows= or header=."
    remedy = "Leave such rows out: skiprows=[...], or a filter on the first column."
    if many := header["repeated"]:
        message = f"{count(many, 'row')} among the records {'is' if many == 1 else 'are'} the header once more"
        return message, remedy
    return "the first row is a second header: it has words where all others have numbers", remedy
