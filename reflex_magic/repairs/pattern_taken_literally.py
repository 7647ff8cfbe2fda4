"""A pattern in `str.replace` that is no longer read as one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

SAMPLE = 1000


class PatternTakenLiterally(Repair):
    """`str.replace` is given a pattern and takes it for plain text, so that nothing is replaced.

    Since pandas 2 `regex` is False unless written. The rule looks at replacements in the failing
    expression: the text stands in no value as it is written, and as a pattern it is found. Silent where the
    pattern would glue two numbers together or take a sign or a decimal mark away.

    Example
    -------
    ::

        import pandas as pd
        tags = pd.Series(["EUR 12.50", "EUR 3.00/kg"])
        %%reflect
        price = tags.str.replace("[^0-9.]", "").astype(float)
        %%repaired
        price = tags.str.replace("[^0-9.]", "", regex=True).astype(float)
    """

    name = "pattern-taken-literally"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The replacement with ``regex=True``."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("ValueError", "TypeError"):
            return
        edits, patterns = [], []
        for call in ast.walk(node):
            match call:
                case ast.Call(
                    func=ast.Attribute(value=ast.Attribute(value=column, attr="str"), attr="replace"),
                    args=[ast.Constant(value=str(pattern)), ast.Constant(value=str())],
                ) if not syntax.keyword(call, "regex") and _misread(context, column, pattern):
                    edits.append(syntax.add_keyword(context.cell, call, "regex", "True"))
                    patterns.append(pattern)
        if edits:
            shown = ", ".join(map(repr, patterns))
            yield self.offer(
                f"{shown} is a pattern: regex=True",
                edits,
                f"no value contains {shown} as it is written, and as a pattern it is found",
            )


def _spoils(pattern: re.Pattern[str], text: str) -> bool:
    """Whether taking the matches away would glue two numbers together, move a decimal mark or lose a sign."""
    for found in pattern.finditer(text):
        before, taken, after = text[: found.start()], found.group(), text[found.end() :]
        between = before[-1:].isdigit() and after[:1].isdigit()
        if between and not (re.fullmatch(r"[,.'\u2019\s]", taken) and re.match(r"\d{3}(?!\d)", after)):
            return True
        if any(c in taken for c in "-\u2212(") and re.match(r"\s*[\d.]", after) and not before[-1:].isalnum():
            return True
    # one match after the other may stand between two numbers as well
    return (
        len(re.findall(r"\d+(?:[.,' ]\d+)*", text)) > 1
        and len(re.findall(r"\d+(?:[.,]\d+)*", pattern.sub("", text))) == 1
    )


def _misread(context: Context, column: ast.expr, pattern: str) -> bool:
    values = context.values.sample(ast.unparse(column), SAMPLE)
    try:
        compiled = re.compile(pattern)
    except re.error:
        return False
    texts = [v for v in values or () if isinstance(v, str)]
    # "." and "$" alone are what people mean by them; a pattern has classes, escapes or repetitions
    if re.escape(pattern) == pattern or not texts or not re.search(r"\[.+\]|\\\w|[+*?|}]", pattern):
        return False
    # what leaves nothing of a value was not meant
    if any(t.strip() and not compiled.sub("", t).strip() for t in texts):
        return False
    if any(_spoils(compiled, t) for t in texts):
        return False
    return not any(pattern in t for t in texts) and any(compiled.search(t) for t in texts)
