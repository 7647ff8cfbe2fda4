"""Dates in a format that `pd.to_datetime` does not guess."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import dates, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 100_000


class DateFormat(Repair):
    """`pd.to_datetime` guesses a format from the first value, and a later value does not fit.

    All distinct texts are tried with the usual formats. One that reads them all is clear; where
    day and month could be either, both are offered, unless the goal says which comes first. Dates
    that are all ISO 8601, with and without a time, get ``format="ISO8601"``. Years of two digits that come to
    lie in the future are offered only.

    Silent when no one format reads all values.

    Example
    -------
    ::

        import pandas as pd
        bookings = pd.DataFrame({"booked": ["03/04/2024", "25/04/2024", "01/05/2024"]})
        %%reflect
        booked = pd.to_datetime(bookings["booked"])
        %%repaired
        booked = pd.to_datetime(bookings["booked"], format="%d/%m/%Y")
    """

    name = "date-format"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The format written out."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not isinstance(node, ast.Call) or not failure.is_a("ValueError"):
            return
        if syntax.function_of(context.cell, node, "pandas") != "to_datetime" or not node.args:
            return
        # a unit or an origin: these are numbers
        if {k.arg for k in node.keywords} & {"unit", "origin"}:
            return
        texts = context.values.sample(ast.unparse(node.args[0]), DISTINCT)
        if not texts or len(texts) >= DISTINCT:
            return
        found = dates.formats([t if isinstance(t, str) else "" for t in texts])
        for form, sure in _choices(found, context.goal):
            edits = [syntax.add_keyword(context.cell, node, "format", syntax.literal(form))]
            for old in ("dayfirst", "yearfirst"):
                dropped = syntax.drop_keyword(context.cell, node, old)
                edits += [dropped] if dropped else []
            evidence = f"all {len(texts)} distinct texts are read by {form!r}"
            ahead = dates.in_the_future(form, map(str, texts))
            if ahead:
                evidence += f"; {ahead} of them lie in the future, and may be of the century before"
            yield self.offer(f"the dates are written {form}", edits, evidence, sure=sure and not ahead)


def _choices(found: dates.Formats, goal: str) -> Iterator[tuple[str, bool]]:
    if found.iso:
        yield "ISO8601", True
        return
    told = dates.day_first(goal)
    formats = [f for f in found.formats if told is None or f.startswith("%d") is told or not f.startswith(("%d", "%m"))]
    for form in formats[:2]:
        yield form, len(formats) == 1
