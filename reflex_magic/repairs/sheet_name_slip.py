"""A sheet of a workbook asked for under another spelling."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import labels, syntax, tables, workbooks
from reflex_magic.repairs.rule import Repair


class SheetNameSlip(Repair):
    """A sheet is asked for under a name that the workbook has in another spelling.

    The same letters in another case or with other spaces, or one slip of the fingers, are clear when one sheet
    comes so near. The only sheet of a workbook under another name is offered.

    Silent where a digit differs: that is another year's or place's sheet.

    Example
    -------
    ::

        import pandas as pd
        pd.DataFrame({"n": [3, 4]}).to_excel("book.xlsx", sheet_name="Orders", index=False)
        %%reflect
        orders = pd.read_excel("book.xlsx", sheet_name="orders")
        %%repaired
        orders = pd.read_excel("book.xlsx", sheet_name="Orders")
    """

    name = "sheet-name-slip"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The sheet's name as it is."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or not failure.is_a("ValueError") or not isinstance(node, ast.Call):
            return
        said = re.fullmatch(r"Worksheet named '(.*)' not found", failure.evalue)
        if said is None:
            return
        wanted = said[1]
        content = context.values.text(self._workbook(context, node), workbooks.BYTES)
        sheets = workbooks.sheets(content) if content else ()
        near = labels.nearest(wanted, sheets)
        candidates = near.candidates or (sheets if len(sheets) == 1 and not re.search(r"\d", wanted) else ())
        listed = self._listed(node, wanted)
        if len(listed) > 1:
            found = [labels.nearest(str(n.value), sheets) for n in listed]
            if all(n.clear for n in found):
                names = [n.candidates[0] for n in found]
                edits = [syntax.replace(cell, n, syntax.quoted(cell, n, s)) for n, s in zip(listed, names, strict=True)]
                yield self.offer("the sheets as they are called", edits, f"its sheets: {labels.listed(sheets)}")
            return
        written = [
            n
            for n in syntax.nodes(cell)
            if isinstance(n, ast.Constant) and n.value == wanted and cell.editable(cell.span(n))
        ]
        if not written:
            return
        for name in candidates:
            edits = [syntax.replace(cell, n, syntax.quoted(cell, n, name)) for n in written]
            evidence = f"the workbook has no sheet `{wanted}`; its sheets: {labels.listed(sheets)}"
            yield self.offer(f"the sheet is called `{name}`", edits, evidence, sure=near.clear)

    @staticmethod
    def _listed(call: ast.Call, wanted: str) -> list[ast.Constant]:
        """The names of a list of sheets, when the one that is missing is among them."""
        given = syntax.keyword(call, "sheet_name")
        lists = [given.value] if given else call.args[1:]
        for names in lists:
            if isinstance(names, (ast.List, ast.Tuple)):
                texts = syntax.texts(names.elts)
                return texts if wanted in [t.value for t in texts] else []
        return []

    def _workbook(self, context: Context, call: ast.Call) -> str:
        if syntax.function_of(context.cell, call, "pandas") == "read_excel":
            path = tables.path_of(context, call)
            book = call.args[0] if call.args else None
        else:
            path, book = "", call.func.value if isinstance(call.func, ast.Attribute) else None
        made = tables.given(context.cell, book.id) if isinstance(book, ast.Name) and not path else None
        return path or (tables.path_of(context, made) if made is not None else "")
