"""`rows-left-unread`: only the first rows of a file were read, and they are added up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.syntax import target
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_PART = re.compile(
    r"sampl|head|first|preview|peek|test|top|part|small|subset|mini|some|demo|debug|few|dev|quick|try|limit|begin",
    re.IGNORECASE,
)


class RowsLeftUnread(Check):
    r"""``nrows=`` was left from trying out, and the totals are those of the first rows.

    Reported when the file goes on and the cell adds up, groups or writes what was read; a note otherwise. Silent when
    a comment or the name of the variable says that it is a part.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("shop,eur\n" + "Ulm,1\nBonn,2\n" * 50)
        %%reflect
        sales = pd.read_csv(file, nrows=20)
        by_shop = sales.groupby("shop")["eur"].sum()
        %%clean
        sample = pd.read_csv(file, nrows=20)
        by_shop = sample.groupby("shop")["eur"].sum()
    """

    name = "rows-left-unread"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if (
                op.kind != "read"
                or not (left := op.facts["unread"])
                or _says_part(run, op.span.line, target(run.cell, op.span).names)
            ):
                continue
            matters = uses(run.cell, op, op.facts["names"]).counts()
            yield self.finding(
                op,
                Severity.MAY if matters else Severity.NOTE,
                f"the first {op.facts['rows']:,} rows were read; the file has about {left:,} more",
                "Leave nrows= out to read all of them.",
                {"rows": op.facts["rows"], "unread": left},
            )


def _says_part(run: Run, line: int, names: frozenset[str]) -> bool:
    lines = run.cell.python_lines
    comments = [text.partition("#")[2] for text in lines[:line]]
    return any(_PART.search(said) for said in (*comments, *names))
