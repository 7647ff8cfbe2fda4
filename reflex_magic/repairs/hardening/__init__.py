"""What could make a cell that passes sturdier or faster; offered under ``--harden``, never applied by itself."""

from __future__ import annotations

from reflex_magic.repairs.hardening.encoding_left_open import EncodingLeftOpen
from reflex_magic.repairs.hardening.loop_over_rows import LoopOverRows
from reflex_magic.repairs.hardening.merge_left_open import MergeLeftOpen
from reflex_magic.repairs.hardening.missing_keys_left_open import MissingKeysLeftOpen
from reflex_magic.repairs.hardening.repeated_text import RepeatedText
from reflex_magic.repairs.hardening.row_by_row import RowByRow
from reflex_magic.repairs.hardening.value_by_value import ValueByValue
from reflex_magic.repairs.rule import Repair

HARDENINGS: tuple[type[Repair], ...] = (
    LoopOverRows,
    RowByRow,
    ValueByValue,
    MergeLeftOpen,
    MissingKeysLeftOpen,
    EncodingLeftOpen,
    RepeatedText,
)
"""The rules of ``--harden``, in the order in which they are asked."""
