"""`unmatched-rows-then-summed`: what a lookup did not find is missing, and the total goes without it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.flow import Gaps, follow, handled
from reflex_magic.checks.intent import LEFT_OUT, says_so
from reflex_magic.checks.syntax import call, receiver, target, variable
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed, Operation, Run


class UnmatchedRowsThenSummed(Check):
    """Rows without a match in `map`, a left join or `merge_asof` drop silently out of a sum.

    Reported when what was looked up is multiplied with, added to or subtracted from something else and then
    added up, or is added up itself where several rows look up one entry (a price for each sale). Silent when the
    cell fills, tests or counts what is missing, or picks rows by it; when a comment says that rows are left out;
    for a table joined with itself (the first row has none before it); for marks of 0 and 1; and for totals that
    are looked up once for each row (customers with their orders): who has none adds nothing.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"item": ["a", "a", "z"], "units": [1, 2, 4]})
        prices = pd.DataFrame({"item": ["a", "b"], "price": [5.0, 7.0]})
        %%reflect
        sold = sales.merge(prices, on="item", how="left")
        sold["eur"] = sold["units"] * sold["price"]
        total = sold["eur"].sum()
        %%clean
        sold = sales.merge(prices, on="item", how="left")
        sold["eur"] = sold["units"] * sold["price"].fillna(1.0)
        total = sold["eur"].sum()
    """

    name = "unmatched-rows-then-summed"
    frames = ("pandas", "polars", "pyarrow")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            start, source = _start(run, op), call(run.cell, op)
            if start is None or source is None or "indicator" in op.keywords or _joins_itself(source):
                continue
            repeated, unmatched, rows, gaps = start
            found = [(name, computed) for name, computed in follow(run.cell, source, gaps) if computed or repeated]
            known = handled(run.cell, gaps, source, asserted=isinstance(run.outcome, Completed))
            if found and not known and not says_so(run.cell, op.span, LEFT_OUT):
                yield self._finding(op, found[0][0], unmatched, rows)

    def _finding(self, op: Operation, name: str, unmatched: int, rows: int) -> Finding:
        one = unmatched == 1
        return self.finding(
            op,
            Severity.MAY,
            f"{unmatched:,} of {count(rows, 'row')} found no match in `{op.expression}`: what"
            f" {'it was' if one else 'they were'} to get is missing, and the sum of `{name}` leaves"
            f" {'it' if one else 'them'} out",
            "Add what is missing to the table, or say what becomes of it: .fillna(...) or .dropna(...).",
            {"rows": rows, "unmatched": unmatched, "summed": name},
        )


def _start(run: Run, op: Operation) -> tuple[bool, int, int, Gaps] | None:
    """Whether rows share what they look up, how many found nothing, of how many, and where the gaps are."""
    f = op.facts
    match op.kind:
        case "lookup" if f["unmatched"] and not f["alike"]:
            place = target(run.cell, op.span)
            node, around = call(run.cell, op), _value(run, op)
            direct = around is node  # otherwise the statement says itself what becomes of it
            gaps = Gaps(set(place.columns), set(place.names)) if direct else Gaps()
            return not f["unique"] and not f["flags"], f["unmatched"], f["values"], gaps
        case "merge" if f.get("gaps") and not f.get("left_alike") and not f.get("key_alone"):
            return (
                bool(f.get("many")) and not f["left_multiplied"],
                f["left_unmatched"],
                f["left_rows"],
                Gaps(set(f["gaps"])),
            )
        case "asof" if f["unmatched"] and not f["apart"]:
            return False, f["unmatched"], f["left_rows"], Gaps(set(f["gaps"]))
    return None


def _joins_itself(node: ast.Call) -> bool:
    left = variable(receiver(node))
    return left is not None and left in map(variable, [*node.args, *(k.value for k in node.keywords)])


def _value(run: Run, op: Operation) -> ast.expr | None:
    for part in run.cell.nodes:
        if isinstance(part, ast.Assign) and run.cell.span(part.value) == op.span:
            return part.value
    return None
