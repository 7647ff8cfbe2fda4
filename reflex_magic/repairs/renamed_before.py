"""A column is asked for under the name it had before the cell renamed it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, syntax
from reflex_magic.repairs.rule import Repair


class RenamedBefore(Repair):
    """The cell renames a column and goes on to use its old name.

    The new name is written where the old one is asked for. Silent when the frame has no column of the new name, and
    when the old name is renamed twice.

    Example
    -------
    ::

        import pandas as pd
        visits = pd.DataFrame({"n": [3, 4]})
        %%reflect
        visits = visits.rename(columns={"n": "visitors"})
        total = visits["n"].sum()
        %%repaired
        visits = visits.rename(columns={"n": "visitors"})
        total = visits["visitors"].sum()
    """

    name = "renamed-before"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The new name."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("KeyError", "AttributeError"):
            return
        cell = context.cell
        if isinstance(node, ast.Attribute):
            renamed = _renamed(cell, node.value)
            new = renamed.get(node.attr)
            if new in (columns.labels_of(context, ast.unparse(node.value)) or ()) and str(new).isidentifier():
                edits = [syntax.rename_member(cell, node, str(new))]
                yield self.offer(_title(node.attr, new), edits, _evidence(node.attr, new))
            return
        for naming in columns.namings(context, node):
            renamed = _renamed(cell, naming.holder)
            known = columns.labels_of(context, naming.frame) or ()
            wrong = [c for c in naming.labels if c.value not in known]
            if wrong and all(renamed.get(c.value) in known for c in wrong):
                pairs = [(c, renamed[c.value]) for c in wrong]
                edits = [syntax.replace(cell, c, syntax.quoted(cell, c, str(new))) for c, new in pairs]
                old, first = wrong[0].value, renamed[wrong[0].value]
                yield self.offer(_title(old, first), edits, _evidence(old, first))


def _title(old: object, new: object) -> str:
    return f"`{old}` was renamed `{new}`"


def _evidence(old: object, new: object) -> str:
    return f"the cell renames `{old}` to `{new}`, which the frame has"


def _renamed(cell: syntax.Cell, frame: ast.expr | None) -> dict[object, object]:
    """The columns of a frame that the cell renames once, old names to new ones."""
    found: dict[object, set[object]] = {}
    name = syntax.dotted(frame) if frame is not None else ""
    for statement in syntax.nodes(cell):
        # renamed in the same chain, or where the frame is made
        if isinstance(statement, ast.Assign) and name in map(syntax.dotted, statement.targets):
            within: ast.AST = statement.value
        elif statement is frame or _renames(statement, name):
            within = statement
        else:
            continue
        for node in ast.walk(within):
            match node:
                case ast.Call(func=ast.Attribute(attr="rename"), keywords=keywords):
                    for given in keywords:
                        if given.arg == "columns" and isinstance(given.value, ast.Dict):
                            for old, new in zip(given.value.keys, given.value.values, strict=True):
                                found.setdefault(syntax.constant(old), set()).add(syntax.constant(new))
    return {old: next(iter(new)) for old, new in found.items() if len(new) == 1 and old is not None}


def _renames(statement: ast.AST, name: str) -> bool:
    """Whether a statement is a call of `rename` on this variable, which changes it in place."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=holder, attr="rename"))):
            return bool(name) and syntax.dotted(holder) == name
    return False
