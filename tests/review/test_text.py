"""Reports as text: every status, every level, in colour and without."""

from __future__ import annotations

import io
import re

import pytest

from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Condition
from reflex_magic.core.report import Report
from reflex_magic.errors import NothingToDo
from reflex_magic.review import text
from tests.review.review_reports import (
    EVERY,
    FINDING,
    ORIGINAL,
    REPAIRED,
    choice,
    doubtful,
    passed,
    proposal,
    repaired,
    unresolved,
)
from tests.review.review_reports import report as pending

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


class Ascii(io.StringIO):
    """A stream that takes ASCII only."""

    encoding = "ascii"


@pytest.fixture(autouse=True)
def colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("detail", [0, 1, 2])
def test_every_status_has_a_text_of_its_length(name: str, detail: int) -> None:
    lines = text.render(EVERY[name](), detail).splitlines()
    assert len(lines) <= {0: 1, 1: 25, 2: 60}[detail]
    assert not any(line != line.rstrip() for line in lines)
    if detail:
        assert max(map(len, lines)) <= 90


def test_what_failed_what_is_proposed_and_what_to_type_are_said() -> None:
    said = text.render(pending())
    for part in (
        "waits for your decision",
        "line 5: `Revenue` is not a column of `df`",
        "Use the column `revenue` (rule near-miss-column)",
        "differs in case alone",
        '5 - by_region = df.groupby("region")["Revenue"].sum()',
        '5 + by_region = df.groupby("region")["revenue"].sum()',
        "holds: every step ran",
        "✓ `abs(share.sum() - 1) < 1e-09`",
        "0 tokens, 1 model call avoided",
        "%reflect accept",
        "%reflect reject",
    ):
        assert part in said, part


@pytest.mark.parametrize(
    ("name", "headline", "command"),
    [
        ("passed", "Passed; nothing to repair.", None),
        ("doubtful", "its result is doubtful. A change is offered.", "%reflect accept "),
        ("repaired", "Repaired and accepted.", "%reflect undo"),
        ("rejected", "Rejected; the cell is as it was.", None),
        ("undone", "Undone; the cell and its variables are as before the repair.", None),
        ("choice", "2 repairs are offered: choose one.", "%reflect accept 1"),
        ("unresolved", "1 proposal tried, none holds: the limit of rounds was reached.", "%reflect show"),
        ("interrupted", "Interrupted; nothing was changed.", None),
    ],
)
def test_each_status_says_how_it_ended_and_the_next_thing_to_do(name: str, headline: str, command: str | None) -> None:
    said = text.render(EVERY[name]())
    assert headline in said.splitlines()[0]
    assert (command in said) if command else ("%reflect" not in said)


def test_a_repair_by_policy_is_not_called_accepted() -> None:
    assert "Repaired by the stated policy." in text.render(repaired("policy"))


def test_an_exception_no_finding_explains_is_named() -> None:
    unexplained = pending(
        findings=[], outcome={"class": "error", "ename": "ValueError", "evalue": "bad date", "line": 6}
    )
    assert "line 6: ValueError: bad date" in text.render(unexplained)
    assert "KeyError" not in text.render(pending())


def test_everything_tells_the_evidence_the_attempts_and_the_steps() -> None:
    said = text.render(unresolved(), 2)
    assert "columns 2, rows 1200" in said
    assert "KeyError: 'revenue'" in said or "fails: KeyError" in said
    assert "by_region Series of 4" in said
    assert '+ by_region = df.groupby("region")["revenue"].sum()' in said


def test_one_line_is_one_line_whatever_the_texts() -> None:
    long = pending(proposals=[proposal(title="x\ny\r\n" * 500)])
    (line,) = text.render(long, 0).splitlines()
    assert len(line) <= 200
    assert "%reflect accept" in line


