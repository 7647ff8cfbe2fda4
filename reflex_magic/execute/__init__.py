"""Runs cells: statement by statement, with checkpoints, trials that leave no trace, commit and undo."""

from __future__ import annotations

from reflex_magic.execute.executor import CellExecutor

__all__ = ["CellExecutor"]
