"""Learning, counting, forgetting, trusting; and what a lesson may say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reflex_magic.core.card import Shapes
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.proposal import Proposal
from reflex_magic.core.report import Report, Tokens
from reflex_magic.errors import NothingToDo, RecordError
from reflex_magic.lessons import JsonlLessons, LessonProposer
from reflex_magic.lessons.lesson import general, vague
from reflex_magic.lessons.signature import collapse, normalise
from tests.lessons.bench import accepted, context, rule, safe, span_of

SETUP = "orders = pd.DataFrame({'amount': ['$1,299.00', '$5.50']})"
CELL = "total = orders['amount'].astype(float).sum()"
REPAIRED = "total = orders['amount'].str.replace('[$,]', '', regex=True).astype(float).sum()"
OTHER = "fees = pd.DataFrame({'Fee': ['$7.00', '$2,000.25']})"
OTHER_CELL = "top = fees['Fee'].astype(float).max()"


@pytest.fixture
def store(tmp_path: Path) -> JsonlLessons:
    return JsonlLessons(tmp_path / "lessons.jsonl", tmp_path / "home")


def again(store: JsonlLessons, home: str = "home") -> JsonlLessons:
    """The same file, read by another kernel; with another `home`, by another person."""
    return JsonlLessons(store.file.path, store.file.path.parent / home)


def learned(store: JsonlLessons) -> str:
    """The id of the lesson about currency signs."""
    asked = context(CELL, SETUP)
    store.see(asked)
    report, proposal = accepted(asked, REPAIRED)
    lesson = store.learn(report, asked, proposal)
    assert lesson, store.notes
    return lesson


def offered(store: JsonlLessons, cell: str = OTHER_CELL, setup: str = OTHER) -> list[Proposal]:
    return list(LessonProposer(store).propose(context(cell, setup), Tokens()))


def test_learn_then_propose_in_another_kernel(store: JsonlLessons) -> None:
    lesson = learned(store)
    other = again(store)
    (proposal,) = offered(other)
    assert proposal.origin == f"lesson:{lesson}"
    assert proposal.title == "Strip the currency signs first"
    assert proposal.evidence == "accepted before, not tried again yet"
    assert safe(proposal)
    assert not proposal.foreign
    other.tried(proposal, True)
    other.tried(proposal, True)
    other.tried(proposal, False)
    other.tried(replace(proposal, origin="rule:x"), True)
    (proposal,) = offered(store)
    assert proposal.evidence == "held 2 of 3 times"


def test_the_same_lesson_is_learned_once_and_counted(store: JsonlLessons) -> None:
    lesson = learned(store)
    asked = context(OTHER_CELL, OTHER)
    store.see(asked)
    report, proposal = accepted(asked, "top = fees['Fee'].str.replace('[$,]', '', regex=True).astype(float).max()")
    assert store.learn(report, asked, proposal) == lesson
    (from_lesson,) = offered(store)
    assert store.learn(report, asked, from_lesson) == lesson
    (known,) = store.list()
    assert known.counts.accepted == 3
    assert known.counts.last_used
    kinds = [json.loads(line)["kind"] for line in store.file.path.read_text().splitlines()]
    assert kinds.count("lesson") == 1


def test_a_lesson_that_mostly_fails_is_silent(store: JsonlLessons) -> None:
    learned(store)
    for _ in range(2):
        (proposal,) = offered(store)
        store.tried(proposal, False)
    (proposal,) = offered(store)
    store.rejected(proposal)
    assert offered(store) == []
    assert store.relevant(context(OTHER_CELL, OTHER)) == []
    assert len(store.list()) == 1, "it is still listed"


def test_the_best_record_comes_first(store: JsonlLessons) -> None:
    learned(store)
    asked = context(CELL, SETUP)
    report, proposal = accepted(
        asked, "total = orders['amount'].replace({r'[$,]': ''}, regex=True).astype(float).sum()"
    )
    second = store.learn(report, asked, proposal)
    assert second
    assert len(store.list()) == 2
    first, last = offered(store)
    store.tried(first, False)
    store.tried(last, True)
    assert [p.origin for p in offered(store)] == [last.origin, first.origin]


def test_other_forms_of_values_are_offered_and_not_committed(store: JsonlLessons) -> None:
    learned(store)
    # Without the dollar the comma may be a decimal comma: the remedy runs, and may be wrong by a hundred.
    (proposal,) = offered(store, setup="fees = pd.DataFrame({'Fee': ['1,50', '2,25']})")
    assert not safe(proposal)
    assert "values like 9,9 were not seen" in proposal.evidence
    # Once a person accepted it for such values, they are known.
    asked = context(OTHER_CELL, "fees = pd.DataFrame({'Fee': ['1,50', '2,25']})")
    store.see(asked)
    store.learn(Report(OTHER_CELL), asked, proposal)
    (proposal,) = offered(again(store), setup="fees = pd.DataFrame({'Fee': ['3,50', '10,00']})")
    assert safe(proposal)


def test_a_remedy_that_loses_values_is_never_safe(store: JsonlLessons) -> None:
    setup = "d = pd.DataFrame({'n': [1.0, None]})"
    asked = context("d['n'] = d['n'].astype(int)", setup)
    report, proposal = accepted(asked, "d['n'] = d['n'].fillna(0).astype(int)", title="Fill the gaps with zero")
    assert store.learn(report, asked, proposal)
    (found,) = offered(store, "k = d['n'].astype(int)", setup)
    assert not safe(found)


def test_forget(store: JsonlLessons) -> None:
    lesson = learned(store)
    assert lesson in store.table()
    assert "_x1.astype(float" in store.show(lesson[:6])
    store.forget(lesson[:6])
    assert store.list() == []
    assert offered(again(store)) == []
    assert "no lessons" in store.table()
    assert "(forgotten)" in store.show(lesson)
    with pytest.raises(NothingToDo):
        store.forget(lesson)
    for unknown in ("", "zzz"):
        with pytest.raises(NothingToDo):
            store.show(unknown)
    assert store.describe().startswith("0 lessons in ")


def test_what_was_forgotten_can_be_learned_again_whatever_the_order_of_the_lines(store: JsonlLessons) -> None:
    lesson = learned(store)
    store.forget(lesson)
    assert learned(store) == lesson
    assert [x.id for x in store.list()] == [lesson]
    lines = store.file.path.read_text().splitlines(keepends=True)
    store.file.path.write_text("".join(reversed(lines)))
    assert [x.id for x in again(store).list()] == [lesson]


def test_forgetting_where_nothing_can_be_written_is_one_line(store: JsonlLessons, tmp_path: Path) -> None:
    lesson = learned(store)
    store.file.path.with_suffix(".jsonl.lock").unlink(missing_ok=True)
    store.file.path.with_suffix(".jsonl.lock").mkdir()
    with pytest.raises(RecordError):
        store.forget(lesson)


def test_a_lesson_of_somebody_else_is_foreign_until_it_is_accepted(store: JsonlLessons) -> None:
    learned(store)
    theirs = again(store, "another home")
    (lesson,) = theirs.list()
    assert lesson.foreign
    asked = context(OTHER_CELL, OTHER)
    (proposal,) = LessonProposer(theirs).propose(asked, Tokens())
    assert proposal.foreign
    assert not safe(proposal)
    assert theirs.lines(asked) == [], "what others wrote is not sent"
    assert "somebody else" in theirs.table()
    theirs.learn(Report(OTHER_CELL), asked, proposal)
    (lesson,) = theirs.list()
    assert not lesson.foreign
    assert not store.list()[0].foreign, "and it stays ours where we wrote it"


def test_a_lesson_cannot_drive_the_terminal(store: JsonlLessons) -> None:
    lesson = learned(store)
    line = json.loads(store.file.path.read_text().splitlines()[0])
    store.file.append([line | {"id": "f" + lesson, "remedy": "Read \x1b]52;c;aGk=\x07 this \u202eway\u200b"}])
    for shown in (store.table(), store.show("f" + lesson)):
        assert "aGk=" in shown
        assert all(c.isprintable() for c in shown if c != "\n")


def test_a_changed_lesson_is_foreign(store: JsonlLessons) -> None:
    learned(store)
    text = store.file.path.read_text()
    store.file.path.write_text(text.replace("regex=True", "regex=False"))
    assert [x.foreign for x in again(store).list()] == [True]


def test_a_line_from_elsewhere_does_not_replace_ours(store: JsonlLessons) -> None:
    learned(store)
    ours = store.list()
    line = json.loads(store.file.path.read_text().splitlines()[0])
    line |= {"remedy": "Something else entirely happens", "created": "2999-01-01T00:00:00.000Z"}
    store.file.append([line])
    assert store.list() == ours


@pytest.mark.parametrize(
    "change",
    [
        {"template": {"changes": [{"before": "_x1", "after": "run(_x1)", "where": "here"}], "insert": ""}},
        {"template": 3},
        {"remedy": ""},
        {"remedy": "x" * 301},
        {"id": 5},
        {"versions": []},
    ],
)
def test_an_unusable_lesson_is_reported_and_skipped(store: JsonlLessons, change: dict[str, object]) -> None:
    learned(store)
    line = json.loads(store.file.path.read_text().splitlines()[0])
    store.file.path.write_text(json.dumps(line | change) + "\n")
    other = again(store)
    assert other.list() == []
    assert len(other.notes) == 1
    assert "was skipped" in other.notes[0]


@pytest.mark.parametrize(
    "text",
    [
        "Check the configuration",
        "Fix the error",
        "Handle the exception",
        "Maybe the column is missing",
        "Clean the data",
        "Try again",
        "replace statement 1, insert before statement 2",
        "Wrap it in try/except and go on",
        "",
    ],
)
def test_vague_words_teach_nothing(store: JsonlLessons, text: str) -> None:
    assert vague(text)
    asked = context(CELL, SETUP)
    report, proposal = accepted(asked, REPAIRED, title=text)
    assert store.learn(report, asked, proposal) is None
    assert not store.file.path.exists()
    assert ["says too little" in n for n in store.notes] == [True]


@pytest.mark.parametrize(
    "text",
    ["Strip the currency sign before the conversion", "转换之前先去掉货币符号", "Use pd.concat instead of append"],
)
def test_definite_words_are_not_vague(text: str) -> None:
    assert not vague(text)


def test_the_words_of_a_lesson_are_general(store: JsonlLessons) -> None:
    asked = context(CELL, SETUP)
    said = (
        "Strip '$' from `orders['amount']` on line 2, as in '$1,299.00' ($1,299.00, 129900), see "
        "https://example.org/x?y and /home/me/data.csv or data/orders.csv, with `regex=True`\u202e"
    )
    report, proposal = accepted(asked, REPAIRED, said=said)
    lesson = store.get(store.learn(report, asked, proposal) or "")
    assert lesson is not None
    for text in (lesson.remedy, lesson.root_cause):
        for particular in (
            "1,299",
            "129900",
            "https",
            "example.org",
            "/home",
            "orders.csv",
            "line 2",
            "amount'",
            "\u202e",
        ):
            assert particular not in text, text
        assert "Strip '$' from" in text
        assert "`regex=True`" in text
    assert lesson.symptom == "The conversion raised."
    assert lesson.signature == "could not convert string to float: <name>"
    assert lesson.versions["pandas"]


def test_an_unconvertible_repair_leaves_words_without_an_edit(store: JsonlLessons) -> None:
    asked = context("t = d['Sales'].sum()", "d = pd.DataFrame({'sales': [1]})")
    report, proposal = accepted(asked, "t = d['sales'].sum()", title="Write the label as the table has it")
    lesson = store.get(store.learn(report, asked, proposal) or "")
    assert lesson is not None
    assert lesson.template is None
    assert "no edit" in store.notes[0]
    assert store.lines(asked) == [
        "KeyError: <name>: Write the label as the table has it (accepted before, not tried again yet)"
    ]
    assert list(LessonProposer(store).propose(asked, Tokens())) == []


def test_a_rule_teaches_words_only_once_per_kind(store: JsonlLessons) -> None:
    for setup, cell in ((SETUP, CELL), (OTHER, OTHER_CELL)):
        asked = context(cell, setup)
        report, proposal = rule(asked, cell.replace(".astype", ".str.strip('$').astype"))
        assert store.learn(report, asked, proposal)
    (lesson,) = store.list()
    assert lesson.template is None
    assert lesson.origin == "rule:currency-text"
    assert lesson.counts.accepted == 2
    assert store.notes == []


def test_two_repairs_of_a_kind_become_one_wider_lesson(store: JsonlLessons) -> None:
    def teach(form: str, value: str) -> str:
        cell = f"t = pd.to_datetime(d['w'], format='{form}')"
        asked = context(cell, f"d = pd.DataFrame({{'w': ['{value}']}})")
        store.see(asked)
        report, proposal = accepted(asked, "t = pd.to_datetime(d['w'], dayfirst=True)", title="Read the day first")
        return store.learn(report, asked, proposal) or ""

    one = teach("%m/%d/%Y", "25/12/2024")
    assert teach("%Y-%m-%d", "24/12/2024") == one
    (lesson,) = again(store).list()
    assert lesson.template is not None
    assert "format=_s1" in lesson.template.changes[0].before
    assert not lesson.foreign
    assert lesson.counts.accepted == 2
    (proposal,) = offered(
        store, "u = pd.to_datetime(e['z'], format='%d.%m.%Y').dt.day", "e = pd.DataFrame({'z': ['21/11/2024']})"
    )
    assert safe(proposal)


def test_a_silent_kind_is_known_by_its_finding(store: JsonlLessons) -> None:
    def doubt(cell: str, setup: str) -> tuple[object, Finding]:
        plain = context("1 / 0", setup).cell.replaced(cell)
        call = cell.split(" = ")[1].split(".sum")[0]
        found = Finding("group-keys-dropped", Severity.MUST, span_of(plain, call), call, "1 of 2 rows is in no group")
        return context(cell, setup, (found,)), found

    asked, _ = doubt("g = d.groupby('r').sum()", "d = pd.DataFrame({'r': ['a', None], 'n': [1, 2]})")
    report, proposal = accepted(asked, "g = d.groupby('r', dropna=False).sum()", title="Keep the rows without a key")
    proposal = replace(proposal, answers=("group-keys-dropped",))
    assert store.learn(report, asked, proposal), store.notes
    asked, _ = doubt("s = t.groupby(['z', 'y'], sort=False).sum()", "t = pd.DataFrame({'z': [1], 'y': [2], 'n': [1]})")
    (found,) = LessonProposer(store).propose(asked, Tokens())
    assert asked.cell.apply(found.edits).body == "s = t.groupby(['z', 'y'], dropna=False, sort=False).sum()"
    assert found.answers == ("group-keys-dropped",)
    assert safe(found)


def test_a_module_that_an_earlier_cell_imported_is_no_variable(store: JsonlLessons) -> None:
    setup = "import datetime as clock\ntext = '25.12.2024'"
    asked = context("day = clock.datetime.strptime(text, '%d-%m-%Y')", setup)
    store.see(asked)
    report, proposal = accepted(asked, "day = clock.datetime.strptime(text, '%d.%m.%Y')", title="Read dates with dots")
    lesson = store.get(store.learn(report, asked, proposal) or "")
    assert lesson is not None
    assert lesson.template is not None
    assert lesson.template.changes[0].before.startswith("clock.datetime.strptime(_x1")


def test_only_a_sample_of_the_values_is_not_enough(store: JsonlLessons) -> None:
    learned(store)
    asked = context(OTHER_CELL, OTHER)
    shapes = asked.values.shapes("fees['Fee']")
    assert shapes is not None

    class Sampled(type(asked.values)):  # type: ignore[misc]
        def shapes(self, expression: str) -> Shapes | None:
            whole = super().shapes(expression)
            return replace(whole, complete=False) if whole else None

    asked.values.__class__ = Sampled
    (proposal,) = LessonProposer(store).propose(asked, Tokens())
    assert not safe(proposal)
    assert "only some of the values" in proposal.evidence


def test_a_persons_own_repair_is_learned_from_the_report(store: JsonlLessons) -> None:
    asked = context(CELL, SETUP)
    report, proposal = accepted(asked, REPAIRED, origin="person")
    assert store.learn(report, None, proposal)
    (lesson,) = store.list()
    assert lesson.origin == "person"
    (found,) = offered(store)
    assert not safe(found), "what the values looked like then is not known"


def test_a_cell_that_was_not_python_teaches_words(store: JsonlLessons) -> None:
    report = Report(
        "x = (",
        status="repaired",
        outcome={"class": "syntax", "ename": "SyntaxError", "evalue": "'(' was never closed", "line": 2},
    )
    proposal = Proposal("model:m", "Close the bracket that was opened", (), source="x = ()")
    assert store.learn(report, None, proposal)
    assert store.list()[0].template is None


def test_relevant_ranks_the_same_kind_before_shared_words(store: JsonlLessons) -> None:
    learned(store)
    asked = context("t = d['n'].astype(int)", "d = pd.DataFrame({'n': ['x']})")
    report, proposal = accepted(asked, "t = pd.to_numeric(d['n'])", title="Convert with to_numeric instead")
    assert store.learn(report, asked, proposal)
    same, near = store.relevant(context(OTHER_CELL, OTHER))
    assert same.signature == "could not convert string to float: <name>"
    assert near.signature.startswith("invalid literal for int()")
    assert store.relevant(context("t = missing + 1")) == []
    assert len(store.lines(context(OTHER_CELL, OTHER))) == 2


def test_an_unwritable_place_costs_one_line(tmp_path: Path) -> None:
    (tmp_path / ".reflex").write_text("")
    store = JsonlLessons(tmp_path / ".reflex" / "lessons.jsonl", tmp_path / "home")
    asked = context(CELL, SETUP)
    report, proposal = accepted(asked, REPAIRED)
    assert store.learn(report, asked, proposal) is None
    assert store.list() == []
    assert store.relevant(asked) == []
    store.tried(replace(proposal, origin="lesson:abc"), True)
    assert len(store.notes) == 1


def test_a_home_that_cannot_hold_the_key_costs_one_line(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    store = JsonlLessons(tmp_path / "lessons.jsonl", tmp_path / "home")
    learned(store)
    assert [x.foreign for x in store.list()] == [False]
    assert len(store.notes) == 1
    assert "somebody else's in the next session" in store.notes[0]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("could not convert string to float: '$1,299.00'", "could not convert string to float: <name>"),
        ("'Revenue'", "<name>"),
        ("\"['a', 'b c'] not in index\"", "[<name>] not in index"),
        ("'DataFrame' object has no attribute 'append'", "DataFrame object has no attribute <name>"),
        (
            'time data "25/12/2024" doesn\'t match format "%m/%d/%Y", at position 0.\nMore',
            "time data <name> doesn't match format <name>, at position <n>.",
        ),
        ("Length of values (3) does not fit the index (4,000)", "Length of values (<n>) does not fit the index (<n>)"),
        ("[Errno 2] No such file or directory: '/home/me/a b.csv'", "[Errno <n>] No such file or directory: <name>"),
        ("cannot open data/2024/orders.csv", "cannot open <path>"),
        ("Object of type int64 is not JSON serializable", "Object of type int64 is not JSON serializable"),
        ("Net_Price is unknown", "<name> is unknown"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_message_without_its_particulars(message: str, kind: str) -> None:
    assert normalise(message, {"Net_Price", "type"}) == kind


@pytest.mark.parametrize(
    ("value", "form"),
    [("$1,299,000.00", "$9,9.9"), ("$12,299.50", "$9,9.9"), ("1,50", "9,9"), ("25/12/2024", "9/9"), ("Ab 12", "a 9")],
)
def test_the_form_of_a_value(value: str, form: str) -> None:
    assert collapse(value) == form


def test_names_in_words_become_placeholders() -> None:
    assert general("Net_Price of `df` is text, not amount", {"Net_Price", "df", "amount"}) == (
        "<name> of <name> is text, not amount"
    )
