"""`read-in-wrong-encoding`: letters beyond ASCII were read as other ones."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, listed
from reflex_magic.checks.usage import WRITES, uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class ReadInWrongEncoding(Check):
    r"""A file in UTF-8 is read as one byte a character, or what could not be read was replaced.

    Told from the text: it has the pairs of letters that arise so, or replacement characters, in the values looked at.
    Reported when the column is then grouped, compared, joined or written, or the table is written; a note otherwise.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.BytesIO("town,eur\nKöln,3\nZürich,4\nUlm,5\n".encode())
        %%reflect
        sales = pd.read_csv(file, encoding="latin-1")
        cologne = sales[sales["town"] == "Köln"]
        %%clean
        sales = pd.read_csv(file, encoding="utf-8")
        cologne = sales[sales["town"] == "Köln"]
    """

    name = "read-in-wrong-encoding"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not (columns := op.facts["garbled"]):
                continue
            used = uses(run.cell, op, columns)
            matters = used.full & WRITES or any(
                used.of(c, "key", "compare", "join", "write", "order", "text") for c in columns
            )
            sure = " The file is written in UTF-8." if op.facts["encoding"] else ""
            yield self.finding(
                op,
                Severity.MAY if matters else Severity.NOTE,
                f"letters in {listed(columns)} were read in the wrong encoding.{sure}",
                'Give the encoding of the file: encoding="utf-8" or "utf-8-sig", else "cp1252".',
                {"columns": list(columns), "rows": op.facts["rows"]},
            )
