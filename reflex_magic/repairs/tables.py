"""How a text file lays out a table, proved on its lines."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reflex_magic.core.cell import Cell, Edit
from reflex_magic.core.ports import Context
from reflex_magic.repairs import syntax

DISTINCT = 1000

SEPARATORS = (",", ";", "\t", "|")


@dataclass(frozen=True, slots=True)
class Layout:
    """A separator, and the lines of the table: from `header` (counted from 0) up to, without, `end`.

    `fields` is the number of fields in every line of the table.
    """

    separator: str
    header: int
    end: int
    fields: int


def lines_of(content: bytes | None) -> list[str]:
    """The lines of a text file; none when it is not text."""
    if not content or b"\x00" in content:
        return []
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding).splitlines()
        except UnicodeDecodeError:
            continue
    return []


def fields(line: str, separator: str) -> int:
    """The number of fields of a line; separators in double quotes do not part."""
    return len(re.findall(re.escape(separator), re.sub(r'"[^"]*"', "", line))) + 1


def layout(lines: Sequence[str]) -> Layout | None:
    """The layout when exactly one separator parts the lines of one long run evenly; None otherwise."""
    found = [x for s in SEPARATORS if (x := _run(lines, s)) is not None]
    if not found:
        return None
    best = max(found, key=lambda x: (x.end - x.header, x.fields))
    rivals = [x for x in found if x is not best and (x.header, x.end) == (best.header, best.end)]
    # commas are decimal marks where another separator parts the fields
    serious = [x for x in rivals if not (x.separator == "," and best.separator != ",")]
    return None if serious else best


def _run(lines: Sequence[str], separator: str) -> Layout | None:
    counts = [fields(line, separator) if line.strip() else 0 for line in lines]
    usual = Counter(c for c in counts if c > 1).most_common(1)
    if not usual:
        return None
    width = usual[0][0]
    header = next(i for i, c in enumerate(counts) if c == width)
    end = next((i for i in range(header, len(counts)) if counts[i] != width), len(counts))
    return Layout(separator, header, end, width) if end - header > 1 else None


def decimal_commas(lines: Sequence[str], separator: str) -> bool:
    """Whether numbers in the fields are written with a decimal comma, and none with a point."""
    cells = [cell.strip().strip('"') for line in lines for cell in line.split(separator)]
    commas = any(re.fullmatch(r"-?\d+,\d+", c) for c in cells)
    points = any(re.fullmatch(r"-?\d+\.\d+", c) for c in cells)
    commas = commas or points_beside_commas(lines, separator)
    return (
        commas
        and (not points or points_beside_commas(lines, separator))
        and not any(re.fullmatch(r"-?\d{1,3},\d{3}", c) for c in cells)
    )


def points_beside_commas(lines: Sequence[str], separator: str) -> bool:
    """Whether points part thousands where commas are decimal marks ("1.250,50"), and stand nowhere else."""
    cells = [cell.strip().strip('"') for line in lines for cell in line.split(separator)]
    pointed = [c for c in cells if re.fullmatch(r"-?\d[\d.]*(,\d+)?", c) and "." in c]
    both = any("," in c for c in pointed)
    return both and all(re.fullmatch(r"-?[1-9]\d{0,2}(\.\d{3})+(,\d+)?", c) for c in pointed)


def decimal_marks(cell: Cell, call: ast.Call, lines: Sequence[str], separator: str) -> list[Edit]:
    """The argument that says decimal comma, with the thousands points beside it, where the lines are so written."""
    if syntax.keyword(call, "decimal") or not decimal_commas(lines, separator):
        return []
    beside = points_beside_commas(lines, separator) and not syntax.keyword(call, "thousands")
    return [syntax.add_keyword(cell, call, "decimal", '",", thousands="."' if beside else '","')]


def points_in_doubt(lines: Sequence[str], separator: str) -> bool:
    """Whether numbers have a point before exactly three digits, and none tells that it is a decimal point."""
    columns = zip(
        *([cell.strip().strip('"') for cell in line.split(separator)] for line in lines if line.strip()), strict=False
    )
    for cells in columns:
        pointed = [c for c in cells if re.fullmatch(r"-?\d+(\.\d+)+", c)]
        if pointed and all(re.fullmatch(r"-?[1-9]\d{0,2}(\.\d{3})+", c) for c in pointed):
            return not points_beside_commas(lines, separator)
    return False


def reader(context: Context, node: ast.AST) -> ast.Call | None:
    """The `pd.read_csv` in this cell that the first variable in `node` comes from."""
    names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
    name = min(names, key=lambda n: (n.lineno, n.col_offset)).id if names else ""
    for statement in context.cell.tree.body:
        if isinstance(statement, ast.Assign) and [syntax.dotted(t) for t in statement.targets] == [name]:
            call = statement.value
            if isinstance(call, ast.Call) and syntax.function_of(context.cell, call, "pandas") == "read_csv":
                return call
    return None


def missing_texts(context: Context, columns: Sequence[str], read: ast.Call) -> dict[str, list[str]]:
    """For each column, the texts of the file that the reader takes for missing values."""
    source = ast.unparse(read)[:-1]
    found = {}
    for column in columns:
        before = context.values.sample(f"{source}, dtype=str)[{column!r}]", DISTINCT)
        after = context.values.sample(f"{source}, dtype=str, keep_default_na=False)[{column!r}]", DISTINCT)
        if before is not None and after is not None and len(after) < DISTINCT:
            seen = {str(v) for v in before}
            found[column] = [str(v) for v in after if v not in seen]
    return found


def path_of(context: Context, call: ast.AST) -> str:
    """The file that a reader is given, as far as it is known; "" otherwise."""
    if not isinstance(call, ast.Call):
        return ""
    named = (syntax.keyword(call, name) for name in ("filepath_or_buffer", "io", "path", "path_or_buf"))
    given = call.args[0] if call.args else next((k.value for k in named if k), None)
    return file_named(context, given) if given is not None else ""


def file_named(context: Context, node: ast.expr) -> str:
    """The path that an expression stands for: a text, `Path` and its ``/``, a file that the cell opens."""
    found = context.values.sample(ast.unparse(node), 1)
    if found and isinstance(found[0], str):
        return found[0]
    match node:
        case ast.BinOp(left=folder, op=ast.Div(), right=name):
            parts = [file_named(context, folder), file_named(context, name)]
            return "/".join(parts) if all(parts) else ""
        case ast.Call(func=function, args=[path]) if syntax.dotted(function) in ("Path", "pathlib.Path", "open"):
            return file_named(context, path)
        case ast.Call(func=ast.Attribute(value=path, attr="open" | "resolve" | "as_posix")):
            return file_named(context, path)
        case ast.Name(id=name):
            made = given(context.cell, name)
            return file_named(context, made) if made is not None and not _mentions(made, name) else ""
    return ""


def given(cell: Cell, name: str) -> ast.expr | None:
    """What a name is given in this cell, when it is given once: by ``=`` or by ``with ... as``."""
    found: list[ast.expr] = []
    for node in syntax.nodes(cell):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                found.append(value)
            case ast.withitem(context_expr=value, optional_vars=ast.Name(id=target)) if target == name:
                found.append(value)
    return found[0] if len(found) == 1 else None


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))
