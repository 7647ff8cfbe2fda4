"""A quotation mark that is part of a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.rule import Repair

BYTES = 1 << 20


class StrayQuote(Repair):
    r"""A text table has a double quote that opens and never closes, or closes lines later.

    Reads the file without quoting when every line then has as many fields as the header, which no
    properly quoted separator would allow. The marks stay in the values.

    Silent when a quoted field holds a separator, and offered only when other fields are quoted as usual:
    their marks would then be in the values too.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("pipes.csv").write_text('size,qty\n1 in,40\n"3/4 in,25\n2 in,4\n')
        %%reflect
        pipes = pd.read_csv("pipes.csv")
        %%repaired
        pipes = pd.read_csv("pipes.csv", quoting=3)
    """

    name = "stray-quote"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The file read without quoting."""
        failure = context.failure
        if failure is None or not failure.is_a("ParserError", "AssertionError", "Error"):
            return
        cell = context.cell
        for call in syntax.nodes(cell):
            if (
                syntax.function_of(cell, call, "pandas") != "read_csv"
                or not isinstance(call, ast.Call)
                or not call.args
            ):
                continue
            if {k.arg for k in call.keywords} & {"quoting", "quotechar", "escapechar", "doublequote"}:
                continue
            path = (context.values.sample(ast.unparse(call.args[0]), 1) or ("",))[0]
            content = context.values.text(str(path), BYTES)
            given = syntax.keyword(call, "sep")
            separator = syntax.constant(given.value) if given else ","
            if content is None or len(content) >= BYTES or not isinstance(separator, str) or len(separator) != 1:
                continue
            lines = [line for line in tables.lines_of(content) if line.strip()]
            # a mark that is no pair on its own line
            stray = [line for line in lines if line.count('"') % 2]
            even = len({line.count(separator) for line in lines}) == 1
            if not stray or not even or not cell.editable(cell.span(call)):
                continue
            edits = [syntax.add_keyword(cell, call, "quoting", "3")]
            evidence = f"all {len(lines)} lines have as many fields as the header when quotes are plain characters"
            fields = [f.strip() for line in lines for f in line.split(separator)]
            usual = any(len(f) > 1 and f[0] == f[-1] == '"' for f in fields)
            yield self.offer("the quotes belong to the values", edits, evidence, sure=not usual)
