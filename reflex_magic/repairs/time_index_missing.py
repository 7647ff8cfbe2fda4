"""What wants times in the index is asked of a table that has them in a column."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, dates, origins, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 100_000
_PARTS = frozenset(
    {"year", "month", "day", "hour", "minute", "second", "quarter", "dayofweek", "weekday", "dayofyear", "date", "time"}
)


class TimeIndexMissing(Repair):
    """`resample`, `rolling("3D")`, `between_time` or `pd.Grouper` finds no times in the index.

    The table's one column of times is named: ``on=``, ``key=``. Texts count as times when one format reads them all,
    and are converted. With several such columns each is offered.

    Silent when the table has none.

    Example
    -------
    ::

        import pandas as pd
        rides = pd.DataFrame({"at": pd.to_datetime(["2024-01-05", "2024-02-29"]), "km": [3, 4]})
        %%reflect
        monthly = rides.resample("MS")["km"].sum()
        %%repaired
        monthly = rides.resample("MS", on="at")["km"].sum()
    """

    name = "time-index-missing"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The column of times named."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or node is None or not failure.is_a("TypeError", "ValueError", "AttributeError"):
            return
        said = ("Only valid with DatetimeIndex", "Index must be DatetimeIndex", "window must be an integer")
        match node:
            case ast.Call(func=ast.Attribute(value=holder, attr="resample" | "rolling" as method)) if node.args:
                if syntax.keyword(node, "on") or not any(s in failure.evalue for s in said):
                    return
                if method == "rolling" and not isinstance(syntax.constant(node.args[0]), str):
                    return
                yield from self._on(context, node, holder)
            case ast.Call(func=ast.Attribute(value=holder, attr="groupby"), args=[ast.Call() as grouper]):
                if syntax.function_of(cell, grouper, "pandas") == "Grouper" and not syntax.keyword(grouper, "key"):
                    for frame, label, sure, why in self._columns(context, holder):
                        edits = [*frame, syntax.add_keyword(cell, grouper, "key", syntax.literal(label))]
                        yield self.offer(f"the times are in `{label}`", edits, why, sure=sure)
            case ast.Call(func=ast.Attribute(value=holder, attr="between_time" | "at_time" as method)):
                yield from self._picked(context, node, holder, method)
            case ast.Attribute(value=ast.Attribute(value=holder, attr="index"), attr=part) if part in _PARTS:
                for frame, label, sure, why in self._columns(context, holder):
                    if not frame:
                        new = f"{syntax.receiver(cell, holder)}[{syntax.literal(label)}].dt.{part}"
                        edits = [syntax.replace(cell, node, new)]
                        yield self.offer(f"the times are in `{label}`", edits, why, sure=sure)

    def _on(self, context: Context, call: ast.Call, holder: ast.expr) -> Iterator[Proposal]:
        cell = context.cell
        if isinstance(holder, ast.Subscript) and not columns.is_frame(context, ast.unparse(holder)):
            # `df["x"].resample("D")` is `df.resample("D", on="t")["x"]`
            own, picked = syntax.receiver(cell, holder.value), syntax.text(cell, holder.slice)
            arguments = syntax.arguments(cell, call)
            method = getattr(call.func, "attr", "")
            for converted, label, sure, why in self._columns(context, holder.value):
                if not converted:
                    new = f"{own}.{method}({arguments}, on={syntax.literal(label)})[{picked}]"
                    yield self.offer(f"the times are in `{label}`", [syntax.replace(cell, call, new)], why, sure=sure)
            return
        for converted, label, sure, why in self._columns(context, holder):
            edits = [*converted, syntax.add_keyword(cell, call, "on", syntax.literal(label))]
            yield self.offer(f"the times are in `{label}`", edits, why, sure=sure)

    def _picked(self, context: Context, call: ast.Call, holder: ast.expr, method: str) -> Iterator[Proposal]:
        """``df.between_time(a, b)`` keeps the rows at these places; so does `iloc`, and the index with it."""
        cell = context.cell
        if call.keywords:
            return
        pandas, imports = syntax.import_edits(cell, context, "pandas")
        for converted, label, sure, why in self._columns(context, holder):
            if converted:
                continue
            own = syntax.receiver(cell, holder)
            arguments = syntax.arguments(cell, call)
            places = f"{pandas}.DatetimeIndex({own}[{syntax.literal(label)}]).indexer_{method}({arguments})"
            edits = [*imports, syntax.replace(cell, call, f"{own}.iloc[{places}]")]
            yield self.offer(f"the times are in `{label}`", edits, why, sure=sure)

    def _columns(self, context: Context, holder: ast.expr) -> Iterator[tuple[list[Edit], str, bool, str]]:
        """The columns of times of a frame: the edits that make them times, the label, whether there is one only."""
        held = ast.unparse(holder)
        card = context.values.card(held)
        if card is None or not card.is_frame:
            return
        times = [c.name for c in card.columns if c.dtype.startswith("datetime64")]
        if times:
            only = len(times) == 1
            for label in times[:3]:
                yield [], label, only, f"`{label}` is the only column of times" if only else f"{len(times)} hold times"
            return
        texts = []
        for column in card.columns:
            values = context.values.sample(f"({held})[{column.name!r}]", DISTINCT) or ()
            if column.dtype in ("str", "object", "string") and all(isinstance(v, str) for v in values):
                found = dates.formats(map(str, values))
                if found.iso or len(found.formats) == 1:
                    texts.append((column.name, "" if found.iso else f", format={syntax.literal(found.formats[0])}"))
        pandas, imports = syntax.import_edits(context.cell, context, "pandas")
        for label, form in texts[:3]:
            own = f"{syntax.receiver(context.cell, holder)}[{syntax.literal(label)}]"
            new = origins.with_columns(context, holder, {label: f"{pandas}.to_datetime({own}{form})"})
            why = f"`{label}` is the only column of dates" if len(texts) == 1 else f"{len(texts)} columns hold dates"
            yield [*imports, syntax.replace(context.cell, holder, new)], label, len(texts) == 1, why
