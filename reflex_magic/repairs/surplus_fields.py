"""A separator inside an unquoted text of a table."""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator, Sequence

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.rule import Repair

BYTES = 1 << 20
_KINDS = (
    re.compile(r"\s*-?\d+\s*"),
    re.compile(r"\s*-?\d*\.?\d+\s*"),
    re.compile(r"\s*\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?\s*"),
)


class SurplusFields(Repair):
    r"""Some lines of a text table have too many fields, because a text holds the separator and is not quoted.

    All other lines say what the columns hold. When the surplus lines fit them with one column alone taking the
    surplus, that column is put together again; with two, or with a number in what it takes, it is offered.

    Silent when lines have too few fields, and when no column can take the surplus.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("shops.csv").write_text("id,street,n\n1,High Street,3\n2,Long Lane,4\n3,Mill Road, Leeds,6\n")
        %%reflect
        shops = pd.read_csv("shops.csv")
        %%repaired
        shops = pd.read_csv("shops.csv", engine="python", on_bad_lines=lambda fields: [*fields[:1], ",".join(fields[1:-1]), *fields[-1:]])
    """  # noqa: E501  the cell is shown as it is written

    name = "surplus-fields"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The column put together again."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or not failure.is_a("ParserError") or not isinstance(node, ast.Call):
            return
        taken = {"on_bad_lines", "engine", "names", "header", "skiprows", "comment", "quoting", "dtype", "delimiter"}
        if syntax.function_of(cell, node, "pandas") != "read_csv" or taken & {k.arg for k in node.keywords}:
            return
        given = syntax.keyword(node, "sep")
        separator = syntax.constant(given.value) if given else ","
        path = tables.path_of(context, node)
        content = context.values.text(path, BYTES) if path else None
        if not isinstance(separator, str) or len(separator) != 1 or content is None or len(content) >= BYTES:
            return
        rows = [r for r in csv.reader(tables.lines_of(content), delimiter=separator) if r]
        width = len(rows[0]) if rows else 0
        usual, surplus = ([r for r in rows[1:] if (len(r) > width) is more] for more in (False, True))
        # two lines are no evidence of what a column holds
        if len(usual) < 2 or not surplus or any(len(r) < width for r in usual):
            return
        columns = [k for k in range(width) if _takes(k, width, usual, surplus)]
        # "4,75" may be a price with a decimal comma, and a number in a name a column that the header forgot
        numbers = any(_KINDS[1].fullmatch(f) for k in columns for r in surplus for f in r[k : len(r) - width + k + 1])
        for k in columns[:2]:
            after = width - k - 1
            head = f"*fields[:{k}], " if k else ""
            tail = f", *fields[-{after}:]" if after else ""
            middle = f"fields[{k or ''}:{-after if after else ''}]"
            joined = f"lambda fields: [{head}{syntax.literal(separator)}.join({middle}){tail}]"
            edits = [syntax.add_keyword(cell, node, "engine", f'"python", on_bad_lines={joined}')]
            evidence = (
                f"{len(surplus)} of {len(rows) - 1} lines have more than {width} fields, and fit when"
                f" `{rows[0][k]}` takes the surplus"
            )
            yield self.offer(
                f"`{rows[0][k]}` holds the separator", edits, evidence, sure=len(columns) == 1 and not numbers
            )


def _takes(k: int, width: int, usual: Sequence[Sequence[str]], surplus: Sequence[Sequence[str]]) -> bool:
    """Whether the surplus lines fit the other lines when column `k` takes the surplus."""
    kinds = [_kind([r[j] for r in usual]) for j in range(width)]
    if kinds[k] is not None:
        return False
    for row in surplus:
        behind = width - k - 1
        parts = row[k : len(row) - behind]
        # an empty end of a line is a separator too many, and no text
        if not parts[-1].strip() or not parts[0].strip():
            return False
        fixed = [*zip(row[:k], kinds[:k], strict=True)]
        fixed += zip(row[len(row) - behind :], kinds[k + 1 :], strict=True)
        if any(kind is not None and not kind.fullmatch(text) for text, kind in fixed):
            return False
    return True


def _kind(texts: Sequence[str]) -> re.Pattern[str] | None:
    """The pattern that all texts of a column have; None for text."""
    return next((k for k in _KINDS if all(k.fullmatch(t) for t in texts)), None)
