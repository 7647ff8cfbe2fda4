"""Lessons: what was repaired once is repaired again without a model."""

from reflex_magic.lessons.lesson import Counts, Lesson
from reflex_magic.lessons.proposer import LessonProposer
from reflex_magic.lessons.store import JsonlLessons

__all__ = ["Counts", "JsonlLessons", "Lesson", "LessonProposer"]
