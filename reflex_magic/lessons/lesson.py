"""A lesson, its line in the file, and what its words may say."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reflex_magic.core.card import cut
from reflex_magic.lessons.signature import PATH, QUOTED, URL, Signature
from reflex_magic.lessons.template import Template

SCHEMA = 1
WORDS_LIMIT = 300
"""Longest text of a lesson, in characters."""

_TEXTS = ("id", "error", "signature", "api", "symptom", "root_cause", "remedy", "applies", "origin", "created")

# What helps nobody at the next failure: advice without an act, and acts that fit every failure.
_VAGUE = re.compile(
    r"\b(maybe|perhaps|might|possibly|somehow|something|try again|retry later|look into|investigate|double[- ]check|"
    r"be careful|make sure|as needed|properly|appropriately|accordingly)\b"
    r"|^(please )?(check|verify|review|inspect|debug|validate|ensure)\b"
    r"|^(please )?(fix|handle|correct|repair|solve|resolve|clean|change|update|improve|adjust)( up)? "
    r"(the |this |that |all |any )?(\w+ )?(error|exception|issue|problem|bug|code|cell|data|failure|input)s?\W*$"
    r"|\bstatement \d|\b(try/except|try-except|ignore the (error|exception)|suppress)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Counts:
    """How a lesson fared. `last_used` is ISO 8601 UTC, "" when it was never used."""

    tried: int = 0
    held: int = 0
    accepted: int = 0
    rejected: int = 0
    last_used: str = ""

    @property
    def uses(self) -> int:
        """How often there was something to learn about the lesson from."""
        return self.tried + self.rejected

    @property
    def mean(self) -> float:
        """The mean of the Beta posterior (prior 1, 1) that its next use holds and is wanted."""
        return (self.held + 1) / (self.uses + 2)

    def __str__(self) -> str:
        if not self.tried:
            return "accepted before, not tried again yet"
        return f"held {self.held} of {self.tried} times" + (f", rejected {self.rejected}" if self.rejected else "")


@dataclass(frozen=True, slots=True)
class Lesson:
    """A kind of failure and what resolved it.

    `error`, `signature` and `api` are the kind (see `Signature`). `symptom`, `root_cause`,
    `remedy` and `applies` (when) are words. `template` is the remembered edit; None where a
    shipped rule does it already or the repair was too particular. `forms` are the forms of the
    text values it was accepted for (`signature.collapse`). `origin` is ``model:NAME``,
    ``rule:NAME`` or ``person``. `mac` proves that this user wrote it; `foreign` is True where
    it does not, and `counts` come from the outcome lines: both are not part of the line.
    """

    id: str
    error: str
    signature: str
    remedy: str
    origin: str
    created: str
    api: str = ""
    symptom: str = ""
    root_cause: str = ""
    applies: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    template: Template | None = None
    forms: tuple[str, ...] = ()
    mac: str = ""
    schema: int = SCHEMA
    counts: Counts = Counts()
    foreign: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """The kind of failure it answers."""
        return self.error, self.signature

    def to_dict(self) -> dict[str, Any]:
        """The lesson's line, as data."""
        return {
            "schema": self.schema,
            "kind": "lesson",
            **{name: getattr(self, name) for name in _TEXTS},
            "versions": dict(self.versions),
            "template": self.template.to_dict() if self.template else None,
            "forms": list(self.forms),
            "mac": self.mac,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Lesson:
        """The inverse of `to_dict`.

        Raises
        ------
        ValueError
            `data` is not a lesson.
        """
        texts = {name: data.get(name, "") for name in _TEXTS}
        versions, forms, template = data.get("versions", {}), data.get("forms", []), data.get("template")
        if not all(isinstance(t, str) and len(t) <= WORDS_LIMIT for t in (*texts.values(), data.get("mac", ""))):
            raise ValueError("a text is missing or too long")
        if not isinstance(versions, dict) or not isinstance(forms, list) or not texts["id"] or not texts["remedy"]:
            raise ValueError("not a lesson")
        return cls(
            **texts,
            versions={str(k): str(v) for k, v in versions.items()},
            template=None if template is None else Template.from_dict(template),
            forms=tuple(map(str, forms)),
            mac=data.get("mac", ""),
            schema=data["schema"],
        )

    def signed(self, key: bytes) -> Lesson:
        """The lesson with the mac that `key` gives it."""
        return replace(self, mac=self._mac(key))

    def is_signed(self, key: bytes) -> bool:
        """Whether the holder of `key` wrote exactly this."""
        return hmac.compare_digest(self.mac.encode(), self._mac(key).encode())

    def _mac(self, key: bytes) -> str:
        line = json.dumps({**self.to_dict(), "mac": ""}, sort_keys=True, ensure_ascii=True)
        return hmac.new(key, line.encode(), hashlib.sha256).hexdigest()


def identity(kind: Signature, origin: str, what: str) -> str:
    """The id of a lesson: equal for everybody who learns the same."""
    text = "\0".join((*kind.key, origin if origin.startswith("rule:") else "", what))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def general(text: str, names: Collection[str] = (), keep: Collection[str] = ()) -> str:
    """`text` in words that fit every case of the kind: no values, paths, addresses, line numbers.

    `names` are columns and variables, which become ``<name>``; quotations of words in `keep`
    (API words of the remedy) and of punctuation stay.
    """
    text = "".join(c for c in text if unicodedata.category(c)[0] != "C" or c in "\n\t")
    text = PATH.sub("<path>", URL.sub("<address>", " ".join(text.split())))
    text = re.sub(r"\b(?:on|in|at|of) line \d+\b|\bline \d+\b", "here", text, flags=re.IGNORECASE)

    def unquoted(found: re.Match[str]) -> str:
        mark, piece = found.groups()
        if mark == "`" and piece not in names:
            return f"`{QUOTED.sub(unquoted, piece)}`"
        code = not any(map(str.isalnum, piece)) or piece in keep
        return found.group() if code else "<name>"

    text = QUOTED.sub(unquoted, text)
    for name in sorted((n for n in names if not (n.isalpha() and n.islower())), key=len, reverse=True):
        text = re.sub(rf"(?<![\w<]){re.escape(name)}(?![\w>])", "<name>", text)
    text = re.sub(r"[$€£¥]\s?\d[\d.,]*|(?<![\w%])\d[\d.,]{3,}\d(?!\w)", "<value>", text)
    return cut(text.strip(), WORDS_LIMIT)


def vague(text: str) -> bool:
    """Whether `text` says nothing that could be done, or what could be said of every failure."""
    words = re.findall(r"[^\W\d_]{2,}", re.sub(r"<\w+>", "", text))
    # Chinese and Japanese are written without spaces: there, characters count.
    wide = sum(unicodedata.east_asian_width(c) == "W" for c in text)
    return (len(words) < 3 and wide < 6) or bool(_VAGUE.search(text))
