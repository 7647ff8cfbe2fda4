"""`compared-spelling-variants`: a comparison misses values that differ in case or blanks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.intent import EXACT, says_so
from reflex_magic.checks.syntax import calls, mentions
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_SPELLS = frozenset(
    {"lower", "upper", "strip", "casefold", "title", "capitalize", "lstrip", "rstrip"}
    | {"strip_chars", "to_lowercase", "to_uppercase", "to_titlecase"}
)


class ComparedSpellingVariants(Check):
    """A comparison with a text misses values that differ from it only in upper and lower case or in blanks.

    A single letter is a note: `m` and `M` may be two codes. Silent when the cell also compares with the other spelling,
    when it brings the column to one spelling in the same statement or later, and when a comment says that case counts.

    Example
    -------
    ::

        import pandas as pd
        visits = pd.DataFrame({"town": ["Ulm", "ulm", "Ulm ", "Jena"], "n": [1, 2, 3, 4]})
        %%reflect
        n = visits.loc[visits["town"] == "Ulm", "n"].sum()
        %%clean
        n = visits.loc[visits["town"].str.strip().str.title() == "Ulm", "n"].sum()
    """

    name = "compared-spelling-variants"
    frames = ("pandas", "polars", "pyarrow")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        found = [op for op in run.operations if op.kind == "compare" and op.facts["how"] == "spelling"]
        for op in found:
            f = op.facts
            if says_so(run.cell, op.span, EXACT) or _is_known(run.cell, op, [o for o in found if o is not op]):
                continue
            column = f"`{f['column']}`" if f["column"] else "the column"
            missed = f"{f['near']:,} of {count(f['looked'], 'value')}"
            yield self.finding(
                op,
                Severity.NOTE if f["short"] else Severity.MAY,
                f"{missed} of {column} {'differs' if f['near'] == 1 else 'differ'} only in case or blanks, and"
                f" `{f['op']}`"
                f" takes {'it' if f['near'] == 1 else 'them'} for another value",
                "Bring the column to one spelling first (.str.strip(), .str.lower()).",
                {name: f[name] for name in ("rows", "matched", "near", "looked")},
            )


def _is_known(cell: Cell, op: Operation, others: list[Operation]) -> bool:
    """Whether the cell looks at the other spellings itself."""
    texts = _texts(cell, op)
    for other in others:
        if any(a != b and _plain(a) == _plain(b) for a in texts for b in _texts(cell, other)):
            return True
    return any(
        method in _SPELLS and node.lineno >= op.span.line and op.facts["column"] in mentions(on)
        for node, method, on in calls(cell)
    )


def _texts(cell: Cell, op: Operation) -> set[str]:
    match cell.node_at(op.span):
        case ast.Compare(comparators=[ast.Constant(value=str() as text)]):
            return {text}
        case _:
            return set()


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
