"""Checks that the analyst has silenced."""

from __future__ import annotations

import pytest

from reflex_magic.checks import check_all
from tests.observe.stepper import run_body

FRAMES = "a = pd.DataFrame({'k': [1, 1, 2], 'v': [1, 2, 3]})\nb = pd.DataFrame({'k': [1, 1, 2], 'w': [1, 2, 3]})\n"
CODE = "join-multiplies-rows"


def codes(body: str, ignore: tuple[str, ...] = (), notes: bool = False) -> list[str]:
    found = check_all(run_body(body, FRAMES), ignore=ignore)
    return [f.message if notes else f.code for f in found if notes or f.severity != "note"]


def test_without_a_mark_it_is_found():
    assert codes("out = a.merge(b, on='k')") == [CODE]


@pytest.mark.parametrize(
    "body",
    [
        f"out = a.merge(b, on='k')  # reflect: ignore[{CODE}]",
        f"out = a.merge(  # reflect: ignore[{CODE}]\n    b, on='k')",
        f"out = a.merge(\n    b, on='k',\n)  # reflect: ignore[{CODE}]",
        f"out = a.merge(b, on='k')  #reflect:ignore[group-keys-dropped, {CODE}]",
        f"for i in range(2):\n    out = a.merge(b, on='k')  # all pairs # reflect: ignore[{CODE}]",
    ],
)
def test_a_mark_on_its_statement_silences_it(body):
    assert codes(body) == []


@pytest.mark.parametrize(
    "body",
    [
        f"x = 1  # reflect: ignore[{CODE}]\nout = a.merge(b, on='k')",
        "out = a.merge(b, on='k')  # reflect: ignore[group-keys-dropped]",
        "out = a.merge(b, on='k')  # reflect: ignore",
        f"out = a.merge(b, on='k'); note = '# reflect: ignore[{CODE}]'",
        f"for i in range(2):  # reflect: ignore[{CODE}]\n    out = a.merge(b, on='k')",
    ],
)
def test_a_mark_elsewhere_or_for_another_check_does_not(body):
    assert codes(body) == [CODE]


def test_a_check_can_be_silenced_everywhere():
    assert codes("out = a.merge(b, on='k')", (CODE,)) == []


def test_what_failed_cannot_be_silenced():
    body = "assert len(a) == 4  # reflect: ignore[assertion-failed]"
    assert codes(body, ("assertion-failed",)) == ["assertion-failed"]


def test_a_code_that_is_none_is_noted():
    (message,) = codes("x = 1  # reflect: ignore[join-multiplys-rows]", notes=True)
    assert "`join-multiplys-rows`" in message
