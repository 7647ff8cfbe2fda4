"""`last-row-is-not-latest`: the last row is taken for the latest, and another one is later."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.purpose import said
from reflex_magic.checks.syntax import target
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_THING = "(known|price|value|reading|visit|order|purchase|measurement|balance|status|payment)"
_LATEST = re.compile(rf"(\b|_)(latest|most[ _]recent|newest|current|closing)(\b|_)|\blast {_THING}\b", re.I)
_EARLIEST = re.compile(rf"(\b|_)(earliest|oldest|opening|initial)(\b|_)|\bfirst {_THING}\b", re.I)
_AS_IS = re.compile(r"\b(as (listed|recorded|entered)|row order|in the order|of the (table|list|file))\b", re.I)


class LastRowIsNotLatest(Check):
    """``df["price"].iloc[-1]`` for the latest price, or ``groupby("id").last()``, where a row above is later.

    Found where the goal, a comment or the name of the result speaks of the latest (or of the earliest, for the
    first row), the table has a date column, and by none of its date columns the row taken is the latest. Silent without
    such words, and where the order of the rows is meant.

    Example
    -------
    ::

        import pandas as pd
        prices = pd.DataFrame({"day": pd.to_datetime(["2024-01-03", "2024-01-01"]), "eur": [9.0, 7.0]})
        %%reflect
        latest = prices["eur"].iloc[-1]
        %%clean
        latest = prices.sort_values("day")["eur"].iloc[-1]
    """

    name = "last-row-is-not-latest"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("ends"):
            if not op.facts["dates"] or not all(op.facts["dates"].values()):
                continue
            f = op.facts
            if (f["method"] in ("head", "tail") and f["taken"] != 1) or not _is_meant(run, op):
                continue
            when = "latest" if f["method"] in ("tail", "last") else "earliest"
            missed = min(f["dates"].values())
            column = next(iter(f["dates"]))
            what = (
                f"in {missed:,} of {count(f['groups'], 'group')} the row that is taken is not the {when} by `{column}`"
                if f["groups"]
                else f"the row that is taken is not the {when} of {count(f['rows'], 'row')} by `{column}`"
            )
            yield self.finding(
                op,
                Severity.MAY,
                what,
                f'Sort first: df.sort_values("{column}").',
                {"rows": f["rows"], "groups": f["groups"], "missed": missed},
            )


def _is_meant(run: Run, op: Operation) -> bool:
    into = target(run.cell, op.span)
    text = " ".join([said(run), *into.names, *into.columns])
    words = _LATEST if op.facts["method"] in ("tail", "last") else _EARLIEST
    return bool(words.search(text)) and not _AS_IS.search(text)
