"""Methods that pandas had once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

Owner = str
Rewrite = Callable[[Context, ast.Attribute], "list[Edit] | None"]

_DATA = ("DataFrame", "Series")

RENAMED: Mapping[tuple[Owner, str], str] = {
    ("DataFrame", "iteritems"): "items",
    ("Series", "iteritems"): "items",
    ("DataFrame", "applymap"): "map",
    ("Styler", "applymap"): "map",
    ("DataFrame", "pad"): "ffill",
    ("Series", "pad"): "ffill",
    ("DataFrame", "backfill"): "bfill",
    ("Series", "backfill"): "bfill",
    ("DataFrameGroupBy", "pad"): "ffill",
    ("SeriesGroupBy", "pad"): "ffill",
    ("DataFrameGroupBy", "backfill"): "bfill",
    ("SeriesGroupBy", "backfill"): "bfill",
    ("DataFrame", "as_matrix"): "to_numpy",
    ("Series", "as_matrix"): "to_numpy",
    ("DataFrame", "get_values"): "to_numpy",
    ("Series", "get_values"): "to_numpy",
    ("Series", "ravel"): "to_numpy",
    ("Series", "order"): "sort_values",
    ("Series", "is_monotonic"): "is_monotonic_increasing",
    ("Index", "is_monotonic"): "is_monotonic_increasing",
    ("Series", "bool"): "item",
    ("Series", "nonzero"): "to_numpy().nonzero",
    ("DatetimeProperties", "weekofyear"): "isocalendar().week",
    ("DatetimeProperties", "week"): "isocalendar().week",
    ("DatetimeIndex", "weekofyear"): "isocalendar().week",
    ("DatetimeIndex", "week"): "isocalendar().week",
}
"""Members that go by another name and otherwise work as before."""


def _call_of(context: Context, node: ast.Attribute) -> ast.Call | None:
    """The call of the member, when it is called."""
    above = syntax.parent(context.cell, node)
    return above if isinstance(above, ast.Call) and above.func is node else None


def _append(context: Context, node: ast.Attribute) -> list[Edit] | None:
    """``a.append(b)`` becomes ``pd.concat([a, b])``; a dict or a row becomes a frame of one row."""
    call = _call_of(context, node)
    if (
        call is None
        or len(call.args) != 1
        or {k.arg for k in call.keywords} - {"ignore_index", "sort", "verify_integrity"}
    ):
        return None
    cell, other = context.cell, call.args[0]
    pandas, edits = syntax.import_edits(cell, context, "pandas")
    kind, base = _kind(context, other), _kind(context, node.value)
    source, own = syntax.text(cell, other), syntax.text(cell, node.value)
    match base, kind:
        case ("DataFrame", "DataFrame") | ("Series", "Series"):
            parts = f"[{own}, {source}]"
        case "DataFrame" | "Series", "list":
            inner = context.values.card(f"{ast.unparse(other)}[0]")
            if inner is not None and inner.type == "dict":
                parts = f"[{own}, {pandas}.DataFrame({source})]"
            elif inner is not None and inner.type == base:
                parts = f"[{own}, *{source}]"
            else:
                return None
        case "DataFrame", "dict":
            parts = f"[{own}, {pandas}.DataFrame([{source}])]"
        case "DataFrame", "Series":
            parts = f"[{own}, {syntax.receiver(cell, other)}.to_frame().T]"
        case _:
            return None
    keywords = "".join(f", {syntax.text(cell, k)}" for k in call.keywords)
    new = f"{pandas}.concat({parts}{keywords})"
    # pandas never appended in place: where nothing takes the result, the table itself is meant
    above = syntax.parent(cell, call)
    if isinstance(above, ast.Expr) and above is not cell.tree.body[-1]:
        inside = any(isinstance(a, (ast.FunctionDef, ast.Lambda)) for a in syntax.ancestors(cell, call))
        if not isinstance(node.value, ast.Name) or inside:
            return None
        new = f"{own} = {new}"
    return [*edits, syntax.replace(cell, call, new)]


def _kind(context: Context, node: ast.expr) -> str:
    """The type of a value, from the value or else from how it is written."""
    card = context.values.card(ast.unparse(node))
    if card is not None:
        return card.type
    made = syntax.function_of(context.cell, node, "pandas")
    if made in ("Series", "DataFrame"):
        return made
    return {ast.Dict: "dict", ast.List: "list"}.get(type(node), "")


def _ix(context: Context, node: ast.Attribute) -> list[Edit] | None:
    """``df.ix[...]`` took positions for whole numbers where the labels are none, and labels otherwise."""
    cell, above = context.cell, syntax.parent(context.cell, node)
    frame = ast.unparse(node.value)
    index = context.values.card(f"({frame}).index")
    if not isinstance(above, ast.Subscript) or above.value is not node or index is None or not index.columns:
        return None
    rows, *rest = above.slice.elts if isinstance(above.slice, ast.Tuple) else [above.slice]
    positions = _is_positions(rows)
    labelled = index.columns[0].dtype.startswith(("int", "uint"))
    if not positions or labelled:
        return [syntax.rename_member(cell, node, "loc")] if not any(map(_is_positions, rest)) else None
    if not rest or all(map(_is_positions, rest)):
        return [syntax.rename_member(cell, node, "iloc")]
    column = rest[0]
    holder = syntax.text(cell, node.value)
    if isinstance(column, ast.Constant) and isinstance(column.value, str):
        place = syntax.replace(cell, column, f"{holder}.columns.get_loc({syntax.text(cell, column)})")
        return [syntax.rename_member(cell, node, "iloc"), place]
    return None


def _is_positions(node: ast.expr) -> bool:
    """Whether whole numbers are written, and nothing else."""
    match node:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int()) | ast.UnaryOp(operand=ast.Constant(value=int())):
            return True
        case ast.Slice(lower=lower, upper=upper):
            ends = [e for e in (lower, upper) if e is not None]
            return bool(ends) and all(map(_is_positions, ends))
        case ast.List(elts=parts):
            return bool(parts) and all(map(_is_positions, parts))
    return False


def _get_value(context: Context, node: ast.Attribute) -> list[Edit] | None:
    """``df.get_value(r, c)`` becomes ``df.at[r, c]``."""
    call = _call_of(context, node)
    if call is None or call.keywords or not 1 <= len(call.args) <= 2:
        return None
    cell = context.cell
    place = ", ".join(syntax.text(cell, a) for a in call.args)
    return [syntax.replace(cell, call, f"{syntax.receiver(cell, node.value)}.at[{place}]")]


def _set_value(context: Context, node: ast.Attribute) -> list[Edit] | None:
    """``df.set_value(r, c, v)`` as a statement becomes ``df.at[r, c] = v``."""
    call = _call_of(context, node)
    if call is None or call.keywords or len(call.args) != 3:
        return None
    cell = context.cell
    if not isinstance(syntax.parent(cell, call), ast.Expr):
        return None
    *place, value = (syntax.text(cell, a) for a in call.args)
    return [syntax.replace(cell, call, f"{syntax.receiver(cell, node.value)}.at[{', '.join(place)}] = {value}")]


def _mad(context: Context, node: ast.Attribute) -> list[Edit] | None:
    """``x.mad()`` is the mean of the distances from the mean."""
    call = _call_of(context, node)
    if call is None or call.args or call.keywords:
        return None
    own = syntax.receiver(context.cell, node.value)
    return [syntax.replace(context.cell, call, f"({own} - {own}.mean()).abs().mean()")]


def _sort(context: Context, node: ast.Attribute) -> list[Edit] | None:
    """``df.sort("a")`` and ``df.sort(columns=...)`` sort by values, ``df.sort()`` by the index."""
    call = _call_of(context, node)
    if call is None:
        return None
    cell, columns = context.cell, syntax.keyword(call, "columns")
    if not call.args and columns is None:
        return [syntax.rename_member(cell, node, "sort_index")]
    edits = [syntax.rename_member(cell, node, "sort_values")]
    if columns is not None:
        edits.append(syntax.replace(cell, columns, f"by={syntax.text(cell, columns.value)}"))
    return edits


def _swapaxes(context: Context, node: ast.Attribute) -> list[Edit] | None:
    """``df.swapaxes(0, 1)`` is the transposed frame."""
    call = _call_of(context, node)
    if call is None or call.keywords or {syntax.constant(a) for a in call.args} not in ({0, 1}, {"index", "columns"}):
        return None
    return [syntax.replace(context.cell, call, f"{syntax.receiver(context.cell, node.value)}.T")]


REWRITTEN: Mapping[tuple[Owner, str], Rewrite] = {
    ("DataFrame", "append"): _append,
    ("Series", "append"): _append,
    ("DataFrame", "ix"): _ix,
    ("Series", "ix"): _ix,
    ("DataFrame", "get_value"): _get_value,
    ("Series", "get_value"): _get_value,
    ("DataFrame", "set_value"): _set_value,
    ("Series", "set_value"): _set_value,
    ("DataFrame", "mad"): _mad,
    ("Series", "mad"): _mad,
    ("DataFrame", "sort"): _sort,
    ("DataFrame", "swapaxes"): _swapaxes,
}
"""Members that are written another way now."""


class RemovedMethod(Repair):
    """A method or attribute that pandas no longer has is used as it was.

    A table from the release notes of pandas 0.20 to 3: `append`, `iteritems`, `applymap`, `ix`,
    `as_matrix`, `get_value`, `mad`, `sort`, `weekofyear` and others, each with what took its place.

    Silent where the call has arguments that the new form cannot take, and where the frame has a
    column of that name in another spelling.

    Example
    -------
    ::

        import pandas as pd
        probe = pd.DataFrame({"ph": [6.8, 7.4]})
        %%reflect
        spread = {name: col.max() - col.min() for name, col in probe.iteritems()}
        %%repaired
        spread = {name: col.max() - col.min() for name, col in probe.items()}
    """

    name = "removed-method"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The member that took its place."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("AttributeError"):
            return
        member = node.func if isinstance(node, ast.Call) else node
        if not isinstance(member, ast.Attribute) or f"no attribute '{member.attr}'" not in failure.evalue:
            return
        said = failure.evalue.partition("'")[2].partition("'")[0]
        owner = said if said not in ("RangeIndex", "StringIndex") else "Index"
        key = (owner, member.attr)
        kind = context.values.card(ast.unparse(member.value))
        # a class of the analyst's may have the name of one of pandas
        if owner in _DATA and kind is not None and kind.rows is None:
            return
        if key in RENAMED:
            edits: list[Edit] | None = [syntax.rename_member(context.cell, member, RENAMED[key])]
            # `week` was no method; a call of it is something else
            if RENAMED[key].endswith(".week") and _call_of(context, member):
                return
        elif key in REWRITTEN:
            edits = REWRITTEN[key](context, member)
        else:
            return
        if edits:
            yield self.offer(
                f"`{owner}.{member.attr}` was removed from pandas",
                edits,
                f"pandas no longer has `{owner}.{member.attr}`",
            )
