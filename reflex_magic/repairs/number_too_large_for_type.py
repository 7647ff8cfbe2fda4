"""A number does not fit the small integers of an array or column."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair


class NumberTooLargeForType(Repair):
    """``pixels + 300`` on integers of 8 bits: NumPy 2 refuses a number that the type cannot hold.

    The array is made int64 for the computation. Silent where such a number is written into the array.

    Example
    -------
    ::

        import numpy as np
        pixels = np.array([1, 2], dtype=np.uint8)
        %%reflect
        brighter = pixels + 300
        %%repaired
        brighter = pixels.astype("int64") + 300
    """

    name = "number-too-large-for-type"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The computation in int64."""
        failure, node = context.failure, syntax.failing(context)
        said = re.search(r"Python integer (-?\d+) out of bounds for (u?int\d+)", failure.evalue) if failure else None
        if said is None or not isinstance(node, (ast.BinOp, ast.Compare)) or abs(int(said[1])) >= 2**62:
            return
        sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.left, *node.comparators]
        data = []
        for side in sides:
            card = context.values.card(ast.unparse(side))
            if card is not None and card.type in ("ndarray", "Series", "DataFrame") and said[2] != "uint64":
                data.append(side)
        if len(data) == 1:
            source = syntax.receiver(context.cell, data[0])
            edits = [syntax.replace(context.cell, data[0], f'{source}.astype("int64")')]
            yield self.offer("compute with int64", edits, f"{said[1]} does not fit {said[2]}")
