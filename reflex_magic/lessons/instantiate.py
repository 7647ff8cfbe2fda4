"""From a template to the edits that make its repair in another cell."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reflex_magic.core.cell import Cell, Edit, Span
from reflex_magic.lessons import trees
from reflex_magic.lessons.template import EARLIER, TRIGGER, Change, Template
from reflex_magic.lessons.trees import Node, key, rebuild

_IMPORTS = {"pd": "import pandas as pd", "np": "import numpy as np", "plt": "import matplotlib.pyplot as plt"}


# Expressions that read the same without parentheses, as long as they stand on one line.
_WHOLE = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.Set)


@dataclass(frozen=True, slots=True)
class _Match:
    """The contents of the holes, and the nodes at which the changes are made."""

    nodes: Mapping[str, ast.expr] = field(default_factory=dict)
    rest: Mapping[str, Sequence[ast.keyword]] = field(default_factory=dict)
    places: tuple[tuple[Node, Change], ...] = ()


def instantiate(
    template: Template, cell: Cell, span: Span | None, step: int | None, names: Mapping[str, str]
) -> tuple[Edit, ...] | None:
    """The edits that make the template's repair in `cell`, or None where it does not fit.

    `span` and `step` are where the cell failed; `names` are the names in scope with the names
    of their types (`Values.names`). Text that the repair does not change stays as it is.
    """
    try:
        failing = trees.failing_statement(cell, span, step)
        if failing is None:
            return None
        for match in _matches(template.changes, _Match(), cell, failing, span):
            edits = _Filling(template, cell, failing, match, names).edits()
            if edits:
                return edits
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None


# Where a template fits.


def _matches(
    changes: Sequence[Change], match: _Match, cell: Cell, failing: ast.stmt, span: Span | None
) -> Iterator[_Match]:
    """The ways in which the changes fit, the one nearest to the failing expression first."""
    if not changes:
        yield match
        return
    change, before = changes[0], trees.pattern(changes[0].before)
    found = []
    for node in _candidates(change, cell, failing, span):
        holes = _fit(before, node, match)
        done = change.after and _fit(trees.pattern(change.after), node, _Match())
        if holes and not done:
            found.append((node, holes))
    # Away from the failing expression only one place may fit: of two, one would be a guess.
    if (change.where == EARLIER or span is None) and len(found) > 1:
        return
    for node, holes in found:
        placed = replace(holes, places=(*holes.places, (node, change)))
        yield from _matches(changes[1:], placed, cell, failing, span)


def _candidates(change: Change, cell: Cell, failing: ast.stmt, span: Span | None) -> list[Node]:
    """The nodes at which a change may be made, the smallest first."""
    nodes = [n for n in cell.nodes if isinstance(n, (ast.expr, ast.stmt))]
    if change.where == TRIGGER and span is not None:
        return [n for n in nodes if cell.span(n) == span]
    if change.where == EARLIER:
        return [n for n in nodes if _before(n, failing) and not (span and trees.near(cell, n, span))]
    within = cell.span(failing)
    nodes = [n for n in nodes if within.contains(cell.span(n)) and (span is None or trees.near(cell, n, span))]
    return sorted(nodes, key=lambda n: len(cell.text(cell.span(n))))


def _before(node: Node, failing: ast.stmt) -> bool:
    """Whether `node` begins before the end of the failing statement."""
    return trees.place(node) < (failing.end_lineno or failing.lineno, failing.end_col_offset or 0)


def _fit(pattern: ast.AST, node: ast.AST, match: _Match) -> _Match | None:
    """`match` with the holes filled so that `pattern` is `node`, or None."""
    attempt = _Match(dict(match.nodes), dict(match.rest), match.places)
    return attempt if _fits(pattern, node, attempt.nodes, attempt.rest) else None  # type: ignore[arg-type]


def _fits(pattern: Any, target: Any, nodes: dict[str, ast.expr], rest: dict[str, list[ast.keyword]]) -> bool:
    if isinstance(pattern, list) and isinstance(target, list):
        return len(pattern) == len(target) and all(
            _fits(p, t, nodes, rest) for p, t in zip(pattern, target, strict=True)
        )
    if type(pattern) is not type(target) and not trees.hole(pattern):
        return False
    if not isinstance(pattern, ast.AST):
        return bool(pattern == target)
    name = trees.hole(pattern)
    if name:
        if not isinstance(target, ast.expr) or isinstance(target, (ast.Starred, ast.Slice)):
            return False
        right = name[1] == "x" or trees.kind(target) == name[1]
        return right and key(nodes.setdefault(name, target)) == key(target)
    fields = [f for f in pattern._fields if f not in ("ctx", "kind", "type_comment")]
    if isinstance(pattern, ast.Call) and any(map(trees.rest_hole, pattern.keywords)):
        fields.remove("keywords")
        wanted = {k.arg: k.value for k in pattern.keywords}
        given = {k.arg: k.value for k in target.keywords}
        name = trees.hole(wanted.pop(None))
        if None in given or not wanted.keys() <= given.keys():  # f(**options) may hold anything
            return False
        rest[name] = [k for k in target.keywords if k.arg not in wanted]
        if not all(_fits(value, given[k], nodes, rest) for k, value in wanted.items()):
            return False
    return all(_fits(getattr(pattern, f, None), getattr(target, f, None), nodes, rest) for f in fields)


# What it becomes there.


@dataclass(frozen=True, slots=True)
class _Filling:
    """One match, on its way to edits."""

    template: Template
    cell: Cell
    failing: ast.stmt
    match: _Match
    names: Mapping[str, str]

    def edits(self) -> tuple[Edit, ...] | None:
        """The edits, verified: the changed cell is the very tree that was meant."""
        replaced = [
            (node, trees.pattern(change.after), change.after) for node, change in self.match.places if change.after
        ]
        inserted = [s for s in ast.parse(self.template.insert).body if not self._is_imported(s)]
        remedy = [*(after for _, after, _ in replaced), *inserted]
        needed = self._needed(remedy)
        if needed is None or self._clashes(remedy):
            return None
        inserted = [*needed, *inserted]

        meant = {id(node): self._substituted(after) for node, after, _ in replaced}
        new = [self._substituted(s) for s in inserted]
        edits = [self._replacement(node, source, meant[id(node)]) for node, _, source in replaced]
        if new:
            edits.append(
                self._insertion([self._text(ast.unparse(s), m) for s, m in zip(inserted, new, strict=True)], new)
            )

        def change(node: ast.AST) -> Any:
            made = meant.get(id(node))
            if node is self.failing and new:
                return [*new, made if made is not None else trees.copied(node, change)]
            return made

        wanted = key(rebuild(self.cell.tree, change))
        # Parentheses where the new code binds less tightly than the old.
        for tried in (edits, [Edit(e.span, f"({e.text})") if _is_piece(e) else e for e in edits]):
            try:
                if key(self.cell.apply(tried).tree) == wanted != key(self.cell.tree):
                    return tuple(tried)
            except (SyntaxError, ValueError):
                continue
        return None

    def _substituted(self, pattern: ast.AST) -> Any:
        """The pattern's tree with the holes filled."""

        def change(node: ast.AST) -> Any:
            if trees.rest_hole(node):
                return list(self.match.rest[trees.rest_hole(node)])
            return self.match.nodes[trees.hole(node)] if trees.hole(node) else None

        try:
            made = rebuild(pattern, change)
        except KeyError:
            raise ValueError("a hole has no content") from None
        for call in (n for n in ast.walk(made) if isinstance(n, ast.Call)):
            given = [k.arg for k in call.keywords if k.arg]
            if len(given) != len(set(given)):
                raise ValueError("an argument would be given twice")
        return made

    def _text(self, source: str, meant: ast.AST) -> str:
        """`source` with the holes filled by the analyst's own text, where that reads as `meant`."""
        part = Cell(source, offset=0)
        for closed in ((*_WHOLE, ast.expr), _WHOLE, ()):
            edits = []
            for node in ast.walk(part.tree):
                if isinstance(node, ast.Call):
                    edits += self._carried(part, node)
                elif isinstance(node, ast.Name) and trees.hole(node) in self.match.nodes:
                    content = self.match.nodes[node.id]
                    text = self.cell.text(self.cell.span(content))
                    edits.append(Edit(part.span(node), text if isinstance(content, closed) else f"({text})"))
            try:
                text = part.apply(edits).body
                if key(trees.pattern(text)) == key(meant):
                    return text
            except (SyntaxError, ValueError):
                continue
        return ast.unparse(meant)

    def _carried(self, part: Cell, call: ast.Call) -> list[Edit]:
        """The edit that puts keyword arguments in the place of ``**_k`` and of the comma before it."""
        rest = next(filter(trees.rest_hole, call.keywords), None)
        if rest is None:
            return []
        texts = [self.cell.text(self.cell.span(k)) for k in self.match.rest[trees.rest_hole(rest)]]
        here = part.span(rest)
        others: list[ast.expr | ast.keyword] = [*call.args, *(k for k in call.keywords if k is not rest)]
        before = [part.span(n) for n in others]
        if not before:
            return [Edit(here, ", ".join(texts))]
        last = max(before, key=lambda s: (s.end_line, s.end_column))
        return [
            Edit(Span(last.end_line, last.end_column, here.end_line, here.end_column), "".join(f", {t}" for t in texts))
        ]

    def _replacement(self, node: Node, source: str, meant: ast.AST) -> Edit:
        text, span = self._text(source, meant), self.cell.span(node)
        return Edit(span, _indented(text, self._lead(span)) if isinstance(node, ast.stmt) else text)

    def _insertion(self, texts: list[str], new: list[ast.stmt]) -> Edit:
        """The edit that puts statements before the failing one, on lines of their own where that begins a line."""
        first = min([self.failing, *getattr(self.failing, "decorator_list", ())], key=lambda n: n.lineno)
        line, column = first.lineno, self.cell.span(self.failing).column
        at = Span(line, column, line, column)
        lead = self._lead(at)
        if lead.strip() == "" and len(lead) == column - 1:
            return Edit(at, "".join(f"{_indented(t, lead)}\n{lead}" for t in texts))
        if any(hasattr(s, "body") for s in new):
            raise ValueError("a compound statement needs a line of its own")
        return Edit(at, "".join(f"{t}; " for t in texts))

    def _lead(self, span: Span) -> str:
        """The blanks before `span` on its line."""
        text = self.cell.text(Span(span.line, 1, span.line, span.column))
        return text if not text.strip() else ""

    def _is_imported(self, statement: ast.stmt) -> bool:
        """Whether this is an import that the cell or an earlier one made already."""
        if key(statement) in {*map(key, trees.imports(self.cell.tree))}:
            return True
        names = trees.bound([statement])
        return isinstance(statement, ast.Import) and all(self.names.get(n) == "module" for n in names)

    def _needed(self, remedy: list[ast.AST]) -> list[ast.stmt] | None:
        """The imports of modules that the remedy uses and nobody made; None where one cannot be told."""
        used = set().union(*map(trees.names, remedy))
        old = set().union(*(trees.names(node) for node, _ in self.match.places))
        there = trees.bound([*remedy, *trees.imports(self.cell.tree)]) | old | self.names.keys() | trees.BUILTINS
        needed: list[ast.stmt] = []
        for name in sorted(used - there):
            line = _IMPORTS.get(name) or (f"import {name}" if name in sys.stdlib_module_names else "")
            if not line:
                return None
            needed += ast.parse(line).body
        return needed

    def _clashes(self, remedy: list[ast.AST]) -> bool:
        """Whether a name that the remedy makes for itself means something else here."""
        code = [n for n in remedy if not isinstance(n, (ast.Import, ast.ImportFrom))]
        inside = set().union(*map(trees.names, self.match.nodes.values()))
        lasting = trees.bound(n for n in code if isinstance(n, ast.stmt))
        return not (
            trees.bound(code).isdisjoint(inside) and lasting.isdisjoint(trees.names(self.cell.tree) | self.names.keys())
        )


def _is_piece(edit: Edit) -> bool:
    """Whether an edit replaces something, in contrast to an insertion."""
    return (edit.span.line, edit.span.column) != (edit.span.end_line, edit.span.end_column)


def _indented(text: str, lead: str) -> str:
    return text.replace("\n", f"\n{lead}")
