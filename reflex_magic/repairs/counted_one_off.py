"""`counted-one-off`: one row more or fewer is taken than the goal or a comment says."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class CountedOneOff(Answer):
    """One row more or fewer is taken than the goal or a comment says.

    The limit of the slice that is written as a number is moved by as much.

    Example
    -------
    ::

        import pandas as pd
        runs = pd.DataFrame({"sec": range(20)})
        %%reflect
        # mean of the first 10 runs
        mean = runs.iloc[0:9]["sec"].mean()
        %%repaired
        # mean of the first 10 runs
        mean = runs.iloc[0:10]["sec"].mean()
    """

    name = "counted-one-off"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        meant, taken = at.finding.evidence.get("meant"), at.finding.evidence.get("taken")
        match at.node:
            case ast.Subscript(slice=ast.Slice(upper=ast.Constant(value=int(limit)) as written)):
                new = limit + int(meant or 0) - int(taken or 0)
            case ast.Subscript(
                slice=ast.Slice(lower=ast.UnaryOp(operand=ast.Constant(value=int(limit)) as written), upper=None)
            ):
                new = limit + int(meant or 0) - int(taken or 0)
            case _:
                return
        if meant and taken:
            yield Way(f"take {meant}", [syntax.replace(at.cell, written, str(new))])
