"""`apply-returns-nothing`: a function for each value computes it and does not return it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.cell import Edit, Span
from reflex_magic.repairs.answer import Answer, Found, Way


class ApplyReturnsNothing(Answer):
    """A function for each value computes it and does not return it.

    Its last statement, which gives the value to a name, returns it.

    Example
    -------
    ::

        import pandas as pd
        boxes = pd.DataFrame({"cm": [20, 45]})
        %%reflect
        def label(cm):
            text = "large" if cm > 30 else "small"
        boxes["label"] = boxes["cm"].apply(label)
        %%repaired
        def label(cm):
            return "large" if cm > 30 else "small"
        boxes["label"] = boxes["cm"].apply(label)
    """

    name = "apply-returns-nothing"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        called = {n.id for n in ast.walk(at.node) if isinstance(n, ast.Name)}
        for statement in at.cell.tree.body:
            match statement:
                case ast.FunctionDef(name=name, body=[*_, ast.Assign(targets=[ast.Name()], value=value) as last]) if (
                    name in called
                ):
                    if not any(isinstance(n, ast.Return) for n in ast.walk(statement)):
                        start, end = at.cell.span(last), at.cell.span(value)
                        place = Span(start.line, start.column, end.line, end.column)
                        yield Way(f"`{name}` returns what it computes", [Edit(place, "return ")])
