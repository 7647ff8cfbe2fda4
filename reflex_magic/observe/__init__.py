"""What a step did to data: cards of the values it touched, and probes at the call sites of the cell.

Live values stop here. pandas is never imported by this room: where it is not loaded, no value is of it.
"""

from __future__ import annotations

from reflex_magic.observe.cards import brief, describe
from reflex_magic.observe.observer import CellObserver

__all__ = ["CellObserver", "brief", "describe"]
