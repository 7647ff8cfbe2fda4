"""Text from elsewhere, in every medium."""

from __future__ import annotations

import unicodedata

import pytest

from reflex_magic.core.escape import markup, plain, visible

HOSTILE = [
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ('"><img src=x onerror=alert(1)>', "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"),
    ("' onmouseover='alert(1)", "&#x27; onmouseover=&#x27;alert(1)"),
    ("</pre></div><iframe>", "&lt;/pre&gt;&lt;/div&gt;&lt;iframe&gt;"),
    ("&lt;script&gt;", "&amp;lt;script&amp;gt;"),
    ("<!-- --><svg/onload=x>", "&lt;!-- --&gt;&lt;svg/onload=x&gt;"),
    ("a\x00b", "a⟦U+0000⟧b"),
    ("a\x08\x08b", "a⟦U+0008⟧⟦U+0008⟧b"),
    ("safe\rfake", "safe⟦U+000D⟧fake"),
    ("bell\x07", "bell⟦U+0007⟧"),
    ("\x1b[31mred\x1b[0m", "red"),
    ("\x1b[2J\x1b[1;1Hwiped", "wiped"),
    ("\x1b]0;title\x07text", "text"),
    ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
    ("\x1b]52;c;aGk=\x07", ""),
    ("\x1b]52;c;never ended", ""),
    ("\x1bPq#0\x1b\\sixel", "sixel"),
    ("\x9b31mC1", "C1"),
    ("\x1bcreset", "reset"),
    ("bare \x1b", "bare ⟦U+001B⟧"),
    ("if x:\u202e # }⁦", "if x:⟦U+202E⟧ # }⟦U+2066⟧"),
    ("a\u200bb\u2060c", "a⟦U+200B⟧b⟦U+2060⟧c"),
    ("\ufeffid", "⟦U+FEFF⟧id"),
    ("tag\U000e0041", "tag⟦U+E0041⟧"),
    ("soft\u00adhyphen", "soft⟦U+00AD⟧hyphen"),
    ("no\u00a0break", "no⟦U+00A0⟧break"),
    ("filler\u3164", "filler⟦U+3164⟧"),
    ("blank\u2800", "blank⟦U+2800⟧"),
    ("select\ufe0f", "select⟦U+FE0F⟧"),
    ("line\u2028sep\u2029", "line⟦U+2028⟧sep⟦U+2029⟧"),
    ("private\ue000", "private⟦U+E000⟧"),
    ("lone\ud800", "lone⟦U+D800⟧"),
    ("next\x85line", "next⟦U+0085⟧line"),
]


@pytest.mark.parametrize(("text", "shown"), HOSTILE)
def test_a_hostile_message_becomes_harmless_markup(text: str, shown: str) -> None:
    assert markup(plain(text)) == shown


@pytest.mark.parametrize("text", [text for text, _ in HOSTILE])
def test_what_comes_out_can_be_printed_and_written(text: str) -> None:
    shown = plain(text)
    shown.encode("utf-8")
    assert "\x1b" not in shown
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co") for c in shown)


@pytest.mark.parametrize("text", ["", "plain", "tab\tand\nnewline", "Größe 東京 café €", "a − b", "x² ✓ …"])
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert visible(text) == plain(text) == text


def test_code_keeps_a_trace_of_every_character() -> None:
    colour, bare = 'print("\x1b[31m")', 'print("")'
    assert visible(colour) != visible(bare)
    assert visible(colour) == 'print("⟦U+001B⟧[31m")'


def test_escaping_does_not_change_what_is_already_shown() -> None:
    once = visible("a\u202eb")
    assert visible(once) == once
