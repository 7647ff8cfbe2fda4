"""Spans, edits and steps of a cell."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflex_magic.core.cell import Cell, Edit, Span, diff


def test_lines_count_the_magic_line() -> None:
    cell = Cell("x = 1\ny = 2\n", offset=1)
    assert [(s.number, s.span.line, s.source) for s in cell.steps] == [(0, 2, "x = 1"), (1, 3, "y = 2")]


def test_columns_are_characters_not_bytes() -> None:
    cell = Cell("größe = tabelle['größe'] + wert\n", offset=0)
    value = cell.tree.body[0].value
    assert cell.text(cell.span(value.right)) == "wert"
    assert cell.span(value.right) == Span(1, 28, 1, 32)


def test_edits_keep_comments_and_formatting() -> None:
    body = "a = f( x,\n       y )  # why\nb = a"
    cell = Cell(body)
    call = cell.tree.body[0].value
    changed = cell.apply([Edit(cell.span(call.args[1]), "z"), Edit(cell.span(call.func), "g")])
    assert changed.body == "a = g( x,\n       z )  # why\nb = a"


def test_overlapping_edits_are_refused() -> None:
    cell = Cell("a = f(x)")
    call = cell.tree.body[0].value
    with pytest.raises(ValueError, match="overlap"):
        cell.apply([Edit(cell.span(call), "g(y)"), Edit(cell.span(call.func), "h")])


def test_a_line_that_is_not_python_cannot_be_edited() -> None:
    cell = Cell("!ls\nx = 1", transform=lambda s: s.replace("!ls", "get_ipython().system('ls')"))
    assert cell.steps[1].source == "x = 1"
    with pytest.raises(ValueError, match="not plain Python"):
        cell.apply([Edit(cell.steps[0].span, "pass")])
    assert cell.apply([Edit(cell.steps[1].span, "x = 2")]).body == "!ls\nx = 2"


def test_leading_blank_lines_that_the_transformation_drops_are_counted() -> None:
    cell = Cell("\n\nx = 1\n%pwd", transform=lambda s: s.lstrip("\n").replace("%pwd", "get_ipython().x()"))
    assert cell.steps[0].span.line == 4
    assert cell.editable(cell.steps[0].span)


def test_steps_begin_with_their_decorators() -> None:
    cell = Cell("@wraps(f)\ndef g():\n    pass\n")
    assert cell.steps[0].source == "@wraps(f)\ndef g():\n    pass"


def test_common_steps_ignore_comments_and_stop_at_the_first_change() -> None:
    before, after = Cell("a = 1\nb = 2\nc = 3"), Cell("a = 1  # one\nb = 2\nc = 4")
    assert before.common_steps(after) == 2
    assert before.common_steps(Cell("a = ")) == 0


def test_a_cell_that_is_not_python_has_no_steps() -> None:
    cell = Cell("a = (")
    assert cell.steps == ()
    assert cell.fingerprint == "a = ("


def test_node_at_prefers_the_expression() -> None:
    cell = Cell("f(x)")
    assert isinstance(cell.node_at(cell.steps[0].span), ast.Call)
    assert cell.node_at(Span(2, 2, 2, 3)) is None


@given(st.text(alphabet="äx€\n'\"#= ", max_size=30), st.text(alphabet="ab \nß", max_size=10))
def test_diff_is_empty_only_for_equal_lines(before: str, after: str) -> None:
    assert (diff(before, after) == "") == (before.splitlines() == after.splitlines())


@given(
    st.lists(st.sampled_from(["é = 'ü'", "b = [1, 2]", "f(x)  # ß", "if b:\n    c = 'ö' + é"]), min_size=1, max_size=6)
)
def test_replacing_a_step_by_itself_changes_nothing(statements: list[str]) -> None:
    body = "\n".join(statements)
    cell = Cell(body)
    assert cell.apply([Edit(s.span, s.source) for s in cell.steps]).body == body
