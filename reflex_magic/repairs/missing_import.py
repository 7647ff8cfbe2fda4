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
        for m in (
            *("json", "re", "os", "math", "csv", "io", "sys", "itertools", "collections", "random", "time"),
            *("functools", "statistics", "string", "warnings", "pathlib", "shutil", "sqlite3", "calendar"),
        )
    },
    "Path": "from pathlib import Path",
    "Counter": "from collections import Counter",
    "defaultdict": "from collections import defaultdict",
    **{n: f"from collections import {n}" for n in ("OrderedDict", "deque", "namedtuple")},
    **{n: f"from datetime import {n}" for n in ("date", "timedelta", "timezone")},
    **{n: f"from itertools import {n}" for n in ("combinations", "permutations")},
    **{n: f"from functools import {n}" for n in ("partial", "reduce")},
    **{n: f"from math import {n}" for n in ("ceil", "floor", "log", "log10", "sqrt")},
    "dataclass": "from dataclasses import dataclass",
    "Decimal": "from decimal import Decimal",
    "StringIO": "from io import StringIO",
    "BytesIO": "from io import BytesIO",
    "glob": "import glob",
    "datetime": "from datetime import datetime",
}
"""Names that mean one thing, and the line that brings them; `datetime` is the class or the module, as it is used."""

_OF_MODULE = frozenset({"datetime", "date", "timedelta", "timezone", "time"})
"""Members by which the module `datetime` is told from its class."""


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
        if not isinstance(node, ast.Name) or node.id != name or not _as_imported(context, name):
            return
        first = next((s for s in context.cell.steps if not _is_docstring_or_future(s.source)), None)
        if first is None:
            return
        # what else is used in the cell and not there would fail next
        others = [n for n in _unknown(context) if n != name and _as_imported(context, n)]
        lines = dict.fromkeys(_line(context, n) for n in (name, *others))
        place = Span(first.span.line, 1, first.span.line, 1)
        edits = [Edit(place, "".join(f"{line}\n" for line in lines))]
        yield self.offer(f"`{name}` was not imported", edits, f"nothing in scope is called `{name}`")


def _uses(context: Context, name: str) -> list[ast.AST | None]:
    """What stands around every use of a name."""
    uses = [n for n in syntax.nodes(context.cell) if isinstance(n, ast.Name) and n.id == name]
    return [syntax.parent(context.cell, n) for n in uses]


def _as_imported(context: Context, name: str) -> bool:
    """Whether every use of the name is one of a module's or a function's: a member is taken, or it is called."""
    above = _uses(context, name)
    if MODULES[name].startswith("import"):
        return all(isinstance(a, ast.Attribute) for a in above)
    if name == "datetime" and len({isinstance(a, ast.Attribute) and a.attr in _OF_MODULE for a in above}) > 1:
        return False
    decorates = (ast.FunctionDef, ast.ClassDef)
    return all(
        isinstance(a, (ast.Attribute, *decorates)) or (isinstance(a, ast.Call) and syntax.dotted(a.func) == name)
        for a in above
    )


def _line(context: Context, name: str) -> str:
    """The import; `datetime` is imported as the module where its classes are taken from it."""
    as_module = any(isinstance(a, ast.Attribute) and a.attr in _OF_MODULE for a in _uses(context, name))
    return "import datetime" if name == "datetime" and as_module else MODULES[name]


def _unknown(context: Context) -> list[str]:
    """The names of `MODULES` that the cell reads, and neither it nor an earlier cell has."""
    names = [n for n in syntax.nodes(context.cell) if isinstance(n, ast.Name)]
    bound = {n.id for n in names if not isinstance(n.ctx, ast.Load)} | set(context.values.names())
    for node in syntax.nodes(context.cell):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            bound |= {(a.asname or a.name).partition(".")[0] for a in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
    return [n for n in dict.fromkeys(n.id for n in names) if n in MODULES and n not in bound]


def _is_docstring_or_future(source: str) -> bool:
    return source.startswith(("from __future__", '"""', "'''"))
