"""Repairs by rule. The rules are some two hundred small files, loaded when the first cell needs one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reflex_magic.repairs.rule import Repair


def rules() -> tuple[type[Repair], ...]:
    """The rules, in the order in which they are asked."""
    from reflex_magic.repairs.catalogue import REPAIRS

    return REPAIRS


def hardenings() -> tuple[type[Repair], ...]:
    """The rules of ``--harden``, in the order in which they are asked."""
    from reflex_magic.repairs.hardening import HARDENINGS

    return HARDENINGS
