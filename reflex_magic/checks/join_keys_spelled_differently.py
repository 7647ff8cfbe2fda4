"""`join-keys-spelled-differently`: keys do not meet because they are written in two ways."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count, listed
from reflex_magic.checks.intent import LEFT_OUT, says_so
from reflex_magic.checks.syntax import calls
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

_CLEANING = frozenset(
    {"lower", "upper", "strip", "lstrip", "rstrip", "casefold", "title", "zfill", "normalize"}
    | {"strip_chars", "to_lowercase", "to_uppercase", "utf8_lower", "utf8_upper", "utf8_trim_whitespace"}
)


class JoinKeysSpelledDifferently(Check):
    """Rows have no partner in a join, although one has their key but for how it is written.

    That is case, blanks, leading zeros, a number against the same number as text, ``12.0`` against ``12``, the
    last digits of a fraction, or a time of day against a day. Silent for keys that the other side does not have in any
    spelling; for ``07`` and ``7`` where either has its own partner; when ``indicator=`` is written, when a
    comment says that rows are left out, and when the cell brings keys to one spelling afterwards.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"town": ["Ulm", "jena", "Kiel "], "eur": [1.0, 2.0, 4.0]})
        towns = pd.DataFrame({"town": ["Ulm", "Jena", "Kiel"], "state": ["BW", "TH", "SH"]})
        %%reflect
        sold = sales.merge(towns, on="town", how="left")
        %%clean
        sales["town"] = sales["town"].str.strip().str.title()
        sold = sales.merge(towns, on="town", how="left")
    """

    name = "join-keys-spelled-differently"
    frames = ("pandas", "polars", "pyarrow")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("merge"):
            if not op.facts.get("left_alike") or not {"indicator", "**"}.isdisjoint(op.keywords):
                continue
            if says_so(run.cell, op.span, LEFT_OUT) or _is_cleaned_afterwards(run.cell, op.span.end_line):
                continue
            f = op.facts
            keys = [key for key in dict.fromkeys([*f["left_keys"], *f["right_keys"]]) if key] or ["the index"]
            number, fate = f["left_alike"], "is lost" if f["how"] in ("inner", "right") else "is missing there"
            yield self.finding(
                op,
                Severity.MAY,
                f"{count(number, 'row')} of the left table found no partner only because {listed(keys)} is written"
                f" differently on the two sides; {count(f['left_unmatched'], 'row')} of {f['left_rows']:,} met none,"
                f" and what belongs to {'it' if f['left_unmatched'] == 1 else 'them'} {fate}",
                "Bring both sides to one type and spelling first, as with .astype(str), .str.strip() or .str.lower().",
                {k: f[k] for k in ("left_rows", "right_rows", "rows", "how", "left_unmatched", "left_alike")},
            )


def _is_cleaned_afterwards(cell: Cell, line: int) -> bool:
    return any(method in _CLEANING and node.lineno > line for node, method, _ in calls(cell))
