"""`compared-by-last-digits`: computed numbers are compared exactly, and miss the number in their last digits only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way, equality


class ComparedByLastDigits(Answer):
    """Computed numbers are compared exactly, and miss the number in their last digits only.

    They are compared with a tolerance of 1e-9. Silent for a number above 1,000 or below a thousandth, of which that
    says nothing.

    Example
    -------
    ::

        import pandas as pd
        probe = pd.DataFrame({"depth": [0.1 * n for n in range(6)]})
        %%reflect
        at = probe[probe["depth"] == 0.3]
        %%repaired
        at = probe[(probe["depth"] - 0.3).abs() < 1e-9]
    """

    name = "compared-by-last-digits"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        match equality(at.node):
            case (holder, ast.Constant(value=int() | float() as number) as other, negated) if _plain(number):
                pass
            case (holder, (ast.Name() | ast.Subscript() | ast.Attribute()) as other, negated):
                values = [abs(v) for v in at.values(holder) if isinstance(v, (int, float))]
                if not values or max(values) > 1e3:
                    return
            case _:
                return
        source = f"({at.text(holder)} - {at.text(other)}).abs() {'>=' if negated else '<'} 1e-9"
        yield Way("compare with a tolerance", [syntax.replace(at.cell, at.node, source)])


def _plain(number: float) -> bool:
    """Whether a tolerance of 1e-9 is nothing beside the number, and more than its last digits."""
    return number == 0 or 1e-3 <= abs(number) <= 1e3
