"""The options of ``%%reflect`` and the subcommands of ``%reflect``: one table, one parser."""

from __future__ import annotations

import ast
import difflib
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from reflex_magic.errors import OptionError


@dataclass(frozen=True, slots=True)
class Settings:
    """How one cell is reflected.

    `schema` are names of pandera schemas, or NAME:frame; `tests` are pytest files. `policy` is ask,
    accept or dry-run; None chooses ask where a person can answer and dry-run where nobody can.
    `timeout` is in seconds, None waits for ever. `budget` is in tokens, in and out. `harden` asks for
    offers when the cell passes. `ignore` are checks that stay silent. `detail` is 0 for one line,
    1 for a summary, 2 for everything.
    """

    goal: str = ""
    policy: str | None = None
    expect: tuple[str, ...] = ()
    schema: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    rounds: int = 3
    budget: int = 6000
    timeout: float | None = None
    use_model: bool = True
    model: str = ""
    values: str = "shapes"
    important: bool = False
    verify_rollback: bool = False
    harden: bool = False
    ignore: tuple[str, ...] = ()
    detail: int = 1


def _expression(text: str) -> str:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, TypeError):
        raise OptionError(f"--expect takes a Python expression, not {text!r}") from None
    return text


def _schema(text: str) -> str:
    name, _, frame = text.partition(":")
    if not name.isidentifier() or not (frame.isidentifier() or frame == text[len(name) :] == ""):
        raise OptionError(f"--schema takes the name of a schema, or NAME:frame, not {text!r}")
    return text


def _at_least(name: str, least: float, kind: Callable[[str], Any]) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        try:
            number = kind(text)
        except (ValueError, TypeError):
            number = None
        if number is None or not number >= least:
            raise OptionError(f"{name} takes a number of at least {least:g}, not {text!r}")
        return number

    return parse


def _one_of(name: str, *allowed: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in allowed:
            raise OptionError(f"{name} takes {', '.join(allowed[:-1])} or {allowed[-1]}, not {text!r}")
        return text

    return parse


_VALUED: dict[str, tuple[str, Callable[[str], Any]]] = {
    "--goal": ("goal", str),
    "--expect": ("expect", _expression),
    "--schema": ("schema", _schema),
    "--tests": ("tests", str),
    "--rounds": ("rounds", _at_least("--rounds", 1, int)),
    "--budget": ("budget", _at_least("--budget", 0, int)),
    "--timeout": ("timeout", _at_least("--timeout", 0.001, float)),
    "--model": ("model", str),
    "--ignore": ("ignore", str),
    "--values": ("values", _one_of("--values", "none", "shapes", "sample")),
}
_FLAGS: dict[str, tuple[str, Any]] = {
    "--ask": ("policy", "ask"),
    "--accept": ("policy", "accept"),
    "--dry-run": ("policy", "dry-run"),
    "--no-model": ("use_model", False),
    "--important": ("important", True),
    "--verify-rollback": ("verify_rollback", True),
    "--harden": ("harden", True),
    "--quiet": ("detail", 0),
    "-q": ("detail", 0),
    "--verbose": ("detail", 2),
    "-v": ("detail", 2),
}
_REPEATED = ("expect", "schema", "tests", "ignore")
OPTIONS = (*_VALUED, *_FLAGS)
NAMED = 20
"""So many names are listed where none is near."""


def nearest(word: str, known: Iterable[str]) -> str:
    """`` Did you mean ...?`` for a misspelt word, or the list of what there is."""
    known = list(known)
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    more = f" and {len(known) - NAMED} more" if len(known) > NAMED else ""
    return f"Did you mean `{close[0]}`?" if close else f"There are: {', '.join(known[:NAMED])}{more}."


def words(line: str) -> list[str]:
    """The words of a magic line, quoted as in a shell.

    Raises
    ------
    OptionError
        A quote is not closed.
    """
    try:
        return shlex.split(line)
    except ValueError:
        raise OptionError(f"a quote is not closed in: {line.strip()}") from None


def parse(line: str, defaults: Settings) -> Settings:
    """The settings of a magic line, over the configured ones.

    Raises
    ------
    OptionError
        An option is unknown, lacks its value, or has a value that it cannot take.
    """
    given: dict[str, Any] = {}
    rest = iter(words(line))
    for word in rest:
        name, equals, value = word.partition("=")
        if word in _FLAGS:
            field_name, flag = _FLAGS[word]
            if field_name == "policy" and given.get("policy", flag) != flag:
                raise OptionError("--ask, --accept and --dry-run exclude each other")
            given[field_name] = flag
        elif name in _VALUED:
            field_name, convert = _VALUED[name]
            if not equals:
                value = next(rest, "")
                if not value and name != "--goal":
                    raise OptionError(f"{name} needs a value")
            converted = convert(value)
            more = field_name in _REPEATED
            given[field_name] = (
                (*given.get(field_name, getattr(defaults, field_name)), converted) if more else converted
            )
        elif word.startswith("-"):
            raise OptionError(f"there is no option `{name}`. {nearest(name, OPTIONS)}")
        else:
            raise OptionError(f"`{word}` belongs to no option; quote a text that has blanks: --goal 'total per region'")
    return replace(defaults, **given)


def from_keywords(**given: Any) -> Settings:
    """The settings of a call in Python, checked as those of a magic line are.

    Raises
    ------
    OptionError
        A setting is unknown, or has a value that it cannot take.
    """
    known = [f.name for f in fields(Settings)]
    converters = dict(_VALUED.values())
    for name, value in given.items():
        if name not in known:
            raise OptionError(f"there is no setting `{name}`. {nearest(name, known)}")
        if name in _REPEATED:
            if isinstance(value, str):
                raise OptionError(f"`{name}` takes a sequence of texts, not one text")
            given[name] = tuple(map(converters[name], value))
        elif name in converters and not (name == "timeout" and value is None):
            given[name] = converters[name](value)
    return Settings(**given)
