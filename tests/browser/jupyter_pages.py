"""Notebooks in a browser, driven as a person does: prompts are clicked, keys are pressed."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

PATIENCE = 60_000
"""Milliseconds after which a condition counts as never met."""

_READY = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  const ready = w => w.content?.model && w.content.widgets && w.sessionContext;
  const find = () => [...app.shell.widgets('main')].find(ready);
  while (!find()) await new Promise(r => setTimeout(r, 50));
  window.panel = find();
  await window.panel.context.ready;
  await window.panel.sessionContext.ready;
}"""


@dataclass(frozen=True)
class Server:
    base: str
    token: str
    notebooks: Path


class Front:
    """One test's browser context."""

    def __init__(self, server: Server, browser: Any, name: str) -> None:
        self.server = server
        self.name = re.sub(r"\W+", "-", name).strip("-")
        self.context = browser.new_context(viewport={"width": 1180, "height": 900})
        self.opened: list[Notebook] = []

    def open(self, cells: Sequence[str], app: str = "lab") -> Notebook:
        book = new_notebook(
            cells=[new_code_cell(c) for c in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        )
        path = self.server.notebooks / f"{self.name}.ipynb"
        nbformat.write(book, path)
        return self.reopen(path, app)

    def reopen(self, path: Path, app: str = "lab") -> Notebook:
        notebook = Notebook(self, path, app)
        self.opened.append(notebook)
        return notebook

    def close(self) -> None:
        for notebook in self.opened:
            notebook.close()
        self.context.close()


class Notebook:
    """One open notebook. Cells are numbered from 0."""

    def __init__(self, front: Front, path: Path, app: str) -> None:
        self.path = path
        self.page = front.context.new_page()
        self.page.on("dialog", lambda dialog: dialog.accept())
        self._shots = front.name
        server = front.server
        where = f"lab/tree/{path.name}?reset&" if app == "lab" else f"notebooks/{path.name}?"
        self._url = f"{server.base}/{where}token={server.token}"
        self.load()

    def load(self) -> None:
        self.page.goto(self._url)
        self.page.wait_for_function(
            "() => window.jupyterapp && document.querySelector('.jp-Notebook .jp-Cell')", timeout=PATIENCE
        )
        self.page.evaluate(_READY)
        self.until("() => window.panel.sessionContext.session?.kernel?.status === 'idle'")

    def close(self) -> None:
        if not self.page.is_closed():
            self.page.evaluate("() => window.panel.sessionContext.shutdown()")
            self.page.close(run_before_unload=False)

    def js(self, expression: str, argument: Any = None) -> Any:
        return self.page.evaluate(expression, argument)

    def until(self, expression: str, argument: Any = None) -> None:
        self.page.wait_for_function(expression, arg=argument, timeout=PATIENCE)

    # -- cells --

    def cell(self, i: int) -> Any:
        return self.page.locator(".jp-Notebook .jp-Cell").nth(i)

    def review(self, i: int) -> Any:
        """The widget in a cell's output."""
        return self.cell(i).locator(".rx")

    def run(self, i: int, wait: bool = True) -> None:
        self.js("i => { const n = window.panel.content; n.deselectAll(); n.activeCellIndex = i; n.activate(); }", i)
        before = self.count(i)
        self.cell(i).locator(".jp-InputPrompt").first.click()
        self.page.keyboard.press("Control+Enter")
        if wait:
            self.ran(i, before)

    def ran(self, i: int, before: int | None) -> None:
        self.until(
            "([i, before]) => { const c = window.panel.content.model.cells.get(i);"
            " return c.executionState !== 'running' && c.executionCount !== null && c.executionCount !== before; }",
            [i, before],
        )

    def count(self, i: int) -> int | None:
        return self.js("i => window.panel.content.model.cells.get(i).executionCount", i)

    def source(self, i: int) -> str:
        return self.js("i => window.panel.content.model.cells.get(i).sharedModel.getSource()", i)

    def reads(self, i: int, source: str) -> None:
        """Wait until the cell's source is `source`."""
        self.until("([i, s]) => window.panel.content.model.cells.get(i).sharedModel.getSource() === s", [i, source])

    def kinds(self) -> list[str]:
        return self.js("() => [...window.panel.content.model.cells].map(c => c.type)")

    def outputs(self, i: int) -> list[dict[str, Any]]:
        return self.js("i => window.panel.content.model.cells.get(i).outputs.toJSON()", i)

    def printed(self, i: int) -> str:
        return "".join(
            o["text"] if isinstance(o["text"], str) else "".join(o["text"]) for o in self.outputs(i) if "text" in o
        )

    def type_at_end(self, i: int, text: str) -> None:
        self.cell(i).locator(".cm-content").first.click()
        self.page.keyboard.press("Control+End")
        self.page.keyboard.type(text)

    def undo(self, i: int) -> None:
        self.cell(i).locator(".cm-content").first.click()
        self.page.keyboard.press("Control+z")

    def command(self, name: str, arguments: dict[str, Any] | None = None) -> None:
        self.js("([c, a]) => window.jupyterapp.commands.execute(c, a)", [name, arguments or {}])

    def theme(self, name: str) -> None:
        self.command("apputils:change-theme", {"theme": name})
        light = "false" if "Dark" in name else "true"
        self.until("light => document.body.dataset.jpThemeLight === light", light)
        self.until("() => !document.getElementById('jupyterlab-splash')")

    def save(self) -> dict[str, Any]:
        self.command("docmanager:save")
        self.until("() => !window.panel.context.model.dirty")
        return json.loads(self.path.read_text())

    def shot(self, name: str = "") -> None:
        """A picture for people, when REFLEX_SHOTS names a folder."""
        folder = os.environ.get("REFLEX_SHOTS")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=str(Path(folder) / f"{self._shots}{'-' if name else ''}{name}.png"))
