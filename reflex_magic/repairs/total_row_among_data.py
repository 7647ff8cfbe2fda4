"""`total-row-among-data`: a report's row of totals is read among its records."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, assigned, below


class TotalRowAmongData(Answer):
    r"""A report's row of totals is read among its records.

    Offered: the rows labelled so are left out right after reading, or the last row, when it has no label. With the
    number of rows that go.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("shop,eur\nn,30\ns,50\nw,20\nTotal,100\n")
        %%reflect
        sales = pd.read_csv(file)
        mean = sales["eur"].mean()
        %%offered
        sales = pd.read_csv(file)
        sales = sales[sales["shop"] != "Total"]
        mean = sales["eur"].mean()
    """

    name = "total-row-among-data"
    kind = "read"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        name, total = assigned(at.cell, at.node), at.facts.get("total", {})
        if not name or at.facts.get("within"):
            return
        rows, word = at.facts.get("rows", 0), total.get("word")
        for label in at.facts.get("names", ()) if word else ():
            held = [v for v in at.values(f"{name}[{label!r}]") if isinstance(v, str) and v.strip() == str(word).strip()]
            if len(held) == 1:
                line = f"{name} = {name}[{name}[{syntax.literal(label)}] != {syntax.literal(held[0])}]"
                evidence = f"{at.finding.message}; leaves {total['rows']} of {rows} rows out"
                yield Way(f"without the rows {held[0]!r}", below(at.cell, at.node, line), evidence, sure=False)
                return
        if total.get("rows") == 1:
            evidence = f"{at.finding.message}; leaves 1 of {rows} rows out"
            yield Way(
                "without the last row", below(at.cell, at.node, f"{name} = {name}.iloc[:-1]"), evidence, sure=False
            )
