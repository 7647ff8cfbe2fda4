"""A name in `query` or `eval` that pandas does not find."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, labels, syntax
from reflex_magic.repairs.rule import Repair

_WORDS = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|@?(?<![\w.])[^\W\d]\w*\b(?!\s*\()")
_OPERATORS = frozenset({"and", "or", "not", "in", "is", "True", "False", "None", "index", "nan", "inf"})


class NameInQuery(Repair):
    """``df.query("...")`` names a column in another spelling, or with a blank, or names a variable without `@`.

    A column that has the same letters, or is one slip of the fingers away, is meant. A column whose name is no
    identifier is put in backticks. A name of a variable gets its `@`.

    Offered only where a variable and a column are as near.

    Example
    -------
    ::

        import pandas as pd
        towns = pd.DataFrame({"high temp": [20, 31, 35]})
        limit = 30
        %%reflect
        hot = towns.query("high temp > limit")
        %%repaired
        hot = towns.query("`high temp` > @limit")
    """

    name = "name-in-query"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The expression with names that pandas finds."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("NameError", "SyntaxError") or not isinstance(node, ast.Call):
            return
        match node:
            case ast.Call(
                func=ast.Attribute(value=holder, attr="query" | "eval"),
                args=[ast.Constant(value=str(asked)) as text, *_],
            ):
                known = [c for c in columns.labels_of(context, ast.unparse(holder)) or () if isinstance(c, str)]
            case _:
                return
        source = syntax.text(context.cell, text)
        # escapes and pieces: what is written is not what is asked
        if not known or source.count(asked) != 1:
            return
        written = _with_backticks(asked, known)
        answers = _answers(context, written, known)
        if answers is None:
            return
        clear = all(len(a) == 1 for a in answers.values())
        for choice in range(max((len(a) for a in answers.values()), default=1)):
            picked = {name: found[min(choice, len(found) - 1)] for name, found in answers.items()}
            result = _WORDS.sub(lambda m, picked=picked: picked.get(m[0], m[0]), written)  # type: ignore[misc]
            if result != asked:
                edits = [syntax.replace(context.cell, text, source.replace(asked, result))]
                evidence = f"the frame has {len(known)} columns: {labels.listed(known)}"
                yield self.offer("names that the query finds", edits, evidence, sure=clear)


def _answers(context: Context, asked: str, known: list[str]) -> dict[str, list[str]] | None:
    """What each unknown name of the expression may stand for; None when one stands for nothing."""
    assigned = {m[1] for m in re.finditer(r"(?m)^\s*(\w+)\s*=(?!=)", asked)}
    found: dict[str, list[str]] = {}
    scope = context.values.names()
    for match in _WORDS.finditer(asked):
        word = match[0]
        if word[0] in "'\"`@" or word in _OPERATORS or word in known or word in assigned:
            continue
        near = labels.nearest(word, known)
        found[word] = [c if c.isidentifier() else f"`{c}`" for c in near.candidates if near.clear or len(known) > 1]
        if word in scope and scope[word] not in ("module", "function", "type"):
            found[word].append(f"@{word}")
        if not found[word] or (not near.clear and f"@{word}" not in found[word] and len(near.candidates) < 2):
            return None
    return found


def _with_backticks(asked: str, known: list[str]) -> str:
    """The expression with the columns whose names are no identifiers in backticks."""
    for column in sorted((c for c in known if not c.isidentifier() and c.strip()), key=len, reverse=True):
        pattern = re.compile(rf"(?<!\w){re.escape(column)}(?!\w)")
        parts = re.split(r"(`[^`]*`|'[^']*'|\"[^\"]*\")", asked)
        asked = "".join(p if i % 2 else pattern.sub(f"`{column}`", p) for i, p in enumerate(parts))
    return asked
