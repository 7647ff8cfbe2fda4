"""`usecols-order-ignored`: columns are picked in another order than that of the file, and taken by their place."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.usage import uses
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class UsecolsOrderIgnored(Check):
    r"""``usecols=["b", "a"]`` gives the columns in the order of the file, not in that of the list.

    Reported when the cell then names all columns anew or takes them by their place. Silent when it uses them by name.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("price,units,shop\n2.5,10,Ulm\n3.5,20,Bonn\n")
        %%reflect
        sales = pd.read_csv(file, usecols=["units", "price"])
        sales.columns = ["n", "eur"]
        %%clean
        sales = pd.read_csv(file, usecols=["units", "price"])[["units", "price"]]
        sales.columns = ["n", "eur"]
    """

    name = "usecols-order-ignored"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not (order := op.facts["order"]):
                continue
            used = uses(run.cell, op, order)
            if used.full & {"columns =", "iloc,", "to_numpy", "values", "set_axis"}:
                yield self.finding(
                    op,
                    Severity.MAY,
                    f"the {count(len(order), 'column')} are in the order of the file, not in that of usecols, and"
                    " are then"
                    " taken by their place",
                    "Put them in order by name: frame[[...]].",
                    {"columns": len(order)},
                )
