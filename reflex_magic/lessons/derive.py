"""From an accepted repair to its template."""

from __future__ import annotations

import ast
import difflib
import itertools
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from reflex_magic.core.cell import Cell, Span
from reflex_magic.lessons import trees
from reflex_magic.lessons.signature import PATH, URL
from reflex_magic.lessons.template import EARLIER, HERE, TRIGGER, Change, Template, TemplateError
from reflex_magic.lessons.trees import Node, key, rebuild

LARGE = 10_000
"""A number from here on is a value of the data, not an option of a remedy."""


@dataclass(frozen=True, slots=True)
class _Difference:
    """A statement that changed, or with `old` None one that was inserted before `following`."""

    old: ast.stmt | None
    new: ast.stmt
    following: ast.stmt | None = None


def derive(
    before: Cell,
    after: Cell,
    span: Span | None,
    step: int | None,
    *,
    columns: Collection[str] = (),
    known: Collection[str] = (),
) -> Template:
    """The template of a repair.

    Parameters
    ----------
    before, after
        The cell that failed and the cell that was accepted.
    span, step
        Where it failed: the expression, and the top-level statement (counted from 0).
    columns
        Names of columns, which never stay in a template.
    known
        Names that mean modules, besides those that the cell imports.

    Raises
    ------
    TemplateError
        The repair is too particular, too general, or of a form that cannot be carried over.
    """
    try:
        old, new = before.tree, after.tree
    except (SyntaxError, ValueError) as error:
        raise TemplateError("the failing cell is not Python") from error
    failing = trees.failing_statement(before, span, step)
    if failing is None:
        raise TemplateError("the failing statement is not known")
    if any(map(trees.HOLE.search, (before.python, after.python))):
        raise TemplateError("the cell uses names that look like holes")
    known = {*known, *ALIASES, *trees.bound([*trees.imports(old), *trees.imports(new)])}
    work = _Derivation(before, failing, span, known, columns)
    return work.template(list(_differences(old.body, new.body)))


ALIASES = ("pd", "np", "plt")
"""Names that mean a module in every notebook, also where an earlier cell imported it."""


# What changed, statement by statement.


def _differences(old: list[ast.stmt], new: list[ast.stmt]) -> Iterator[_Difference]:
    blocks = difflib.SequenceMatcher(None, [*map(key, old)], [*map(key, new)], autojunk=False).get_opcodes()
    for code, i, j, k, m in blocks:
        if j - i > m - k:
            raise TemplateError("the repair removes statements")
        if code == "equal":
            continue
        partners = _partners(old[i:j], new[k:m])
        for number, statement in enumerate(new[k:m]):
            if number in partners:
                yield from _within(old[i + partners.index(number)], statement)
            else:
                following = i + sum(p < number for p in partners)
                yield _Difference(None, statement, old[following] if following < len(old) else None)


def _partners(old: list[ast.stmt], new: list[ast.stmt]) -> list[int]:
    """For each old statement the number of the new one it became: the most alike, in order."""
    if len(old) == len(new) or len(new) > 8:
        return list(range(len(old)))
    texts = [ast.unparse(s) for s in new]

    def likeness(choice: tuple[int, ...]) -> float:
        pairs = zip(map(ast.unparse, old), choice, strict=True)
        return sum(difflib.SequenceMatcher(None, a, texts[n]).ratio() for a, n in pairs)

    choices = list(itertools.combinations(range(len(new)), len(old)))
    return list(choices[max(range(len(choices)), key=lambda c: likeness(choices[c]))])


def _within(old: ast.stmt, new: ast.stmt) -> Iterator[_Difference]:
    """The differences within a compound statement whose head stayed, else the pair itself."""
    blocks = [n for n in ("body", "orelse", "finalbody") if getattr(old, n, None) is not None]

    def head(statement: ast.stmt) -> list[str]:
        return [key(value) for name, value in ast.iter_fields(statement) if name not in blocks]

    if blocks and type(old) is type(new) and head(old) == head(new):
        for block in blocks:
            yield from _differences(getattr(old, block), getattr(new, block))
    else:
        yield _Difference(old, new)


