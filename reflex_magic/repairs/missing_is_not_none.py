"""`missing-is-not-none`: a function for each value asks whether it is None, or whether it is true, and NaN passes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.repairs import syntax
from reflex_magic.repairs.answer import Answer, Found, Way


class MissingIsNotNone(Answer):
    """A function for each value asks whether it is None, or whether it is true, and NaN passes.

    ``r is None``, ``r == None`` and ``r == np.nan`` become ``pd.isna(r)``, and ``if r`` becomes ``if pd.notna(r)
    and r``, in what is called for each value: a lambda, a comprehension, a function of this cell.

    Example
    -------
    ::

        import numpy as np
        import pandas as pd
        files = pd.DataFrame({"revision": ["r1", np.nan, "r2"]})
        %%reflect
        files["tag"] = files["revision"].map(lambda r: "" if r is None else f"#{r}")
        %%repaired
        files["tag"] = files["revision"].map(lambda r: "" if pd.isna(r) else f"#{r}")
    """

    name = "missing-is-not-none"

    def ways(self, at: Found) -> Iterator[Way]:  # noqa: D102
        name, edits = syntax.import_edits(at.cell, at.context, "pandas")
        tests = dict(test for scope, value in _scopes(at) for test in _tests(scope, value, name))
        edits += [syntax.replace(at.cell, n, new) for n, new in tests.items()]
        if tests:
            yield Way(f"ask {name}.isna", edits)


def _scopes(at: Found) -> Iterator[tuple[ast.AST, str]]:
    """What is called for each value, with the name that the value has there."""
    around = syntax.parent(at.cell, syntax.parent(at.cell, at.node) or at.node)
    calls: list[ast.AST] = [*at.node.args] if isinstance(at.node, ast.Call) else []
    if isinstance(around, (ast.ListComp, ast.SetComp)):
        for generator in around.generators:
            if generator.iter is at.node and isinstance(generator.target, ast.Name):
                yield around, generator.target.id
        calls += [n.func for n in ast.walk(around.elt) if isinstance(n, ast.Call)]
    for called in calls:
        match called:
            case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=value), *_]), body=body):
                yield body, value
            case ast.Name(id=function):
                for s in at.cell.tree.body:
                    if isinstance(s, ast.FunctionDef) and s.name == function and s.args.args:
                        yield s, s.args.args[0].arg


def _tests(scope: ast.AST, value: str, pandas: str) -> Iterator[tuple[ast.expr, str]]:
    """Tests of the value for None, NaN or truth, with what they are to read."""
    nothing = ("np.nan", "numpy.nan", "math.nan", f"{pandas}.NA", f"{pandas}.NaT")
    for node in ast.walk(scope):
        match node:
            case ast.Compare(left=ast.Name(id=left), ops=[op], comparators=[other]) if left == value:
                none = isinstance(other, ast.Constant) and other.value is None
                if (none or syntax.dotted(other) in nothing) and isinstance(op, (ast.Is, ast.Eq)):
                    yield node, f"{pandas}.isna({value})"
                elif (none or syntax.dotted(other) in nothing) and isinstance(op, (ast.IsNot, ast.NotEq)):
                    yield node, f"{pandas}.notna({value})"
            case ast.IfExp(test=ast.Name(id=asked) as test) | ast.If(test=ast.Name(id=asked) as test) if asked == value:
                yield test, f"{pandas}.notna({value}) and {value}"
            case ast.IfExp(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=asked)) as test) if asked == value:
                yield test, f"{pandas}.isna({value}) or not {value}"
            case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=asked)) as test) if asked == value:
                yield test, f"{pandas}.isna({value}) or not {value}"
            case ast.comprehension(ifs=[ast.Name(id=asked) as test]) if asked == value:
                yield test, f"{pandas}.notna({value}) and {value}"
