"""Lines above the header of a text table."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.rule import Repair

BYTES = 1 << 18
_FIELD = re.compile(r"-?[\d.,]+")
_TOTAL = re.compile(r"\W*(grand |sub)?(totals?|sums?|summe|gesamt|average|mean)\b", re.I)


class LinesAroundTable(Repair):
    r"""A report has lines above its table, so that `pd.read_csv` takes the wrong one for the header.

    Looked for when the reader fails, and when a column that the cell names stands in a later line. Skips the lines up
    to the first that has as many fields as those after it. Clear when the table then reaches to the end of the file;
    where lines follow it, or its last line is a total, these are skipped as well and a person should look.

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
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or node is None:
            return
        if failure.is_a("ParserError") and isinstance(node, ast.Call):
            yield from self._skipped(context, node)
        elif failure.is_a("KeyError", "ValueError", "AttributeError"):
            for call in syntax.nodes(cell):
                if isinstance(call, ast.Call) and cell.editable(cell.span(call)):
                    yield from self._skipped(context, call, asked=True)

    def _skipped(self, context: Context, node: ast.Call, *, asked: bool = False) -> Iterator[Proposal]:
        """The call with the lines left out; with `asked`, a column that the cell names has to be in the header."""
        cell = context.cell
        if not node.args:
            return
        taken = {"skiprows", "header", "names", "skipfooter", "delimiter", "comment", "nrows"}
        if syntax.function_of(cell, node, "pandas") != "read_csv" or taken & {k.arg for k in node.keywords}:
            return
        content = context.values.text(tables.path_of(context, node), BYTES)
        lines = tables.lines_of(content)
        found = tables.layout(lines)
        labels = {str(n.value) for n in syntax.nodes(cell) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        labels |= {n.attr for n in syntax.nodes(cell) if isinstance(n, ast.Attribute)}
        if asked and found is not None:
            found = _below(lines, found, labels)
        if found is None or found.header == 0 or content is None or len(content) >= BYTES:
            return
        # a line after the table that looks like more of it is an uneven table, not a report
        rest = [line for line in lines[found.end :] if line.strip()]
        if any(tables.fields(line, found.separator) > found.fields // 2 for line in rest):
            return
        total = _TOTAL.match(lines[found.end - 1]) is not None
        footer = len(lines) - found.end + total
        edits = [syntax.add_keyword(cell, node, "skiprows", str(found.header))]
        given = syntax.keyword(node, "sep")
        if given and syntax.constant(given.value) != found.separator:
            return
        if found.separator != "," and not given:
            edits.append(syntax.add_keyword(cell, node, "sep", syntax.literal(found.separator)))
        edits += tables.decimal_marks(cell, node, lines[found.header + 1 : found.end], found.separator)
        doubt = found.separator == ";" and tables.points_in_doubt(lines[found.header + 1 : found.end], found.separator)
        if footer:
            edits.append(syntax.add_keyword(cell, node, "skipfooter", f'{footer}, engine="python"'))
        evidence = f"lines {found.header + 1} to {found.end} have {found.fields} fields each, the ones above do not"
        if footer:
            evidence += f"; {footer} lines at the end are left out"
        yield self.offer(f"the table begins in line {found.header + 1}", edits, evidence, sure=not footer and not doubt)


def _below(lines: Sequence[str], found: tables.Layout, labels: set[str]) -> tables.Layout | None:
    """The layout from the first line on that has a label the cell names; None when that is no header.

    A header holds no number, and all its fields have a name; the first line of the file must be none.
    """
    if found.header == 0 and _is_header(lines[0], found.separator):
        return None
    for i in range(found.header, found.end - 1):
        if labels & set(_names(lines[i], found.separator)):
            return replace(found, header=i) if _is_header(lines[i], found.separator) else None
    return None


def _names(line: str, separator: str) -> list[str]:
    return [f.strip().strip('"') for f in line.split(separator)]


def _is_header(line: str, separator: str) -> bool:
    names = _names(line, separator)
    return all(names) and len(set(names)) == len(names) and not any(map(_FIELD.fullmatch, names))
