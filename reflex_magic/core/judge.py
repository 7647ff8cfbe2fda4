"""Judge a trial. Evidence only: what ran, what was asserted, what the checks found."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from reflex_magic.core.cell import Cell
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Completed, Condition, Interrupted, Raised, Run, TimedOut
from reflex_magic.core.proposal import Proposal, Verdict


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its reasons. `progress` is True when the run came further than before."""

    verdict: Verdict
    reasons: tuple[str, ...]
    progress: bool = False


def signature(run: Run) -> str:
    """Equal for the same failure at the same code; empty for a run that completed."""
    match run.outcome:
        case Raised() as r:
            where = run.cell.text(r.span) if r.span and run.cell.editable(r.span) else str(r.step)
            return f"{r.ename}: {r.evalue[:200]} @ {where}"
        case TimedOut() as t:
            return f"timeout @ {t.step}"
        case Interrupted():
            return "interrupted"
        case Completed():
            return ""


def assertions(cell: Cell) -> tuple[Condition, ...]:
    """The top-level assertions of a cell, as conditions that every rewrite has to keep."""
    try:
        nodes = cell.tree.body
    except (SyntaxError, ValueError):
        return ()
    return tuple(
        Condition(ast.unparse(n.test), "assert", span=cell.span(n)) for n in nodes if isinstance(n, ast.Assert)
    )


def end_state(cell: Cell, condition: Condition) -> bool:
    """Whether an assertion can be evaluated after the cell: none of its names is written later."""
    names = {n.id for n in ast.walk(ast.parse(condition.source)) if isinstance(n, ast.Name)}
    later = [n for n in cell.tree.body if condition.span and n.lineno > condition.span.end_line]
    written = {n.id for s in later for n in ast.walk(s) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    touched = {
        n.value.id
        for s in later
        for n in ast.walk(s)
        if isinstance(n, (ast.Subscript, ast.Attribute))
        and not isinstance(n.ctx, ast.Load)
        and isinstance(n.value, ast.Name)
    }
    return names.isdisjoint(written | touched)


def dropped(original: Cell, rewrite: Cell) -> tuple[Condition, ...]:
    """The original's assertions that no longer stand at the rewrite's top level."""
    kept = [c.source for c in assertions(rewrite)]
    gone = []
    for condition in assertions(original):
        if condition.source in kept:
            kept.remove(condition.source)
        else:
            gone.append(condition)
    return tuple(gone)


def judge(
    original: Cell,
    base: Run,
    base_findings: Sequence[Finding],
    trial: Run,
    findings: Sequence[Finding],
    proposal: Proposal,
    overcome: Collection[str],
) -> Judgement:
    """Judge one trial against the run it started from.

    `overcome` are the signatures of failures that earlier proposals of this cell resolved.
    """
    gone = dropped(original, trial.cell)
    if gone:
        return Judgement(Verdict.FAILS, tuple(f"drops the assertion `{c.source}`" for c in gone))
    if trial.denied:
        return Judgement(Verdict.INCONCLUSIVE, tuple(f"the confined run refused: {d}" for d in trial.denied))

    failed = signature(trial)
    if failed and failed in overcome:
        return Judgement(Verdict.REGRESSES, ("brings an earlier failure back",))
    broken = [c for c in trial.conditions if c.held is False]
    base_musts = {f.key for f in base_findings if f.severity is Severity.MUST}
    musts = [f for f in findings if f.severity is Severity.MUST]
    answered = [f for f in findings if f.code in proposal.answers and _still(f, findings, base_findings)]

    match trial.outcome:
        case Interrupted():
            return Judgement(Verdict.INCONCLUSIVE, ("interrupted",))
        case TimedOut() as t:
            return Judgement(Verdict.FAILS, (f"ran longer than {t.seconds:g} s",))
        case Raised() as r:
            same = failed == signature(base)
            said = f"{r.ename}: {r.evalue}".strip().split("\n")[0][:200]
            return Judgement(Verdict.FAILS, (said,), progress=not same and _further(base, trial))
        case Completed():
            pass
    if broken:
        reasons = tuple(f"`{c.source}` does not hold{': ' + c.message if c.message else ''}" for c in broken)
        return Judgement(Verdict.FAILS, reasons)
    if musts:
        new = [f for f in musts if f.key not in base_musts]
        verdict = Verdict.REGRESSES if new and isinstance(base.outcome, Completed) else Verdict.FAILS
        return Judgement(verdict, tuple(f.message for f in musts), progress=not isinstance(base.outcome, Completed))
    if answered and isinstance(base.outcome, Completed):
        return Judgement(Verdict.FAILS, tuple(f"still found: {f.message}" for f in answered))
    unknown = [c for c in trial.conditions if c.held is None]
    doubts = [*trial.doubts, *(f"`{c.source}` could not be evaluated: {c.message}" for c in unknown)]
    if not proposal.origin.startswith("rule:"):
        doubts += suspicions(original, trial.cell, trial.conditions)
    if doubts:
        return Judgement(Verdict.INCONCLUSIVE, tuple(doubts))
    held = tuple(f"`{c.source}` holds" for c in trial.conditions)
    return Judgement(Verdict.HOLDS, ("every step ran", *held))


def _still(finding: Finding, findings: Sequence[Finding], base: Sequence[Finding]) -> bool:
    """Whether a finding is an old one: the same code, or rewritten code in which as many of its kind were found."""
    if finding.key in {f.key for f in base}:
        return True
    now, before = ([f for f in every if f.code == finding.code] for every in (findings, base))
    return len(now) >= len(before)


LONGER = 20_000
"""A repair that adds so many characters is no repair that a person has read."""


def suspicions(original: Cell, rewrite: Cell, conditions: Sequence[Condition] = ()) -> list[str]:
    """Signs that a rewrite answers what is asserted and not what was asked.

    Such a rewrite can hold and be wrong, so a person decides.
    """
    found = []
    if len(rewrite.body) - len(original.body) > LONGER:
        found.append(f"adds {len(rewrite.body) - len(original.body)} characters")
    if any(not c.isprintable() and c not in "\n\r\t\f" for c in set(rewrite.body) - set(original.body)):
        found.append("has characters that cannot be seen")
    before, after = _assigned(original), _assigned(rewrite)
    found += [f"hides `{name}` of Python" for name in after.keys() - before.keys() if hasattr(builtins, name)]
    found += [f"deletes `{name}`" for name in sorted(_deleted(rewrite) - _deleted(original))]
    known = {ast.dump(v) for values in before.values() for v in values}
    asserted = [ast.parse(c.source, mode="eval") for c in (*assertions(original), *conditions)]
    for name, values in after.items():
        new = [v for v in values if ast.dump(v) not in known]
        if new and name in before and all(not _reads(v) for v in new) and any(map(_reads, before[name])):
            found.append(f"sets `{name}` to what is written in the code")
        for test in asserted:
            inner = [n for n in ast.walk(test) if isinstance(n, ast.expr)]
            parts = {ast.dump(n) for n in inner if not isinstance(n, ast.Name)}
            if any(ast.unparse(n) == name for n in inner) and any(ast.dump(v) in parts for v in new):
                found.append(f"sets `{name}` to what `{ast.unparse(test)}` compares it with")
    used, uses = _sources(original), _sources(rewrite)
    for name in used.keys() & uses.keys():
        lost = used[name] - uses[name]
        if lost and uses[name] < used[name]:
            found.append(f"`{name}` no longer depends on {', '.join(f'`{n}`' for n in sorted(lost))}")
    return list(dict.fromkeys(found))


def _reads(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _deleted(cell: Cell) -> set[str]:
    nodes = cell.nodes if cell.steps else ()
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)}


