"""Loading the extension is cheap: what only some cells need is imported when they need it."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    *("openai", "nbformat", "nbclient", "ipywidgets", "anywidget", "rich", "charset_normalizer", "pygments.styles"),
    "reflex_magic.repairs.catalogue",
)

SCRIPT = f"""
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
before = set(sys.modules)
shell.run_line_magic("load_ext", "reflex_magic")
shell.run_cell("%%reflect\\nx = 1", store_history=True)
assert shell.user_ns["x"] == 1
print([m for m in {HEAVY!r} if m in set(sys.modules) - before])
"""


def test_a_passing_cell_imports_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip().splitlines()[-1] == "[]"
