"""What a step did to data: cards of the values it touched, and probes at the call sites of the cell.

Live values stop here: what leaves this room is plain data.
"""

from __future__ import annotations

from reflex_magic.observe.cards import brief, describe
from reflex_magic.observe.forecast import forecast
from reflex_magic.observe.observer import CellObserver
from reflex_magic.observe.other_frames import foreign
from reflex_magic.observe.values import LiveValues

__all__ = ["CellObserver", "LiveValues", "brief", "describe", "forecast", "foreign"]
