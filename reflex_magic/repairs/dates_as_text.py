"""Dates that are still text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import dates, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 100_000


class DatesAsText(Repair):
    """`.dt` or `.resample` meets dates that are text.

    The texts are converted where they stand when all of them are ISO 8601 or one format reads them
    all; where day and month could be either, both are offered. Times that end in "Z" become times in UTC,
    whose hours and days need not be those that are meant: that is clear when the goal says UTC.

    Silent on numbers and on texts that are not all dates.

    Example
    -------
    ::

        import pandas as pd
        rides = pd.DataFrame({"start": ["2024-03-04 08:00", "2024-03-05 09:15"]})
        %%reflect
        weekday = rides["start"].dt.day_name()
        %%repaired
        weekday = pd.to_datetime(rides["start"]).dt.day_name()
    """

    name = "dates-as-text"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The texts converted to dates."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("AttributeError", "TypeError"):
            return
        if "datetimelike values" in failure.evalue and isinstance(node, ast.Attribute) and node.attr == "dt":
            yield from self._accessor(context, node)
        elif "Only valid with DatetimeIndex" in failure.evalue and isinstance(node, ast.Call):
            yield from self._resample(context, node)

    def _accessor(self, context: Context, node: ast.Attribute) -> Iterator[Proposal]:
        source = syntax.text(context.cell, node.value)
        pandas, imports = syntax.import_edits(context.cell, context, "pandas")
        for form, sure, evidence in self._forms(context, ast.unparse(node.value)):
            edit = syntax.replace(context.cell, node.value, f"{pandas}.to_datetime({source}{form})")
            yield self.offer("the dates are text: convert them first", [*imports, edit], evidence, sure=sure)

    def _resample(self, context: Context, node: ast.Call) -> Iterator[Proposal]:
        if not isinstance(node.func, ast.Attribute) or syntax.keyword(node, "on") or not node.args:
            return
        cell, holder = context.cell, node.func.value
        index = f"({ast.unparse(holder)}).index"
        pandas, imports = syntax.import_edits(cell, context, "pandas")
        for form, sure, evidence in self._forms(context, index):
            own = syntax.receiver(cell, holder)
            conversion = f"set_axis({pandas}.to_datetime({own}.index{form}))."
            edit = syntax.insert_before_member(cell, node.func, conversion)
            yield self.offer("the index holds dates as text: convert it first", [*imports, edit], evidence, sure=sure)

    def _forms(self, context: Context, expression: str) -> Iterator[tuple[str, bool, str]]:
        texts = context.values.sample(expression, DISTINCT)
        if not texts or len(texts) >= DISTINCT:
            return
        found = dates.formats([t if isinstance(t, str) else "" for t in texts])
        if found.iso:
            mixed = len({len(str(t)) for t in texts}) > 1
            # the hours of a time in UTC are not those of the place
            local = any(str(t).endswith(("Z", "+00:00")) for t in texts) and not re.search(r"\bUTC\b", context.goal)
            form = ', format="ISO8601"' if mixed else ""
            yield form, not local, f"all {len(texts)} distinct texts are ISO 8601 dates"
            return
        told = dates.day_first(context.goal)
        choices = [f for f in found.formats if told is None or f.startswith("%d") is told]
        for form in choices[:2]:
            sure = len(choices) == 1 and not dates.in_the_future(form, map(str, texts))
            yield f', format="{form}"', sure, f"all {len(texts)} distinct texts are read by {form!r}"
