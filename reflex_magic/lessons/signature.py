"""What makes two failures the same kind: the message without its particulars, and the API called."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from reflex_magic.core.card import shape
from reflex_magic.core.cell import Cell, Span
from reflex_magic.core.finding import Finding
from reflex_magic.core.ports import Context

FINDING = "finding"
"""The error type of a kind that raises nothing; its signature is the finding's code."""

LIMIT = 200
"""Longest signature, in characters."""

URL = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s'\"`)]+", re.IGNORECASE)
PATH = re.compile(
    r"(?:\b[A-Za-z]:\\|~/|\.{1,2}/|(?<![\w.<])/)\w[\w.\-\\/]+"
    r"|\b[\w\-]+(?:[/\\][\w.\-]+)*\.(?:csv|tsv|txt|jsonl?|xlsx?|parquet|feather|db|sqlite|pkl|zip|gz|html?|xml|log|py|ipynb)\b"
)
# An apostrophe within a word ("doesn't") neither opens nor closes a quotation.
QUOTED = re.compile(r"(?<!\w)(['\"`])(.*?)\1(?!\w)")
_TYPE = re.compile(r"(?<!\w)(['\"])(\w+)\1(?= object\b)")
_NUMBER = re.compile(r"(?<![\w<])[-+]?\d(?:[\d.,_]*\d)?(?![\w>])")
_SPECIAL = re.compile(r"[^a-z]")


@dataclass(frozen=True, slots=True)
class Signature:
    """A kind of failure.

    `error` is the exception's name or `FINDING`; `message` the normalised message or the
    finding's code; `api` the function or method at the failing place, "" when unknown.
    """

    error: str
    message: str
    api: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Equal for two failures of one kind."""
        return self.error, self.message


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure or a finding, as lessons look at it. `span` is where it showed, `step` in which statement."""

    signature: Signature
    cell: Cell
    text: str
    span: Span | None = None
    step: int | None = None


def normalise(message: str, names: Collection[str] = ()) -> str:
    """The first line of a message with names, values, numbers and paths as placeholders.

    `names` are columns and variables; those that could be a plain English word are left when
    they are not quoted.
    """
    text = message.strip().split("\n")[0].strip()
    # A KeyError shows the repr of its message: unwrap it when it holds quotations of its own.
    if len(text) > 2 and text[0] == text[-1] == '"' and "'" in text:
        text = text[1:-1]
    text = _TYPE.sub(r"\2", text)
    text = QUOTED.sub("<name>", URL.sub("<url>", text))
    text = PATH.sub("<path>", text)
    for name in sorted((n for n in names if _SPECIAL.search(n)), key=len, reverse=True):
        text = re.sub(rf"(?<![\w<]){re.escape(name)}(?![\w>])", "<name>", text)
    text = _NUMBER.sub("<n>", text)
    text = re.sub(r"<name>(?:,? (?:and )?<name>)+", "<name>", text)
    return text[:LIMIT]


def columns(context: Context) -> frozenset[str]:
    """The names of all columns that the run's cards know."""
    return frozenset(
        column.name for card in context.run.cards for value in (*card.before, *card.after) for column in value.columns
    )


def api(cell: Cell, span: Span | None) -> str:
    """The name of the function or method called, or the attribute read, at `span`."""
    node = cell.node_at(span) if span else None
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)) | ast.Attribute(attr=name):
            return name
        case _:
            return type(node).__name__.lower() if node is not None else ""


def faults(context: Context) -> Iterator[Fault]:
    """What went wrong in a run: the failure, or else each finding, musts first."""
    failure, cell = context.failure, context.cell
    if failure is not None:
        message = normalise(failure.evalue, columns(context))
        kind = Signature(failure.ename, message, api(cell, failure.span))
        yield Fault(kind, cell, failure.evalue, failure.span, failure.step)
        return
    for finding in context.findings:
        yield of_finding(finding, cell)


def of_finding(finding: Finding, cell: Cell) -> Fault:
    """The fault that a finding reports."""
    kind = Signature(FINDING, finding.code, api(cell, finding.span))
    step = cell.step_at(finding.span.line) if finding.span else None
    return Fault(kind, cell, finding.message, finding.span, step.number if step else None)


def collapse(text: str) -> str:
    """The form of a value: runs of digits are ``9``, of letters ``a``; repeated groups count once.

    ``"$1,299,000.00"`` and ``"$12,299.50"`` have the form ``"$9,9.9"``.
    """
    form = re.sub(r"[Aa]+", "a", re.sub("9+", "9", shape(text)))
    return re.sub(r"([^\w\s][9a])\1+", r"\1", form)[:40]


def forms(context: Context) -> frozenset[str] | None:
    """The forms of the text values at the failing expression; None when only some could be seen.

    Looks at the live data where it can, else at the values that the message quotes. Only valid
    while the run's namespace is in place.
    """
    found: set[str] | None = None
    fault = next(faults(context), None)
    for expression in _operands(fault) if fault else ():
        card = context.values.card(expression)
        # Numbers have no form to go wrong, and a whole frame has too many to be telling.
        if card is None or card.is_frame or any(_numeric(c.dtype) for c in card.columns):
            continue
        shapes = context.values.shapes(expression)
        if shapes is None:
            continue
        if not shapes.complete:
            return None
        found = (found or set()) | {collapse(text) for text in shapes.counts}
    return quoted_forms(context) if found is None else frozenset(found)


def quoted_forms(context: Context) -> frozenset[str]:
    """The forms of the values that the failure's message quotes; names are no values."""
    failure = context.failure
    if failure is None or failure.is_a("LookupError", "AttributeError", "NameError"):
        return frozenset()
    known = columns(context)
    quoted = (piece for _, piece in QUOTED.findall(failure.evalue.split("\n")[0]))
    # A date format or an operator is not a value of the data either.
    values = (q for q in quoted if any(map(str.isalnum, q)) and not q.isidentifier() and "%" not in q)
    return frozenset(collapse(value) for value in values if value not in known)


def _numeric(dtype: str) -> bool:
    return dtype.lower().startswith(("int", "uint", "float", "bool", "complex", "datetime", "timedelta"))


def _operands(fault: Fault) -> Iterator[str]:
    """The data that the failing expression works on: its receiver and its arguments, as source."""
    node = fault.cell.node_at(fault.span) if fault.span else None
    match node:
        case ast.Call(func=ast.Attribute(value=owner), args=args):
            parts = [owner, *args]
        case ast.Call(args=args):
            parts = list(args)
        case _:
            parts = [node] if isinstance(node, ast.expr) else []
    for part in parts:
        if isinstance(part, (ast.Name, ast.Subscript, ast.Attribute)):
            yield ast.unparse(part)
