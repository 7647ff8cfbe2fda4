"""`identifiers-read-as-numbers`: codes in a file lose their zeros, plus signs or last digits as numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.syntax import mentions
from reflex_magic.checks.usage import WRITES, Uses, uses
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


class IdentifiersReadAsNumbers(Check):
    r"""A column of codes is read as numbers, and what they looked like is gone: ``02134`` becomes 2134.

    Told from the text of the file: zeros in front (of three characters or more), a plus before a long number, codes
    like ``12E4`` among plain ones, whole numbers that floats do not hold (2**53), different texts that became one
    number (``1.1`` and ``1.10``). Reported when the cell then uses the column in a way that shows it: as text or
    written to a file where characters were lost, as a key where different codes are now the same. A note otherwise.
    Silent when the cell fills the zeros again (`zfill`, a format), and when it adds the column up: then it is a
    number.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("zip,name\n02134,Ann\n90210,Ben\n00501,Cy\n")
        %%reflect
        people = pd.read_csv(file)
        labels = "US-" + people["zip"].astype(str)
        %%clean
        people = pd.read_csv(file, dtype={"zip": "str"})
        labels = "US-" + people["zip"].astype(str)
    """

    name = "identifiers-read-as-numbers"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("read"):
            if not op.facts["codes"]:
                continue
            used = uses(run.cell, op, op.facts["codes"])
            for column, codes in op.facts["codes"].items():
                if used.of(column, "sum", "arith", "drop") or _fills(run.cell, column):
                    continue
                told = _told(codes)
                if told:
                    yield self._finding(op, column, codes, told, _matters(used, column, codes))

    def _finding(self, op: Operation, column: str, codes: Mapping[str, Any], told: str, matters: bool) -> Finding:
        return self.finding(
            op,
            Severity.MAY if matters else Severity.NOTE,
            f"`{column}` is read as numbers: of {count(codes['values'], 'value')} looked at in the file, {told}",
            f'Read it as text: dtype={{"{column}": "str"}}.',
            {**codes, "column": column},
        )


def _told(codes: Mapping[str, Any]) -> str:
    """What was lost, in words."""
    parts = [
        (codes["zeros"], "had zeros in front, which are gone"),
        (codes["plus"], "had a plus in front, which is gone"),
        (codes["exponent"], "had a letter E, which was taken for a power of ten"),
        (codes["long"], "had more digits than a float holds"),
        (codes["merged"], "became equal to another that is written differently"),
    ]
    return ", ".join(f"{number:,} {words}" for number, words in parts if number)


def _matters(used: Uses, column: str, codes: Mapping[str, Any]) -> bool:
    lost = codes["zeros"] or codes["plus"] or codes["exponent"] or codes["long"]
    if lost and used.of(column, "text", "write", "to_datetime"):
        return True
    if codes["zeros"] and any(w.isdigit() and w[0] == "0" and len(w) > 2 for w in used.compared.get(column, ())):
        return True
    if lost and used.full & WRITES:
        return True
    return bool(codes["exponent"] or codes["merged"] or codes["long"]) and used.of(column, "key", "join")


def _fills(cell: Cell, column: str) -> bool:
    """Whether the cell writes the zeros in front again, or in a form of its own."""
    for node in cell.nodes:
        match node:
            case ast.FormattedValue(format_spec=ast.JoinedStr()) | ast.Attribute(attr="format"):
                return True
            case ast.Call(func=ast.Attribute(attr="zfill" | "rjust" | "pad")) if column in mentions(node):
                return True
    return False
