"""A cell's source: steps, spans, edits.

Lines are 1-based and count the lines above the body (the ``%%reflect`` line), so that a line
number here is the one the editor and the traceback show. Columns are 1-based characters; `ast`
counts UTF-8 bytes from 0, and `Cell.span` is the only place where the two meet.
"""

from __future__ import annotations

import ast
import difflib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reflex_magic.core.uncollected import uncollected
from reflex_magic.core.warned import unheard


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of source text; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int

    def contains(self, other: Span) -> bool:
        """Whether `other` lies within this span."""
        return (self.line, self.column) <= (other.line, other.column) and (
            other.end_line,
            other.end_column,
        ) <= (self.end_line, self.end_column)


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `text`; an empty span inserts."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """One top-level statement. `number` counts from 0; `source` is its text as written."""

    number: int
    span: Span
    source: str


def _same(source: str) -> str:
    return source


def _blank_lines(text: str) -> int:
    """How many blank lines `text` begins with."""
    return len(list(itertools.takewhile(lambda line: not line.strip(), text.split("\n"))))


@dataclass(frozen=True)
class Cell:
    """The body of a cell, without its magic line.

    Parameters
    ----------
    body
        The text below the magic line, exactly as in the editor.
    offset
        Lines above the body in the editor: 1 under ``%%reflect``, 0 for a plain cell.
    transform
        Turns IPython syntax (``%magic``, ``!command``) into Python, line for line.
    """

    body: str
    offset: int = 1
    transform: Callable[[str], str] = field(default=_same, compare=False, repr=False)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The body's lines, without line ends."""
        return tuple(self.body.split("\n"))

    @cached_property
    def python(self) -> str:
        """The body as Python, preceded by one blank comment line for each line above it.

        IPython drops leading blank lines; they are put back, so that lines stay where they were.
        """
        code = self.transform(self.body)
        lead = _blank_lines(self.body) - _blank_lines(code)
        return "#\n" * self.offset + "\n" * lead + code

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree; its line numbers are the editor's.

        Raises
        ------
        SyntaxError
            The body is not Python.
        """
        try:  # the compiler says the same again, where the analyst sees it
            return unheard(lambda: uncollected(lambda: ast.parse(self.python)))
        except (RecursionError, MemoryError) as error:
            raise SyntaxError("the cell is nested too deeply") from error

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of `tree`, outer before inner; raises as `tree` does."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def python_lines(self) -> tuple[str, ...]:
        """The lines of `python`; index 0 is line 1 of the editor."""
        return tuple(self.python.split("\n"))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The top-level statements; empty when the body is empty or is not Python."""
        try:
            nodes = self.tree.body
        except (SyntaxError, ValueError):
            return ()
        found = []
        for number, node in enumerate(nodes):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            span = self.span(node)
            if first != node.lineno:
                span = Span(first, 1, span.end_line, span.end_column)
            found.append(Step(number, span, self._python_text(span)))
        return tuple(found)

    def span(self, node: ast.expr | ast.stmt | ast.keyword | ast.arg) -> Span:
        """Where `node` of `tree` stands, in characters."""
        return Span(
            node.lineno,
            self.character(node.lineno, node.col_offset) + 1,
            node.end_lineno or node.lineno,
            self.character(node.end_lineno or node.lineno, node.end_col_offset or 0) + 1,
        )

    def character(self, line: int, byte: int) -> int:
        """The 0-based character of a 0-based UTF-8 byte offset in a line of `python`."""
        text = self.python_lines[line - 1] if 0 < line <= len(self.python_lines) else ""
        if text.isascii():
            return byte
        return len(text.encode()[:byte].decode(errors="ignore"))

    def node_at(self, span: Span) -> ast.expr | ast.stmt | None:
        """The node that stands exactly at `span`, or None. An expression wins over its statement."""
        try:
            return self._by_span.get(span)
        except (SyntaxError, ValueError):
            return None

    @cached_property
    def _by_span(self) -> dict[Span, ast.expr | ast.stmt]:
        statements = {self.span(n): n for n in self.nodes if isinstance(n, ast.stmt)}
        # Of several at one place the outermost, which comes first.
        expressions = {self.span(n): n for n in reversed(self.nodes) if isinstance(n, ast.expr)}
        return {**statements, **expressions}

    def step_at(self, line: int) -> Step | None:
        """The step that holds this line, or None."""
        return next((s for s in self.steps if s.span.line <= line <= s.span.end_line), None)

    def text(self, span: Span) -> str:
        """The body's text at `span`."""
        start, end = self._offsets(span)
        return self.body[start:end]

    def editable(self, span: Span) -> bool:
        """Whether the body reads as the syntax tree does at `span` (no ``%magic``, no ``!``)."""
        body = ("",) * self.offset + self.lines
        wanted = range(span.line - 1, span.end_line)
        return all(i < len(body) and i < len(self.python_lines) and body[i] == self.python_lines[i] for i in wanted)

    def apply(self, edits: Sequence[Edit]) -> Cell:
        """The cell with these edits made; they must not overlap.

        Raises
        ------
        ValueError
            Two edits overlap, or one touches a line that is not plain Python.
        """
        placed = sorted(((*self._offsets(e.span), e) for e in edits), key=lambda place: place[:2])
        out, at = [], 0
        for start, end, edit in placed:
            if start < at:
                raise ValueError("two edits overlap")
            if not self.editable(edit.span):
                raise ValueError(f"line {edit.span.line} is not plain Python")
            out += [self.body[at:start], edit.text]
            at = end
        return self.replaced("".join(out) + self.body[at:])

    def replaced(self, body: str) -> Cell:
        """A cell that stands where this one stands, with another body."""
        return Cell(body, self.offset, self.transform)

    def common_steps(self, other: Cell) -> int:
        """How many leading steps are the same code in both; formatting and comments do not count."""
        same = 0
        try:
            pairs = zip(self.tree.body, other.tree.body, strict=False)
            for a, b in pairs:
                if ast.dump(a) != ast.dump(b):
                    break
                same += 1
        except (SyntaxError, ValueError):
            return 0
        return same

    @cached_property
    def fingerprint(self) -> str:
        """Equal for two bodies that are the same code; the text itself when it is not Python."""
        try:
            return ast.dump(self.tree)
        except (SyntaxError, ValueError):
            return self.body

    def _python_text(self, span: Span) -> str:
        lines = list(self.python_lines[span.line - 1 : span.end_line])
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)

    def _offsets(self, span: Span) -> tuple[int, int]:
        starts = [0]
        for text in self.lines:
            starts.append(starts[-1] + len(text) + 1)
        first, last = span.line - self.offset - 1, span.end_line - self.offset - 1
        if not 0 <= first <= last < len(self.lines):
            raise ValueError(f"lines {span.line} to {span.end_line} are outside the cell")
        return starts[first] + span.column - 1, starts[last] + span.end_column - 1


def diff(before: str, after: str, *, context: int = 3) -> str:
    """A unified difference of two bodies, without file headers; empty when they are equal."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=context)
    return "\n".join(list(lines)[2:])
