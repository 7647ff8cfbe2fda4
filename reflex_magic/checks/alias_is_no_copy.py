"""`alias-is-no-copy`: a second name for a table is taken for a copy."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_KEPT = re.compile(r"(.*_)?(before|backup|orig|original|old|raw|copy|saved|snapshot|untouched|baseline)(_.*)?", re.I)


class AliasIsNoCopy(Check):
    """``before = df`` is no copy: what is then written to `df` is in `before` too.

    Found where a table gets a second name, is written to under one of them, and the cell then reads both in one
    statement, or reads the name that says that it is what was before (`before`, `original`, `backup`). Silent where
    either name is bound anew in between, and where only one of them is read.

    Example
    -------
    ::

        import pandas as pd
        staff = pd.DataFrame({"pay": [10.0, 20.0]})
        %%reflect
        before = staff
        staff["pay"] = staff["pay"] * 2
        raised = staff["pay"].sum() - before["pay"].sum()
        %%clean
        before = staff.copy()
        staff["pay"] = staff["pay"] * 2
        raised = staff["pay"].sum() - before["pay"].sum()
    """

    name = "alias-is-no-copy"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        body = run.cell.tree.body if run.cards else []
        for step, node in enumerate(body):
            match node:
                case ast.Assign(targets=[ast.Name(id=alias)], value=ast.Name(id=table)):
                    pass
                case _:
                    continue
            if not any(c.is_frame and c.name == table for card in run.cards if card.step == step for c in card.before):
                continue
            where = _taken_for_a_copy(body[step + 1 :], alias, table)
            if where is not None:
                span = run.cell.span(node)
                yield Finding(
                    self.code,
                    Severity.MAY,
                    span,
                    run.cell.text(span),
                    f"`{alias}` and `{table}` are one table: what is written to it in line {where} is under both names",
                    f"Write {alias} = {table}.copy().",
                )


def _taken_for_a_copy(body: list[ast.stmt], alias: str, table: str) -> int | None:
    """The line in which the table is written to, if both names are read after it as if they were two tables."""
    written: int | None = None
    for node in body:
        names = {(n.id, type(n.ctx)) for n in ast.walk(node) if isinstance(n, ast.Name)}
        if written is not None:
            read = {name for name, kind in names if kind is ast.Load} - _bases(node)
            kept = alias if _KEPT.fullmatch(alias) else table if _KEPT.fullmatch(table) else None
            if {alias, table} <= read or kept in read:
                return written
        if any((name, ast.Store) in names for name in (alias, table)):
            return None
        if written is None and not _bases(node).isdisjoint({alias, table}):
            written = node.lineno
    return None


def _bases(node: ast.stmt) -> set[str]:
    """The tables that a statement writes to: ``df["x"] = ...``, ``df.loc[...] = ...``, ``df.drop(inplace=True)``."""
    found: set[str] = set()
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    for place in targets:
        match place:
            case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name))):
                found.add(name)
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)), keywords=keywords)):
            if any(
                k.arg == "inplace" and isinstance(k.value, ast.Constant) and k.value.value is True for k in keywords
            ):
                found.add(name)
    return found
