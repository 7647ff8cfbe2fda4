"""What all tests share: state of their own, and tests that run apart."""

from __future__ import annotations

import os
import traceback

import pytest


@pytest.fixture(autouse=True, scope="session")
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Copies of files that a killed test left behind are not the person's."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test marked `apart` in a forked child: what it imports is not loaded for the others.

    With polars in a process nothing can be confined there any more.
    """
    if pyfuncitem.get_closest_marker("apart") is None:
        return None
    names = pyfuncitem._fixtureinfo.argnames
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        said = ""
        try:
            pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
        except BaseException:
            said = traceback.format_exc()
        os.write(writing, said.encode()[:60_000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    assert os.waitpid(child, 0)[1] == 0, "the child crashed"
    if "Skipped" in said:
        pytest.skip(said.strip().rpartition("\n")[2])
    assert not said, said
    return True
