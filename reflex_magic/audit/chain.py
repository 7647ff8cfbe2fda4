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
        self._places: dict[str, set[int]] = {}

    def append(self, report: Report, cell: str = "") -> dict[str, Any]:
        """Make the next record.

        Parameters
        ----------
        report
            A report that was appended before (its decision has come since) takes the place of
            its older record.
        cell
            The id of the cell whose output shows the record, where known: running a cell again
            removes the record it showed, and the new record says so.
        """
        places = [p for p in (f"report {report.id}", f"cell {cell}" if cell else "") if p]
        taken = set[int]().union(*(self._places.get(p, ()) for p in places))
        record = make(report, self._records[-1] if self._records else None, supersedes=taken)
        for place in places:
            self._places.setdefault(place, set()).update({*taken, record["sequence"]})
        self._records.append(record)
        return record

    @property
    def records(self) -> list[dict[str, Any]]:
        """The newest record of each report, oldest first."""
        newest = {r["id"]: r for r in self._records}
        return [r for r in self._records if newest[r["id"]] is r]

    def save(self, path: str | os.PathLike[str], title: str = "Audit trail") -> Path:
        """Write the audit notebook of these records; see `notebook.save`."""
        return save(self.records, path, title)
