"""Warnings that are collected instead of shown."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

Warned = tuple[Any, ...]
"""The arguments with which the interpreter asked for a warning to be shown."""


@contextlib.contextmanager
def heard() -> Iterator[list[Warned]]:
    """Collect the warnings of the block instead of showing them.

    The filters stay untouched: any change to them makes Python show warnings anew that are shown
    once for each place.
    """
    found: list[Warned] = []
    before, warnings.showwarning = warnings.showwarning, lambda *args: found.append(args)
    try:
        yield found
    finally:
        warnings.showwarning = before
