"""A confined child for foreign code: forked, scrubbed, behind Landlock and seccomp.

A model's code never runs in the analyst's kernel. It runs in a child that can compute with
everything the kernel holds, and change nothing outside itself; what it made comes back as data.
"""

from __future__ import annotations

from pathlib import Path

from reflex_magic.errors import ReflexError
from reflex_magic.execute.confine import level as levels
from reflex_magic.execute.confine.answer import Confined, NotConfined, Work

__all__ = ["Confined", "Confinement"]

MEMORY = 2 << 30


class Confinement:
    """Runs foreign code where it can do no harm.

    Parameters
    ----------
    folder
        The working folder that the code sees a private copy of; None: the one at the time.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    @property
    def level(self) -> str:
        """How well foreign code is confined here: S3, S2, S1 or S0. The first use probes.

        S3: Landlock and seccomp. S2: seccomp only: nothing can be written, reading is free. S1:
        a fork and a tripwire, which code can get around. S0: no fork (Windows, macOS, or a
        library that does not survive one).
        """
        return levels.level()

    def run(self, work: Work, *, seconds: float, memory: int = MEMORY) -> Confined:
        """Do `work` in a confined child and bring back what it made.

        Parameters
        ----------
        work
            Called in the child. Gives ``{"values": {name: object}, "plain": JSON-able}``.
        seconds
            Wall time after which the child is ended.
        memory
            Bytes that it may use on top of what this process has.

        Raises
        ------
        ReflexError
            Foreign code cannot be confined here (`level` S1 or S0).
        KeyboardInterrupt
            A person interrupted; the child is gone.
        """
        level = self.level
        if level not in (levels.FULL, levels.READ_ONLY):
            raise ReflexError(f"foreign code cannot be confined here (level {level})")
        from reflex_magic.execute.confine import trial  # of Linux only

        try:
            return trial.run(work, (self.folder or Path.cwd()).resolve(), levels.layers(level), seconds, memory)
        except NotConfined as error:
            raise ReflexError(f"foreign code cannot be confined here ({error})") from None
