"""`concat-columns-spelled-differently`: one column becomes two, each half empty."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.flow import Gaps, follow
from reflex_magic.checks.syntax import call, texts
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


class ConcatColumnsSpelledDifferently(Check):
    """Tables are put under each other whose columns differ in case, blanks or underscores.

    Reported when each table has one of the two spellings; and when the only difference between two tables is
    the name of one numeric column, and the cell adds up the one without the other. Silent when the cell
    reads or renames both, and for columns that only some tables have.

    Example
    -------
    ::

        import pandas as pd
        may = pd.DataFrame({"shop": ["a", "b"], "Amount": [1.0, 2.0]})
        june = pd.DataFrame({"shop": ["a", "b"], "amount": [4.0, 8.0]})
        %%reflect
        both = pd.concat([may, june], ignore_index=True)
        total = both["amount"].sum()
        %%clean
        both = pd.concat([may.rename(columns=str.lower), june], ignore_index=True)
        total = both["amount"].sum()
    """

    name = "concat-columns-spelled-differently"
    frames = ("pandas", "polars", "pyarrow", "dask")

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("concat"):
            if "join" in op.keywords:
                continue
            node = call(run.cell, op)
            written = texts(run.cell.tree)
            spelled = [pair for pair in op.facts["renamed"] if not written.issuperset(pair)]
            replaced = [
                pair
                for pair in op.facts["replaced"]
                if node is not None and not written.issuperset(pair) and _is_summed(run, node, pair)
            ]
            if spelled or replaced:
                yield self._finding(op, (spelled or replaced)[0], len(spelled or replaced))

    def _finding(self, op: Operation, pair: tuple[str, str], number: int) -> Finding:
        more = f" (+{number - 1} more such columns)" if number > 1 else ""
        return self.finding(
            op,
            Severity.MAY,
            f"`{pair[0]}` and `{pair[1]}` stand for one column in {op.facts['parts']:,} tables and became two{more}:"
            " each is missing in the rows of the tables that have the other",
            f"Rename first: .rename(columns={{{pair[0]!r}: {pair[1]!r}}}).",
            {"parts": op.facts["parts"], "rows": list(op.facts["rows"]), "columns": list(pair)},
        )


def _is_summed(run: Run, node: ast.Call, pair: tuple[str, str]) -> bool:
    return any(True for _ in follow(run.cell, node, Gaps(columns=set(pair))))
