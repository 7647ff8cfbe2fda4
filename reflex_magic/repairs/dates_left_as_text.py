"""`dates-left-as-text`: a column of dates in a file is text, and is ordered by its letters."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.repairs import dates, syntax
from reflex_magic.repairs.answer import Answer, Found, Way, assigned, below


class DatesLeftAsText(Answer):
    r"""A column of dates in a file is text, and is ordered by its letters.

    It becomes dates right after it is read, in the one format that reads all of its texts. Where day and month can
    be told either way, both formats are offered.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("day,eur\n03/05/2024,1\n13/04/2024,2\n")
        %%reflect
        sales = pd.read_csv(file, parse_dates=["day"])
        first = sales["day"].min()
        %%repaired
        sales = pd.read_csv(file, parse_dates=["day"])
        sales["day"] = pd.to_datetime(sales["day"], format="%d/%m/%Y")
        first = sales["day"].min()
    """

    name = "dates-left-as-text"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        name, pd = assigned(at.cell, at.node), syntax.alias(at.cell, "pandas")
        label = at.finding.evidence.get("column")
        place = f"{name}[{syntax.literal(label)}]"
        texts = [v for v in at.values(place) if isinstance(v, str)] if name and label else []
        formats = dates.concrete(texts)
        for form in formats:
            line = f"{place} = {pd}.to_datetime({place}, format={syntax.literal(form)})"
            evidence = f"{at.finding.message}; {form} reads all {len(texts)} distinct texts"
            yield Way(f"`{label}` as dates, {form}", below(at.cell, at.node, line), evidence, sure=len(formats) == 1)
