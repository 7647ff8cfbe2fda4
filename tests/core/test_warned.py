"""Warnings that are collected instead of shown."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from reflex_magic.core.warned import Warned, unheard


def helper() -> None:
    warnings.warn("soft", UserWarning, stacklevel=1)


def work() -> str:
    helper()
    return "done"


def interrupted_at(number: int, run: Callable[[], Any]) -> KeyboardInterrupt | None:
    """Run it with an interrupt at the nth call within it, where Python looks for signals; none if there are fewer."""
    seen = 0

    def trace(frame: FrameType, event: str, arg: object) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            raise KeyboardInterrupt

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    except KeyboardInterrupt as error:
        return error
    finally:
        sys.settrace(before)
    return None


def test_they_are_collected_and_not_shown() -> None:
    found: list[Warned] = []
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        assert unheard(work, found) == "done"
        assert not shown
        helper()
    assert [str(args[0]) for args in found] == [str(w.message) for w in shown] == ["soft"]


def test_an_error_passes_and_they_are_shown_again() -> None:
    before = warnings.showwarning
    with pytest.raises(ZeroDivisionError):
        unheard(lambda: 1 / 0)
    assert warnings.showwarning is before


@pytest.mark.filterwarnings("always")
def test_an_interrupt_at_any_call_leaves_them_as_they_were() -> None:
    """One that strikes on the way in or out too, with its traceback still held."""
    before, held = warnings.showwarning, list[KeyboardInterrupt]()
    while error := interrupted_at(len(held) + 1, lambda: unheard(work)):
        held.append(error)  # as the shell holds it for `%tb`, and with it all frames
        assert warnings.showwarning is before
    assert len(held) >= 3, "the function, the work, and what it calls"
