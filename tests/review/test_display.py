"""The bundle, the widget's side of a decision, and who is there to answer."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

import reflex_magic
from reflex_magic.core.proposal import Decision
from reflex_magic.core.report import Report
from reflex_magic.errors import StaleProposal
from reflex_magic.review import MIMETYPE, Review, attended, bundle, cell_id
from tests.review.review_reports import EVERY, ORIGINAL, OTHER, REPAIRED, choice, passed
from tests.review.review_reports import report as pending

BASE = "%%reflect\n" + ORIGINAL
TEXTS = {"p1": "%%reflect\n" + REPAIRED, "p2": "%%reflect\n" + OTHER}
VIEW = "application/vnd.jupyter.widget-view+json"


class Publisher:
    """Keeps what is published."""

    def __init__(self) -> None:
        self.published: list[dict[str, Any]] = []

    def publish(self, data: dict[str, Any], **how: Any) -> None:
        self.published.append({"data": data, **how})


class Shell:
    """A shell as a kernel has it: with the request, and a publisher."""

    def __init__(self, metadata: dict[str, Any] | None = None, allow_stdin: bool = False) -> None:
        self.kernel = object()
        self.display_pub = Publisher()
        self._parent = {"metadata": metadata or {}, "content": {"code": BASE, "allow_stdin": allow_stdin}}

    def get_parent(self) -> dict[str, Any]:
        return self._parent


LAB = {"cellId": "c1"}


@pytest.mark.parametrize("name", EVERY)
def test_the_bundle_is_a_valid_output_that_survives_a_file(name: str, tmp_path: Path) -> None:
    report = EVERY[name]()
    cell = new_code_cell("x", outputs=[new_output("display_data", data=bundle(report))])
    nbformat.write(new_notebook(cells=[cell]), tmp_path / "n.ipynb")
    book = nbformat.read(tmp_path / "n.ipynb", as_version=4)
    nbformat.validate(book)
    data = book.cells[0].outputs[0].data
    assert set(data) == {"text/plain", "text/html", MIMETYPE}
    assert Report.from_dict(data[MIMETYPE]).to_dict() == report.to_dict()


def test_a_given_record_takes_the_reports_place() -> None:
    assert bundle(pending(), record={"digest": "d"})[MIMETYPE] == {"digest": "d"}


@pytest.mark.parametrize(
    ("shell", "texts", "decides", "widget"),
    [
        (Shell(LAB), TEXTS, True, True),
        (Shell(LAB), TEXTS, False, False),
        (Shell(LAB), {}, True, False),
        (Shell(), TEXTS, True, False),
    ],
    ids=["lab", "dry run", "nothing offered", "nobody names the cell"],
)
def test_there_is_a_widget_only_where_it_could_do_something(
    shell: Shell, texts: dict[str, str], decides: bool, widget: bool
) -> None:
    review = Review(shell, pending(), cell=cell_id(shell) or "")
    review.show(None, BASE, texts, (lambda what, proposal: "") if decides else None)
    (output,) = shell.display_pub.published
    assert (VIEW in output["data"]) is widget
    assert (review.widget is not None) is widget
    assert output["update"] is False


def test_an_update_has_the_same_place_and_the_decision() -> None:
    shell, report = Shell(LAB), pending()
    review = Review(shell, report, cell="c1")
    review.show({"n": 1}, BASE, TEXTS, lambda what, proposal: "")
    assert review.widget is not None
    review.widget._receive({"type": "shown", "lasting": True})
    report.status, report.decision = "repaired", Decision("accept", "person", "2026-11-30T10:00:00Z", "p1")
    review.update({"n": 2})
    first, second = shell.display_pub.published
    assert first["transient"] == second["transient"]
    assert second["update"] is True
    assert second["data"][MIMETYPE] == {"n": 2}
    assert "Repaired and accepted" in second["data"]["text/html"]
    assert VIEW in second["data"]


def test_a_decided_report_goes_on_without_a_widget_that_could_not_be_shown_again() -> None:
    shell, report = Shell(LAB), pending()
    review = Review(shell, report, cell="c1")
    review.show(None, BASE, TEXTS, lambda what, proposal: "")
    report.decision = Decision("reject", "person", "2026-11-30T10:00:00Z", "p1")
    review.update(None)
    assert VIEW not in shell.display_pub.published[-1]["data"]


def test_a_terminal_gets_text_once(capsys: pytest.CaptureFixture[str]) -> None:
    class Plain:
        pass

    review = Review(Plain(), pending(), detail=0)
    review.show(None, BASE, TEXTS, lambda what, proposal: "")
    review.update(None)
    said = capsys.readouterr().out
    assert said.count("Use the column `revenue`") == 1
    assert review.widget is None


# -- the widget, from the kernel's side --------------------------------------------------------


@pytest.fixture
def made() -> Iterator[tuple[Any, list[tuple[str, str]], list[str | Exception]]]:
    """A widget, what was decided through it, and what its next decisions are answered with."""
    from reflex_magic.review.widget import ReviewWidget

    decided: list[tuple[str, str]] = []
    answers: list[str | Exception] = []

    def decide(what: str, proposal: str) -> str:
        decided.append((what, proposal))
        answer = answers.pop() if answers else ""
        if isinstance(answer, Exception):
            raise answer
        return answer

    widget = ReviewWidget(choice(), BASE, TEXTS, "c1", decide)
    yield widget, decided, answers
    widget.close()


def click(widget: Any, what: str, proposal: str = "p1", how: str = "extension", before: str | None = BASE) -> None:
    widget._receive({"type": "decide", "what": what, "proposal": proposal, "how": how, "before": before})


def test_the_view_is_plain_json_with_every_offer(made: Any) -> None:
    view = json.loads(json.dumps(made[0].view))
    assert [o["id"] for o in view["offers"]] == ["p1", "p2"]
    assert view["shown"] == "p1"
    assert [(o["added"], o["removed"]) for o in view["offers"]] == [(1, 1), (1, 1)]
    first = view["offers"][0]["groups"][0]["rows"][0]
    assert first["new"][0] == 1
    assert "".join(t for t, _, _ in first["new"][1]) == "%%reflect"


def test_a_click_is_passed_on(made: Any) -> None:
    widget, decided, _ = made
    click(widget, "accept", "p2")
    click(widget, "undo", "p2")
    click(widget, "reject", "p1")
    assert decided == [("accept", "p2"), ("undo", "p2"), ("reject", "p1")]
    assert widget.swap == []


@pytest.mark.parametrize(
    "content", [None, "x", {}, {"type": "decide"}, {"type": "decide", "what": "rm", "proposal": "p1"}]
)
def test_a_message_that_is_none_of_ours_does_nothing(made: Any, content: Any) -> None:
    widget, decided, _ = made
    widget._receive(content)
    click(widget, "accept", "p9")
    assert decided == []


@pytest.mark.parametrize("answer", ["stale", StaleProposal("stale"), RuntimeError("stale")])
def test_what_is_refused_is_put_back_as_it_was(made: Any, answer: str | Exception) -> None:
    widget, _, answers = made
    answers.append(answer)
    click(widget, "accept", before="edited since")
    assert widget.swap == [TEXTS["p1"], "edited since"]
    assert widget.message == "stale"
    assert widget.before == BASE
    widget._receive({"type": "swapped"})
    assert widget.swap == []


def test_a_refused_undo_puts_the_repair_back(made: Any) -> None:
    widget, _, answers = made
    click(widget, "accept", before="edited since")
    answers.append("stale")
    click(widget, "undo")
    assert widget.swap == ["edited since", TEXTS["p1"]]


def test_a_cell_that_was_not_changed_is_not_put_back(made: Any) -> None:
    widget, _, answers = made
    answers.append("stale")
    click(widget, "accept", how="manual", before=None)
    assert widget.swap == []


def test_a_decision_made_elsewhere_asks_for_the_cell_to_be_changed(made: Any) -> None:
    widget = made[0]
    report = choice()
    report.status, report.decision = "repaired", Decision("accept", "person", "2026-11-30T10:00:00Z", "p2")
    widget.refresh(report)
    assert (widget.state, widget.swap) == ("repaired", [BASE, TEXTS["p2"]])
    report.status, report.decision = "pending", Decision("undo", "person", "2026-11-30T10:00:00Z", "p2")
    widget.refresh(report)
    assert (widget.state, widget.swap) == ("undone", [TEXTS["p2"], BASE])


def test_a_decision_made_here_does_not(made: Any) -> None:
    from reflex_magic.review.widget import ReviewWidget

    report = pending()

    def decide(what: str, proposal: str) -> str:
        report.status, report.decision = "repaired", Decision(what, "person", "2026-11-30T10:00:00Z", proposal)
        widget.refresh(report)
        return ""

    widget = ReviewWidget(report, BASE, TEXTS, "c1", decide)
    click(widget, "accept")
    assert (widget.state, widget.swap) == ("repaired", [])
    widget.close()


def test_a_decision_is_carried_out_on_the_thread_that_made_the_widget() -> None:
    import asyncio

    from reflex_magic.review.widget import ReviewWidget

    async def scene() -> int:
        where: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def decide(what: str, proposal: str) -> str:
            where.set_result(threading.get_ident())
            return ""

        widget = ReviewWidget(pending(), BASE, TEXTS, "c1", decide)
        content = {"type": "decide", "what": "accept", "proposal": "p1", "how": "extension", "before": BASE}
        other = threading.Thread(target=widget._on_message, args=(widget, content, []))
        other.start()
        other.join()
        return await where

    assert asyncio.run(scene()) == threading.get_ident()


# -- who is there ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shell", "expected"),
    [
        (None, False),
        (Shell(), False),
        (Shell(LAB), True),
        (Shell(allow_stdin=True), True),
        (Shell({"cellId": ""}), False),
        (Shell({"cellId": 3}), False),
    ],
)
def test_a_kernel_has_somebody_when_the_front_end_says_so(shell: Any, expected: bool) -> None:
    assert attended(shell) is expected


@pytest.mark.parametrize(("tty_in", "tty_out"), [(True, True), (True, False), (False, True), (False, False)])
def test_a_terminal_has_somebody_when_both_ends_are_one(
    tty_in: bool, tty_out: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Plain:
        pass

    monkeypatch.setattr(sys.stdin, "isatty", lambda: tty_in, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: tty_out, raising=False)
    assert attended(Plain()) is (tty_in and tty_out)


@pytest.mark.slow
def test_nobody_is_there_under_nbclient() -> None:
    from nbclient import NotebookClient

    code = (
        "from IPython import get_ipython\nfrom reflex_magic.review import attended, Review\n"
        "from tests.review.review_reports import report\n"
        "review = Review(get_ipython(), report())\n"
        "review.show(None, 'b', {'p1': 't'}, lambda w, p: '')\n"
        "print(attended(get_ipython()), review.widget)"
    )
    book = new_notebook(cells=[new_code_cell(code)])
    root = Path(__file__).parents[2]
    NotebookClient(book, timeout=60, resources={"metadata": {"path": str(root)}}).execute()
    shown, printed = book.cells[0].outputs
    assert printed.text.strip() == "False None"
    assert set(shown.data) == {"text/plain", "text/html", MIMETYPE}


# -- what is shipped ---------------------------------------------------------------------------


def test_the_lab_extension_has_the_packages_version_and_nothing_of_others() -> None:
    folder = Path(__file__).parents[2] / "labextension"
    about = json.loads((folder / "package.json").read_text())
    assert about["name"] == "reflex-magic"
    assert about["version"] == reflex_magic.__version__
    assert (folder / about["jupyterlab"]["_build"]["load"]).is_file()
    assert json.loads((folder / "install.json").read_text())["packageName"] == "reflex-magic"


def test_no_widget_library_is_loaded_for_text_and_html() -> None:
    import subprocess

    code = (
        "import sys; from reflex_magic.review import attended, bundle; from reflex_magic.core.report import Report; "
        "bundle(Report('x')); print([m for m in ('anywidget', 'ipywidgets', 'rich', 'nbformat') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_passed_reports_need_no_widget() -> None:
    shell = Shell(LAB)
    Review(shell, passed()).show(None, BASE, {}, lambda what, proposal: "")
    assert VIEW not in shell.display_pub.published[0]["data"]
