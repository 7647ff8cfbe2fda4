"""Calculating with numbers that are still text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import conversion, origins, syntax
from reflex_magic.repairs.rule import Repair


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STATISTICS = _listed(
    "mean median std var sem quantile prod abs round cumsum diff corr clip hist pct_change rolling ewm interpolate"
    " skew kurt nlargest nsmallest"
)
_OF_GROUPS = _listed("mean median std var sem quantile prod corr diff cumsum")
_OF_NUMPY = _listed("log log10 log1p log2 sqrt exp abs round mean median std var sin cos histogram floor ceil")
_OF_PAIRS = _listed("polyfit interp corrcoef cov dot average trapezoid")
_WINDOWS = _listed("resample rolling expanding ewm groupby")
_TEXT = ("str", "object", "string")
_PLAIN = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")
_ARITHMETIC = (ast.Sub, ast.Mult, ast.Div, ast.Add, ast.FloorDiv, ast.Pow, ast.Mod)
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class NumbersAsText(Repair):
    """A column of written numbers is averaged, compared, binned, plotted or calculated with as if it were numbers.

    The column is converted where it stands, or in the frame whose groups, rows or query need it, after the cleaning
    that all its values prove to need.

    Offered only where text and numbers are added, since joining can be meant as well, and where the texts may be
    codes ("007"). Silent when a value is no number, where the decimal mark is in doubt, and for versions.

    Example
    -------
    ::

        import pandas as pd
        log = pd.DataFrame({"hours": ["2", "3.5", "10"]})
        %%reflect
        mean = log["hours"].mean()
        %%repaired
        mean = log["hours"].astype(float).mean()
    """

    name = "numbers-as-text"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The column as numbers."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("TypeError", "ValueError", "NotImplementedError"):
            return
        if re.search(r"version|firmware|release|revision", f"{ast.unparse(node)} {context.goal}", re.I):
            return
        joined = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
        sources = self._columns(context, node)
        if sources:
            yield from self._converted(context, sources, joined=joined)
            return
        within = self._in_frame(context, node)
        if within is not None:
            yield from self._in_frame_converted(context, *within, joined=joined)
            return
        yield from self._values_converted(context, node, joined=joined)

    def _columns(self, context: Context, node: ast.AST) -> list[ast.expr]:
        """The text columns that stand in the failing expression itself, when all else there is a number."""
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Attribute(value=column, attr=window)), attr=method)
            ) if window in _WINDOWS and method in _OF_GROUPS:
                sides = [column]
            case ast.Call(func=ast.Attribute(value=column, attr=method)) if method in _STATISTICS:
                sides = [column]
            case (
                ast.Call(func=ast.Attribute(value=ast.Attribute(value=column, attr="plot")))
                | ast.Call(func=ast.Attribute(value=column, attr="plot"))
            ):
                sides = [column]
            case ast.Call(args=[column, *_]) if (
                syntax.function_of(context.cell, node, "pandas") in ("cut", "qcut")
                or syntax.function_of(context.cell, node, "numpy") in _OF_NUMPY
            ):
                sides = [column]
            case ast.Call(args=arguments) if syntax.function_of(context.cell, node, "numpy") in _OF_PAIRS:
                return [a for a in arguments if self._is_text(context, a)]
            case ast.BinOp(op=op) if isinstance(op, _ARITHMETIC):
                sides = _leaves(node)
            case ast.Compare(left=left, comparators=[right], ops=[op]) if isinstance(op, _ORDER):
                sides = [*_leaves(left), *_leaves(right)]
            case ast.Call(func=ast.Attribute(value=left, attr="between"), args=[low, high]):
                sides = [left, low, high]
            case _:
                return []
        text = [s for s in sides if self._is_text(context, s)]
        others = [s for s in sides if s not in text]
        if not all(self._is_number(context, s) for s in others):
            return []
        # two texts are joined by "+", and compared as they stand
        read_as_text = isinstance(node, ast.Compare) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add))
        return [] if read_as_text and not others else text

    def _converted(self, context: Context, sources: list[ast.expr], *, joined: bool) -> Iterator[Proposal]:
        edits: list[Edit] = []
        said, sure = [], not joined
        for source in sources:
            known = self._known(context, ast.unparse(source))
            if known is None:
                return
            (reading,) = known.readings
            new = conversion.cleaned(context.cell, source, reading, mixed=known.mixed) + ".astype(float)"
            edits.append(syntax.replace(context.cell, source, new))
            said.append(conversion.evidence(known, reading))
            sure = sure and not _codes(context, ast.unparse(source))
        shown = ", ".join(f"`{ast.unparse(s)}`" for s in sources)
        yield self.offer(f"{shown} as numbers", edits, "; ".join(said), sure=sure)

    def _in_frame(self, context: Context, node: ast.AST) -> tuple[ast.expr, tuple[str, ...]] | None:
        """The frame whose columns are needed as numbers, and these columns."""
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Subscript(
                        value=ast.Call(func=ast.Attribute(value=frame, attr="groupby")), slice=ast.Constant(value=label)
                    ),
                    attr=method,
                )
            ) if method in _OF_GROUPS and isinstance(label, str):
                return frame, (label,)
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Subscript(
                        value=ast.Call(func=ast.Attribute(value=frame, attr="groupby")), slice=ast.List(elts=labels)
                    ),
                    attr=method,
                )
            ) if method in _OF_GROUPS:
                return frame, tuple(str(c.value) for c in syntax.texts(labels))
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Call(func=ast.Attribute(value=frame, attr="groupby")), attr="agg" | "aggregate"
                )
            ):
                return frame, _aggregated(node)
            case ast.Call(func=ast.Attribute(value=frame, attr="nlargest" | "nsmallest")):
                named = syntax.keyword(node, "columns")
                by = named.value if named else node.args[1] if len(node.args) > 1 else None
                return (frame, (str(syntax.constant(by)),)) if by is not None and syntax.constant(by) else None
            case ast.Call(func=ast.Attribute(value=ast.Name() as frame, attr="pivot_table")):
                asked_for = syntax.keyword(node, "values")
                return (frame, (str(syntax.constant(asked_for.value)),)) if asked_for else None
            case ast.Call(func=ast.Attribute(value=frame, attr="query" | "eval"), args=[ast.Constant(value=str(said))]):
                return frame, _names(said)
            case (
                ast.Call(func=ast.Attribute(value=ast.Attribute(value=frame, attr="plot")))
                | ast.Call(func=ast.Attribute(value=frame, attr="plot"))
            ):
                y = syntax.keyword(node, "y")
                asked = [y.value] if y else []
                if y and isinstance(y.value, (ast.List, ast.Tuple)):
                    asked = list(y.value.elts)
                return frame, tuple(str(c.value) for c in syntax.texts(asked))
            case ast.BinOp(left=left, right=right) | ast.Compare(left=left, comparators=[right]):
                return self._rows(context, left, right)
        return None

    def _rows(self, context: Context, left: ast.expr, right: ast.expr) -> tuple[ast.expr, tuple[str, ...]] | None:
        """``row["price"] > 8`` in a function that is given the rows of a frame."""
        sides = [*_leaves(left), *_leaves(right)]
        found = [(s, origins.origin(context, s)) for s in sides]
        text = [o for s, o in found if o is not None and o.frame is not None and self._is_text_value(context, s)]
        rest = [s for s, o in found if o is None or not self._is_text_value(context, s)]
        if not text or not rest or not all(self._is_number(context, s) for s in rest):
            return None
        frames = {ast.unparse(o.frame) for o in text if o.frame is not None}
        frame = text[0].frame
        return (frame, tuple(dict.fromkeys(o.label for o in text))) if len(frames) == 1 and frame is not None else None

    def _in_frame_converted(
        self, context: Context, frame: ast.expr, labels: tuple[str, ...], *, joined: bool
    ) -> Iterator[Proposal]:
        held = ast.unparse(frame)
        new, said, sure = {}, [], not joined
        for label in labels:
            expression = f"({held})[{label!r}]"
            card = context.values.card(expression)
            if card is None or not card.is_series or card.columns[0].dtype not in _TEXT:
                continue
            known = self._known(context, expression)
            if known is None:
                return
            (reading,) = known.readings
            column = f"{syntax.receiver(context.cell, frame)}[{syntax.literal(label)}]"
            # rows may be shown again as they stand: whole numbers stay whole
            texts = context.values.sample(expression, conversion.DISTINCT) or ()
            whole = not card.columns[0].missing and all(re.fullmatch(r"[+-]?\d{1,15}", str(t).strip()) for t in texts)
            kind = "int" if whole else "float"
            new[label] = conversion.cleaned_text(column, reading, mixed=known.mixed) + f".astype({kind})"
            said.append(conversion.evidence(known, reading))
            sure = sure and not _codes(context, expression)
        if new:
            edit = syntax.replace(context.cell, frame, origins.with_columns(context, frame, new))
            shown = ", ".join(f"`{label}`" for label in new)
            yield self.offer(f"{shown} as numbers", [edit], "; ".join(said), sure=sure)

    def _values_converted(self, context: Context, node: ast.AST, *, joined: bool) -> Iterator[Proposal]:
        """One text at a time, beside a number: ``quantity * 1.5``, ``row["price"] > 8`` of a list of records."""
        match node:
            case ast.BinOp(op=op) if isinstance(op, _ARITHMETIC):
                sides = _leaves(node)
            case ast.Compare(left=left, comparators=[right], ops=[op]) if isinstance(op, _ORDER):
                sides = [*_leaves(left), *_leaves(right)]
            case _:
                return
        text = [s for s in sides if self._is_text_value(context, s) and not isinstance(s, ast.Constant)]
        if not text or not all(self._is_number(context, s) for s in sides if s not in text):
            return
        edits, every = [], []
        for side in text:
            found = origins.origin(context, side)
            if found is None and not origins.fixed(context, side):
                return
            texts = context.values.sample(found.column if found else ast.unparse(side), conversion.DISTINCT) or ()
            if not texts or not all(isinstance(t, str) and _PLAIN.fullmatch(t.strip()) for t in texts):
                return
            kind = "int" if all(str(t).strip().lstrip("+-").isdigit() for t in texts) else "float"
            edits.append(syntax.replace(context.cell, side, f"{kind}({syntax.text(context.cell, side)})"))
            every += [str(t) for t in texts]
        codes = any(re.match(r"0\d", t.strip()) for t in every)
        shown = ", ".join(f"`{ast.unparse(s)}`" for s in text)
        evidence = f"all {len(every)} distinct texts are numbers"
        yield self.offer(f"{shown} as a number", edits, evidence, sure=not joined and not codes)

    def _known(self, context: Context, expression: str) -> conversion.Column | None:
        """What is known about a column that is read in one way, without a doubt."""
        known = conversion.column(context, [expression])
        if known is None or len(known.readings) != 1:
            return None
        (reading,) = known.readings
        return None if reading.doubts or reading.percent else known

    def _is_text(self, context: Context, node: ast.expr) -> bool:
        if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
            return False
        card = context.values.card(ast.unparse(node))
        return card is not None and card.is_series and card.columns[0].dtype in _TEXT

    def _is_text_value(self, context: Context, node: ast.expr) -> bool:
        found = context.values.sample(ast.unparse(node), 1)
        return bool(found) and isinstance(found[0], str)  # type: ignore[index]

    def _is_number(self, context: Context, node: ast.expr) -> bool:
        card = context.values.card(ast.unparse(node))
        if card is None:
            return False
        kind = card.columns[0].dtype if card.is_series else card.type
        return kind.lower().startswith(("int", "float", "uint"))


def _leaves(node: ast.expr) -> list[ast.expr]:
    """What an arithmetic expression is made of; of ``x.max()`` the column."""
    match node:
        case ast.BinOp(left=left, right=right, op=op) if isinstance(op, _ARITHMETIC):
            return [*_leaves(left), *_leaves(right)]
        case ast.UnaryOp(operand=operand):
            return _leaves(operand)
        case ast.Call(func=ast.Attribute(value=column, attr="max" | "min" | "sum"), args=[], keywords=[]):
            return [column]
    return [node]


def _aggregated(call: ast.Call) -> tuple[str, ...]:
    """The columns of ``agg({"price": "mean"})`` and ``agg(mean=("price", "mean"))`` that a statistic is asked of."""
    asked: list[tuple[object, ast.expr]] = []
    for mapping in call.args:
        if isinstance(mapping, ast.Dict):
            asked += [(syntax.constant(k), v) for k, v in zip(mapping.keys, mapping.values, strict=True)]
    for named in call.keywords:
        if isinstance(named.value, ast.Tuple) and len(named.value.elts) == 2:
            asked.append((syntax.constant(named.value.elts[0]), named.value.elts[1]))
    wanted = {
        label
        for label, how in asked
        if any(syntax.constant(n) in _OF_GROUPS for n in ast.walk(how) if isinstance(n, ast.Constant))
    }
    return tuple(label for label in dict.fromkeys(a for a, _ in asked) if label in wanted and isinstance(label, str))


def _names(said: str) -> tuple[str, ...]:
    """The names in a query that are compared by order."""
    try:
        tree = ast.parse(said.replace("@", ""), mode="eval")
    except SyntaxError:
        return ()
    compared = [n for n in ast.walk(tree) if isinstance(n, ast.Compare) and all(isinstance(o, _ORDER) for o in n.ops)]
    numbers_ = [n for n in compared if any(isinstance(s, ast.Constant) for s in (n.left, *n.comparators))]
    sides = [s for n in numbers_ for s in (n.left, *n.comparators)]
    return tuple(dict.fromkeys(s.id for s in sides if isinstance(s, ast.Name)))


def _codes(context: Context, expression: str) -> bool:
    """Whether texts begin with a zero that a number would lose."""
    texts = context.values.sample(expression, conversion.DISTINCT) or ()
    return any(re.match(r"0\d", str(t).strip()) for t in texts)
