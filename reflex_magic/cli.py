"""The command ``reflex-magic``."""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
from collections.abc import Sequence
from pathlib import Path

from reflex_magic.errors import ReflexError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Returns
    -------
    int
        0 when it did what was asked, 1 when a record does not verify, 2 when it could not run.
    """
    parser = argparse.ArgumentParser(prog="reflex-magic", description="%%reflect on the command line")
    version = importlib.metadata.version("reflex-magic")
    parser.add_argument("--version", action="version", version=f"reflex-magic {version}")
    commands = parser.add_subparsers(dest="command", required=True)
    explain = commands.add_parser("explain", help="what a check or a rule looks for")
    explain.add_argument("code")
    demo = commands.add_parser("demo", help="write orders.csv and a notebook that walks through it")
    demo.add_argument("folder", nargs="?", type=Path, default=Path())
    lessons = commands.add_parser("lessons", help="what was learned from accepted repairs")
    lessons.add_argument("what", choices=["list", "show"], nargs="?", default="list")
    lessons.add_argument("lesson", nargs="?", default="")
    audit = commands.add_parser("audit", help="the records in a notebook's outputs")
    audit.add_argument("what", choices=["verify"])
    audit.add_argument("notebook", type=Path)
    given = parser.parse_args(arguments)
    try:
        return _run(given)
    except (ReflexError, OSError) as error:
        print(f"reflex-magic: {error}", file=sys.stderr)  # noqa: T201
        return 2


def _run(given: argparse.Namespace) -> int:
    match given.command:
        case "explain":
            from reflex_magic.session import explain

            print(explain(given.code))  # noqa: T201
        case "demo":
            from reflex_magic import demo

            for path in demo.write(given.folder):
                print(path)  # noqa: T201
        case "lessons":
            from reflex_magic.lessons import JsonlLessons

            store = JsonlLessons()
            print(store.show(given.lesson) if given.what == "show" else store.table())  # noqa: T201
        case "audit":
            from reflex_magic.audit import verify_notebook

            problems = verify_notebook(given.notebook)
            print("\n".join(problems) or "every record is as it was written")  # noqa: T201
            return 1 if problems else 0
    return 0