def _levels(old: ast.AST, new: ast.AST) -> list[tuple[Node, Node]]:
    """The pairs of nodes that hold the whole difference of two, innermost first."""
    levels: list[tuple[Node, Node]] = []
    if type(old) is type(new) and not isinstance(old, ast.JoinedStr):
        differing: list[tuple[Any, Any]] = []
        for (_, a), (_, b) in zip(ast.iter_fields(old), ast.iter_fields(new), strict=True):
            both_lists = isinstance(a, list) and isinstance(b, list) and len(a) == len(b)
            pairs = list(zip(a, b, strict=True)) if both_lists else [(a, b)]
            differing += [(x, y) for x, y in pairs if key(x) != key(y)]
        if len(differing) == 1 and all(isinstance(n, ast.AST) for n in differing[0]):
            levels = _levels(*differing[0])
            match old, new:
                # The same method on something else: what it is called with belongs to it.
                case ast.Call(func=ast.Attribute(attr=a)), ast.Call(func=ast.Attribute(attr=b)) if a == b:
                    levels = [level for level in levels if level[0] is not old.func]
    for kind in (ast.expr, ast.stmt):
        if isinstance(old, kind) and isinstance(new, kind):
            levels.append((old, new))
    return levels


@dataclass
class _Derivation:
    """The work of `derive`: where the cell failed, and the holes so far.

    `holes` maps code (`trees.key`) to its hole; `rest` maps the id of a call in the new code to
    its ``**_k`` hole and the arguments which that carries; `own` are names that the repair's
    inserted statements make; `old` and `new` count the nodes of the old and the new code.
    """

    cell: Cell
    failing: ast.stmt
    span: Span | None
    known: Collection[str]
    columns: Collection[str]
    own: Collection[str] = ()
    holes: dict[str, str] = field(default_factory=dict)
    rest: dict[int, tuple[str, set[str]]] = field(default_factory=dict)
    old: Counter[str] = field(default_factory=Counter)
    new: Counter[str] = field(default_factory=Counter)

    def template(self, differences: list[_Difference]) -> Template:
        """The template of these differences."""
        if not differences:
            raise TemplateError("nothing was changed")
        inserted = [d for d in differences if d.old is None]
        self.own = trees.bound(d.new for d in inserted) - trees.names(self.cell.tree)
        for difference in inserted:
            self._is_in_time(difference)
        pairs = [self._narrowed(d.old, d.new) for d in differences if d.old is not None]
        self._count([old for old, _ in pairs], [*(new for _, new in pairs), *(d.new for d in inserted)])

        # All old code first, so that every hole is known when the new code is read.
        places = [self._place(old) for old, _ in pairs]
        befores = [ast.unparse(_OldCode(self, old, new).read()) for old, new in pairs]
        trigger = [] if HERE in places else [Change(ast.unparse(self._trigger()), "", TRIGGER)] if inserted else []
        afters = [ast.unparse(self._read_new(new)) for _, new in pairs]
        lines = [ast.unparse(self._read_inserted(d.new)) for d in inserted]
        changes = [*map(Change, befores, afters, places), *trigger]
        for change in changes:
            if change.after and "_x" in change.before and "_x" not in change.after:
                raise TemplateError("the new code does not depend on the data")
        # The failing statement first: what matches there decides about the holes.
        changes.sort(key=lambda c: c.where == EARLIER)
        return Template(tuple(changes), "\n".join(lines)).canonical()

    def is_variable(self, node: ast.AST) -> bool:
        """Whether `node` is a name of the analyst's."""
        others = (trees.BUILTINS, self.known, self.own)
        return isinstance(node, ast.Name) and not any(node.id in names for names in others)

    def is_data(self, node: ast.AST, local: Collection[str]) -> bool:
        """Whether `node` holds a name of the analyst's that is not in `local`."""
        return any(self.is_variable(n) and n.id not in local for n in ast.walk(node) if isinstance(n, ast.Name))

    def hole(self, kind: str, node: ast.AST) -> ast.Name:
        """The hole that stands for `node`."""
        name = self.holes.setdefault(key(node), trees.fresh(kind, self.holes.values()))
        return ast.Name(name, getattr(node, "ctx", ast.Load()))

    def _count(self, old: list[Node], new: list[Node]) -> None:
        self.old = Counter(key(n) for top in old for n in ast.walk(top))
        self.new = Counter(key(n) for top in new for n in ast.walk(top))

    def _is_in_time(self, difference: _Difference) -> None:
        late = difference.following is None or trees.place(difference.following) > trees.place(self.failing)
        if late and not isinstance(difference.new, (ast.Import, ast.ImportFrom)):
            raise TemplateError("the repair adds statements after the failing one")

    def _place(self, node: Node) -> str:
        inside = self.cell.span(self.failing).contains(self.cell.span(node))
        if trees.near(self.cell, node, self.span) if self.span else inside:
            return HERE
        if not inside and trees.place(node) > trees.place(self.failing):
            raise TemplateError("the repair changes statements after the failing one")
        return EARLIER

    def _narrowed(self, old: ast.stmt, new: ast.stmt) -> tuple[Node, Node]:
        """The smallest pair of nodes that holds the change and that can be remembered."""
        reason = TemplateError("the edit would fit any code")
        for a, b in _levels(old, new):
            if self._is_within_failure(a):
                continue
            trial = _Derivation(self.cell, self.failing, self.span, self.known, self.columns, self.own)
            trial._count([a], [b])
            try:
                before = ast.unparse(_OldCode(trial, a, b).read())
                Template((Change(before, ast.unparse(trial._read_new(b))),))
            except TemplateError as error:
                reason = error
                continue
            return a, b
        raise reason

    def _is_within_failure(self, node: Node) -> bool:
        """Whether `node` is only a part of the expression that failed: the API that failed belongs to the pattern."""
        failed = self.cell.node_at(self.span) if self.span else None
        here = self.cell.span(node)
        return isinstance(failed, ast.expr) and here != self.span and self.cell.span(failed).contains(here)

    def _trigger(self) -> ast.AST:
        """The failing expression with holes: what an inserted statement depends on."""
        node = self.cell.node_at(self.span) if self.span else None
        if node is None:
            raise TemplateError("the failing expression is not known")
        return _OldCode(self, node, None).read()

    def _read_inserted(self, node: ast.stmt) -> ast.AST:
        made = self._read_new(node)
        match made:
            case ast.Assign(value=ast.expr() as value) | ast.AugAssign(value=value) | ast.AnnAssign(value=value):
                used = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)} if value else set[str]()
                if not any(name in self.own or (trees.HOLE.fullmatch(name) and name[1] == "x") for name in used):
                    raise TemplateError("the repair assigns a value that does not depend on the data")
        return made

    def _read_new(self, top: Node) -> ast.AST:
        """The new code with the holes of the old; what is left must be of the remedy, not of the data."""
        variables = {n.id for n in ast.walk(top) if isinstance(n, ast.Name) and key(n) in self.holes}
        local = (trees.bound([top]) - variables) | trees.arguments(top)

        def change(node: ast.AST) -> Any:
            if isinstance(node, ast.expr) and key(node) in self.holes:
                return ast.Name(self.holes[key(node)], getattr(node, "ctx", ast.Load()))
            match node:
                case ast.Call() if id(node) in self.rest:
                    rest, carried = self.rest[id(node)]
                    keywords = [k for k in node.keywords if k.arg not in carried]
                    return _call(rebuild(node.func, change), node.args, keywords, rest, change)
                case ast.JoinedStr() if self.is_data(node, local):
                    raise TemplateError("the new code holds a formatted text of the data")
                case ast.Name(id=name) if self.is_variable(node) and name not in local:
                    raise TemplateError("the new code uses a variable that the old did not")
                case ast.Attribute(attr=name) if name in self.columns:
                    raise TemplateError("the new code names a column as an attribute")
                case ast.Subscript(slice=ast.Constant(value=str()) as label) if key(label) not in self.holes:
                    raise TemplateError("the new code names a column that the old did not")
                case ast.keyword(arg=str(name)) if name in self.columns or key(ast.Constant(name)) in self.holes:
                    raise TemplateError("the new code names a column as an argument")
                case ast.Constant(value=str(text)) if text in self.columns or PATH.search(text) or URL.search(text):
                    raise TemplateError("the new code names a column, a file or an address")
                case ast.Constant(value=int() | float() as number) if abs(number) >= LARGE:
                    raise TemplateError("the new code holds a value of the data")
            return None

        return rebuild(top, change)  # type: ignore[no-any-return]


