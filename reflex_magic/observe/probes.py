"""Probes at the call sites of a cell: where they are put, and what is kept of what passes through."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from reflex_magic.core.card import cut
from reflex_magic.core.cell import Cell, copied
from reflex_magic.core.outcome import Operand, Operation
from reflex_magic.core.ports import PROBE
from reflex_magic.observe import live
from reflex_magic.observe.cards import brief, flags, remarkable
from reflex_magic.observe.kind import Call, Facts, Kind
from reflex_magic.observe.operands import NOT_ALL, NOT_ANY, operands

CALLS = 20
"""Calls of one site that are looked at; a loop may make any number."""

SECONDS = 0.25
"""Time that the facts of one site may take in all; after that the site is only counted."""

RECEIVER = "receiver"
FUNCTION = "function"
RESULT = "result"

_INDEXERS = frozenset({"loc", "iloc", "at", "iat"})
_INDEXED = frozenset({"[]", *(f"{name}[]" for name in _INDEXERS)})
_SYMBOLS: Mapping[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


class Site(Protocol):
    """A place in the cell that values pass."""

    def note(self, role: str, value: Any) -> None:
        """Look at a value; nothing of it is kept beyond the call it belongs to."""

    def forget(self) -> None:
        """Let go of what an unfinished call left behind."""


class CallSite:
    """A call, and the most telling facts of each kind about it."""

    def __init__(self, call: Call, kinds: Sequence[Kind], clock: Callable[[], float] = time.perf_counter) -> None:
        self.call = call
        self.calls = 0
        self.found: dict[str, Facts] = {}
        self._kinds = kinds
        self._clock = clock
        self._spent = 0.0
        self._looked = 0
        self._open: Sequence[Kind] = ()
        self._values: dict[str, Any] = {}

    def note(self, role: str, value: Any) -> None:
        """Collect the values of one call; its facts are made when the result arrives."""
        if role == RECEIVER:
            self._begin(value)
        elif role == FUNCTION:
            self._begin(live.module_of(self.call.method, value))
        elif self._open:
            self._values[role] = value
            if role == RESULT:
                self._finish()

    def forget(self) -> None:
        """Let go of the values of a call that did not return."""
        self._open, self._values = (), {}

    def operations(self) -> list[Operation]:
        """What was found here."""
        c = self.call
        return [
            Operation(c.step, kind, c.span, c.expression, c.keywords, dict(facts), self.calls)
            for kind, facts in self.found.items()
        ]

    def telling(self) -> bool:
        """Whether anything found here is remarkable."""
        return any(kind.telling(self.found[kind.name]) > 0 for kind in self._kinds if kind.name in self.found)

    def _begin(self, receiver: Any) -> None:
        if self._open and self.call.inside:  # it calls itself: whose result comes next cannot be told
            self._looked = CALLS
        self.forget()
        if self._looked >= CALLS or self._spent > SECONDS:
            self.calls += bool(self.calls)
            return
        self._looked += 1
        self._open = [kind for kind in self._kinds if kind.accepts(receiver)]
        if self._open:
            self.calls += 1
            self._values = {RECEIVER: receiver}

    def _finish(self) -> None:
        kinds, values = self._open, self._values
        self.forget()
        started = self._clock()
        for kind in kinds:
            try:
                facts = kind.facts(self.call, values)
            except Exception:  # noqa: BLE001, S112 - what cannot be told is not told; the cell goes on
                continue
            if facts is None:
                continue
            known = self.found.get(kind.name)
            if known is None or kind.telling(facts) > kind.telling(known):
                self.found[kind.name] = facts
        self._spent += self._clock() - started


class Assertion:
    """The operands of one assertion, of the time it ran last."""

    def __init__(self) -> None:
        self.noted: dict[int, Operand] = {}


class OperandSite:
    """A part of an assertion."""

    def __init__(self, assertion: Assertion, number: int, expression: str, ran: Callable[[Assertion], None]) -> None:
        self._assertion = assertion
        self._number = number
        self._expression = expression
        self._ran = ran

    def note(self, role: str, value: Any) -> None:
        """Keep the value as text."""
        noted = self._assertion.noted
        if self._number == 0 or self._number in noted:
            noted.clear()
        self._ran(self._assertion)
        if remarkable(value):
            text = brief(value) if role not in (NOT_ALL, NOT_ANY) else flags(value, role == NOT_ANY)
            noted[self._number] = Operand(self._expression, cut(text))

    def forget(self) -> None:
        """Nothing live is kept."""


Tables = tuple[Mapping[str, Sequence[Kind]], Mapping[str, Sequence[Kind]], Mapping[str, Sequence[Kind]]]


def tables(kinds: Sequence[Kind]) -> Tables:
    """The kinds by the methods, the functions and the operators that they look at."""
    found: tuple[dict[str, list[Kind]], dict[str, list[Kind]], dict[str, list[Kind]]] = ({}, {}, {})
    for kind in kinds:
        for table, names in zip(found, (kind.methods, kind.functions, kind.operators), strict=True):
            for name in names:
                table.setdefault(name, []).append(kind)
    return found


class Instrumenter(ast.NodeTransformer):
    """Puts probes into one top-level statement; the statement itself is not changed.

    Parameters
    ----------
    cell, step
        Where the statement stands.
    kinds
        The kinds of operations to look for; see `tables`.
    add
        Registers a site and returns its number.
    ran
        Told which assertion is being evaluated.
    """

    def __init__(
        self,
        cell: Cell,
        step: int,
        kinds: Tables,
        add: Callable[[Site], int],
        ran: Callable[[Assertion], None],
    ) -> None:
        self._cell = cell
        self._step = step
        self._methods, self._functions, self._operators = kinds
        self._add = add
        self._ran = ran
        self._planned: dict[int, tuple[int, str]] = {}
        self._inside = False
        self._repeats = 0

    def instrument(self, node: ast.stmt) -> ast.stmt:
        """The statement with probes, or `node` itself where there is nothing to watch."""
        if not any(self._watched(part) for part in ast.walk(node)):
            return node
        changed: ast.stmt = self.visit(copied(node))
        return changed

    def instrument_function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A function with probes at the calls in its body, or `node` itself; it may be called any number of times."""
        if not any(self._watched(part) for part in ast.walk(node)):
            return node
        changed = copied(node)
        self._inside, self._repeats = True, 1
        changed.body = [self.visit(part) for part in changed.body]
        return changed

    def _watched(self, node: ast.AST) -> bool:
        match node:
            case ast.Assert() | ast.Assign(targets=[ast.Subscript()]):
                return True
            case ast.Call(func=ast.Attribute(attr=name)):
                return name in self._methods
            case ast.Call(func=ast.Name(id=name)):
                return name in self._functions
            case ast.Subscript(ctx=ast.Load()):
                return not _INDEXED.isdisjoint(self._operators)
            case ast.BinOp(op=operator) | ast.Compare(ops=[operator]):
                return _SYMBOLS.get(type(operator)) in self._operators
        return False

    def visit(self, node: ast.AST) -> Any:
        """The node with probes inside, and around it where it is a part of an assertion."""
        changed = super().visit(node)
        planned = self._planned.get(id(node))
        return self._wrap(*planned, changed) if planned else changed

    def _leave(self, node: ast.AST) -> ast.AST:
        return node

    # These may run after the cell, or are not evaluated at all.
    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_GeneratorExp = _leave  # noqa: N815
    visit_TypeAlias = _leave  # noqa: N815
    # Before Python 3.12 the places of what stands in an f-string are not known.
    visit_JoinedStr = visit_TemplateStr = _leave  # noqa: N815

    def _visit_repeated(self, node: ast.AST) -> ast.AST:
        """What is run again and again: an operator there takes less time than its probe."""
        self._repeats += 1
        try:
            return self.generic_visit(node)
        finally:
            self._repeats -= 1

    visit_For = visit_AsyncFor = visit_While = visit_ListComp = visit_SetComp = visit_DictComp = _visit_repeated  # noqa: N815

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Leave the annotation as it is written: it may be kept as text."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """Watch the operands of the test; the message is evaluated only when it failed."""
        assertion = Assertion()
        for number, (part, role) in enumerate(operands(node.test)):
            site = self._add(OperandSite(assertion, number, self._text(part), self._ran))
            self._planned[id(part)] = (site, role)
        node.test = self.visit(node.test)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Watch ``frame["column"] = value``: first the value is evaluated, then the frame."""
        kinds = self._operators.get("[]=", ())
        match node.targets:
            case [ast.Subscript(value=ast.Name() as frame, slice=ast.Constant(value=str() as column)) as target] if (
                kinds
            ):
                call = Call(self._step, self._cell.span(node), self._text(node), column)
                site = self._add(CallSite(call, kinds))
                node.value = self._wrap(site, RECEIVER, self.visit(node.value))
                target.value = self._wrap(site, RESULT, frame)
                return node
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Watch a call of a method or function whose name one of the kinds knows."""
        kinds = self._kinds_of(node)
        if not kinds:
            return self.generic_visit(node)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        keywords = tuple(k.arg or "**" for k in node.keywords)
        call = Call(self._step, self._cell.span(node), self._text(node), name, keywords, _words(node), self._inside)
        site = self._add(CallSite(call, kinds))
        needed = frozenset[str]().union(*(kind.arguments for kind in kinds))
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute):
            node.func.value = self._wrap(site, RECEIVER, node.func.value)
        else:
            node.func = self._wrap(site, FUNCTION, node.func)
        for i, argument in enumerate(node.args):
            if str(i) in needed:
                node.args[i] = self._wrap(site, str(i), argument)
        for keyword in node.keywords:
            if keyword.arg in needed:
                keyword.value = self._wrap(site, keyword.arg, keyword.value)
        return self._wrap(site, RESULT, node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Watch ``frame[mask]`` and ``frame.loc[rows, columns]``; a column by its name is nothing to look at."""
        held, name = node.value, "[]"
        if isinstance(held, ast.Attribute) and held.attr in _INDEXERS:
            name = f"{held.attr}[]"
        kinds = () if self._repeats else self._operators.get(name, ())
        if not kinds or not isinstance(node.ctx, ast.Load) or (name == "[]" and isinstance(node.slice, ast.Constant)):
            return self.generic_visit(node)
        site = self._operator(node, name, kinds)
        self.generic_visit(node)
        if isinstance(held, ast.Attribute) and name != "[]":
            held.value = self._wrap(site, RECEIVER, held.value)
        else:
            node.value = self._wrap(site, RECEIVER, node.value)
        node.slice = self._wrap_slice(site, node.slice)
        return self._wrap(site, RESULT, node)

    def _wrap_slice(self, site: int, node: ast.expr) -> ast.expr:
        """What stands in the brackets. ``a:b`` is no expression of its own, nor is ``a:b, c``."""
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        return node if any(isinstance(p, (ast.Slice, ast.Starred)) for p in parts) else self._wrap(site, "0", node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Watch an operator between two values."""
        return self._visit_operator(node, _SYMBOLS.get(type(node.op), ""), node.left, node.right)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Watch a comparison of two values."""
        if len(node.ops) != 1:
            return self.generic_visit(node)
        return self._visit_operator(node, _SYMBOLS.get(type(node.ops[0]), ""), node.left, node.comparators[0])

    def _visit_operator(self, node: ast.BinOp | ast.Compare, name: str, left: ast.expr, right: ast.expr) -> ast.AST:
        kinds = () if self._repeats else self._operators.get(name, ())
        if not kinds or isinstance(left, (ast.Constant, ast.JoinedStr)):
            return self.generic_visit(node)
        site = self._operator(node, name, kinds)
        self.generic_visit(node)
        node.left = self._wrap(site, RECEIVER, node.left)
        if isinstance(node, ast.BinOp):
            node.right = self._wrap(site, "0", node.right)
        else:
            node.comparators[0] = self._wrap(site, "0", node.comparators[0])
        return self._wrap(site, RESULT, node)

    def _operator(self, node: ast.expr, name: str, kinds: Sequence[Kind]) -> int:
        words = frozenset(_texts([node]))
        return self._add(CallSite(Call(self._step, self._cell.span(node), self._text(node), name, (), words), kinds))

    def _kinds_of(self, node: ast.Call) -> Sequence[Kind]:
        match node.func:
            case ast.Attribute(value=ast.Constant() | ast.JoinedStr()):
                return ()
            case ast.Attribute(attr=name):
                found = self._methods.get(name, ())
            case ast.Name(id=name):
                found = self._functions.get(name, ())
            case _:
                return ()
        # Behind *args and **options an argument cannot be told by its place or name.
        hidden = any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)
        return [kind for kind in found if not kind.arguments] if hidden else found

    def _wrap(self, site: int, role: str, node: ast.expr) -> ast.Call:
        parts: list[ast.expr] = [ast.Name(PROBE, ast.Load()), ast.Constant(site), ast.Constant(role)]
        name, number, word = (ast.copy_location(part, node) for part in parts)
        return ast.copy_location(ast.Call(name, [number, word, node], []), node)

    def _text(self, node: ast.expr | ast.stmt) -> str:
        """The node's source on one line."""
        span = self._cell.span(node)
        text = self._cell.text(span) if self._cell.editable(span) else ast.unparse(node)
        return cut(" ".join(line.strip() for line in text.splitlines()))


def _words(node: ast.Call) -> frozenset[str]:
    """The names and short texts written in the arguments of a call."""
    return frozenset(_texts([*node.args, *(k.value for k in node.keywords)]))


def _texts(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        for part in ast.walk(node):
            match part:
                case ast.Constant(value=str() as text) | ast.Name(id=text) | ast.Attribute(attr=text):
                    yield text
