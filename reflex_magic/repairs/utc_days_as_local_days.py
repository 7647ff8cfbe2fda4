"""`utc-days-as-local-days`: days or hours of times in UTC are taken for those of a place."""

from __future__ import annotations

import ast
import re
import zoneinfo
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class UtcDaysAsLocalDays(Answer):
    """Days or hours of times in UTC are taken for those of a place.

    The times are converted to the zone first, when the goal or the cell names it, or one city of it, in every place
    where the cell takes such a part. Silent where no zone is named, and where several are.

    Example
    -------
    ::

        import pandas as pd
        trips = pd.DataFrame({"at": pd.to_datetime(["2024-07-02T01:30Z", "2024-07-02T18:00Z"])})
        %%reflect
        # trips per local day in Vancouver
        per_day = trips.groupby(trips["at"].dt.date).size()
        %%repaired
        # trips per local day in Vancouver
        per_day = trips.groupby(trips["at"].dt.tz_convert("America/Vancouver").dt.date).size()
    """

    name = "utc-days-as-local-days"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        zone = _zone(f"{at.context.goal}\n{at.cell.body}")
        edits = []
        for _, node in syntax.found(at.context, self.name) if zone else ():
            member = node.func if isinstance(node, ast.Call) else node
            if not isinstance(member, ast.Attribute):
                return
            within = ".dt" if isinstance(member.value, ast.Attribute) and member.value.attr == "dt" else ""
            edits.append(syntax.insert_before_member(at.cell, member, f'tz_convert("{zone}"){within}.'))
        yield Way(f"in the time of {zone}", edits)


def _zone(words: str) -> str:
    """The one time zone that is named, as "Europe/Berlin" or by its city; "" for none or several."""
    known = [
        z for z in zoneinfo.available_timezones() if re.match("(Africa|America|Asia|Australia|Europe|Pacific)/", z)
    ]
    named = {z for z in known if z in words}
    if not named:
        named = {z for z in known if re.search(rf"\b{re.escape(z.rpartition('/')[2].replace('_', ' '))}\b", words)}
    return named.pop() if len(named) == 1 else ""
