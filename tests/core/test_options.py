"""The options of a magic line."""

from __future__ import annotations

import pytest

from reflex_magic.errors import OptionError
from reflex_magic.options import OPTIONS, Settings, from_keywords, nearest, parse


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
        ("--rounds none", "--rounds takes a number of at least 1"),
        ("--rounds 0", "at least 1"),
        ("--timeout nan", "--timeout takes a number"),
        ("--expect 'a ='", "Python expression"),
        ("--rounds", "needs a value"),
        ("--ask --accept", "exclude"),
        ("--values all", "--values takes none, shapes or sample, not 'all'"),
        ("--goal total per region", "quote"),
        ("--goal 'open", "quote is not closed"),
        ("--zzzz", "There are"),
    ],
)
def test_a_mistake_is_one_line(line: str, said: str) -> None:
    with pytest.raises(OptionError, match=said) as caught:
        parse(line, Settings())
    assert "\n" not in str(caught.value)


def test_keywords_are_checked_as_options_are() -> None:
    assert from_keywords(rounds=5, expect=["a == 1"], timeout=None) == Settings(rounds=5, expect=("a == 1",))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rounds": "x"}, "--rounds takes a number"),
        ({"values": "bogus"}, "--values takes"),
        ({"expect": "total == 3"}, "sequence of texts"),
        ({"expect": ["a ="]}, "Python expression"),
        ({"expect": [3]}, "Python expression"),
        ({"gaol": "x"}, "Did you mean `goal`"),
    ],
)
def test_a_wrong_keyword_is_one_line(given: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        from_keywords(**given)


def test_the_manual_of_the_magic_lists_every_option() -> None:
    from reflex_magic.magic import ReflectMagics

    assert [o for o in OPTIONS if o not in (ReflectMagics.reflect.__doc__ or "")] == []


def test_a_long_list_of_names_is_cut() -> None:
    assert nearest("zzzz", [f"name{i:03}" for i in range(99)]).endswith("and 79 more.")
