"""What every kind of observed operation has in common."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reflex_magic.core.card import cut
from reflex_magic.core.cell import Cell, Span

ROWS = 2_000_000
"""Longest data that a probe scans; a call on more is not noted."""

Facts = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A call site. `method` is the called name; `inside` says that it stands in a function.

    `node` is the call, the operator or the assignment in the tree of the cell.
    """

    cell: Cell
    step: int
    node: ast.expr | ast.stmt
    method: str
    keywords: tuple[str, ...] = ()
    inside: bool = False

    @cached_property
    def span(self) -> Span:
        """Where it stands."""
        return self.cell.span(self.node)

    @cached_property
    def expression(self) -> str:
        """Its source on one line."""
        return text_of(self.cell, self.node)

    @cached_property
    def column(self) -> str:
        """The column that a method is called on by its name, ``frame["a"].mean()``; empty for anything else."""
        match self.node:
            case ast.Call(func=ast.Attribute(value=ast.Subscript(slice=ast.Constant(value=str() as name)))):
                return name
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name))):
                return name
        return ""

    @cached_property
    def words(self) -> frozenset[str]:
        """The names and short texts that are written in its arguments, or in it where it has none."""
        parts = (
            [*self.node.args, *(k.value for k in self.node.keywords)]
            if isinstance(self.node, ast.Call)
            else [self.node]
        )
        words: set[str] = set()
        for part in (n for p in parts for n in ast.walk(p)):
            match part:
                case ast.Constant(value=str() as text) | ast.Name(id=text) | ast.Attribute(attr=text):
                    words.add(text)
        return frozenset(words)


def text_of(cell: Cell, node: ast.expr | ast.stmt) -> str:
    """The source of a node on one line."""
    span = cell.span(node)
    text = cell.text(span) if cell.editable(span) else ast.unparse(node)
    return cut(" ".join(line.strip() for line in text.splitlines()))


def keywords_of(node: ast.AST) -> tuple[str, ...]:
    """The keywords of a call, ``**`` for all that are handed on; none of anything else."""
    return tuple(k.arg or "**" for k in node.keywords) if isinstance(node, ast.Call) else ()


class Kind:
    """One kind of operation: which calls may be of it, and what is noted about one.

    Attributes
    ----------
    name
        `Operation.kind`.
    methods
        The names under which it is called on a value or a module: ``frame.merge``, ``pd.merge``. One such
        as "str.strip" is that of ``series.str.strip``, but not of ``text.strip``.
    functions
        The names under which it is called on its own: ``sum(...)``, or ``merge(...)`` when it was
        imported by this name. The receiver is then the module that has the function.
    operators
        ``[]`` (in brackets not a literal), ``loc[]``, ``iloc[]``, ``at[]``, ``iat[]``, ``[]=`` (a column by its
        name), ``[][]=`` (``frame[mask]["column"] = value``; the result is ``frame[mask]``), ``[].inplace``
        (``frame["column"].fillna(0, inplace=True)``, also `update`; the receiver is the frame), ``[].diff`` or
        another method (``frame["column"].diff()``; the receiver is the frame), ``+ - * / // % ** & |``, ``== !=
        < <= > >=``, ``in``, ``not in``, ``~``, ``for`` (the column that a comprehension goes through), and a
        property, ``.seconds`` or ``.dt.month`` (the receiver is what stands before ``.dt``). The receiver is
        what stands on the left, and "0" what stands on the right or in the brackets, unless that has a ``:``.
        Within loops and functions operators are not watched, except ``.dt.month`` and its like, because a probe
        takes longer than they do.
    arguments
        The arguments whose values are needed: a position as text, or a keyword.
    """

    name: str
    methods: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    operators: frozenset[str] = frozenset()
    arguments: frozenset[str] = frozenset()

    def watches(self, cell: Cell, node: ast.Call) -> bool:
        """Whether a call with one of these names is looked at where it stands; asked once, before the cell runs."""
        return True

    def accepts(self, receiver: Any) -> bool:
        """Whether a call on `receiver` is of this kind; cheap, since it decides for every call."""
        raise NotImplementedError

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:
        """Counts, names and shapes of one call; None where nothing can be told.

        `values` has the receiver, the needed arguments and the result, under these names
        ("receiver", "0", "how", "result"). Nothing of it may be kept. The fact `node`, where there is one, is the
        part of the call that the facts are about: an expression among the arguments.
        """
        raise NotImplementedError

    def telling(self, facts: Facts) -> float:
        """How much these facts say; 0 for an operation where nothing is remarkable."""
        raise NotImplementedError
