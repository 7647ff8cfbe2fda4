"""`join-multiplies-rows`: a join repeats rows, and sums grow with them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, listed
from reflex_magic.checks.intent import REPEATED, says_so
from reflex_magic.checks.syntax import blamed, calls, follows, summed, target
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_NO_AMOUNT = re.compile(r"(^|[_\W])(id|key|no|nr|code|year|zip|index)$", re.IGNORECASE)
"""Numbers under these names are not added up, so that their sums say nothing."""


class JoinMultipliesRows(Check):
    """A join made more rows than either table had reason for, and sums of its columns grew.

    Reported when keys repeat on both sides and a numeric column adds up to more than before; and,
    where keys are unique on the left, when a column of the left table is added up after its rows
    were repeated, or when a failed assertion looks at the result. Where as many rows were lost as were
    added, a sum that shrank is reported as well: then the number of rows is as it was. Silent for an ordinary lookup or
    header-to-lines join, a cross join, a join of a table with itself, when ``validate=`` is
    written, when duplicates are dropped from the result or one row of each group is picked, when
    only columns are added up that did not grow, and when a comment says that rows repeat.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"product": ["a", "a", "b"], "units": [1, 2, 3]})
        prices = pd.DataFrame({"product": ["a", "b", "b"], "price": [5.0, 7.0, 8.0]})
        %%reflect
        priced = sales.merge(prices, on="product")
        units = priced["units"].sum()
        %%clean
        priced = sales.merge(prices.drop_duplicates("product"), on="product")
        units = priced["units"].sum()
    """

    name = "join-multiplies-rows"
    frames = ("pandas", "polars", "pyarrow")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("merge"):
            if not op.facts.get("left_multiplied") or op.facts["same"]:
                continue
            if not {"validate", "**"}.isdisjoint(op.keywords) or says_so(run.cell, op.span, REPEATED):
                continue
            if _deduplicated(run.cell, op):
                continue
            grown = _suspect(run, op)
            if grown or blamed(run, target(run.cell, op.span).names):
                yield self._finding(op, grown)

    def _finding(self, op: Operation, grown: dict[str, float]) -> Finding:
        f = op.facts
        keys = [key for key in dict.fromkeys([*f["left_keys"], *f["right_keys"]]) if key] or ["the index"]
        name, ratio = max(grown.items(), key=lambda item: abs(item[1] - 1), default=("", 1.0))
        lost = f", {f['left_unmatched']:,} met none" if f["left_unmatched"] and f["how"] == "inner" else ""
        sums = f", and the sum of `{name}` {ratio:.3g} times what it was" if grown else ""
        paired = f". {count(f['missing_keys'], 'row')} met because their keys are missing" if f["missing_keys"] else ""
        sides = {side: f"{side}_repeats" for side in ("left", "right")}
        return self.finding(
            op,
            Severity.MAY,
            f"{count(f['left_multiplied'], 'row')} of the left table came out more than once: {listed(keys)} repeats in"
            f" {count(f['right_repeats'], 'row')} of the right table{lost}. {f['left_rows']:,} and"
            f" {f['right_rows']:,} rows became {f['rows']:,}{sums}{paired}",
            'Aggregate or deduplicate one side first, and write validate="many_to_one" to be told when keys repeat.',
            {
                **{k: f[k] for k in ("left_rows", "right_rows", "rows", "how", "missing_keys", *sides.values())},
                "left_multiplied": f["left_multiplied"],
                "right_multiplied": f["right_multiplied"],
                "keys": keys,
                "sums": dict(grown),
            },
        )


def _suspect(run: Run, op: Operation) -> dict[str, float]:
    """The columns whose sums grew, as far as the cell gives reason to look at them."""
    left, right = _grown(op, "left"), _grown(op, "right")
    added = summed(run.cell, op) & {*op.facts["left_sums"], *op.facts["right_sums"]}
    if not op.facts["right_multiplied"]:
        # Each line met one header. Adding up the lines is right, adding up the headers is not.
        return {name: ratio for name, ratio in left.items() if name in added}
    grown = right | left
    return {name: ratio for name, ratio in grown.items() if name in added} if added else grown


def _grown(op: Operation, side: str) -> dict[str, float]:
    """Columns that add up to more; to less as well where as many rows were lost as added, so that no count tells."""
    sums = op.facts[f"{side}_sums"]
    amounts = {name: ratio for name, ratio in sums.items() if not _NO_AMOUNT.search(name)}
    if op.facts["left_unmatched"] and op.facts["how"] == "inner" and op.facts["rows"] == op.facts["left_rows"]:
        return {name: ratio for name, ratio in amounts.items() if abs(ratio - 1) > 1e-6}
    return {name: ratio for name, ratio in amounts.items() if ratio > 1 + 1e-6}


def _deduplicated(cell: Cell, op: Operation) -> bool:
    found = [(method, on) for _, method, on in calls(cell) if follows(cell, op, on)]
    unique = ("drop_duplicates", "unique")
    return any(method in unique or (method in _ONE_OF_EACH and _grouped(on)) for method, on in found)


_ONE_OF_EACH = frozenset({"first", "last", "nth", "idxmin", "idxmax"})


def _grouped(node: ast.expr) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr in ("groupby", "group_by") for n in ast.walk(node))
