"""A model's answer: its fixed parts, how it is read, and what is refused.

The edits are a closed set: replace, insert or delete a numbered statement. A model that cannot
write JSON answers with the whole cell in a fence; that is taken apart into the same edits, so that
statements it did not change stay as they are, to the byte.
"""

from __future__ import annotations

import ast
import difflib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reflex_magic.core.card import cut
from reflex_magic.core.cell import Cell, Edit, Span, Step
from reflex_magic.core.judge import assertions, dropped
from reflex_magic.core.proposal import Reflection

ACTIONS = ("replace", "insert", "delete")

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "symptom": {"type": "string"},
        "root_cause": {"type": "string"},
        "changes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "action": {"type": "string", "enum": list(ACTIONS)},
                    "statement": {"type": "integer"},
                    "code": {"type": "string"},
                },
                "required": ["action", "statement", "code"],
                "additionalProperties": False,
            },
        },
        "evidence": {"type": "string"},
        "resume_step": {"type": "integer"},
    },
    "required": ["symptom", "root_cause", "changes", "evidence", "resume_step"],
    "additionalProperties": False,
}
"""The answer as JSON Schema. No `maxLength`: a grammar would cut code in the middle of a line."""

_HEDGE = re.compile(
    r"\b(maybe|perhaps|possibly|probably|might|could be|may be due|not sure|unsure|unclear|i think|i guess|seems?"
    r"|appears to|likely|unknown (?:reason|cause|error)|something (?:is|went|may)|some (?:kind|sort) of)\b",
    re.IGNORECASE,
)
_CHORE = re.compile(
    r"^\W*(?:please |you (?:should|need to|must|can) )?(?:check|verify|make sure|ensure|double-check|inspect|review"
    r"|investigate|look (?:at|into)|try|consider)\b",
    re.IGNORECASE,
)
_IMPOSSIBLE = re.compile(
    r"\b(?:can(?:no|')t be (?:done|fixed|repaired|determined|solved)|impossible|not possible|unable to|no way to"
    r"|cannot (?:fix|repair|determine|help)|not enough (?:information|context))\b",
    re.IGNORECASE,
)
_FENCE = re.compile(r"```[ \t]*(?:[\w+.-]*)[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
_THINK = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)


class Refused(ValueError):
    """An answer that is not used; the message says why, in words that a model can act on."""


