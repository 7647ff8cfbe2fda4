"""Whether anybody is there to answer.

The policy, stated: where a person can answer, a proposal that holds waits for them; where nobody
can, it is reported and the cell fails as it would have. `--accept` is the only way in which a
cell changes without a person, and somebody has to have typed it.

A person can answer
    in a kernel, when the front end names the cell or takes input (JupyterLab, Notebook 7, VS Code,
    Colab, a console);
    in a terminal, when both its input and its output are one.

Nobody can answer under nbclient, papermill and nbconvert, in a pipe and in plain Python.
"""

from __future__ import annotations

import sys
from typing import Any

from reflex_magic.review.request import cell_id, in_kernel, request


def attended(shell: Any) -> bool:
    """Whether a person can answer; see this module's text."""
    if shell is None:
        return False
    if in_kernel(shell):
        return cell_id(shell) is not None or request(shell).get("content", {}).get("allow_stdin") is True
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
