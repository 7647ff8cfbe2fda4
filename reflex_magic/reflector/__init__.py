"""What a model is told, what it answers, and what of its answer is believed. It never runs anything."""

from reflex_magic.reflector.client import ModelSettings
from reflex_magic.reflector.proposer import ModelProposer

__all__ = ["ModelProposer", "ModelSettings"]
