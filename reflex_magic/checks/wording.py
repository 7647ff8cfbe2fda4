"""Words of comments that say what is meant by comparing, ordering and cutting off."""

from __future__ import annotations

import re

EXACT = re.compile(r"\b(case[- ]?sensitive\w*|exact\w*|as (it is )?(written|spelled)|on purpose|by design)\b", re.I)
"""Spelling counts."""

ORDER = re.compile(
    r"\b(alphabet\w*|letters?|lexic\w*|as (text|strings?|words)|text order|labels?|codes?|on purpose|by design)\b", re.I
)
"""The order of the letters is meant."""

WHOLE = re.compile(
    r"\b(trunc\w*|whole|floor\w*|round\w* down|cut\w*|fraction\w*|integer part|completed|full \w+)\b", re.I
)
"""What stands behind the point is left out."""
