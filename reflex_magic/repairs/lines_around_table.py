"""Lines above the header of a text table."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.rule import Repair

BYTES = 1 << 18
_TOTAL = re.compile(r"\W*(grand |sub)?(totals?|sums?|summe|gesamt|average|mean)\b", re.I)


class LinesAroundTable(Repair):
    r"""A report has lines above its table, so that `pd.read_csv` takes the wrong one for the header.

    Skips the lines up to the first that has as many fields as those after it. Clear when the table
    then reaches to the end of the file; where lines follow it, or its last line is a total, these
    are skipped as well and a person should look.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("nightly.csv").write_text("Nightly report\nStore 14\n\nsku,units\nK-1,3\nK-2,1\n")
        %%reflect
        sales = pd.read_csv("nightly.csv")
        %%repaired
        sales = pd.read_csv("nightly.csv", skiprows=3)
    """

    name = "lines-around-table"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The table without the lines around it."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("ParserError") or not isinstance(node, ast.Call) or not node.args:
            return
        cell = context.cell
        taken = {"skiprows", "header", "names", "skipfooter", "sep", "delimiter", "comment", "nrows"}
        if syntax.function_of(cell, node, "pandas") != "read_csv" or taken & {k.arg for k in node.keywords}:
            return
        path = (context.values.sample(ast.unparse(node.args[0]), 1) or ("",))[0]
        content = context.values.text(str(path), BYTES)
        lines = tables.lines_of(content)
        found = tables.layout(lines)
        if found is None or found.header == 0 or content is None or len(content) >= BYTES:
            return
        # a line after the table that looks like more of it is an uneven table, not a report
        rest = [line for line in lines[found.end :] if line.strip()]
        if any(tables.fields(line, found.separator) > found.fields // 2 for line in rest):
            return
        total = _TOTAL.match(lines[found.end - 1]) is not None
        footer = len(lines) - found.end + total
        edits = [syntax.add_keyword(cell, node, "skiprows", str(found.header))]
        if found.separator != ",":
            edits.append(syntax.add_keyword(cell, node, "sep", syntax.literal(found.separator)))
        if footer:
            edits.append(syntax.add_keyword(cell, node, "skipfooter", f'{footer}, engine="python"'))
        evidence = f"lines {found.header + 1} to {found.end} have {found.fields} fields each, the ones above do not"
        if footer:
            evidence += f"; {footer} lines at the end are left out"
        yield self.offer(f"the table begins in line {found.header + 1}", edits, evidence, sure=not footer)
