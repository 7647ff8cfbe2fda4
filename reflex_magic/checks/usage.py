"""What a cell does with the columns of a table that it has read."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reflex_magic.checks.syntax import call, variable
from reflex_magic.core.cell import Cell
from reflex_magic.core.outcome import Operation

ADDS = frozenset(
    {"sum", "mean", "median", "std", "var", "prod", "cumsum"}
    | {"diff", "pct_change", "quantile", "average", "corr", "cov"}
)
ORDERS = frozenset(
    {"min", "max", "sort_values", "rank", "nlargest", "nsmallest", "idxmin", "idxmax", "cummax", "cummin", "between"}
    | {"sorted", "cut", "qcut", "merge_asof", "argsort", "sort_index"}
)
KEYS = frozenset(
    {"groupby", "pivot_table", "pivot", "crosstab", "value_counts", "nunique", "unique"}
    | {"duplicated", "drop_duplicates", "set_index", "resample", "factorize", "set", "get_dummies"}
)
JOINS = frozenset({"merge", "join", "isin", "merge_ordered", "map"})
CONVERTS = frozenset(
    {"to_numeric", "to_datetime", "to_timedelta", "replace", "apply", "strptime", "convert_dtypes", "int", "float"}
)
WRITES = frozenset(
    {"to_csv", "to_excel", "to_parquet", "to_json", "to_sql", "to_html", "to_markdown", "to_string", "to_feather"}
    | {"to_clipboard", "to_stata", "to_dict", "to_latex"}
)
MISSING = frozenset({"dropna", "fillna", "isna", "isnull", "notna", "notnull", "count"})
AGGREGATES = frozenset({"agg", "aggregate", "transform", "pivot_table"})
_BY_KEY = frozenset({"by", "on", "left_on", "right_on", "index", "columns", "subset", "keys", "level"})
_ALL_COLUMNS = frozenset(
    {"copy", "head", "tail", "query", "reset_index", "sort_values", "sort_index", "assign", "dropna", "fillna", "merge"}
    | {"drop_duplicates", "join", "rename", "replace", "sample", "set_index", "concat", "round"}
)
_PASSING = frozenset({"copy", "loc", "iloc", "head", "tail", "query", "reset_index", "sort_index", "rename", "assign"})


@dataclass
class Uses:
    """How the columns of one table are used in a cell, after it was read.

    `columns` has, for each column, the words of what is done with it: "sum", "order", "key", "join", "compare",
    "arith", "text", "convert", "number" (as a number on purpose), "store" (a new value is put into the column),
    "missing", "write", "drop", "named" (anything else). `whole` has the names of the methods that are called on the
    table, or on what was made of it, and "len" for its length; `full` those that are called while it has all its
    columns. `texts` are all texts of the cell, `compared` those that a column is compared with. `names` are the
    variables that hold the table or something made of it.
    """

    names: frozenset[str]
    columns: dict[str, set[str]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    full: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    compared: dict[str, set[str]] = field(default_factory=dict)

    def of(self, column: str, *wanted: str) -> bool:
        """Whether the column is used in one of these ways."""
        return not self.columns.get(column, set()).isdisjoint(wanted)

    def counts(self) -> bool:
        """Whether rows of the table are counted, added up, grouped or written anywhere."""
        return bool(self.whole & (ADDS | KEYS | WRITES | AGGREGATES | {"len", "count", "size"})) or any(
            not done.isdisjoint({"sum", "order", "key", "arith", "count"}) for done in self.columns.values()
        )


def uses(cell: Cell, operation: Operation, columns: Iterable[str]) -> Uses:
    """What the cell does with these columns of what the operation read."""
    source = call(cell, operation)
    wanted = frozenset(columns)
    if source is None:
        return Uses(frozenset())
    scope = list(_after(cell, operation))
    names = _names(cell, source, scope)
    found = Uses(frozenset(names))
    found.texts = {n.value for s in scope for n in ast.walk(s) if isinstance(n, ast.Constant) and type(n.value) is str}
    aliases = _aliases(scope, names, wanted, source)
    for node in scope:
        parents = {child: parent for parent in ast.walk(node) for child in ast.iter_child_nodes(parent)}
        for part in ast.walk(node):
            _look(part, parents, names, wanted, aliases, source, found)
    found.full = _on_all_columns(scope, source)
    return found


def _on_all_columns(scope: list[ast.stmt], source: ast.Call) -> set[str]:
    """The methods that are called on the table while it has all its columns; "iloc,": columns are taken by place."""
    names, found = set[str](), set[str]()
    for node in (part for top in scope for part in ast.walk(top)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _has_all(value, names, source):
                names.add(name)
            case ast.Call(func=ast.Attribute(value=on, attr=method)) if _has_all(on, names, source):
                found.add(method)
            case ast.Subscript(value=ast.Attribute(value=on, attr="iloc"), slice=ast.Tuple()) if _has_all(
                on, names, source
            ):
                found.add("iloc,")
            case ast.Attribute(value=on, attr="values" | "columns" as name) if _has_all(on, names, source):
                found.add(name + (" =" if isinstance(node.ctx, ast.Store) else ""))
    return found


def _has_all(node: ast.expr, names: set[str], source: ast.Call) -> bool:
    while node is not source:
        match node:
            case ast.Name(id=name):
                return name in names
            case ast.Call(func=ast.Attribute(attr="concat"), args=[ast.List(elts=[node, *_])]):
                pass
            case ast.Call(func=ast.Attribute(value=on, attr=method)) if method in _ALL_COLUMNS:
                node = on
            case ast.Subscript(
                value=ast.Attribute(value=on, attr="loc"), slice=ast.Compare() | ast.BinOp() | ast.Call()
            ):
                node = on
            case ast.Subscript(value=on, slice=ast.Compare() | ast.BinOp() | ast.Call() | ast.UnaryOp()):
                node = on
            case _:
                return False
    return True


def _after(cell: Cell, operation: Operation) -> Iterator[ast.stmt]:
    """The statements from the one with the operation on; functions and loops are entered, not listed as a whole."""
    stack = list(reversed(cell.tree.body))
    while stack:
        node = stack.pop()
        if (node.end_lineno or node.lineno) < operation.span.line:
            continue
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            stack += reversed(node.body)
        else:
            yield node


def _names(cell: Cell, source: ast.Call, scope: list[ast.stmt]) -> set[str]:
    """The variables that the table, or a part of it, is bound to."""
    names: set[str] = set()
    makers: set[str] = set()
    for node in cell.nodes:
        if isinstance(node, ast.FunctionDef) and any(part is source for part in ast.walk(node)):
            makers.add(node.name)
    for top in scope:
        for node in ast.walk(top):
            match node:
                case ast.Assign(targets=targets, value=value):
                    pass
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    targets = [target]
                case ast.For(target=target, iter=value):
                    targets = [target]
                case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                    targets = [target]
                case _:
                    continue
            inside = list(ast.walk(value))
            holds = (
                any(part is source for part in inside)
                or any(isinstance(p, ast.Call) and isinstance(p.func, ast.Name) and p.func.id in makers for p in inside)
                or any(isinstance(p, ast.Name) and p.id in names for p in inside)
            )
            for place in targets:
                for part in [place, *getattr(place, "elts", [])]:
                    if holds and isinstance(part, ast.Name):
                        names.add(part.id)
    return names


def _aliases(scope: list[ast.stmt], names: set[str], wanted: frozenset[str], source: ast.Call) -> dict[str, str]:
    """Variables that hold one of the columns: ``zips = homes["zip"]``."""
    found: dict[str, str] = {}
    for top in scope:
        for node in ast.walk(top):
            match node:
                case (
                    ast.For(target=ast.Name(id=name), iter=value)
                    | ast.comprehension(target=ast.Name(id=name), iter=value)
                ):
                    if column := _column(value, names, wanted, source):
                        found[name] = column
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if column := _column(
                    value, names, wanted, source
                ):
                    found[name] = column
    return found


def _column(node: ast.AST, names: set[str], wanted: frozenset[str], source: ast.Call) -> str | None:
    """The column that an expression is, if it is one."""
    match node:
        case ast.Subscript(value=on, slice=ast.Constant(value=str() as label)) | ast.Attribute(value=on, attr=label):
            pass
        case ast.Subscript(
            value=ast.Attribute(value=on, attr="loc" | "at"),
            slice=ast.Tuple(elts=[_, ast.Constant(value=str() as label)]),
        ):
            pass
        case _:
            return None
    if label not in wanted:
        return None
    return label if variable(on) in names or any(part is source for part in ast.walk(on)) else None


def _look(
    part: ast.AST, parents: dict[ast.AST, ast.AST], names: set[str], wanted: frozenset[str], aliases: dict[str, str],
    source: ast.Call, found: Uses,
) -> None:  # fmt: skip
    match part:
        case ast.Subscript() | ast.Attribute() if column := _column(part, names, wanted, source):
            if isinstance(part.ctx, ast.Store):
                found.columns.setdefault(column, set()).add("store")
            elif isinstance(part, ast.Subscript) or not isinstance(parents.get(part), ast.Call):
                _climb(part, parents, column, found)
        case ast.Name(id=name, ctx=ast.Load()) if name in aliases:
            _climb(part, parents, aliases[name], found)
        case ast.Constant(value=str() as text):
            _named(part, text, parents, names, wanted, source, found)
    match part:
        case ast.Call(func=ast.Attribute(value=on, attr=method)) if _is_table(on, names, source):
            found.whole.add(method)
        case ast.Attribute(value=on, attr="values" | "iloc" | "shape" | "T" | "columns" as method) if _is_table(
            on, names, source
        ):
            found.whole.add(method + (" =" if isinstance(part.ctx, ast.Store) else ""))
        case ast.Call(func=ast.Name(id="len"), args=[on]) if _is_table(on, names, source):
            found.whole.add("len")


def _is_table(node: ast.expr, names: set[str], source: ast.Call) -> bool:
    """Whether an expression is the table, or a group or a part of its rows."""
    while True:
        match node:
            case ast.Name(id=name):
                return name in names
            case ast.Call() if node is source:
                return True
            case ast.Call(func=ast.Attribute(value=on, attr=method)) if method in _PASSING | {"groupby", "drop"}:
                node = on
            case ast.Attribute(value=on, attr="loc"):
                node = on
            case ast.Subscript(value=on, slice=key) if not isinstance(key, ast.Constant):
                node = on
            case _:
                return False


def _climb(node: ast.AST, parents: dict[ast.AST, ast.AST], column: str, found: Uses) -> None:
    """Note what is done with an expression that is a column."""
    done = found.columns.setdefault(column, set())
    above = parents.get(node)
    while isinstance(above, ast.Subscript) and above.value is node:  # rows of it
        node, above = above, parents.get(above)
    match above:
        case ast.Attribute(attr=method, value=value) if value is node:
            outer = parents.get(above)
            if isinstance(outer, ast.Call) and outer.func is above:
                words = _by_method(method, outer)
                done |= words
                if method in _KEEPING and "text" not in words:
                    _climb(outer, parents, column, found)
                if method in {"isin", "eq", "ne", "map", "replace"}:
                    found.compared.setdefault(column, set()).update(_texts(outer))
            else:
                done.add({"str": "text", "dt": "date", "values": "named", "cat": "text"}.get(method, "named"))
        case ast.Compare():
            done.add("compare")
            found.compared.setdefault(column, set()).update(_texts(above))
        case ast.BinOp(left=left, right=right, op=op):
            other = right if left is node else left
            is_text = isinstance(other, ast.JoinedStr) or (isinstance(other, ast.Constant) and type(other.value) is str)
            done.add("text" if isinstance(op, ast.Add) and is_text else "arith")
            if isinstance(above, ast.BinOp) and not isinstance(parents.get(above), ast.stmt):
                _climb_sum(above, parents, done)
        case ast.FormattedValue(format_spec=spec):
            done.add("number" if spec is not None else "text")
        case ast.Call(func=func):
            name = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
            done |= _by_method(name, above) if name not in ("print", "display") else {"named"}
            if name == "to_datetime":
                done.add("to_datetime")
        case ast.keyword(arg=word):
            outer = parents.get(above)
            done |= _by_method(_name(outer), outer) if isinstance(outer, ast.Call) else {"named"}
            if word in _BY_KEY and _name(outer) in KEYS:
                done.add("key")
        case ast.List() | ast.Tuple():
            _climb(above, parents, column, found)
        case _:
            done.add("named")


_KEEPING = frozenset(
    {"fillna", "dropna", "astype", "abs", "round", "loc", "copy", "head", "tail", "reset_index", "groupby"}
)


def _climb_sum(node: ast.AST, parents: dict[ast.AST, ast.AST], done: set[str]) -> None:
    """``(df["a"] * df["b"]).sum()``."""
    above = parents.get(node)
    if isinstance(above, ast.Attribute) and above.attr in ADDS:
        done.add("sum")


def _by_method(method: str, node: ast.Call) -> set[str]:
    """What a method that is called on a column, or is given one, does with it."""
    if method == "astype" or method == "to_numeric":
        to = ast.unparse(node.args[0]) if node.args and method == "astype" else "float"
        return {"text"} if "str" in to else {"convert"}
    if method in ("str", "zfill") or (method in ("map", "apply") and _makes_text(node)):
        return {"text"}
    for names, word in (
        (ADDS, "sum"), (ORDERS, "order"), (KEYS, "key"), (JOINS, "join"), (CONVERTS, "convert"), (WRITES, "write"),
        (MISSING, "missing"),
    ):  # fmt: skip
        if method in names:
            return {word, "count"} if method == "count" else {word}
    if method in AGGREGATES:
        return _aggregated(node)
    return (
        {"compare"}
        if method in {"eq", "ne", "gt", "lt", "ge", "le"}
        else {"arith"}
        if method in _ARITHMETIC
        else {"named"}
    )


def _makes_text(node: ast.Call) -> bool:
    """Whether `str` is given, or is called in what is given."""
    return any(isinstance(part, ast.Name) and part.id == "str" for given in node.args for part in ast.walk(given))


_ARITHMETIC = frozenset({"mul", "add", "sub", "div", "multiply", "subtract", "divide", "pow", "floordiv", "mod"})


def _aggregated(node: ast.AST | None) -> set[str]:
    if node is None:
        return set()
    said = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and type(n.value) is str}
    said |= {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    found = {"sum"} if said & ADDS else set()
    if said & ORDERS:
        found.add("order")
    if said & {"nunique", "unique"}:
        found.add("key")
    return found or {"named"}


def _named(
    part: ast.AST, text: str, parents: dict[ast.AST, ast.AST], names: set[str], wanted: frozenset[str], source:
    ast.Call, found: Uses,
) -> None:  # fmt: skip
    """Note what is done with a column that is named in an argument."""
    above, inner, keyword = parents.get(part), part, ""
    while above is not None and not isinstance(above, ast.Call):
        if isinstance(above, ast.stmt | ast.Lambda):
            return
        if isinstance(above, ast.Subscript) and above.slice is inner and isinstance(inner, ast.List) and text in wanted:
            if variable(above.value) in names or any(p is source for p in ast.walk(above.value)):
                _climb(above, parents, text, found)  # df[["a", "b"]].sum()
            return
        if isinstance(above, ast.keyword):
            keyword = above.arg or ""
        inner, above = above, parents.get(above)
    if not isinstance(above, ast.Call) or above is source:
        return
    method = _name(above)
    inside = any(p is source or (isinstance(p, ast.Name) and p.id in names) for p in ast.walk(above))
    if not inside:
        return
    if method == "query":
        for column in wanted:
            if column in text:
                found.columns.setdefault(column, set()).add("compare")
        return
    if text not in wanted:
        return
    done = found.columns.setdefault(text, set())
    match method:
        case "drop":
            done.add("drop")
        case "pivot_table" | "pivot":
            done |= {"key"} if keyword in ("index", "columns") else {"sum"}
        case "astype":
            done |= _cast(above, text)
        case "agg" | "aggregate":
            done |= _aggregated(parents.get(part) if keyword else _value_of(above, part))
        case "sort_values" | "nlargest" | "nsmallest":
            done.add("order")
        case "rename":
            done.add("store")
        case _:
            done |= _by_method(method, above)


def _value_of(node: ast.Call, key: ast.AST) -> ast.AST:
    """What stands in a dict for a key, in the arguments of a call; the call where it is in none."""
    for part in ast.walk(node):
        if isinstance(part, ast.Dict):
            for k, v in zip(part.keys, part.values, strict=True):
                if k is key:
                    return v
    return node


def _cast(node: ast.Call, column: str) -> set[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Dict):
            for k, v in zip(part.keys, part.values, strict=True):
                if isinstance(k, ast.Constant) and k.value == column:
                    return {"text"} if "str" in ast.unparse(v) else {"convert"}
    return {"convert"}


def _name(node: ast.AST | None) -> str:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name
    return ""


def _texts(node: ast.AST) -> set[str]:
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and type(n.value) is str}
