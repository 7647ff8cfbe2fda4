"""`thousands-read-as-decimals`: the mark between digits is taken for the other one, and numbers are off."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class ThousandsReadAsDecimals(Answer):
    r"""The mark between digits is taken for the other one, and numbers are off.

    ``decimal=","`` and ``thousands="."`` where another column has a decimal comma; a wrong ``thousands=","``
    becomes a decimal mark. Offered where only the form of the numbers tells.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("town;people;km2\nUlm;1.234;12,5\nBonn;3.200;8,1\nKiel;2.470;9,75\n")
        %%reflect
        towns = pd.read_csv(file, sep=";")
        people = towns["people"].sum()
        %%repaired
        towns = pd.read_csv(file, sep=";", decimal=",", thousands=".")
        people = towns["people"].sum()
    """

    name = "thousands-read-as-decimals"
    kind = "read"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if not isinstance(at.node, ast.Call) or not at.first or syntax.keyword(at.node, "decimal"):
            return
        given = syntax.keyword(at.node, "thousands")
        written = syntax.constant(given.value) if given else None
        if given is not None and written == ",":
            yield Way("the comma is a decimal mark", [Edit(at.cell.span(given), 'decimal=","')])
        elif given is None:
            commas = any(t.get("reason") == "separators" for t in at.facts.get("texts", {}).values())
            edit = syntax.add_keyword(at.cell, at.node, "decimal", '",", thousands="."')
            yield Way("the point parts thousands, the comma decimals", [edit], sure=commas)
