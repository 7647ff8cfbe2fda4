"""Frequencies that go by other letters now."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax
from reflex_magic.repairs.rule import Repair

ALIASES: Mapping[str, str] = {
    "M": "ME", "Q": "QE", "A": "YE", "Y": "YE", "BM": "BME", "BQ": "BQE", "BA": "BYE", "BY": "BYE",
    "SM": "SME", "CBM": "CBME", "AS": "YS", "BAS": "BYS",
    "H": "h", "BH": "bh", "CBH": "cbh", "T": "min", "S": "s", "L": "ms", "U": "us", "N": "ns",
    "MIN": "min",
}  # fmt: skip
"""Old letters and the new ones, from the release notes of pandas 2.2 and 3."""

SAMPLE = 1000
_DAYS = re.compile(r"\b(days?|daily|weeks?|weekly|fortnight\w*|months?|monthly)\b", re.I)
_PATTERN = re.compile(r"(?P<lead>[+-]?[\d.]*)(?P<alias>[A-Za-z]+)(?P<anchor>-[A-Z]{3})?")


class FrequencyAlias(Repair):
    """A frequency is written in letters that pandas no longer knows, such as "M" or "H".

    Also with a count in front ("15T"), with an anchor ("Q-DEC") and in parts ("1H30T").

    A counted "M" ("5M") may be meant as minutes, and is offered either way unless the goal speaks of months. So is
    a part of a day where there is one row a day and the goal speaks of days or more.

    Silent where the letters were never a frequency.

    Example
    -------
    ::

        import pandas as pd
        inflow = pd.Series(range(60), index=pd.date_range("2024-01-01", periods=60, freq="D"))
        %%reflect
        monthly = inflow.resample("M").sum()
        %%repaired
        monthly = inflow.resample("ME").sum()
    """

    name = "frequency-alias"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The frequency in its new letters."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or not isinstance(node, ast.Call) or not failure.is_a("ValueError"):
            return
        if not re.search(r"[Ff]requency|no longer supported|invalid unit|unit abbreviation", failure.evalue):
            return
        cell = context.cell
        # a name holds the frequency, or it is written in the call
        inside = [n for a in [*node.args, *[k.value for k in node.keywords]] for n in _texts(context, a)]
        for old in inside:
            new = renewed(str(old.value))
            if new is None or not cell.editable(cell.span(old)):
                continue
            if str(old.value) not in failure.evalue and not any(p in failure.evalue for p in _parts(str(old.value))):
                continue
            choices = [(new, True)]
            # people write "5M" for five minutes as well as for five months
            minutes = re.fullmatch(r"(\d+)[Mm]", str(old.value))
            if new.endswith(("min", "s", "h")) and _DAYS.search(context.goal) and _whole_days(context, node):
                choices = [(new, False)]
            if minutes and not re.search(r"\bmonth", context.goal, re.I):
                choices = [(new, False), (f"{minutes[1]}min", False)]
            for new, sure in choices:
                yield self.offer(
                    f"the frequency {old.value!r} is written {new!r} now",
                    [syntax.replace(cell, old, syntax.quoted(cell, old, new))],
                    f"pandas knows {new!r} and no longer {old.value!r}",
                    sure=sure,
                )


def _whole_days(context: Context, call: ast.Call) -> bool:
    """Whether what is resampled has a row a day: hours and minutes of it cannot be meant."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "resample":
        return False
    times = context.values.sample(f"({ast.unparse(call.func.value)}).index", SAMPLE) or ()
    stamps = [t for t in times if isinstance(t, datetime)]
    return len(stamps) > 1 and all((t.hour, t.minute, t.second) == (0, 0, 0) for t in stamps)


def renewed(frequency: str) -> str | None:
    """A frequency in its new letters; None when it has none or needs none."""
    parts = list(_PATTERN.finditer(frequency))
    if not parts or "".join(p.group() for p in parts) != frequency:
        return None
    new = "".join(f"{p['lead']}{ALIASES.get(p['alias'], p['alias'])}{p['anchor'] or ''}" for p in parts)
    return new if new != frequency else None


def _parts(frequency: str) -> list[str]:
    return [f"{p['lead']}{p['alias']}" for p in _PATTERN.finditer(frequency)]


def _texts(context: Context, node: ast.expr) -> list[ast.Constant]:
    if isinstance(node, ast.Name):
        given = syntax.assigned(context.cell, node.id)
        return syntax.texts([given]) if given is not None else []
    return syntax.texts([node])
