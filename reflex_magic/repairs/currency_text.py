"""Numbers written as text with currency, thousands, brackets or percent signs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reflex_magic.core.cell import Cell, Edit, Span
from reflex_magic.core.finding import Finding
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import conversion, numbers, syntax, units
from reflex_magic.repairs.rule import Repair


@dataclass(frozen=True, slots=True)
class Site:
    """A conversion of text to numbers.

    `source` is the node that stands for what is converted: a column, or one text of the column
    `texts`. `call` is the conversion.
    """

    call: ast.Call
    source: ast.expr
    texts: ast.expr | None = None

    @property
    def scalar(self) -> bool:
        """Whether one text is converted at a time."""
        return self.texts is not None


class CurrencyText(Repair):
    """Text that people read as numbers is converted as it stands.

    For `astype(float)`, `astype(int)`, `pd.to_numeric`, `float()`: currency signs and codes, one unit
    after all values, thousands marks, brackets for negative numbers, decimal commas, percent signs.
    The way to read the numbers is proved on every distinct text of the column. Where texts can be read
    with either decimal mark ("1.234"), or a dash may mean no value or zero, the ways are offered; so is a
    column in one currency or unit where the goal speaks of another.

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
        if failure is not None and isinstance(node, ast.Call) and failure.is_a("ValueError", "TypeError"):
            site = _site(context, node)
            if site is not None:
                yield from self._clean(context, site)
            elif isinstance(node.func, ast.Attribute) and node.func.attr == "astype":
                yield from self._frame(context, node, node.func)
        for finding, call in syntax.found(context, "values-coerced-to-missing"):
            yield from self._coerced(context, finding, call)

    def _clean(self, context: Context, site: Site) -> Iterator[Proposal]:
        base = conversion.peeled(site.source)
        texts = site.texts or base
        known = conversion.column(context, [ast.unparse(texts)])
        if known is None or (site.scalar and known.mixed):
            return
        cell = context.cell
        for reading in known.readings:
            # one text at a time cannot become "no value"
            if not reading.changes or (site.scalar and reading.missing):
                continue
            edit = syntax.replace(
                cell, site.source, conversion.cleaned(cell, base, reading, mixed=known.mixed, scalar=site.scalar)
            )
            title = f"read the numbers without {numbers.described(reading)}"
            evidence = conversion.evidence(known, reading)
            sure = not reading.doubts and not units.wanted_otherwise(reading, context.goal)
            if not reading.percent:
                yield self.offer(title, [edit], evidence, sure=sure)
                continue
            as_fraction = _wants_fraction(context.goal)
            divided = [edit, *_divided(cell, site.call)]
            yield self.offer(f"{title}, as fractions", divided, evidence, sure=sure and as_fraction)
            if not as_fraction:
                yield self.offer(f"{title}, as percentages", [edit], evidence, sure=False)

    def _frame(self, context: Context, call: ast.Call, member: ast.Attribute) -> Iterator[Proposal]:
        """Several columns at once: ``df[["a", "b"]].astype(float)`` and ``df.astype({"a": float})``."""
        cell, frame = context.cell, ast.unparse(member.value)
        card = context.values.card(frame)
        if card is None or not card.is_frame or len(call.args) != 1:
            return
        match call.args[0]:
            case ast.Dict(keys=keys, values=types) if isinstance(member.value, ast.Name):
                wanted = [
                    syntax.constant(k) for k, t in zip(keys, types, strict=True) if k and conversion.is_number_type(t)
                ]
            case kind if conversion.is_number_type(kind):
                wanted = [c.name for c in card.columns]
            case _:
                return
        text = [c.name for c in card.columns if c.name in wanted and c.dtype in ("object", "str", "string")]
        known = conversion.column(context, [f"({frame})[{c!r}]" for c in text]) if text else None
        if known is None or known.mixed or len(known.readings) != 1:
            return
        (reading,) = known.readings
        # a whole frame can only have characters taken away
        if reading.percent or reading.brackets or reading.missing or reading.doubts or not reading.changes:
            return
        if reading.decimal is numbers.Decimal.COMMA or reading.strange_minus:
            return
        pattern = numbers.removal(reading)
        if isinstance(call.args[0], ast.Dict):
            columns = ", ".join(f"{syntax.literal(c)}: {pattern}" for c in text)
            arguments = f'{{{columns}}}, "", regex=True'
        else:
            arguments = f'{pattern}, "", regex=True'
        edit = syntax.insert_before_member(cell, member, f"replace({arguments}).")
        title = f"read the numbers without {numbers.described(reading)}"
        yield self.offer(title, [edit], conversion.evidence(known, reading))

    def _coerced(self, context: Context, finding: Finding, call: ast.AST) -> Iterator[Proposal]:
        """Values that `errors="coerce"` made missing; often only their shapes are left, where digits read as 9."""
        cell = context.cell
        if syntax.function_of(cell, call, "pandas") != "to_numeric" or not isinstance(call, ast.Call) or not call.args:
            return
        base = conversion.peeled(call.args[0])
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
                [syntax.replace(cell, call.args[0], conversion.cleaned(cell, base, reading))],
                "; ".join([f"the {len(texts)} {what} of the values are numbers", *doubts]),
                sure=not doubts and not units.wanted_otherwise(reading, context.goal),
                answers=(finding.code,),
            )


