"""Text files that are opened in whatever encoding the machine prefers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_BOM = b"\xef\xbb\xbf"

_BYTES = 1 << 24


class EncodingLeftOpen(Repair):
    """A text file is opened without its encoding, which another machine may take for another one.

    Offers the encoding that the file's bytes prove: ``utf-8`` where it has letters beyond ASCII. Silent for
    files that are plain ASCII, for binary modes, and for pandas' readers, which take UTF-8 everywhere.

    Example
    -------
    ::

        with open("names.txt", "w", encoding="utf-8") as file:
            _ = file.write("Zoë")
        %%reflect
        with open("names.txt") as file:
            names = file.read()
        %%offered
        with open("names.txt", encoding="utf-8") as file:
            names = file.read()
    """

    name = "encoding-left-open"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The call with the encoding."""
        for node in syntax.nodes(context.cell):
            match node:
                case ast.Call(func=ast.Name(id="open"), args=[ast.Constant(value=str() as path), *rest]):
                    pass
                case ast.Call(
                    func=ast.Attribute(
                        value=ast.Call(func=ast.Name(id="Path"), args=[ast.Constant(value=str() as path)]),
                        attr="read_text" | "open",
                    ),
                    args=rest,
                ):
                    pass
                case _:
                    continue
            if syntax.keyword(node, "encoding") or syntax.keyword(node, "mode") or rest[1:] or not _reads(rest):
                continue
            content = context.values.text(path, _BYTES) or b""
            if content.isascii() or len(content) >= _BYTES:
                continue
            try:
                content.decode("utf-8")
            except UnicodeDecodeError:
                continue
            encoding = "utf-8-sig" if content.startswith(_BOM) else "utf-8"
            yield self.offer(
                f"open `{path}` as {encoding}, wherever the cell runs",
                [syntax.add_keyword(context.cell, node, "encoding", f'"{encoding}"')],
                f"`{path}` has letters beyond ASCII, and all of its {len(content):,} bytes are UTF-8",
            )


def _reads(mode: list[ast.expr]) -> bool:
    """Whether a file is opened for reading text."""
    return not mode or syntax.constant(mode[0]) in ("r", "rt")
