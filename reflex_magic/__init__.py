"""reflex-magic: a Jupyter cell that is checked against its own data, and repaired where it fails.

``%load_ext reflex_magic`` adds ``%%reflect`` and ``%reflect``; `reflect` does the same for source
and a namespace without IPython.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reflex_magic import state

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from IPython.core.interactiveshell import InteractiveShell

    from reflex_magic.core.report import Report

__version__ = "0.1.0"
__all__ = ["last_report", "load_ipython_extension", "reflect", "unload_ipython_extension"]


def last_report() -> Report | None:
    """The report of the newest reflected cell, or None."""
    return state.newest


def reflect(
    source: str, namespace: MutableMapping[str, Any], *, accept: bool = False, model: str | None = None, **settings: Any
) -> Report:
    """Run `source` in `namespace`, check it, and repair it where that is needed.

    Parameters
    ----------
    source
        Python source, as in a cell. What it prints is printed.
    namespace
        Changed as executing the source would change it; after an accepted repair, as executing
        the repaired source would. A trial that is not accepted leaves no trace.
    accept
        Commit the first safe proposal that holds. Otherwise it is only reported.
    model
        A model's name; without one REFLEX_MODEL is used, and without that nothing is sent.
    **settings
        ``goal``, ``expect`` (a sequence of expressions), ``rounds``, ``budget`` (tokens),
        ``timeout`` (seconds), ``use_model``, ``values``, ``important``; see `Settings`.

    Returns
    -------
    Report
        The cell's own exception, when it raises, is in the report and is not raised.

    Raises
    ------
    OptionError
        A setting does not exist or has a value that it cannot take.
    """
    from reflex_magic import options
    from reflex_magic.errors import OptionError
    from reflex_magic.session import Session

    if "policy" in settings:
        raise OptionError("`accept` says what happens to a proposal that holds; there is no setting `policy` here")
    chosen = options.from_keywords(policy="accept" if accept else "dry-run", model=model or "", **settings)
    session = Session(source, chosen, namespace)
    run = session.executor.run(session.cell, raw=source, number=0, conditions=session.conditions)
    state.newest = session.finish(run).report
    return state.newest


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register `%%reflect` and `%reflect`; called by ``%load_ext reflex_magic``."""
    from reflex_magic.magic import load

    load(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """Remove what `load_ipython_extension` added; called by ``%unload_ext reflex_magic``."""
    from reflex_magic.magic import unload

    unload(shell)
