"""`duration-without-its-days`: `.dt.seconds` is what is left of a duration after its whole days."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class DurationWithoutItsDays(Answer):
    """`.dt.seconds` is what is left of a duration after its whole days.

    Takes the whole duration: ``.dt.total_seconds()``.

    Example
    -------
    ::

        import pandas as pd
        jobs = pd.DataFrame({"took": pd.to_timedelta(["5h", "49h"])})
        %%reflect
        hours = jobs["took"].dt.seconds / 3600
        %%repaired
        hours = jobs["took"].dt.total_seconds() / 3600
    """

    name = "duration-without-its-days"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Attribute(attr="seconds") as member:
                yield Way("the whole duration", [syntax.rename_member(at.cell, member, "total_seconds()")])
