"""The file and the notebook of the worked example: the traps are real, and nothing is overwritten."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import nbformat
import pandas as pd
import pytest

from reflex_magic import demo
from reflex_magic.demo.orders import ROWS, csv_bytes
from reflex_magic.errors import RecordError

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def rows() -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_bytes().decode("utf-8-sig"))))


def test_read_as_latin1_the_first_column_has_another_name():
    naive = pd.read_csv(io.BytesIO(csv_bytes()), encoding="latin1")
    assert "order_id" not in naive.columns
    assert not naive["region"].eq("Québec").any()


def test_amounts_do_not_convert_and_come_in_three_spellings(rows):
    amounts = [r["amount"] for r in rows]
    with pytest.raises(ValueError, match="could not convert"):
        pd.Series(amounts).astype(float)
    spellings = (r"\$\d+\.\d\d", r"\$\d,\d{3}\.\d\d", r"\(\$45\.00\)")
    counts = [sum(bool(re.fullmatch(p, a)) for a in amounts) for p in spellings]
    assert sum(counts) == ROWS
    assert min(counts) >= 5


def test_regions_are_missing(rows):
    missing = sum(not r["region"] for r in rows)
    assert 10 < missing < ROWS / 10
    assert pd.Series([r["region"] or None for r in rows]).value_counts().sum() == ROWS - missing


def test_weeks_in_utc_are_not_the_local_weeks(rows):
    moments = [datetime.fromisoformat(r["order_date"]) for r in rows]
    assert len({m.utcoffset() for m in moments}) == 2
    assert all(
        m.replace(tzinfo=None) == m.astimezone(ZoneInfo("America/Toronto")).replace(tzinfo=None) for m in moments
    )
    utc = [m.astimezone(ZoneInfo("UTC")).isocalendar().week for m in moments]
    assert utc != [m.isocalendar().week for m in moments]


def test_ids_are_unique_and_times_ascend(rows):
    assert len({r["order_id"] for r in rows}) == ROWS
    moments = [datetime.fromisoformat(r["order_date"]) for r in rows]
    assert moments == sorted(moments)


def test_writes_a_valid_notebook_without_outputs_and_the_same_bytes_each_time(tmp_path):
    data, notebook = demo.write(tmp_path / "new" / "folder")
    first = data.read_bytes(), notebook.read_bytes()
    read = nbformat.read(notebook, as_version=4)
    nbformat.validate(read)
    assert all(not c.outputs for c in read.cells if c.cell_type == "code")
    demo.write(tmp_path / "new" / "folder")
    assert (data.read_bytes(), notebook.read_bytes()) == first


def test_leaves_a_file_of_the_same_name_alone(tmp_path):
    mine = tmp_path / "orders.csv"
    mine.write_text("order_id\n1\n")
    with pytest.raises(RecordError, match=r"orders\.csv exists"):
        demo.write(tmp_path)
    assert mine.read_text() == "order_id\n1\n"
    assert not (tmp_path / "orders.ipynb").exists()


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError) as caught:
        demo.write(tmp_path / "file" / "below")
    assert "\n" not in str(caught.value)


def test_the_repository_shows_the_notebook_that_the_demo_writes(tmp_path):
    shown = REPOSITORY / "notebooks" / "orders.ipynb"
    assert json.loads(shown.read_text(encoding="utf-8")) == json.loads(
        demo.write(tmp_path)[1].read_text(encoding="utf-8")
    ), "run: python -m reflex_magic.demo notebooks"
