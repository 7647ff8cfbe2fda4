"""Warnings that are collected instead of shown."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

Warned = tuple[Any, ...]
"""The arguments with which the interpreter asked for a warning to be shown."""


def unheard(work: Callable[[], T], found: list[Warned] | None = None) -> T:
    """Do the work; its warnings go to `found` instead of being shown.

    The filters stay untouched: any change to them makes Python show warnings anew that are shown
    once for each place. This is no context manager, as an interrupt on the way out of one, before
    its first line, would leave warnings unheard for good.
    """
    heard: list[Warned] = [] if found is None else found
    before, warnings.showwarning = warnings.showwarning, lambda *args: heard.append(args)
    try:
        return work()
    finally:
        warnings.showwarning = before
