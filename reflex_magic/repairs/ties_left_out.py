"""`ties-left-out`: one of several equal largest values is taken, and all are meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class TiesLeftOut(Answer):
    """One of several equal largest values is taken, and all are meant.

    `nlargest` and `nsmallest` get ``keep="all"``; a list of one ``idxmax()`` becomes the list of all. Offered
    elsewhere, because a list takes the place of one label.

    Example
    -------
    ::

        import pandas as pd
        units = pd.Series([7, 9, 9], index=["cup", "hat", "cap"])
        %%reflect
        # all products that share the top count
        best = [units.idxmax()]
        %%repaired
        # all products that share the top count
        best = units[units == units.max()].index.tolist()
    """

    name = "ties-left-out"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match at.node:
            case ast.Call(func=ast.Attribute(attr="nlargest" | "nsmallest")) as call:
                yield Way("keep all that are equal", [syntax.add_keyword(at.cell, call, "keep", '"all"')])
            case (
                ast.Call(
                    func=ast.Attribute(value=holder, attr="idxmax" | "idxmin" as method), args=[], keywords=[]
                ) as call
            ):
                source = syntax.receiver(at.cell, holder)
                every = f"{source}[{source} == {source}.{method.removeprefix('idx')}()].index.tolist()"
                around = syntax.parent(at.cell, call)
                listed = isinstance(around, ast.List) and len(around.elts) == 1
                node = around if isinstance(around, ast.List) and listed else call
                yield Way("all that share the value", [syntax.replace(at.cell, node, every)], sure=listed)
