"""`join-loses-rows`: an inner join leaves out rows of the left table, and totals shrink with them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, listed
from reflex_magic.checks.flow import Gaps, follow
from reflex_magic.checks.intent import LEFT_OUT, counts_the_rest, says_so
from reflex_magic.checks.syntax import blamed, call, calls, mentions, receiver, target, variable
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_SOME = re.compile(
    r"active|valid|top|best|worst|select|known|eligible|open|closed|current|only|sample|subset|filter|keep|wanted|target"
    r"|vip|premium|cohort|match|common|overlap|both|member|recent|latest|paid|with_|has_|in_|big|large|small|chosen",
    re.IGNORECASE,
)
"""Names of tables and results that are meant to hold some rows only."""

FEW = 20
"""Rows of a table of which half may be lost without being meant to."""

_PICKING = frozenset(
    {"query", "head", "tail", "nlargest", "nsmallest", "isin", "loc", "sample", "drop", "dropna"}
    | {"filter", "is_in", "drop_nulls", "unique", "top_k", "bottom_k"}
)


class JoinLosesRows(Check):
    """Rows without a partner fall out of an inner join, and what is added up afterwards is less than it was.

    Reported for a merge without ``how=`` of many rows with a table that has each key once, when some of the left
    rows have no partner (up to a fifth; of a few rows up to half) and the cell adds up one of their columns,
    itself or multiplied with something that was looked up. Silent when `how` is written, when the right table
    brings no column or was picked by a condition, when names or a comment say that only some rows are meant,
    and when the cell compares the lengths or looks for the rest itself.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"item": ["a", "a", "b", "z"], "eur": [1.0, 2.0, 4.0, 8.0]})
        items = pd.DataFrame({"item": ["a", "b"], "kind": ["tea", "jam"]})
        %%reflect
        sold = sales.merge(items, on="item")
        total = sold["eur"].sum()
        %%clean
        sold = sales.merge(items, on="item", how="left")
        total = sold["eur"].sum()
    """

    name = "join-loses-rows"
    frames = ("pandas", "polars")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("merge"):
            if op.facts["how"] != "inner" or not _loses(op) or not {"how", "join_type"}.isdisjoint(op.keywords):
                continue
            node, names = call(run.cell, op), target(run.cell, op.span).names
            if node is None or _means_some(run.cell, node, names) or says_so(run.cell, op.span, LEFT_OUT):
                continue
            sums = {name: ratio for name, ratio in op.facts["left_sums"].items() if ratio != 1}
            added = [label for label, _ in follow(run.cell, node, Gaps(columns=set(sums)))] if sums else []
            if not (added and op.facts.get("many")) and not blamed(run, names):
                continue
            if not _is_counted(run.cell, node, names):
                yield self._finding(op, sums, added)

    def _finding(self, op: Operation, sums: dict[str, float], added: list[str]) -> Finding:
        f = op.facts
        name = next((n for n in added if n in sums), added[0] if added else "")
        shrunk = f"; the sum of `{name}` is {sums[name]:.3g} times what it was" if name in sums else ""
        if name and not shrunk:
            shrunk = f"; `{name}` is added up without {'it' if f['left_unmatched'] == 1 else 'them'}"
        keys = [key for key in f["left_keys"] if key] or ["the index"]
        return self.finding(
            op,
            Severity.MAY,
            f"{f['left_unmatched']:,} of {count(f['left_rows'], 'row')} of the left table found no {listed(keys)} in"
            f" the right one and fell out{shrunk}",
            'Write how="left" to keep them, or how="inner" to say that they are left out.',
            {
                **{k: f[k] for k in ("left_rows", "right_rows", "rows", "left_unmatched")},
                "keys": keys,
                "sums": sums,
            },
        )


def _loses(op: Operation) -> bool:
    f = op.facts
    lost = f.get("left_unmatched", 0)
    if not lost or f["same"] or f["left_multiplied"] or not f["rows"] or "left_sums" not in f:
        return False
    most = f["left_rows"] / (2 if f["left_rows"] <= FEW else 5)  # who loses more has a table of some in mind
    return lost <= most and not any(f.get(known) for known in ("filters", "left_alike", "key_alone"))


def _means_some(cell: Cell, node: ast.Call, names: frozenset[str]) -> bool:
    """Whether the right table, or the result, is meant to hold only some rows."""
    module = isinstance(on := receiver(node), ast.Name) and on.id in ("pd", "pandas")
    right = next((k.value for k in node.keywords if k.arg == "right"), None)
    at = 1 if module else 0
    right = right if right is not None else node.args[at] if len(node.args) > at else None
    written = any(isinstance(a, ast.Constant) and a.value == "inner" for a in node.args)
    if right is None or written or any(k.arg == "indicator" for k in node.keywords):
        return True
    made = [right, *_assigned(cell, variable(right))]
    picked = any(
        isinstance(part, ast.Compare) or (isinstance(part, ast.Attribute) and part.attr in _PICKING)
        for expression in made
        for part in ast.walk(expression)
    )
    return picked or any(_SOME.search(name) for name in {*names, variable(right) or ""})


def _assigned(cell: Cell, name: str | None) -> list[ast.expr]:
    return [
        part.value
        for part in cell.nodes
        if isinstance(part, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in part.targets)
    ]


def _is_counted(cell: Cell, node: ast.Call, names: frozenset[str]) -> bool:
    """Whether the cell itself looks at how many rows fell out, or at which."""
    module = isinstance(on := receiver(node), ast.Name) and on.id in ("pd", "pandas")
    left = variable(node.args[0] if module and node.args else on)
    if counts_the_rest(cell, left):
        return True
    measured = set()
    for part in cell.nodes:
        match part:
            case (
                ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)])
                | ast.Attribute(value=ast.Name(id=name), attr="shape" | "size" | "height" | "num_rows")
            ):
                measured.add(name)
    if left in measured and names & measured:
        return True
    return any(
        (method in ("isin", "is_in") and left in mentions(on)) or (method == "join" and "anti" in _words(other))
        for other, method, on in calls(cell)
    )


def _words(node: ast.Call) -> set[str]:
    """The words in the texts among the arguments: of how two tables are joined."""
    given = [*node.args, *(k.value for k in node.keywords)]
    return {w for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str) for w in a.value.split()}
