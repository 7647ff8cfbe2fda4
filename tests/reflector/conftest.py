"""Every test meets a server of which nothing is known yet, also where a port is used again."""

from __future__ import annotations

import pytest

from reflex_magic.reflector.client import dialect


@pytest.fixture(autouse=True)
def _strangers() -> None:
    dialect.cache_clear()
