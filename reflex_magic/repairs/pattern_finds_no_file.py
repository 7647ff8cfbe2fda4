"""A pattern of file names that finds nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.rule import Repair


class PatternFindsNoFile(Repair):
    r"""`glob` finds no file, since folder, name or ending are spelled in another case than the files'.

    The files that the pattern finds in any case tell its spelling. Clear when they agree.

    Silent when they do not, and when no file fits in any case.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("jan.CSV").write_text("n\n3\n")
        %%reflect
        months = pd.concat([pd.read_csv(f) for f in Path(".").glob("*.csv")])
        %%repaired
        months = pd.concat([pd.read_csv(f) for f in Path(".").glob("*.CSV")])
    """

    name = "pattern-finds-no-file"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The pattern as the files are spelled."""
        failure, cell = context.failure, context.cell
        if failure is None or not failure.is_a("ValueError", "IndexError", "StopIteration", "KeyError"):
            return
        files = context.values.files()
        for call in syntax.nodes(cell):
            written = _pieces(context, call)
            if not written or not all(cell.editable(cell.span(n)) for n in written):
                continue
            parts = [str(n.value).strip("/") for n in written]
            pattern = "/".join(p for p in parts if p not in ("", "."))
            if "**" in pattern or re.fullmatch(_expression(pattern), "\n".join(files)):
                continue
            if any(re.fullmatch(_expression(pattern), f) for f in files):
                continue
            fitting = [m for f in files if (m := re.fullmatch(_expression(pattern), f, re.I))]
            spelled = {"".join(_spelling(pattern, m)) for m in fitting}
            if len(spelled) != 1:
                continue
            new = spelled.pop()
            edits, place = [], 0
            for node, part in zip(written, parts, strict=True):
                if part in ("", "."):
                    continue
                text = str(node.value).replace(part, new[place : place + len(part)])
                place += len(part) + 1
                if text != node.value:
                    edits.append(syntax.replace(cell, node, syntax.quoted(cell, node, text)))
            evidence = f"no file fits {pattern!r}; in another case {len(fitting)} do"
            yield self.offer(f"the files are spelled {new!r}", edits, evidence)


_WILD = re.compile(r"\*|\?|\[[^\]]+\]")


def _expression(pattern: str) -> str:
    """The pattern as a regular expression, with a group for each piece that is written out."""
    pieces = _WILD.split(pattern)
    wild = ["[^/]*" if w == "*" else "[^/]" if w == "?" else w for w in _WILD.findall(pattern)]
    return "".join(f"({re.escape(p)}){w}" for p, w in zip(pieces, [*wild, ""], strict=True))


def _spelling(pattern: str, match: re.Match[str]) -> Sequence[str]:
    wild = [*_WILD.findall(pattern), ""]
    return [p + w for p, w in zip(match.groups(), wild, strict=True)]


def _pieces(context: Context, call: ast.AST) -> list[ast.Constant]:
    """The texts that make up a pattern: of ``glob("data/*.csv")``, of ``Path("data").glob("*.csv")``."""
    match call:
        case ast.Call(func=ast.Name(id="glob"), args=[ast.Constant(value=str()) as pattern]):
            return [pattern]
        case ast.Call(
            func=ast.Attribute(value=holder, attr="glob" | "iglob"), args=[ast.Constant(value=str()) as pattern]
        ):
            if syntax.dotted(holder) == "glob":
                return [pattern]
            folder = _folder(context, holder)
            return [*folder, pattern] if folder else []
    return []


def _folder(context: Context, node: ast.expr) -> list[ast.Constant]:
    match node:
        case ast.Call(func=function, args=[ast.Constant(value=str()) as path]) if syntax.dotted(function) in (
            "Path",
            "pathlib.Path",
        ):
            return [path]
        case ast.BinOp(left=left, op=ast.Div(), right=ast.Constant(value=str()) as path):
            above = _folder(context, left)
            return [*above, path] if above else []
        case ast.Name(id=name):
            made = tables.given(context.cell, name)
            return _folder(context, made) if made is not None and not isinstance(made, ast.Name) else []
    return []
