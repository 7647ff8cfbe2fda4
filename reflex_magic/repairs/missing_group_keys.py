"""Rows that fall out of a grouping because their key is missing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.finding import Finding
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.rule import Repair

DISTINCT = 10_000


class MissingGroupKeys(Repair):
    """Rows without a key are left out of the groups, and something counts on them.

    Adds ``dropna=False`` to the `groupby` or `value_counts` that a `group-keys-dropped` finding points at.
    For a pivot table it is offered, because there it can add empty rows as well. It is offered only as well where
    the goal gives the group a name, and where each key stands once above rows without one, as in a printed
    sheet: those rows have the key above them.

    Silent where `dropna` is written already: the analyst has decided. Silent as well where this cell reads
    the keys from a file in which they are not empty: then they are no missing keys.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"region": ["n", None, "s"], "units": [1, 2, 3]})
        %%reflect
        counts = sales.groupby("region")["units"].count()
        %%repaired
        counts = sales.groupby("region", dropna=False)["units"].count()
    """

    name = "missing-group-keys"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The grouping with its missing keys."""
        for finding, node in syntax.found(context, "group-keys-dropped"):
            if not isinstance(node, ast.Call) or syntax.keyword(node, "dropna"):
                continue
            if _codes_in_file(context, finding, node):
                continue
            method = syntax.dotted(node.func).rpartition(".")[2] or getattr(node.func, "attr", "")
            if method not in ("groupby", "pivot_table", "value_counts"):
                continue
            yield self.offer(
                f"keep the rows without a key: dropna=False in {method}",
                [syntax.add_keyword(context.cell, node, "dropna", "False")],
                finding.message,
                sure=method != "pivot_table" and not _means_otherwise(context, finding, node),
                answers=(finding.code,),
            )


def _means_otherwise(context: Context, finding: Finding, node: ast.Call) -> bool:
    """Whether rows without a key are to be called something, or have the key of a row above."""
    if re.search(r"[\"'“].+[\"'”]|\b(under|as|called|named|labell?ed|count\w* (for|to)|belong\w*)\b", context.goal):
        return True
    if not isinstance(node.func, ast.Attribute):
        return False
    for key in finding.evidence.get("keys") or ():
        column = f"({ast.unparse(node.func.value)})[{key!r}]"
        card, distinct = context.values.card(column), context.values.sample(column, DISTINCT) or ()
        if card is None or not card.is_series or card.rows is None:
            continue
        present = card.rows - (card.columns[0].missing or 0)
        first = context.values.sample(f"{column}.iloc[0]", 1)
        # printed once: no key comes twice, and the first row has one
        if len(distinct) > 1 and present == len(distinct) and first and first[0] == distinct[0]:
            return True
    return False


def _codes_in_file(context: Context, finding: Finding, node: ast.AST) -> bool:
    """Whether the missing keys are texts such as "NA" in a file that this cell reads."""
    read = tables.reader(context, node)
    if read is None:
        return False
    texts = tables.missing_texts(context, finding.evidence.get("keys") or (), read)
    return any(text.strip() for found in texts.values() for text in found)
