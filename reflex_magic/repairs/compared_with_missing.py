"""`compared-with-missing`: missing values are looked for with ``==``, which no missing value equals."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, equality


class ComparedWithMissing(Answer):
    """Missing values are looked for with ``==``, which no missing value equals.

    ``x == np.nan`` becomes ``x.isna()``, and ``!=`` becomes `notna`; so does a comparison with a text such as
    "nan". Where two columns are compared, that both are missing is offered as equal.

    Example
    -------
    ::

        import numpy as np
        import pandas as pd
        staff = pd.DataFrame({"name": ["Ada", "Bo"], "left": [2021.0, np.nan]})
        %%reflect
        active = staff[staff["left"] == np.nan]
        %%repaired
        active = staff[staff["left"].isna()]
    """

    name = "compared-with-missing"
    kind = "compare"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        sides = equality(at.node)
        if sides is None:
            return
        (holder, other, negated), how = sides, at.facts.get("how")
        left = syntax.receiver(at.cell, holder)
        if how == "both":
            both = f"({at.text(at.node)}) | ({left}.isna() & {syntax.receiver(at.cell, other)}.isna())"
            if not negated:
                yield Way(
                    "two missing values count as equal", [syntax.replace(at.cell, at.node, f"({both})")], sure=False
                )
        elif how in ("missing", "word") and not at.facts.get("blank"):
            test = "notna" if negated else "isna"
            yield Way(f"ask for missing values: {test}", [syntax.replace(at.cell, at.node, f"{left}.{test}()")])
