"""`strptime` is given another format than the texts have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import dates, origins, syntax
from reflex_magic.repairs.rule import Repair

DISTINCT = 100_000


class StrptimeFormat(Repair):
    """`datetime.strptime` meets a text that its format does not read, or a number.

    All texts that come to the call are tried with the usual formats. One that reads them all is clear, and so is
    one of several that keeps the order of day, month and year that is written; otherwise they are offered. Numbers
    whose digits the format reads are made text.

    Silent when the texts are not all of one format.

    Example
    -------
    ::

        from datetime import datetime
        days = ["13.01.2024", "02.02.2024"]
        %%reflect
        parsed = [datetime.strptime(day, "%d/%m/%Y") for day in days]
        %%repaired
        parsed = [datetime.strptime(day, "%d.%m.%Y") for day in days]
    """

    name = "strptime-format"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The format that the texts have."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is None or not failure.is_a("ValueError", "TypeError") or not isinstance(node, ast.Call):
            return
        if syntax.dotted(node.func).rpartition(".")[2] != "strptime" or len(node.args) != 2:
            return
        source, form = node.args
        found = origins.origin(context, source)
        if found is None and syntax.repeated(cell, node):
            return
        values = context.values.sample(found.column if found else ast.unparse(source), DISTINCT)
        written = (context.values.sample(ast.unparse(form), 1) or ("",))[0]
        if not values or len(values) >= DISTINCT or not isinstance(written, str):
            return
        if all(isinstance(v, int) and not isinstance(v, bool) for v in values):
            if written in dates.concrete([str(v) for v in values]):
                edit = syntax.replace(cell, source, f"str({syntax.text(cell, source)})")
                yield self.offer(
                    "the dates are numbers", [edit], f"{written!r} reads all {len(values)} numbers as text"
                )
            return
        texts = [v for v in values if isinstance(v, str)]
        if len(texts) < len(values) or not isinstance(form, ast.Constant):
            return
        stripped = [t.strip() for t in texts]
        formats = dates.concrete(stripped)
        as_said = dates.ordered_as(written, formats)
        chosen = as_said if len(as_said) == 1 else formats
        for new in chosen[:2]:
            edits = [syntax.replace(cell, form, syntax.quoted(cell, form, new))] if new != written else []
            if stripped != texts:
                edits.append(syntax.insert_after(cell, source, ".strip()"))
            evidence = f"all {len(texts)} distinct texts are read by {new!r}"
            sure = len(chosen) == 1 and not dates.in_the_future(new, stripped)
            yield self.offer(f"the dates are written {new}", edits, evidence, sure=sure)
