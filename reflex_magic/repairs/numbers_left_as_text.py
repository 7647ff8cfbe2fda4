"""`numbers-left-as-text`: a column of a file is text, because of signs, marks or words among its numbers."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.repairs import conversion, syntax
from reflex_magic.repairs.answer import Answer, Found, Way, assigned, below


class NumbersLeftAsText(Answer):
    r"""A column of a file is text, because of signs, marks or words among its numbers.

    It becomes numbers right after it is read, when one way reads all of its texts. Offered where a mark may mean
    zero.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("shop,eur\nn,$900\ns,\"$1,250\"\nw,$80\ne,$4\n")
        %%reflect
        sales = pd.read_csv(file)
        best = sales["eur"].max()
        %%repaired
        sales = pd.read_csv(file)
        sales["eur"] = sales["eur"].str.replace("[$,]", "", regex=True).astype(float)
        best = sales["eur"].max()
    """

    name = "numbers-left-as-text"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        name = assigned(at.cell, at.node)
        if not name or not at.first:
            return
        lines, proofs, sure = [], [], True
        for label in at.columns:
            place = f"{name}[{syntax.literal(label)}]"
            known = conversion.column(at.context, [place])
            if known is None or len(known.readings) != 1 or known.readings[0].percent:
                return
            reading = known.readings[0]
            sure = sure and not reading.doubts
            lines.append(f"{place} = {conversion.cleaned_text(place, reading, mixed=known.mixed)}.astype(float)")
            proofs.append(conversion.evidence(known, reading))
        title = f"{', '.join(f'`{c}`' for c in at.columns)} as numbers"
        yield Way(title, below(at.cell, at.node, "\n".join(lines)), "; ".join(proofs), sure)
