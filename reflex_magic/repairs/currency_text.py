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
from reflex_magic.repairs import columns, conversion, numbers, origins, syntax, units
from reflex_magic.repairs.rule import Repair


@dataclass(frozen=True, slots=True)
class Site:
    """A conversion of text to numbers.

    `source` is the node that stands for what is converted: a column, or one text of the column
    `texts`. `call` is the conversion; `whole` that it makes whole numbers.
    """

    call: ast.Call
    source: ast.expr
    texts: ast.expr | None = None
    whole: bool = False

    @property
    def scalar(self) -> bool:
        """Whether one text is converted at a time."""
        return self.texts is not None


class CurrencyText(Repair):
    """Text that people read as numbers is converted as it stands.

    For `astype(float)`, `astype(int)`, `pd.to_numeric`, `np.array(..., dtype=float)` and `float()`, of a column, of
    several in a loop, of the values of rows or lists one at a time: currency signs and codes, one unit after all
    values, thousands marks, brackets or a minus behind for negative numbers, decimal commas, percent signs. The way
    to read the numbers is proved on every distinct text. Where texts can be read with either decimal mark ("1.234"), or
    a dash may mean no value or zero, the ways are offered; so is a column in one currency or unit where the goal speaks
    of another.

    Silent when a text holds no number, for several currencies in one column, and for words that
    multiply ("3k"). Columns in different units are not cleaned in one step where they may be added up.

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
            elif isinstance(node.func, ast.Attribute) and node.func.attr in ("astype", "apply"):
                yield from self._frame(context, node, node.func)
        for finding, call in syntax.found(context, "values-coerced-to-missing"):
            yield from self._coerced(context, finding, call)

    def _clean(self, context: Context, site: Site) -> Iterator[Proposal]:
        base = conversion.peeled(site.source)
        texts = site.texts or base
        labels = origins.looped_labels(context, texts)
        if labels and isinstance(texts, ast.Subscript):
            each = [f"({ast.unparse(texts.value)})[{label!r}]" for label in labels]
            known = conversion.columns(context, each, apart=_put_back(context.cell, site.call, texts))
        else:
            known = conversion.column(context, [ast.unparse(texts)])
        if known is None or (site.scalar and known.mixed):
            return
        cell = context.cell
        for reading in known.readings:
            whole = site.whole and _pointed(context, texts, labels)
            # one text at a time cannot become "no value", and its minus stays where it is
            alone = reading.missing or reading.trailing or reading.wide
            if not (reading.changes or whole) or (site.scalar and alone) or (site.whole and not reading.whole):
                continue
            if not site.scalar and _is_list(context, base):
                if alone or whole:
                    continue
                one = conversion.cleaned_text("text", reading, scalar=True)
                new = f"[{one} for text in {syntax.text(cell, base)}]"
            else:
                new = conversion.cleaned(cell, base, reading, mixed=known.mixed, scalar=site.scalar)
            if whole:
                new = f"float({new})" if site.scalar else f"{new}.astype(float)"
            edit = syntax.replace(cell, site.source, new)
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
            case kind if conversion.is_number_type(kind) or syntax.dotted(kind).endswith("to_numeric"):
                wanted = [c.name for c in card.columns]
            case _:
                return
        text = [c.name for c in card.columns if c.name in wanted and c.dtype in ("object", "str", "string")]
        apart = _put_back(cell, call, member.value)
        known = conversion.columns(context, [f"({frame})[{c!r}]" for c in text], apart=apart) if text else None
        if known is None or known.mixed or len(known.readings) != 1:
            return
        (reading,) = known.readings
        # a whole frame can only have characters taken away
        if reading.percent or reading.brackets or reading.missing or reading.doubts or not reading.changes:
            return
        if reading.decimal is numbers.Decimal.COMMA or reading.strange_minus or reading.wide or reading.trailing:
            return
        pattern = numbers.removal(reading)
        if isinstance(call.args[0], ast.Dict):
            patterns = ", ".join(f"{syntax.literal(c)}: {pattern}" for c in text)
            arguments = f'{{{patterns}}}, "", regex=True'
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
            return (
                None
                if columns.is_frame(context, ast.unparse(column))
                else Site(node, _below_array(column), whole=_whole(kind))
            )
        case ast.Call(
            func=ast.Attribute(value=column, attr="apply" | "map"), args=[ast.Name(id="float" | "int") as kind]
        ):
            return Site(node, column, whole=kind.id == "int")
        case ast.Call(args=[source, *_]) if syntax.function_of(cell, node, "pandas") == "to_numeric":
            return Site(node, source)
        case ast.Call(args=[source, *others]) if syntax.function_of(cell, node, "numpy") in ("array", "asarray"):
            dtype = syntax.keyword(node, "dtype")
            kinds = [dtype.value] if dtype else others
            return Site(node, _below_array(source)) if kinds and conversion.is_number_type(kinds[0]) else None
        case ast.Call(args=[source]) if syntax.function_of(cell, node, "pandas") == "Series":
            dtype = syntax.keyword(node, "dtype")
            return Site(node, source) if dtype and conversion.is_number_type(dtype.value) else None
        case ast.Call(func=ast.Name(id="float" | "int" as kind), args=[source]):
            base = conversion.peeled(source)
            found = origins.origin(context, base)
            if found is not None:
                return Site(node, source, ast.parse(found.column, mode="eval").body, whole=kind == "int")
            if not syntax.repeated(cell, node):
                return Site(node, source, base, whole=kind == "int")
    return None


def _below_array(node: ast.expr) -> ast.expr:
    """The column below ``.to_numpy()`` and ``.values``, of which an array of text is made."""
    match node:
        case ast.Call(func=ast.Attribute(value=column, attr="to_numpy" | "tolist" | "to_list"), args=[]):
            return column
        case ast.Attribute(value=column, attr="values"):
            return column
    return node


def _whole(kind: ast.expr) -> bool:
    return str(syntax.constant(kind) or syntax.dotted(kind).rpartition(".")[2]).lower().startswith(("int", "uint"))


def _pointed(context: Context, texts: ast.expr, labels: Sequence[str]) -> bool:
    """Whether whole numbers are written with a decimal mark ("3.0"), which `int` does not read."""
    expressions = (
        [f"({ast.unparse(texts.value)})[{label!r}]" for label in labels]
        if (isinstance(texts, ast.Subscript)) and labels
        else [ast.unparse(texts)]
    )
    written = [str(v) for e in expressions for v in context.values.sample(e, conversion.DISTINCT) or ()]
    return any(re.search(r"[.,]0*\D*$", t) for t in written) and all(sum(c.isdigit() for c in t) < 16 for t in written)


def _is_list(context: Context, node: ast.expr) -> bool:
    card = context.values.card(ast.unparse(node))
    return card is not None and card.type in ("list", "tuple")


def _put_back(cell: Cell, call: ast.expr, source: ast.expr) -> bool:
    """Whether a conversion takes the place of what is converted, or is a new table, and nothing else is made of it."""
    above = syntax.parent(cell, call)
    if not isinstance(above, ast.Assign) or above.value is not call:
        return False
    same = [ast.unparse(t) for t in above.targets] == [ast.unparse(source)]
    return same or (isinstance(source, ast.Name) and all(isinstance(t, ast.Name) for t in above.targets))


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
