"""`result-not-kept`: a call that makes something else, and whose value nobody takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.syntax import call, receiver, statement, variable
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_BOUND_ANEW = "`{}` is bound anew and not used from then on: the value it had stays as it was"


class ResultNotKept(Check):
    """``df.drop_duplicates()`` on a line of its own changes nothing: it returns another table, and that is let go.

    Looks at methods of tables, columns and texts that return a changed copy, where the copy did differ and where the
    cell goes on with the unchanged value. Also at a loop or function that only binds its own name anew:
    ``for df in frames: df = df.dropna()``. Silent for the last statement of a cell, whose value is shown, for
    ``inplace=True``, where the call would have changed nothing, and where the value is not read again.

    Example
    -------
    ::

        import pandas as pd
        scans = pd.DataFrame({"code": ["a", "a", "b"]})
        %%reflect
        scans.drop_duplicates()
        n = len(scans)
        %%clean
        scans = scans.drop_duplicates()
        n = len(scans)
    """

    name = "result-not-kept"
    frames = ("pandas", "polars", "pyarrow")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("not_kept"):
            node, around = call(run.cell, op), statement(run.cell, op.span)
            if node is None or around is None:
                continue
            module = op.facts["method"].startswith("to_")
            name = variable(node.args[0] if module and node.args else receiver(node))
            if name is None:
                continue
            if isinstance(around, ast.Assign):
                yield self._finding(op, _BOUND_ANEW.format(name))
            elif _is_read_after(run.cell, op, name):
                yield self._finding(
                    op, f"`{op.expression}` returns {_difference(op)}, and nothing takes it: `{name}` stays as it was"
                )

        if run.cards:
            yield from self._calls_of_own_functions(run)
            yield from self._selections_bound_anew(run)

    def _selections_bound_anew(self, run: Run) -> Iterator[Finding]:
        """``for df in (a, b): df = df[df["n"] > 0]``, and so in a function. Calls there are observed, these not."""
        for step, node in enumerate(run.cell.tree.body):
            match node:
                case ast.For(target=ast.Name(id=name), iter=ast.List(elts=given) | ast.Tuple(elts=given)):
                    tables = [n.id for n in given if isinstance(n, ast.Name)]
                case ast.Expr(value=ast.Call(func=ast.Name(id=called), args=[ast.Name(id=table), *_])):
                    functions = [n for n in run.cell.tree.body if isinstance(n, ast.FunctionDef) and n.name == called]
                    if not functions or not functions[0].args.args or _gives_back(functions[0]):
                        continue
                    node, name, tables = functions[0], functions[0].args.args[0].arg, [table]
                case _:
                    continue
            part = _selected_anew(node.body, name)
            if part is not None and any(_is_table(run, step, table) for table in tables):
                span = run.cell.span(part)
                op = Operation(step, "", span, run.cell.text(span), facts={"method": "[]", "rows": 0, "made": 0})
                yield self._finding(op, _BOUND_ANEW.format(name))

    def _calls_of_own_functions(self, run: Run) -> Iterator[Finding]:
        """``clean(df)`` where the function returns what it made and has no other effect."""
        pure = {n.name for n in run.cell.tree.body if isinstance(n, ast.FunctionDef) and _only_returns(n)}
        for step, node in enumerate(run.cell.tree.body[:-1]):
            match node:
                case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=[ast.Name(id=table), *_]) as own) if (
                    name in pure
                ):
                    span = run.cell.span(own)
                    op = Operation(step, "", span, run.cell.text(span), facts={"method": name, "rows": 0, "made": 0})
                    if _is_table(run, step, table) and _is_read_after(run.cell, op, table):
                        yield self._finding(
                            op, f"`{name}` returns what it made, and nothing takes it: `{table}` stays as it was"
                        )

    def _finding(self, op: Operation, message: str) -> Finding:
        return self.finding(
            op,
            Severity.MAY,
            message,
            "Assign the result to the name or column that should have it, or return it.",
            {k: op.facts[k] for k in ("method", "rows", "made")},
        )


def _difference(op: Operation) -> str:
    if op.facts["of_text"]:
        return "another text"
    rows, made = op.facts["rows"], op.facts["made"]
    return f"{count(made, 'row')} instead of {rows:,}" if rows != made else "changed data"


def _is_read_after(cell: Cell, op: Operation, name: str) -> bool:
    """Whether the name is read after the call, or anywhere in a loop that holds the call."""
    loops = [n for n in cell.nodes if isinstance(n, (ast.For, ast.While)) and cell.span(n).contains(op.span)]
    first = min([n.lineno for n in loops], default=op.span.end_line + 1)
    own = {id(n) for n in ast.walk(cell.node_at(op.span) or cell.tree)}
    return any(
        isinstance(n, ast.Name)
        and n.id == name
        and isinstance(n.ctx, ast.Load)
        and n.lineno >= first
        and id(n) not in own
        for n in cell.nodes
    )


def _is_table(run: Run, step: int, name: str) -> bool:
    cards = [c for card in run.cards if card.step == step for c in card.before if c.name == name]
    return any(c.is_frame or c.is_series for c in cards)


def _gives_back(function: ast.FunctionDef) -> bool:
    return any(isinstance(n, (ast.Return, ast.Yield, ast.YieldFrom, ast.Global)) for n in ast.walk(function))


def _selected_anew(body: list[ast.stmt], name: str) -> ast.Subscript | None:
    """``df[...]`` in ``df = df[...]``, where `df` is only written to from then on."""
    for node in reversed(body):
        match node:
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Subscript() as part) if bound == name:
                return part if variable(part) == name else None
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=bound))]) if bound == name:
                continue
        if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node)):
            return None
    return None


def _only_returns(function: ast.FunctionDef) -> bool:
    """Whether a function only binds names of its own and returns something: it changes nothing that it was given."""
    own: set[str] = set()
    returns = False
    for node in function.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call()):
                own.add(name)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))]) if name in own:
                pass
            case ast.Return(value=ast.expr()):
                returns = True
            case ast.Expr(value=ast.Constant()):
                pass
            case _:
                return False
    calls = [n for n in ast.walk(function) if isinstance(n, ast.Call)]
    return returns and all(isinstance(c.func, ast.Attribute) and not _acts(c) for c in calls)


def _acts(node: ast.Call) -> bool:
    """Whether a call of a method may do something besides returning."""
    assert isinstance(node.func, ast.Attribute)
    return node.func.attr.startswith(("to_", "plot", "show", "append", "save", "write")) or any(
        k.arg == "inplace" for k in node.keywords
    )
