"""Which names a step can touch.

The rule is cheap and errs on the side of too many: every name a code object mentions. What those
names lead to (containers, attributes, the globals of functions) is followed by `checkpoint`.
Arrays are the exception, because a copy of an array costs its size: `written` looks for uses
through which an array can be written or can escape.
"""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Iterable, Sequence

DYNAMIC = frozenset({
    "exec", "eval", "globals", "locals", "vars", "get_ipython", "setattr", "delattr", "__import__", "run_cell_magic",
    "__globals__", "f_globals", "f_locals", "f_back", "_getframe", "get_objects", "get_referrers",
})  # fmt: skip
"""Code that mentions one of these may touch any name."""

BELOW_API = frozenset({
    "array", "_values", "ctypeslib", "_data", "_mask", "_mgr", "_ndarray", "setflags", "writeable", "ctypes",
    "__array_interface__", "_codes",
})  # fmt: skip
"""Ways to write a frame's memory past copy-on-write; code that has one gets deep copies."""

EFFECTS = frozenset({
    "open", "to_csv", "to_parquet", "to_pickle", "to_sql", "to_json", "to_excel", "to_feather", "to_hdf", "savefig",
    "save", "savez", "savetxt", "dump", "write", "writelines", "write_text", "write_bytes", "urlopen", "execute",
    "executemany", "commit", "system", "getoutput", "run_line_magic", "run_cell_magic", "Popen", "run", "call",
    "check_output", "remove", "unlink", "rename", "mkdir", "rmtree", "move", "copyfile", "input", "post", "put",
    "patch", "delete", "send", "next",
})  # fmt: skip
"""A step that mentions one of these acts on more than variables."""

UNREPEATABLE = frozenset({
    "now", "today", "utcnow", "time", "perf_counter", "monotonic", "uuid1", "uuid4", "urandom", "secrets",
    "default_rng", "SystemRandom", "requests", "httpx", "urllib", "urlopen", "socket", "subprocess", "system",
    "getoutput", "Popen", "check_output", "read_sql", "read_sql_query", "read_sql_table", "execute", "input", "getpass",
})  # fmt: skip
"""A second run of a step that mentions one of these may give something else, or act outwards again."""

SHELL_NAMES = frozenset({
    "In", "Out", "_ih", "_oh", "_dh", "exit", "quit", "open", "get_ipython", "__builtins__", "__builtin__", "__name__",
    "__doc__", "__package__", "__loader__", "__spec__", "__warningregistry__",
})  # fmt: skip
"""Names of the shell and of the module; their objects are nobody's data."""

_HISTORY = re.compile(r"_{1,3}|_i{1,3}|_i?\d+")

_PURE_METHODS = frozenset({
    "mean", "sum", "std", "var", "min", "max", "argmin", "argmax", "all", "any", "astype", "copy", "tolist", "item",
    "round", "clip", "cumsum", "cumprod", "prod", "dot", "nonzero", "tobytes", "repeat", "searchsorted", "argsort",
})  # fmt: skip
_PURE_ROOTS = frozenset({
    "np", "numpy", "pd", "pandas", "len", "print", "sum", "min", "max", "str", "repr",
    "float", "int", "bool", "abs", "round", "type", "isinstance", "range", "any", "all", "display", "id",
})  # fmt: skip
_VIEWS = frozenset({
    "put", "place", "copyto", "fill_diagonal", "shuffle", "putmask", "at", "asarray", "ravel", "reshape", "asanyarray",
    "frombuffer", "lib", "squeeze", "transpose", "swapaxes", "atleast_1d", "atleast_2d", "broadcast_to", "split",
    "array_split", "moveaxis", "expand_dims", "ascontiguousarray", "nditer", "vectorize", "frompyfunc", "array",
    "apply_along_axis", "DataFrame", "Series", "nan_to_num", "random",
})  # fmt: skip
_FACTS = frozenset({"shape", "size", "dtype", "ndim", "nbytes", "itemsize"})


def code_names(code: types.CodeType) -> set[str]:
    """Every name that a code object, or one nested in it, mentions."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= code_names(constant)
    return names


def mentioned(codes: Iterable[types.CodeType], nodes: Sequence[ast.AST]) -> set[str]:
    """The names that these steps mention. ``np.array(...)`` does not count as the attribute ``array``."""
    names = set().union(*map(code_names, codes))
    if "array" in names:
        called = {id(n.func) for s in nodes for n in ast.walk(s) if isinstance(n, ast.Call)}
        attributes = (n for s in nodes for n in ast.walk(s) if isinstance(n, ast.Attribute) and n.attr == "array")
        if all(id(n) in called for n in attributes):
            names.discard("array")
    return names


def final(code: types.CodeType) -> bool:
    """Whether a step with this code should not be run twice: a boundary comes after it."""
    names = code_names(code)
    return not (EFFECTS.isdisjoint(names) and UNREPEATABLE.isdisjoint(names))


def stored(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that these steps bind or delete."""
    return {n.id for s in nodes for n in ast.walk(s) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


def is_shells(name: str) -> bool:
    """Whether a name is the shell's own: its history changes with every cell."""
    return name in SHELL_NAMES or _HISTORY.fullmatch(name) is not None


def written(nodes: Iterable[ast.AST]) -> set[str]:
    """The names through which these statements may write an array or let a view of it escape."""
    visitor = _Uses()
    for node in nodes:
        visitor.visit(node)
    return visitor.unsafe


class _Uses(ast.NodeVisitor):
    def __init__(self) -> None:
        self.unsafe: set[str] = set()
        self._path: list[ast.AST] = []

    def visit(self, node: ast.AST) -> None:
        self._path.append(node)
        super().visit(node)
        self._path.pop()

    def visit_Name(self, node: ast.Name) -> None:
        parent = self._path[-2] if len(self._path) > 1 else node
        if isinstance(node.ctx, ast.Store):
            if isinstance(parent, ast.AugAssign):
                self.unsafe.add(node.id)
        elif not self._safe():
            self.unsafe.add(node.id)

    def _safe(self) -> bool:
        """Whether an array cannot be written, nor escape, through the name just visited."""
        child = self._path[-1]
        for depth in range(len(self._path) - 2, -1, -1):
            parent = self._path[depth]
            match parent:
                case ast.BinOp() | ast.Compare() | ast.UnaryOp() | ast.FormattedValue():
                    return True
                case ast.Subscript():
                    if parent.value is not child:
                        return True  # used as an index
                    if not isinstance(parent.ctx, ast.Load):
                        return False
                    child = parent  # a view: judged by its own parent
                case ast.Attribute():
                    outer = self._path[depth - 1] if depth else None
                    return parent.attr in _FACTS or (
                        isinstance(outer, ast.Call)
                        and outer.func is parent
                        and parent.attr in _PURE_METHODS
                        and not any(k.arg == "out" for k in outer.keywords)
                    )
                case ast.Call():
                    return _pure_call(parent)
                case ast.keyword():
                    child = parent
                case ast.If() | ast.While() | ast.Expr() | ast.IfExp() | ast.Assert():
                    return True
                case _:
                    return False
        return True


def _pure_call(call: ast.Call) -> bool:
    if any(k.arg in ("out", "inplace") for k in call.keywords):
        return False
    function, attributes = call.func, set()
    while isinstance(function, ast.Attribute):
        attributes.add(function.attr)
        function = function.value
    return isinstance(function, ast.Name) and function.id in _PURE_ROOTS and attributes.isdisjoint(_VIEWS)
