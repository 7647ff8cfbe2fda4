"""`numbers-left-as-text`: signs or words among the numbers of a file make the whole column text."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_WHY = {
    "marks": ("words or signs for missing, such as a dash, stand", 'na_values=["-", "n/a"]'),
    "signs": ("currency or percent signs stand", ".str.replace(...) and pd.to_numeric(...)"),
    "units": ("units stand", ".str.extract(...) and pd.to_numeric(...)"),
    "separators": ("marks between digits stand", 'thousands="," or decimal=","'),
}


class NumbersLeftAsText(Check):
    r"""A column of numbers is text because of what stands beside or among the digits: ``-``, ``$``, ``%``, ``1,234``.

    Text is sorted and compared by letters, is joined instead of added up, and is left out by ``numeric_only=True``
    and `select_dtypes`. Reported when the column is then used so and letters give another order; a note otherwise.
    Silent when the cell converts the column or stores another value in it, when it was asked for as text (`dtype`),
    and for codes with zeros in front.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("well,ntu\nW1,8.5\nW2,-\nW3,12.5\nW4,9.0\n")
        %%reflect
        wells = pd.read_csv(file)
        worst = wells["ntu"].max()
        %%clean
        wells = pd.read_csv(file, na_values=["-"])
        worst = wells["ntu"].max()
    """

    name = "numbers-left-as-text"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not op.facts["texts"]:
                continue
            used = uses(run.cell, op, op.facts["texts"])
            leaves_out = "select_dtypes" in used.whole or "numeric_only" in run.cell.python
            for column, found in op.facts["texts"].items():
                if used.of(column, "convert", "store", "text", "drop") or used.whole & {
                    "astype",
                    "replace",
                    "apply",
                    "map",
                }:
                    continue
                matters = (
                    leaves_out or used.of(column, "sum", "arith") or (found["misplaced"] and used.of(column, "order"))
                )
                words, remedy = _WHY[found["reason"]]
                yield self.finding(
                    op,
                    Severity.MAY if matters else Severity.NOTE,
                    f"`{column}` is text, not numbers: {words} in {found['others']:,} of"
                    f" {count(found['others'] + found['numbers'], 'value')} looked at",
                    f"Read it as numbers: {remedy}.",
                    {**found, "column": column},
                )
