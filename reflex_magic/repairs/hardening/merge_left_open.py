"""Merges that do not say what they expect."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class MergeLeftOpen(Repair):
    """A merge does not say which rows it keeps, or how often a key may stand on either side.

    Offers ``how=`` as it is now, and the strictest ``validate=`` that these data fulfil. Another file
    with a repeated key then raises, where rows would have been multiplied silently. Silent where both
    are written, and where keys repeat on both sides.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"customer": [1, 1, 2], "units": [3, 4, 5]})
        customers = pd.DataFrame({"customer": [1, 2], "city": ["Bern", "Oslo"]})
        %%reflect
        named = orders.merge(customers, on="customer")
        %%offered
        named = orders.merge(customers, on="customer", how="inner", validate="m:1")
    """

    name = "merge-left-open"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The merge with what it expects."""
        cell = context.cell
        for op in context.run.of("merge"):
            node, facts = syntax.at(cell, op.span), op.facts
            if not isinstance(node, ast.Call) or "**" in op.keywords or "left_multiplied" not in facts:
                continue
            if not isinstance(node.func, ast.Attribute) or node.func.attr != "merge":
                continue
            written = {} if syntax.keyword(node, "how") or len(node.args) > 1 else {"how": str(facts["how"])}
            unique = _unique(facts)
            if unique and not syntax.keyword(node, "validate"):
                written["validate"] = unique
            if not written:
                continue
            said = ", ".join(f'{name}="{value}"' for name, value in written.items())
            first, _, rest = said.partition("=")
            evidence = f"{facts['left_rows']:,} and {facts['right_rows']:,} rows became {facts['rows']:,}"
            yield self.offer(
                f"say what the merge expects: {said}",
                [syntax.add_keyword(cell, node, first, rest)],
                f"{evidence}; {_UNIQUE[unique]}" if unique else evidence,
            )


_UNIQUE = {"1:1": "no key stands twice on a side", "m:1": "no key stands twice on the right"}


def _unique(facts: Mapping[str, Any]) -> str:
    """The strictest `validate` that the keys fulfil; empty where they repeat on the right."""
    if facts.get("right_repeats", facts["left_multiplied"]):
        return ""
    return "1:1" if facts.get("left_repeats") == 0 else "m:1"
