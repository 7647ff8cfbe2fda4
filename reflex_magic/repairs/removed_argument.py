"""Arguments that readers and methods of pandas had once."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

Rewrite = Callable[[Context, ast.Call, ast.keyword], "list[Edit] | None"]

READERS = ("read_csv", "read_table", "read_excel", "read_fwf")


def _renamed(new: str) -> Rewrite:
    def rewrite(context: Context, call: ast.Call, old: ast.keyword) -> list[Edit]:
        return [syntax.replace(context.cell, old, f"{new}={syntax.text(context.cell, old.value)}")]

    return rewrite


def _dropped(*harmless: object) -> Rewrite:
    """Leave the argument out; only when it was one of these values, if any are given."""

    def rewrite(context: Context, call: ast.Call, old: ast.keyword) -> list[Edit] | None:
        if harmless and syntax.constant(old.value) not in harmless:
            return None
        edit = syntax.drop_keyword(context.cell, call, old.arg or "")
        return [edit] if edit else None

    return rewrite


def _whitespace(context: Context, call: ast.Call, old: ast.keyword) -> list[Edit] | None:
    if syntax.constant(old.value) is not True or syntax.keyword(call, "sep"):
        return None
    return [syntax.replace(context.cell, old, r'sep=r"\s+"')]


def _bad_lines(context: Context, call: ast.Call, old: ast.keyword) -> list[Edit] | None:
    if syntax.constant(old.value) is not False or syntax.keyword(call, "on_bad_lines"):
        return None
    return [syntax.replace(context.cell, old, 'on_bad_lines="skip"')]


def _squeeze(context: Context, call: ast.Call, old: ast.keyword) -> list[Edit] | None:
    edit = syntax.drop_keyword(context.cell, call, "squeeze")
    if edit is None or syntax.constant(old.value) is not True:
        return None
    return [edit, syntax.insert_after(context.cell, call, '.squeeze("columns")')]


def _date_parser(context: Context, call: ast.Call, old: ast.keyword) -> list[Edit] | None:
    """A parser that is `strptime` of its argument, and nothing else, with one format is that format."""
    source: ast.AST | None = old.value
    taken = ""
    if isinstance(source, ast.Name):
        name, source = source.id, None
        for node in syntax.nodes(context.cell):
            if isinstance(node, ast.Assign) and [syntax.dotted(t) for t in node.targets] == [name]:
                source = node.value
            elif isinstance(node, ast.FunctionDef) and node.name == name:
                match node:
                    case ast.FunctionDef(
                        args=ast.arguments(args=[ast.arg(arg=taken)]), body=[ast.Return(value=source)]
                    ):
                        pass
    body = source
    if isinstance(source, ast.Lambda):
        match source.args:
            case ast.arguments(args=[ast.arg(arg=taken)]):
                body = source.body
    if not isinstance(body, ast.Call) or not body.args or syntax.dotted(body.args[0]) != taken:
        return None
    # `utc=True` and `errors=` have no counterpart
    if {k.arg for k in body.keywords} - {"format"}:
        return None
    called = getattr(body.func, "attr", "")
    wanted = body.args[1] if called == "strptime" and len(body.args) == 2 else None
    given = syntax.keyword(body, "format")
    if called == "to_datetime" and given is not None:
        wanted = given.value
    if not isinstance(wanted, ast.Constant) or not isinstance(wanted.value, str):
        return None
    return [syntax.replace(context.cell, old, f"date_format={syntax.text(context.cell, wanted)}")]


def _fill_method(context: Context, call: ast.Call, old: ast.keyword) -> list[Edit] | None:
    """``fillna(method="ffill")`` is ``ffill()``."""
    way = {"ffill": "ffill", "pad": "ffill", "bfill": "bfill", "backfill": "bfill"}.get(str(syntax.constant(old.value)))
    if way is None or not isinstance(call.func, ast.Attribute) or call.args:
        return None
    edit = syntax.drop_keyword(context.cell, call, "method")
    return [syntax.rename_member(context.cell, call.func, way), edit] if edit else None


def _level(context: Context, call: ast.Call, old: ast.keyword) -> list[Edit] | None:
    """``x.sum(level=0)`` is ``x.groupby(level=0).sum()``."""
    if not isinstance(call.func, ast.Attribute):
        return None
    edit = syntax.drop_keyword(context.cell, call, "level")
    grouped = f"groupby(level={syntax.text(context.cell, old.value)})."
    return [syntax.insert_before_member(context.cell, call.func, grouped), edit] if edit else None


def _closed(context: Context, call: ast.Call, old: ast.keyword) -> list[Edit] | None:
    """``closed=None`` was both ends; the other values go by the same name."""
    sides = {None: "both", "left": "left", "right": "right"}
    if not isinstance(old.value, ast.Constant) or old.value.value not in sides:
        return None
    return [syntax.replace(context.cell, old, f'inclusive="{sides[old.value.value]}"')]


_READ: Mapping[str, Rewrite] = {
    "delim_whitespace": _whitespace,
    "error_bad_lines": _bad_lines,
    "warn_bad_lines": _dropped(),
    "squeeze": _squeeze,
    "mangle_dupe_cols": _dropped(True),
    "tupleize_cols": _dropped(False),
    "infer_datetime_format": _dropped(),
    "verbose": _dropped(),
    "date_parser": _date_parser,
    "sheetname": _renamed("sheet_name"),
    "skip_footer": _renamed("skipfooter"),
    "parse_cols": _renamed("usecols"),
}

_STATISTICS = (
    "sum",
    "mean",
    "median",
    "min",
    "max",
    "std",
    "var",
    "count",
    "prod",
    "first",
    "last",
    "any",
    "all",
    "sem",
)

TABLE: Mapping[tuple[str, str], Rewrite] = {
    **{(reader, old): rewrite for reader in READERS for old, rewrite in _READ.items()},
    **{(statistic, "level"): _level for statistic in _STATISTICS},
    ("to_csv", "line_terminator"): _renamed("lineterminator"),
    ("to_excel", "encoding"): _dropped(),
    ("to_excel", "verbose"): _dropped(),
    ("to_datetime", "infer_datetime_format"): _dropped(),
    ("fillna", "method"): _fill_method,
    ("date_range", "closed"): _closed,
    ("drop_duplicates", "cols"): _renamed("subset"),
    ("drop_duplicates", "take_last"): _dropped(False),
}
"""(function, argument): what to do with it."""


class RemovedArgument(Repair):
    r"""An argument that pandas no longer knows is given as it was.

    A table from the release notes: ``delim_whitespace``, ``error_bad_lines``, ``squeeze``, ``date_parser``,
    ``line_terminator``, ``fillna(method=...)``, ``sum(level=...)`` and others, each with what took its place.

    Silent where the argument's value has no counterpart.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("trees.txt").write_text("species  height\noak     18.5\n")
        %%reflect
        trees = pd.read_csv("trees.txt", delim_whitespace=True)
        %%repaired
        trees = pd.read_csv("trees.txt", sep=r"\s+")
    """

    name = "removed-argument"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The argument that took its place."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not isinstance(node, ast.Call) or not failure.is_a("TypeError"):
            return
        said = re.search(r"unexpected keyword argument '(\w+)'", failure.evalue)
        function = syntax.dotted(node.func).rpartition(".")[2] or getattr(node.func, "attr", "")
        if said is None or (function, said[1]) not in TABLE:
            return
        # the function named in the message is the one that is called here
        if failure.evalue.partition("(")[0].rpartition(".")[2] not in (function, "__init__", "_generate_range"):
            return
        old = syntax.keyword(node, said[1])
        edits = TABLE[function, said[1]](context, node, old) if old else None
        if edits:
            title = f"`{said[1]}` was removed from `{function}`"
            yield self.offer(title, edits, f"pandas no longer knows `{said[1]}` in `{function}`")
