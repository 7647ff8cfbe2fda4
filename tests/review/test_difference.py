"""Rows, pairs, marks and folds."""

from __future__ import annotations

import pytest

from reflex_magic.review.difference import Row, counts, folded, rows, unified


def texts(found: tuple[Row, ...]) -> list[tuple[str | None, str | None]]:
    return [(r.old.text if r.old else None, r.new.text if r.new else None) for r in found]


def marks(row: Row) -> tuple[list[str], list[str]]:
    return tuple([p.text for p in side.pieces if p.changed] if side else [] for side in (row.old, row.new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a\nb\nc", "a\nB\nc"),
        ("", "x = 1"),
        ("x = 1\n", "x = 1"),
        ('s = """a\nb"""\nt', 's = """a\nc"""\nt'),
        ("not python ((", "%magic\n!ls"),
        ("\tindented\n\n\n", "    indented\n\n"),
        ("x = 'é東'  # ñ", "x = 'e東'  # n"),
    ],
)
def test_both_sides_can_be_read_back(old: str, new: str) -> None:
    found = rows(old, new)
    assert "\n".join(t for t, _ in texts(found) if t is not None) == old
    assert "\n".join(t for _, t in texts(found) if t is not None) == new
    assert [r.old.number for r in found if r.old] == list(range(1, old.count("\n") + 2))
    assert [r.new.number for r in found if r.new] == list(range(1, new.count("\n") + 2))


def test_equal_sources_have_no_changed_row() -> None:
    assert counts(rows("a = 1\nb = 2", "a = 1\nb = 2")) == (0, 0)


def test_the_words_that_differ_are_marked_and_no_others() -> None:
    (row,) = rows('df["Revenue"].sum()', 'df["revenue"].sum()')
    assert marks(row) == (["Revenue"], ["revenue"])


def test_unrelated_lines_are_not_marked() -> None:
    found = rows("total = sum(values)", "import json")
    assert all(marks(r) == ([], []) for r in found)
    assert texts(found) == [("total = sum(values)", None), (None, "import json")]


def test_a_changed_line_stands_beside_its_like_when_others_were_put_in_before() -> None:
    found = rows(
        "amount = df['amount'].astype(float)",
        "clean = strip(df)\nlog('x')\namount = df['amount'].map(clean).astype(float)",
    )
    assert [r.old is not None for r in found] == [False, False, True]


def test_line_numbers_begin_where_the_editor_does() -> None:
    found = rows("a\nb", "a\nc", first_line=2)
    assert [r.new.number for r in found if r.new] == [2, 3]


def test_tokens_have_kinds() -> None:
    (row,) = rows("import x  # why", "import x  # why")
    assert row.new is not None
    assert {(p.text.strip(), p.kind) for p in row.new.pieces} >= {("import", "keyword"), ("# why", "comment")}


def test_hidden_characters_are_rows_of_their_own_look() -> None:
    found = rows("x = 1\u200b", "x = 1")
    assert counts(found) == (1, 1)
    assert found[0].old is not None
    assert "⟦U+200B⟧" in found[0].old.text


def test_far_unchanged_lines_fold_and_no_changed_line_does() -> None:
    old = "\n".join(f"print(line{i}, end='')" for i in range(40))
    found = rows(old, old.replace("line20", "line_20"))
    groups = folded(found, 3)
    assert [(shown, len(group)) for shown, group in groups] == [(False, 17), (True, 7), (False, 16)]
    assert tuple(row for _, group in groups for row in group) == found
    assert not any(r.changed for shown, g in groups if not shown for r in g)


def test_a_fold_of_two_lines_is_not_worth_it() -> None:
    old = "\n".join(f"line{i}" for i in range(9))
    found = rows(old, old.replace("line0", "x").replace("line8", "y"))
    assert all(shown for shown, _ in folded(found, 3))


def test_unified_shows_removed_lines_before_added_ones() -> None:
    found = rows("a1 = f(x)\nb1 = f(y)\nc", "a2 = f(x)\nb2 = f(y)\nc")
    assert [(sign, side.text) for sign, side in unified(found)] == [
        ("-", "a1 = f(x)"),
        ("-", "b1 = f(y)"),
        ("+", "a2 = f(x)"),
        ("+", "b2 = f(y)"),
        (" ", "c"),
    ]


def test_large_and_long_sources_are_compared_in_bounded_work() -> None:
    long = "x = [" + ", ".join(map(str, range(20_000))) + "]"
    assert counts(rows(long, long + " ")) == (1, 1)
    many = "\n".join(f"a{i} = {i}" for i in range(600))
    assert counts(rows(many, many.replace("a", "b"))) == (600, 600)
