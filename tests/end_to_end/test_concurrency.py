"""Two kernels in one folder, and a reflected cell within another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import reflex_magic
from reflex_magic.lessons import JsonlLessons
from tests.end_to_end.conftest import Notebook

KERNEL = """
import sys
from IPython.core.interactiveshell import InteractiveShell
import reflex_magic
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "reflex_magic")
shell.run_cell("import pandas as pd")
for i in range(15):
    name = f"column{sys.argv[1]}{'abcdefghijklmnop'[i]}"
    shell.run_cell(f"t = pd.DataFrame({{'{name}': [1, 2], 'unlike': 3}})")
    shell.run_cell(f"%%reflect --accept --no-model\\ntotal = t['{name.title()}'].sum()")
    report = reflex_magic.last_report()
    assert report.status == "repaired" and shell.user_ns["total"] == 3, (report.status, report.notes)
    assert not report.notes, report.notes
"""


def test_two_kernels_share_a_lessons_file(here: Path) -> None:
    kernels = [
        subprocess.Popen([sys.executable, "-c", KERNEL, n], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for n in "xy"
    ]
    for kernel in kernels:
        _, said = kernel.communicate(timeout=60)
        assert kernel.returncode == 0, said
    lessons = JsonlLessons()
    lessons.list()
    assert not list(lessons.news()), "no line is broken"


def test_a_reflected_cell_within_a_reflected_cell(notebook: Notebook) -> None:
    notebook.run("t = pd.DataFrame({'revenue': [1, 2]})")
    inner = "get_ipython().run_cell('%%reflect --accept --no-model\\ntotal = t[\"Revenue\"].sum()')"
    assert notebook.run(f"%%reflect --no-model\n{inner}\ndouble = total * 2").success
    assert reflex_magic.last_report().status == "passed"
    assert notebook.run("assert double == 6").success


def test_a_cell_that_unloads_the_extension(notebook: Notebook) -> None:
    assert notebook.run("%%reflect --no-model\n%unload_ext reflex_magic\nx = 5\nx").result == 5
    notebook.run("%load_ext reflex_magic")
    assert notebook.run("%%reflect --no-model\nx + 1").result == 6
