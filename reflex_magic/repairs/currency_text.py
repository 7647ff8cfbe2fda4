"""Numbers written as text with currency, thousands, brackets or percent signs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reflex_magic.core.cell import Cell, Edit
from reflex_magic.core.finding import Finding
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import numbers, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 200_000
"""Columns with more distinct texts than this are not proved, hence left alone."""


@dataclass(frozen=True, slots=True)
class Site:
    """A conversion of text to numbers.

    `source` is the node that stands for the texts. `scalar` means that it is one text.
    """

    conversion: ast.Call
    source: ast.expr
    scalar: bool = False


class CurrencyText(Repair):
    """Text that people read as numbers is converted as it stands.

    For `astype(float)`, `astype(int)`, `pd.to_numeric`, `float()`: currency signs and codes, one unit at all
    values, thousands marks, brackets for negative numbers, decimal commas, percent signs. The way
    to read the numbers is proved on every distinct text of the column. Where texts can be read
    with either decimal mark ("1.234"), or a dash may mean no value or zero, the ways are offered.

    Silent when a text holds no number, for several currencies in one column, and for words that
    multiply ("3k").

    Example
    -------
    ::

        import pandas as pd
        bills = pd.DataFrame({"net": ["$1,250.00", "$80.50", "$7"]})
        %%reflect
        net = bills["net"].astype(float)
        %%repaired
        net = bills["net"].str.replace("[$,]", "", regex=True).astype(float)
    """

    name = "currency-text"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The same conversion after cleaning."""
        failure, node = context.failure, syntax.failing(context)
        if failure is not None and node is not None and failure.is_a("ValueError", "TypeError"):
            site = _site(context, node)
            if site is not None:
                yield from self._clean(context, site)
        for finding, call in syntax.found(context, "values-coerced-to-missing"):
            yield from self._coerced(context, finding, call)

    def _clean(self, context: Context, site: Site) -> Iterator[Proposal]:
        base = _peeled(site.source)
        texts = context.values.sample(ast.unparse(base), DISTINCT)
        if texts is None or len(texts) >= DISTINCT or not any(isinstance(t, str) for t in texts):
            return
        mixed = not all(isinstance(t, str) for t in texts)
        readings = numbers.read((str(t) for t in texts), context.goal)
        # numbers among the texts are written with a point
        if mixed and any(r.decimal is numbers.Decimal.COMMA for r in readings):
            return
        for reading in readings:
            if reading.changes:
                yield from self._offers(context, site, base, reading, mixed, len(texts))

    def _offers(
        self, context: Context, site: Site, base: ast.expr, reading: numbers.Reading, mixed: bool, count: int
    ) -> Iterator[Proposal]:
        cell = context.cell
        cleaned = _cleaned(cell, base, reading, mixed, scalar=site.scalar)
        sure = not reading.doubts
        evidence = f"all {count} distinct texts are numbers once {numbers.described(reading)} are taken away"
        evidence = "; ".join([evidence, *reading.doubts])
        title = f"read the numbers without {numbers.described(reading)}"
        edit = syntax.replace(cell, site.source, cleaned)
        if not reading.percent:
            yield self.offer(title, [edit], evidence, sure=sure)
            return
        as_fraction = _wants_fraction(context.goal)
        divided = [edit, *_divided(cell, site.conversion)]
        yield self.offer(f"{title}, as fractions", divided, evidence, sure=sure and as_fraction)
        if not as_fraction:
            yield self.offer(f"{title}, as percentages", [edit], evidence, sure=False)

    def _coerced(self, context: Context, finding: Finding, call: ast.AST) -> Iterator[Proposal]:
        """Values that `errors="coerce"` made missing; often only their shapes are left, where digits read as 9."""
        cell = context.cell
        if syntax.function_of(cell, call, "pandas") != "to_numeric" or not isinstance(call, ast.Call) or not call.args:
            return
        base = _peeled(call.args[0])
        texts, what = _texts_or_shapes(context, finding, base)
        for reading in numbers.read(texts, context.goal):
            # letters of a shape are not known, and marks for no value may stay missing
            unknown = what == "shapes" and reading.codes
            if unknown or reading.percent or not reading.changes or reading.marks_only:
                continue
            doubts = [d for d in reading.doubts if "dash" not in d]
            reading = replace(reading, missing=())
            yield self.offer(
                f"read the numbers without {numbers.described(reading)}",
                [syntax.replace(cell, call.args[0], _cleaned(cell, base, reading, mixed=False))],
                "; ".join([f"the {len(texts)} {what} of the lost values are numbers", *doubts]),
                sure=not doubts,
                answers=(finding.code,),
            )


