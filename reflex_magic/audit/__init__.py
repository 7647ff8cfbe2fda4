"""The audit trail: the record in a cell's output, and the audit notebook made of the records."""

from __future__ import annotations

from reflex_magic.audit.chain import Chain
from reflex_magic.audit.notebook import save
from reflex_magic.audit.record import from_notebook, make, read, verify, verify_notebook
from reflex_magic.core.report import MIMETYPE

__all__ = ["MIMETYPE", "Chain", "from_notebook", "make", "read", "save", "verify", "verify_notebook"]
