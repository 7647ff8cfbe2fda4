"""`column-mixes-numbers-and-text`: one column of a file was read as numbers in part and as text in part."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, listed
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class ColumnMixesNumbersAndText(Check):
    """A column holds ``7`` and ``"7"``, which are two groups and never equal.

    Parts of a long file were read apart (pandas warns of mixed types), or cells of a sheet have different types.
    Reported when the column is then grouped, counted, joined or compared; a note otherwise. Silent when the cell
    converts the column.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO('[{"user": 7, "n": 1}, {"user": "7", "n": 2}, {"user": "x8", "n": 2}]')
        %%reflect
        clicks = pd.read_json(file)
        users = clicks["user"].nunique()
        %%clean
        clicks = pd.read_json(file)
        users = clicks["user"].astype(str).nunique()
    """

    name = "column-mixes-numbers-and-text"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not op.facts["mixed"]:
                continue
            used = uses(run.cell, op, op.facts["mixed"])
            columns = [c for c in op.facts["mixed"] if not used.of(c, "convert", "store", "text", "drop")]
            if columns:
                matters = any(used.of(c, "key", "join", "compare") for c in columns)
                yield self.finding(
                    op,
                    Severity.MAY if matters else Severity.NOTE,
                    f"{listed(columns)} {'holds' if len(columns) == 1 else 'hold'} both numbers and text: equal"
                    " values of"
                    " the two are not equal",
                    'Read it as one type: dtype={"...": "str"}.',
                    {"columns": columns, "rows": op.facts["rows"]},
                )
