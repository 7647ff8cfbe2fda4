"""Finding the code that failed, and edits that keep the analyst's formatting."""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Iterable, Iterator
from functools import lru_cache

from reflex_magic.core.cell import Cell as Cell
from reflex_magic.core.cell import Edit as Edit
from reflex_magic.core.cell import Span as Span
from reflex_magic.core.finding import Finding
from reflex_magic.core.outcome import Raised
from reflex_magic.core.ports import Context

Located = ast.expr | ast.stmt

_USUAL = {"pandas": "pd", "numpy": "np"}

_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


@lru_cache(maxsize=8)
def _parsed(tree: ast.Module) -> tuple[tuple[ast.AST, ...], dict[ast.AST, ast.AST]]:
    found = tuple(ast.walk(tree))
    return found, {child: node for node in found for child in ast.iter_child_nodes(node)}


def nodes(cell: Cell) -> tuple[ast.AST, ...]:
    """All nodes of the cell; none when it is not Python."""
    try:
        return _parsed(cell.tree)[0]
    except (SyntaxError, ValueError):
        return ()


def parent(cell: Cell, node: ast.AST) -> ast.AST | None:
    """The node that holds `node`."""
    return _parsed(cell.tree)[1].get(node)


def ancestors(cell: Cell, node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that hold `node`, innermost first."""
    above = parent(cell, node)
    while above is not None:
        yield above
        above = parent(cell, above)


def statement(cell: Cell, node: ast.AST) -> ast.stmt | None:
    """The innermost statement around (or at) `node`."""
    return next((n for n in (node, *ancestors(cell, node)) if isinstance(n, ast.stmt)), None)


def repeated(cell: Cell, node: ast.AST) -> bool:
    """Whether `node` may run more than once: in a loop, a comprehension or a function."""
    several = (ast.For, ast.While, ast.AsyncFor, ast.comprehension, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    above = list(ancestors(cell, node))
    loops = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    return any(isinstance(a, (*several, *loops)) for a in above)


def member_start(cell: Cell, node: ast.Attribute) -> tuple[int, int]:
    """Line and column at which the name after the dot begins."""
    span = cell.span(node)
    return span.end_line, span.end_column - len(node.attr)


def failing(context: Context) -> Located | None:
    """The expression of this cell that failed; None when the failure is not of this cell's own making.

    That is: the interpreter recorded where, the text there is plain Python, and nothing but
    libraries was called from there. A failure within a function of an earlier cell or of the
    analyst's modules cannot be repaired here.
    """
    failure = context.failure
    if failure is None or failure.span is None or not _direct(failure):
        return None
    node = at(context.cell, failure.span)
    return node if node is not None and context.cell.editable(context.cell.span(node)) else None


def at(cell: Cell, span: Span) -> Located | None:
    """The node at `span`.

    For a member on its own line the interpreter records the span from its name on, without the
    lines of what stands before the dot.
    """
    exact = cell.node_at(span)
    if exact is not None:
        return exact
    for node in nodes(cell):
        member = node.func if isinstance(node, ast.Call) else node
        if isinstance(member, ast.Attribute) and isinstance(node, ast.expr):
            whole = cell.span(node)
            start, end = member_start(cell, member), (whole.end_line, whole.end_column)
            if start == (span.line, span.column) and end == (span.end_line, span.end_column):
                return node
    return None


def found(context: Context, code: str) -> Iterator[tuple[Finding, Located]]:
    """The findings of this code with the node each one points at."""
    for finding in context.findings:
        if finding.code == code and finding.span is not None:
            node = at(context.cell, finding.span)
            if node is not None and context.cell.editable(context.cell.span(node)):
                yield finding, node


def _direct(failure: Raised) -> bool:
    inner: list[str] = []
    for frame in failure.frames:
        inner = [] if frame.in_cell else [*inner, frame.file]
    return not any(map(_analysts, inner))


def _analysts(file: str) -> bool:
    """Whether a frame's file is an earlier cell or a module of the analyst's; libraries keep their folder."""
    if "/" in file or "\\" in file:
        return False
    if file.startswith("<"):
        return not file.startswith(("<frozen", "<__array", "<string"))
    stem, _, ending = file.rpartition(".")
    return ending == "py" and stem not in sys.stdlib_module_names


def text(cell: Cell, node: Located | ast.keyword) -> str:
    """The source of a node, as written."""
    return cell.text(cell.span(node))


def comparison(cell: Cell, node: ast.Compare) -> str:
    """A comparison made of operands of the cell, in brackets, each operand as written."""
    parts = [text(cell, node.left)]
    for operator, operand in zip(node.ops, node.comparators, strict=True):
        parts += [_SIGNS[type(operator)], text(cell, operand)]
    return f"({' '.join(parts)})"


def assigned(cell: Cell, name: str) -> ast.expr | None:
    """What the cell assigns to a name, when it does so once."""
    given = [n.value for n in nodes(cell) if isinstance(n, ast.Assign) and [dotted(t) for t in n.targets] == [name]]
    return given[0] if len(given) == 1 else None


def dotted(node: ast.AST) -> str:
    """``pd.read_csv`` for that attribute, ``read_csv`` for that name, "" for anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            base = dotted(value)
            return f"{base}.{attr}" if base else ""
    return ""


def alias(cell: Cell, module: str) -> str:
    """The name under which the cell knows a module: as it imports it, else the usual one."""
    for node in nodes(cell):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name == module:
                    return name.asname or module
    return _USUAL.get(module, module)


def arguments(cell: Cell, call: ast.Call) -> str:
    """The arguments of a call, as written."""
    return ", ".join([*(text(cell, a) for a in call.args), *(text(cell, k) for k in call.keywords)])


def function_of(cell: Cell, call: ast.AST | None, module: str) -> str:
    """``read_csv`` for ``pd.read_csv(...)``, or for ``read_csv(...)`` imported from `module`; "" otherwise."""
    if not isinstance(call, ast.Call):
        return ""
    name = dotted(call.func)
    for known in (alias(cell, module), module):
        if name.startswith(f"{known}."):
            return name[len(known) + 1 :]
    for node in nodes(cell):
        if isinstance(node, ast.ImportFrom) and node.module == module:
            for imported in node.names:
                if (imported.asname or imported.name) == name:
                    return imported.name
    return ""


def keyword(call: ast.Call, name: str) -> ast.keyword | None:
    """The keyword argument of this name."""
    return next((k for k in call.keywords if k.arg == name), None)


def constant(node: ast.AST | None) -> object:
    """The value of a constant; None for anything else."""
    return node.value if isinstance(node, ast.Constant) else None


def replace(cell: Cell, node: Located | ast.keyword, new: str) -> Edit:
    """Write `new` in the place of a node."""
    return Edit(cell.span(node), new)


def insert_before_member(cell: Cell, node: ast.Attribute, new: str) -> Edit:
    """Write `new` after the dot: ``x.astype`` becomes ``x.str.strip().astype``.

    This is right where appending to what stands before the dot is not: that may be in brackets.
    """
    line, column = member_start(cell, node)
    return Edit(Span(line, column, line, column), new)


def rename_member(cell: Cell, node: ast.Attribute, new: str) -> Edit:
    """Replace the name after the dot."""
    line, column = member_start(cell, node)
    return Edit(Span(line, column, line, column + len(node.attr)), new)


def insert_after(cell: Cell, node: Located, new: str) -> Edit:
    """Write `new` right after a node."""
    span = cell.span(node)
    return Edit(Span(span.end_line, span.end_column, span.end_line, span.end_column), new)


def receiver(cell: Cell, node: ast.expr) -> str:
    """The source of a node such that a member can be written after it."""
    atoms = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
    source = text(cell, node)
    return source if isinstance(node, atoms) else f"({source})"


def changed(cell: Cell, other: Cell) -> Edit:
    """The one edit that makes `other` of `cell`."""
    before, after = cell.body, other.body
    shortest = min(len(before), len(after))
    start = next((i for i in range(shortest) if before[i] != after[i]), shortest)
    rest = shortest - start
    end = next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)
    places = []
    for at in (start, len(before) - end):
        line = before.count("\n", 0, at)
        places += [cell.offset + line + 1, at - (before.rfind("\n", 0, at) + 1) + 1]
    return Edit(Span(*places), after[start : len(after) - end])


