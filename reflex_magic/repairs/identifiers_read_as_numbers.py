"""`identifiers-read-as-numbers`: codes in a file lose their zeros, signs or last digits as numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class IdentifiersReadAsNumbers(Answer):
    r"""Codes in a file lose their zeros, signs or last digits as numbers.

    The columns are read as text: ``dtype={"zip": "str"}``. Silent where `dtype` is given as anything but a written
    dict.

    Example
    -------
    ::

        import io
        import pandas as pd
        file = io.StringIO("zip,name\n02134,Ann\n90210,Ben\n00501,Cy\n")
        %%reflect
        people = pd.read_csv(file)
        labels = "US-" + people["zip"].astype(str)
        %%repaired
        people = pd.read_csv(file, dtype={"zip": "str"})
        labels = "US-" + people["zip"].astype(str)
    """

    name = "identifiers-read-as-numbers"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        if not isinstance(at.node, ast.Call) or not at.first:
            return
        given = syntax.keyword(at.node, "dtype")
        if given is not None and not isinstance(given.value, ast.Dict):
            return
        entries = [f'{syntax.literal(c)}: "str"' for c in at.columns]
        if given is not None and isinstance(given.value, ast.Dict):
            kept = zip(given.value.keys, given.value.values, strict=True)
            entries = [
                f"{at.text(k)}: {at.text(v)}" for k, v in kept if k and syntax.constant(k) not in at.columns
            ] + entries
        edit = syntax.add_keyword(at.cell, at.node, "dtype", f"{{{', '.join(entries)}}}")
        yield Way(f"read {', '.join(f'`{c}`' for c in at.columns)} as text", [edit])
