"""Seconds, milliseconds and nanoseconds since 1970."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import origins, syntax
from reflex_magic.repairs.rule import Repair

SAMPLE = 10_000
_PER_SECOND: Mapping[str, int] = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_FROM, _TO = 315_532_800, 4_102_444_800
"""1980 and 2100, in seconds."""


_SERIAL = (30_000, 60_000)
"""1982 to 2064, in days since 30 December 1899."""


class EpochUnit(Repair):
    """`pd.to_datetime` reads numbers in a unit that puts them outside 1980 to 2100.

    Writes the one unit under which all values lie there. Also the other way round: ``astype("int64")``
    of dates whose resolution is not nanoseconds, where the cell divides as if it were. Text of digits is made numbers
    first, and may count days as Excel does.

    Looked for when the cell fails. Silent when the unit that is written is possible, and when the digits read as
    a date (2024030112).

    Example
    -------
    ::

        import pandas as pd
        sessions = pd.DataFrame({"ts": [1717200000000, 1717286400000]})
        %%reflect
        at = pd.to_datetime(sessions["ts"], unit="s")
        assert at.dt.year.between(2000, 2100).all()
        %%repaired
        at = pd.to_datetime(sessions["ts"], unit="ms")
        assert at.dt.year.between(2000, 2100).all()
    """

    name = "epoch-unit"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The unit that the numbers have."""
        failure = context.failure
        if failure is None or not failure.is_a("AssertionError", "OutOfBoundsDatetime", "ValueError"):
            return
        for node in syntax.nodes(context.cell):
            if isinstance(node, ast.Call) and context.cell.editable(context.cell.span(node)):
                yield from self._reads(context, node)
                if failure.is_a("AssertionError"):
                    yield from self._counts(context, node)

    def _reads(self, context: Context, call: ast.Call) -> Iterator[Proposal]:
        if syntax.dotted(call.func).rpartition(".")[2] in ("fromtimestamp", "utcfromtimestamp") and call.args:
            yield from self._divided(context, call)
            return
        if syntax.function_of(context.cell, call, "pandas") not in ("to_datetime", "Timestamp") or not call.args:
            return
        given = syntax.keyword(call, "unit")
        written = syntax.constant(given.value) if given else "ns"
        values = self._before(context, call, str(written))
        if not values or written not in _PER_SECOND or syntax.keyword(call, "origin"):
            return
        if all(isinstance(v, str) for v in values) and written == "ns":
            yield from self._texts(context, call, [str(v).strip() for v in values])
            return
        numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
        if len(numbers) < len(values) or _possible(numbers, str(written)):
            return
        units = [u for u in _PER_SECOND if _possible(numbers, u)]
        # 2024030112 is noon on 1 March as people write it, and a second in 2034
        if len(units) == 1 and not all(_calendar(n) for n in numbers):
            edits = [syntax.add_keyword(context.cell, call, "unit", syntax.literal(units[0]))]
            evidence = (
                f"all {len(numbers)} distinct values lie between 1980 and 2100 in {units[0]}, and not in {written}"
            )
            yield self.offer(f"the numbers are in {units[0]}", edits, evidence)

    def _before(self, context: Context, call: ast.Call, written: str) -> tuple[object, ...] | None:
        """The numbers that a call was given; where its result has taken their place, counted back from there."""
        source = ast.unparse(call.args[0])
        assigned = syntax.parent(context.cell, call)
        card = context.values.card(source)
        if not isinstance(assigned, ast.Assign) or [ast.unparse(t) for t in assigned.targets] != [source]:
            return context.values.sample(source, SAMPLE)
        made = re.fullmatch(r"datetime64\[(\w+)\]", card.columns[0].dtype) if card and card.is_series else None
        if made is None or written not in _PER_SECOND or made[1] not in _PER_SECOND:
            return context.values.sample(source, SAMPLE)
        counted = context.values.sample(f"({source}).astype('int64')", SAMPLE)
        per = _PER_SECOND[written] / _PER_SECOND[made[1]]
        return tuple(n * per for n in counted if isinstance(n, int)) if counted else None

    def _texts(self, context: Context, call: ast.Call, texts: list[str]) -> Iterator[Proposal]:
        """Text of digits: since 1970 in a unit that they prove, or days as Excel counts them."""
        if not all(re.fullmatch(r"\d{5}(\.\d+)?|\d{9,20}", t) for t in texts) or syntax.keyword(call, "format"):
            return
        cell, source = context.cell, call.args[0]
        if not isinstance(source, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
            return
        numbers = [float(t) for t in texts]
        if all(_SERIAL[0] <= n <= _SERIAL[1] for n in numbers):
            # 24031 is the 31st day of 2024 where days are counted within the year
            julian = all(1 <= int(t[2:5]) <= 366 for t in texts)
            edits = [
                syntax.insert_after(cell, source, ".astype(float)"),
                syntax.add_keyword(cell, call, "unit", '"D", origin="1899-12-30"'),
            ]
            evidence = f"all {len(texts)} distinct texts are days as Excel counts them, between 1982 and 2064"
            yield self.offer("the dates are Excel's serial numbers", edits, evidence, sure=not julian)
            return
        units = [u for u in _PER_SECOND if _possible(numbers, u)]
        # 2402011230 is half past twelve on 1 February 2024 as some people write it
        if len(units) == 1 and not all(_calendar(n) or _short_calendar(t) for n, t in zip(numbers, texts, strict=True)):
            edits = [
                syntax.insert_after(cell, source, '.astype("int64")'),
                syntax.add_keyword(cell, call, "unit", syntax.literal(units[0])),
            ]
            evidence = f"all {len(texts)} distinct texts are numbers that lie between 1980 and 2100 in {units[0]}"
            yield self.offer(f"the texts are numbers in {units[0]}", edits, evidence)

    def _divided(self, context: Context, call: ast.Call) -> Iterator[Proposal]:
        """``datetime.fromtimestamp`` reads seconds."""
        source = call.args[0]
        found = origins.origin(context, source)
        if found is None and syntax.repeated(context.cell, call):
            return
        values = context.values.sample(found.column if found else ast.unparse(source), SAMPLE)
        numbers = [v for v in values or () if isinstance(v, (int, float)) and not isinstance(v, bool)]
        if not numbers or len(numbers) < len(values or ()) or _possible(numbers, "s"):
            return
        units = [u for u in _PER_SECOND if _possible(numbers, u)]
        if len(units) == 1 and not all(map(_calendar, numbers)):
            edit = syntax.replace(
                context.cell, source, f"{syntax.receiver(context.cell, source)} / {_PER_SECOND[units[0]]:_}"
            )
            evidence = f"all {len(numbers)} distinct values lie between 1980 and 2100 in {units[0]}, and not in seconds"
            yield self.offer(f"the numbers are in {units[0]}", [edit], evidence)

    def _counts(self, context: Context, call: ast.Call) -> Iterator[Proposal]:
        """``dates.astype("int64") // 10**9``, where the dates count microseconds or seconds."""
        above = syntax.parent(context.cell, call)
        match call:
            case ast.Call(func=ast.Attribute(value=column, attr="astype") as member, args=[kind]):
                pass
            case _:
                return
        if (syntax.constant(kind) or syntax.dotted(kind)) not in ("int64", "int", "np.int64"):
            return
        if (
            not isinstance(above, ast.BinOp)
            or not isinstance(above.op, (ast.FloorDiv, ast.Div))
            or above.left is not call
        ):
            return
        if (context.values.sample(ast.unparse(above.right), 1) or _power(above.right)) not in ((10**9,), (1e9,)):
            return
        card = context.values.card(ast.unparse(column))
        if card is None or not card.is_series or not card.columns[0].dtype.startswith("datetime64["):
            return
        if card.columns[0].dtype.startswith("datetime64[ns"):
            return
        edits = [syntax.insert_before_member(context.cell, member, 'dt.as_unit("ns").')]
        yield self.offer(
            "count the nanoseconds",
            edits,
            f"`{ast.unparse(column)}` is {card.columns[0].dtype}, and is divided as nanoseconds",
        )


def _power(node: ast.expr) -> tuple[float, ...]:
    match node:
        case ast.BinOp(left=ast.Constant(value=10), op=ast.Pow(), right=ast.Constant(value=int(power))):
            return (10**power,)
    return ()


def _calendar(number: float) -> bool:
    """Whether the digits of a number read as a date: year, month, day and what follows."""
    return re.match(r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])", f"{number:.0f}") is not None


def _short_calendar(text: str) -> bool:
    """Whether ten digits read as a date with a year of two digits, and hours and minutes."""
    return re.fullmatch(r"\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d", text) is not None


def _possible(numbers: list[int | float], unit: str) -> bool:
    per = _PER_SECOND[unit]
    return all(_FROM <= n / per <= _TO for n in numbers)
