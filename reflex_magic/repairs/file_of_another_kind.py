"""A file whose content is of another kind than its name says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax, tables, workbooks
from reflex_magic.repairs.rule import Repair

_COMPRESSED = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_TABLES = {b"PAR1": "read_parquet", b"ARROW1": "read_feather"}
_SUFFIX = re.compile(r"\.(gz|bz2|xz|zst|zip)$", re.I)

_OF_TEXT = frozenset({"sep", "delimiter", "encoding", "engine", "low_memory", "compression", "quoting", "memory_map"})
"""Arguments that say how text is read, and nothing about what is wanted."""
_OF_WORKBOOKS = frozenset(
    {"index_col", "usecols", "dtype", "parse_dates", "header", "names", "skiprows", "na_values", "nrows", "converters"}
)


class FileOfAnotherKind(Repair):
    r"""A reader is given a file of another kind: a workbook, Parquet, Feather or compressed text under another name.

    The first bytes of a file say what it is. The reader is exchanged, or the compression is written out; a text
    under the name of a compressed file is read as it is.

    Silent where arguments would be lost that say what is wanted. A workbook with several sheets is offered.

    Example
    -------
    ::

        import gzip
        from pathlib import Path
        import pandas as pd
        _ = Path("sales.csv").write_bytes(gzip.compress(b"units\n3\n4\n"))
        %%reflect
        sales = pd.read_csv("sales.csv")
        %%repaired
        sales = pd.read_csv("sales.csv", compression="gzip")
    """

    name = "file-of-another-kind"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The reader for what the file is."""
        node, cell = syntax.failing(context), context.cell
        reader = syntax.function_of(cell, node, "pandas")
        text = ("read_csv", "read_table", "read_json")
        if not isinstance(node, ast.Call) or reader not in (*text, "read_parquet", "read_feather", "read_excel"):
            return
        path = tables.path_of(context, node)
        content = context.values.text(path, workbooks.BYTES) if path else None
        if not content:
            return
        kind = next((name for mark, name in _TABLES.items() if content.startswith(mark)), "")
        compression = next((name for mark, name in _COMPRESSED.items() if content.startswith(mark)), "")
        sheets = workbooks.sheets(content)
        if kind and kind != reader:
            yield from self._exchanged(context, node, kind, frozenset(), f"`{path}` begins as such files do")
        elif sheets and reader != "read_excel":
            why = f"`{path}` is a workbook with {len(sheets)} sheets: {', '.join(sheets[:3])}"
            yield from self._exchanged(context, node, "read_excel", _OF_WORKBOOKS, why, sure=len(sheets) == 1)
        elif compression and reader in text:
            edits = [syntax.add_keyword(cell, node, "compression", f'"{compression}"'), *_as_bytes(context, node)]
            yield self.offer(f"the file is compressed: {compression}", edits, f"`{path}` begins as such files do")
        elif reader in text and tables.lines_of(content[:4096]) and _SUFFIX.search(path):
            edits = [syntax.add_keyword(cell, node, "compression", "None")]
            yield self.offer("the file is not compressed", edits, f"`{path}` is plain text")
        elif reader in ("read_parquet", "read_feather"):
            lines = tables.lines_of(content)
            found = tables.layout(lines)
            if found is not None and found.header == 0 and found.end == len(lines) and len(content) < workbooks.BYTES:
                separator = "" if found.separator == "," else f", sep={syntax.literal(found.separator)}"
                why = f"all {len(lines)} lines have {found.fields} fields"
                yield from self._exchanged(context, node, "read_csv", frozenset(), why, more=separator)

    def _exchanged(
        self,
        context: Context,
        call: ast.Call,
        reader: str,
        kept: frozenset[str],
        why: str,
        *,
        sure: bool = True,
        more: str = "",
    ) -> Iterator[Proposal]:
        cell = context.cell
        if not isinstance(call.func, ast.Attribute) or len(call.args) > 1:
            return
        if any(k.arg not in kept | _OF_TEXT for k in call.keywords):
            return
        arguments = [syntax.text(cell, a) for a in call.args]
        arguments += [syntax.text(cell, k) for k in call.keywords if k.arg in kept and k.arg not in _OF_TEXT]
        new = f"{syntax.text(cell, call.func.value)}.{reader}({', '.join(arguments)}{more})"
        yield self.offer(f"the file is one for `{reader}`", [syntax.replace(cell, call, new)], why, sure=sure)


def _as_bytes(context: Context, call: ast.Call) -> list[Edit]:
    """The mode "rb" for a file that the cell opens as text and hands to a reader."""
    opened = tables.given(context.cell, call.args[0].id) if call.args and isinstance(call.args[0], ast.Name) else None
    match opened:
        case ast.Call(func=ast.Name(id="open"), args=[path], keywords=[]):
            return [syntax.insert_after(context.cell, path, ', "rb"')]
    return []
