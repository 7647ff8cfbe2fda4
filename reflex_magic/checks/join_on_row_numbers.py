"""`join-on-row-numbers`: rows are put beside each other by number, although both tables have a key."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from reflex_magic.checks.base import Check, listed
from reflex_magic.checks.intent import says_so
from reflex_magic.checks.syntax import call, target
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_BY_NUMBER = re.compile(
    r"\b(row numbers?|row by row|by (row|position)|position\w*|same order|side by side|line by line)\b", re.IGNORECASE
)

_SHUFFLED = re.compile(r"\.(sample|shuffle|permutation|permuted|choice)\(")


Marks = tuple[int, ...]


class JoinOnRowNumbers(Check):
    """`join`, or `concat` along the columns, of two tables with no index but row numbers.

    Reported when both have a column of the same name that holds the same keys in other rows, or when columns
    are picked from a table that has a key in common with the other one, in other rows. Silent when the
    keys stand in the same rows, when either table has an index of its own, when a comment says that rows
    belong together by position, and in a cell that draws or shuffles rows.

    Example
    -------
    ::

        import pandas as pd
        trips = pd.DataFrame({"car": ["b", "a", "b"], "km": [10, 20, 30]})
        cars = pd.DataFrame({"car": ["a", "b", "c"], "seats": [4, 5, 7]})
        %%reflect
        both = trips.join(cars[["seats"]])
        %%clean
        both = trips.join(cars.set_index("car"), on="car")
    """

    name = "join-on-row-numbers"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("beside"):
            if says_so(run.cell, op.span, _BY_NUMBER) or _SHUFFLED.search(run.cell.body):
                continue
            keys = _in_common(op, _picked_from(run, op))
            if keys:
                rows = op.facts["rows"]
                yield self.finding(
                    op,
                    Severity.MAY,
                    f"rows were put beside each other by their number ({' and '.join(f'{n:,}' for n in rows)} rows),"
                    f" but both tables have {listed(keys)}, and not in the same rows",
                    f'Join by the key: .merge(other, on="{keys[0]}"), or .set_index("{keys[0]}") on both sides first.',
                    {"rows": list(rows), "keys": keys},
                )


def _picked_from(run: Run, op: Operation) -> list[Mapping[str, Marks]]:
    """The columns left out of what is put beside, where that was picked from a table."""
    node = call(run.cell, op)
    if node is None:
        return []
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return [
        other.facts["marks"]
        for other in run.operations
        if other.kind == "select"
        and (op.span.contains(other.span) or (other.span < op.span and target(run.cell, other.span).names & names))
    ]


def _in_common(op: Operation, left_out: list[Mapping[str, Marks]]) -> list[str]:
    """The columns that the first table shares with another one, holding the same keys in other rows."""
    mine, *others = op.facts["marks"]
    found = []
    for theirs in [*others, *left_out]:
        shared = [name for name in mine if name in theirs]
        # rows that agree in one of them do belong together
        if not any(mine[name] == theirs[name] for name in shared):
            found += [name for name in shared if _same_keys(mine[name], theirs[name])]
    return list(dict.fromkeys(found))


def _same_keys(mine: Marks, theirs: Marks) -> bool:
    both, least = set(mine) & set(theirs), min(len(set(mine)), len(set(theirs)))
    if len(both) < 2 or 2 * len(both) < least:
        return False
    return any(a != b for a, b in zip(mine, theirs, strict=False))
