"""`group-keys-dropped`: rows without a key are in no group."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, listed
from reflex_magic.checks.intent import LEFT_OUT, counts_the_rest, looks_at_missing, says_so
from reflex_magic.checks.syntax import call, receiver, variable
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_ADDS = frozenset({"sum", "count", "size"})


class GroupKeysDropped(Check):
    """Totals by group leave out rows whose key is missing, so that they do not add up to the whole.

    Looks at what adds up over groups: sums, counts, sizes, and loops over the groups. Silent when
    no key is missing; when ``dropna=`` is written; when a comment on the statement or just above
    says that rows are left out; and when the cell itself tests the key for missing values or
    counts the rest (``len(df) - counted``).

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
            if op.kind not in ("groupby", "pivot_table") or not op.facts["missing"]:
                continue
            if "dropna" in op.keywords or "**" in op.keywords or not _adds_up(run.cell, op):
                continue
            node = call(run.cell, op)
            frame = variable(receiver(node))
            keys = [key for key in op.facts["keys"] if key]
            if frame == "pd" and node is not None and node.args:
                frame = variable(node.args[0])
            known = looks_at_missing(run.cell, frame, keys) or counts_the_rest(run.cell, frame)
            if not known and not says_so(run.cell, op.span, LEFT_OUT):
                yield self._finding(op, keys)

    def _finding(self, op: Operation, keys: list[str]) -> Finding:
        missing, rows = op.facts["missing"], op.facts["rows"]
        key = listed(keys) if keys else "key"
        return Finding(
            self.code,
            Severity.MAY,
            op.span,
            op.expression,
            f"{missing:,} of {count(rows, 'row')} {'has' if missing == 1 else 'have'} no {key} and"
            f" {'is' if missing == 1 else 'are'} in no group of `{op.expression}`",
            "Write dropna=False to give them a group of their own, or dropna=True to say that they are left out.",
            {"rows": rows, "missing": missing, "keys": list(op.facts["keys"]), "total": op.facts["total"]},
        )


def _adds_up(cell: Cell, op: Operation) -> bool:
    """Whether what is made of the groups should add up to what went in."""
    called = set(op.facts["aggregations"])
    return bool(called & _ADDS) or (not called and _is_looped_over(cell, op))


def _is_looped_over(cell: Cell, op: Operation) -> bool:
    node = call(cell, op)
    return node is not None and any(
        part.iter is node for part in ast.walk(cell.tree) if isinstance(part, (ast.For, ast.comprehension))
    )
