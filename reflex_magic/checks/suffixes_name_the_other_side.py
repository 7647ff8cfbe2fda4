"""`suffixes-name-the-other-side`: the suffixes of a merge are the wrong way round."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check
from reflex_magic.checks.syntax import call, receiver, variable
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


class SuffixesNameTheOtherSide(Check):
    """The suffix for the left table is the name of the right one, or the other way round.

    Reported when a suffix is a part of the name of the other table's variable and not of its own, so
    that the columns of one table carry the name of the other. Silent for suffixes that say
    nothing about either name.

    Example
    -------
    ::

        import pandas as pd
        budget = pd.DataFrame({"unit": ["a", "b"], "eur": [10.0, 20.0]})
        actual = pd.DataFrame({"unit": ["a", "b"], "eur": [12.0, 19.0]})
        %%reflect
        both = budget.merge(actual, on="unit", suffixes=("_actual", "_budget"))
        over = both["eur_actual"] - both["eur_budget"]
        %%clean
        both = budget.merge(actual, on="unit", suffixes=("_budget", "_actual"))
        over = both["eur_actual"] - both["eur_budget"]
    """

    name = "suffixes-name-the-other-side"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if op.kind not in ("merge", "asof") or op.facts.get("same"):
                continue
            node = call(run.cell, op)
            sides, words = (_sides(node), _suffixes(node)) if node is not None else (None, None)
            if sides is None or words is None or not _is_crossed(sides, words):
                continue
            yield self._finding(op, sides, words)

    def _finding(self, op: Operation, sides: tuple[str, str], words: tuple[str, str]) -> Finding:
        wrong = 0 if words[0] and words[0] in sides[1] else 1
        return self.finding(
            op,
            Severity.MAY,
            f"the suffix `_{words[wrong]}` is put on the columns of `{sides[wrong]}`, and names `{sides[1 - wrong]}`",
            "Suffixes stand in the order of the tables: first the left one's.",
            {"left": sides[0], "right": sides[1]},
        )


def _is_crossed(sides: tuple[str, str], words: tuple[str, str]) -> bool:
    """Whether each suffix that is there names the other side, and none its own."""
    given = [i for i in (0, 1) if len(words[i]) > 2]
    return bool(given) and all(words[i] in sides[1 - i] and words[i] not in sides[i] for i in given)


def _sides(node: ast.Call) -> tuple[str, str] | None:
    on, args = receiver(node), list(node.args)
    if not (isinstance(on, ast.Name) and on.id in ("pd", "pandas")) and on is not None:
        args.insert(0, on)
    named = {k.arg: k.value for k in node.keywords}
    pair = [*args, *(named[n] for n in ("left", "right", "other") if n in named)][:2]
    names = [variable(part) for part in pair]
    if len(names) != 2 or names[0] is None or names[1] is None or names[0] == names[1]:
        return None
    return names[0].lower(), names[1].lower()


def _suffixes(node: ast.Call) -> tuple[str, str] | None:
    named = {k.arg: k.value for k in node.keywords}
    match named.get("suffixes"):
        case ast.Tuple(elts=[left, right]) | ast.List(elts=[left, right]):
            pass
        case None if "lsuffix" in named or "rsuffix" in named:
            left, right = (named.get(n, ast.Constant("")) for n in ("lsuffix", "rsuffix"))
        case _:
            return None
    words = [part.value or "" for part in (left, right) if isinstance(part, ast.Constant)]
    if len(words) != 2 or not all(isinstance(word, str) for word in words):
        return None
    return str(words[0]).strip("_. ").lower(), str(words[1]).strip("_. ").lower()
