"""Work without the garbage collector."""

from __future__ import annotations

import gc
import sys
from types import FrameType

import pytest

from reflex_magic.core.uncollected import uncollected


def test_it_is_off_within_and_as_before_afterwards() -> None:
    assert gc.isenabled()
    assert uncollected(gc.isenabled) is False
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError):
        uncollected(lambda: 1 / 0)
    assert gc.isenabled()


def test_where_it_was_off_it_stays_off() -> None:
    gc.disable()
    try:
        uncollected(int)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_an_interrupt_at_any_call_leaves_it_on() -> None:
    """Python looks for signals when a function begins, and when one of C has returned."""

    def at(number: int) -> bool:
        seen = 0

        def profile(frame: FrameType, event: str, arg: object) -> None:
            nonlocal seen
            inside = frame.f_code is uncollected.__code__ or event == "call"
            seen += inside and event in ("call", "c_return")
            if inside and seen == number:
                raise KeyboardInterrupt

        sys.setprofile(profile)
        try:
            uncollected(lambda: None)
        except KeyboardInterrupt:
            return True
        finally:
            sys.setprofile(None)
        return False

    moments = 0
    while at(moments + 1):
        moments += 1
        assert gc.isenabled(), moments
    assert moments >= 4, "its beginning, two calls of C, the work"