def _assigned(cell: Cell) -> dict[str, list[ast.expr]]:
    """Every target that the cell assigns to, anywhere, as text, with the values."""
    found: dict[str, list[ast.expr]] = {}
    for node in cell.nodes if cell.steps else ():
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for part in ast.walk(target):
                    if not isinstance(part, (ast.Name, ast.Subscript, ast.Attribute)):
                        continue
                    if isinstance(part.ctx, ast.Store):
                        found.setdefault(ast.unparse(part), []).append(node.value)
    return found


def _sources(cell: Cell) -> dict[str, set[str]]:
    """For each name that the statements bind, the names from before the cell that it is made from."""
    found: dict[str, set[str]] = {}
    for statement in cell.tree.body if cell.steps else ():
        read = set().union(*(found.get(n, {n}) for n in _reads(statement) if not hasattr(builtins, n)))
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found[node.id] = read | (found.get(node.id, set()) if isinstance(statement, ast.AugAssign) else set())
    return found


def _further(base: Run, trial: Run) -> bool:
    """Whether the trial's failing step comes later in the cell than the base's did.

    Steps are compared by how many follow, since a repair may insert some before.
    """
    if base.failed_step is None:
        return trial.failed_step is not None
    if trial.failed_step is None:
        return False
    behind = len(base.cell.steps) - base.failed_step
    return len(trial.cell.steps) - trial.failed_step < behind
