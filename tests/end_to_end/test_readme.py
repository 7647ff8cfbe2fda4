"""What the README, CONTRIBUTING and the map of the architecture say is true of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import reflex_magic
from reflex_magic import demo, options
from reflex_magic.cli import main
from reflex_magic.core.route import ROUTE
from reflex_magic.repairs.currency_text import CurrencyText
from tests.end_to_end.conftest import Notebook

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """A section of the README, up to the next heading."""
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def blocks(text: str) -> list[str]:
    """The fenced blocks of a text, in order."""
    return re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)


def test_the_example_shows_what_the_readme_shows(notebook: Notebook) -> None:
    demo.write()
    cell, shown = blocks(section("Example"))
    notebook.run("orders = pd.read_csv('orders.csv', encoding='utf-8-sig')")
    notebook.run(cell.replace("%%reflect", "%%reflect --ask", 1))
    said = notebook.shown[notebook.shown.index("● reflect") :]
    assert _timeless(said) == _timeless(shown)
    notebook.run("%reflect accept")
    assert notebook["per_region"]["orders"].sum() == 400


def _timeless(text: str) -> list[str]:
    return [re.sub(r"\d+ ms", "N ms", line.rstrip()) for line in text.strip().splitlines()]


def test_the_python_example_runs() -> None:
    import pandas as pd

    example = next(b for b in blocks(section("Use")) if "import reflex_magic" in b)
    names = {"sales": pd.DataFrame({"revenue": [1, 2]})}
    exec(example, names)
    assert names["report"].status == "repaired"
    assert reflex_magic.last_report() is names["report"]


def test_every_option_and_subcommand_is_in_the_readme(notebook: Notebook) -> None:
    use = section("Use")
    assert [o for o in options.OPTIONS if f"`{o}" not in use] == []
    notebook.run("%reflect there-is-no-such-command")
    commands = notebook.shown.partition("There are: ")[2].strip().rstrip(".").split(", ")
    assert len(commands) > 10
    assert [c for c in commands if not re.search(rf"^%reflect .*\b{c}\b", use, re.MULTILINE)] == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/architecture.md"])
def test_files_and_folders_that_are_named_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:reflex_magic|tests|docs|scripts|notebooks|labextension)/[\w./]*)`", text))
    named |= set(re.findall(r"\]\((?!http)([^)#]+)\)", text))
    assert [n for n in named if not (ROOT / n).exists()] == []


def test_the_map_draws_the_route_that_is_walked() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    drawn = set(re.findall(r"^ +(\w+) --> (\w+)", text, re.MULTILINE))
    assert drawn == {(str(state), str(target)) for state, ways in ROUTE.items() for target in ways.values()}


def test_contributing_shows_the_rule_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert CurrencyText.summary() in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert main(["explain", "currency-text"]) == 0
    assert CurrencyText.summary() in capsys.readouterr().out
