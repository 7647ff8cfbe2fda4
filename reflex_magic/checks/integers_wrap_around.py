"""`integers-wrap-around`: whole numbers are larger than their type can hold."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_HASHES = frozenset({"uint32", "uint64"})


class IntegersWrapAround(Check):
    """A sum, difference or product of whole numbers, or a conversion, leaves the range of its type and starts over.

    pandas raises nothing: 100 + 100 is -56 in int8, 3 - 5 is 254 in uint8. A note for sums and products of uint32 and
    uint64, with which checksums are computed. Silent when every result fits.

    Example
    -------
    ::

        import pandas as pd
        order = pd.DataFrame({"qty": [10, 400], "cents": [250, 199]}, dtype="int16")
        %%reflect
        order["total"] = order["qty"] * order["cents"]
        %%clean
        order["total"] = order["qty"].astype("int64") * order["cents"]
    """

    name = "integers-wrap-around"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            f = op.facts
            if op.kind not in ("integers", "cast") or not f.get("wrapped"):
                continue
            dtype = f["dtype"] if op.kind == "integers" else f["to"]
            meant = op.kind == "integers" and dtype in _HASHES and f["operation"] != "-"
            yield self.finding(
                op,
                Severity.NOTE if meant else Severity.MAY,
                f"{f['wrapped']:,} of {count(f['rows'], 'result')} {'does' if f['wrapped'] == 1 else 'do'} not"
                f" fit into {dtype}"
                f" and came out as {'another number' if f['wrapped'] == 1 else 'other numbers'}",
                'Convert to a larger type first: .astype("int64").',
                {"rows": f["rows"], "wrapped": f["wrapped"], "dtype": dtype},
            )
