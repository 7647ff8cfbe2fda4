"""`markers-averaged`: numbers that stand for a missing value are in a mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.purpose import said
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_MEASURES = re.compile(
    r"(.*_)?(temp\w*|weight\w*|height\w*|age|pressure|bp|bmi|mass|length|width|diameter|pulse|bpm|heart\w*|glucose"
    r"|oxygen|humid\w*|ph|density|altitude|size)(_.*)?",
    re.I,
)
_MEANT = re.compile(
    r"\b(zeros?|0) (is|are|count|means?|included?|as)\b|\bincluding (the )?zeros?\b|-1 (is|means)\b", re.I
)


class MarkersAveraged(Check):
    """A column holds numbers such as -999 or 9999 where nothing was measured, and they are averaged with the rest.

    Found for numbers of this kind that stand apart from all others and change the mean by more than one part in a
    hundred: the only negative ones (from -99 down; -1 and -9 are a note), or some far above the rest. Zeros are found
    where the column is called after something that is never 0 (weight, height, pressure, ...), else they are a note.

    Silent where the cell names the number itself, where values lie in between, and for zeros and ones only.

    Example
    -------
    ::

        import pandas as pd
        probes = pd.DataFrame({"ph": [7.1, 6.9, 7.0, 7.2, -999.0, 7.3, -999.0]})
        %%reflect
        mean = probes["ph"].mean()
        %%clean
        mean = probes["ph"].replace(-999.0, float("nan")).mean()
    """

    name = "markers-averaged"
    frames = ("pandas", "polars", "pyarrow")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            marker, zeros = op.facts.get("sentinel"), op.facts.get("zeros")
            if op.kind != "average" or not (marker or zeros) or _MEANT.search(said(run)):
                continue
            column = op.facts["column"]
            if marker is not None and marker["changed"] > 0.01:
                if re.search(r"(?<![\d.])9{2,5}(?![\d])", run.cell.python):
                    continue  # the cell speaks of such a number itself
                what = "negative, and no others are" if marker["negative"] else "far above all others"
                sure = len(marker["shape"].lstrip("-")) > 1
                told = f"{count(marker['count'], 'value')} of {marker['looked']:,} in `{column}`"
                told += f" {'is' if marker['count'] == 1 else 'are'} {what}: they look like `{marker['shape']}`"
                evidence = {k: marker[k] for k in ("count", "looked", "shape", "changed")}
            elif zeros is not None:
                sure = bool(_MEASURES.fullmatch(column))
                told = (
                    f"{zeros['count']:,} of {count(zeros['looked'], 'value')} in `{column}` are 0, far from all others"
                )
                evidence = dict(zeros)
            else:
                continue
            yield self.finding(
                op,
                Severity.MAY if sure else Severity.NOTE,
                f"{told}, and go into {'the mean' if 'mean' in op.facts['methods'] else op.facts['methods'][0]}",
                "If they mark missing values: replace them by NaN first (or na_values= when reading).",
                evidence,
            )
