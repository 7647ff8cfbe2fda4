"""Generated cells, plain and under the magic, in two real kernels."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from tests.differential.generated import cells
from tests.differential.kernels import Case, Pair

pytestmark = pytest.mark.slow


@settings(
    max_examples=150,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(source=cells())
def test_nobody_can_tell_the_difference(pair: Pair, source: str) -> None:
    found = pair.differences(Case(source, then=("_, __", "n")))
    assert not found, f"{source}\n\n" + "\n".join(found)
