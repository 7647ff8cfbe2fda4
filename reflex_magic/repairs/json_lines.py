"""JSON with one document on each line, read as one document, and the other way round."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.rule import Repair

BYTES = 1 << 20


class JsonLines(Repair):
    r"""A file of JSON lines is read as one JSON document, or a document as lines.

    Every line is tried: when each is a document of its own, the lines are read one by one; when only the whole is
    one, it is read as a whole.

    A single line is offered only. Silent when neither the lines nor the whole are JSON.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("events.json").write_text('{"id": 1, "n": 3}\n{"id": 2, "n": 4}\n')
        %%reflect
        events = pd.read_json("events.json")
        %%repaired
        events = pd.read_json("events.json", lines=True)
    """

    name = "json-lines"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The lines, or the whole."""
        failure, node, cell = context.failure, syntax.failing(context), context.cell
        if failure is not None and failure.is_a("KeyError", "TypeError", "AttributeError"):
            # a document on one line is read as one row, and fails later
            yield from self._wholes(context)
        if failure is None or not failure.is_a("ValueError") or not isinstance(node, ast.Call) or not node.args:
            return
        called = syntax.dotted(node.func)
        reader = syntax.function_of(cell, node, "pandas")
        text = self._text(context, node, called == "json.loads")
        if not text:
            return
        lines = [line for line in text.splitlines() if line.strip()]
        if _documents(lines):
            evidence = f"each of the {len(lines)} lines is a JSON document of its own"
            blank = " if line.strip()" if len(lines) < len(text.splitlines()) else ""
            source = syntax.text(cell, node.args[0])
            if reader == "read_json" and syntax.keyword(node, "lines") is None:
                edit = syntax.add_keyword(cell, node, "lines", "True")
            elif called == "json.load" and len(node.args) == 1 and not node.keywords:
                edit = syntax.replace(cell, node, f"[json.loads(line) for line in {source}{blank}]")
            elif called == "json.loads" and len(node.args) == 1 and not node.keywords:
                own = syntax.receiver(cell, node.args[0])
                edit = syntax.replace(cell, node, f"[json.loads(line) for line in {own}.splitlines(){blank}]")
            else:
                return
            # one line may as well be one record that is read otherwise
            yield self.offer("each line is a document of its own", [edit], evidence, sure=len(lines) > 1)
        elif reader == "read_json" and syntax.keyword(node, "lines") and _documents([text]):
            drop = syntax.drop_keyword(cell, node, "lines")
            if drop is not None:
                yield self.offer("the file is one document", [drop], "only the whole file is a JSON document")

    def _wholes(self, context: Context) -> Iterator[Proposal]:
        for call in syntax.nodes(context.cell):
            if syntax.function_of(context.cell, call, "pandas") != "read_json" or not isinstance(call, ast.Call):
                continue
            given = syntax.keyword(call, "lines")
            text = self._text(context, call, False).strip() if given and call.args else ""
            drop = syntax.drop_keyword(context.cell, call, "lines")
            if text.startswith("[") and _documents([text]) and drop is not None:
                yield self.offer("the file is one document", [drop], "the file is one list, and no list of lines")

    def _text(self, context: Context, call: ast.Call, loads: bool) -> str:
        """What is read, whole."""
        if loads:
            found = context.values.sample(ast.unparse(call.args[0]), 1)
            if found and isinstance(found[0], str):
                return found[0]
        source = call.args[0]
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute) and "read" in source.func.attr:
            source = source.func.value
        path = tables.file_named(context, source)
        content = context.values.text(path, BYTES) if path else None
        if content is None or len(content) >= BYTES:
            return ""
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError:
            return ""


def _documents(texts: list[str]) -> bool:
    """Whether each text is an object or a list."""
    try:
        return bool(texts) and all(isinstance(json.loads(t), (dict, list)) for t in texts)
    except ValueError:
        return False
