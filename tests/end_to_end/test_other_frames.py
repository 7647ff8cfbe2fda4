"""Cells of polars, pyarrow and dask in real shells: put back exactly, never computed, told apart."""

from __future__ import annotations

import subprocess
import sys

import pytest

from reflex_magic.checks import CHECKS
from tests.end_to_end.conftest import Notebook

TABLES = """
import polars as pl
df = pl.DataFrame({"a": [1, 2], "s": ["x", None]})
alias = df
s = pl.Series("v", [1, 2, 3])
"""

IN_PLACE = [
    "df.insert_column(0, pl.Series('n', [1, 2]))",
    "df[0, 'a'] = 9",
    "df.extend(df)",
    "df.drop_in_place('a')",
    "df.replace_column(0, pl.Series('z', [7, 8]))",
    "df.columns = ['p', 'q']",
    "s[0] = 4",
    "s.extend(s)",
    "s.append(s)",
    "s.scatter(0, 5)",
    "df = df.with_columns(b=1)",
    "df, s = df.vstack(df), s.sort(descending=True)",
]


@pytest.mark.apart
@pytest.mark.parametrize("line", IN_PLACE)
def test_a_polars_cell_that_failed_is_put_back_before_it_is_tried_again(notebook: Notebook, line: str) -> None:
    pytest.importorskip("polars")
    notebook.run(TABLES)
    notebook.run(line)
    once, bound = (notebook["df"], notebook["s"]), notebook["df"] is notebook["alias"]
    notebook.run(TABLES)
    before = notebook["alias"]
    report = notebook.reflect(f"{line}\nrows = aliass.height")
    assert report.status == "repaired"
    assert all(now.equals(then) for now, then in zip((notebook["df"], notebook["s"]), once, strict=True))  # type: ignore[attr-defined]
    assert notebook["df"].columns == once[0].columns  # type: ignore[attr-defined]
    assert notebook["alias"] is before
    assert (notebook["df"] is before) is bound
    assert notebook["rows"] == before.height  # type: ignore[attr-defined]
    notebook.run("%reflect undo")
    assert "rows" not in notebook.shell.user_ns
    assert notebook["df"].equals(once[0])  # type: ignore[attr-defined]
    assert notebook["alias"] is before


def test_a_pyarrow_cell_that_failed_is_put_back(notebook: Notebook) -> None:
    notebook.run("import pyarrow as pa\ntable = pa.table({'n': [1, 2]})\noriginal = table")
    report = notebook.reflect("table = table.append_column('m', table['n'])\nrows = orignal.num_rows")
    assert report.status == "repaired"
    assert notebook["table"].column_names == ["n", "m"]  # type: ignore[attr-defined]
    assert notebook["original"].column_names == ["n"]  # type: ignore[attr-defined]


@pytest.mark.apart
def test_lazy_frames_are_not_computed_for_checks(notebook: Notebook) -> None:
    pytest.importorskip("polars")
    pytest.importorskip("dask.dataframe")
    notebook.run(
        "import pandas as pd, polars as pl, dask.dataframe as dd\nran = []\n"
        "def note(part):\n    ran.append(len(part))\n    return part\n"
        "lazy = pl.LazyFrame({'k': ['a', 'b'], 'v': [1, 2]}).map_batches(note)\n"
        "parts = dd.from_pandas(pd.DataFrame({'k': ['a', 'b'], 'v': [1, 2]}), npartitions=1)\n"
        "parts = parts.map_partitions(note, meta=parts._meta)\nran.clear()"
    )
    report = notebook.reflect(
        "l = lazy.join(lazy, on='k').filter(pl.col('v') == 1).with_columns(pl.col('k').cast(pl.Int64, strict=False))\n"
        "p = dd.concat([parts, parts.merge(parts, on='k')]).groupby('k')['v_x'].sum()",
        "-v --no-model",
    )
    assert report.status == "passed"
    assert notebook["ran"] == []
    assert [n for n in report.notes if "lazy frame" in n and "nothing is computed" in n]


@pytest.mark.apart
def test_it_is_told_how_many_checks_work_on_a_frame(notebook: Notebook) -> None:
    pytest.importorskip("polars")
    notebook.run("import pandas as pd, polars as pl\na = pl.DataFrame({'n': [1]})\nb = pd.DataFrame({'n': [1]})")
    works = sum(not check.frames or "polars" in check.frames for check in CHECKS)
    told = f"`a`: frame of polars, on which {works} of {len(CHECKS)} checks work"
    assert notebook.reflect("x = a.height + len(b)", "-v --no-model").notes == [told]
    assert told in " ".join(notebook.shown.split())
    assert notebook.reflect("x = a.height + len(b)", "--no-model").notes == []


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("join-multiplies-rows", "Works on frames of pandas, polars, pyarrow."),
        ("concat-repeats-labels", "Works on frames of pandas."),
        ("raised", "Works whatever the data are."),
    ],
)
def test_explain_says_on_which_frames_a_check_works(notebook: Notebook, code: str, told: str) -> None:
    notebook.run(f"%reflect explain {code}")
    assert told in notebook.shown


@pytest.mark.apart
def test_advice_is_in_the_words_of_the_library(notebook: Notebook) -> None:
    pytest.importorskip("polars")
    notebook.run(
        "import polars as pl\na = pl.DataFrame({'k': ['x', 'Y '], 'v': [1, 2]})\nb = a.with_columns(k=pl.lit('y'))"
    )
    report = notebook.reflect("m = a.join(b, on='k', how='left')", "--no-model")
    assert [f.suggestion for f in report.findings] == [
        "Bring both sides to one type and spelling first, as with .cast(pl.String), .str.strip_chars() or"
        " .str.to_lowercase()."
    ]


def test_polars_is_not_loaded_for_a_pandas_cell() -> None:
    code = (
        "import sys\nfrom tests.observe.stepper import run_body\n"
        "run = run_body(\"m = a.merge(a, on='k').filter(['k'])\", \"a = pd.DataFrame({'k': [1], 'v': [2]})\")\n"
        "print([op.kind for op in run.operations], [n for n in ('polars', 'dask', 'narwhals') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "['merge'] []", done.stderr