class _OldCode:
    """Reads one changed piece of the old code as a pattern; `new` is what it became, if anything."""

    def __init__(self, work: _Derivation, top: Node, new: Node | None) -> None:
        self.work, self.top, self.new = work, top, new
        self.local = trees.arguments(top)
        calls = [[n for n in ast.walk(t) if trees.call_name(n)] for t in (top, new) if t]
        once = [
            {trees.call_name(n) for n in found if [*map(trees.call_name, found)].count(trees.call_name(n)) == 1}
            for found in calls
        ]
        both = once[0] & once[-1] if new else set()
        self.same = {trees.call_name(n): n for n in calls[-1] if trees.call_name(n) in both}

    def read(self) -> ast.AST:
        """The pattern."""
        return rebuild(self.top, self._change)  # type: ignore[no-any-return]

    def _change(self, node: ast.AST) -> Any:
        work = self.work
        shared = key(node) in work.new
        # What the repair is about stays code: the piece as a whole, and the expression that failed.
        about = node is self.top or self._fails_in(node)
        match node:
            case ast.Starred() | ast.Slice() | ast.Constant(value=bool() | None | bytes()):
                return None
            case ast.Constant(value=str(text)):
                # A text that was only carried over: a list or a variable does as well.
                if shared and work.new[key(node)] == work.old[key(node)]:
                    return work.hole("x", node)
                # One that the new code has oftener may be in both by chance: "", ",".
                named = (shared and text.isidentifier()) or text in work.columns or PATH.search(text)
                return work.hole("s", node) if named else None
            case ast.Constant(value=int() | float()):
                return work.hole("n", node) if shared and work.new[key(node)] == work.old[key(node)] else None
            case ast.Name(id=name) if work.is_variable(node) and name not in self.local:
                return work.hole("x", node)
            case ast.expr() if shared and not about and self._is_data(node) and not trees.uses(node, self.local):
                return work.hole("x", node)
            case ast.JoinedStr() | ast.NamedExpr() if self._is_data(node):
                raise TemplateError("the changed code holds a formatted text of the data")
            case ast.Attribute(attr=name) if name in work.columns:
                raise TemplateError("the changed code names a column as an attribute")
            case ast.Subscript(slice=ast.Constant(value=str()) as label):
                return ast.Subscript(rebuild(node.value, self._change), work.hole("s", label), node.ctx)
            case ast.Call():
                return self._call(node)
        return None

    def _call(self, node: ast.Call) -> ast.Call:
        """A call with holes. Keyword arguments that the repair only carried over become ``**_k``."""
        rest, keywords = "", node.keywords
        partner = self.same.get(trees.call_name(node))
        became = partner or (self.new if node is self.top else None)
        if isinstance(became, ast.Call) and all(k.arg for k in (*node.keywords, *became.keywords)):
            theirs = {*map(key, became.keywords)}
            carried = {str(k.arg) for k in keywords if key(k) in theirs and not self._is_elsewhere(k.value)}
            # Another function may not know the argument, unless the repair showed that it does.
            if partner or carried:
                rest = f"_k{len(self.work.rest) + 1}"
                self.work.rest[id(became)] = rest, carried
                keywords = [k for k in keywords if k.arg not in carried]
        # The name of what is called is the API: only what a method is called on may become a hole.
        match node.func:
            case ast.Name(id=name):
                func: ast.expr = ast.Name(name, ast.Load())
            case ast.Attribute(value=owner, attr=name):
                func = ast.Attribute(rebuild(owner, self._change), name, ast.Load())
            case other:
                func = rebuild(other, self._change)
        return _call(func, node.args, keywords, rest, self._change)

    def _is_elsewhere(self, value: ast.expr) -> bool:
        """Whether the new code uses an argument's value in another place too."""
        option = isinstance(value, ast.Constant) and not isinstance(value.value, str)
        return not option and self.work.new[key(value)] > 1

    def _is_data(self, node: ast.AST) -> bool:
        return self.work.is_data(node, self.local)

    def _fails_in(self, node: ast.AST) -> bool:
        span = self.work.span
        return span is not None and isinstance(node, ast.expr) and self.work.cell.span(node).contains(span)


def _call(
    func: ast.expr, args: list[ast.expr], keywords: list[ast.keyword], rest: str, change: trees.Change
) -> ast.Call:
    """A call with `change` made in its arguments; the hole `rest` comes last."""
    made = rebuild(keywords, change)
    if rest:
        made.append(ast.keyword(None, ast.Name(rest, ast.Load())))
    return ast.Call(func, rebuild(args, change), made)
