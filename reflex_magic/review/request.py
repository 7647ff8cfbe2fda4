"""What the front end said with the request that is being carried out."""

from __future__ import annotations

from typing import Any


def request(shell: Any) -> dict[str, Any]:
    """The message that asked for this execution; empty outside a kernel."""
    parent = shell.get_parent() if hasattr(shell, "get_parent") else None
    return parent if isinstance(parent, dict) else {}


def cell_id(shell: Any) -> str | None:
    """The id of the cell that is being run, as in the notebook file; None where nobody says.

    JupyterLab and Notebook 7 send it, and VS Code an address of its own. nbclient, papermill
    and terminals do not.
    """
    found = request(shell).get("metadata", {}).get("cellId")
    return found if isinstance(found, str) and found else None


def in_kernel(shell: Any) -> bool:
    """Whether a kernel serves this shell (a terminal's shell has none)."""
    return getattr(shell, "kernel", None) is not None
