"""Rules that answer what a check found, and the shapes that most of their edits have."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reflex_magic.core.cell import Cell, Edit, Span
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair
from reflex_magic.repairs.syntax import Located

DISTINCT = 10_000
"""Columns with more distinct values than this are not looked at."""


@dataclass(frozen=True, slots=True)
class Found:
    """A finding, the node that it points at, and the facts of the operation there."""

    context: Context
    finding: Finding
    node: Located
    facts: Mapping[str, Any]

    @property
    def cell(self) -> Cell:
        """The cell to change."""
        return self.context.cell

    @property
    def columns(self) -> list[str]:
        """The columns that findings of this kind at this place are about."""
        return [str(f.evidence["column"]) for f in self._here if "column" in f.evidence]

    @property
    def first(self) -> bool:
        """Whether this is the first of several findings of its kind at this place, which one edit answers."""
        return self._here[0] is self.finding

    @property
    def _here(self) -> list[Finding]:
        ours = (self.finding.code, self.finding.span, self.finding.severity)
        return [f for f in self.context.findings if (f.code, f.span, f.severity) == ours]

    def text(self, node: Located) -> str:
        """The source of a node, as written."""
        return syntax.text(self.cell, node)

    def values(self, node: ast.expr | str) -> tuple[object, ...]:
        """The distinct values of a column as the run left it; none where there are too many or none can be seen."""
        source = node if isinstance(node, str) else ast.unparse(node)
        found = self.context.values.sample(source, DISTINCT) or ()
        return found if len(found) < DISTINCT else ()

    def missing(self, node: ast.expr | str) -> int | None:
        """How many values of a column are missing; None where that cannot be seen."""
        card = self.context.values.card(node if isinstance(node, str) else ast.unparse(node))
        return card.columns[0].missing if card is not None and card.is_series else None


@dataclass(frozen=True, slots=True)
class Way:
    """One way to answer a finding. `evidence` is the finding's own message where none is given."""

    title: str
    edits: Sequence[Edit]
    evidence: str = ""
    sure: bool = True


class Answer(Repair):
    """A rule that answers the findings of one check, whose code is its name.

    `kind` is the operation whose facts it reads. What a check only notes is answered when an assertion
    failed, and then offered.
    """

    kind = ""

    def ways(self, at: Found) -> Iterator[Way]:
        """The ways to answer one finding, best first."""
        raise NotImplementedError

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The ways to answer each finding."""
        failed = context.failure is not None and context.failure.is_a("AssertionError")
        for finding, node in syntax.found(context, self.name):
            noted = finding.severity is Severity.NOTE
            if noted and not failed:
                continue
            facts = next((o.facts for o in context.run.of(self.kind) if o.span == finding.span), {})
            for way in self.ways(Found(context, finding, node, facts)):
                if way.edits:
                    evidence = way.evidence or finding.message
                    sure = way.sure and not noted
                    yield self.offer(way.title, way.edits, evidence, sure=sure, answers=(finding.code,))


def column(node: ast.AST) -> tuple[str, str] | None:
    """Name and label of ``name["label"]``; None for anything else."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as label)):
            return name, label
    return None


def label_of(node: ast.AST) -> str:
    """The column that an expression takes: ``df["label"]`` and ``df.label``, of any frame; "" where none is."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str() as label)) | ast.Attribute(attr=label):
            return label
    return ""


def equality(node: ast.AST) -> tuple[ast.expr, ast.expr, bool] | None:
    """The two sides of ``==`` and ``!=``, and whether it is ``!=``; None for anything else."""
    match node:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
            return left, right, isinstance(op, ast.NotEq)
    return None


def assigned(cell: Cell, node: Located) -> str:
    """The variable that the value of `node` itself is given to: ``name = node``; "" for anything else."""
    match syntax.parent(cell, node):
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is node:
            return name
    return ""


def alone(cell: Cell, node: Located) -> ast.stmt | None:
    """The statement around `node` when it is one of the cell itself, and nothing else stands on its lines."""
    inner = syntax.statement(cell, node)
    if inner is None or inner not in cell.tree.body:
        return None
    lines = set(_lines(inner))
    shared = any(not lines.isdisjoint(_lines(s)) for s in cell.tree.body if s is not inner)
    return None if shared else inner


def _lines(statement: ast.stmt) -> range:
    return range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)


def above(cell: Cell, node: Located, line: str) -> list[Edit]:
    """A line of its own above the statement around `node`; none where there is no place for one."""
    outer = alone(cell, node)
    if outer is None:
        return []
    first = outer.lineno
    # comments belong to the statement below them
    while first - 1 > cell.offset and cell.python_lines[first - 2].startswith("#"):
        first -= 1
    return [Edit(Span(first, 1, first, 1), f"{line}\n")]


def below(cell: Cell, node: Located, line: str) -> list[Edit]:
    """A line of its own below the statement around `node`; none where there is no place for one."""
    outer = alone(cell, node)
    if outer is None:
        return []
    last = outer.end_lineno or outer.lineno
    end = len(cell.python_lines[last - 1]) + 1
    return [Edit(Span(last, end, last, end), f"\n{line}")]


def through(cell: Cell, node: ast.AST, members: str) -> list[Edit]:
    """The receiver of a method call with further members: ``x.sum()`` becomes ``x.round().sum()``."""
    match node:
        case ast.Call(func=ast.Attribute() as member):
            return [syntax.insert_before_member(cell, member, f"{members}.")]
    return []


def sides(cell: Cell, node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The left and the right table of a merge or a join; None for anything else."""
    match node:
        case ast.Call(args=[left, right, *_]) if syntax.function_of(cell, node, "pandas").startswith("merge"):
            return left, right
        case ast.Call(func=ast.Attribute(value=left, attr="merge" | "join"), args=[right, *_]):
            return left, right
    return None
