"""`and`, `or`, `not`, `in`, chained comparisons and `if` on whole columns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Cell
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

SAMPLE = 100_000

_ATOMS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant)


class ConditionOnWholeColumn(Repair):
    """A condition for each row uses `and`, `or`, `not`, `in` or ``0 < column < 5``, which ask for one answer.

    They become `&`, `|`, `~`, `isin` and two comparisons. ``"a" if column > 2 else "b"``, assigned to a column, becomes
    ``np.where``; offered only where the columns compared have missing values, which would all be "b".

    Offered only as well where the condition is given a name by which no rows are picked in the cell. Silent where one
    answer is needed, as after `if` and `while` and in an assertion: `any` or `all` may be meant. Silent too when an
    operand is no column of truth values.

    Example
    -------
    ::

        import pandas as pd
        people = pd.DataFrame({"age": [15, 30, 70], "town": ["A", "A", "B"]})
        %%reflect
        adults = people[people["age"] >= 18 and people["town"] == "A"]
        %%repaired
        adults = people[(people["age"] >= 18) & (people["town"] == "A")]
    """

    name = "condition-on-whole-column"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The condition for each row."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("ValueError"):
            return
        if not failure.evalue.startswith("The truth value of a"):
            return
        condition = _condition(context.cell, node)
        if condition is None:
            return
        match condition, syntax.parent(context.cell, condition):
            case _, (ast.If() | ast.While() | ast.Assert() | ast.comprehension()):
                return
            case _, ast.IfExp(test=test) as choice if test is condition:
                yield from self._chosen(context, choice)
                return
        written = _for_each_row(context, condition)
        if written is not None and written != syntax.text(context.cell, condition):
            edits = [syntax.replace(context.cell, condition, written)]
            evidence = f"`{ast.unparse(node)[:60]}` is a column, not one truth value"
            yield self.offer("a condition for each row", edits, evidence, sure=_picks_rows(context.cell, condition))

    def _chosen(self, context: Context, choice: ast.IfExp) -> Iterator[Proposal]:
        """``a if column else b``, where a column is assigned."""
        cell = context.cell
        statement = syntax.parent(cell, choice)
        if not isinstance(statement, ast.Assign) or not all(isinstance(t, ast.Subscript) for t in statement.targets):
            return
        test = _for_each_row(context, choice.test)
        if test is None or context.values.names().get(syntax.alias(cell, "numpy")) != "module":
            return
        columns = [n for n in ast.walk(choice.test) if isinstance(n, (ast.Subscript, ast.Attribute))]
        cards = [c for n in columns if (c := context.values.card(ast.unparse(n))) is not None and c.is_series]
        gaps = sum(c.columns[0].missing or 0 for c in cards)
        sides = [syntax.text(cell, n) for n in (choice.body, choice.orelse)]
        written = f"{syntax.alias(cell, 'numpy')}.where({test}, {sides[0]}, {sides[1]})"
        evidence = f"the condition has a truth value for each row; {gaps} values are missing"
        yield self.offer("a choice for each row", [syntax.replace(cell, choice, written)], evidence, sure=not gaps)


def _condition(cell: Cell, node: ast.AST) -> ast.expr | None:
    """The outermost condition that takes one truth value of a whole column."""
    if isinstance(node, ast.IfExp):
        return node.test
    found: ast.expr | None = None
    for above in (node, *syntax.ancestors(cell, node)):
        match above:
            case ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.Compare():
                found = above
            case _ if isinstance(above, ast.IfExp) and found is None and above.test is node:
                return above.test
            case _ if found is not None:
                break
            case ast.stmt():
                break
    return found


def _picks_rows(cell: Cell, condition: ast.expr) -> bool:
    """Whether the condition is surely used row by row: in brackets, in a call, as a column, or by a name that is."""
    match syntax.parent(cell, condition):
        case ast.Assign(targets=[ast.Name(id=name)]):
            uses = [n for n in syntax.nodes(cell) if isinstance(n, ast.Name) and n.id == name]
            slices = [n.slice for n in syntax.nodes(cell) if isinstance(n, ast.Subscript)]
            return any(use is part for s in slices for part in ast.walk(s) for use in uses)
        case ast.Return():
            return False
    return True


def _for_each_row(context: Context, node: ast.expr) -> str | None:
    """The condition as an expression of columns; None when an operand is no column of truth values."""
    match node:
        case ast.BoolOp(op=op, values=values):
            parts = [_for_each_row(context, v) for v in values]
            sign = " & " if isinstance(op, ast.And) else " | "
            return None if None in parts else sign.join(map(_bracketed, filter(None, parts)))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            part = _for_each_row(context, operand)
            return None if part is None else f"~{_bracketed(part)}"
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as op], comparators=[values]):
            return _membership(context, left, values, negated=isinstance(op, ast.NotIn))
        case ast.Compare(left=left, ops=ops, comparators=comparators) if len(ops) > 1:
            sides = [left, *comparators]
            if any(isinstance(s, ast.BinOp) and isinstance(s.op, (ast.BitAnd, ast.BitOr)) for s in sides):
                return None
            pairs = [ast.Compare(a, [op], [b]) for a, op, b in zip(sides, ops, sides[1:], strict=False)]
            parts = [syntax.comparison(context.cell, p) if _is_truth(context, p) else None for p in pairs]
            return None if None in parts else " & ".join(filter(None, parts))
    return syntax.text(context.cell, node) if _is_truth(context, node) else None


def _membership(context: Context, left: ast.expr, values: ast.expr, *, negated: bool) -> str | None:
    column, listed = context.values.card(ast.unparse(left)), context.values.card(ast.unparse(values))
    if column is None or not column.is_series or listed is None:
        return None
    if listed.type not in ("list", "tuple", "set", "Series", "Index", "ndarray"):
        return None
    # values of another kind would be found nowhere
    if not context.values.overlap(ast.unparse(values), ast.unparse(left)):
        return None
    written = f"{syntax.receiver(context.cell, left)}.isin({syntax.text(context.cell, values)})"
    return f"~{written}" if negated else written


def _is_truth(context: Context, node: ast.expr) -> bool:
    card = context.values.card(ast.unparse(node))
    if card is None:
        return False
    kind = card.columns[0].dtype if card.is_series else card.type
    return kind in ("bool", "boolean", "bool[pyarrow]", "bool_")


def _bracketed(source: str) -> str:
    tree = ast.parse(source, mode="eval").body
    plain = isinstance(tree, _ATOMS) or (isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Invert))
    return source if plain else f"({source})"
