"""What in a cell will surely fail, told from its source and the variables as they are before it runs.

Only what cannot go well is told: the expression is evaluated whatever happens, nothing before it in
the cell can have made it right, and the cell has nothing that may bind names out of sight. Nothing
is run, and no data is looked at: names, labels, dtypes and whether a file is there.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import re
import symtable
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from reflex_magic.core.cell import Cell
from reflex_magic.observe import live
from reflex_magic.observe.other_frames import is_table, library

_UNSEEN = frozenset({
    "exec", "eval", "globals", "locals", "vars", "setattr", "get_ipython", "__import__", "chdir", "exit", "quit",
    "_exit",
})  # fmt: skip
"""Calls that may bind any name, change what a path means, or end the cell."""

_READERS = frozenset(
    {"read_csv", "read_table", "read_json", "read_parquet", "read_feather", "read_pickle", "read_excel"}
)

_WRITES = frozenset({"open", "copy", "copyfile", "move", "rename", "replace", "unzip", "extractall", "urlretrieve"})
"""Calls after which a file may be there; so do all that begin with `to_`, `write` or `save`."""


_COLUMN = re.compile(r"\b(\w+)\[(['\"])(.*?)\2\]")
_MEMBER = re.compile(r"\b(\w+)\.(\w+)\(")
_FILE_OR_KEYS = re.compile(r"\bread_\w+\(|\.merge\(")


@dataclass(frozen=True, slots=True)
class Forecast:
    """A failure to come: the editor's line and what is wrong, in words."""

    line: int
    message: str


def forecast(cell: Cell, namespace: Mapping[str, Any]) -> Forecast | None:
    """The first statement, after the first one, that will surely fail; None where nothing is sure.

    The first statement is not looked at: it fails at once, and says so itself.

    Parameters
    ----------
    namespace
        The variables before the cell runs.
    """
    try:
        steps = cell.tree.body
    except (SyntaxError, ValueError):
        return None
    if len(steps) < 2 or not _is_suspect(cell, namespace):
        return None
    known = _Known(namespace)
    for number, step in enumerate(steps):
        nodes = tuple(ast.walk(step))
        if known.learn_unseen(nodes):
            return None
        if number:
            for node in _evaluated(step):
                message = known.refuses(node)
                if message:
                    return Forecast(node.lineno, message)
        known.learn(step, nodes)
    return None


def _is_suspect(cell: Cell, namespace: Mapping[str, Any]) -> bool:
    """Whether anything in the text could be told of; the close look costs more than most cells do."""
    code = cell.python
    if any(_is_free(symbol, namespace) for symbol in symtable.symtable(code, "<cell>", "exec").get_symbols()):
        return True
    for name, _, label in set(_COLUMN.findall(code)):
        columns = _columns(namespace.get(name))
        if columns is not None and label not in columns:
            return True
    for name, member in set(_MEMBER.findall(code)):
        value = namespace.get(name)
        known = value is pd or live.is_frame(value) or live.is_series(value)
        if known and not hasattr(pd if value is pd else type(value), member):
            return True
    return _FILE_OR_KEYS.search(code) is not None


def _is_free(symbol: symtable.Symbol, namespace: Mapping[str, Any]) -> bool:
    name = symbol.get_name()
    return not (symbol.is_assigned() or symbol.is_imported() or name in namespace or name in vars(builtins))


