"""`markers-averaged`: numbers that stand for no value, such as -999, are averaged with the others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.repairs.answer import Answer, Found, Way, column, through


class MarkersAveraged(Answer):
    """Numbers that stand for no value, such as -999, are averaged with the others.

    The number becomes missing where the column is averaged. Zeros are offered.

    Example
    -------
    ::

        import pandas as pd
        probes = pd.DataFrame({"ph": [7.1, -999.0, 6.8, 7.4, -999.0, 7.0, 7.2]})
        %%reflect
        mean = probes["ph"].mean()
        %%repaired
        mean = probes["ph"].replace(-999.0, float("nan")).mean()
    """

    name = "markers-averaged"
    kind = "average"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        marker, zeros = at.facts.get("sentinel"), at.facts.get("zeros")
        match at.node:
            case ast.Call(func=ast.Attribute(value=holder)) if place := column(holder):
                values = [v for v in at.values(holder) if isinstance(v, (int, float))]
            case _:
                return
        marks: list[float] = []
        if marker:
            marks = [v for v in values if re.fullmatch(r"-?9{2,5}(\.0)?", str(v)) and (v < 0) is marker["negative"]]
        elif zeros:
            marks = [0]
        if len(marks) == 1:
            edits = through(at.cell, at.node, f'replace({marks[0]!r}, float("nan"))')
            yield Way(f"{marks[0]:g} is no value of `{place[1]}`", edits, sure=bool(marker))
