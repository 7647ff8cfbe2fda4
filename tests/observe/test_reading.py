"""What is told about a file that was read, and how little of it is read again."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from reflex_magic.observe import filetext
from tests.observe.stepper import run_body

TEXT = "zip,eur\n02134,1\n90210,2\n00501,3\n"


def _facts(body: str, **names: Any) -> dict[str, Any]:
    run = run_body(body, "import io, pathlib\n" + "".join(f"{name} = {value!r}\n" for name, value in names.items()))
    found = [dict(op.facts) for op in run.operations if op.kind == "read"]
    return found[0] if found else {}


def _text(source: Any, frame: pd.DataFrame, method: str = "read_csv", **values: Any) -> filetext.Text | None:
    return filetext.text_of(method, {"0": source, **values}, tuple(values), frame)


@pytest.mark.parametrize(
    "source",
    ["path", "pathlib.Path(path)", "open(path)", "open(path, 'rb')", "io.StringIO(text)", "io.BytesIO(text.encode())"],
)
def test_a_file_is_looked_at_however_it_is_given(tmp_path: Path, source: str) -> None:
    path = tmp_path / "homes.csv"
    path.write_text(TEXT)
    facts = _facts(
        f"file = {source}\nhomes = pd.read_csv(file)\ngetattr(file, 'close', int)()", path=str(path), text=TEXT
    )
    assert facts["codes"]["zip"]["zeros"] == 2


def test_a_buffer_stays_where_it_was() -> None:
    run = run_body("homes = pd.read_csv(file, nrows=1)\nat = file.tell()", f"import io\nfile = io.StringIO({TEXT!r})")
    file = io.StringIO(TEXT)
    pd.read_csv(file, nrows=1)
    names: Any = run.handle
    assert names["at"] == file.tell()


@pytest.mark.parametrize(
    "options", ["comment='#'", "converters={}", "skiprows=[1]", "header=[0]", "sep=r'[,]', engine='python'"]
)
def test_ways_of_reading_that_are_not_followed_give_no_text(tmp_path: Path, options: str) -> None:
    path = tmp_path / "homes.csv"
    path.write_text(TEXT)
    assert "codes" not in _facts(f"homes = pd.read_csv(path, {options})", path=str(path))


def test_packed_files_and_what_is_no_file_are_left_alone(tmp_path: Path) -> None:
    packed, pipe, frame = tmp_path / "homes.csv.gz", tmp_path / "pipe", pd.read_csv(io.StringIO(TEXT))
    packed.write_bytes(gzip.compress(TEXT.encode()))
    os.mkfifo(pipe)  # opening it would wait for ever
    for source in (str(packed), str(pipe), str(tmp_path / "gone.csv"), "https://example.org/homes.csv", object()):
        assert _text(source, frame) is None


def test_a_text_with_other_columns_is_not_that_of_the_frame() -> None:
    assert _text(io.StringIO(TEXT), pd.DataFrame({"a": [1]})) is None


def test_of_a_long_file_only_pieces_are_read(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("k,v\n" + "".join(f"{i:08d},{i}\n" for i in range(200_000)))
    frame = pd.read_csv(path, dtype=str)
    text = _text(path, frame)
    assert text is not None
    assert (text.whole, text.lines) == (False, None)
    assert len(text.records) <= filetext.RECORDS
    numbers = [int(record[1]) for record in text.records]
    assert numbers == sorted(numbers)
    assert numbers[:3] == [0, 1, 2]
    assert numbers[-1] > 199_000
    assert text.last[-1] == ["00199999", "199999"]
    assert all(record[0] == f"{int(record[1]):08d}" for record in text.records)


def test_the_lines_of_a_file_of_middle_length_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "middle.csv"
    path.write_text("k,v\n" + "a,1\n" * 20_000)
    text = _text(path, pd.read_csv(path))
    assert text is not None
    assert text.lines == 20_001


@pytest.mark.parametrize(
    ("head", "options", "labels"),
    [
        ("a,a,b", {}, ("a", "a.1", "b")),
        ("a,,b", {}, ("a", "Unnamed: 1", "b")),
        ("x,y,z", {"usecols": ["z", "x"]}, ("x", None, "z")),
        ("x,y,z", {"names": ["p", "q", "r"], "header": 0}, ("p", "q", "r")),
        ("x,y,z", {"index_col": "y"}, ("x", "y", "z")),
        ("1,2,3", {"header": None}, (0, 1, 2)),
        ("x,y", {}, (None, "x", "y")),
    ],
)
def test_fields_are_told_apart_by_the_labels_of_the_frame(head: str, options: dict[str, Any], labels: Any) -> None:
    content = head + "\n1,2,3\n4,5,6\n"
    frame = pd.read_csv(io.StringIO(content), **options)
    text = _text(io.StringIO(content), frame, **options)
    assert text is not None
    assert text.labels == labels
    for label, values in text.columns().items():
        if label in frame.columns:
            assert list(values) == frame[label].astype(str).tolist()


def test_a_file_with_nothing_remarkable_gives_no_facts() -> None:
    assert _facts("t = pd.read_csv(io.StringIO(text))", text="shop,eur\nUlm,1\nBonn,2\nKiel,4\n") == {}
