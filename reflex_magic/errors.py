"""The errors a user can meet, each rendered as one line.

IPython prints a full traceback even for subclasses of `UsageError`; an exception that has
`_render_traceback_` is shown as the lines it returns instead.
"""

from __future__ import annotations


class ReflexError(Exception):
    """Base of every error of this package. The message is one line that says what to do next."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class OptionError(ReflexError):
    """An option or subcommand that does not exist, or a value that it cannot take."""


class CellPending(ReflexError):
    """A proposal holds and waits for a person; raised so that "Run all" stops at the cell."""


class CellUnresolved(ReflexError):
    """Nothing that holds was found; the original failure is shown above this line."""


class StaleProposal(ReflexError):
    """The cell or its variables changed since the proposal was tried; nothing was done."""


class NothingToDo(ReflexError):
    """There is no failed cell, no pending proposal, or no report that the command could act on."""


class RecordError(ReflexError):
    """A notebook, lessons file or audit record cannot be read or written."""


class ModelError(ReflexError):
    """The model endpoint failed, refused, or answered something that cannot be used."""
