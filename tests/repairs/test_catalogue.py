from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import replace

import pytest

import reflex_magic.repairs
from reflex_magic.checks import check_all
from reflex_magic.core.cell import Span
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed
from reflex_magic.core.ports import Attempt, Context
from reflex_magic.core.proposal import Applicability, Proposal
from reflex_magic.core.report import Tokens
from reflex_magic.observe.values import LiveValues
from reflex_magic.repairs.answer import Answer
from reflex_magic.repairs.catalogue import REPAIRS
from reflex_magic.repairs.proposer import RuleProposer
from reflex_magic.repairs.rule import Repair
from tests.observe.stepper import run_body
from tests.repairs.conftest import Bench, applied

Ask = Callable[..., list[Proposal]]

FINDINGS: dict[str, tuple[str, str]] = {
    "missing-group-keys": ("group-keys-dropped", "groupby"),
    "na-text-read-as-missing": ("group-keys-dropped", "groupby"),
    "group-result-beside-rows": ("rows-do-not-line-up", "sum"),
    "spellings-missed": ("recoding-misses-spellings", "map"),
    "numbers-joined": ("numbers-joined-as-text", "sum"),
}
"""Rules that answer a finding: its code, and the function whose call it points at."""

EVIDENCE = {"na-text-read-as-missing": {"keys": ["country"]}}


def _findings(rule: type[Repair], context: Context) -> tuple[Finding, ...]:
    """The finding of the rule's example, at the first call that contains the marked text."""
    import ast

    if rule.name not in FINDINGS:
        return ()
    code, marked = FINDINGS[rule.name]
    spans: list[Span] = [
        context.cell.span(n)
        for n in ast.walk(context.cell.tree)
        if isinstance(n, ast.Call) and context.cell.text(context.cell.span(n.func)).endswith(marked)
    ]
    return tuple(
        Finding(code, Severity.MAY, s, context.cell.text(s), "found", evidence=EVIDENCE.get(rule.name, {}))
        for s in spans[:1]
    )


def _observed(bench: Bench, setup: str, cell: str) -> Context:
    """What a rule is asked with after a run that was observed and checked."""
    run = run_body(cell, setup)
    return Context(run.cell, run, tuple(check_all(run)), LiveValues(run.handle, {}, bench.folder))  # type: ignore[arg-type]


def _unregistered(names: list[str], registered: set[str]) -> list[str]:
    return [n for n in names if n not in registered]


def _rule_classes() -> dict[str, str]:
    """Class name by module, for every rule that stands in a file of the room."""
    found = {}
    for module in pkgutil.iter_modules(reflex_magic.repairs.__path__):
        loaded = importlib.import_module(f"reflex_magic.repairs.{module.name}")
        for name, value in vars(loaded).items():
            if inspect.isclass(value) and issubclass(value, Repair) and value.__module__ == loaded.__name__:
                found[name] = module.name
    for base in (Repair, Answer):
        found.pop(base.__name__)
    return found


@pytest.mark.parametrize("rule", REPAIRS, ids=lambda r: r.name)
def test_the_example_fails_is_repaired_and_then_runs(rule: type[Repair], bench: Bench, ask: Ask) -> None:
    example = rule.example()
    answers = issubclass(rule, Answer)
    if answers:
        context = _observed(bench, example.setup, example.cell)
        findings = context.findings
    else:
        context = bench.earlier(example.setup).context(example.cell)
        findings = _findings(rule, context)
        context = replace(context, findings=findings)
    assert findings or not isinstance(context.run.outcome, Completed), "the example must fail"

    proposals = ask(context, rule)

    assert [applied(context, p) for p in proposals][:1] == [example.after]
    safe = proposals[0].applicability is Applicability.SAFE
    assert safe is (example.kind == "repaired")
    assert proposals[0].evidence
    if answers:
        after = _observed(bench, example.setup, example.after)
        assert [f.code for f in after.findings if f.severity is not Severity.NOTE] == []
        return
    fresh = Bench(bench.folder).earlier(example.setup)
    after = fresh.context(example.after)
    assert isinstance(after.run.outcome, Completed), after.run.outcome
    after = replace(after, findings=_findings(rule, after))
    assert ask(after, rule) == [], "the rule must be silent on its own result"


@pytest.mark.parametrize("rule", REPAIRS, ids=lambda r: r.name)
def test_a_rule_is_silent_where_nothing_failed(rule: type[Repair], bench: Bench, ask: Ask) -> None:
    assert ask(bench.context("total = 1 + 1"), rule) == []


def test_names_are_unique_and_say_the_file() -> None:
    names = [rule.name for rule in REPAIRS]
    assert len(set(names)) == len(names)
    for rule in REPAIRS:
        assert rule.__module__.rpartition(".")[2] == rule.name.replace("-", "_")
        assert rule.summary().endswith("."), rule.name


def test_every_rule_is_registered() -> None:
    registered = {rule.__name__ for rule in REPAIRS}
    for name, module in _rule_classes().items():
        assert name in registered, (
            f"add to reflex_magic/repairs/catalogue.py: from reflex_magic.repairs.{module} import {name}"
        )


def test_an_unregistered_rule_would_be_noticed() -> None:
    classes = _rule_classes()
    forgotten = next(iter(classes))
    assert _unregistered(list(classes), set(classes) - {forgotten}) == [forgotten]


class _Broken(Repair):
    """Raises."""

    name = "broken"

    def propose(self, context: Context) -> object:  # type: ignore[override]
        raise RuntimeError("oops")


def test_a_rule_that_raises_is_skipped_and_noted(bench: Bench) -> None:
    context = bench.earlier("import pandas as pd\ndf = pd.DataFrame({'revenue': [1]})").context("df['Revenue']")
    near = next(r for r in REPAIRS if r.name == "near-miss-column")
    proposer = RuleProposer((_Broken, near))  # type: ignore[arg-type]

    found = list(proposer.propose(context, Tokens()))

    assert [p.origin for p in found] == ["rule:near-miss-column"]
    assert proposer.notes == ["rule broken failed: RuntimeError: oops"]


def test_what_was_tried_is_not_offered_again(bench: Bench, ask: Ask) -> None:
    context = bench.earlier("import pandas as pd\ndf = pd.DataFrame({'revenue': [1]})").context("df['Revenue']")
    (first,) = ask(context)
    tried = replace(first, source=applied(context, first))

    assert ask(replace(context, tried=(Attempt(tried, "did not hold"),))) == []
