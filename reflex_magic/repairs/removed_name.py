"""Names that the modules of numpy and pandas had once."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from reflex_magic.core.cell import Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

NUMPY: Mapping[str, str] = {
    "float": "float",
    "int": "int",
    "object": "object",
    "str": "str",
    "complex": "complex",
    "unicode": "str",
    "float_": "np.float64",
    "complex_": "np.complex128",
    "string_": "np.bytes_",
    "unicode_": "np.str_",
    "NaN": "np.nan",
    "NAN": "np.nan",
    "Inf": "np.inf",
    "Infinity": "np.inf",
    "infty": "np.inf",
    "PINF": "np.inf",
    "NINF": "-np.inf",
    "product": "np.prod",
    "cumproduct": "np.cumprod",
    "sometrue": "np.any",
    "alltrue": "np.all",
    "in1d": "np.isin",
    "trapz": "np.trapezoid",
    "row_stack": "np.vstack",
    "round_": "np.round",
    "mat": "np.asmatrix",
    "singlecomplex": "np.complex64",
    "cfloat": "np.complex128",
    "longfloat": "np.longdouble",
}
"""What took the place of a name; ``np`` stands for the name under which numpy is known."""

PANDAS: Mapping[str, str] = {
    "np": "np",
    "datetime": "datetime.datetime",
    "TimeGrouper": "pd.Grouper",
    "Int64Index": "pd.Index",
    "UInt64Index": "pd.Index",
    "Float64Index": "pd.Index",
    "scatter_matrix": "pd.plotting.scatter_matrix",
    "json_normalize": "pd.json_normalize",
    "rolling_mean": "",
    "rolling_sum": "",
    "rolling_std": "",
    "rolling_max": "",
    "rolling_min": "",
    "rolling_median": "",
    "value_counts": "",
}
"""The same for pandas; "" for those that became methods."""


class RemovedName(Repair):
    """A name that numpy or pandas no longer has is taken from the module.

    A table from the release notes: ``np.float``, ``np.NaN``, ``np.product``, ``np.trapz``, ``pd.np``, ``pd.datetime``,
    ``pd.rolling_mean`` and others, each with what took its place.

    Example
    -------
    ::

        import numpy as np
        depths = [0.5, 1.5]
        %%reflect
        depth = np.asarray(depths, dtype=np.float)
        %%repaired
        depth = np.asarray(depths, dtype=float)
    """

    name = "removed-name"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The name that took its place, everywhere in the cell."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("AttributeError"):
            return
        member = node.func if isinstance(node, ast.Call) else node
        if not isinstance(member, ast.Attribute):
            return
        for module, table in (("numpy", NUMPY), ("pandas", PANDAS)):
            said = (f"module '{module}' has no attribute '{member.attr}'", f"`np.{member.attr}` was removed")
            if member.attr not in table or not isinstance(member.value, ast.Name):
                continue
            if not any(s in failure.evalue for s in (said if module == "numpy" else said[:1])):
                continue
            new = table[member.attr]
            edits = _edits(context, member, new) if new else _method(context, member)
            if edits:
                shown = f"{ast.unparse(member.value)}.{member.attr}"
                yield self.offer(
                    f"`{shown}` was removed from {module}", edits, f"{module} no longer has `{member.attr}`"
                )


def _edits(context: Context, member: ast.Attribute, new: str) -> list[Edit]:
    cell = context.cell
    edits: list[Edit] = []
    root = new.lstrip("-").partition(".")[0]
    if root in ("np", "pd", "datetime"):
        module = {"np": "numpy", "pd": "pandas"}.get(root, root)
        known, imports = syntax.import_edits(cell, context, module)
        edits += imports
        new = new.replace(root, known, 1)
    same = [
        n
        for n in syntax.nodes(cell)
        if isinstance(n, ast.Attribute) and ast.dump(n) == ast.dump(member) and cell.editable(cell.span(n))
    ]
    for node in same:
        above = syntax.parent(cell, node)
        bracket = new.startswith("-") and isinstance(above, (ast.BinOp, ast.Attribute, ast.Subscript))
        edits.append(syntax.replace(cell, node, f"({new})" if bracket else new))
    return edits


def _method(context: Context, member: ast.Attribute) -> list[Edit]:
    """``pd.rolling_mean(s, 3)`` becomes ``s.rolling(3).mean()``."""
    cell, call = context.cell, syntax.parent(context.cell, member)
    if not isinstance(call, ast.Call) or call.func is not member or not call.args:
        return []
    kind, _, statistic = member.attr.partition("_")
    own = syntax.receiver(cell, call.args[0])
    arguments: list[ast.expr | ast.keyword] = [*call.args[1:], *call.keywords]
    rest = ", ".join(syntax.text(cell, a) for a in arguments)
    if kind == "rolling":
        return [syntax.replace(cell, call, f"{own}.rolling({rest}).{statistic}()")]
    return [
        syntax.replace(
            cell, call, f"{ast.unparse(member.value)}.Series({syntax.text(cell, call.args[0])}).value_counts({rest})"
        )
    ]
