"""The result of a method that changes its object in place is used, and is None."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_IN_PLACE = frozenset({"append", "extend", "sort", "reverse", "insert", "clear", "add", "update", "shuffle"})


class InplaceGivesNone(Repair):
    """``df = df.dropna(inplace=True)`` and ``names = names.sort()`` assign None, since these change the object itself.

    The call stands alone then, and what it changed is used. Silent when the object has no name of its own.

    Example
    -------
    ::

        import pandas as pd
        sizes = pd.DataFrame({"a": [1.0, None, 3.0]})
        %%reflect
        sizes = sizes.dropna(inplace=True)
        total = sizes["a"].sum()
        %%repaired
        sizes.dropna(inplace=True)
        total = sizes["a"].sum()
    """

    name = "inplace-gives-none"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The call by itself, and the object it changed."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("TypeError", "AttributeError"):
            return
        if "NoneType" not in failure.evalue:
            return
        cell = context.cell
        inner = next((n for n in ast.walk(node) if isinstance(n, ast.Call) and _changed(n)), None)
        if inner is not None and not syntax.repeated(cell, inner):
            statement = syntax.statement(cell, inner)
            if isinstance(statement, (ast.Assign, ast.Expr)) and statement.col_offset == 0:
                yield from self._offered(context, statement, inner)
            return
        names = {
            n.id for n in ast.walk(node) if isinstance(n, ast.Name) and context.values.names().get(n.id) == "NoneType"
        }
        for name in names:
            given = syntax.assigned(cell, name)
            if isinstance(given, ast.Call) and _changed(given):
                statement = syntax.statement(cell, given)
                if isinstance(statement, ast.Assign):
                    yield from self._offered(context, statement, given)

    def _offered(self, context: Context, statement: ast.stmt, call: ast.Call) -> Iterator[Proposal]:
        cell, changed = context.cell, _changed(call)
        indent = cell.lines[statement.lineno - cell.offset - 1][: statement.col_offset]
        alone = syntax.text(cell, call)
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if (
            isinstance(statement, ast.Assign)
            and statement.value is call
            and [syntax.dotted(t) for t in targets] == [changed]
        ):
            edits = [syntax.replace(cell, statement, alone)]
        else:
            start = cell.span(statement)
            edits = [
                Edit(syntax.Span(start.line, start.column, start.line, start.column), f"{alone}\n{indent}"),
                syntax.replace(cell, call, changed),
            ]
        yield self.offer(
            f"`{changed}` itself is changed", edits, f"`{_short(alone)}` gives None and changes `{changed}`"
        )


def _short(source: str) -> str:
    return source if len(source) < 50 else f"{source[:49]}…"


def _changed(call: ast.Call) -> str:
    """The variable that a call changes in place; "" when it changes none."""
    inplace = syntax.keyword(call, "inplace")
    if not isinstance(call.func, ast.Attribute):
        return ""
    if call.func.attr == "shuffle":
        return syntax.dotted(call.args[0]) if len(call.args) == 1 else ""
    if (inplace is not None and syntax.constant(inplace.value) is True) or call.func.attr in _IN_PLACE:
        return call.func.value.id if isinstance(call.func.value, ast.Name) else ""
    return ""
