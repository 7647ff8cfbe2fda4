"""`units-stripped`: units of several sizes are removed, and the numbers stand side by side."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, shaped
from reflex_magic.checks.syntax import calls
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_LOOKS = frozenset(
    {"contains", "endswith", "startswith", "match", "findall", "where", "mask", "select", "get", "extractall"}
)


class UnitsStripped(Check):
    r"""Units such as kg and g, or $ and €, are removed from the texts, and what they said is lost.

    Silent when all values have one unit, and when the cell looks at the unit as well: by `contains`, `endswith`, a
    second group of `extract`, or a condition.

    Example
    -------
    ::

        import pandas as pd
        stock = pd.DataFrame({"weight": ["5 kg", "500 g", "2 kg"]})
        %%reflect
        stock["kg"] = stock["weight"].str.extract(r"(\d+)", expand=False).astype(float)
        %%clean
        stock["kg"] = stock["weight"].str.extract(r"(\d+)", expand=False).astype(float)
        stock.loc[stock["weight"].str.endswith(" g"), "kg"] /= 1000
    """

    name = "units-stripped"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("text"):
            if not op.facts.get("units") or _looks_at_units(run.cell):
                continue
            f = op.facts
            yield self.finding(
                op,
                Severity.MAY,
                f"`{f['column']}` has {len(f['units'])} units ({shaped(f['units'])}) among"
                f" {count(f['looked'], 'text')},"
                f" and `{f['method']}` leaves the numbers without them",
                "Convert to one unit before removing them.",
                {"rows": f["rows"], "looked": f["looked"], "units": dict(f["units"])},
            )


def _looks_at_units(cell: Cell) -> bool:
    if any(method in _LOOKS for _, method, _ in calls(cell)):
        return True
    for node in cell.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr="extract"), args=[ast.Constant(value=str() as pattern), *_]):
                if pattern.count("(") > 1:
                    return True
            case ast.Subscript(value=ast.Attribute(attr="str")):
                return True
    return False
