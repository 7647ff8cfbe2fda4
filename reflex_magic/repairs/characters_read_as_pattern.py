"""Plain text that is read as a regular expression."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

_METHODS = ("contains", "replace", "split", "count", "match", "fullmatch", "findall")
_PLAIN = ("contains", "replace", "split")


class CharactersReadAsPattern(Repair):
    """A text such as "C++" is given where a regular expression is expected, and is not a valid one.

    Adds ``regex=False``. Where parts are joined by ``|``, each part is escaped instead.

    Silent where the text looks like an expression that was meant: character classes, groups, escapes.

    Example
    -------
    ::

        import pandas as pd
        ads = pd.Series(["Senior C++ developer", "C and Python"])
        %%reflect
        wants = ads.str.contains("C++", case=False)
        %%repaired
        wants = ads.str.contains("C++", case=False, regex=False)
    """

    name = "characters-read-as-pattern"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The text taken as it is."""
        failure, node = context.failure, syntax.failing(context)
        if (
            failure is None
            or not isinstance(node, ast.Call)
            or not isinstance(node.func, ast.Attribute)
            or not node.args
        ):
            return
        method, pattern = node.func.attr, node.args[0]
        holder = node.func.value
        if method not in _METHODS or not isinstance(holder, ast.Attribute) or holder.attr != "str":
            return
        if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str) or _valid(pattern.value):
            return
        # an expression that was meant has classes, groups or escapes
        if re.search(r"\\|\[.|\(\?|\.\*|\.\+", pattern.value) or syntax.keyword(node, "regex"):
            return
        cell = context.cell
        if "|" in pattern.value or method not in _PLAIN:
            escaped = "|".join(re.escape(p) for p in pattern.value.split("|"))
            if not all(pattern.value.split("|")):
                return
            edits = [syntax.replace(cell, pattern, 'r"' + escaped.replace("\\ ", " ") + '"')]
        else:
            edits = [syntax.add_keyword(cell, node, "regex", "False")]
        yield self.offer(
            f"{pattern.value!r} is text, not a pattern", edits, f"{pattern.value!r} is no valid regular expression"
        )


def _valid(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    # "C++" is a possessive repetition since Python 3.11; other engines refuse it
    return not re.search(r"[+*?][+*]", pattern)
