"""`write-reaches-copy`: what is written goes to a copy of a part of the table, and not to the table."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.syntax import blamed, call, receiver, statement, variable
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_INDEXERS = frozenset({"loc", "iloc", "at", "iat"})


class WriteReachesCopy(Check):
    """A write in two steps, ``df[mask]["fee"] = 80``, changes a copy that nobody holds; the table stays as it was.

    The same goes for ``df["fee"].fillna(0, inplace=True)`` and for what is written into the rows of `iterrows`.
    Reported where that is certain under the pandas that runs, or where pandas has warned of it; a must where the cell
    asserts something of the table, and that failed. Silent for a selection without rows, for one that
    has a name of its own (``part = df[mask]``), for parts of dicts and lists, and for rows that are used further.

    Example
    -------
    ::

        import pandas as pd
        fees = pd.DataFrame({"group": ["A", "B"], "fee": [100, 100]})
        %%reflect
        fees[fees["group"] == "B"]["fee"] = 80
        %%clean
        fees.loc[fees["group"] == "B", "fee"] = 80
    """

    name = "write-reaches-copy"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        told: set[int] = set()
        for op in run.operations:
            lost = _lost(run, op)
            if lost:
                told.add(op.step)
                yield self._finding(run, op, *lost)
        for card in run.cards:
            if card.step not in told and any(w.startswith("ChainedAssignmentError") for w in card.warnings):
                node = _warned_of(run.cell, card.step)
                if node is not None:
                    op = Operation(card.step, "", run.cell.span(node), " ".join(ast.unparse(node).split()))
                    yield self._finding(run, op, "a part of it is a copy", op.expression)

    def _finding(self, run: Run, op: Operation, why: str, text: str) -> Finding:
        table = variable(_node(run.cell, op)) or "the table"
        severity = Severity.MUST if blamed(run, frozenset({table})) else Severity.MAY
        row = op.kind == "row_loop"
        return self.finding(op, severity,
            f"what is written to `{text}` does not reach `{table}`: {why}",
            "Compute the whole column at once, or write with df.at[i, column] = ..." if row else
            "Write in one step: df.loc[rows, column] = ..., or assign the changed column back.",
            {k: v for k, v in op.facts.items() if k == "rows"},
        )  # fmt: skip


def _node(cell: Cell, op: Operation) -> ast.expr | None:
    node = cell.node_at(op.span)
    return node if isinstance(node, ast.expr) else None


def _lost(run: Run, op: Operation) -> tuple[str, str] | None:
    """Why what is written here is lost, and what it is written to; None where it is not."""
    if op.kind == "write_to_part":
        return f"the part written to is a copy of {count(op.facts['rows'], 'row')}", op.expression
    if op.kind == "in_place":
        node = call(run.cell, op)
        part, around = receiver(node), statement(run.cell, op.span)
        if node is not None and part is not None and _is_in_place(node) and isinstance(around, ast.Expr):
            return "a part of it is a copy", ast.unparse(part)
    if op.kind == "row_loop" and op.facts["copies"]:
        written = _written_rows(run.cell, op)
        if written is not None:
            return f"each of its {count(op.facts['rows'], 'row')} comes as a copy", written
    return None


def _is_in_place(node: ast.Call) -> bool:
    if isinstance(node.func, ast.Attribute) and node.func.attr == "update":
        return True
    return any(
        k.arg == "inplace" and isinstance(k.value, ast.Constant) and k.value.value is True for k in node.keywords
    )


def _warned_of(cell: Cell, step: int) -> ast.expr | None:
    """What pandas warned of in a step: it stands there, or in a function that is called there."""
    node = cell.tree.body[step]
    called = {n.func.id for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    functions = [n for n in cell.tree.body if isinstance(n, ast.FunctionDef) and n.name in called]
    return next((found for n in (node, *functions) if (found := _written_in_two_steps(n)) is not None), None)


def _written_in_two_steps(node: ast.stmt) -> ast.expr | None:
    """The first selection of a selection that is written to in a statement, or changed in place."""
    for part in ast.walk(node):
        match part:
            case ast.Subscript(ctx=ast.Store(), value=ast.Attribute(value=inner, attr=attr)) if attr in _INDEXERS:
                pass
            case ast.Subscript(ctx=ast.Store(), value=inner):
                pass
            case ast.Call(func=ast.Attribute(value=inner)) if _is_in_place(part):
                pass
            case _:
                continue
        if not isinstance(inner, ast.Name) and isinstance(part, ast.expr):
            return part
    return None


def _written_rows(cell: Cell, op: Operation) -> str | None:
    """``row["a"]``, where the rows of a loop are written to and then only thrown away."""
    node = call(cell, op)
    loop = next((n for n in cell.nodes if isinstance(n, ast.For) and n.iter is node), None)
    if loop is None:
        return None
    match loop.target:
        case ast.Tuple(elts=[_, ast.Name(id=row)]):
            pass
        case _:
            return None
    above = {child: part for part in ast.walk(loop) for child in ast.iter_child_nodes(part)}
    written: list[ast.Subscript | ast.Attribute] = []
    read: list[ast.Subscript | ast.Attribute] = []
    for use in (n for part in loop.body for n in ast.walk(part) if isinstance(n, ast.Name) and n.id == row):
        part = above[use]
        if not isinstance(part, (ast.Subscript, ast.Attribute)) or part.value is not use:
            return None  # handed on as a whole
        if (
            isinstance(part, ast.Attribute)
            and isinstance(above[part], (ast.Call, ast.Subscript))
            and part.attr != "get"
        ):
            return None  # ``row.to_dict()``, ``row.loc["a"]``
        (written if isinstance(part.ctx, ast.Store) else read).append(part)
    labels = {_label(w) for w in written}
    if not written or any(_label(r) in labels and r.lineno > written[0].lineno for r in read):
        return None
    return ast.unparse(written[0])


def _label(node: ast.Subscript | ast.Attribute) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return str(node.slice.value) if isinstance(node.slice, ast.Constant) else ast.dump(node.slice)
