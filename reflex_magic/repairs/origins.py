"""Where one value at a time comes from: the column behind a loop variable, a row, or a parameter."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from reflex_magic.core.ports import Context
from reflex_magic.repairs import syntax

_LOOPS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


@dataclass(frozen=True, slots=True)
class Origin:
    """The source, as an expression, of the column whose values an expression takes one after the other.

    `frame` is the node of the frame that is walked row by row, and `label` the column there; None and "" where
    the values come from a column or a list.
    """

    column: str
    frame: ast.expr | None = None
    label: str = ""


def origin(context: Context, node: ast.expr) -> Origin | None:
    """The column that `node` takes its values from; None when it is not known."""
    match node:
        case ast.Name(id=name):
            values = _values(context, node, name)
            return Origin(ast.unparse(values)) if values is not None else None
        case ast.Subscript(value=ast.Attribute(value=column, attr="iloc" | "iat" | "loc" | "at"), slice=place):
            return _picked(context, column, place)
        case ast.Subscript(value=column, slice=place) if not isinstance(place, ast.Constant):
            return _picked(context, column, place)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(label))):
            attribute = False
        case ast.Attribute(value=ast.Name(id=name), attr=label):
            attribute = True
        case _:
            return None
    frame = _frame(context, node, name)
    if frame is not None:
        return Origin(f"({ast.unparse(frame)})[{label!r}]", frame, label)
    records = _values(context, node, name)
    if records is None or attribute:
        return None
    pandas = syntax.alias(context.cell, "pandas")
    return Origin(f"{pandas}.DataFrame({ast.unparse(records)})[{label!r}]")


def _picked(context: Context, column: ast.expr, place: ast.expr) -> Origin | None:
    """``q[i]``, ``df["x"].iloc[i]``, ``df.loc[i, "x"]``: any of the values may be meant."""
    card = context.values.card(ast.unparse(column))
    if card is not None and (card.is_series or card.type in ("list", "tuple")):
        return Origin(ast.unparse(column)) if not isinstance(place, (ast.Tuple, ast.Slice)) else None
    match place:
        case ast.Tuple(elts=[row, ast.Constant(value=str(label))]) if card is not None and card.is_frame:
            return None if isinstance(row, ast.Slice) else Origin(f"({ast.unparse(column)})[{label!r}]")
    return None


def fixed(context: Context, node: ast.expr) -> bool:
    """Whether an expression is the same each time: no loop or function around it binds a name in it."""
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    for above in syntax.ancestors(context.cell, node):
        if isinstance(above, (ast.Module, ast.stmt)) and not syntax.repeated(context.cell, node):
            return True
        for inner in ast.walk(above) if not isinstance(above, ast.Module) else ():
            if isinstance(inner, ast.arg) and inner.arg in names:
                return False
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store) and inner.id in names:
                return False
    return True


def walks(context: Context, node: ast.AST, name: str) -> tuple[ast.expr, ast.expr] | None:
    """The target and the iterable of the innermost loop or comprehension around `node` that binds `name`."""
    for above in syntax.ancestors(context.cell, node):
        if isinstance(above, _LOOPS):
            loops = [(g.target, g.iter) for g in above.generators]
        elif isinstance(above, (ast.For, ast.AsyncFor)):
            loops = [(above.target, above.iter)]
        elif isinstance(above, (ast.FunctionDef, ast.Lambda)) and any(a.arg == name for a in above.args.args):
            return None
        else:
            continue
        for target, values in loops:
            if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(target)):
                return target, values
    return None


def _given_to(context: Context, node: ast.AST, name: str) -> ast.Call | None:
    """The one ``.apply(f)`` or ``.map(f)`` that calls the function whose first parameter is `name`."""
    for above in syntax.ancestors(context.cell, node):
        if not isinstance(above, (ast.FunctionDef, ast.Lambda)):
            continue
        if not above.args.args or above.args.args[0].arg != name:
            return None
        if isinstance(above, ast.Lambda):
            users = [syntax.parent(context.cell, above)]
        else:
            named = [n for n in syntax.nodes(context.cell) if isinstance(n, ast.Name) and n.id == above.name]
            users = [syntax.parent(context.cell, n) for n in named]
        match users:
            case [ast.Call(func=ast.Attribute(attr="apply" | "map")) as call] if call.args:
                return call
        return None
    return None


def _values(context: Context, node: ast.AST, name: str) -> ast.expr | None:
    """What is walked by `name`: a column, a list of values or of records."""
    walked = walks(context, node, name)
    if walked is not None:
        match walked:
            case ast.Name(), values:
                return values
            case ast.Tuple(elts=targets), ast.Call(func=ast.Name(id="zip"), args=columns) if len(targets) == len(
                columns
            ):
                return next((c for t, c in zip(targets, columns, strict=True) if syntax.dotted(t) == name), None)
            case ast.Tuple(elts=[_, ast.Name(id=second)]), ast.Call(
                func=ast.Name(id="enumerate") | ast.Attribute(attr="items")
            ) as call if second == name:
                if call.args or not isinstance(call.func, ast.Attribute):
                    return call.args[0] if call.args else None
                card = context.values.card(ast.unparse(call.func.value))
                if card is not None and card.is_series:
                    return call.func.value
                # of a dict, what stands behind the keys
                return ast.parse(f"({ast.unparse(call.func.value)}).values()", mode="eval").body
        return None
    user = _given_to(context, node, name)
    if user is None or syntax.keyword(user, "axis") or not isinstance(user.func, ast.Attribute):
        return None
    return user.func.value


def _frame(context: Context, node: ast.AST, name: str) -> ast.expr | None:
    """The frame whose rows `name` takes."""
    walked = walks(context, node, name)
    if walked is not None:
        match walked:
            case ast.Tuple(elts=[_, ast.Name(id=row)]), ast.Call(func=ast.Attribute(value=frame, attr="iterrows")) if (
                row == name
            ):
                return frame
            case ast.Name(), ast.Call(func=ast.Attribute(value=frame, attr="itertuples")):
                return frame
            case ast.Name(), ast.Call(
                func=ast.Attribute(value=frame, attr="to_dict"), args=[ast.Constant(value="records")]
            ):
                return frame
        return None
    user = _given_to(context, node, name)
    if user is None or not isinstance(user.func, ast.Attribute):
        return None
    axis = syntax.keyword(user, "axis")
    by_row = axis is not None and syntax.constant(axis.value) in (1, "columns")
    return user.func.value if by_row and not isinstance(user.func.value, ast.Call) else None


def looped_labels(context: Context, node: ast.expr) -> tuple[str, ...]:
    """The labels that ``column`` takes in ``df[column]``, when the loop walks a list that is written out."""
    match node:
        case ast.Subscript(slice=ast.Name(id=name)):
            walked = walks(context, node, name)
        case _:
            return ()
    if walked is None or not isinstance(walked[0], ast.Name):
        return ()
    listed = walked[1]
    if isinstance(listed, ast.Name):
        found = context.values.sample(listed.id, 200)
        return tuple(str(v) for v in found) if found and all(isinstance(v, str) for v in found) else ()
    if isinstance(listed, (ast.List, ast.Tuple)) and len(syntax.texts(listed.elts)) == len(listed.elts):
        return tuple(str(c.value) for c in syntax.texts(listed.elts))
    return ()


def with_columns(context: Context, frame: ast.expr, columns: dict[str, str]) -> str:
    """The source of a frame with some columns given anew: ``df.assign(price=...)``."""
    own = syntax.receiver(context.cell, frame)
    if all(name.isidentifier() for name in columns):
        return f"{own}.assign({', '.join(f'{name}={new}' for name, new in columns.items())})"
    return f"{own}.assign(**{{{', '.join(f'{syntax.literal(name)}: {new}' for name, new in columns.items())}}})"
