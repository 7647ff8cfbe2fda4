"""`strip` takes a set of characters, not a word."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

SAMPLE = 100_000
_WORD = {"lstrip": "removeprefix", "rstrip": "removesuffix"}


class StripRemovesLetters(Repair):
    """``lstrip("SKU-")`` takes away every leading S, K, U and dash, and not the word.

    Becomes `removeprefix` or `removesuffix` when the two give different results on the values at hand and
    every value has the word. Looked for when an assertion fails; answers a `strip-eats-letters` finding as well.

    Silent on single characters, and on sets of characters that no value has as a word.

    Example
    -------
    ::

        import pandas as pd
        codes = pd.Series(["SKU-1001", "SKU-K77"])
        %%reflect
        names = codes.str.lstrip("SKU-")
        assert names.tolist() == ["1001", "K77"]
        %%repaired
        names = codes.str.removeprefix("SKU-")
        assert names.tolist() == ["1001", "K77"]
    """

    name = "strip-removes-letters"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The word taken away."""
        for finding, call in syntax.found(context, "strip-eats-letters"):
            match call:
                case ast.Call(func=ast.Attribute() as member) if member.attr in _WORD:
                    edits = [syntax.rename_member(context.cell, member, _WORD[member.attr])]
                    yield self.offer("take away the word", edits, finding.message, answers=(finding.code,))
        failure = context.failure
        if failure is None or not failure.is_a("AssertionError", "KeyError"):
            return
        for node in syntax.nodes(context.cell):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=holder, attr=method) as member, args=[ast.Constant(value=str(word))]
                ):
                    pass
                case _:
                    continue
            if method not in _WORD or len(word) < 2 or not context.cell.editable(context.cell.span(node)):
                continue
            column = holder.value if isinstance(holder, ast.Attribute) and holder.attr == "str" else None
            texts = context.values.sample(ast.unparse(column), SAMPLE) if column is not None else None
            if not texts or not all(isinstance(t, str) for t in texts):
                continue
            every = [str(t) for t in texts]
            has = all(t.startswith(word) if method == "lstrip" else t.endswith(word) for t in every)
            if not has or all(getattr(t, method)(word) == getattr(t, _WORD[method])(word) for t in every):
                continue
            edits = [syntax.rename_member(context.cell, member, _WORD[method])]
            evidence = f"all {len(every)} distinct values have {word!r}; {method} takes more than that from some"
            yield self.offer(f"take away the word {word!r}", edits, evidence)
