"""Columns of text that repeat a few values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

LONG = 100_000
"""Rows below which memory is no matter."""

FEW = 1_000
"""Distinct values, at most, and each must occur a hundred times on average."""


class RepeatedText(Repair):
    """A file is read with a column of text that repeats a few values millions of times.

    Offers ``dtype={"column": "category"}`` for ``pd.read_csv(...)`` of a table of 100,000 rows or more, with
    the memory before. The dtype changes, and with it the index of groups; silent where a dtype is
    written.

    Example
    -------
    ::

        import pandas as pd
        pd.DataFrame({"city": ["Bern", "Oslo"] * 50_000}).to_csv("rides.csv", index=False)
        %%reflect
        rides = pd.read_csv("rides.csv")
        %%offered
        rides = pd.read_csv("rides.csv", dtype={"city": "category"})
    """

    name = "repeated-text"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The reading of the file with categories."""
        cell = context.cell
        for statement in cell.tree.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=frame)], value=ast.Call() as call):
                    pass
                case _:
                    continue
            if syntax.function_of(cell, call, "pandas") != "read_csv" or syntax.keyword(call, "dtype"):
                continue
            card = context.values.card(frame)
            if card is None or not card.is_frame or (card.rows or 0) < LONG:
                continue
            repeated = [
                c.name for c in card.columns if c.dtype in ("str", "object", "string") and _few(context, frame, c.name)
            ]
            if not repeated:
                continue
            written = ", ".join(f'{syntax.literal(name)}: "category"' for name in repeated)
            yield self.offer(
                f"read {', '.join(f'`{name}`' for name in repeated)} as categories",
                [syntax.add_keyword(cell, call, "dtype", f"{{{written}}}")],
                _memory(context, frame, repeated),
            )


def _few(context: Context, frame: str, column: str) -> bool:
    count = context.values.sample(f"{frame}[{column!r}].nunique()")
    return bool(count) and isinstance(count[0], int) and 0 < count[0] <= FEW  # type: ignore[index]


def _memory(context: Context, frame: str, columns: list[str]) -> str:
    sizes = [context.values.sample(f"{frame}[{c!r}].memory_usage(deep=True)") for c in columns]
    total = sum(int(str(size[0])) for size in sizes if size)
    return f"their texts take {total / 1e6:,.1f} MB" if total else "few values repeat in them"
