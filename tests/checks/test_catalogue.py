"""The catalogue itself: every entry is registered, documented and does what its example says."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import shlex

import pytest

import reflex_magic.checks as catalogue
from reflex_magic.checks import CHECKS, Check, check_all
from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed, Run
from tests.observe.stepper import run_body


def _defined() -> list[type[Check]]:
    modules = [
        importlib.import_module(f"{catalogue.__name__}.{m.name}") for m in pkgutil.iter_modules(catalogue.__path__)
    ]
    classes = [c for m in modules for _, c in inspect.getmembers(m, inspect.isclass) if c.__module__ == m.__name__]
    return [c for c in classes if issubclass(c, Check) and c is not Check]


def test_every_check_is_registered() -> None:
    registered = {type(check) for check in CHECKS}
    missing = [f"    {c.__name__}()," for c in _defined() if c not in registered]
    assert not missing, "add to CHECKS in reflex_magic/checks/__init__.py:\n" + "\n".join(missing)


def test_names_are_unique_and_are_those_of_their_files() -> None:
    names = [check.name for check in CHECKS]
    assert len(set(names)) == len(names)
    for check in CHECKS:
        assert check.code == check.name
        assert type(check).__module__.rpartition(".")[2] == check.name.replace("-", "_")


def test_checks_do_not_import_each_other() -> None:
    files = {type(check).__module__ for check in CHECKS}
    for check in CHECKS:
        source = inspect.getsource(inspect.getmodule(type(check)))  # type: ignore[arg-type]
        imported = set(re.findall(r"^from (reflex_magic\.\S+) import", source, re.MULTILINE))
        assert imported.isdisjoint(files)


def _options(check: Check) -> dict[str, object]:
    """The options on the ``%%reflect`` line of an example, as far as a run needs them."""
    line = re.search(
        r"^%%reflect(.*)$", inspect.cleandoc(type(check).__doc__ or "").replace("    %%", "%%"), re.MULTILINE
    )
    words = shlex.split(line.group(1)) if line else []
    given = dict(zip(words[::2], words[1::2], strict=True))
    options: dict[str, object] = {}
    if "--expect" in given:
        options["expect"] = (given["--expect"],)
    if "--timeout" in given:
        options["timeout"] = float(given["--timeout"])
    return options


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.name)
def test_the_example_is_found_and_its_clean_cell_is_not(check: Check) -> None:
    example = check.example()
    assert example.kind == "clean"
    found = list(check.check(run_body(example.cell, example.setup, **_options(check))))
    assert [f.code for f in found] == [check.name]
    assert found[0].message
    assert run_body(example.after, example.setup).cell.tree

    clean = run_body(example.after, example.setup, **_options(check))
    assert isinstance(clean.outcome, Completed)
    assert check_all(clean) == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.name)
def test_the_finding_stands_where_it_says(check: Check) -> None:
    example = check.example()
    run = run_body(example.cell, example.setup, **_options(check))
    for finding in check.check(run):
        if finding.span is not None:
            assert run.cell.text(finding.span).split("\n")[0] == finding.expression


def test_explain_shows_the_docstring() -> None:
    for check in CHECKS:
        assert check.explain().startswith(check.name + "\n===")
        assert check.summary().endswith((".", ";"))


class _Broken(Check):
    name = "broken"

    def check(self, run: Run):  # type: ignore[no-untyped-def]
        yield Finding(self.code, Severity.MAY, None, "", "found before it broke")
        raise ZeroDivisionError


def test_a_broken_check_is_a_note_and_the_others_go_on() -> None:
    run = run_body("x = [1][2]")
    findings = check_all(run, (_Broken(), *CHECKS))
    assert [(f.code, f.severity) for f in findings] == [
        ("raised", Severity.MUST),
        ("broken", Severity.MAY),
        ("broken", Severity.NOTE),
    ]
    assert "ZeroDivisionError" in findings[-1].message


def test_musts_come_first_and_then_lines() -> None:
    run = run_body(
        "n = df.groupby('k').size()\nm = pd.to_numeric(df['v'], errors='coerce')\nassert n.sum() == 3",
        "df = pd.DataFrame({'k': ['a', None, 'b'], 'v': ['1', '2,5', '3']})",
    )
    findings = check_all(run)
    assert [(f.code, f.span.line if f.span else 0) for f in findings] == [
        ("assertion-failed", 4),
        ("group-keys-dropped", 2),
        ("values-coerced-to-missing", 3),
    ]


def test_a_cell_that_is_not_python() -> None:
    findings = check_all(run_body("x = = 1"))
    assert [f.code for f in findings] == ["raised"]
    assert findings[0].message == "SyntaxError: invalid syntax in line 2"


def test_an_empty_cell() -> None:
    assert check_all(Run(Cell(""), Completed())) == []
