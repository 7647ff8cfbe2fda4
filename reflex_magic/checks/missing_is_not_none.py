"""`missing-is-not-none`: a function asks for None, and missing values are NaN."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.checks.syntax import mentions
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run

_KNOWS = frozenset({"isna", "isnull", "notna", "notnull", "isnan", "isinstance", "NaT", "NA", "fillna", "type"})


class MissingIsNotNone(Check):
    """A function for each value tests ``is None`` or ``== np.nan``, or whether the value is true, and NaN passes.

    Given to `map` or `apply`, or called on each value of a column in a comprehension. Silent when nothing is missing,
    when missing values are None, and when the function knows them: by `pd.isna`, `isinstance`, ``x != x`` or `try`.

    Example
    -------
    ::

        import pandas as pd
        files = pd.DataFrame({"revision": ["r1", None, "r2"]})
        %%reflect
        files["tag"] = files["revision"].map(lambda r: "" if r is None else f"#{r}")
        %%clean
        files["tag"] = files["revision"].map(lambda r: "" if pd.isna(r) else f"#{r}")
    """

    name = "missing-is-not-none"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.operations:
            if op.kind == "elementwise" and _is_fooled(run.cell, op):
                yield self._finding(op)

    def _finding(self, op: Operation) -> Finding:
        f, one = op.facts, op.facts["missing"] == 1
        return self.finding(
            op,
            Severity.MAY,
            f"{f['missing']:,} of {count(f['rows'], 'value')} of `{f['column']}` {'is' if one else 'are'} missing, and"
            f" {'passes' if one else 'pass'} the test for each value: NaN is not None, not equal to NaN, and true",
            "Test with pd.isna(...), or give na_action='ignore' to `map`.",
            {"rows": f["rows"], "missing": f["missing"]},
        )


def _is_fooled(cell: Cell, op: Operation) -> bool:
    """Whether the function, or the comprehension, that gets the values is fooled by NaN."""
    node, floats = cell.node_at(op.span), op.facts["floats"]
    if isinstance(node, ast.Call) and node.args and _fools(cell, node.args[0], floats):
        return True
    for part in cell.nodes:
        match part:
            case (
                ast.ListComp(elt=each, generators=[ast.comprehension(target=ast.Name(id=name), iter=data, ifs=ifs)])
                | ast.SetComp(elt=each, generators=[ast.comprehension(target=ast.Name(id=name), iter=data, ifs=ifs)])
            ) if data is node:
                return (
                    _tests(each, name, floats)
                    or any(_tests(p, name, floats) or _is_true(p, name) for p in ifs)
                    or _is_given(cell, each, name, floats)
                )
    return False


def _is_given(cell: Cell, node: ast.AST, name: str, floats: bool) -> bool:
    """Whether the value of a name is given to a function that is fooled by NaN."""
    for part in ast.walk(node):
        match part:
            case ast.Call(func=function, args=[ast.Name(id=given), *_]) if given == name and _fools(
                cell, function, floats
            ):
                return True
    return False


def _fools(cell: Cell, function: ast.expr, floats: bool) -> bool:
    match function:
        case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name), *_]), body=body):
            return _tests(body, name, floats)
        case ast.Name(id=called):
            for node in cell.tree.body:
                match node:
                    case ast.FunctionDef(name=known, args=ast.arguments(args=[ast.arg(arg=name), *_])):
                        if known == called:
                            return _tests(node, name, floats)
    return False


def _tests(node: ast.AST, name: str, floats: bool) -> bool:
    """Whether it asks the value of a name for None, or whether it is true, and does not know of NaN."""
    if mentions(node) & _KNOWS or any(isinstance(n, ast.Try) for n in ast.walk(node)):
        return False
    asked = False
    for part in ast.walk(node):
        match part:
            case ast.Compare(left=ast.Name(id=a), ops=[ast.NotEq() | ast.Eq()], comparators=[ast.Name(id=b)]) if a == b:
                return False
            case ast.Compare(left=ast.Name(id=a), comparators=[ast.Constant(value=None)]) if a == name:
                asked = True
            case ast.Compare(left=ast.Name(id=a), ops=[op], comparators=[ast.Attribute(attr="nan" | "NaN")]) if (
                a == name
            ):
                asked = asked or isinstance(op, (ast.Eq, ast.NotEq)) or floats
            case ast.IfExp(test=test) | ast.If(test=test):
                asked = asked or _is_true(test, name)
            case ast.BoolOp(values=[first, *_]):
                asked = asked or _is_true(first, name)
    return asked


def _is_true(test: ast.expr, name: str) -> bool:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    return isinstance(test, ast.Name) and test.id == name