def _wants_fraction(goal: str) -> bool:
    """Whether the goal asks for fractions rather than percentages."""
    said = goal.casefold()
    if re.search(r"\bas (a )?fractions?\b|between 0 and 1", said):
        return True
    # "only a fraction of the orders"
    return re.search(r"\bfractions?\b(?! of)", said) is not None and "percent" not in said and "%" not in said


def _site(context: Context, node: ast.Call) -> Site | None:
    cell = context.cell
    match node:
        case ast.Call(func=ast.Attribute(value=column, attr="astype"), args=[kind]) if conversion.is_number_type(kind):
            return None if _is_frame(context, column) else Site(node, column)
        case ast.Call(func=ast.Attribute(value=column, attr="apply" | "map"), args=[ast.Name(id="float" | "int")]):
            return Site(node, column)
        case ast.Call(args=[source, *_]) if syntax.function_of(cell, node, "pandas") == "to_numeric":
            return Site(node, source)
        case ast.Call(func=ast.Name(id="float" | "int"), args=[source]):
            texts = _looped_over(cell, node, conversion.peeled(source))
            if texts is not None or not syntax.repeated(cell, node):
                return Site(node, source, texts or conversion.peeled(source))
    return None


def _is_frame(context: Context, node: ast.expr) -> bool:
    card = context.values.card(ast.unparse(node))
    return card is not None and card.is_frame


def _looped_over(cell: Cell, call: ast.Call, source: ast.expr) -> ast.expr | None:
    """The column whose values a name takes, one after the other; None when it is not known."""
    if not isinstance(source, ast.Name):
        return None
    for node in syntax.ancestors(cell, call):
        match node:
            case ast.ListComp(generators=[only]) | ast.SetComp(generators=[only]) | ast.GeneratorExp(generators=[only]):
                return only.iter if syntax.dotted(only.target) == source.id else None
            case ast.For(target=ast.Name(id=name), iter=values) if name == source.id:
                return values
            case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)])) if name == source.id:
                match syntax.parent(cell, node):
                    case ast.Call(func=ast.Attribute(value=column, attr="apply" | "map")):
                        return column
                return None
    return None


def _divided(cell: Cell, call: ast.Call) -> Sequence[Edit]:
    """The conversion divided by 100, in brackets where the code around would bind closer."""
    above = syntax.parent(cell, call)
    loose = (ast.Assign, ast.AnnAssign, ast.Call, ast.keyword, ast.Expr, ast.Dict, ast.List, ast.Return)
    if isinstance(above, loose) and not (isinstance(above, ast.Call) and above.func is call):
        return [syntax.insert_after(cell, call, " / 100")]
    start = cell.span(call)
    opening = Edit(Span(start.line, start.column, start.line, start.column), "(")
    return [opening, syntax.insert_after(cell, call, " / 100)")]


def _texts_or_shapes(context: Context, finding: Finding, base: ast.expr) -> tuple[list[str], str]:
    """The texts that were converted where they are still there, else the shapes of those that were lost."""
    texts = context.values.sample(ast.unparse(base), conversion.DISTINCT)
    if texts and len(texts) < conversion.DISTINCT and all(isinstance(t, str) for t in texts):
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
