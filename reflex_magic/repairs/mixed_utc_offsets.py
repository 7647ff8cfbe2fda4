"""Times with different UTC offsets in one column."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.cell import Cell
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 100_000
_OFFSET = re.compile(r"(?:Z|[+-]\d\d:?\d\d)$")


class MixedUtcOffsets(Repair):
    """`pd.to_datetime` meets times whose UTC offset changes, as local times do over a year.

    ``utc=True`` reads them. That is clear where the cell converts the result to a time zone at once.
    Anywhere else days and hours would become those of UTC, so it is offered.

    Silent where a time has no offset.

    Example
    -------
    ::

        import pandas as pd
        trips = pd.DataFrame({"start": ["2024-03-30T23:30:00+01:00", "2024-03-31T23:30:00+02:00"]})
        %%reflect
        day = pd.to_datetime(trips["start"]).dt.tz_convert("Europe/Rome").dt.date
        %%repaired
        day = pd.to_datetime(trips["start"], utc=True).dt.tz_convert("Europe/Rome").dt.date
    """

    name = "mixed-utc-offsets"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The same call with ``utc=True``."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not failure.is_a("ValueError") or "Mixed timezones" not in failure.evalue:
            return
        if not isinstance(node, ast.Call) or syntax.function_of(context.cell, node, "pandas") != "to_datetime":
            return
        # utc=False is the analyst's own decision
        if not node.args or syntax.keyword(node, "utc"):
            return
        texts = context.values.sample(ast.unparse(node.args[0]), DISTINCT)
        if not texts or len(texts) >= DISTINCT:
            return
        offsets = {found.group() if (found := _OFFSET.search(str(t).strip())) else "" for t in texts}
        # without an offset a time would be taken for UTC, whatever was meant
        if "" in offsets:
            return
        converted = _converted(context.cell, node)
        evidence = f"the {len(texts)} distinct times carry {len(offsets)} UTC offsets: {', '.join(sorted(offsets)[:4])}"
        yield self.offer(
            "read the times with their UTC offsets: utc=True",
            [syntax.add_keyword(context.cell, node, "utc", "True")],
            evidence if converted else f"{evidence}; days and hours of the result are those of UTC",
            sure=converted,
        )


def _converted(cell: Cell, call: ast.Call) -> bool:
    """Whether the result is converted to a named zone before anything else is done with it."""
    if _to_zone(cell, call):
        return True
    assigned = syntax.parent(cell, call)
    if not isinstance(assigned, ast.Assign) or len(assigned.targets) != 1 or assigned not in cell.tree.body:
        return False
    name = ast.unparse(assigned.targets[0])
    following = cell.tree.body[cell.tree.body.index(assigned) + 1 :][:1]
    reads = [
        n
        for statement in following
        for n in ast.walk(statement)
        if isinstance(n, ast.expr) and isinstance(getattr(n, "ctx", None), ast.Load) and ast.unparse(n) == name
    ]
    # the unconverted times must not live on under the name
    again = [s for s in following if isinstance(s, ast.Assign) and [ast.unparse(t) for t in s.targets] == [name]]
    return bool(again) and len(reads) == 1 and _to_zone(cell, reads[0])


def _to_zone(cell: Cell, node: ast.expr) -> bool:
    member = syntax.parent(cell, node)
    if isinstance(member, ast.Attribute) and member.attr == "dt":
        member = syntax.parent(cell, member)
    call = syntax.parent(cell, member) if isinstance(member, ast.Attribute) and member.attr == "tz_convert" else None
    if not isinstance(call, ast.Call):
        return False
    zone = call.args[0] if call.args else next((k.value for k in call.keywords), None)
    return zone is not None and syntax.constant(zone) is not None
