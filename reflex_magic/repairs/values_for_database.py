"""Values that SQLite does not take."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class ValuesForDatabase(Repair):
    """`execute` is given a number of NumPy, a timestamp, or one text instead of a tuple.

    Numbers become Python's own; ``(name)`` becomes ``(name,)``. A timestamp becomes text, as ISO 8601 with a blank or
    with a `T`: both are offered.

    Silent on lists and other objects, which can be stored in several ways.

    Example
    -------
    ::

        import sqlite3
        base = sqlite3.connect(":memory:")
        _ = base.execute("create table people (name text)")
        name = "Ada"
        %%reflect
        _ = base.execute("insert into people values (?)", (name))
        %%repaired
        _ = base.execute("insert into people values (?)", (name,))
    """

    name = "values-for-database"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The values as SQLite takes them."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not isinstance(node, ast.Call) or len(node.args) != 2:
            return
        if not isinstance(node.func, ast.Attribute) or node.func.attr != "execute":
            return
        cell, given = context.cell, node.args[1]
        if "Incorrect number of bindings supplied" in failure.evalue and "uses 1," in failure.evalue:
            value = context.values.card(ast.unparse(given))
            if value is not None and value.type == "str":
                inner = syntax.text(cell, given)
                edits = [syntax.replace(cell, given, f"{inner}," if _in_brackets(cell, given) else f"({inner},)")]
                yield self.offer("one value, as a tuple", edits, "a text was taken for its letters")
            return
        said = re.search(r"type '(?:numpy\.|pandas\.[\w.]*)?(\w+)' is not supported", failure.evalue)
        if said is None or not isinstance(given, (ast.Tuple, ast.List)):
            return
        kinds = [getattr(context.values.card(ast.unparse(p)), "type", "") for p in given.elts]
        numbers = [p for p, k in zip(given.elts, kinds, strict=True) if re.fullmatch(r"u?int\d+|float\d+|bool_?", k)]
        stamps = [p for p, k in zip(given.elts, kinds, strict=True) if k == "Timestamp"]
        plain = [
            syntax.replace(cell, p, f"{syntax.receiver(cell, p)}.item()") for p in numbers if _is_numpy(context, p)
        ]
        if stamps:
            for written in ("str({})", "{}.isoformat()"):
                texts = [syntax.replace(cell, p, written.format(syntax.text(cell, p))) for p in stamps]
                yield self.offer("the time as text", [*plain, *texts], f"{len(stamps)} timestamp(s)", sure=False)
        elif plain:
            yield self.offer("Python's own numbers", plain, f"{len(plain)} value(s) are numbers of NumPy")


def _is_numpy(context: Context, node: ast.expr) -> bool:
    card = context.values.card(ast.unparse(node))
    return card is not None and (card.type not in ("int", "float", "bool"))


def _in_brackets(cell: syntax.Cell, node: ast.expr) -> bool:
    span = cell.span(node)
    line = cell.python_lines[span.end_line - 1]
    return line[span.end_column - 1 :].lstrip().startswith("))")