def add_keyword(cell: Cell, call: ast.Call, name: str, value: str) -> Edit:
    """Give a call a further keyword argument, or replace the value of the one it has."""
    present = keyword(call, name)
    if present is not None:
        return replace(cell, present.value, value)
    end = cell.span(call)
    arguments: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    if not arguments:
        place = (end.end_line, end.end_column - 1)
        return Edit(Span(*place, *place), f"{name}={value}")
    last = max((cell.span(a) for a in arguments), key=lambda s: (s.end_line, s.end_column))
    # the last argument may stand in brackets of its own; its end is before them
    place = (last.end_line, last.end_column)
    closing = [p for p, mark in _marks(cell, Span(*place, end.end_line, end.end_column)) if mark == ")"][:-1]
    if closing:
        place = (closing[-1][0], closing[-1][1] + 1)
    return Edit(Span(*place, *place), f", {name}={value}")


def drop_keyword(cell: Cell, call: ast.Call, name: str) -> Edit | None:
    """Take a keyword argument out of a call, with the comma before it or after it."""
    gone = keyword(call, name)
    if gone is None:
        return None
    span = cell.span(gone)
    arguments: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    ordered = sorted(arguments, key=cell.span)
    at_ = ordered.index(gone)
    if at_ > 0:
        before = cell.span(ordered[at_ - 1])
        commas = _marks(cell, Span(before.end_line, before.end_column, span.line, span.column))
        comma = next((p for p, mark in commas if mark == ","), None)
        return Edit(Span(*comma, span.end_line, span.end_column), "") if comma else None
    if len(ordered) > 1:
        following = cell.span(ordered[1])
        return Edit(Span(span.line, span.column, following.line, following.column), "")
    return Edit(span, "")


