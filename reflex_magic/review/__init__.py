"""What a person sees and decides: text, HTML, widget. Reads reports; runs nothing."""

from __future__ import annotations

from reflex_magic.core.report import MIMETYPE
from reflex_magic.review import text
from reflex_magic.review.display import Review, bundle
from reflex_magic.review.request import cell_id
from reflex_magic.review.unattended import attended

__all__ = ["MIMETYPE", "Review", "attended", "bundle", "cell_id", "text"]
