"""What every check has in common."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from reflex_magic.core.catalogue import Entry
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Operation, Run


class Check(Entry):
    """Looks at a run and reports; never rewrites, never executes.

    A subclass gives `name` and `check`. `code` is the same text under the name that
    `core.ports.Check` and `Finding` use. `of_failure` is True for a check of what did fail; it
    cannot be silenced. `frames` are the libraries on whose frames it works; none are named where it looks at no frame.
    """

    code: str = ""
    of_failure: bool = False
    frames: tuple[str, ...] = ("pandas",)

    def __init_subclass__(cls) -> None:
        cls.code = cls.name

    @classmethod
    def works(cls) -> str:
        """On whose frames the check works, in a sentence."""
        return f"Works on frames of {', '.join(cls.frames)}." if cls.frames else "Works whatever the data are."

    @classmethod
    def explain(cls) -> str:
        """The docstring, under the check's name, and on whose frames it works."""
        return f"{super().explain()}\n\n{cls.works()}"

    def check(self, run: Run) -> Iterator[Finding]:
        """The findings of this kind."""
        raise NotImplementedError

    def finding(
        self,
        operation: Operation,
        severity: Severity,
        message: str,
        suggestion: str = "",
        evidence: Mapping[str, Any] | None = None,
    ) -> Finding:
        """A finding about an operation, where that stands."""
        return Finding(
            self.code,
            severity,
            operation.span,
            operation.expression,
            message,
            in_words_of(operation.facts.get("library", ""), suggestion),
            dict(evidence or {}),
        )


_WORDS = {
    "polars": {
        ', and write validate="many_to_one"': ', and write validate="m:1"',
        ".drop_duplicates(": ".unique(",
        ".fillna(": ".fill_null(",
        ".dropna(": ".drop_nulls(",
        ".astype(str)": ".cast(pl.String)",
        ".astype(int)": ".cast(pl.Int64)",
        ".str.strip(": ".str.strip_chars(",
        ".str.lower(": ".str.to_lowercase(",
        ".rename(columns=": ".rename(",
        "NaN first (or na_values=": "null first (or null_values=",
        "df.sort_values(": "df.sort(",
        'dtype="str" or "Int64"': "pl.String or pl.Int64",
    },
    "pyarrow": {
        ', and write validate="many_to_one" to be told when keys repeat': "",
        ".fillna(": "pc.fill_null(",
        ".dropna(": ".drop_null(",
        ".astype(str)": ".cast(pa.string())",
        ".str.strip(": "pc.utf8_trim_whitespace(",
        ".str.lower(": "pc.utf8_lower(",
        ".rename(columns=": ".rename_columns(",
        "NaN first (or na_values=": "null first (or null_values=",
    },
}
"""What advice for pandas is called in another library."""

_WITHIN_GROUPS = re.compile(r'df\.groupby\("(.+?)"\)\["(.+?)"\]\.(\w+)\((.*?)\)')


def in_words_of(library: str, advice: str) -> str:
    """Advice in the words of the library whose frames it is about."""
    for word, other in _WORDS.get(library, {}).items():
        advice = advice.replace(word, other)
    return _WITHIN_GROUPS.sub(r'pl.col("\2").\3(\4).over("\1")', advice) if library == "polars" else advice


def count(number: int, singular: str, plural: str = "") -> str:
    """``1 row``, ``3 rows``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def listed(names: list[str] | tuple[str, ...], limit: int = 4) -> str:
    """```a`, `b` and `c```; long lists are cut with "+12 more"."""
    shown = [f"`{name}`" for name in names[:limit]]
    if len(names) > limit:
        return f"{', '.join(shown)}, +{len(names) - limit} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def shaped(shapes: dict[str, int], limit: int = 3) -> str:
    """```9,999` (2), `99,999` (1)``: the most frequent shapes with their counts."""
    shown = [f"`{shape}` ({number})" for shape, number in list(shapes.items())[:limit]]
    more = len(shapes) - limit
    return ", ".join(shown) + (f", +{more} more" if more > 0 else "")
