"""Turning a column of text into numbers: what is proved about it, and the code that does it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from reflex_magic.core.cell import Cell
from reflex_magic.core.ports import Context
from reflex_magic.repairs import numbers, syntax

DISTINCT = 100_000
"""Columns with more distinct texts than this are not proved, hence left alone."""


@dataclass(frozen=True, slots=True)
class Column:
    """The distinct values of one column, or of some columns together, and the ways to read them as numbers.

    `mixed` means that numbers stand among the texts.
    """

    count: int
    mixed: bool
    readings: tuple[numbers.Reading, ...]


def column(context: Context, expressions: Sequence[str]) -> Column | None:
    """What is known about text columns; None when they hold no text, or too much, or no numbers."""
    every: list[object] = []
    for expression in expressions:
        values = context.values.sample(expression, DISTINCT)
        if values is None or len(values) >= DISTINCT or not any(isinstance(v, str) for v in values):
            return None
        every += values
    if not all(isinstance(v, (str, int, float)) for v in every):
        return None
    mixed = not all(isinstance(v, str) for v in every)
    readings = numbers.read((str(v) for v in every), context.goal)
    # the numbers among the texts are written with a point
    if not readings or (mixed and any(r.decimal is numbers.Decimal.COMMA for r in readings)):
        return None
    return Column(len(every), mixed, tuple(readings))


def columns(context: Context, expressions: Sequence[str], *, apart: bool) -> Column | None:
    """The same for columns that each are written in a way of their own, are cleaned by one code, and stay `apart`."""
    texts = [e for e in expressions if any(isinstance(v, str) for v in context.values.sample(e, DISTINCT) or ())]
    known = [column(context, [e]) for e in texts]
    found = [k for k in known if k is not None and len(k.readings) == 1 and not k.mixed]
    if not found or len(found) < len(known):
        return None
    reading = numbers.merged([k.readings[0] for k in found], apart=apart)
    return Column(sum(k.count for k in found), False, (reading,)) if reading is not None else None


def is_number_type(node: ast.expr) -> bool:
    """Whether a type is written that is a number's: ``float``, ``"int64"``, ``np.float32``."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.lower().startswith(("float", "int"))
    return syntax.dotted(node).rpartition(".")[2].startswith(("float", "int"))


def peeled(source: ast.expr) -> ast.expr:
    """What stands below ``.str.replace("...", "...")`` and ``.str.strip()``: cleaning that was not enough."""
    match source:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(value=below, attr="str"), attr="replace" | "strip")):
            pass
        case ast.Call(func=ast.Attribute(value=ast.Name() as below, attr="replace" | "strip")):
            pass
        case _:
            return source
    if all(map(_only_marks, source.args[1:])) and all(isinstance(a, ast.Constant) for a in source.args):
        return peeled(below)
    return source


def _only_marks(node: ast.expr) -> bool:
    """Whether a replacement puts nothing but punctuation into the text."""
    new = syntax.constant(node)
    return isinstance(new, str) and not any(c.isalnum() for c in new)


def cleaned(cell: Cell, base: ast.expr, reading: numbers.Reading, *, mixed: bool = False, scalar: bool = False) -> str:
    """The source of a column, or of one text, with what is in the way of its numbers taken away."""
    return cleaned_text(syntax.receiver(cell, base), reading, mixed=mixed, scalar=scalar)


def cleaned_text(source: str, reading: numbers.Reading, *, mixed: bool = False, scalar: bool = False) -> str:
    """The same for source that members can be written after."""
    if mixed:
        source += ".astype(str)"
    if reading.missing and not scalar:
        marks = ", ".join(syntax.literal(m) for m in reading.missing)
        source += f'.replace([{marks}], float("nan"))'
    cleaning = numbers.cleaning(reading, scalar=scalar)
    return f"{source}.{cleaning}" if cleaning else source


def evidence(known: Column, reading: numbers.Reading) -> str:
    """One sentence that says why a reading is right, and what speaks against it."""
    away = f" once {numbers.described(reading)} are taken away" if reading.changes else ""
    return "; ".join([f"all {known.count} distinct texts are numbers{away}", *reading.doubts])
