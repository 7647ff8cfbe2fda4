"""What a confined run is asked for and what it answers. Importable on every system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Work = Callable[[], Mapping[str, object]]
"""Gives ``{"values": {name: object}, "plain": JSON-able}``."""


@dataclass(frozen=True, slots=True)
class Confined:
    """What came of a confined run.

    `values` are copies that belong to the caller; `opaque` names what is not data, and why.
    `plain` is what the work gave as JSON, None when it did not finish. `denied` are acts that
    were refused, in words. `killed` says why there is no result: ``time``, ``memory``,
    ``threads``, ``scratch`` (too much written), ``output`` (too much printed), ``result`` (too
    large, or not readable), ``raised NAME``, ``crash``; empty when there is one. `files` says
    what would have happened to the working folder. `seconds` is wall time.
    """

    values: dict[str, object] = field(default_factory=dict)
    opaque: dict[str, str] = field(default_factory=dict)
    plain: object = None
    denied: tuple[str, ...] = ()
    killed: str = ""
    files: tuple[str, ...] = ()
    seconds: float = 0.0


class NotConfined(Exception):
    """The child could not put its barriers up, and did nothing."""
