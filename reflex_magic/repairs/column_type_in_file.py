"""A type that a reader is told for a column, and that the file's texts do not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import conversion, numbers, syntax, tables, units
from reflex_magic.repairs.rule import Repair


class ColumnTypeInFile(Repair):
    r"""`pd.read_csv` is told a number type for a column that has gaps, or that is written with marks and signs.

    Whole numbers with gaps become ``"Int64"``, which has a place for a missing value. Texts that all are numbers
    once signs and marks are taken away are read as text and converted.

    Silent when a text is no number, and when the numbers can be read in two ways. Offered where a word such as
    "None" was taken for a gap.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("stock.csv").write_text("sku,units\nA,3\nB,\nC,4\n")
        %%reflect
        stock = pd.read_csv("stock.csv", dtype={"units": int})
        %%repaired
        stock = pd.read_csv("stock.csv", dtype={"units": "Int64"})
    """

    name = "column-type-in-file"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """A type with gaps, or the conversion after reading."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or not failure.is_a("ValueError") or not isinstance(node, ast.Call) or not node.args:
            return
        if syntax.function_of(cell, node, "pandas") not in ("read_csv", "read_table"):
            return
        dtype = syntax.keyword(node, "dtype")
        types = dtype.value if dtype else None
        if isinstance(types, ast.Name):
            types = tables.given(cell, types.id)
        if not isinstance(types, ast.Dict):
            return
        plain = ast.unparse(
            ast.Call(node.func, node.args, [k for k in node.keywords if k.arg not in ("dtype", "index_col")])
        )[:-1]
        edits: list[Edit] = []
        assigned, said, sure = [], [], True
        for key, kind in zip(types.keys, types.values, strict=True):
            name = syntax.constant(key)
            if not isinstance(name, str) or not conversion.is_number_type(kind):
                continue
            text = f"({plain}, dtype=str))[{name!r}]"
            card = context.values.card(text)
            known = conversion.column(context, [text])
            if card is None or not card.is_series or known is None or len(known.readings) != 1:
                return
            (reading,) = known.readings
            gaps = bool(card.columns[0].missing)
            whole = str(syntax.constant(kind) or syntax.dotted(kind)).lower().rpartition(".")[2].startswith("int")
            values = context.values.sample(text, conversion.DISTINCT) or ()
            if reading.doubts or reading.percent or reading.missing or units.wanted_otherwise(reading, context.goal):
                return
            if reading.changes:
                if gaps and whole:
                    return
                edits.append(syntax.replace(cell, kind, "str"))
                column = f"table[{syntax.literal(name)}]"
                new = conversion.cleaned_text(column, reading) + f".astype({syntax.text(cell, kind)})"
                assigned.append((name, new))
                said.append(f"{conversion.evidence(known, reading)} in `{name}`")
            elif gaps and whole and all(_whole(v) for v in values):
                words = tables.missing_texts(context, [name], _call(plain)).get(name, [])
                sure = sure and not any(w.strip().casefold() == "none" for w in words)
                edits.append(syntax.replace(cell, kind, '"Int64"'))
                said.append(f"{card.columns[0].missing} of {card.rows} values of `{name}` are missing")
        if not edits:
            return
        if assigned and not all(name.isidentifier() for name, _ in assigned):
            columns = "**{" + ", ".join(f"{syntax.literal(n)}: lambda table: {new}" for n, new in assigned) + "}"
        else:
            columns = ", ".join(f"{n}=lambda table: {new}" for n, new in assigned)
        if assigned:
            edits.append(syntax.insert_after(cell, node, f".assign({columns})"))
        yield self.offer("a type that the texts of the file have", edits, "; ".join(said), sure=sure)


def _whole(value: object) -> bool:
    return (
        isinstance(value, str)
        and numbers.value(value.strip().lstrip("+-"), numbers.Decimal.POINT) is not None
        and ("." not in value)
    )


def _call(source: str) -> ast.Call:
    made = ast.parse(source + ")", mode="eval").body
    assert isinstance(made, ast.Call)
    return made
