"""Durations that are still text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 100_000
_CLOCK = re.compile(r"\d+:[0-5]\d:[0-5]\d(\.\d+)?")
_SHORT = re.compile(r"\d{1,3}:[0-5]\d")
_WORDS = re.compile(
    r"(\d+ ?days?,? )?\d+:[0-5]\d:[0-5]\d(\.\d+)?"
    r"|(\d+(\.\d+)? ?(d|days?|h|hr|hours?|m|min|mins|minutes?|s|sec|seconds?)( |$)?)+"
)
_OF_DURATIONS = frozenset({"total_seconds", "seconds", "days", "components"})
_OF_TIMES = frozenset({"hour", "minute", "second"})


class DurationAsText(Repair):
    """`.dt.total_seconds()`, `astype(float)` or `pd.to_timedelta` meets durations that are written out.

    "1:30:00" and "90 min" become durations where they stand when all values are so written. "1:30" may be an hour
    or a minute and a half: both are offered. What unit a plain number has is not known: seconds are offered.

    Silent when a text is no duration.

    Example
    -------
    ::

        import pandas as pd
        runs = pd.DataFrame({"took": ["01:30:00", "00:45:00"]})
        %%reflect
        seconds = runs["took"].dt.total_seconds()
        %%repaired
        seconds = pd.to_timedelta(runs["took"]).dt.total_seconds()
    """

    name = "duration-as-text"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The texts as durations."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or node is None or not failure.is_a("AttributeError", "ValueError", "TypeError"):
            return
        pandas, imports = syntax.import_edits(cell, context, "pandas")
        match node:
            case ast.Attribute(value=column, attr="dt"):
                part = getattr(syntax.parent(cell, node), "attr", "")
                for before, after, sure, why in self._written(context, column):
                    own = syntax.text(cell, column)
                    if part in _OF_DURATIONS:
                        new = f"{pandas}.to_timedelta({before}{own}{after})"
                    elif part in _OF_TIMES and not before and not after:
                        new = f'{pandas}.to_datetime({own}, format="%H:%M:%S")'
                    else:
                        continue
                    edits = [*imports, syntax.replace(cell, column, new)]
                    yield self.offer("the durations are text: convert them first", edits, why, sure=sure)
            case ast.Call(func=ast.Attribute(value=column, attr="astype")):
                for before, after, _, why in self._written(context, column):
                    # "12:30" is a time of day as well
                    if before or after:
                        return
                    own = syntax.text(cell, column)
                    new = f"{pandas}.to_timedelta({before}{own}{after}).dt.total_seconds()"
                    edits = [*imports, syntax.replace(cell, node, new)]
                    yield self.offer("the durations in seconds", edits, why, sure=False)
            case ast.Call(args=[column, *_]) if syntax.function_of(cell, node, "pandas") == "to_timedelta":
                for before, after, sure, why in self._written(context, column):
                    if before or after:
                        edits = [syntax.replace(cell, column, f"{before}{syntax.receiver(cell, column)}{after}")]
                        yield self.offer("the durations with all their parts", edits, why, sure=sure)
            case ast.BinOp(left=left, right=right, op=ast.Sub()) if "str" in failure.evalue:
                ways = [list(self._written(context, side)) for side in (left, right)]
                if all(len(w) == 1 and not w[0][0] for w in ways):
                    edits = [*imports]
                    for side in (left, right):
                        edits.append(syntax.replace(cell, side, f"{pandas}.to_timedelta({syntax.text(cell, side)})"))
                    # a shift that ends after midnight would count backwards
                    made = [f"{pandas}.to_timedelta({ast.unparse(side)})" for side in (left, right)]
                    ahead = context.values.sample(f"({made[0]} - {made[1]}).min() >= {pandas}.Timedelta(0)", 1)
                    yield self.offer(
                        "times of day as durations since midnight", edits, ways[0][0][3], sure=ahead == (True,)
                    )

    def _written(self, context: Context, column: ast.expr) -> Iterator[tuple[str, str, bool, str]]:
        """What has to stand before and after the texts, whether that is sure, and why."""
        values = context.values.sample(ast.unparse(column), DISTINCT)
        if not values or len(values) >= DISTINCT or not all(isinstance(v, str) for v in values):
            return
        texts = [str(v).strip() for v in values]
        if all(_CLOCK.fullmatch(t) for t in texts) or (all(_WORDS.fullmatch(t) for t in texts)):
            yield "", "", True, f"all {len(texts)} distinct texts are durations"
        elif all(_SHORT.fullmatch(t) for t in texts):
            why = f"{texts[0]!r} may be hours and minutes or minutes and seconds"
            yield "", ' + ":00"', False, f"{why}; read as hours and minutes"
            yield '"00:" + ', "", False, f"{why}; read as minutes and seconds"
