"""A code such as "NA" that is read as a missing value."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.rule import Repair

DISTINCT = 1000


class NaTextReadAsMissing(Repair):
    r"""Keys are missing because `pd.read_csv` takes the text "NA", "None" or "null" for a missing value.

    Answers a `group-keys-dropped` finding on a file that this cell reads: in the file, all missing keys
    are one and the same text, of the same shape as the other keys. Reads with
    ``keep_default_na=False`` and keeps empty cells missing.

    Silent when the keys are empty in the file.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("shipments.csv").write_text("country,kg\nZA,10\nNA,4\nBW,2\n")
        %%reflect
        ship = pd.read_csv("shipments.csv")
        kg = ship.groupby("country")["kg"].sum()
        %%repaired
        ship = pd.read_csv("shipments.csv", keep_default_na=False, na_values=[""])
        kg = ship.groupby("country")["kg"].sum()
    """

    name = "na-text-read-as-missing"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The file read with its codes as they are."""
        cell = context.cell
        for finding, node in syntax.found(context, "group-keys-dropped"):
            read = tables.reader(context, node)
            if read is None or {k.arg for k in read.keywords} & {"na_values", "keep_default_na", "na_filter"}:
                continue
            keys = finding.evidence.get("keys") or ()
            for column, texts in tables.missing_texts(context, keys, read).items():
                others = context.values.sample(f"{ast.unparse(read)}[{column!r}]", DISTINCT) or ()
                (text,) = texts if len(texts) == 1 else ("",)
                if not re.fullmatch(r"[A-Z]{2,4}", text) or not others:
                    continue
                if all(re.fullmatch(rf"[A-Z]{{{len(text)}}}", str(o)) for o in others):
                    edits = [syntax.add_keyword(cell, read, "keep_default_na", 'False, na_values=[""]')]
                    evidence = (
                        f"the missing `{column}` is the text {text!r} in the file, beside {len(others)} such codes"
                    )
                    yield self.offer(f"{text!r} is a code in `{column}`", edits, evidence, answers=(finding.code,))
