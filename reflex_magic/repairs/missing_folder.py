"""Writing into a folder that is not there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from reflex_magic.core.cell import Edit, Span
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import labels, syntax
from reflex_magic.repairs.rule import Repair


class MissingFolder(Repair):
    """A table, a figure or a file is written into a folder that does not exist.

    Making the folder first is offered, since a folder outlives the cell and its name may be a slip; the evidence
    names a folder that is spelled alike.

    Silent for reading, and for folders outside the working folder.

    Example
    -------
    ::

        import os
        import pandas as pd
        totals = pd.DataFrame({"n": [1, 2]})
        %%reflect
        totals.to_csv("out/totals.csv", index=False)
        %%offered
        os.makedirs("out", exist_ok=True)
        totals.to_csv("out/totals.csv", index=False)
    """

    name = "missing-folder"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The folder made before."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or not isinstance(node, ast.Call) or not failure.is_a("OSError") or not _writes(node):
            return
        said = re.search(r"non-existent directory: '(.+)'", failure.evalue)
        wanted = str(failure.details.get("filename") or "")
        folder = said[1] if said else str(PurePosixPath(wanted).parent)
        path = PurePosixPath(folder)
        known = {parent for f in context.values.files() for parent in map(str, PurePosixPath(f).parents)}
        if folder in (".", "") or path.is_absolute() or ".." in path.parts or folder in known:
            return
        step = syntax.statement(cell, node)
        if step is None or cell.text(Span(step.lineno, 1, step.lineno, cell.span(step).column)).strip():
            return
        name, imports = syntax.import_edits(cell, context, "os")
        # in a loop every round may have a folder of its own
        written = [n for n in syntax.nodes(cell) if isinstance(n, ast.Constant) and str(n.value).startswith(folder)]
        if not written:
            return
        line, column = cell.span(step).line, cell.span(step).column
        made = f"{name}.makedirs({syntax.literal(folder)}, exist_ok=True)\n{' ' * (column - 1)}"
        alike = labels.nearest(folder, known - {"."}).candidates
        evidence = f"there is no folder `{folder}`" + (f", but `{alike[0]}`" if alike else "")
        edits = [*imports, Edit(Span(line, column, line, column), made)]
        if imports and imports[0].span == edits[-1].span:
            edits = [Edit(edits[-1].span, imports[0].text + made)]
        yield self.offer(f"make the folder `{folder}` first", edits, evidence, sure=False)


def _writes(call: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name.startswith(("to_", "write", "save")):
        return True
    given = syntax.keyword(call, "mode")
    modes = [given.value] if given else call.args[0:2]
    written = [m for m in map(syntax.constant, modes) if isinstance(m, str)]
    return name == "open" and any(re.fullmatch(r"[wax]\+?[bt]?", m) for m in written)
