"""`time-unit-missed`: numbers are read as times in a unit that puts them into 1970 or far away."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class TimeUnitMissed(Answer):
    """Numbers are read as times in a unit that puts them into 1970 or far away.

    Writes the unit when there is one under which all numbers are times between 1980 and 2060.

    Example
    -------
    ::

        import pandas as pd
        log = pd.DataFrame({"at": [1700000000, 1700000060]})
        %%reflect
        log["at"] = pd.to_datetime(log["at"])
        %%repaired
        log["at"] = pd.to_datetime(log["at"], unit="s")
    """

    name = "time-unit-missed"
    kind = "number_dates"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node, at.facts.get("fits"):
            case ast.Call() as call, (unit,):
                evidence = f"{at.finding.message}; all {at.facts['values']} lie between 1980 and 2060 in {unit}"
                yield Way(
                    f"the numbers are in {unit}", [syntax.add_keyword(at.cell, call, "unit", f'"{unit}"')], evidence
                )
