"""`utc-days-as-local-days`: days or hours are taken of times in UTC where local ones are meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.purpose import holders, said
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_LOCAL = re.compile(
    r"(?<![A-Za-z])(?i:local(?=[ _-]?(day|date|time|hour|week|month|midnight|clock|calendar|morning|evening|noon)))"
    r"|(?<=[a-z])_local\b"
    r"""|["'](Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific|US)/[A-Z]\w+(/\w+)?["']"""
)
_UTC = re.compile(
    r"utc[ _-]?(calendar )?(days?|dates?|hours?|time|midnight)|(days?|dates?|hours?) (is |are )?(in )?utc",
    re.IGNORECASE,
)

_CONVERTED = re.compile(r"""tz_convert\(\s*(tz\s*=\s*)?["']UTC""", re.IGNORECASE)


class UtcDaysAsLocalDays(Check):
    """The day, hour or weekday is taken of times in UTC, and the cell or its goal speaks of local time.

    Near midnight another day begins in UTC than at the place that is meant. Found where the times are in UTC when
    `.dt.date`, `floor("D")`, `resample("D")` or their like are called, and a comment, the goal or a name says "local
    day" or the like, or a time zone such as "Europe/Berlin" stands in the cell.

    Silent where nothing speaks of local time, where the times are all midnight, where the cell or its goal says UTC
    day or hour or converts to UTC, and where the result is named for UTC.

    Example
    -------
    ::

        import pandas as pd
        trips = pd.DataFrame({"at": pd.to_datetime(["2024-07-02T01:30Z", "2024-07-02T18:00Z"])})
        %%reflect
        # trips per local day
        per_day = trips.groupby(trips["at"].dt.date).size()
        %%clean
        # trips per local day
        per_day = trips.groupby(trips["at"].dt.tz_convert("America/Vancouver").dt.date).size()
    """

    name = "utc-days-as-local-days"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        found = list(run.of("utc_part"))
        words = f"{said(run)}\n{run.cell.python}" if found else ""
        if not _LOCAL.search(words) or _UTC.search(words) or _CONVERTED.search(words):
            return
        for op in found:
            if any("utc" in name.lower() for name in holders(run.cell, op)):
                continue
            yield self.finding(
                op,
                Severity.MAY,
                f"`{op.facts['part']}` is taken of {count(op.facts['rows'], 'time')} in UTC, and the"
                " cell speaks of local time",
                "Convert first: `.dt.tz_convert(zone)`.",
                {"rows": op.facts["rows"]},
            )
