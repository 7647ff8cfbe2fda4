"""`rows-of-several-groups`: the row before is taken, and it is of another group."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import says_so
from reflex_magic.checks.purpose import holders, said
from reflex_magic.checks.syntax import calls, mentions, texts
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_STEPS = frozenset({"diff", "pct_change", "shift"})
_GROUPS = frozenset({"groupby", "group_by", "pivot_table", "pivot"})
_ALL = re.compile(r"\b(overall|across|altogether|whole|in all|all \w+ together|in the order|any \w+|global\w*)\b", re.I)


class RowsOfSeveralGroups(Check):
    """`diff`, `shift`, `cumsum`, `rolling` and their like run on from the last row of one group into the next.

    Found where a column says whose row it is, and the cell groups by that column what came out, or speaks of it ("each
    meter", "per shop"), or the dates start anew in each group. For `diff`, `shift` and `pct_change` also where the
    rows of several groups are woven by date: the row before is then of another one.

    Silent on groups (``df.groupby("meter")["value"].diff()``), where the cell compares the column with its own
    shifted self, for a running total without any of these signs, and where a comment says that it goes across.

    Example
    -------
    ::

        import pandas as pd
        readings = pd.DataFrame({"meter": ["m1", "m1", "m2", "m2"], "value": [100, 130, 1000, 1010]})
        %%reflect
        readings["used"] = readings["value"].diff()
        used = readings.groupby("meter")["used"].sum()
        %%clean
        readings["used"] = readings.groupby("meter")["value"].diff()
        used = readings.groupby("meter")["used"].sum()
    """

    name = "rows-of-several-groups"
    frames = ("pandas", "polars")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        ops = [op for op in run.operations if op.kind == "row_order" and op.facts["of"] != "text"]
        if not any(op.facts["groups"] for op in ops):
            return
        text = said(run)
        for op in ops:
            later = _grouped_later(run.cell, op)
            key = next((k for k, g in op.facts["groups"].items() if _crosses(run.cell, text, later, op, k, g)), None)
            if key is not None and says_so(run.cell, op.span, _ALL):
                continue
            if key is not None:
                yield self._finding(op, key)

    def _finding(self, op: Operation, key: str) -> Finding:
        f, group = op.facts, op.facts["groups"][key]
        rows = count(f["looked"], "row") + (" looked at" if f["looked"] < f["rows"] else "")
        return self.finding(
            op,
            Severity.MAY,
            f"in {count(group['changes'], 'place')} of {rows} the row before is of another `{key}`, and"
            f" `{f['method']}` runs on over it",
            f'Take it within each group: df.groupby("{key}")["{f["column"]}"].{f["method"]}(...).',
            {
                "rows": f["rows"],
                "changes": group["changes"],
                "groups": group["distinct"],
                "layout": group["layout"],
                "key": key,
            },
        )


def _crosses(cell: Cell, text: str, later: set[str], op: Operation, key: str, group: Mapping[str, Any]) -> bool:
    method, layout = op.facts["method"], group["layout"]
    # Steps back in time are told by themselves; those between any two events may be meant.
    shows = op.facts["of"] == "number" and (layout == "blocks" or (layout == "woven" and method in _STEPS))
    sure = shows or _speaks_of(text, key) or key in later
    return sure and not _looks_at_borders(cell, key)


def _looks_at_borders(cell: Cell, key: str) -> bool:
    """Whether the cell finds the borders of the groups itself: ``df["meter"] == df["meter"].shift()``."""
    for _, method, on in calls(cell):
        if method in ("shift", "diff", "ne", "eq", "duplicated", "cumcount") and key in _last(on):
            return True
    return False


def _last(node: ast.expr) -> set[str]:
    match node:
        case ast.Subscript(slice=part):
            return texts(part)
        case ast.Attribute(attr=name):
            return {name}
    return set()


def _grouped_later(cell: Cell, op: Operation) -> set[str]:
    """The columns by which what came out is grouped."""
    found: set[str] = set()
    if not re.search(r"\b(group_?by|pivot|pivot_table)\(", cell.python):
        return found
    made = holders(cell, op)
    for around in cell.tree.body:
        if around.lineno <= op.span.end_line or mentions(around).isdisjoint(made):
            continue
        for node in ast.walk(around):
            match node:
                case ast.Call(func=ast.Attribute(attr=method)) if method in _GROUPS:
                    found |= texts(node)
    return found


def _speaks_of(text: str, key: str) -> bool:
    """``per meter``, ``of each shop``: in words, whatever the column is called exactly."""
    word = re.sub(r"(_?(id|no|nr|code|key|number|name))$", "", key.lower()).replace("_", " ") or key.lower()
    stem = re.escape(word.removesuffix("s"))
    return bool(re.search(rf"\b(per|each|every|by|within(?: (?:a|the|each))?)\s+{stem}(s|es)?\b", text, re.I))
