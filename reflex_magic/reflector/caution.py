"""How far a model's change is trusted, judged by what its code does that the cell did not.

A capability that the cell has already (the same call on the same target) is not counted again:
authority comes from the analyst's own code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.cell import Cell
from reflex_magic.core.proposal import Applicability

_COMPUTING = re.compile(
    """
    __future__|ast|base64|bisect|calendar|collections|contextlib|copy|csv|dataclasses|dateutil|datetime|decimal|enum
    |fractions|functools|hashlib|heapq|html|itertools|json|locale|math|matplotlib|numbers|numpy|operator|pandas|pathlib
    |plotly|polars|pyarrow|pytz|random|re|scipy|seaborn|sklearn|statistics|statsmodels|string|textwrap|time|typing
    |unicodedata|uuid|warnings|zoneinfo
    """,
    re.VERBOSE,
)
"""Modules that a repair may import; what acts on files, processes or the network is judged by call."""

_FORBIDDEN = re.compile(
    "eval|exec|compile|__import__|breakpoint|input|globals|locals|vars|setattr|delattr|get_ipython|exit|quit"
)

_OUTWARD = re.compile(
    """
    # files
    to_(csv|excel|json|parquet|feather|pickle|sql|hdf|html|latex|markdown|stata|xml|orc|clipboard|gbq)
    |tofile|savetxt|savez|savefig|imsave|write_(text|bytes|image|html)|unlink|removedirs|rmdir|rmtree|touch|mkdir
    |makedirs|chmod|symlink_to|hardlink_to|copyfile|copytree
    # processes, network, databases, data that runs code
    |system|popen|Popen|run_(line|cell)_magic|check_(output|call)|urlopen|urlretrieve|sendmail|connect
    |execute|executemany|executescript|read_(pickle|clipboard|sql|sql_query|sql_table|gbq)|load_module|import_module
    """,
    re.VERBOSE,
)

_DOUBTFUL = {
    "dropna": "leaves out rows with missing values",
    "drop_duplicates": "leaves out repeated rows",
    "drop": "leaves out rows or columns",
    "query": "selects rows",
    "head": "keeps the first rows only",
    "tail": "keeps the last rows only",
    "sample": "keeps a sample of the rows",
    "nlargest": "keeps some of the rows only",
    "nsmallest": "keeps some of the rows only",
    "truncate": "keeps some of the rows only",
    "clip": "changes values",
    "fillna": "fills missing values",
    "ffill": "fills missing values",
    "bfill": "fills missing values",
    "interpolate": "fills missing values",
    "filterwarnings": "hides warnings",
    "simplefilter": "hides warnings",
    "seterr": "hides numeric errors",
    "errstate": "hides numeric errors",
    "set_option": "changes an option of pandas",
    "suppress": "hides errors",
}
"""Calls that may be right and may hide the fault."""

_LENIENT = {
    "errors": ("coerce", "ignore", "replace"),
    "on_bad_lines": ("skip", "warn"),
    "nrows": (),
    "skiprows": (),
    "skipfooter": (),
    "how": ("inner",),
    "validate": (None,),
}
"""Arguments that may hide the fault, with the values that do; () for any."""

_PLACES = ("path_or_buf", "path", "excel_writer", "buf", "name", "con", "fname")
"""Arguments that say where a frame is written to."""

_URL = re.compile(r"^\s*[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def weigh(cell: Cell, after: Cell, *, judged: bool, stated: bool) -> tuple[Applicability, tuple[str, ...]]:
    """Whether a policy may commit the change, a person must decide, or it is shown only; and why.

    Parameters
    ----------
    cell, after
        Before and after the change.
    judged
        Whether an assertion or expectation says what a right result is.
    stated
        Whether the model named a cause.
    """
    acts = tuple(dict.fromkeys(_new(list(_acts(cell)), list(_acts(after)))))
    if acts:
        return Applicability.DISPLAY, acts
    doubts = list(dict.fromkeys(_new(list(_doubts(cell)), list(_doubts(after)))))
    if not stated:
        doubts.append("names no cause")
    if not judged:
        doubts.append("no assertion or expectation says what a right result is")
    return (Applicability.UNSAFE if doubts else Applicability.SAFE), tuple(doubts)


def _new(before: list[tuple[str, str]], after: list[tuple[str, str]]) -> Iterator[str]:
    """The descriptions of what occurs more often than before; a pair is (what is compared, in words)."""
    left = [key for key, _ in before]
    for key, words in after:
        if key in left:
            left.remove(key)
        else:
            yield words


def _acts(cell: Cell) -> Iterator[tuple[str, str]]:
    """What reaches beyond the data: imports, files, processes, network, code from text."""
    for node in _nodes(cell):
        match node:
            case ast.Import():
                for alias in node.names:
                    if not _COMPUTING.fullmatch(alias.name.split(".")[0]):
                        yield f"import {alias.name}", f"imports {alias.name}"
            case ast.ImportFrom():
                if node.level or not _COMPUTING.fullmatch((node.module or "").split(".")[0]):
                    yield f"import {node.module}", f"imports {node.module or 'a local module'}"
            case ast.Name(id=name) if _FORBIDDEN.fullmatch(name):
                yield name, f"uses {name}"
            case ast.Attribute(attr=name) if name.startswith("__") and name.endswith("__"):
                yield name, f"uses {name}"
            case ast.Constant(value=str(text)) if _URL.match(text):
                yield text, "reads from or writes to a URL"
            case ast.Call(func=ast.Name(id="open")):
                if not _reads(node):
                    yield f"open({_target(node)})", "opens a file for writing"
            case ast.Call(func=ast.Name(id="getattr")) if len(node.args) > 1 and not isinstance(
                node.args[1], ast.Constant
            ):
                yield ast.unparse(node), "looks up an attribute by a computed name"
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if _OUTWARD.fullmatch(name):
                # `to_json()` without a place to write to returns text
                if not name.startswith("to_") or node.args or any(k.arg in _PLACES for k in node.keywords):
                    yield f"{name}({_target(node)})", f"calls {name}"
            case _:
                pass


def _doubts(cell: Cell) -> Iterator[tuple[str, str]]:
    """What may be right, and may also hide the fault."""
    for node in _nodes(cell):
        match node:
            case ast.Call():
                name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
                if name in _DOUBTFUL:
                    yield name, f"`{name}` {_DOUBTFUL[name]}"
                for keyword in node.keywords:
                    if keyword.arg in _LENIENT and _lenient(keyword):
                        text = f"{keyword.arg}={ast.unparse(keyword.value)}"
                        yield text, f"`{text}` may hide values"
            case ast.ExceptHandler():
                yield ast.unparse(node), "catches an error"
            case ast.Subscript(slice=ast.Compare() | ast.UnaryOp(op=ast.Invert()) | ast.BoolOp()):
                yield ast.unparse(node), "selects rows"
            case ast.Subscript(slice=ast.Call(func=ast.Attribute(attr="notna" | "notnull" | "isin" | "between"))):
                yield ast.unparse(node), "selects rows"
            case _:
                pass


def _nodes(cell: Cell) -> list[ast.AST]:
    try:
        return list(cell.nodes)
    except (SyntaxError, ValueError):
        return []


def _target(call: ast.Call) -> str:
    return ast.unparse(call.args[0]) if call.args else ", ".join(map(ast.unparse, call.keywords[:1]))


def _reads(call: ast.Call) -> bool:
    """Whether `open` only reads, as far as its mode shows."""
    mode = call.args[1] if len(call.args) > 1 else next((k.value for k in call.keywords if k.arg == "mode"), None)
    if mode is None:
        return True
    return isinstance(mode, ast.Constant) and isinstance(mode.value, str) and not set(mode.value) & set("wax+")


def _lenient(keyword: ast.keyword) -> bool:
    values = _LENIENT[keyword.arg or ""]
    return not values or (isinstance(keyword.value, ast.Constant) and keyword.value.value in values)
