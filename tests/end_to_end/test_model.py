"""A model, played by a server at the wire: two rounds, a bounded prompt, and a lesson that makes it needless."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import reflex_magic
from tests.end_to_end.conftest import Notebook
from tests.model_server import Entry, ScriptedModel, Status, answer

# No rule knows lengths in feet and inches.
HEIGHTS = "people = pd.DataFrame({'name': ['a', 'b'], 'height': ['5 ft 3 in', '6 ft 0 in']})"
CELL = "people['inches'] = people['height'].astype(float)\nmean = people['inches'].mean()"
RIGHT = "people['inches'] = people['height'].str.extract(r'(\\d+) ft (\\d+) in').astype(int).mul([12, 1]).sum(axis=1)"
WRONG = "people['inches'] = people['height'].str.replace(' ft ', '.').astype(float)"
CAUSE = "The lengths are written in feet and inches, which is not one number."


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[[Sequence[Entry]], ScriptedModel]:
    """Starts a scripted model and configures it by the usual variables."""

    def configure(script: Sequence[Entry]) -> ScriptedModel:
        model = ScriptedModel(script)
        monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "test")
        monkeypatch.setenv("REFLEX_MODEL", "scripted")
        return model

    return configure


def good(statement: int = 0) -> dict[str, object]:
    return answer([("replace", statement, RIGHT)], cause=CAUSE)


def bad(statement: int = 0) -> dict[str, object]:
    return answer([("replace", statement, WRONG)], cause="The unit is written between the numbers.")


def test_the_second_round_knows_what_was_tried(notebook: Notebook, ask: Callable[..., ScriptedModel]) -> None:
    notebook.run(HEIGHTS)
    with ask([bad(), good()]) as model:
        report = notebook.reflect(CELL, "--ask --goal 'mean height in inches'")
        assert report.status == "pending", report.notes
        assert (report.rounds, report.tokens.to_dict()["calls"]) == (2, 2)
        first, second = (r.text for r in model.requests)
    assert "' ft ', '.'" in second
    assert "' ft ', '.'" not in first
    for text in (first, second):
        assert "5 ft 3 in" not in text, "shapes are sent, never values"
        assert len(text) / 3 < 1500
    assert [p.verdict for p in report.proposals] == ["holds", "fails"]
    assert report.offered[0].origin == "model:scripted"
    assert report.level in ("S3", "S2")
    assert "inches" not in notebook["people"].columns, "the trial left nothing behind"

    notebook.run("%reflect accept")
    assert notebook["mean"] == 67.5
    assert list(notebook["people"]["inches"]) == [63, 72]
    assert reflex_magic.last_report().lessons["learned"]


def test_what_was_learned_once_needs_no_model_the_next_time(
    new_notebook: Callable[[], Notebook], ask: Callable[..., ScriptedModel], here: Path
) -> None:
    first = new_notebook()
    first.run(HEIGHTS)
    with ask([good()]) as model:
        first.reflect(CELL, "--ask")
        first.run("%reflect accept")
        learned = reflex_magic.last_report().lessons["learned"]
        assert learned

        second = new_notebook()
        second.run("doors = pd.DataFrame({'id': [1, 2], 'size': ['7 ft 1 in', '6 ft 8 in']})")
        report = second.reflect("wide = doors['size'].astype(float)\nlargest = wide.max()", "--accept")
        assert len(model.requests) == 1, "the model was not asked again"
    assert report.status == "repaired", (report.proposals, report.notes)
    assert second["largest"] == 85
    assert report.lessons["used"] == learned
    assert report.tokens.to_dict()["calls"] == 0
    assert report.tokens.avoided == 1
    assert learned[0] in report.proposals[0].origin
    second.run("%reflect lessons list")
    assert learned[0] in second.shown


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (["no idea, sorry"], "scripted"),
        ([answer([], cause="Check the configuration.")], "refused"),
        ([Status(401)], "401"),
        ([Status(429, headers={"retry-after": "600"})], "429"),
        ([answer([("replace", 0, "people['inches'] = (")], cause=CAUSE)], "Python"),
    ],
    ids=["prose", "vague", "wrong key", "too many requests", "no Python"],
)
def test_a_model_that_is_of_no_use_costs_one_line(
    notebook: Notebook, ask: Callable[..., ScriptedModel], script: list[Entry], said: str
) -> None:
    notebook.run(HEIGHTS)
    with ask([*script, *script, *script, *script]):
        report = notebook.reflect(CELL, "--accept --timeout 20")
    assert report.status == "unresolved"
    assert "ValueError" in notebook.shown
    assert report.notes
    assert all("\n" not in n for n in report.notes)
    assert any(said in n for n in report.notes), report.notes


def test_a_rewrite_that_drops_the_assertion_is_refused(notebook: Notebook, ask: Callable[..., ScriptedModel]) -> None:
    notebook.run(HEIGHTS)
    cell = "n = len(people) + 1\nassert n == len(people)"
    lies = [answer([("delete", 1, "")], cause=CAUSE), answer([("replace", 1, "pass")], cause=CAUSE)]
    with ask([*lies, *lies, *lies]):
        report = notebook.reflect(cell, "--accept")
    assert report.status == "unresolved"
    assert not report.offered


def test_the_budget_is_never_overdrawn(notebook: Notebook, ask: Callable[..., ScriptedModel]) -> None:
    notebook.run(HEIGHTS)
    with ask([good()]) as model:
        report = notebook.reflect(CELL, "--accept --budget 100")
        assert model.requests == []
    assert (report.status, report.stop) == ("unresolved", "budget")


def test_no_model_sends_nothing(notebook: Notebook, ask: Callable[..., ScriptedModel]) -> None:
    notebook.run(HEIGHTS)
    with ask([good()]) as model:
        notebook.reflect(CELL, "--accept --no-model")
        assert model.requests == []


def test_the_prompt_that_is_shown_is_the_one_that_is_sent(
    notebook: Notebook, ask: Callable[..., ScriptedModel]
) -> None:
    notebook.run(HEIGHTS)
    with ask([bad(), bad(), bad(), bad(), bad(), bad()]) as model:
        notebook.reflect(CELL, "--ask --no-model")
        notebook.run("%reflect prompt")
        assert model.requests == []
    assert "people['height'].astype(float)" in notebook.shown
    assert "5 ft 3 in" not in notebook.shown


def test_status_names_the_model_and_where_it_is(notebook: Notebook, ask: Callable[..., ScriptedModel]) -> None:
    with ask([]) as model:
        notebook.run("%reflect status")
        assert "model: scripted at 127.0.0.1:" in notebook.shown
        assert model.requests == []
    assert "foreign code: S" in notebook.shown
