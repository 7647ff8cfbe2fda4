"""What a confined child tells about its run, as JSON and back. Nothing it says is ever executed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from reflex_magic.core.card import Card, ColumnCard, ValueCard
from reflex_magic.core.cell import Span
from reflex_magic.core.outcome import Completed, Frame, Operand, Operation, Outcome, Output, Raised, TimedOut

Plain = dict[str, Any]


def pack(outcome: Outcome, cards: Sequence[Card], operations: Sequence[Operation], outputs: Sequence[Output]) -> Plain:
    """JSON-able data; of the outputs only the text."""
    shown = [{"kind": o.kind, "text": str(o.data.get("text/plain", ""))} for o in outputs if "text/plain" in o.data]
    return {
        "outcome": {"type": type(outcome).__name__, **_jsonable(dataclasses.asdict(outcome))},
        "cards": [_jsonable(dataclasses.asdict(c)) for c in cards],
        "operations": [_jsonable(dataclasses.asdict(o)) for o in operations],
        "outputs": shown,
    }


def unpack(data: Any) -> tuple[Outcome, tuple[Card, ...], tuple[Operation, ...], tuple[Output, ...]]:
    """What `pack` was given.

    Raises
    ------
    ValueError
        The data is not of that form.
    """
    try:
        return (
            _outcome(data["outcome"]),
            tuple(map(_card, data["cards"])),
            tuple(map(_operation, data["operations"])),
            tuple(Output(str(o["kind"]), {"text/plain": str(o["text"])}) for o in data["outputs"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"a confined run sent something that cannot be read: {error}") from None


def _jsonable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _jsonable(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_jsonable(v) for v in value]
    if value is None or type(value) in (bool, int, float, str):
        return value
    number = getattr(value, "item", None)  # a numpy scalar
    return _jsonable(number()) if callable(number) and getattr(value, "shape", None) == () else str(value)


def _span(data: Any) -> Span | None:
    return None if data is None else Span(*(int(data[f.name]) for f in dataclasses.fields(Span)))


def _operands(data: Any) -> tuple[Operand, ...]:
    return tuple(Operand(str(o["expression"]), str(o["text"])) for o in data)


def _outcome(data: Any) -> Outcome:
    match data["type"]:
        case "Completed":
            return Completed()
        case "TimedOut":
            return TimedOut(int(data["step"]), float(data["seconds"]))
        case "Raised":
            frames = tuple(
                Frame(str(f["function"]), int(f["line"]), str(f["source"]), bool(f["in_cell"]), str(f["file"]))
                for f in data["frames"]
            )
            return Raised(
                str(data["ename"]),
                str(data["evalue"]),
                None if data["step"] is None else int(data["step"]),
                _span(data["span"]),
                frames,
                _operands(data["operands"]),
                tuple(map(str, data["bases"])),
                dict(data["details"]),
            )
        case other:
            raise ValueError(f"a confined run cannot end as {other!r}")


def _value(data: Any) -> ValueCard:
    columns = tuple(ColumnCard(str(c["name"]), str(c["dtype"]), c["missing"]) for c in data["columns"])
    return ValueCard(data["name"], data["type"], data["rows"], columns, tuple(data["index"]), data["text"])


def _card(data: Any) -> Card:
    return Card(
        int(data["step"]),
        int(data["line"]),
        str(data["source"]),
        float(data["seconds"]),
        tuple(map(_value, data["before"])),
        tuple(map(_value, data["after"])),
        tuple(map(str, data["warnings"])),
        str(data["digest"]),
        bool(data["anomaly"]),
    )


def _operation(data: Any) -> Operation:
    span = _span(data["span"])
    if span is None:
        raise ValueError("an operation stands somewhere")
    return Operation(
        int(data["step"]),
        str(data["kind"]),
        span,
        str(data["expression"]),
        tuple(map(str, data["keywords"])),
        dict(data["facts"]),
        int(data["calls"]),
    )
