"""Whether a cell shows that its author knows what is left out."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Collection

from reflex_magic.checks.syntax import calls, mentions, statement, variable
from reflex_magic.core.cell import Cell, Span

LEFT_OUT = re.compile(
    r"\b(missing|unknown|anonym\w*|unassigned|blanks?|empty|nulls?|nans?|nat|none|without|no \w+|n/a"
    r"|fall\w* (out|away)|fell out|(left|leav\w+|leave) out|drop\w*|exclud\w*|ignor\w*|skip\w*|discard\w*"
    r"|on purpose|intend\w*|intention\w*|deliberate\w*|by (design|protocol)|not part of|only"
    r"|coerc\w*|invalid|unpars\w*|non-?numeric|not (a )?num\w*|garbage|reject\w*|bad)\b",
    re.IGNORECASE,
)
"""Words of a comment that speaks of what is left out."""

REPEATED = re.compile(
    r"\b(repeat\w*|multipl\w*|duplicat\w*|combinations?|pairs?|each pair|every pair|many[- ]to[- ]many|m:n|fan\w* out"
    r"|expand\w*|explod\w*|(one|a) row (per|for)|on purpose|intend\w*|deliberate\w*|by design|expected)\b",
    re.IGNORECASE,
)
"""Words of a comment that speaks of rows that repeat."""

EXACT = re.compile(r"\b(case[- ]?sensitive\w*|exact\w*|as (it is )?(written|spelled)|on purpose|by design)\b", re.I)
"""Spelling counts."""

ORDER = re.compile(
    r"\b(alphabet\w*|letters?|lexic\w*|as (text|strings?|words)|text order|labels?|codes?|on purpose|by design)\b", re.I
)
"""The order of the letters is meant."""

WHOLE = re.compile(
    r"\b(trunc\w*|whole|floor\w*|round\w* down|cut\w*|fraction\w*|integer part|completed|full \w+)\b", re.I
)
"""What stands behind the point is left out."""

_OTHERWISE = re.compile(
    r"\b((must|should|have to|has to|need to)(?! (be )?(drop|exclud|ignor|skip|discard|left|leav|fall|go\b|repeat))"
    r"|also|too|keep(?! only)|kept|includ\w+|todo|fixme|(must|should|do) not|don't|avoid)\b",
    re.IGNORECASE,
)
_NOT_KEPT = re.compile(r"\b(not|never|n't) (to )?(be )?(kept|keep|includ\w+|count\w*|need\w*)", re.IGNORECASE)
_MISSING = frozenset({"isna", "isnull", "notna", "notnull", "is_null", "is_not_null", "is_valid", "null_count"})


def says_so(cell: Cell, span: Span, words: re.Pattern[str]) -> bool:
    """Whether a comment on the statement, or just above it, holds one of the `words`.

    A comment that asks for the opposite ("missing regions must be counted too") does not count.
    """
    return any(words.search(said) and not _OTHERWISE.search(_NOT_KEPT.sub("", said)) for said in _comments(cell, span))


def looks_at_missing(cell: Cell, frame: str | None, columns: Collection[str], *, asserted: bool = False) -> bool:
    """Whether the cell itself tests for missing values in these columns or variables.

    What stands in an assertion does not count when it failed: it is what found the failure.
    """
    for node, method, on in calls(cell, asserted=asserted):
        if method in _MISSING:
            seen = node.args[0] if node.args else on
        elif any(k.arg == "dropna" for k in node.keywords):
            seen = on
        else:
            continue
        if not mentions(seen).isdisjoint(columns) or (isinstance(seen, ast.Name) and seen.id == frame):
            return True
    return False


def counts_the_rest(cell: Cell, frame: str | None) -> bool:
    """Whether the cell subtracts from the whole: ``len(df) - counted``, ``df["eur"].sum() - by.sum()``."""
    asserted = {id(n) for a in cell.nodes if isinstance(a, ast.Assert) for n in ast.walk(a)}
    for node in cell.nodes:
        match node:
            case ast.BinOp(left=ast.Call(func=ast.Name(id="len"), args=[whole]), op=ast.Sub(), right=right):
                pass
            case ast.BinOp(left=ast.Subscript(value=ast.Attribute(value=whole)), op=ast.Sub(), right=right):
                pass
            case ast.BinOp(left=ast.Attribute(value=whole, attr="height" | "num_rows"), op=ast.Sub(), right=right):
                pass
            case ast.BinOp(
                left=ast.Call(func=ast.Attribute(value=whole, attr="sum" | "count")), op=ast.Sub(), right=right
            ):
                pass
            case _:
                continue
        if id(node) not in asserted and not isinstance(right, ast.Constant) and variable(whole) == frame is not None:
            return True
    return False


def _comments(cell: Cell, span: Span) -> list[str]:
    """The comments within the statement around `span`, and the comment lines directly above it, as one text each."""
    around = statement(cell, span)
    first, last = (around.lineno, around.end_lineno or span.end_line) if around else (span.line, span.end_line)
    if hasattr(around, "body"):  # of a loop, only its head: the rest are other statements
        last = span.end_line
    found: dict[int, str] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(cell.python).readline):
            if token.type == tokenize.COMMENT:
                found[token.start[0]] = token.string
    except (tokenize.TokenError, SyntaxError):
        return []
    said = [text for line, text in found.items() if first <= line <= last]
    above: list[str] = []
    line = first - 1
    while line in found and cell.python_lines[line - 1].lstrip().startswith("#"):
        above.insert(0, found[line])
        line -= 1
    return [*said, " ".join(above), *([top] if (top := _at_the_top(cell, found)) else [])]


_RULED_OUT = re.compile(
    r"\b(without|no \w+|missing|unknown|blanks?|empty|unassigned)\b.*"
    r"\b(not count\w*|not be counted|left out|dropped|excluded|ignored|skipped|on purpose|intentionally|by design)\b",
    re.IGNORECASE,
)
"""What a comment at the top of a cell, away from the statement, must say in as many words."""


def _at_the_top(cell: Cell, found: dict[int, str]) -> str:
    """The comment lines with which the cell begins, when they rule something out."""
    lines = []
    for number, text in enumerate(cell.python_lines, 1):
        if not text.lstrip().startswith("#"):
            break
        lines.append(found.get(number, ""))
    said = " ".join(lines)
    return said if _RULED_OUT.search(said) else ""
