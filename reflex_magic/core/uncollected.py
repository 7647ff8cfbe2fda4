"""Work without the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def uncollected(work: Callable[[], T]) -> T:
    """Do the work, which makes many objects and no cycles, with the collector paused.

    A syntax tree is thousands of objects, and collections that it sets off go through all of the
    analyst's own. No context manager, for the reason given in `core.warned`.
    """
    was = gc.isenabled()
    try:
        gc.disable()
        return work()
    finally:
        if was:
            gc.enable()
