"""A function that is applied to groups reads the column they were made by."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class GroupKeyInsideApply(Repair):
    """``groupby(...).apply`` no longer gives the function the column that the groups are made by.

    ``g["team"].iloc[0]`` becomes ``g.name``, which is the group's key. Silent when the column is used in another
    way, when the groups are made by several columns, and when the function is used elsewhere as well.

    Example
    -------
    ::

        import pandas as pd
        scores = pd.DataFrame({"team": ["red", "blue"], "score": [3, 4]})
        %%reflect
        lines = scores.groupby("team").apply(lambda g: f"{g['team'].iloc[0]}: {g['score'].max()}")
        %%repaired
        lines = scores.groupby("team").apply(lambda g: f"{g.name}: {g['score'].max()}")
    """

    name = "group-key-inside-apply"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The group's name."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("KeyError") or not isinstance(node, ast.Subscript):
            return
        cell, group, key = context.cell, node.value, syntax.constant(node.slice)
        if not isinstance(group, ast.Name) or not isinstance(key, str) or not self._applied(cell, node, group.id, key):
            return
        uses = [n for n in syntax.nodes(cell) if isinstance(n, ast.Subscript) and ast.dump(n) == ast.dump(node)]
        firsts = [f for n in uses if (f := _first_of(cell, n)) is not None]
        if len(firsts) != len(uses) or not all(cell.editable(cell.span(f)) for f in firsts):
            return
        edits = [syntax.replace(cell, f, f"{group.id}.name") for f in firsts]
        yield self.offer(
            f"`{key}` is the group's name", edits, f"the groups are made by `{key}`, and apply leaves that column out"
        )

    def _applied(self, cell: syntax.Cell, node: ast.AST, group: str, key: str) -> bool:
        """Whether the function around `node` is applied to groups by `key`, and used for nothing else."""
        function = next((a for a in syntax.ancestors(cell, node) if isinstance(a, (ast.Lambda, ast.FunctionDef))), None)
        if function is None or not function.args.args or function.args.args[0].arg != group:
            return False
        applied = []
        for call in syntax.nodes(cell):
            match call:
                case ast.Call(
                    func=ast.Attribute(value=ast.Call(func=ast.Attribute(attr="groupby"), args=[by, *_]), attr="apply"),
                    args=[given, *_],
                ):
                    same = given is function
                    named = isinstance(function, ast.FunctionDef) and syntax.dotted(given) == function.name
                    if same or named:
                        applied.append(syntax.constant(by))
        used = [
            n
            for n in syntax.nodes(cell)
            if isinstance(function, ast.FunctionDef) and isinstance(n, ast.Name) and n.id == function.name
        ]
        return applied == [key] and len(used) <= 1


def _first_of(cell: syntax.Cell, node: ast.AST) -> ast.expr | None:
    """``node.iloc[0]`` or ``node.values[0]`` or ``node.unique()[0]`` around a node."""
    member = syntax.parent(cell, node)
    if not isinstance(member, ast.Attribute) or member.attr not in ("iloc", "values"):
        return None
    above = syntax.parent(cell, member)
    return above if isinstance(above, ast.Subscript) and syntax.constant(above.slice) == 0 else None
