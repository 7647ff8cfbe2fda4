"""The newest report: the only state of the package outside its objects."""

from __future__ import annotations

from reflex_magic.core.report import Report

newest: Report | None = None
