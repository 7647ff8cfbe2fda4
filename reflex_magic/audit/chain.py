"""The records of one kernel session."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from reflex_magic.audit.notebook import save
from reflex_magic.audit.record import make
from reflex_magic.core.report import Report


class Chain:
    """The records of one kernel session, in the order they were made."""

    def __init__(self) -> None:
        self._records: list[dict[str, Any]] = []
        self._newest: dict[str, int] = {}
        self._absent: set[int] = set()
        self._silent: list[tuple[Report, str]] = []

    def pass_over(self, report: Report, cell: str = "") -> None:
        """Note a cell that passed in silence: its record is in no output, nor is the one it showed before.

        The record is made when somebody asks for the records, or before the next one that is
        shown: making one costs more than many a cell.
        """
        self._silent.append((report, cell))

    def append(self, report: Report, cell: str = "") -> dict[str, Any]:
        """Make the next record.

        Parameters
        ----------
        report
            A report that was appended before (its decision has come since) takes the place of
            its older record.
        cell
            The id of the cell whose output shows the record, where known: running a cell again
            removes the record it showed, and the chain says so.
        """
        self._make_silent()
        return self._append(report, cell)

    def _make_silent(self) -> None:
        for report, cell in self._silent:
            self._absent.add(self._append(report, cell)["sequence"])
        self._silent.clear()

    def _append(self, report: Report, cell: str) -> dict[str, Any]:
        places = [f"report {report.id}", *([f"cell {cell}"] if cell else [])]
        self._absent.update(self._newest[p] for p in places if p in self._newest)
        record = make(report, self._records[-1] if self._records else None, absent=self._absent)
        self._newest.update(dict.fromkeys(places, record["sequence"]))
        self._records.append(record)
        return record

    @property
    def records(self) -> list[dict[str, Any]]:
        """The newest record of each report, oldest first."""
        self._make_silent()
        newest = {r["id"]: r for r in self._records}
        return [r for r in self._records if newest[r["id"]] is r]

    def save(self, path: str | os.PathLike[str], title: str = "Audit trail") -> Path:
        """Write the audit notebook of these records; see `notebook.save`."""
        return save(self.records, path, title)