def test_a_short_text_stays_short_for_huge_reports() -> None:
    findings = [Finding(f"f{i}", Severity.MUST, None, "", "word " * 300) for i in range(50)]
    source = "\n".join(f"a{i} = {i}" for i in range(500))
    conditions = [Condition(f"x > {i}", "assert", True) for i in range(40)]
    huge = pending(
        original=source,
        findings=findings,
        conditions=conditions,
        proposals=[proposal(i, source.replace("a", f"b{i}"), title="t " * 200) for i in range(1, 9)],
        notes=["n " * 500] * 9,
    )
    lines = text.render(huge).splitlines()
    assert len(lines) <= 40
    assert any("+49 more" in line for line in lines)
    assert any("more lines: `%reflect show`" in line for line in lines)
    assert any("+37 more conditions" in line for line in lines)


def test_the_offer_to_show_is_chosen_by_number_or_id_and_a_wrong_one_is_refused() -> None:
    assert "revenue_net" in text.render(choice(), proposal="2").split("proposed")[1].split("\n")[0]
    assert text.render(choice(), proposal="2") == text.render(choice(), proposal="p2")
    with pytest.raises(NothingToDo, match="no proposal 7"):
        text.render(choice(), proposal="7")


def test_why_gives_the_account_of_a_model() -> None:
    said = text.why(choice(), "2")
    for part in ("The goal says revenue.", "the name is written otherwise", "A model wrote this code.", "holds: every"):
        assert part in said, part
    assert "nothing" in text.why(passed())


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (repaired, "Repaired and accepted: Use the column `revenue` (rule near-miss-column). `%reflect undo`"),
        (EVERY["rejected"], "Rejected; the cell is as it was: Use the column"),
        (EVERY["undone"], "Undone"),
    ],
)
def test_a_decision_is_one_line(made: type[Report], said: str) -> None:
    assert said in text.decided(made())
    assert "\n" not in text.decided(made())


def test_cost_is_added_up_by_call_site() -> None:
    assert text.cost([]) == ["no cell was reflected in this session"]
    total, site = text.cost([choice(), choice(), pending()])
    assert total == "3 cells: 1,680 tokens in 2 model calls, 1 model call avoided"
    assert site.split() == ["reflect", "1,400", "in", "280", "out", "2", "calls"]


def test_a_terminal_gets_colour_and_the_same_words() -> None:
    stream = Terminal()
    text.write(pending(), stream)
    assert COLOUR.search(stream.getvalue())
    stripped = "\n".join(line.rstrip() for line in COLOUR.sub("", stream.getvalue()).splitlines())
    assert stripped.strip("\n") == text.render(pending())


@pytest.mark.parametrize("how", ["pipe", "NO_COLOR", "dumb"])
def test_colour_is_left_out_where_it_is_not_wanted(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO() if how == "pipe" else Terminal()
    if how == "NO_COLOR":
        monkeypatch.setenv("NO_COLOR", "1")
    if how == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    text.write(pending(), stream)
    assert stream.getvalue() == text.render(pending()) + "\n"


def test_a_stream_that_takes_ascii_only_gets_ascii() -> None:
    stream = Ascii()
    text.write(doubtful(), stream)
    stream.getvalue().encode("ascii")
    assert stream.getvalue().startswith("* reflect")


def test_rich_does_not_read_markup_out_of_texts() -> None:
    stream = Terminal()
    text.write(pending(proposals=[proposal(title="[red]not markup[/red] [link=x]y[/link]")]), stream)
    assert "[red]not markup[/red] [link=x]y[/link]" in COLOUR.sub("", stream.getvalue())


@pytest.mark.parametrize("detail", [0, 1, 2])
def test_nothing_hostile_reaches_a_terminal(detail: int) -> None:
    attack = "\x1b]52;c;aGk=\x07\x1b[2J\u202e\x9b31m"
    finding = Finding(attack, Severity.MUST, FINDING.span, attack, attack, attack, {attack: attack})
    origin = f"model:{attack}"
    hostile = pending(
        findings=[finding],
        original=ORIGINAL + f"\n'{attack}'",
        proposals=[proposal(source=REPAIRED + f"\n'{attack}1'", title=attack, evidence=attack, origin=origin)],
        notes=[attack],
        goal=attack,
        files=[attack],
        stop=attack,
    )
    said = text.render(hostile, detail) + text.why(hostile)
    assert not {"\x1b", "\u202e", "\x9b", "\x07"} & set(said)