def _wants_fraction(goal: str) -> bool:
    """Whether the goal asks for fractions rather than percentages."""
    said = goal.casefold()
    return "fraction" in said or "between 0 and 1" in said


def _site(context: Context, node: ast.AST) -> Site | None:
    cell = context.cell
    match node:
        case ast.Call(func=ast.Attribute(value=column, attr="astype"), args=[kind]) if _is_number_type(kind):
            return Site(node, column)
        case ast.Call(func=ast.Attribute(value=column, attr="apply" | "map"), args=[ast.Name(id="float" | "int")]):
            return Site(node, column)
        case ast.Call(args=[source, *_]) if syntax.function_of(cell, node, "pandas") == "to_numeric":
            return Site(node, source)
        case ast.Call(func=ast.Name(id="float" | "int"), args=[source]) if not syntax.repeated(cell, node):
            return Site(node, source, scalar=True)
    return None


def _is_number_type(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.lower().startswith(("float", "int"))
    return syntax.dotted(node).rpartition(".")[2].startswith(("float", "int"))


def _peeled(source: ast.expr) -> ast.expr:
    """The column below ``.str.replace("...", "...")`` and ``.str.strip()``: cleaning that was not enough."""
    match source:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(value=column, attr="str"), attr="replace" | "strip")):
            if all(map(_only_marks, source.args[1:])) and all(isinstance(a, ast.Constant) for a in source.args):
                return _peeled(column)
    return source


def _only_marks(node: ast.expr) -> bool:
    """Whether a replacement puts nothing but punctuation into the text."""
    new = syntax.constant(node)
    return isinstance(new, str) and not any(c.isalnum() for c in new)


def _cleaned(cell: Cell, base: ast.expr, reading: numbers.Reading, mixed: bool, *, scalar: bool = False) -> str:
    source = syntax.receiver(cell, base)
    if mixed:
        source += ".astype(str)"
    if reading.missing and not scalar:
        marks = ", ".join(syntax.literal(m) for m in reading.missing)
        source += f'.replace([{marks}], float("nan"))'
    cleaning = numbers.cleaning(reading, scalar=scalar)
    return f"{source}.{cleaning}" if cleaning else source


def _divided(cell: Cell, conversion: ast.Call) -> Sequence[Edit]:
    """The conversion divided by 100, in brackets where the code around would bind closer."""
    above = syntax.parent(cell, conversion)
    loose = isinstance(
        above, (ast.Assign, ast.AnnAssign, ast.Call, ast.keyword, ast.Expr, ast.Dict, ast.List, ast.Return)
    )
    if loose and not (isinstance(above, ast.Call) and above.func is conversion):
        return [syntax.insert_after(cell, conversion, " / 100")]
    start = cell.span(conversion)
    opening = Edit(type(start)(start.line, start.column, start.line, start.column), "(")
    return [opening, syntax.insert_after(cell, conversion, " / 100)")]


def _texts_or_shapes(context: Context, finding: Finding, base: ast.expr) -> tuple[list[str], str]:
    """The texts that were converted where they are still there, else the shapes of those that were lost."""
    texts = context.values.sample(ast.unparse(base), DISTINCT)
    if texts and len(texts) < DISTINCT and all(isinstance(t, str) for t in texts):
        return [str(t) for t in texts], "texts"
    for operation in context.run.operations:
        facts = operation.facts
        shapes = facts.get("shapes", {})
        # shapes are cut to the most frequent ones; a proof needs them all
        every = sum(shapes.values()) + facts.get("markers", 0) == facts.get("lost")
        if operation.kind == "coerce" and operation.span == finding.span and every:
            kept = [f"{v:.15g}" for v in texts or () if isinstance(v, float)]
            return [*shapes, *kept], "shapes"
    return [], ""
