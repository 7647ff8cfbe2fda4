"""A variable or function under a name that is a slip away from one that exists."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator, Mapping

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, labels, syntax
from reflex_magic.repairs.rule import Repair

_JSON: Mapping[str, str] = {
    "true": "True",
    "TRUE": "True",
    "false": "False",
    "FALSE": "False",
    "null": "None",
    "NULL": "None",
    "none": "None",
    "nil": "None",
}

_COMMON = [n for n in dir(builtins) if n.islower() and not n.startswith("_")]


class MisspeltName(Repair):
    """A name is not defined, and stands for one that is.

    `true`, `false` and `null` are Python's `True`, `False` and `None`. A name of the cell, of earlier cells or of
    Python that has the same letters, or is one slip of the fingers away, is meant when there is one. A name that stands
    alone in brackets, as in ``sales[amount]`` or ``groupby(region)``, and is a column there, lacks its quotes.

    Two such names are both offered. Silent where a digit or a short word differs.

    Example
    -------
    ::

        customers = [1, 2]
        %%reflect
        count = len(custmers)
        %%repaired
        count = len(customers)
    """

    name = "misspelt-name"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The name as it is defined."""
        failure, node = context.failure, syntax.failing(context)
        said = re.match(r"name '(\w+)' is not defined", failure.evalue) if failure else None
        if failure is None or said is None or not failure.is_a("NameError"):
            return
        cell, name = context.cell, said[1]
        if not isinstance(node, ast.Name) or node.id != name:
            return
        uses = [n for n in syntax.nodes(cell) if isinstance(n, ast.Name) and n.id == name]
        if any(not isinstance(n.ctx, ast.Load) or not cell.editable(cell.span(n)) for n in uses):
            return
        if name in _JSON:
            found = [n for n in syntax.nodes(cell) if isinstance(n, ast.Name) and n.id in _JSON]
            edits = [syntax.replace(cell, n, _JSON[n.id]) for n in found if isinstance(n.ctx, ast.Load)]
            yield self.offer("Python's own words", edits, f"`{name}` is `{_JSON[name]}` in Python")
            return
        frame = _column_of(context, node)
        if frame:
            edits = [syntax.replace(cell, node, syntax.literal(name))]
            yield self.offer(f"the column {name!r} in quotes", edits, f"`{frame}` has a column {name!r}")
            return
        known = {*context.values.names(), *_bound(context)} - {name}
        near = labels.nearest(name, known)
        if not near.candidates:
            near = labels.nearest(name, _COMMON)
        for candidate in near.candidates:
            if candidate.isidentifier() and not keyword.iskeyword(candidate):
                edits = [syntax.replace(cell, n, candidate) for n in uses]
                evidence = f"nothing is called `{name}`, and `{candidate}` is the nearest of {len(known)} names"
                yield self.offer(f"`{name}` is called `{candidate}`", edits, evidence, sure=near.clear)


def _bound(context: Context) -> set[str]:
    """The functions and variables that the cell has made at its top level before it failed."""
    failure = context.failure
    steps = context.cell.tree.body[: failure.step] if failure is not None and failure.step is not None else []
    found = {n.name for n in steps if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    return found | {
        n.id for s in steps for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }


def _column_of(context: Context, node: ast.Name) -> str:
    """The frame of which a bare name is a column, when it stands where columns are named."""
    above = syntax.parent(context.cell, node)
    if isinstance(above, ast.keyword):
        above = syntax.parent(context.cell, above)
    if isinstance(above, (ast.List, ast.Tuple)):
        above = syntax.parent(context.cell, above)
    match above:
        case ast.Subscript(value=ast.Attribute(value=holder, attr="loc")) if above.value is not node:
            pass
        case ast.Subscript(value=holder) if holder is not node:
            pass
        case ast.Call(func=ast.Attribute(value=holder, attr=method)) if method in columns.ARGUMENTS:
            pass
        case _:
            return ""
    frame = ast.unparse(holder)
    return frame if node.id in (columns.labels_of(context, frame) or ()) else ""
