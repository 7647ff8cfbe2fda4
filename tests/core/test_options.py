"""The options of a magic line."""

from __future__ import annotations

import pytest

from reflex_magic.errors import OptionError
from reflex_magic.options import Settings, parse


def test_options_override_the_configured_ones() -> None:
    settings = parse(
        "--accept --goal 'total per region' --expect 'a == 1' --expect=b --rounds 5 -q", Settings(budget=7)
    )
    assert settings == Settings(
        goal="total per region", policy="accept", expect=("a == 1", "b"), rounds=5, budget=7, detail=0
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--gaol x", r"Did you mean `--goal`\?"),
        ("--acept", r"Did you mean `--accept`\?"),
        ("--rounds none", "not a number"),
        ("--rounds 0", "at least 1"),
        ("--timeout nan", "not a number"),
        ("--expect 'a ='", "Python expression"),
        ("--rounds", "needs a value"),
        ("--ask --accept", "exclude"),
        ("--values all", "none of none, shapes, sample"),
        ("--goal total per region", "quote"),
        ("--goal 'open", "quote is not closed"),
        ("--zzzz", "There are"),
    ],
)
def test_a_mistake_is_one_line(line: str, said: str) -> None:
    with pytest.raises(OptionError, match=said) as caught:
        parse(line, Settings())
    assert "\n" not in str(caught.value)
