from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.differential.kernels import Pair, started


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """A plain kernel, and one whose cells have the magic."""
    folder = tmp_path_factory.mktemp("kernels")
    with started(folder, "plain") as plain, started(folder, "magic") as magic:
        yield Pair(plain, magic)