@dataclass(frozen=True, slots=True)
class Change:
    """One edit of the closed set. `statement` is a step's number; `code` is Python."""

    action: str
    statement: int
    code: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said. `code` is a whole cell or its failing statement, from a fence; else ""."""

    symptom: str
    root_cause: str
    changes: tuple[Change, ...]
    evidence: str = ""
    resume_step: int | None = None
    code: str = ""


@dataclass(frozen=True, slots=True)
class Repair:
    """An answer that may be tried: its edits, the cell they make, and the account of it.

    `stated` is False when the answer was code alone and named no cause.
    """

    edits: tuple[Edit, ...]
    cell: Cell
    reflection: Reflection
    stated: bool


def parse(text: str) -> Answer:
    """Read an answer: JSON first, as loosely as it may be wrapped, then code in a fence.

    Raises
    ------
    Refused
        There is neither, or there are two different blocks of code.
    """
    text = _THINK.sub("", text.replace("\ufeff", "")).strip()
    if not text:
        raise Refused("the answer is empty")
    for candidate in _json_candidates(text):
        found = _json_object(candidate)
        if found is not None:
            return _from_json(found)
    blocks = list(dict.fromkeys(b.strip("\n") for b in _FENCE.findall(text) if b.strip()))
    if len(blocks) > 1:
        raise Refused("the answer has two different blocks of code; give one")
    if blocks:
        words = [p for p in re.split(r"(?<=[.!?:])\s+|\n", text.partition("```")[0].strip()) if p.strip()]
        return Answer("", words[0].strip() if words else "", (), code=blocks[0])
    if _is_code(text):
        return Answer("", "", (), code=text)
    raise Refused("the answer is neither the JSON object asked for nor one block of Python")


def accept(
    answer: Answer,
    cell: Cell,
    failing: int | None,
    *,
    shown: Collection[int] | None = None,
    tried: Collection[str] = (),
    restore: Callable[[str], str] = str,
) -> Repair:
    """Turn an answer into edits of `cell`, or refuse it.

    Parameters
    ----------
    answer
        As read by `parse`.
    cell
        The cell that the answer is about.
    failing
        Number of the failing statement; None when it cannot be told.
    shown
        The statements that the model has seen in full; None for all.
    tried
        Fingerprints of cells that failed before.
    restore
        Turns marks of redacted values back; raises ValueError for an unknown mark.

    Raises
    ------
    Refused
        The answer is vague, changes nothing, is not Python, was tried before, drops an
        assertion or a name, or changes what the model has not seen.
    """
    stated = _judge_words(answer)
    try:
        answer = replace(
            answer,
            code=restore(answer.code),
            changes=tuple(replace(c, code=restore(c.code)) for c in answer.changes),
        )
    except ValueError as error:
        raise Refused(str(error)) from None
    changes = answer.changes
    if not cell.steps:
        code = answer.code or "\n".join(c.code for c in changes)
        edits: tuple[Edit, ...] = tuple(_line_edits(cell, code))
        expected = None
    else:
        if answer.code:
            changes = tuple(_changes_from_code(cell, answer.code, failing))
        expected = _expected(cell, changes, shown)
        edits = tuple(_statement_edit(cell, c) for c in changes)
    try:
        after = cell.apply(edits)
    except ValueError as error:
        raise Refused(f"the change cannot be made: {error}") from None
    _judge_cell(cell, after, expected, tried)
    said = _in_words(changes) if expected else "rewrite the cell so that it is Python"
    resume = answer.resume_step
    reflection = Reflection(
        cut(answer.symptom),
        cut(answer.root_cause) if stated else "",
        cut(said),
        cut(answer.evidence),
        resume if resume is not None and 0 <= resume <= len(cell.steps) else None,
    )
    return Repair(edits, after, reflection, stated)


# --- reading --------------------------------------------------------------------------------


def _json_candidates(text: str) -> Iterator[str]:
    yield text
    for block in _FENCE.findall(text):
        if block.lstrip().startswith("{"):
            yield block
    start = text.find("{")
    while start >= 0:
        yield text[start:]
        start = text.find("{", start + 1)


def _json_object(text: str) -> Mapping[str, Any] | None:
    """The object at the start of `text`, when it is one of ours; whatever follows is ignored."""
    try:
        # strict=False: some grammars let raw line ends into strings
        found, _ = json.JSONDecoder(strict=False).raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and not {"changes", "root_cause"}.isdisjoint(found) else None


def _from_json(found: Mapping[str, Any]) -> Answer:
    changes = found.get("changes")
    if not isinstance(changes, list):
        raise Refused("changes must be a list of edits")
    resume = found.get("resume_step")
    return Answer(
        _text(found, "symptom"),
        _text(found, "root_cause"),
        tuple(map(_change, changes)),
        _text(found, "evidence"),
        resume if isinstance(resume, int) and not isinstance(resume, bool) else None,
    )


def _change(found: object) -> Change:
    if not isinstance(found, dict) or found.get("action") not in ACTIONS:
        raise Refused(f"each change needs an action out of {', '.join(ACTIONS)}")
    number, code = found.get("statement"), found.get("code", "")
    if isinstance(number, bool) or not isinstance(number, int):
        raise Refused("each change needs the number of a statement")
    if not isinstance(code, str):
        raise Refused("the code of a change must be text")
    fenced = _FENCE.search(code)
    return Change(found["action"], number, (fenced[1] if fenced else code).strip("\n"))


def _text(found: Mapping[str, Any], key: str) -> str:
    value = found.get(key)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _is_code(text: str) -> bool:
    """Whether bare text is code: it parses, and is more than a word."""
    try:
        nodes = ast.parse(text).body
    except (SyntaxError, ValueError):
        return False
    return any(not (isinstance(n, ast.Expr) and isinstance(n.value, (ast.Name, ast.Constant))) for n in nodes)


# --- placing --------------------------------------------------------------------------------


def _changes_from_code(cell: Cell, code: str, failing: int | None) -> Iterator[Change]:
    """The changes that turn the cell into `code`, or its failing statement into it."""
    new = Cell(code, 0, cell.transform)
    _parsed(new)
    old_keys, new_keys = _keys(cell), _keys(new)
    if not new.steps:
        raise Refused("the answer has no statement")
    imports = {k for k, n in zip(old_keys, cell.tree.body, strict=True) if isinstance(n, (ast.Import, ast.ImportFrom))}
    own = [i for i, k in enumerate(new_keys) if k not in imports]
    if failing is not None and len(own) < len(cell.steps) and not set(old_keys) & {new_keys[i] for i in own}:
        # nothing of the cell but its imports comes back: this is the failing statement alone
        yield Change("replace", failing, "\n".join(_own_text(new, new.steps[i]) for i in own))
        return
    matcher = difflib.SequenceMatcher(None, old_keys, new_keys, autojunk=False)
    for kind, i, end, j, new_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        text = "\n".join(_own_text(new, s) for s in new.steps[j:new_end])
        if kind == "insert":
            yield Change("insert", i, text)
            continue
        if kind == "delete":
            raise Refused(f"the answer leaves out statement {i}: `{_head(cell.steps[i])}`")
        yield Change("replace", i, text)
        yield from (Change("delete", n, "") for n in range(i + 1, end))


def _expected(cell: Cell, changes: Sequence[Change], shown: Collection[int] | None) -> list[str]:
    """The keys of the statements that the changed cell must have."""
    if not changes:
        raise Refused("the answer changes nothing")
    slots: list[list[str]] = [[k] for k in _keys(cell)]
    before: list[list[str]] = [[] for _ in range(len(slots) + 1)]
    touched: set[int] = set()
    for change in changes:
        n, last = change.statement, len(slots) - (change.action != "insert")
        if not 0 <= n <= last:
            raise Refused(f"there is no statement {n}; the last is {len(slots) - 1}")
        keys = []
        if change.action != "delete":
            if not change.code.strip():
                raise Refused(f"the change of statement {n} has no code")
            keys = _keys(Cell(change.code, 0, cell.transform))
            if not keys:
                raise Refused(f"the change of statement {n} has no code")
        if change.action == "insert":
            before[n] += keys
            continue
        if n in touched:
            raise Refused(f"statement {n} is changed twice")
        if shown is not None and n not in shown:
            raise Refused(f"statement {n} was not shown in full, so it must stay as it is")
        touched.add(n)
        slots[n] = keys
    return [k for i, slot in enumerate([*slots, []]) for k in (*before[i], *slot)]


def _statement_edit(cell: Cell, change: Change) -> Edit:
    steps, code = cell.steps, change.code.strip("\n")
    if change.action == "insert":
        if change.statement < len(steps):
            span = steps[change.statement].span
            return Edit(Span(span.line, span.column, span.line, span.column), code + "\n")
        line = steps[-1].span.end_line
        column = len(cell.python_lines[line - 1]) + 1
        return Edit(Span(line, column, line, column), "\n" + code)
    span = steps[change.statement].span
    if change.action == "replace":
        return Edit(span, code)
    alone = all(s.span.end_line < span.line or s.span.line > span.end_line for s in steps if s.span != span)
    if alone and span.end_line < len(cell.python_lines) and cell.editable(Span(span.line, 1, span.end_line + 1, 1)):
        return Edit(Span(span.line, 1, span.end_line + 1, 1), "")
    return Edit(span, "")


def _line_edits(cell: Cell, code: str) -> Iterator[Edit]:
    """Edits that turn a cell which is not Python into `code`; lines that stay are not touched."""
    if not code.strip():
        raise Refused("the answer changes nothing")
    old, new = list(cell.lines), code.strip("\n").split("\n")
    for kind, i, end, j, new_end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        text = "\n".join(new[j:new_end])
        if kind == "insert":
            at = i + cell.offset + 1
            if i < len(old):
                yield Edit(Span(at, 1, at, 1), text + "\n")
            else:
                yield Edit(Span(at - 1, len(old[-1]) + 1, at - 1, len(old[-1]) + 1), "\n" + text)
            continue
        yield Edit(Span(i + cell.offset + 1, 1, end + cell.offset, len(old[end - 1]) + 1), text)


def _keys(cell: Cell) -> list[str]:
    return [ast.dump(n) for n in _parsed(cell).body]


def _parsed(cell: Cell) -> ast.Module:
    try:
        return cell.tree
    except (SyntaxError, ValueError) as error:
        what = error.msg if isinstance(error, SyntaxError) else str(error)
        line = (error.lineno or 1) - cell.offset if isinstance(error, SyntaxError) else 1
        raise Refused(f"the code is not Python: {what}, line {line}") from None


def _own_text(cell: Cell, step: Step) -> str:
    if not cell.editable(step.span):
        raise Refused("the code uses IPython commands")
    return cell.text(step.span)


def _head(step: Step) -> str:
    return cut(step.source.split("\n")[0], 60)


def _in_words(changes: Sequence[Change]) -> str:
    done = {"replace": "replace statement", "insert": "insert before statement", "delete": "delete statement"}
    return ", ".join(f"{done[c.action]} {c.statement}" for c in changes)


# --- judging --------------------------------------------------------------------------------


def _judge_words(answer: Answer) -> bool:
    """Whether the cause is named; refuses an account that is vague."""
    cause = re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"", "x", answer.root_cause)
    offered = bool(answer.changes or answer.code)
    if _IMPOSSIBLE.search(cause) and not offered:
        raise Refused("it says that nothing can be done, without a concrete alternative")
    if not offered:
        raise Refused("the answer changes nothing")
    vague = len(cause.split()) < 3 or _HEDGE.search(cause) or _CHORE.search(cause) or _IMPOSSIBLE.search(cause)
    if not vague:
        return not answer.code or not cause.endswith(":")
    if answer.code:
        # code alone: the words around it are no account, and a person will have to judge
        return False
    raise Refused("root_cause is empty or vague; say what is wrong, in one definite sentence")


def _judge_cell(cell: Cell, after: Cell, expected: Sequence[str] | None, tried: Collection[str]) -> None:
    if expected is not None and [ast.dump(n) for n in _quiet_tree(after).body] != list(expected):
        raise Refused("the change does not fit where it belongs; replace the whole statement")
    _parsed(after)
    if after.fingerprint == cell.fingerprint:
        raise Refused("the answer changes nothing")
    if after.fingerprint in tried:
        raise Refused("the same change was tried already and failed")
    gone = [c.source for c in dropped(cell, after)] if cell.steps else _lost_assertions(cell, after)
    if gone:
        raise Refused(f"it drops or changes the assertion `{cut(gone[0], 80)}`")
    if cell.steps:
        lost = bound(cell) - bound(after)
        if lost:
            raise Refused(f"the cell no longer assigns `{min(lost)}`")
    if _elided(after) > _elided(cell):
        raise Refused("it has `...` in place of code")
    invented = _invented(cell, after)
    if invented:
        raise Refused(f"it replaces `{invented}` by data written into the code")


def bound(cell: Cell) -> set[str]:
    """The names that the cell assigns or defines, outside of functions; loop variables do not count."""
    names: set[str] = set()
    todo: list[ast.AST] = [cell.tree]
    while todo:
        node = todo.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
                continue
            case ast.Assign():
                names |= {n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name) and _stored(n)}
            case ast.AugAssign(target=ast.Name(id=name)) | ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.NamedExpr(target=ast.Name(id=name)):
                names.add(name)
        todo += ast.iter_child_nodes(node)
    return names


def _stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _lost_assertions(cell: Cell, after: Cell) -> list[str]:
    """The assertion lines of a cell that is not Python and that are not at the top of the rewrite."""
    kept = [ast.unparse(ast.parse(f"assert {c.source}")) for c in assertions(after)]
    texts = [line.strip() for line in cell.lines if line.startswith("assert ")]
    whole = {" ".join(s.source.split()) for s in after.steps} | set(kept)
    return [t for t in texts if not any(w.startswith(" ".join(t.split())) for w in whole)]


def _elided(cell: Cell) -> int:
    return sum(isinstance(n, ast.Expr) and getattr(n.value, "value", None) is ... for n in ast.walk(_quiet_tree(cell)))


def _invented(cell: Cell, after: Cell) -> str:
    """A name that the cell works on and that the rewrite sets to a table of literals."""
    before = set(map(ast.dump, ast.walk(_quiet_tree(cell))))
    used = {n.id for n in ast.walk(_quiet_tree(cell)) if isinstance(n, ast.Name)}
    for node in ast.walk(after.tree):
        if not isinstance(node, ast.Assign) or ast.dump(node) in before or not isinstance(node.value, ast.Call):
            continue
        called = node.value.func
        name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
        values = [*node.value.args, *(k.value for k in node.value.keywords)]
        literal = values and not any(isinstance(n, ast.Name) for v in values for n in ast.walk(v))
        targets = [t.id for t in node.targets if isinstance(t, ast.Name) and t.id in used]
        if name in ("DataFrame", "Series", "from_dict", "from_records") and literal and targets:
            return targets[0]
    return ""


def _quiet_tree(cell: Cell) -> ast.Module:
    try:
        return cell.tree
    except (SyntaxError, ValueError):
        return ast.Module([], [])
