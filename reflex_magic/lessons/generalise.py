"""Two templates of one kind become one that both are cases of (anti-unification)."""

from __future__ import annotations

import ast
from typing import Any

from reflex_magic.lessons import trees
from reflex_magic.lessons.template import Change, Template, TemplateError
from reflex_magic.lessons.trees import key

_Pairs = dict[tuple[str, str], str]


def generalise(one: Template, two: Template) -> Template | None:
    """The most special template that both are cases of; None where that would fit too much."""
    if [c.where for c in one.changes] != [c.where for c in two.changes]:
        return None
    both = list(zip(one.changes, two.changes, strict=True))
    pairs: _Pairs = {}
    try:
        befores = [_join(trees.pattern(a.before), trees.pattern(b.before), pairs, opens=True) for a, b in both]
        afters = [_join(ast.parse(a.after), ast.parse(b.after), pairs, opens=False) for a, b in both]
        insert = _join(ast.parse(one.insert), ast.parse(two.insert), pairs, opens=False)
        texts = zip(map(ast.unparse, befores), map(ast.unparse, afters), both, strict=True)
        return Template(tuple(Change(b, a, c.where) for b, a, (c, _) in texts), ast.unparse(insert)).canonical()
    except TemplateError:
        return None


def _join(one: Any, two: Any, pairs: _Pairs, *, opens: bool) -> Any:
    """The common form of two trees.

    Where they differ stands the hole that `pairs` has for the two; a new hole only where `opens`
    is set, that is in the old code: the new code must not need what nothing fills.
    """
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        return [_join(a, b, pairs, opens=opens) for a, b in zip(one, two, strict=True)]
    if not isinstance(one, ast.AST) or not isinstance(two, ast.AST):
        if type(one) is not type(two) or one != two:
            raise TemplateError("the two differ")
        return one
    both = key(one), key(two)
    expressions = isinstance(one, ast.expr) and isinstance(two, ast.expr)
    if both in pairs and expressions:
        return ast.Name(pairs[both], getattr(one, "ctx", ast.Load()))
    holes = trees.hole(one), trees.hole(two)
    if type(one) is type(two) and not any(holes):
        attempt = dict(pairs)
        try:
            fields = [_join(getattr(one, f, None), getattr(two, f, None), attempt, opens=opens) for f in one._fields]
            pairs.update(attempt)
            return type(one)(*fields)
        except TemplateError:
            pass
    kinds = {trees.kind(one), trees.kind(two)}
    # Further keyword arguments or a slice cannot stand where an expression stands.
    wrong = (len(kinds) > 1 and "k" in kinds) or any(isinstance(n, (ast.Slice, ast.Starred)) for n in (one, two))
    if not opens or not expressions or wrong:
        raise TemplateError("the two differ")
    pairs[both] = trees.fresh(kinds.pop() if len(kinds) == 1 else "x", pairs.values())
    return ast.Name(pairs[both], getattr(one, "ctx", ast.Load()))
