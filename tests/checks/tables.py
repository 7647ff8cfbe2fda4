"""Tables of cells as text: what one is called stands behind ``%%`` on the line above it."""

from __future__ import annotations

import re


def cells(text: str) -> list[tuple[str, str]]:
    """The cells of a table, each with its name."""
    parts = re.split(r"^%% (.+)\n", text.strip() + "\n", flags=re.MULTILINE)[1:]
    return [(name, body.rstrip("\n")) for name, body in zip(parts[::2], parts[1::2], strict=True)]
