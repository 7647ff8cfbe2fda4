"""The review in JupyterLab and Notebook 7: what a click does to the cell, and what the file keeps."""

from __future__ import annotations

import re

import nbformat
import pytest

from reflex_magic.review import MIMETYPE
from tests.browser.jupyter_pages import Front, Notebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BODY = """\
# revenue per region
import pandas as pd

by_region = df.groupby("region")["Revenue"].sum()
share = by_region / by_region.sum()
assert abs(share.sum() - 1) < 1e-9
share.round(3)"""
CELL = "%%sample\n" + BODY
REPAIRED = CELL.replace("Revenue", "revenue")


def reviewed(front: Front, app: str = "lab", cell: str = CELL, *more: str) -> Notebook:
    """A notebook whose cell 1 has just been run and shows its review."""
    notebook = front.open(["%load_ext tests.browser.review_samples", cell, *more], app)
    notebook.run(0)
    notebook.run(1)
    notebook.review(1).wait_for()
    return notebook


def state(notebook: Notebook, wanted: str) -> None:
    notebook.cell(1).locator(f".rx[data-state={wanted}]").wait_for()


@pytest.mark.parametrize("app", ["lab", "notebook"])
def test_accept_replaces_the_cell_and_undo_brings_it_back(front: Front, app: str) -> None:
    notebook = reviewed(front, app, CELL, "%decisions")
    assert notebook.source(1) == CELL
    notebook.shot("pending")
    notebook.review(1).get_by_role("button", name="Accept").click()
    notebook.reads(1, REPAIRED)
    state(notebook, "repaired")
    notebook.shot("accepted")
    notebook.review(1).get_by_role("button", name="Undo").click()
    notebook.reads(1, CELL)
    state(notebook, "undone")
    notebook.review(1).get_by_role("button", name="Accept").click()
    notebook.reads(1, REPAIRED)
    state(notebook, "repaired")
    notebook.run(2)
    assert notebook.printed(2).strip() == "[('accept', 'p1'), ('undo', 'p1'), ('accept', 'p1')]"


def test_ctrl_z_restores_the_cell_in_one_step(front: Front) -> None:
    notebook = reviewed(front)
    notebook.type_at_end(1, "  # mine")
    notebook.undo(1)
    notebook.reads(1, CELL)
    notebook.review(1).get_by_role("button", name="Accept").click()
    notebook.reads(1, REPAIRED)
    notebook.undo(1)
    notebook.reads(1, CELL)


def test_reject_leaves_the_cell_and_is_recorded(front: Front) -> None:
    notebook = reviewed(front, "lab", CELL, "%decisions")
    notebook.review(1).get_by_role("button", name="Reject").click()
    state(notebook, "rejected")
    notebook.shot()
    notebook.run(2)
    assert notebook.source(1) == CELL
    assert notebook.printed(2).strip() == "[('reject', 'p1')]"


def test_a_cell_edited_since_is_not_touched_unless_told_to(front: Front) -> None:
    notebook = reviewed(front, "lab", CELL, "%decisions")
    notebook.type_at_end(1, "\nmine = 1")
    edited = notebook.source(1)
    notebook.review(1).get_by_role("button", name="Accept").click()
    notebook.review(1).get_by_text("The cell was edited since").wait_for()
    notebook.shot("conflict")
    assert notebook.source(1) == edited
    notebook.run(2)
    assert notebook.printed(2).strip() == "[]"
    notebook.review(1).get_by_role("button", name="Replace anyway").click()
    notebook.reads(1, REPAIRED)
    state(notebook, "repaired")
    notebook.review(1).get_by_role("button", name="Undo").click()
    notebook.reads(1, edited)


@pytest.mark.parametrize("forced", [False, True])
def test_what_the_kernel_refuses_is_put_back(front: Front, forced: bool) -> None:
    notebook = reviewed(front, "lab", CELL, "%refuse The variables changed since; run the cell again.", "%decisions")
    notebook.run(2)
    if forced:
        notebook.type_at_end(1, "\nmine = 1")
    before = notebook.source(1)
    notebook.review(1).get_by_role("button", name="Accept").click()
    if forced:
        notebook.review(1).get_by_role("button", name="Replace anyway").click()
    notebook.review(1).get_by_text("The variables changed since").wait_for()
    notebook.reads(1, before)
    state(notebook, "pending")
    notebook.shot("refused")
    notebook.run(3)
    assert notebook.printed(3).strip() == "[]"


