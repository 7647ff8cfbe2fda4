"""What may leave the machine.

Code goes to a model as it is written, but for secrets, people's names in paths and addresses,
which are replaced by marks that `Redactor.restore` turns back. Error lines, findings and lessons
carry pieces of the data: whatever is quoted in them becomes its shape, unless the analyst wrote it
in the cell or it names a column. Column names come from files, so a name that reads like a
sentence or like code is replaced by its position.

Redaction by pattern does not stop what was encoded beforehand. That is why printed output is
never sent and why error lines are short.
"""

from __future__ import annotations

import ast
import math
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reflex_magic.core.card import cut
from reflex_magic.core.card import shape as plain_shape

LINE_LIMIT = 400
"""Longest piece of an error line that is told, in characters; cut after redaction, not before."""

_SHARED_USERS = ("root", "user", "home", "jovyan")
"""Accounts that name nobody."""

_SECRET_VARIABLES = ("KEY", "TOKEN", "SECRET", "PASS", "PWD", "CREDENTIAL", "AUTH", "DSN", "DATABASE_URL")

# Each pattern replaces its group `s`, or the whole match where it has none.
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"),
        ("connection string", r"\b[a-z][a-z0-9+.\-]{1,20}://(?P<s>[^\s:/@'\"]{0,64}:[^\s/'\"]+)@"),
        ("connection string", r"\b[a-z][a-z0-9+.\-]{1,20}://(?P<s>[A-Za-z0-9_\-]{16,})@"),
        ("connection string", r"(?i)\b(?:AccountKey|SharedAccessKey|SharedAccessSignature)=(?P<s>[\w+/=%\-]{12,})"),
        ("connection string", r"(?i)\b(?:pwd|password|uid|user id)\s*=\s*(?P<s>[^;\s'\"]{2,})(?=;)"),
        ("key", r"\b(?:AKIA|ASIA|AGPA|AIDA)[A-Z0-9]{16}\b"),
        ("key", r"\b(?:ghp|gho|ghu|ghs|ghr|github_pat)_[A-Za-z0-9_]{20,}"),
        ("key", r"\bglpat-[\w\-]{20,}"),
        ("key", r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or|svcacct)?[-_]?[A-Za-z0-9_\-]{16,}"),
        ("key", r"\bxox[abposr]-[A-Za-z0-9\-]{10,}"),
        ("key", r"hooks\.slack\.com/services/(?P<s>[\w/]+)"),
        ("key", r"\bAIza[\w\-]{30,}"),
        ("key", r"\bhf_[A-Za-z0-9]{20,}"),
        ("key", r"\bpypi-[\w\-]{30,}"),
        ("key", r"\bnpm_[A-Za-z0-9]{30,}"),
        ("key", r"\bdapi[a-f0-9]{32}\b"),
        ("key", r"\bSG\.[\w\-]{16,}\.[\w\-]{16,}"),
        ("key", r"\b(?:AC|SK)[a-f0-9]{32}\b"),
        ("token", r"\beyJ[\w\-]{8,}\.[\w\-]{8,}\.[\w\-]*"),
        ("token", r"(?i)\b(?:bearer|basic)\s+(?P<s>[A-Za-z0-9+/_\-.=]{12,})"),
        (
            "token",
            r"(?i)[?&](?:sig|signature|x-amz-signature|x-amz-security-token|token|access_token|api_key|apikey|key"
            r"|password|code)=(?P<s>[^&\s'\"]{6,})",
        ),
        (
            "secret",
            r"(?i)\b[\w\-]{0,40}(?:pass(?:word|wd|phrase)|secret|token|api[_\-]?key|access[_\-]?key|credential"
            r"|private[_\-]?key|(?<![a-z])pwd)[\w\-]{0,40}['\"]?\]?\s*[:=]\s*(?P<q>['\"])(?P<s>[^'\"\n]{4,})(?P=q)",
        ),
        (
            "secret",
            r"(?i)\b(?:password|passwd|secret|token|api[_\-]?key|access[_\-]?key)\s*(?:[:=]|is)\s*"
            r"(?P<s>(?=[^\s,;]*\d)[^\s'\",;()\[\]]{6,})",
        ),
        ("e-mail", r"(?<![\w.+%\-])[\w.+%\-]{1,64}@[\w\-]+(?:\.[\w\-]+)+"),
        ("user name", r"(?:/home/|/Users/|[A-Za-z]:\\+(?:Users|Documents and Settings)\\+)(?P<s>[^/\\\s'\":]+)"),
    )
)
_LONG = re.compile(r"(?<![\w/+\-])[A-Za-z0-9+/_\-]{32,}={0,2}(?![\w/+\-])")

