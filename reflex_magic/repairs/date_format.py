"""Dates in a format that `pd.to_datetime` does not guess."""

from __future__ import annotations

import ast
import re
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
    that are all ISO 8601, with and without a time, get ``format="ISO8601"``. The order of day, month
    and year in a format that is written is kept where the texts allow it. Years of two digits that come to lie in the
    future are offered only, and so are weeks.

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
        plain = [t.strip() if isinstance(t, str) else "" for t in texts]
        spaces = any(a != b for a, b in zip(texts, plain, strict=True))
        given = syntax.keyword(node, "format")
        written = syntax.constant(given.value) if given else None
        yield from self._weeks(context, node, plain)
        found = dates.formats(plain)
        for form, sure in _choices(found, context.goal, plain, written if isinstance(written, str) else ""):
            edits = [syntax.add_keyword(context.cell, node, "format", syntax.literal(form))] if form != written else []
            if spaces:
                edits.append(syntax.insert_after(context.cell, node.args[0], ".str.strip()"))
            for old in ("dayfirst", "yearfirst"):
                dropped = syntax.drop_keyword(context.cell, node, old)
                edits += [dropped] if dropped else []
            evidence = f"all {len(texts)} distinct texts are read by {form!r}"
            ahead = dates.in_the_future(form, plain)
            if ahead:
                evidence += f"; {ahead} of them lie in the future, and may be of the century before"
            yield self.offer(f"the dates are written {form}", edits, evidence, sure=sure and not ahead)

    def _weeks(self, context: Context, call: ast.Call, texts: list[str]) -> Iterator[Proposal]:
        """``2024-W05``: a week is a date only by one of its days, and by one way to count weeks."""
        if not all(re.fullmatch(r"\d{4}-W[0-5]\d", t) for t in texts):
            return
        cell = context.cell
        edits = [
            syntax.replace(cell, call.args[0], f'{syntax.text(cell, call.args[0])} + "-1"'),
            syntax.add_keyword(cell, call, "format", '"%G-W%V-%u"'),
        ]
        evidence = f"all {len(texts)} distinct texts are weeks as ISO 8601 writes them; a week has seven days"
        yield self.offer("the Monday of each ISO week", edits, evidence, sure=False)


def _choices(found: dates.Formats, goal: str, texts: list[str], written: str) -> Iterator[tuple[str, bool]]:
    if found.iso:
        # all alike are read by one format that is written out
        alike = dates.concrete(texts) if written else ()
        # "%Y-%d-%m" says that the day comes before the month
        yield (alike[0] if len(alike) == 1 else "ISO8601"), dates.order(written) != "ydm"
        return
    told = dates.day_first(goal)
    if written and told is None:
        # the order of day, month and year is what the analyst says, the marks between them are not
        as_said = dates.ordered_as(written, found.formats)
        if len(as_said) == 1:
            yield as_said[0], True
            return
    formats = [f for f in found.formats if told is None or f.startswith("%d") is told or not f.startswith(("%d", "%m"))]
    for form in formats[:2]:
        yield form, len(formats) == 1
