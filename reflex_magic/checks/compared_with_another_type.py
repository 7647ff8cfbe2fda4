"""`compared-with-another-type`: nothing is equal, because one side is a text and the other is not."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_WORDS = {
    "text": "text",
    "number": "numbers",
    "truth": "truth values",
    "stamp": "points in time",
    "day": "dates",
    "mixed": "values of several types",
}


class ComparedWithAnotherType(Check):
    """Values that a person reads as equal are not, because their types differ.

    Text is compared with a number (``"1"`` with 1), with a truth value (``"True"`` with True), a date with the text
    of a date. pandas raises nothing: `==` is false for all of them and `!=` is true. Silent when no value of the data
    reads as the other side does.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"shop": ["1", "2", "1"], "eur": [5.0, 7.0, 9.0]})
        %%reflect
        first = orders.loc[orders["shop"] == 1, "eur"].sum()
        %%clean
        first = orders.loc[orders["shop"] == "1", "eur"].sum()
    """

    name = "compared-with-another-type"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("compare"):
            f = op.facts
            if f["how"] != "type":
                continue
            column = f"`{f['column']}`" if f["column"] else "the left side"
            sides = f"{column} holds {_WORDS[f['left']]} and is compared with {_WORDS[f['right']]}"
            missed = f"{f['near']:,} of {count(f['looked'], 'value')} would be equal in one type"
            told = {name: f[name] for name in ("rows", "matched", "near", "looked", "left", "right")}
            yield self.finding(
                op,
                Severity.MAY,
                f"{sides}: {missed}, and `{f['op']}` does not see it",
                "Bring both sides to one type before comparing.",
                told,
            )