_SHAPE_WORD = r"[Aa](?:[Aa]|\{\d+\})*"
_SENTENCE = re.compile(rf"(?:{_SHAPE_WORD}[ ,.;:!?'\"_-]+){{2,}}{_SHAPE_WORD}")

_MARK = re.compile(r"<redacted-\d+>")

_QUOTED = re.compile(r"(?<!\w)(['\"`])((?:(?!\1(?!\w))[^\n]){0,400}?)\1(?!\w)")
_UNQUOTED = re.compile(
    r"(to float|to int|to datetime|literal for int\(\) with base 10|format, unable to parse|unconverted data remains"
    r"|could not be converted|invalid value|is not valid|Invalid isoformat string|timestamp|Unknown string format"
    r"|duplicate (?:entry|key)|found|got)(: )([^'\"\n][^\n]{0,200})",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])[+-]?[$€£¥]?\d[\d,.\-:/ T]*\d(?![\w])|(?<![\w.])\d{5,}(?![\w])")
_WORD = re.compile(r"\w+")
_LOOKUP = re.compile(r"^\[.*\] not in index$|^\[.*\] not found in axis$|^None of \[.*\] are in the \[\w+\]$")
_PATH = re.compile(
    r"(?<![\w:/<.])(?:~|\.\.)?(?:/[\w.\-<>~ ]+)+/([\w.\-]+)|\b[A-Za-z]:\\(?:[^\\\s'\"]+\\)+([^\\\s'\"]+)"
)
_API = re.compile(
    r"u?int(8|16|32|64)?|float(16|32|64)?|complex(64|128)?|object|bool|boolean|str|string|bytes|list|dict|set|tuple"
    r"|function|method|NoneType|datetime|date|timedelta|datetime64(\[.*\])?|timedelta64(\[.*\])?|category|Int64|Float64"
    r"|period.*|interval.*|index|columns|axis|dtype|key|values|DataFrame|Series|Index|MultiIndex|RangeIndex"
    r"|DatetimeIndex|DataFrameGroupBy|SeriesGroupBy|Timestamp|Timedelta|NaT|None|NaN|nan|True|False|left|right"
    r"|inner|outer|cross|utf-8|utf8|latin-1|ascii|charmap|cp1252|M|ME|Q|QE|Y|YE|H|h|T|min|D|W|B"
    r"|ffill|bfill|pad|mean|sum|median|std|var|max|count|first|last|size|nunique|Aa"
    r"|[-+*/%&|^<>=!]{1,3}|%[a-zA-Z%/\-: .]+|\W?"
)
_SUSPICIOUS = re.compile(
    r"https?:|\.\w+\(|__|@\w|[`<>{}|\\;=\n]"
    r"|\b(ignore|disregard|instructions?|system|import|exec|eval|assistant|prompt)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Private:
    """What this machine must not give away: secret values of its environment, user name, home."""

    secrets: tuple[str, ...] = field(default=(), repr=False)
    user: str = ""
    home: str = ""

    @classmethod
    def here(cls, environment: Mapping[str, str] | None = None) -> Private:
        """Read from the environment (default: the process's)."""
        variables = os.environ if environment is None else environment
        secrets = tuple(
            value
            for name, value in variables.items()
            if len(value) >= 8 and any(word in name.upper() for word in _SECRET_VARIABLES)
        )
        home = str(Path.home())
        return cls(secrets, Path(home).name, home)


def shape(text: str, limit: int = 40) -> str:
    """The shape of a value: as `core.card.shape`, with runs and sentences shortened.

    ``"$1,299.00"`` gives ``"$9,999.99"``, a run of six or more of a kind ``a{7}``, three words or
    more ``<text>``; control and direction characters show as code points.
    """
    short = plain_shape(text)
    short = "".join(f"\\u{ord(c):04x}" if _invisible(c) else c for c in short)
    short = re.sub(r"([Aa9])\1{5,}", lambda m: f"{m[1]}{{{len(m[0])}}}", short)
    short = _SENTENCE.sub("<text>", short)
    return short if len(short) <= limit else short[: limit - 1] + "…"


class Redactor:
    """Redacts the texts of one request, and remembers what it replaced.

    Parameters
    ----------
    code
        The cell. What is written there is known to the model anyway and stays in messages.
    private
        What this machine must not give away.
    columns
        Names of columns that messages may mention.

    Attributes
    ----------
    counts
        How many pieces of each kind were replaced.
    """

    def __init__(self, code: str, private: Private, columns: Iterable[str] = ()) -> None:
        self.counts: Counter[str] = Counter()
        self._text = code
        self._private = private
        self._marks: dict[str, str] = {}
        self._strings, self._words, identifiers = _written(code)
        # a person called `data` is no secret in a cell that has a variable of this name
        self._user = private.user if len(private.user) > 3 and private.user not in identifiers else ""
        names = set(columns)
        self._columns = {c for c in names if self._harmless(c)}
        self._hidden = sorted(names - self._columns, key=len, reverse=True)

    def code(self, text: str) -> str:
        """Source code, with secrets and personal names as marks."""
        return self._cut(text, self._mark)

    def restore(self, text: str) -> str:
        """`text` with the marks that `code` made turned back.

        Raises
        ------
        ValueError
            `text` has a mark that was never made.
        """
        for mark, original in self._marks.items():
            text = text.replace(mark, original)
        if _MARK.search(text):
            raise ValueError("mentions a redacted value that was not in the cell")
        return text

    def name(self, name: str, position: int | None = None) -> str:
        """A column name, quoted; by its position where the name reads like a sentence or code."""
        if self._harmless(name):
            return repr(name)
        self.counts["column name"] += 1
        return "<a column>" if position is None else f"<column {position}>"

    def message(self, text: str, *, strict: bool = False) -> str:
        """The first line of an error or a finding, with pieces of data as shapes.

        With `strict` every word that the cell does not contain becomes a shape: for messages
        that the analyst's own code made, where data need not be quoted.
        """
        for name in self._hidden:
            text = self._without(name, text)
        line = next((part for part in text.strip().splitlines() if part.strip()), "")[: 4 * LINE_LIMIT]
        line = _PATH.sub(lambda m: "…/" + (m[1] or m[2]), self._visible(line))
        line = self._cut(line, lambda kind, _: f"[{kind}]")
        line = _QUOTED.sub(self._quoted, line)
        line = _UNQUOTED.sub(lambda m: m[1] + m[2] + self._value(m[3]), line)
        line = _NUMBER.sub(lambda m: self._number(m[0]), line)
        if strict:
            line = _WORD.sub(lambda m: m[0] if m[0] in self._words or len(m[0]) < 2 else self._value(m[0]), line)
        return cut(line, LINE_LIMIT)

    def value(self, text: str) -> str:
        """One value for level "sample"; a sentence, or what reads like code, as its shape."""
        if len(text) > 48 or len(text.split()) > 5 or any(map(_invisible, text)) or _SUSPICIOUS.search(text):
            return self._value(text)
        return self.plain(text)

    def plain(self, text: str) -> str:
        """Any text on one line, without secrets and personal names."""
        return self._cut(self._visible(text), lambda kind, _: f"[{kind}]")

    def _harmless(self, name: str) -> bool:
        if name in self._strings:
            return not any(map(_invisible, name))
        if any(map(_invisible, name)) or len(name) > 48 or len(re.split(r"[\s_.-]+", name.strip())) > 5:
            return False
        return not _SUSPICIOUS.search(name) and self._cut(name, lambda *_: "\0", count=False) == name

    def _without(self, name: str, text: str) -> str:
        """`text` without a hidden column name, also where a message cut the name short."""
        head = name[: max(8, len(name) // 4)]
        out, at = [], 0
        while head and (found := text.find(head, at)) >= 0:
            end = found
            while end < len(text) and end - found < len(name) and text[end] == name[end - found]:
                end += 1
            out += [text[at:found], "<a column>"]
            at = end
            self.counts["column name"] += 1
        return "".join(out) + text[at:]

    def _quoted(self, found: re.Match[str]) -> str:
        inner = found[2]
        if _LOOKUP.search(inner):
            # pandas puts names in quotes inside a quoted sentence of its own
            return found[1] + _QUOTED.sub(self._quoted, inner) + found[1]
        if inner in self._columns or inner in self._strings or inner in self._words or _API.fullmatch(inner):
            return found[0]
        if found[1] == "`" and inner in self._text:
            # an expression of the cell
            return found[0]
        if inner.startswith("…/") or re.fullmatch(r"\[[\w\- ]+\]", inner):
            return found[0]
        return found[1] + self._value(inner) + found[1]

    def _number(self, text: str) -> str:
        digits = sum(map(str.isdigit, text))
        plain = text.strip().isdecimal()
        if text in self._words or text in self._strings or (digits < 5 and (plain or digits < 3)):
            return text
        return self._value(text)

    def _value(self, text: str) -> str:
        if "[" in text and re.fullmatch(r"\[[\w\- ]+\]", text.strip()):
            return text
        shown = shape(text)
        if shown != text:
            self.counts["value"] += 1
        return shown

    def _visible(self, text: str) -> str:
        return "".join(" " if _invisible(c) else c for c in text)

    def _mark(self, kind: str, original: str) -> str:
        known = next((m for m, o in self._marks.items() if o == original), None)
        mark = known or f"<redacted-{len(self._marks) + 1}>"
        self._marks[mark] = original
        return mark

    def _cut(self, text: str, replace: Callable[[str, str], str], *, count: bool = True) -> str:
        out, at = [], 0
        for start, end, kind in sorted(self._found(text), key=lambda f: (f[0], -f[1])):
            if end <= at:
                continue
            start = max(start, at)
            out += [text[at:start], replace(kind, text[start:end])]
            at = end
            if count:
                self.counts[kind] += 1
        return "".join(out) + text[at:]

    def _found(self, text: str) -> Iterable[tuple[int, int, str]]:
        for secret in self._private.secrets:
            for found in re.finditer(re.escape(secret), text):
                yield *found.span(), "secret"
        for kind, pattern in _PATTERNS:
            for found in pattern.finditer(text):
                yield *found.span("s" if "s" in pattern.groupindex else 0), kind
        for found in _LONG.finditer(text):
            if _random(found[0]):
                yield *found.span(), "secret"
        if len(self._private.home) > 1:
            for found in re.finditer(re.escape(self._private.home) + r"(?![\w.-])", text):
                yield *found.span(), "home"
        if self._user and self._user not in _SHARED_USERS:
            for found in re.finditer(rf"\b{re.escape(self._user)}\b", text):
                yield *found.span(), "user name"


def _written(code: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The string constants of `code`, all its words and numbers, and its identifiers."""
    words = frozenset(re.findall(r"[+-]?\d[\d,.]*\d|\w+", code)) | frozenset(_WORD.findall(code))
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError):
        strings = frozenset(found[2] for found in _QUOTED.finditer(code))
        return strings, words, frozenset(_WORD.findall(_QUOTED.sub("", code)))
    strings = frozenset(n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str))
    named = (getattr(n, field, None) for n in nodes for field in ("id", "attr", "arg", "name"))
    return strings, words, frozenset(n for n in named if isinstance(n, str))


def _invisible(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


def _random(text: str) -> bool:
    """Whether a long word looks drawn by lot: digits, both cases, high entropy, no long words in it."""
    if not all(re.search(kind, text) for kind in ("[0-9]", "[a-z]", "[A-Z]")) or re.search(
        r"[a-z]{9,}|_[a-z]{3,}_", text
    ):
        return False
    counts = Counter(text).values()
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts) > 4.2
