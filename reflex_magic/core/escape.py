"""Text that was made elsewhere, made harmless to show.

Three ways in, and no other: `visible` for code, where every character counts; `plain` for
messages, where terminal sequences are noise; `markup` for anything that goes into HTML.
"""

from __future__ import annotations

import html
import re
import unicodedata

# CSI, OSC (ended by BEL, ST or the end of the text), other string sequences, and two-character escapes.
_TERMINAL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"
    r"|[\x1b]\][^\x07\x1b]*(?:\x07|\x1b\\|$)"
    r"|[\x1b][PX^_][^\x1b]*(?:\x1b\\|$)"
    r"|\x1b[ -/]*[0-~]"
    r"|\x9b[0-?]*[ -/]*[@-~]"
)

# Control, format, private, surrogate, unassigned; line and paragraph separators.
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
# Letters and marks that take no ink: fillers, joiners, the empty braille cell.
_HIDDEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def _hidden(char: str) -> bool:
    category = unicodedata.category(char)
    return (
        category in _HIDDEN_CATEGORIES
        or (category == "Zs" and char != " ")
        or char in _HIDDEN
        or "\ufe00" <= char <= "\ufe0f"
        or "\u180b" <= char <= "\u180f"
        or "\U000e0100" <= char <= "\U000e01ef"
    )


def visible(text: str) -> str:
    """`text` with every character that cannot be seen shown as its code point: ``⟦U+202E⟧``.

    Newlines, tabs and plain spaces stay. Nothing is removed, so that two texts that differ
    still differ afterwards. Source of the list: Trojan Source (CVE-2021-42574) and Unicode's
    categories.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in "\n\t" or not _hidden(c) else f"⟦U+{ord(c):04X}⟧" for c in text)


def plain(text: str) -> str:
    """`visible`, with terminal sequences (colours, titles, links, clipboard) taken out first."""
    return visible(_TERMINAL.sub("", text))


def markup(text: str) -> str:
    """`text` for HTML, between tags or in a quoted attribute; hidden characters are shown."""
    return html.escape(visible(text), quote=True)
