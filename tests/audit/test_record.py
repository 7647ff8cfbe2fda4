"""The record in a cell's output: what it holds, how it is chained, what of tampering shows."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import nbformat
import pytest

from reflex_magic.audit import MIMETYPE, Chain, from_notebook, make, read, save, verify, verify_notebook
from reflex_magic.audit.record import MAX_BYTES, canonical
from reflex_magic.core.card import Card, ColumnCard, ValueCard
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.report import Report
from reflex_magic.errors import RecordError
from tests.audit.builders import repaired, unresolved


@pytest.fixture
def records():
    chain = Chain()
    for report in (repaired(), unresolved(), repaired("again")):
        chain.append(report)
    return chain.records


def leaves(value, path=()):
    match value:
        case dict():
            for key, inner in value.items():
                yield from leaves(inner, (*path, key))
        case list():
            for i, inner in enumerate(value):
                yield from leaves(inner, (*path, i))
        case _:
            yield path


def changed(record, path):
    other = copy.deepcopy(record)
    place = other
    for key in path[:-1]:
        place = place[key]
    old = place[path[-1]]
    place[path[-1]] = not old if isinstance(old, bool) else old + 1 if isinstance(old, (int, float)) else f"{old}~"
    return other


def test_holds_the_whole_report_and_the_versions():
    report = repaired()
    record = make(report)
    assert read(record) == report
    assert {k: record[k] for k in report.to_dict()} == json.loads(json.dumps(report.to_dict()))
    assert record["versions"].keys() >= {"python", "pandas", "reflex-magic"}
    assert record["cut"] == []


def test_records_follow_each_other(records):
    assert [r["sequence"] for r in records] == [1, 2, 3]
    assert [r["previous"] for r in records] == ["", records[0]["digest"], records[1]["digest"]]
    assert len({r["chain"] for r in records}) == 1
    assert verify(records) == []


def test_every_changed_leaf_is_noticed(records):
    places = list(leaves(records[1]))
    assert len(places) > 40
    for path in places:
        if path[0] != "chain":
            assert verify([records[0], changed(records[1], path), records[2]]), path


def test_a_record_given_to_another_session_is_noticed(records):
    problems = verify([records[0], changed(records[1], ("chain",)), records[2]])
    assert any("was changed" in p for p in problems)
    assert any("Record 2" in p and "missing" in p for p in problems)


@pytest.mark.parametrize(
    ("mutate", "said"),
    [
        (lambda r: [r[0], r[2]], "Record 2 is missing"),
        (lambda r: [r[1], r[2]], "Record 1 is missing"),
        (lambda r: [r[0], r[2], r[1]], "Record 2 stands after record 3"),
        (lambda r: [r[0], r[1], r[1], r[2]], "Record 2 occurs more than once"),
        (lambda r: [r[0], make(unresolved("'other'"), r[0]), r[2]], "Record 3 does not follow record 2"),
        (lambda r: [r[0], {"schema": 1}, r[1], r[2]], "place 2 is not a record"),
        (lambda r: [r[0], r[1], r[2] | {"absent": [[1, 10**12]]}], "Record 3 was changed"),
        (lambda r: [r[0], r[1], r[2] | {"seconds": float("nan")}], "Record 3 was changed"),
    ],
)
def test_names_what_was_done_to_the_chain(records, mutate, said):
    assert any(said in p for p in verify(mutate(records)))


def test_a_removed_tail_does_not_show(records):
    assert verify(records[:2]) == []


def test_a_later_decision_takes_the_place_of_the_pending_record():
    chain = Chain()
    pending = replace(repaired(), status="pending", decision=None)
    chain.append(pending)
    chain.append(unresolved())
    chain.append(replace(repaired(), id=pending.id))
    assert [r["sequence"] for r in chain.records] == [2, 3]
    assert verify(chain.records) == []


def test_a_cell_that_ran_again_is_not_missed():
    chain = Chain()
    shown = {cell: chain.append(unresolved(str(i)), cell) for i, cell in enumerate("abaaab")}
    assert verify(sorted(shown.values(), key=lambda r: r["sequence"])) == []
    assert shown["a"]["absent"] == [[1, 1], [3, 4]]


def test_a_cell_that_passed_in_silence_is_not_missed():
    chain = Chain()
    first = chain.append(repaired(), "a")
    chain.pass_over(Report("x = 1"), "b")
    last = chain.append(unresolved(), "c")
    assert [r["sequence"] for r in (first, last)] == [1, 3]
    assert verify([first, last]) == []
    assert [r["status"] for r in chain.records] == ["repaired", "passed", "unresolved"]


def test_a_cell_that_passes_when_it_runs_again_takes_its_record_away():
    chain = Chain()
    chain.append(repaired(), "a")
    chain.pass_over(Report("x = 1"), "a")
    assert verify([chain.append(unresolved(), "b")]) == []


def test_two_kernel_sessions_side_by_side_are_whole():
    first, second = make(repaired()), make(unresolved())
    assert verify([first, second]) == []


def test_survives_a_saved_notebook_and_a_front_end_that_writes_numbers_its_own_way(records, tmp_path):
    whole = replace(repaired(), seconds=2.0)
    record = make(whole, records[-1])
    outputs = [nbformat.v4.new_output("display_data", {MIMETYPE: r, "text/plain": "x"}) for r in (*records, record)]
    cells = [nbformat.v4.new_code_cell("x", outputs=[o]) for o in outputs]
    path = tmp_path / "saved.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    as_javascript = path.read_text(encoding="utf-8").replace('"seconds": 2.0', '"seconds": 2')
    assert as_javascript != path.read_text(encoding="utf-8")
    kept = from_notebook(json.loads(as_javascript))
    assert len(kept) == 4
    assert verify(kept) == []
    assert read(kept[0]) == read(records[0])


def test_a_notebook_without_records_has_none():
    assert from_notebook({"cells": [{"cell_type": "markdown", "source": "x"}], "metadata": {}}) == []


def test_what_json_cannot_hold_is_said_in_words():
    report = unresolved("lone \ud800 surrogate")
    report.findings = [
        Finding("c", Severity.MAY, None, "", "m", "", {"nan": float("nan"), "big": 2**60, "set": {1}, 3: (1,)})
    ]
    record = make(report)
    assert record["findings"][0]["evidence"] == {"nan": "nan", "big": str(2**60), "set": "{1}", "3": [1]}
    assert verify([json.loads(canonical(record))]) == []
    assert json.dumps(record, ensure_ascii=False).encode()


def test_a_long_text_is_cut_and_the_record_says_so():
    record = make(Report("x" * 50_000))
    assert len(canonical(record)) < MAX_BYTES
    assert record["original"].startswith("x" * 20_000)
    assert "original: 30,000 characters" in record["cut"]
    assert read(record).original == record["original"]


@pytest.mark.slow
def test_a_record_stays_small_whatever_the_cell_did():
    columns = tuple(ColumnCard(f"column {i}" * 30, "float64", 0) for i in range(3000))
    cards = [Card(i, i + 2, "x = 1", 0.1, (), (ValueCard("x", "DataFrame", 9, columns),)) for i in range(60)]
    findings = [
        Finding("c", Severity.MUST, None, "e" * 999, "m" * 999, "", {str(k): "v" * 99 for k in range(999)})
    ] * 500
    record = make(replace(repaired(), cards=cards, findings=findings))
    assert len(canonical(record)) <= MAX_BYTES
    assert record["cut"]
    again = read(record)
    assert again.decision == repaired().decision
    assert verify([record]) == []


@pytest.mark.parametrize("broken", [{}, {"schema": 99}, {"schema": 1}, make(repaired()) | {"tokens": None}])
def test_what_is_no_record_is_one_line(broken):
    with pytest.raises(RecordError) as caught:
        read(broken)
    assert "\n" not in str(caught.value)


def test_a_saved_audit_notebook_is_verified_by_its_path(records, tmp_path):
    path = save(records, tmp_path / "audit.ipynb")
    assert verify_notebook(path) == []
    path.write_text(
        path.read_text(encoding="utf-8").replace("amounts as numbers", "amounts as words"), encoding="utf-8"
    )
    assert any("Record 1 was changed" in p for p in verify_notebook(path))


@pytest.mark.parametrize(
    "content", [None, "no json", "[]", "{}", '{"metadata": [], "cells": [1]}', '{"cells": [], "metadata": {}}']
)
def test_a_file_without_records_is_one_line(tmp_path, content):
    path = tmp_path / "x.ipynb"
    if content is not None:
        path.write_text(content)
    with pytest.raises(RecordError) as caught:
        verify_notebook(path)
    assert "\n" not in str(caught.value)
