"""`fractions-cut-off`: computed numbers a hair below a whole one lose it when they are cut."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.repairs.answer import Answer, Found, Way, through


class FractionsCutOff(Answer):
    """Computed numbers a hair below a whole one lose it when they are cut.

    The numbers are rounded before they become whole numbers.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"eur": [19.99, 4.35, 0.29]})
        %%reflect
        sales["cents"] = (sales["eur"] * 100).astype(int)
        %%repaired
        sales["cents"] = (sales["eur"] * 100).round().astype(int)
    """

    name = "fractions-cut-off"
    kind = "cast"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        evidence = f"{at.finding.message}; {at.facts.get('slipped', 0)} are a hair below a whole number"
        yield Way("round before cutting", through(at.cell, at.node, "round()"), evidence)