def test_accept_works_while_the_kernel_is_busy_and_is_recorded_later(front: Front) -> None:
    wait = "import pathlib, time\nwhile not pathlib.Path('go').exists():\n    time.sleep(0.05)"
    go = front.server.notebooks / "go"
    go.unlink(missing_ok=True)
    notebook = reviewed(front, "lab", CELL, wait, "%decisions")
    notebook.run(2, wait=False)
    notebook.until("() => window.panel.sessionContext.session.kernel.status === 'busy'")
    notebook.review(1).get_by_role("button", name="Accept").click()
    notebook.reads(1, REPAIRED)
    notebook.review(1).get_by_text("The kernel has not answered yet").wait_for()
    notebook.shot("busy")
    go.touch()
    state(notebook, "repaired")
    notebook.run(3)
    assert notebook.printed(3).strip() == "[('accept', 'p1')]"


def test_after_a_restart_the_cell_still_changes_and_nobody_claims_a_record(front: Front) -> None:
    notebook = reviewed(front)
    notebook.js("async () => { await window.panel.sessionContext.session.kernel.restart(); }")
    notebook.until("() => window.panel.sessionContext.session.kernel.status === 'idle'")
    notebook.review(1).get_by_role("button", name="Accept").click()
    notebook.reads(1, REPAIRED)
    notebook.review(1).get_by_text(re.compile("has not answered yet|is gone")).wait_for()
    state(notebook, "pending")


def test_after_a_reload_of_the_page_the_review_goes_on(front: Front) -> None:
    notebook = reviewed(front, "lab", CELL, "%decisions")
    notebook.save()
    notebook.load()
    notebook.review(1).get_by_role("button", name="Accept").click()
    notebook.reads(1, REPAIRED)
    state(notebook, "repaired")
    notebook.run(2)
    assert notebook.printed(2).strip() == "[('accept', 'p1')]"


def test_a_decision_made_elsewhere_changes_the_cell_too(front: Front) -> None:
    notebook = reviewed(front, "lab", CELL, "%elsewhere accept", "%elsewhere undo")
    notebook.run(2)
    notebook.reads(1, REPAIRED)
    state(notebook, "repaired")
    notebook.run(3)
    notebook.reads(1, CELL)
    state(notebook, "undone")


def test_another_proposal_is_taken_from_its_tab(front: Front) -> None:
    cell = CELL.replace("%%sample", "%%sample choice")
    notebook = reviewed(front, "lab", cell)
    notebook.shot("first")
    notebook.review(1).get_by_role("tab").nth(0).focus()
    notebook.page.keyboard.press("ArrowRight")
    notebook.review(1).get_by_role("tab", selected=True).get_by_text("revenue_net").wait_for()
    notebook.shot("second")
    notebook.review(1).get_by_role("button", name="Accept").click()
    notebook.reads(1, cell.replace('"Revenue"', '"revenue_net"'))


@pytest.mark.parametrize("app", ["lab", "notebook"])
def test_keys_act_inside_the_review_and_no_other_key_reaches_the_notebook(front: Front, app: str) -> None:
    notebook = reviewed(front, app)
    region = notebook.review(1).get_by_role("region")
    region.focus()
    kinds = notebook.kinds()
    for key in "xbdmyhl":
        notebook.page.keyboard.press(key)
    notebook.page.keyboard.press("s")
    sides = notebook.review(1).locator("table.rx-split tr", has=notebook.page.locator("mark")).locator("td")
    assert sides.all_inner_texts()[1::2] == [t.splitlines()[4] for t in (CELL, REPAIRED)]
    notebook.shot("split")
    region.focus()
    notebook.page.keyboard.press("a")
    notebook.reads(1, REPAIRED)
    state(notebook, "repaired")
    # The view was made anew by the kernel; the focus is still inside.
    notebook.until("() => document.activeElement.closest('.rx') !== null")
    notebook.page.keyboard.press("u")
    notebook.reads(1, CELL)
    assert notebook.kinds() == kinds
    before = notebook.count(1)
    notebook.review(1).get_by_role("region").focus()
    notebook.page.keyboard.press("Control+Enter")
    notebook.ran(1, before)


def test_a_collapsed_cell_is_replaced_through_the_extension(front: Front) -> None:
    notebook = reviewed(front)
    notebook.js("() => { window.panel.content.activeCellIndex = 1; }")
    notebook.command("notebook:hide-cell-code")
    notebook.review(1).get_by_role("button", name="Accept").click()
    notebook.reads(1, REPAIRED)