class _Known:
    """What is known of the names while the statements go by."""

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        self._namespace = namespace
        self._bound: set[str] = set()
        self._touched: set[str] = set()
        self._pandas: set[str] = set()
        self._files_may_come = False

    def learn_unseen(self, nodes: Sequence[ast.AST]) -> bool:
        """Whether a statement of these nodes may bind names or move folders out of sight, or end the cell."""
        for node in nodes:
            match node:
                case ast.alias(name="*") | ast.Raise():
                    return True
                case ast.NamedExpr(target=ast.Name(id=name)):
                    self._bound.add(name)
                case ast.Name(id=name) | ast.Attribute(attr=name) if name in _UNSEEN:
                    return True
        return False

    def learn(self, step: ast.stmt, nodes: Sequence[ast.AST]) -> None:
        """Note what a statement binds, and what it may change; `nodes` are all of it."""
        pure: set[int] = set()
        for node in nodes:
            match node:
                case ast.Subscript(value=ast.Name() as name, ctx=ast.Load()):
                    pure.add(id(name))
                case ast.Name(id=name, ctx=ctx):
                    if not isinstance(ctx, ast.Load):
                        self._bound.add(name)
                    if id(node) not in pure:
                        self._touched.add(name)
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    self._bound.add(name)
                case ast.alias(name=name, asname=other):
                    self._bound.add(other or name.partition(".")[0])
                    if name == "pandas" and isinstance(step, ast.Import):
                        self._pandas.add(other or name)
                case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                    self._bound.add(name)
                case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
                    self._bound.add(name)
                case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
                    written = name in _WRITES or name.startswith(("to_", "write", "save"))
                    self._files_may_come = self._files_may_come or written
        # What a call may do to files, a function of the analyst's may do as well.
        called = {n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        self._files_may_come = self._files_may_come or any(name not in vars(builtins) for name in called)

    def refuses(self, node: ast.expr) -> str:
        """Why evaluating a node will raise; empty where that is not sure."""
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                return self._no_such_name(name)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as label), ctx=ast.Load()):
                return self._no_such_column(name, label)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) as call:
                return self._no_such_member(name, method) or self._no_such_file(call) or self._keys_differ(name, call)
            case _:
                return ""

    def _no_such_name(self, name: str) -> str:
        if name in self._bound or name in self._namespace or name in vars(builtins):
            return ""
        names = [n for n in (*self._bound, *self._namespace) if not n.startswith("_")]
        return f"there is no `{name}`{_near(name, names)}"

    def _unchanged(self, name: str) -> Any:
        """The value that a name will surely have when it is looked at; None where that is not sure."""
        if name in self._pandas or self._namespace.get(name) is pd:
            return pd
        return None if name in self._bound or name in self._touched else self._namespace.get(name)

    def _no_such_column(self, name: str, label: str) -> str:
        columns = _columns(self._unchanged(name))
        if columns is None or label in columns:
            return ""
        return f"`{name}` has no column `{label}`{_near(label, [c for c in columns if isinstance(c, str)])}"

    def _no_such_member(self, name: str, method: str) -> str:
        value = self._unchanged(name)
        if value is pd:
            missing = not hasattr(pd, method)
        elif live.is_frame(value):
            missing = not hasattr(pd.DataFrame, method) and method not in value.columns
        elif live.is_series(value):
            missing = not hasattr(pd.Series, method) and method not in value.index
        else:
            return ""
        kind = "pandas" if value is pd else f"a {type(value).__name__} of pandas"
        return f"{kind} {pd.__version__} has no `{method}`" if missing and method not in vars(value) else ""

    def _no_such_file(self, call: ast.Call) -> str:
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr=reader), args=[ast.Constant(value=str() as path), *_]
            ):
                if self._unchanged(name) is not pd or reader not in _READERS or self._files_may_come:
                    return ""
                if "://" in path or not path.strip() or any(c in path for c in "*?[{\n<"):
                    return ""
                return "" if Path(path).expanduser().exists() else f"there is no file `{path}`"
            case _:
                return ""

    def _keys_differ(self, name: str, call: ast.Call) -> str:
        """Text merged with numbers, which pandas refuses."""
        match call:
            case ast.Call(func=ast.Attribute(attr="merge"), args=[ast.Name(id=other)]):
                pass
            case _:
                return ""
        on = next((k.value for k in call.keywords if k.arg == "on"), None)
        left, right = self._unchanged(name), self._unchanged(other)
        if not isinstance(on, ast.Constant) or not (live.is_frame(left) and live.is_frame(right)):
            return ""
        key = on.value
        if not isinstance(key, str) or not all(list(f.columns).count(key) == 1 for f in (left, right)):
            return ""
        kinds = [_kind(f[key].dtype) for f in (left, right)]
        return (
            f"`{key}` is {kinds[0]} in `{name}` and {kinds[1]} in `{other}`"
            if set(kinds) == {"text", "numbers"}
            else ""
        )


def _columns(value: Any) -> Any:
    """The names of the columns of a table; None of one with several levels, and of anything else."""
    if live.is_frame(value):
        return None if value.columns.nlevels > 1 else value.columns
    if not is_table(value):
        return None
    return value.columns if library(value) == "polars" else value.column_names


def _kind(dtype: Any) -> str:
    """Text, numbers, or the dtype's own name. A column of objects may hold anything."""
    if isinstance(dtype, pd.StringDtype):
        return "text"
    return "numbers" if live.is_number_dtype(dtype) else str(dtype)


def _near(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.75)
    return f" (there is `{close[0]}`)" if close else ""


def _evaluated(step: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement that are evaluated whatever happens, in about their order."""
    match step:
        case ast.Expr(value=value) | ast.Assign(value=value) | ast.AugAssign(value=value):
            yield from _parts(value)
        case ast.AnnAssign(value=ast.expr() as value):
            yield from _parts(value)
        case ast.Assert(test=test) | ast.If(test=test) | ast.While(test=test):
            yield from _parts(test)
        case ast.For(iter=source):
            yield from _parts(source)


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Lambda() | ast.JoinedStr() | ast.NamedExpr():
            return
        case ast.BoolOp(values=[first, *_]):
            yield from _parts(first)
            return
        case ast.IfExp(test=test):
            yield from _parts(test)
            return
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield from _parts(node.generators[0].iter)
            return
        case ast.Compare(left=left, comparators=[first, *_]):
            yield from _parts(left)
            yield from _parts(first)
            return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _parts(child)
        elif isinstance(child, ast.keyword):
            yield from _parts(child.value)
    yield node
