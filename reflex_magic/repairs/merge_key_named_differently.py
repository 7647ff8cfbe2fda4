"""A merge on a key that one side has under another name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, labels, syntax
from reflex_magic.repairs.rule import Repair

_GENERAL = frozenset({"id", "ids", "no", "nr", "num", "number", "code", "key", "name", "index", "ref"})
"""Words that a customer's key has in common with an order's."""

SHARE = 0.8
"""So much of the distinct keys must be found on the other side."""

DISTINCT = 100_000


class MergeKeyNamedDifferently(Repair):
    """One side of a merge lacks the key column, and has another column with the same values.

    Clear when one column holds at least four fifths of the keys and its name is the key's in other words
    (`cust_id`, `customer_id`); otherwise such columns are offered, as `customer_age` is. Offered only as well
    where the keys are small numbers, since those are in many columns.

    Silent when the key is missing on both sides, and when no column's values match.

    Example
    -------
    ::

        import pandas as pd
        orders = pd.DataFrame({"cust_id": ["c1", "c2", "c1"], "value": [10, 20, 30]})
        customers = pd.DataFrame({"customer_id": ["c1", "c2"], "segment": ["home", "office"]})
        %%reflect
        joined = orders.merge(customers, on="customer_id", how="left")
        %%repaired
        joined = orders.merge(customers, left_on="cust_id", right_on="customer_id", how="left")
    """

    name = "merge-key-named-differently"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The merge with both names."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("KeyError") or not isinstance(node, ast.Call):
            return
        on = syntax.keyword(node, "on")
        if on is None or not isinstance(on.value, ast.Constant) or not isinstance(on.value.value, str):
            return
        key = on.value.value
        sides = [n for n in columns.merge_namings(context, node) if n.labels]
        if len(sides) != 2:
            return
        has = [columns.labels_of(context, s.frame) or () for s in sides]
        lacking = [i for i in (0, 1) if key not in has[i]]
        if len(lacking) != 1:
            return
        here, there = lacking[0], 1 - lacking[0]
        # the same name in another spelling is a near miss
        texts = [c for c in has[here] if isinstance(c, str)]
        if labels.nearest(key, texts).clear:
            return
        known = f"({sides[there].frame})[{key!r}]"
        shares = {c: self._share(context, f"({sides[here].frame})[{c!r}]", known) for c in texts}
        matching = [c for c, share in shares.items() if share >= SHARE]
        for column in matching[:2]:
            names = (column, key) if here == 0 else (key, column)
            left, right = (syntax.literal(n, syntax.text(context.cell, on.value)[-1]) for n in names)
            edits = [syntax.replace(context.cell, on, f"left_on={left}, right_on={right}")]
            evidence = f"{shares[column]:.0%} of the keys in `{column}` are found in `{key}`"
            sure = len(matching) == 1 and _related(column, key) and not self._counted(context, known)
            yield self.offer(f"`{key}` is called `{column}` on the other side", edits, evidence, sure=sure)

    def _counted(self, context: Context, keys: str) -> bool:
        """Whether the keys are small numbers, counted through: any such column would match them."""
        values = context.values.sample(keys, DISTINCT) or ()
        numbers = [v for v in values if isinstance(v, (int, float))]
        return bool(numbers) and max(numbers) <= 10 * len(numbers)

    def _share(self, context: Context, ours: str, theirs: str) -> float:
        return max(context.values.overlap(ours, theirs) or 0.0, context.values.overlap(theirs, ours) or 0.0)


def _related(a: str, b: str) -> bool:
    """Whether two names say the same: apart from words like `id`, each word of one begins like one of the other."""
    ours, theirs = ([w for w in labels.words(n) if w not in _GENERAL] for n in (a, b))
    if not ours or len(ours) != len(theirs):
        return False
    return all(
        min(len(x), len(y)) > 1 and (x.startswith(y) or y.startswith(x)) for x, y in zip(ours, theirs, strict=True)
    )
