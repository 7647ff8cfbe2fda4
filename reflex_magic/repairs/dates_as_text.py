"""Dates that are still text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import date

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import dates, origins, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 100_000
_MEMBERS = frozenset(
    {"strftime", "year", "month", "day", "hour", "minute", "weekday", "isoweekday", "isocalendar", "date", "timestamp"}
)
_SHIFTS = frozenset({"relativedelta", "timedelta", "Timedelta", "DateOffset", "datetime", "Timestamp", "date"})


class DatesAsText(Repair):
    """`.dt`, `.resample`, a comparison or a difference meets dates that are text.

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
        elif isinstance(node, ast.Attribute) and "'Index' object has no attribute" in failure.evalue:
            yield from self._index(context, node)
        elif isinstance(node, ast.Attribute) and "'str' object has no attribute" in failure.evalue:
            yield from self._member(context, node)
        elif isinstance(node, (ast.Compare, ast.BinOp, ast.Call)):
            yield from self._operation(context, node)

    def _index(self, context: Context, node: ast.Attribute) -> Iterator[Proposal]:
        """``df.index.year`` of an index that holds text."""
        if node.attr not in _MEMBERS:
            return
        pandas, imports = syntax.import_edits(context.cell, context, "pandas")
        source = syntax.text(context.cell, node.value)
        for form, sure, evidence in self._forms(context, ast.unparse(node.value)):
            edit = syntax.replace(context.cell, node.value, f"{pandas}.to_datetime({source}{form})")
            yield self.offer("the index holds dates as text: convert it first", [*imports, edit], evidence, sure=sure)

    def _member(self, context: Context, node: ast.Attribute) -> Iterator[Proposal]:
        """``day.strftime(...)`` of one text at a time."""
        if node.attr not in _MEMBERS:
            return
        found = origins.origin(context, node.value)
        if found is None and syntax.repeated(context.cell, node):
            return
        source = syntax.text(context.cell, node.value)
        pandas, imports = syntax.import_edits(context.cell, context, "pandas")
        # the same text may be asked for its hour and its minute
        step = syntax.statement(context.cell, node)
        same = [
            n.value
            for n in ast.walk(step or node)
            if isinstance(n, ast.Attribute) and n.attr in _MEMBERS and ast.unparse(n.value) == ast.unparse(node.value)
        ]
        for form, sure, evidence in self._forms(context, found.column if found else ast.unparse(node.value)):
            new = f"{pandas}.to_datetime({source}{form})"
            edits = [*imports, *(syntax.replace(context.cell, n, new) for n in same)]
            yield self.offer("the dates are text: convert them first", edits, evidence, sure=sure)

    def _operation(self, context: Context, node: ast.Compare | ast.BinOp | ast.Call) -> Iterator[Proposal]:
        """Dates as text compared with times, or subtracted."""
        match node:
            case ast.Compare(left=left, comparators=[right], ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()]):
                sides = [left, right]
            case ast.BinOp(left=left, right=right, op=ast.Sub() | ast.Add()):
                sides = [left, right]
            case ast.Call(func=ast.Attribute(value=column, attr="between"), args=[low, high]):
                sides = [column, low, high]
            case _:
                return
        text = [s for s in sides if self._is_text(context, s)]
        others = [s for s in sides if s not in text]
        differ = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
        if not text or not (differ or others) or not all(self._is_time(context, s) for s in others):
            return
        pandas, imports = syntax.import_edits(context.cell, context, "pandas")
        edits: list[Edit] = [*imports]
        sure, said = True, ""
        for side in text:
            forms = list(self._forms(context, self._origin(context, side)))
            if len(forms) != 1:
                return
            form, clear, said = forms[0]
            sure = sure and clear
            edits.append(
                syntax.replace(context.cell, side, f"{pandas}.to_datetime({syntax.text(context.cell, side)}{form})")
            )
        yield self.offer("the dates are text: convert them first", edits, said, sure=sure)

    def _origin(self, context: Context, node: ast.expr) -> str:
        found = origins.origin(context, node)
        return found.column if found is not None else ast.unparse(node)

    def _is_text(self, context: Context, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant) or not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            return False
        if origins.origin(context, node) is None and not origins.fixed(context, node):
            card = context.values.card(ast.unparse(node))
            # a column is whole in a function too
            if card is None or not card.is_series:
                return False
        values = context.values.sample(ast.unparse(node), 3)
        return bool(values) and all(isinstance(v, str) for v in values or ())

    def _is_time(self, context: Context, node: ast.expr) -> bool:
        card = context.values.card(ast.unparse(node))
        kind = "" if card is None else card.columns[0].dtype if card.is_series else card.type
        if kind.startswith(("datetime", "timedelta", "Timestamp", "Timedelta", "DateOffset")):
            return True
        # what shifts a date is known by its name
        match node:
            case ast.Call(func=function):
                called = syntax.dotted(function)
                return called.rpartition(".")[2] in _SHIFTS or ".offsets." in called
            case ast.Name(id=name):
                return context.values.names().get(name) in _SHIFTS
        return False

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
        if all(isinstance(t, date) for t in texts):
            yield "", True, f"all {len(texts)} distinct values are dates of Python"
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