def _marks(cell: Cell, span: Span) -> list[tuple[tuple[int, int], str]]:
    """Brackets and commas within a span that holds nothing else but space and comments."""
    marks = []
    source = cell.text(span)
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.OP:
                line, column = token.start
                marks.append(((span.line + line - 1, column + 1 + (span.column - 1 if line == 1 else 0)), token.string))
    except (tokenize.TokenError, SyntaxError, IndentationError):
        # the tokenizer minds brackets that open elsewhere; the marks up to there are right
        pass
    return marks


def operator(cell: Cell, node: ast.BinOp) -> Span | None:
    """Where the operator between two operands stands; None when it cannot be told."""
    left, right = cell.span(node.left), cell.span(node.right)
    between = _marks(cell, Span(left.end_line, left.end_column, right.line, right.column))
    found = [place for place, mark in between if mark not in "()"]
    return Span(*found[0], found[0][0], found[0][1] + 1) if len(found) == 1 else None


def quoted(cell: Cell, node: ast.Constant, new: str) -> str:
    """`new` as a text literal, in the quotes that the source uses for `node`."""
    source = text(cell, node)
    quote = source[-1:] if source[-1:] in ("'", '"') else '"'
    return literal(new, quote)


def literal(value: object, quote: str = '"') -> str:
    """A Python literal; text in the given quotes."""
    if not isinstance(value, str):
        return repr(value)
    plain = repr(value)
    body = plain[1:-1]
    if plain[0] == "'":
        body = body.replace("\\'", "'")
    body = "".join(f"\\u{ord(c):04x}" if c in "\ufeff\u00a0\u202f\u2009" else c for c in body)
    return quote + body.replace(quote, "\\" + quote) + quote


def import_edits(cell: Cell, context: Context, module: str) -> tuple[str, list[Edit]]:
    """The name under which a module can be used, and the edit that imports it where it is not known yet."""
    name = alias(cell, module)
    imported = any(isinstance(n, ast.Import) and any(a.name == module for a in n.names) for n in nodes(cell))
    if imported or context.values.names().get(name) == "module":
        return name, []
    line = f"import {module}" + (f" as {name}" if name != module else "")
    first = next(iter(cell.steps), None)
    if first is None:
        return name, []
    place = Span(first.span.line, 1, first.span.line, 1)
    return name, [Edit(place, f"{line}\n")]


def uses(cell: Cell, label: str, after: Span | None = None) -> int:
    """How often a text constant stands in the cell (after a place)."""
    return sum(
        1
        for n in nodes(cell)
        if isinstance(n, ast.Constant) and n.value == label and (after is None or cell.span(n) > after)
    )


def texts(items: Iterable[ast.expr]) -> list[ast.Constant]:
    """The text constants among some nodes."""
    return [n for n in items if isinstance(n, ast.Constant) and isinstance(n.value, str)]
