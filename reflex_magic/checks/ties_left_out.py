"""`ties-left-out`: one of several is taken that are equally large."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.purpose import said
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_ALL = re.compile(
    r"\b(all|every|each) (of )?(the )?\w+ (that|which|who|with|sharing|having|tied)\b|\b(ties|tied|joint|winners)\b"
    r"|\bshare the (top|first|highest|lowest)\b|\bwhich \w+s (have|are|share|sold|had)\b",
    re.IGNORECASE,
)
_ONE = re.compile(r"\b(any|one of|first|ties? (do|does) not|arbitrar\w*|whichever|earliest)\b", re.I)
_FIRST_MODE = re.compile(r"\.mode\(\)\s*(\[0\]|\.(iloc|iat|values)\[0\])")


class TiesLeftOut(Check):
    """`idxmax` gives the first of the largest, `nlargest` cuts off among equals, and ``mode()[0]`` is one of several.

    Found where the goal or a comment asks for all of them ("all that share the top", "ties"); a note without such
    words. Silent where nothing is tied, where ``keep=`` is written, and where a comment says that any will do.

    Example
    -------
    ::

        import pandas as pd
        units = pd.Series([7, 9, 9], index=["tea", "jam", "oil"])
        %%reflect
        # all products that share the top count
        best = [units.idxmax()]
        %%clean
        # all products that share the top count
        best = units[units == units.max()].index.tolist()
    """

    name = "ties-left-out"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("ties"):
            if _ONE.search(text := said(run)):
                continue
            if op.facts["method"] == "mode" and not _FIRST_MODE.search(run.cell.python):
                continue
            left, rows = op.facts["left"], op.facts["rows"]
            yield self.finding(
                op,
                Severity.MAY if _ALL.search(text) else Severity.NOTE,
                f"`{op.facts['method']}` leaves out {left:,} of {rows:,} that {'is' if left == 1 else 'are'} as large",
                'Compare with the value itself (s[s == s.max()]), or write keep="all" in nlargest.',
                {"rows": rows, "left": left},
            )
