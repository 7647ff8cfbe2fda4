"""A library is used that nothing imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from reflex_magic.core.cell import Edit, Span
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

MODULES: Mapping[str, str] = {
    "pd": "import pandas as pd",
    "np": "import numpy as np",
    "plt": "import matplotlib.pyplot as plt",
    "sns": "import seaborn as sns",
    **{
        m: f"import {m}"
        for m in ("json", "re", "os", "math", "csv", "io", "sys", "itertools", "collections", "random", "time")
    },
    "Path": "from pathlib import Path",
    "Counter": "from collections import Counter",
    "defaultdict": "from collections import defaultdict",
    "timedelta": "from datetime import timedelta",
}
"""Names that mean one thing, and the line that brings them."""


class MissingImport(Repair):
    """A name such as `pd` or `json` is not defined, and means one library wherever it is used.

    The import is written above the cell's first statement. Silent when the name could be a
    variable, and when something in scope has nearly that name.

    Example
    -------
    ::

        numbers = [1, 4]
        %%reflect
        roots = [math.sqrt(n) for n in numbers]
        %%repaired
        import math
        roots = [math.sqrt(n) for n in numbers]
    """

    name = "missing-import"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The import."""
        failure, node = context.failure, syntax.failing(context)
        said = re.match(r"name '(\w+)' is not defined", failure.evalue) if failure else None
        if failure is None or said is None or not failure.is_a("NameError") or said[1] not in MODULES:
            return
        name = said[1]
        if not isinstance(node, ast.Name) or node.id != name or not self._as_module(context, name):
            return
        first = next((s for s in context.cell.steps if not _is_docstring_or_future(s.source)), None)
        if first is None:
            return
        place = Span(first.span.line, 1, first.span.line, 1)
        yield self.offer(
            f"`{name}` was not imported", [Edit(place, f"{MODULES[name]}\n")], f"nothing in scope is called `{name}`"
        )

    def _as_module(self, context: Context, name: str) -> bool:
        """Whether every use of the name is one of a module's: a member is taken, or a class is called."""
        uses = [n for n in syntax.nodes(context.cell) if isinstance(n, ast.Name) and n.id == name]
        above = [syntax.parent(context.cell, n) for n in uses]
        if MODULES[name].startswith("import"):
            return all(isinstance(a, ast.Attribute) for a in above)
        return all(isinstance(a, (ast.Call, ast.Attribute)) for a in above)


def _is_docstring_or_future(source: str) -> bool:
    return source.startswith(("from __future__", '"""', "'''"))
