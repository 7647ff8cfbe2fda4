"""`group-keys-dropped`: rows without a key are in no group."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, listed
from reflex_magic.checks.intent import LEFT_OUT, counts_the_rest, looks_at_missing, says_so
from reflex_magic.checks.syntax import blamed, call, receiver, statement, target, variable
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed, Operation, Run

_KINDS = frozenset({"groupby", "pivot_table", "crosstab", "value_counts"})
_FEW = 0.05
_GAPS = frozenset({"shift", "diff", "where", "mask"})
_ADDS = frozenset({"sum", "count", "size"})


class GroupKeysDropped(Check):
    """Totals by group leave out rows whose key is missing, so that they do not add up to the whole.

    Looks at what adds up over groups: sums, counts, sizes, and loops over the groups; at `crosstab`, where it is a note
    unless shares or margins are taken or one row in twenty is left out; and at `value_counts` where the cell asserts
    something of the counts, and that failed. Silent when
    no key is missing; when ``dropna=`` is written; when a comment on the statement, just above or at the
    top of the cell says that rows are left out; when the cell itself tests the key for missing values or
    counts the rest (``len(df) - counted``); and when it does nothing with the result but pick some groups
    of it (`nlargest`, `idxmax`, a condition) or look values up in it (``df["id"].map(result)``).

    Example
    -------
    ::

        import pandas as pd
        tickets = pd.DataFrame({"ticket": range(4), "agent": ["mia", None, "leo", "mia"]})
        %%reflect
        per_agent = tickets.groupby("agent")["ticket"].count()
        %%clean
        per_agent = tickets.groupby("agent", dropna=False)["ticket"].count()
    """

    name = "group-keys-dropped"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if op.kind not in _KINDS or not op.facts["missing"]:
                continue
            if op.kind == "value_counts" and not _is_blamed(run, op):
                continue  # what is counted is the values that are there
            if "dropna" in op.keywords or "**" in op.keywords or not _adds_up(run.cell, op):
                continue
            node = call(run.cell, op)
            frame = variable(receiver(node))
            keys = [key for key in op.facts["keys"] if key]
            if op.kind in ("pivot_table", "crosstab") and node is not None and node.args and frame in (None, "pd"):
                frame = variable(node.args[0])
            # an assertion that holds shows what its author knows, one that failed does not
            holds = isinstance(run.outcome, Completed)
            known = looks_at_missing(run.cell, frame, keys, asserted=holds) or counts_the_rest(run.cell, frame)
            known = known or _are_made_with_gaps(run.cell, keys)
            if not known and not _picks(run.cell, op) and not says_so(run.cell, op.span, LEFT_OUT):
                yield self._finding(op, keys, Severity.NOTE if _is_slight(op) else Severity.MAY)

    def _finding(self, op: Operation, keys: list[str], severity: Severity) -> Finding:
        missing, rows = op.facts["missing"], op.facts["rows"]
        key = listed(keys) if keys else "key"
        return self.finding(
            op,
            severity,
            f"{missing:,} of {count(rows, 'row')} {'has' if missing == 1 else 'have'} no {key} and"
            f" {'is' if missing == 1 else 'are'} in no group of `{op.expression}`",
            "Write dropna=False to give them a group of their own, or dropna=True to say that they are left out.",
            {"rows": rows, "missing": missing, "keys": list(op.facts["keys"]), "total": op.facts["total"]},
        )


def _is_blamed(run: Run, op: Operation) -> bool:
    """Whether an assertion about the counts failed."""
    return blamed(run, target(run.cell, op.span).names)


def _are_made_with_gaps(cell: Cell, keys: list[str]) -> bool:
    """Whether the cell makes a key by `shift` and its like, which leave the first row without one."""
    for node in cell.nodes:
        match node:
            case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=key))], value=value) if key in keys:
                if any(isinstance(n, ast.Attribute) and n.attr in _GAPS for n in ast.walk(value)):
                    return True
    return False


def _is_slight(op: Operation) -> bool:
    """Whether a cross table leaves out a few rows, and shows no whole that they are missing in."""
    few = op.facts["missing"] < _FEW * op.facts["rows"]
    return op.kind == "crosstab" and few and {"margins", "normalize"}.isdisjoint(op.keywords)


def _adds_up(cell: Cell, op: Operation) -> bool:
    """Whether what is made of the groups should add up to what went in."""
    called = set(op.facts["aggregations"])
    return bool(called & _ADDS) or (not called and _is_looped_over(cell, op))


def _is_looped_over(cell: Cell, op: Operation) -> bool:
    node = call(cell, op)
    return node is not None and any(
        part.iter is node for part in cell.nodes if isinstance(part, (ast.For, ast.comprehension))
    )


_PICKS = frozenset({"nlargest", "nsmallest", "idxmax", "idxmin"})


def _picks(cell: Cell, op: Operation) -> bool:
    """Whether the result is only asked for some of its groups: the largest, those above a limit, those of some keys."""
    around = statement(cell, op.span)
    if around is None:
        return False
    if any(isinstance(n, ast.Attribute) and n.attr in _PICKS for n in ast.walk(around)):
        return True
    (name,) = target(cell, op.span).names or ("",)
    later = [n for s in cell.tree.body if s.lineno > op.span.end_line for n in ast.walk(s)]
    uses = [n for n in later if isinstance(n, ast.Name) and n.id == name]
    above = {child: node for node in later for child in ast.iter_child_nodes(node)}
    picked = [_picked(use, above) for use in uses]
    return any(picked) and all(p or _shown(use, above) for use, p in zip(uses, picked, strict=True))


def _picked(use: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    match above.get(use):
        case ast.Attribute(attr=attr) if attr in _PICKS:
            return True
        case ast.Subscript(slice=ast.Compare()):
            return True
        case ast.Compare() as test:
            return isinstance(above.get(test), ast.Subscript)
        case ast.Attribute(attr="loc" | "reindex"):
            return True
        case ast.Call(func=ast.Attribute(attr="map"), args=[given]):
            return given is use
    return False


def _shown(use: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Whether a use only shows the result, or counts its groups."""
    match above.get(use):
        case ast.Call(func=ast.Name(id="print" | "display" | "len")) | ast.Expr():
            return True
    return False
