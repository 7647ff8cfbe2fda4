"""A text table whose name ends like an Excel workbook's."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.rule import Repair

BYTES = 1 << 18


class TextSavedAsExcel(Repair):
    r"""`pd.read_excel` is given a file that is text, as many portals write it under the name .xls.

    Reads it with `pd.read_csv` and the separator that its lines prove. Silent on files that are not
    text, on web pages under that name, and where a sheet is asked for.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("staff.xls").write_text("name\tfte\nVale\t1.0\nQuill\t0.5\n")
        %%reflect
        staff = pd.read_excel("staff.xls")
        %%repaired
        staff = pd.read_csv("staff.xls", sep="\t")
    """

    name = "text-saved-as-excel"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The file read as text."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("ValueError", "BadZipFile", "XLRDError", "ImportError"):
            return
        cell = context.cell
        if syntax.function_of(cell, node, "pandas") != "read_excel" or not isinstance(node, ast.Call):
            return
        if not node.args or len(node.args) > 1 or syntax.keyword(node, "sheet_name"):
            return
        path = (context.values.sample(ast.unparse(node.args[0]), 1) or ("",))[0]
        lines = tables.lines_of(context.values.text(str(path), BYTES))
        found = tables.layout(lines)
        if found is None or found.header != 0 or found.end < len(lines) or lines[0].lstrip().startswith("<"):
            return
        edits = []
        if isinstance(node.func, ast.Attribute):
            edits.append(syntax.rename_member(cell, node.func, "read_csv"))
        else:
            return
        engine = syntax.keyword(node, "engine")
        if engine is not None:
            edits.append(syntax.replace(cell, engine, f"sep={_literal(found.separator)}"))
        elif found.separator != ",":
            edits.append(syntax.add_keyword(cell, node, "sep", _literal(found.separator)))
        edits += tables.decimal_marks(cell, node, lines[1:], found.separator)
        evidence = f"`{path}` is text: all {len(lines)} lines have {found.fields} fields"
        doubt = found.separator != "," and tables.points_in_doubt(lines[1:], found.separator)
        yield self.offer("the file is text, not a workbook", edits, evidence, sure=not doubt)


def _literal(separator: str) -> str:
    return r'"\t"' if separator == "\t" else syntax.literal(separator)
