"""`words-read-as-missing`: a code in the file, such as NA for Namibia, was read as a missing value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.syntax import mentions
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class WordsReadAsMissing(Check):
    r"""pandas reads words such as ``NA`` and ``None`` as missing, also where they are one of the codes of a column.

    Told from the text of the file: the word stands among country codes, regions, electrolytes or answers of the same
    form, and nothing else in the file shows that it is used for missing values. Reported when the column is then
    grouped, counted, joined, or rows without it are dropped, and when the cell asks for the very word. A note
    otherwise. Silent when `na_values`, `keep_default_na` or `na_filter` is given, and when the cell fills the gaps.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("country,kg\nZA,10\nNA,4\nBW,2\nNA,6\n")
        %%reflect
        parcels = pd.read_csv(file)
        kg = parcels.value_counts("country")
        %%clean
        parcels = pd.read_csv(file, keep_default_na=False, na_values=[""])
        kg = parcels.value_counts("country")
    """

    name = "words-read-as-missing"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not op.facts["markers"] or "na_values" in op.keywords:
                continue
            used = uses(run.cell, op, op.facts["markers"])
            for column, found in op.facts["markers"].items():
                asked = found["marker"] in used.compared.get(column, ())
                if not (found["data"] or asked) or _filled(run, column):
                    continue
                matters = asked or used.of(column, "key", "join", "compare") or "dropna" in used.whole
                yield self.finding(
                    op,
                    Severity.MAY if matters else Severity.NOTE,
                    f"`{column}` has the word {found['marker']} in {found['count']:,} of {found['values']:,}"
                    " records looked"
                    " at, as one of its codes: pandas reads it as missing",
                    'Keep the word: keep_default_na=False, na_values=[""].',
                    {"words": found["count"], "values": found["values"], "column": column},
                )


def _filled(run: Run, column: str) -> bool:
    """Whether the cell fills, tests or keeps what is missing."""
    for node in run.cell.nodes:
        match node:
            case ast.keyword(arg="dropna"):
                return True
            case ast.Call(func=ast.Attribute(attr="fillna" | "isna" | "isnull" | "notna" | "notnull")):
                if column in mentions(node):
                    return True
    return False
