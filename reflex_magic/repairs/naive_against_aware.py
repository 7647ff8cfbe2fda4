"""Times with and without a time zone are compared."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_SAID = (
    "tz-naive and tz-aware",
    "tz-aware and tz-naive",
    "Invalid comparison between dtype=datetime64",
    "offset-naive",
)


_LOCAL = re.compile(r"\b(local|zones?|[A-Z]\w+ time|time (in|of) [A-Z]\w+|o'clock in)\b")
_BOUND = re.compile(
    r"\b(since|from|after|before|until|between|till|starts?|ends?|cut-?offs?|midnight|both|all)\b|\d\d:\d\d"
)


def _says_utc(goal: str) -> bool:
    """Whether the goal gives the bound itself in UTC; that the data is in UTC is not enough."""
    if _LOCAL.search(re.sub(r"\bUTC time\b", "UTC", goal)):
        return False
    return any("UTC" in part and _BOUND.search(part) for part in re.split(r"[.;,](?!\d)", goal))


class NaiveAgainstAware(Repair):
    """A time without a zone is compared with, or subtracted from, times that have one.

    A timestamp that the cell writes out is given the zone of the other side. That is clear when
    the zone is UTC and the goal gives the bound in UTC; otherwise a person must say in which zone it was meant.

    Example
    -------
    ::

        import pandas as pd
        readings = pd.DataFrame({"at": pd.to_datetime(["2024-05-31T22:00:00Z", "2024-06-01T00:00:00Z"])})
        %%reflect
        start = pd.Timestamp("2024-06-01")
        recent = readings[readings["at"] >= start]
        %%offered
        start = pd.Timestamp("2024-06-01", tz="UTC")
        recent = readings[readings["at"] >= start]
    """

    name = "naive-against-aware"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The same time, with a zone."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("TypeError"):
            return
        if not any(s in failure.evalue for s in _SAID):
            return
        match node:
            case ast.Compare(left=left, comparators=[right]) | ast.BinOp(left=left, right=right):
                zones = [self._zone(context, side) for side in (left, right)]
            case _:
                return
        for ours, theirs, side in ((zones[0], zones[1], left), (zones[1], zones[0], right)):
            if ours == "" and theirs:
                edit = self._localized(context, side, theirs)
                sure = theirs == "UTC" and _says_utc(context.goal)
                if edit is not None:
                    yield self.offer(
                        f"the time is meant in {theirs}",
                        [edit],
                        f"one side is in {theirs}, the other has no time zone",
                        sure=sure,
                    )

    def _zone(self, context: Context, node: ast.expr) -> str | None:
        """The zone of a time or of a column of times; "" for none; None when it is not known."""
        expression = ast.unparse(node)
        card = context.values.card(expression)
        if card is None:
            return None
        if card.is_series or card.type == "DatetimeIndex":
            dtype = card.columns[0].dtype
            if not dtype.startswith("datetime64"):
                return None
            return dtype.rpartition(", ")[2].rstrip("]") if "," in dtype else ""
        if card.type == "Timestamp":
            stamp = (context.values.sample(expression, 1) or (None,))[0]
            zone = getattr(stamp, "tzinfo", None)
            return str(zone) if zone is not None else ""
        return None

    def _localized(self, context: Context, node: ast.expr, zone: str) -> Edit | None:
        cell = context.cell
        made = syntax.assigned(cell, node.id) if isinstance(node, ast.Name) else node
        if (
            isinstance(made, ast.Call)
            and syntax.function_of(cell, made, "pandas") == "Timestamp"
            and len(made.args) == 1
        ):
            return syntax.add_keyword(cell, made, "tz", syntax.literal(zone))
        card = context.values.card(ast.unparse(node))
        if card is None or not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            return None
        member = ".dt.tz_localize" if card.is_series else ".tz_localize"
        return syntax.insert_after(cell, node, f"{member}({syntax.literal(zone)})")
