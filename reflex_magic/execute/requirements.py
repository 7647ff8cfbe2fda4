"""What a frame or the namespace can be required to fulfil beyond an expression: a schema, a file of tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reflex_magic.errors import ReflexError

if TYPE_CHECKING:
    import pytest

SHOWN = 4
"""So many broken rules or failed tests are named."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a requirement is met; `message` says what is not."""

    met: bool
    message: str = ""

    def __bool__(self) -> bool:
        return self.met


def satisfies(frame: Any, schema: Any) -> Answer:
    """Whether a frame satisfies a pandera schema or model; each broken rule with how many rows break it."""
    try:
        schema.validate(frame, lazy=True)
    except Exception as error:
        cases = getattr(error, "failure_cases", None)
        if type(error).__name__ != "SchemaErrors" or cases is None:
            raise
        return Answer(False, _joined(_broken(cases)))
    return Answer(True)


def _broken(cases: Any) -> list[str]:
    """The broken rules. A row's value is data, and is not told; a column's name is."""
    told = []
    for (column, check), group in cases.groupby(["column", "check"], sort=False, dropna=False):
        if check == "column_in_dataframe":
            told += [f"there is no column `{name}`" for name in group["failure_case"]]
        elif group["index"].isna().all():
            told.append(f"`{column}`: {check} fails")
        else:
            told.append(f"`{column}`: {check} fails for {len(group):,} {'row' if len(group) == 1 else 'rows'}")
    return told


def _joined(told: list[str]) -> str:
    more = [f"{len(told) - SHOWN} more"] if len(told) > SHOWN else []
    return "; ".join([*told[:SHOWN], *more])


@dataclass
class _Watch:
    """A pytest plugin that lends the tests the names of a namespace, and notes what failed."""

    namespace: Mapping[str, Any]
    passed: int = 0
    failed: list[str] = field(default_factory=list)

    def pytest_runtest_setup(self, item: Any) -> None:
        """Give a test's module what it does not define or import itself."""
        for name, value in self.namespace.items():
            vars(item.module).setdefault(name, value)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be imported."""
        if report.failed:
            self.failed.append(str(report.longrepr).strip().rpartition("\n")[2])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that ended."""
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            said = crash.message.partition("\n")[0] if crash is not None else report.when
            self.failed.append(f"{report.nodeid.rpartition('::')[2]}: {said}")
        elif report.when == "call" and report.passed:
            self.passed += 1


def passes(path: str, namespace: Mapping[str, Any]) -> Answer:
    """Whether the tests of a pytest file pass, with the names of `namespace` that they do not define.

    Raises
    ------
    ReflexError
        pytest is not installed, there is no such file, or it has no tests.
    """
    if not Path(path).is_file():
        raise ReflexError(f"there is no file {path}")
    try:
        import pytest
    except ImportError:
        raise ReflexError("--tests needs pytest: pip install pytest") from None
    watch = _Watch(namespace)
    known, written = set(sys.modules), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        plain = ["-p", "no:cacheprovider", "-p", "no:terminal", "--import-mode=importlib", "-c", os.devnull]
        pytest.main([*plain, "--rootdir", str(Path(path).resolve().parent), path], plugins=[watch])
    finally:
        sys.dont_write_bytecode = written
        for name in set(sys.modules) - known:  # the file may be another one the next time
            if getattr(sys.modules[name], "__file__", None) == str(Path(path).resolve()):
                del sys.modules[name]
    if watch.failed:
        count = len(watch.failed)
        head = f"{count} of {count + watch.passed} tests {'fails' if count == 1 else 'fail'}"
        return Answer(False, f"{head}: {_joined(watch.failed)}")
    if not watch.passed:
        raise ReflexError(f"{path} has no tests")
    return Answer(True)
