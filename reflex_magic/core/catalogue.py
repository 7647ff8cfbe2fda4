"""What every file of the two catalogues (checks and repairs) has in common.

A class of a catalogue is documented once, in its docstring, and the docstring is what
``%reflect explain`` prints, what the docs show and what the catalogue tests execute::

    First line: the pattern in one sentence.

    Anything more: when it applies, when it stays silent.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"revenue": [1, 2]})
        %%reflect
        total = sales["Revenue"].sum()
        %%repaired
        total = sales["revenue"].sum()

The part above ``%%reflect`` is an earlier cell. A repair's example ends in ``%%repaired``: the
cell as it must read afterwards. A check's example ends in ``%%clean``: a cell that is right and
on which the check is silent. A body after ``%%offered`` instead of ``%%repaired`` is offered and
not committed.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """The example of a docstring. `kind` is repaired, offered or clean; `after` its body."""

    setup: str
    cell: str
    kind: str
    after: str


class Entry:
    """Base of a check or a rule. `name` is the code under which it is known: ``near-miss-column``."""

    name: str = ""

    @classmethod
    def explain(cls) -> str:
        """The docstring, dedented, under the entry's name."""
        return f"{cls.name}\n{'=' * len(cls.name)}\n{inspect.getdoc(cls) or ''}"

    @classmethod
    def summary(cls) -> str:
        """The docstring's first line."""
        return (inspect.getdoc(cls) or "").split("\n")[0]

    @classmethod
    def example(cls) -> Example:
        """The docstring's example.

        Raises
        ------
        ValueError
            The docstring has no example in the form this module describes.
        """
        doc = inspect.getdoc(cls) or ""
        found = re.search(r"^Example\n-+\n::\n\n((?:[ ]{4}.*\n?|\n)+)", doc, re.MULTILINE)
        if not found:
            raise ValueError(f"{cls.name}: no example in its docstring")
        text = textwrap.dedent(found.group(1))
        parts = re.split(r"^%%(reflect|repaired|offered|clean)[^\n]*\n", text, flags=re.MULTILINE)
        if len(parts) != 5 or parts[1] != "reflect":
            raise ValueError(f"{cls.name}: an example is setup, %%reflect, cell, %%repaired, cell")
        return Example(parts[0].strip("\n"), parts[2].strip("\n"), parts[3], parts[4].strip("\n"))
