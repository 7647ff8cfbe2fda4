"""Names that a merge or join gives to columns of both sides."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, labels, syntax
from reflex_magic.repairs.rule import Repair


class MergeSuffixes(Repair):
    """The cell uses a column of both sides under names that the merge or join does not give.

    Both sides have `amount`, the merge makes `amount_x` and `amount_y`, and the cell reads `amount`
    and `amount_budget`: the merge is given these suffixes. Clear when the suffix is a word of the name of one side.

    A `join` whose sides share a column that the cell does not name is offered the names of its sides as suffixes.
    Silent when the cell uses other than two names for the column.

    Example
    -------
    ::

        import pandas as pd
        invoiced = pd.DataFrame({"project": ["P1"], "amount": [120.0]})
        budget = pd.DataFrame({"project": ["P1"], "amount": [100.0]})
        %%reflect
        both = invoiced.merge(budget, on="project")
        over = both["amount"] - both["amount_budget"]
        %%repaired
        both = invoiced.merge(budget, on="project", suffixes=("", "_budget"))
        over = both["amount"] - both["amount_budget"]
    """

    name = "merge-suffixes"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The merge with the suffixes that the cell uses."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None:
            return
        if failure.is_a("ValueError") and "columns overlap but no suffix" in failure.evalue:
            if isinstance(node, ast.Call):
                yield from self._joined(context, node)
        elif failure.is_a("KeyError") and isinstance(node, ast.Subscript):
            call = _made_by(context, node.value)
            if call is not None and not syntax.keyword(call, "suffixes"):
                yield from self._merged(context, call, ast.unparse(node.value))

    def _merged(self, context: Context, call: ast.Call, frame: str) -> Iterator[Proposal]:
        known = [c for c in columns.labels_of(context, frame) or () if isinstance(c, str)]
        shared = [c.removesuffix("_x") for c in known if c.endswith("_x") and f"{c[:-2]}_y" in known]
        sides = _sides(context, call)
        for left, right, sure in _suffixes(context, shared, sides):
            edits = [
                syntax.add_keyword(context.cell, call, "suffixes", f"({syntax.literal(left)}, {syntax.literal(right)})")
            ]
            yield self.offer(_title(left, right), edits, self._evidence(shared), sure=sure)

    def _joined(self, context: Context, call: ast.Call) -> Iterator[Proposal]:
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "join":
            return
        sides = _sides(context, call)
        both = [set(columns.labels_of(context, s) or ()) for s in sides]
        if len(both) != 2:
            return
        shared = [str(c) for c in both[0] & both[1]]
        found = list(_suffixes(context, shared, sides))
        if not found and all(s.isidentifier() for s in sides) and sides[0] != sides[1]:
            found = [(f"_{sides[0]}", f"_{sides[1]}", False)]
        for left, right, sure in found:
            edits = [
                syntax.add_keyword(context.cell, call, name, syntax.literal(suffix))
                for name, suffix in (("lsuffix", left), ("rsuffix", right))
                if suffix
            ]
            yield self.offer(_title(left, right), edits, self._evidence(shared), sure=sure)

    def _evidence(self, shared: list[str]) -> str:
        return f"both sides have {labels.listed(shared)}; these suffixes give the names that the cell uses"


def _title(left: str, right: str) -> str:
    return f"tell the sides apart by {left!r} and {right!r}"


def _made_by(context: Context, frame: ast.expr) -> ast.Call | None:
    """The merge whose result is in a variable."""
    if not isinstance(frame, ast.Name):
        return None
    for node in syntax.nodes(context.cell):
        if isinstance(node, ast.Assign) and [syntax.dotted(t) for t in node.targets] == [frame.id]:
            for call in ast.walk(node.value):
                if isinstance(call, ast.Call) and len(list(columns.merge_namings(context, call))) >= 2:
                    return call
    return None


def _sides(context: Context, call: ast.Call) -> list[str]:
    method = isinstance(call.func, ast.Attribute) and not syntax.function_of(context.cell, call, "pandas")
    if isinstance(call.func, ast.Attribute) and method and call.args:
        return [ast.unparse(call.func.value), ast.unparse(call.args[0])]
    return [ast.unparse(a) for a in call.args[:2]]


def _suffixes(context: Context, shared: list[str], sides: list[str]) -> Iterator[tuple[str, str, bool]]:
    """The suffixes that give the two names under which the cell reads a shared column."""
    made = {
        id(n.slice) for n in syntax.nodes(context.cell) if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)
    }
    texts = [n for n in syntax.nodes(context.cell) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    written = {n.value for n in texts if id(n) in made}
    used = {n.value for n in texts if isinstance(n.value, str)} - written
    found: set[tuple[str, ...]] = set()
    for column in shared:
        wanted = {u[len(column) :] for u in used if u.startswith(column) and (u == column or u[len(column)] in "_ .-")}
        if wanted and wanted != {""}:
            found.add(tuple(sorted(wanted)))
    if len(found) != 1 or len(sides) != 2:
        return
    wanted_ = next(iter(found))
    pair = ("", wanted_[0]) if len(wanted_) == 1 else wanted_
    if len(pair) != 2:
        return
    fits = [(a, b) for a, b in (pair, pair[::-1]) if _fits(a, sides[0]) and _fits(b, sides[1])]
    for left, right in fits or [(pair[0], pair[1]), (pair[1], pair[0])]:
        yield left, right, len(fits) == 1


def _fits(suffix: str, side: str) -> bool:
    """Whether a suffix is a word of the name of a side; no suffix fits any."""
    return not suffix or bool(set(labels.words(suffix)) & set(labels.words(side)))
