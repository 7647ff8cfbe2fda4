"""The static record: harmless, bounded, readable without style sheets."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Condition
from reflex_magic.review import html
from tests.review.review_reports import CARD, EVERY, FINDING, REPAIRED, choice, proposal, unresolved
from tests.review.review_reports import report as pending

ALLOWED = {"div", "span", "strong", "code", "pre", "table", "tbody", "tr", "td", "details", "summary"}
ATTRIBUTES = {"style", "class", "dir", "title"}


class Page(HTMLParser):
    """Elements, attributes and text of a rendering; fails when tags do not nest."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(source)
        self.close()
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("name", EVERY)
def test_every_status_is_well_formed_with_inline_looks_only(name: str) -> None:
    page = Page(html.render(EVERY[name]()))
    assert set(page.tags) <= ALLOWED
    assert {a for a, _ in page.attributes} <= ATTRIBUTES
    assert not any("var(" in (v or "") or "url(" in (v or "") for _, v in page.attributes)


def test_it_says_what_the_text_says() -> None:
    said = Page(html.render(pending())).text
    for part in (
        "A repair holds and waits for your decision.",
        "Revenue is not a column of df.",
        "Use the column revenue · rule near-miss-column",
        "differs in case alone",
        'by_region = df.groupby("region")["revenue"].sum()',
        "holds: every step ran",
        "✓ abs(share.sum() - 1) < 1e-09",
        "0 tokens, 1 model call avoided",
        "%reflect accept take it",
        "columns 2, rows 1200",
        "by_region Series of 4",
    ):
        assert part in said, part


def test_added_and_removed_lines_are_told_without_colour() -> None:
    page = Page(html.render(pending()))
    assert ("title", "added") in page.attributes
    assert ("title", "removed") in page.attributes
    assert re.search(r"5−by_region.*5\+by_region", page.text)


def test_alternatives_and_failed_attempts_fold_away() -> None:
    page = Page(html.render(choice()))
    assert "details" in page.tags
    assert "revenue_net" in page.text
    assert "KeyError: 'revenue'" in Page(html.render(unresolved())).text


ATTACK = "</pre></td><script>x()</script><img src=x onerror=x()>\"'`a`\u202e\x1b[31m"


def test_no_text_becomes_an_element_or_an_attribute() -> None:
    finding = Finding(ATTACK, Severity.MUST, FINDING.span, ATTACK, ATTACK, ATTACK, {ATTACK: ATTACK})
    hostile = pending(
        findings=[finding],
        original=ATTACK,
        proposals=[
            proposal(1, REPAIRED + ATTACK, title=ATTACK, evidence=ATTACK, origin=f"rule:{ATTACK}", reasons=(ATTACK,)),
            proposal(2, ATTACK * 2, title=ATTACK, reasons=(ATTACK,)),
        ],
        conditions=[Condition(ATTACK, "assert", False, ATTACK)],
        notes=[ATTACK],
        files=[ATTACK],
        goal=ATTACK,
        stop=ATTACK,
    )
    source = html.render(hostile)
    page = Page(source)
    assert set(page.tags) <= ALLOWED
    assert {a for a, _ in page.attributes} <= ATTRIBUTES
    assert not {"\x1b", "\u202e"} & set(source)


@pytest.mark.parametrize("text", ["costs $5 and $x^2$ more", r"\(x^2\) and \begin{equation}"])
def test_dollars_and_backslashes_stand_in_code_so_that_no_formula_is_made(text: str) -> None:
    source = html.render(pending(proposals=[proposal(title=text)]))
    outside = re.sub(r"<(code|pre)[ >].*?</\1>", "", source, flags=re.DOTALL)
    assert "$" not in outside
    assert "\\" not in outside
    assert text in Page(source).text


@pytest.mark.slow
def test_a_huge_report_is_cut_and_says_so() -> None:
    source = "\n".join(f"value_{i} = {i} + {'x' * 50}" for i in range(5000))
    huge = pending(
        original=source,
        findings=[
            Finding(f"f{i}", Severity.MUST, None, "", "<" * 5000, "&" * 5000, {"k": "'" * 900}) for i in range(500)
        ],
        proposals=[proposal(i, source.replace("value", f"v{i}"), title='"' * 500) for i in range(1, 4)],
        conditions=[Condition("&" * 300, "assert", True)] * 500,
        cards=[CARD] * 3,
        notes=["&" * 3000] * 500,
    )
    rendered = html.render(huge)
    assert len(rendered) <= html.MAX_CHARACTERS
    page = Page(rendered)
    assert "the record holds the whole difference" in page.text
    assert "more below" in page.text


def test_a_very_long_line_is_cut_and_says_so() -> None:
    page = Page(html.render(pending(original="x = 1", proposals=[proposal(source="x = '" + "a" * 100_000 + "'")])))
    assert "more characters" in page.text
    assert len(page.text) < 5000
