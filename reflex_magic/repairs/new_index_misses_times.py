"""`new-index-misses-times`: a new index ends at the midnight of its last day, and times of that day are dropped."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class NewIndexMissesTimes(Answer):
    """A new index ends at the midnight of its last day, and times of that day are dropped.

    The end of its `date_range` becomes the end of the day. Silent where it is written elsewhere.

    Example
    -------
    ::

        import pandas as pd
        load = pd.Series(1.0, index=pd.date_range("2024-01-01", "2024-01-03 23:00", freq="h"))
        %%reflect
        whole = load.reindex(pd.date_range("2024-01-01", "2024-01-03", freq="h"))
        %%repaired
        whole = load.reindex(pd.date_range("2024-01-01", "2024-01-03 23:59:59", freq="h"))
    """

    name = "new-index-misses-times"
    kind = "reindex_times"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        for call in ast.walk(at.node):
            if isinstance(call, ast.Call) and syntax.function_of(at.cell, call, "pandas") == "date_range":
                given = syntax.keyword(call, "end")
                end = given.value if given else call.args[1] if len(call.args) > 1 else None
                match end:
                    case ast.Constant(value=str(day)) if at.facts.get("late") and re.fullmatch(r"\d{4}-\d\d-\d\d", day):
                        new = syntax.quoted(at.cell, end, f"{day} 23:59:59")
                        yield Way("to the end of the last day", [syntax.replace(at.cell, end, new)])
