"""A result is asked for by a name that the cell gives to nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import labels, syntax
from reflex_magic.repairs.rule import Repair

_UNDEFINED = re.compile(r"name '(\w+)' is not defined")

_SHOWING = frozenset({"print", "display", "head", "info", "plot", "show"})


class ResultNotNamed(Repair):
    """An assertion, or ``--expect``, reads a name that was never assigned, while a value of the cell has no name.

    The expression right before the assertion, or at the end of the cell, is given the name. Silent when it only shows
    something, and when another name comes near.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"units": [1, 2]})
        %%reflect
        sales["units"].sum()
        assert result == 3
        %%repaired
        result = sales["units"].sum()
        assert result == 3
    """

    name = "result-not-named"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The expression with the name."""
        failure, body = context.failure, context.cell.tree.body if context.cell.steps else []
        if failure is None:
            said = next((_UNDEFINED.search(f.message) for f in context.findings if f.code == "condition-broken"), None)
            at, shown = len(body), True
        else:
            said = _UNDEFINED.match(failure.evalue) if failure.is_a("NameError") else None
            at, shown = failure.step or 0, False
            if not at or not all(isinstance(n, ast.Assert) for n in body[at : at + 1]):
                return
        if said is None or not at:
            return
        name, step = said[1], body[at - 1]
        known = {n.id for n in syntax.nodes(context.cell) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if name in known or labels.nearest(name, known | set(context.values.names())).candidates:
            return
        if not isinstance(step, ast.Expr) or not _computes(step.value):
            return
        place = context.cell.span(step)
        edits = [Edit(syntax.Span(place.line, place.column, place.line, place.column), f"{name} = ")]
        if shown:
            edits.append(syntax.insert_after(context.cell, step, f"\n{name}"))
        evidence = f"nothing is called `{name}`, and the value of line {place.line} has no name"
        yield self.offer(
            f"the value is called `{name}`", edits, evidence, answers=["condition-broken"] if shown else ()
        )


def _computes(node: ast.expr) -> bool:
    """Whether an expression has a value that could be meant, and does not only show something."""
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else syntax.dotted(node.func)
        inplace = syntax.keyword(node, "inplace")
        return called not in _SHOWING and inplace is None
    return isinstance(node, (ast.BinOp, ast.Subscript, ast.Attribute, ast.Compare, ast.ListComp, ast.DictComp))
