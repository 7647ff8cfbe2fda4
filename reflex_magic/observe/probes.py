"""Probes at the call sites of a cell: where they are put, and what is kept of what passes through."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from reflex_magic.core.card import cut
from reflex_magic.core.cell import Cell
from reflex_magic.core.outcome import Operand, Operation
from reflex_magic.core.ports import PROBE
from reflex_magic.core.warned import unheard
from reflex_magic.observe import live
from reflex_magic.observe.cards import brief, flags, remarkable
from reflex_magic.observe.kind import Call, Facts, Kind, keywords_of, text_of
from reflex_magic.observe.operands import NOT_ALL, NOT_ANY, operands

Node = TypeVar("Node", bound=ast.AST)

CALLS = 20
"""Calls of one site that are looked at; a loop may make any number."""

SECONDS = 0.25
"""Time that the facts of one site may take in all; after that the site is only counted."""

RECEIVER = "receiver"
FUNCTION = "function"
RESULT = "result"

_INDEXERS = frozenset({"loc", "iloc", "at", "iat"})
_SYMBOLS: Mapping[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in", ast.Invert: "~",
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
        return [self._operation(kind, dict(facts)) for kind, facts in self.found.items()]

    def _operation(self, kind: str, facts: Facts) -> Operation:
        part = facts.pop("node", None)
        c = self.call if part is None else replace(self.call, node=part, keywords=keywords_of(part))
        return Operation(c.step, kind, c.span, c.expression, c.keywords, facts, self.calls)

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
        unheard(lambda: self._look(kinds, values))  # a warning that looking gives rise to is not the cell's
        self._spent += self._clock() - started

    def _look(self, kinds: Sequence[Kind], values: Mapping[str, Any]) -> None:
        for kind in kinds:
            self._ask(kind, values)

    def _ask(self, kind: Kind, values: Mapping[str, Any]) -> None:
        try:
            facts = kind.facts(self.call, values)
        except Exception:  # noqa: BLE001 - what cannot be told is not told; the cell goes on
            return
        known = self.found.get(kind.name)
        if facts is not None and (known is None or kind.telling(facts) > kind.telling(known)):
            self.found[kind.name] = facts


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


def tables(kinds: Sequence[Kind], others: Tables = ({}, {}, {})) -> Tables:
    """The kinds by the methods, the functions and the operators that they look at; before `others`."""
    found = dict(others[0]), dict(others[1]), dict(others[2])
    for kind in reversed(kinds):
        for table, names in zip(found, (kind.methods, kind.functions, kind.operators), strict=True):
            for name in names:
                table[name] = [kind, *table.get(name, ())]
    return found


class Instrumenter:
    """Copies a top-level statement with probes in it; the statement itself is not changed.

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
        self._probed = False

    def instrument(self, node: ast.stmt) -> ast.stmt:
        """The statement with probes, or `node` itself where there is nothing to watch."""
        changed: ast.stmt = self._copy(node)
        return changed if self._probed else node

    def instrument_function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A function with probes at the calls in its body, or `node` itself; it may be called any number of times."""
        self._inside, self._repeats = True, 1
        changed: ast.FunctionDef = _alike(node)
        changed.body = [self._copy(part) for part in node.body]
        return changed if self._probed else node

    def _copy(self, node: ast.AST) -> Any:
        """A copy of the node with probes inside, and around it where it is a part of an assertion."""
        copier = _COPIERS.get(type(node))
        changed = self._copy_parts(node) if copier is None else copier(self, node)
        planned = self._planned.get(id(node)) if self._planned else None
        return self._wrap(*planned, changed) if planned else changed

    def _copy_parts(self, node: Any) -> Any:
        """A copy of the node with probes in its parts."""
        changed = _alike(node)
        values = vars(changed)
        for name in node._fields:
            value = values.get(name)
            if isinstance(value, ast.AST):
                if type(value) not in _WITHOUT_PARTS:
                    values[name] = self._copy(value)
            elif type(value) is list:
                values[name] = [self._copy(v) if isinstance(v, ast.AST) else v for v in value]
        return changed

    def _leave(self, node: ast.AST) -> ast.AST:
        return node

    def _copy_repeated(self, node: Any) -> ast.AST:
        """What is run again and again: an operator there takes less time than its probe."""
        self._repeats += 1
        try:
            changed: ast.AST = self._copy_parts(node)
        finally:
            self._repeats -= 1
        kinds = () if self._repeats else self._operators.get("for", ())
        if kinds and isinstance(changed, (ast.ListComp, ast.SetComp)):
            first = _alike(changed.generators[0])
            if isinstance(first.iter, (ast.Subscript, ast.Attribute)):  # as a column is written
                site = self._add(CallSite(Call(self._cell, self._step, node.generators[0].iter, "for"), kinds))
                # It is evaluated once, and noted before and after at one moment.
                first.iter = self._wrap(site, RESULT, self._wrap(site, RECEIVER, first.iter))
                changed.generators = [first, *changed.generators[1:]]
        return changed

    def _copy_annotated(self, node: ast.AnnAssign) -> ast.AST:
        """Leave the annotation as it is written: it may be kept as text."""
        if node.value is None:
            return node
        changed = _alike(node)
        changed.value = self._copy(node.value)
        return changed

    def _copy_assert(self, node: ast.Assert) -> ast.AST:
        """Watch the operands of the test; the message is evaluated only when it failed."""
        assertion = Assertion()
        for number, (part, role) in enumerate(operands(node.test)):
            site = self._add(OperandSite(assertion, number, self._text(part), self._ran))
            self._planned[id(part)] = (site, role)
        changed = _alike(node)
        self._repeats += 1  # a probe around the comparison would move the place of the failure
        changed.test = self._copy(node.test)
        self._repeats -= 1
        return changed

    def _copy_assign(self, node: ast.Assign) -> ast.AST:
        """Watch ``frame["column"] = value``: first the value is evaluated, then the frame."""
        kinds = self._operators.get("[]=", ())
        match node.targets:
            case [ast.Subscript(value=ast.Name() as frame, slice=ast.Constant(value=str() as column)) as target] if (
                kinds
            ):
                site = self._add(CallSite(Call(self._cell, self._step, node, column), kinds))
                changed, changed_target = _alike(node), _alike(target)
                changed.value = self._wrap(site, RECEIVER, self._copy(node.value))
                changed_target.value = self._wrap(site, RESULT, frame)
                changed.targets = [changed_target]
                return changed
        copied: ast.AST = self._copy_parts(node)
        return copied

    def _copy_call(self, node: ast.Call) -> ast.AST:
        """Watch a call of a method or function whose name one of the kinds knows."""
        if isinstance(node.func, ast.Attribute) and _is_in_place(node, node.func):
            return self._copy_in_place(node, node.func)
        kinds = self._kinds_of(node)
        changed: ast.Call = self._copy_parts(node)
        holder = None
        if isinstance(node.func, ast.Attribute) and isinstance(changed.func, ast.Attribute):
            holder = self._copy_holder(node, node.func.attr, node.func.value, changed.func.value)
        if not kinds:
            return changed if holder is None else self._wrap(holder, RESULT, changed)
        method = isinstance(node.func, ast.Attribute)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        keywords = keywords_of(node)
        site = self._add(CallSite(Call(self._cell, self._step, node, name, keywords, self._inside), kinds))
        needed = frozenset[str]().union(*(kind.arguments for kind in kinds))
        if isinstance(changed.func, ast.Attribute) and method:
            changed.func.value = self._wrap(site, RECEIVER, changed.func.value)
        else:
            changed.func = self._wrap(site, FUNCTION, changed.func)
        for i, argument in enumerate(changed.args):
            if str(i) in needed:
                changed.args[i] = self._wrap(site, str(i), argument)
        for keyword in changed.keywords:
            if keyword.arg in needed:
                keyword.value = self._wrap(site, keyword.arg, keyword.value)
        watched = self._wrap(site, RESULT, changed)
        return watched if holder is None else self._wrap(holder, RESULT, watched)

    def _copy_holder(self, node: ast.Call | ast.Subscript, name: str, part: ast.expr, copied: ast.expr) -> int | None:
        """Watch the table in ``frame["column"].diff()``, where the method alone sees the column only."""
        kinds = self._operators.get(f"[].{name}", ())
        match part, copied:
            case (
                ast.Subscript(slice=ast.Constant(value=str())) | ast.Attribute(),
                ast.Subscript() | ast.Attribute() as changed,
            ) if kinds:
                keywords = keywords_of(node)
                site = self._add(CallSite(Call(self._cell, self._step, node, name, keywords, self._inside), kinds))
                changed.value = self._wrap(site, RECEIVER, changed.value)
                return site
        return None

    def _copy_subscript(self, node: ast.Subscript) -> ast.AST:
        """Watch ``frame[mask]`` and ``frame.loc[rows, columns]``; a column by its name is nothing to look at."""
        if isinstance(node.ctx, ast.Store):
            return self._copy_written(node)
        indexer = node.value.attr if isinstance(node.value, ast.Attribute) and node.value.attr in _INDEXERS else ""
        name = f"{indexer}[]"
        kinds = () if self._repeats else self._operators.get(name, ())
        changed: ast.Subscript = self._copy_parts(node)
        if not kinds or not isinstance(node.ctx, ast.Load) or (not indexer and isinstance(node.slice, ast.Constant)):
            return changed
        holder = None
        if indexer and isinstance(node.value, ast.Attribute) and isinstance(changed.value, ast.Attribute):
            holder = self._copy_holder(node, name, node.value.value, changed.value.value)
        site = self._add(CallSite(Call(self._cell, self._step, node, name), kinds))
        if indexer and isinstance(changed.value, ast.Attribute):
            changed.value.value = self._wrap(site, RECEIVER, changed.value.value)
        else:
            changed.value = self._wrap(site, RECEIVER, changed.value)
        changed.slice = self._wrap_slice(site, changed.slice)
        watched = self._wrap(site, RESULT, changed)
        return watched if holder is None else self._wrap(holder, RESULT, watched)

    def _copy_written(self, node: ast.Subscript | ast.Attribute) -> ast.AST:
        """Watch ``frame[mask]["column"] = value`` and ``frame["column"].loc[mask] = value``: what is written to."""
        part = node.value
        indexed = isinstance(part, ast.Attribute) and part.attr in _INDEXERS
        if indexed and isinstance(part, ast.Attribute):
            part = part.value
        kinds = () if self._repeats else self._operators.get("[][]=", ())
        if not kinds or not isinstance(part, (ast.Subscript, ast.Attribute)):
            copied: ast.AST = self._copy_parts(node)
            return copied
        site = self._add(CallSite(Call(self._cell, self._step, node, "[][]="), kinds))
        changed, written = _alike(node), self._wrap(site, RESULT, self._copy_part(site, part))
        if indexed and isinstance(node.value, ast.Attribute):
            changed.value = _alike(node.value)
            changed.value.value = written
        else:
            changed.value = written
        if isinstance(changed, ast.Subscript):
            changed.slice = self._copy(changed.slice)
        return changed

    def _copy_part(self, site: int, node: ast.Subscript | ast.Attribute) -> ast.Subscript | ast.Attribute:
        """What ``frame[mask]``, ``frame.loc[rows]`` or ``frame.column`` is taken from, watched as the receiver."""
        changed = holder = _alike(node)
        if isinstance(changed, ast.Subscript):
            changed.slice = self._copy(changed.slice)
            if isinstance(changed.value, ast.Attribute) and changed.value.attr in _INDEXERS:
                holder = changed.value = _alike(changed.value)
        holder.value = self._wrap(site, RECEIVER, self._copy(holder.value))
        return changed

    def _copy_in_place(self, node: ast.Call, function: ast.Attribute) -> ast.AST:
        """Watch ``frame["column"].fillna(0, inplace=True)`` without holding the column.

        pandas warns where nobody else holds what is changed in place; a probe that does would take the warning away.
        """
        kinds, part = self._operators.get("[].inplace", ()), function.value
        if not kinds or not isinstance(part, (ast.Subscript, ast.Attribute)):
            copied: ast.AST = self._copy_parts(node)
            return copied
        keywords = keywords_of(node)
        site = self._add(CallSite(Call(self._cell, self._step, node, function.attr, keywords, self._inside), kinds))
        changed, changed_function = _alike(node), _alike(function)
        changed_function.value = self._copy_part(site, part)
        changed.func = changed_function
        changed.args = [self._copy(a) for a in node.args]
        changed.keywords = [self._copy(k) for k in node.keywords]
        return self._wrap(site, RESULT, changed)

    def _copy_case(self, node: ast.match_case) -> ast.AST:
        """Leave a pattern as it is: it is no expression, and may have no call in it."""
        changed = _alike(node)
        changed.guard = None if node.guard is None else self._copy(node.guard)
        changed.body = [self._copy(part) for part in node.body]
        return changed

    def _copy_attribute(self, node: ast.Attribute) -> ast.AST:
        """Watch ``column.dt.month`` and ``span.seconds``: a part of a date or duration."""
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Subscript):
            return self._copy_written(node)
        changed: ast.Attribute = self._copy_parts(node)
        through = isinstance(node.value, ast.Attribute) and node.value.attr == "dt"
        kinds = self._operators.get(f".dt.{node.attr}" if through else f".{node.attr}", ())
        if not kinds or not isinstance(node.ctx, ast.Load) or (self._repeats and not through):
            return changed
        site = self._add(CallSite(Call(self._cell, self._step, node, node.attr, inside=self._inside), kinds))
        if isinstance(changed.value, ast.Attribute) and through:
            changed.value.value = self._wrap(site, RECEIVER, changed.value.value)
        else:
            changed.value = self._wrap(site, RECEIVER, changed.value)
        return self._wrap(site, RESULT, changed)

    def _wrap_slice(self, site: int, node: ast.expr) -> ast.expr:
        """What stands in the brackets. ``a:b`` is no expression of its own, nor is ``a:b, c``."""
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        return node if any(isinstance(p, (ast.Slice, ast.Starred)) for p in parts) else self._wrap(site, "0", node)

    def _copy_operator(self, node: ast.BinOp) -> ast.AST:
        """Watch an operator between two values."""
        changed: ast.BinOp = self._copy_parts(node)
        site = self._operator(node, type(node.op), node.left, node.right)
        if site is None:
            return changed
        changed.left, changed.right = self._wrap(site, RECEIVER, changed.left), self._wrap(site, "0", changed.right)
        return self._wrap(site, RESULT, changed)

    def _copy_comparison(self, node: ast.Compare) -> ast.AST:
        """Watch a comparison of two values."""
        changed: ast.Compare = self._copy_parts(node)
        right = node.comparators[0]
        site = self._operator(node, type(node.ops[0]), node.left, right) if len(node.ops) == 1 else None
        if site is None:
            return changed
        changed.left = self._wrap(site, RECEIVER, changed.left)
        changed.comparators = [self._wrap(site, "0", changed.comparators[0])]
        return self._wrap(site, RESULT, changed)

    def _copy_unary(self, node: ast.UnaryOp) -> ast.AST:
        """Watch an operator before a value."""
        changed: ast.UnaryOp = self._copy_parts(node)
        site = self._operator(node, type(node.op), node.operand, None)
        if site is None:
            return changed
        changed.operand = self._wrap(site, RECEIVER, changed.operand)
        return self._wrap(site, RESULT, changed)

    def _operator(self, node: ast.expr, operator: type[ast.AST], left: ast.expr, right: ast.expr | None) -> int | None:
        name = _SYMBOLS.get(operator, "")
        kinds = () if self._repeats else self._operators.get(name, ())
        if not kinds or isinstance(left, ast.JoinedStr):
            return None
        # ``"a" in data`` and ``1 - data`` are looked at, ``60 * 60`` and ``"a" + text`` are not.
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            return None
        if isinstance(left, ast.Constant) and isinstance(left.value, str) and name not in ("in", "not in"):
            return None
        return self._add(CallSite(Call(self._cell, self._step, node, name), kinds))

    def _kinds_of(self, node: ast.Call) -> Sequence[Kind]:
        found: Sequence[Kind]
        match node.func:
            case ast.Attribute(value=ast.Constant() | ast.JoinedStr()):
                return ()
            case ast.Attribute(value=ast.Attribute(attr="str"), attr=name):
                found = [*self._methods.get(name, ()), *self._methods.get(f"str.{name}", ())]
            case ast.Attribute(attr=name):
                found = self._methods.get(name, ())
            case ast.Name(id=name):
                found = self._functions.get(name, ())
            case _:
                return ()
        found = [kind for kind in found if kind.watches(self._cell, node)]
        if not found:
            return ()
        # Behind *args and **options an argument cannot be told by its place or name.
        hidden = any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)
        return [kind for kind in found if not kind.arguments] if hidden else found

    def _wrap(self, site: int, role: str, node: ast.expr) -> ast.Call:
        self._probed = True
        place: dict[str, Any] = {
            "lineno": node.lineno,
            "col_offset": node.col_offset,
            "end_lineno": node.end_lineno,
            "end_col_offset": node.end_col_offset,
        }
        probe = ast.Attribute(ast.Constant(PROBE, **place), "probe", _LOAD, **place)
        return ast.Call(probe, [ast.Constant(site, **place), ast.Constant(role, **place), node], [], **place)

    def _text(self, node: ast.expr) -> str:
        return text_of(self._cell, node)


def _is_in_place(node: ast.Call, function: ast.Attribute) -> bool:
    """Whether a call changes something that has no name of its own."""
    if isinstance(function.value, ast.Name):
        return False
    return function.attr == "update" or any(keyword.arg == "inplace" for keyword in node.keywords)


def _alike(node: Node) -> Node:
    """A copy of a node that has the same parts."""
    changed = type(node).__new__(type(node))
    vars(changed).update(vars(node))
    return changed


_LOAD = ast.Load()

_WITHOUT_PARTS = frozenset(
    kind
    for base in (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
    for kind in base.__subclasses__()
)

_COPIERS: Mapping[type[ast.AST], Callable[[Instrumenter, Any], Any]] = {
    # These may run after the cell, or are not evaluated at all.
    **dict.fromkeys(
        (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.GeneratorExp), Instrumenter._leave
    ),
    getattr(ast, "TypeAlias", ast.Lambda): Instrumenter._leave,
    # Before Python 3.12 the places of what stands in an f-string are not known.
    ast.JoinedStr: Instrumenter._leave,
    getattr(ast, "TemplateStr", ast.JoinedStr): Instrumenter._leave,
    **dict.fromkeys(
        (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp), Instrumenter._copy_repeated
    ),
    ast.AnnAssign: Instrumenter._copy_annotated,
    ast.Assert: Instrumenter._copy_assert,
    ast.Assign: Instrumenter._copy_assign,
    ast.Call: Instrumenter._copy_call,
    ast.Subscript: Instrumenter._copy_subscript,
    ast.Attribute: Instrumenter._copy_attribute,
    ast.match_case: Instrumenter._copy_case,
    ast.BinOp: Instrumenter._copy_operator,
    ast.Compare: Instrumenter._copy_comparison,
    ast.UnaryOp: Instrumenter._copy_unary,
}  # fmt: skip
