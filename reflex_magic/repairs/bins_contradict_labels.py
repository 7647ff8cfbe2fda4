"""`bins-contradict-labels`: values on an edge get the label of the other bin than the labels say."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class BinsContradictLabels(Answer):
    """Values on an edge get the label of the other bin than the labels say.

    The edge goes to the other bin: ``right=False``, or `right` is taken out.

    Example
    -------
    ::

        import pandas as pd
        ages = pd.Series([12, 18, 40])
        %%reflect
        group = pd.cut(ages, [0, 18, 65], labels=["under 18", "18-64"])
        %%repaired
        group = pd.cut(ages, [0, 18, 65], labels=["under 18", "18-64"], right=False)
    """

    name = "bins-contradict-labels"
    kind = "bin_labels"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if isinstance(at.node, ast.Call):
            wanted = str(not at.facts.get("right", True))
            yield Way(
                f"the edges as the labels say: right={wanted}", [syntax.add_keyword(at.cell, at.node, "right", wanted)]
            )