def test_without_the_extension_the_editor_is_used_and_a_hidden_one_leaves_it_to_the_person(front: Front) -> None:
    notebook = reviewed(front)
    silence = "() => window.addEventListener('reflex-magic:replace', e => e.stopImmediatePropagation(), true)"
    notebook.js(silence)
    notebook.review(1).get_by_role("button", name="Accept").click()
    notebook.reads(1, REPAIRED)
    state(notebook, "repaired")
    notebook.review(1).get_by_role("button", name="Undo").click()
    notebook.reads(1, CELL)
    state(notebook, "undone")
    notebook.js("() => { window.panel.content.activeCellIndex = 1; }")
    notebook.command("notebook:hide-cell-code")
    notebook.cell(1).locator(".jp-InputPlaceholder").wait_for()
    notebook.review(1).get_by_role("button", name="Accept").click()
    state(notebook, "repaired")
    notebook.until(
        "m => window.panel.content.model.cells.get(1).outputs.toJSON()[0].data[m].decision.what === 'accept'", MIMETYPE
    )
    notebook.review(1).get_by_text("copy the code into it").wait_for()
    assert notebook.source(1) == CELL


def test_a_kernel_replaces_a_cell_by_comm(front: Front) -> None:
    ask = (
        "from comm import create_comm\n"
        "answers = []\n"
        "c = create_comm('reflex-magic', data=dict(cellId=cell, base='a = 1', text='a = 2'))\n"
        "c.on_msg(lambda m: answers.append(m['content']['data']))"
    )
    notebook = front.open(["a = 1", ask, "print(answers)", ask, "print(answers)"])
    cell = notebook.js("() => window.panel.content.model.cells.get(0).id")
    notebook.js("s => window.panel.content.model.cells.get(1).sharedModel.setSource(s)", f"cell = {cell!r}\n{ask}")
    notebook.run(1)
    notebook.reads(0, "a = 2")
    notebook.run(2)
    assert "'ok': True" in notebook.printed(2)
    notebook.run(3)
    notebook.run(4)
    assert "'conflict'" in notebook.printed(4)
    assert notebook.source(0) == "a = 2"


def test_the_saved_notebook_keeps_the_record_and_shows_it_without_a_kernel(front: Front) -> None:
    notebook = reviewed(front)
    notebook.review(1).get_by_role("button", name="Accept").click()
    state(notebook, "repaired")
    # The record in the output follows the review's state.
    notebook.until("m => window.panel.content.model.cells.get(1).outputs.toJSON()[0].data[m].decision", MIMETYPE)
    saved = notebook.save()
    nbformat.validate(nbformat.from_dict(saved))
    (output,) = saved["cells"][1]["outputs"]
    assert output["data"][MIMETYPE]["decision"]["what"] == "accept"
    assert "widgets" not in saved["metadata"]
    assert "".join(saved["cells"][1]["source"]) == REPAIRED
    notebook.close()

    again = front.reopen(notebook.path)
    again.shot("light")
    static = again.cell(1).locator(".jp-RenderedHTMLCommon").first
    static.get_by_text("Repaired and accepted").wait_for()
    assert again.review(1).count() == 0
    assert not again.js("() => window.panel.context.model.dirty")
    assert static.locator("tr td", has_text="revenue").count() > 0
    grounds = again.js(
        "() => [...document.querySelectorAll('.jp-OutputArea tr')].map(r => r.style.backgroundColor).filter(Boolean)"
    )
    assert any("46, 160, 67" in g for g in grounds), grounds
    again.theme("JupyterLab Dark")
    again.shot("dark")
    again.theme("JupyterLab Light")


def test_the_review_follows_the_theme(front: Front) -> None:
    notebook = reviewed(front)
    notebook.theme("JupyterLab Light")
    ground = "() => getComputedStyle(document.querySelector('.rx')).backgroundColor"
    ink = "() => getComputedStyle(document.querySelector('.rx-headline')).color"
    light = notebook.js(ground), notebook.js(ink)
    notebook.review(1).locator("summary").click()
    notebook.shot("light")
    notebook.theme("JupyterLab Dark")
    dark = notebook.js(ground), notebook.js(ink)
    notebook.shot("dark")
    notebook.theme("JupyterLab Light")
    assert light[0] != dark[0]
    assert light[1] != dark[1]


@pytest.mark.parametrize("live", [True, False])
def test_text_from_elsewhere_stays_text(front: Front, live: bool) -> None:
    notebook = reviewed(front, "lab", CELL.replace("%%sample", "%%sample hostile"))
    if not live:
        notebook.save()
        notebook.close()
        notebook = front.reopen(notebook.path)
    notebook.shot("live" if live else "saved")
    notebook.cell(1).locator(".jp-OutputArea b, .jp-OutputArea strong", has_text="<script>window.attacked").wait_for()
    assert notebook.js("() => window.attacked") is None
    assert notebook.cell(1).locator(".jp-OutputArea img, .jp-OutputArea script").count() == 0
    assert notebook.cell(1).locator("mjx-container").count() == 0
