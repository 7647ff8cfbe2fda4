"""One cell, end to end, in the browser: it fails, is repaired, accepted, used and saved."""

from __future__ import annotations

import nbformat
import pytest

from reflex_magic.audit import MIMETYPE, from_notebook, verify
from tests.browser.jupyter_pages import Front

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SETUP = """\
%load_ext reflex_magic
import pandas as pd
df = pd.DataFrame({"region": ["north", "south", "north"], "revenue": [10.0, 20.0, 30.0]})"""
CELL = """\
%%reflect
totals = df.groupby("region")["Revenue"].sum()
totals"""
REPAIRED = CELL.replace("Revenue", "revenue")


@pytest.mark.parametrize("app", ["lab", "notebook"])
def test_a_failing_cell_is_repaired_by_one_click_and_the_file_holds_the_record(front: Front, app: str) -> None:
    notebook = front.open(
        [SETUP, CELL, "print(totals.to_dict())", "%reflect undo", "print('totals' in globals())"], app
    )
    notebook.run(0)
    notebook.run(1)
    review = notebook.review(1)
    review.get_by_role("button", name="Accept").wait_for()
    notebook.shot("pending")
    assert notebook.source(1) == CELL
    notebook.run(2)
    assert "NameError" in str(notebook.outputs(2))

    review.get_by_role("button", name="Accept").click()
    notebook.reads(1, REPAIRED)
    notebook.cell(1).locator(".rx[data-state=repaired]").wait_for()
    notebook.shot("accepted")
    notebook.run(2)
    assert notebook.printed(2).strip() == "{'north': 40.0, 'south': 20.0}"

    saved = notebook.save()
    nbformat.validate(nbformat.from_dict(saved))
    records = from_notebook(saved)
    assert verify(records) == []
    assert records[-1]["decision"]["what"] == "accept"
    assert records[-1]["decision"]["who"] == "person"
    assert records[-1]["source"] == REPAIRED.split("\n", 1)[1]
    assert any("text/html" in o.get("data", {}) for o in saved["cells"][1]["outputs"] if MIMETYPE in o.get("data", {}))

    notebook.run(3)
    notebook.reads(1, CELL)
    notebook.cell(1).locator(".rx[data-state=undone]").wait_for()
    notebook.run(4)
    assert notebook.printed(4).strip() == "False"


def test_run_all_stops_at_a_pending_cell(front: Front) -> None:
    notebook = front.open([SETUP, CELL, "print('went on')"])
    notebook.command("notebook:run-all-cells")
    notebook.review(1).get_by_role("button", name="Accept").wait_for()
    assert notebook.outputs(2) == []
    assert "CellPending" in str(notebook.outputs(1))


def test_accept_in_the_magic_line_rewrites_the_cell_without_a_click(front: Front) -> None:
    cell = CELL.replace("%%reflect", "%%reflect --accept")
    notebook = front.open([SETUP, cell, "print(totals.to_dict())"])
    notebook.run(0)
    notebook.run(1)
    notebook.reads(1, cell.replace("Revenue", "revenue"))
    notebook.shot()
    notebook.run(2)
    assert notebook.printed(2).strip() == "{'north': 40.0, 'south': 20.0}"


def test_the_repaired_cell_runs_as_it_stands_and_shows_nothing_of_ours(front: Front) -> None:
    notebook = front.open([SETUP, REPAIRED])
    notebook.run(0)
    notebook.run(1)
    (output,) = notebook.outputs(1)
    assert output["output_type"] == "execute_result"
    assert MIMETYPE not in output["data"]
