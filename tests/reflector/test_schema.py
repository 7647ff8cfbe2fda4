"""How an answer is read, placed, refused."""

from __future__ import annotations

import json

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from reflex_magic.core.cell import Cell
from reflex_magic.reflector.schema import Answer, Refused, accept, parse
from tests.model_server import answer

BODY = """\
import pandas as pd
# keep me
sales = load()  # and me
total = sales['Revenue'].sum()

by = (sales
      .groupby('region').size())
assert by.sum() == len(sales)"""
CELL = Cell(BODY)
FIXED = BODY.replace("'Revenue'", "'revenue'")
FIX = ("replace", 2, "total = sales['revenue'].sum()")


def tried(text: str | dict[str, object], cell: Cell = CELL, failing: int | None = 2, **options: object) -> str:
    """The body that an answer makes."""
    read = parse(text if isinstance(text, str) else json.dumps(text))
    return accept(read, cell, failing, **options).cell.body  # type: ignore[arg-type]


def refusal(text: str | dict[str, object], cell: Cell = CELL, failing: int | None = 2, **options: object) -> str:
    with pytest.raises(Refused) as caught:
        tried(text, cell, failing, **options)
    return str(caught.value)


GOOD = json.dumps(answer([FIX]))


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "\ufeff" + GOOD,
        f"```json\n{GOOD}\n```",
        f"Here is the answer:\n```\n{GOOD}\n```\nHope that helps.",
        f"Sure! {GOOD} Let me know.",
        f"<think>maybe {{'a': 1}} or {{}}</think>\n{GOOD}",
        f"{GOOD}\n<think>did I miss something",
        GOOD.replace("[", "[\n"),
        GOOD.replace("sales['revenue']", "sales[\n'revenue'\n]").replace("\\n", "\n"),
        GOOD + GOOD,
        json.dumps(answer([("replace", 2, "```python\ntotal = sales['revenue'].sum()\n```")])),
    ],
)
def test_json_however_it_is_wrapped(text: str) -> None:
    assert Cell(tried(text)).fingerprint == Cell(FIXED).fingerprint


@pytest.mark.parametrize(
    "text",
    [
        f"The column is called revenue here.\n```python\n{FIXED}\n```",
        f"```py\n{FIXED}",
        f"```python\n{FIXED}\n```\nOnce more:\n```python\n{FIXED}\n```",
        FIXED,
        "```\ntotal = sales['revenue'].sum()\n```",
        "total = sales['revenue'].sum()",
        "```python\nimport pandas as pd\ntotal = sales['revenue'].sum()\n```",
    ],
)
def test_code_alone_becomes_the_change_of_one_statement(text: str) -> None:
    assert tried(text) == FIXED


def test_a_whole_cell_in_other_formatting_changes_only_what_differs() -> None:
    reformatted = (
        "import pandas as pd\nsales=load()\ntotal = sales['revenue'].sum()\n"
        'by = sales.groupby("region").size()\nassert by.sum()==len(sales)'
    )
    assert tried(f"```python\n{reformatted}\n```") == FIXED


def test_the_cause_of_an_answer_in_words_and_code() -> None:
    read = parse(f"The column is called revenue here. Fixed:\n```python\n{FIXED}\n```")
    repair = accept(read, CELL, 2)
    assert repair.stated
    assert repair.reflection.root_cause == "The column is called revenue here."
    assert not accept(parse(f"Here is the corrected code:\n```python\n{FIXED}\n```"), CELL, 2).stated
    assert not accept(parse(f"Maybe the column is missing.\n```python\n{FIXED}\n```"), CELL, 2).stated


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([("insert", 2, "sales = clean(sales)")], BODY.replace("total =", "sales = clean(sales)\ntotal =")),
        ([("insert", 5, "print(total)")], BODY + "\nprint(total)"),
        ([("insert", 0, "import re\nimport json")], "import re\nimport json\n" + BODY),
        ([FIX, ("insert", 2, "x = 1")], FIXED.replace("total =", "x = 1\ntotal =")),
        ([("replace", 3, "by = sales.groupby('region', dropna=False).size()")],
         BODY.replace("(sales\n      .groupby('region').size())", "sales.groupby('region', dropna=False).size()")),
        ([("delete", 0, "")], BODY.replace("import pandas as pd\n", "")),
    ],
)  # fmt: skip
def test_where_changes_go(changes: list[tuple[str, int, str]], expected: str) -> None:
    assert tried(answer(changes)) == expected


def test_an_insert_at_the_end_stands_below_a_comment() -> None:
    assert tried(answer([("insert", 1, "y = 2")]), Cell("x = 1  # one"), 0) == "x = 1  # one\ny = 2"


def test_statements_that_share_a_line() -> None:
    assert tried(answer([("replace", 1, "b = 3")]), Cell("a = 1; b = 2; c = 4"), 1) == "a = 1; b = 3; c = 4"
    assert "does not fit" in refusal(answer([("replace", 1, "if a:\n    b = 3")]), Cell("a = 1; b = 2"), 1)


def test_a_decorated_function_is_replaced_as_a_whole() -> None:
    cell = Cell("@cache\ndef f(x):\n    return x.Amount\nf(1)")
    assert tried(answer([("replace", 0, "@cache\ndef f(x):\n    return x.amount")]), cell, 1).startswith(
        "@cache\ndef f(x):\n    return x.amount\nf(1)"
    )


def test_the_account_is_kept() -> None:
    repair = accept(parse(json.dumps(answer([FIX], resume=2))), CELL, 2)
    assert repair.reflection.root_cause == "The statement names a column that the table does not have."
    assert repair.reflection.change == "replace statement 2"
    assert repair.reflection.resume_step == 2
    assert accept(parse(json.dumps(answer([FIX], resume=99))), CELL, 2).reflection.resume_step is None


@pytest.mark.parametrize(
    "cause",
    [
        "",
        "Error",
        "Wrong column",
        "Maybe the column is missing from the table.",
        "The column might be called something else.",
        "Perhaps the file has another encoding than expected.",
        "Check the configuration of the data source.",
        "Make sure that the column exists in the table.",
        "You should verify that the column exists.",
        "It seems the column is not there at all.",
        "I think the column was renamed by somebody.",
        "It is unclear why the statement fails here.",
        "This cannot be done with the data at hand.",
        "There is not enough information to say why.",
    ],
)
def test_vague_causes_are_refused(cause: str) -> None:
    assert "vague" in refusal(answer([FIX], cause=cause))


@pytest.mark.parametrize(
    "cause",
    [
        "The table has no column `maybe`, its name is `Maybe`.",
        "Amounts carry a currency sign, so astype(float) cannot convert them.",
        "pandas 2 removed DataFrame.append; the check of the index never ran.",
        "'might' is a column of the other table.",
    ],
)
def test_definite_causes_pass(cause: str) -> None:
    assert tried(answer([FIX], cause=cause)) == FIXED


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (answer([]), "changes nothing"),
        (answer([], cause="This cannot be repaired without the file."), "without a concrete alternative"),
        (answer([("replace", 2, "total = sales['Revenue'].sum()")]), "changes nothing"),
        (answer([("replace", 2, "total  =  sales[\"Revenue\"].sum()  # fixed")]), "changes nothing"),
        (answer([("replace", 2, "total = sales['revenue'.sum()")]), "not Python"),
        (answer([("replace", 2, "")]), "no code"),
        (answer([("replace", 2, "# nothing to do")]), "no code"),
        (answer([("replace", 9, "x = 1")]), "no statement 9"),
        (answer([("replace", -1, "x = 1")]), "no statement -1"),
        (answer([FIX, FIX]), "changed twice"),
        (answer([("delete", 4, "")]), "assertion"),
        (answer([("replace", 4, "assert True")]), "assertion"),
        (answer([("replace", 4, "assert by.sum() <= len(sales)")]), "assertion"),
        (answer([("replace", 4, "try:\n    assert by.sum() == len(sales)\nexcept Exception:\n    pass")]), "assertion"),
        (answer([("delete", 2, "")]), "no longer assigns `total`"),
        (answer([("replace", 2, "result = sales['revenue'].sum()")]), "no longer assigns `total`"),
        (answer([("replace", 2, "total = ...\n...")]), "in place of code"),
        (answer([FIX, ("insert", 2, "sales = pd.DataFrame({'revenue': [1, 2]})")]), "written into the code"),
        (answer([("run", 2, "x = 1")]), "needs an action"),
        ({"root_cause": "The column is called revenue.", "code": "x"}, "list of edits"),
        ({"root_cause": "The column is called revenue.", "changes": ["x"]}, "needs an action"),
        ({"root_cause": "It is so.", "changes": [{"action": "replace", "statement": "two", "code": ""}]}, "number"),
        ({"root_cause": "It is so.", "changes": [{"action": "replace", "statement": 2, "code": 3}]}, "text"),
        ("", "empty"),
        ("<think>hm", "empty"),
        ("I am sorry, I cannot help with that.", "neither"),
        ("Yes", "neither"),
        ("```python\nx = 1\n```\nor\n```python\nx = 2\n```", "two different blocks"),
        ("```python\ntotal = sales['revenue'.sum()\n```", "not Python"),
        ("```python\nsales = load()\ntotal = sales['revenue'].sum()\n```", "leaves out statement"),
        ("```python\n%pip install pandas\n```", "not Python"),
        ("{" * 5000, "neither"),
    ],
)  # fmt: skip
def test_what_is_refused(given: str | dict[str, object], said: str) -> None:
    assert said in refusal(given)


def test_what_was_tried_is_refused_also_in_other_formatting() -> None:
    failed = {CELL.replaced(FIXED).fingerprint}
    assert "tried already" in refusal(answer([("replace", 2, "total = (sales['revenue'].sum())")]), tried=failed)


def test_statements_that_were_not_shown_stay() -> None:
    assert tried(answer([FIX]), shown={1, 2}) == FIXED
    assert "was not shown" in refusal(answer([FIX]), shown={0, 1})


def test_marks_are_turned_back_in_code_and_unknown_ones_refused() -> None:
    def restore(text: str) -> str:
        if "<redacted-2>" in text:
            raise ValueError("mentions a redacted value that was not in the cell")
        return text.replace("<redacted-1>", "s3cret")

    code = "total = load(key='<redacted-1>')"
    assert "key='s3cret'" in tried(answer([("replace", 2, code)]), restore=restore)
    assert "redacted" in refusal(answer([("replace", 2, code.replace("1", "2"))]), restore=restore)


BROKEN = Cell("import pandas as pd\nx = (1,\ny = 2\nassert y == 2")


def test_a_cell_that_is_not_python_is_rewritten_line_by_line() -> None:
    repaired = "import pandas as pd\nx = (1,)\ny = 2\nassert y == 2"
    cause = "The bracket opened in the second line is never closed."
    repair = accept(parse(json.dumps(answer([("replace", 0, repaired)], cause=cause))), BROKEN, None)
    assert repair.cell.body == repaired
    assert [e.text for e in repair.edits] == ["x = (1,)"]
    assert tried(f"```python\n{repaired}\n```", BROKEN, None) == repaired


def test_a_broken_cell_with_a_magic_keeps_it() -> None:
    cell = Cell("%time 1\nx = (1,\ny = 2", transform=TransformerManager().transform_cell)
    assert tried("```python\n%time 1\nx = (1,)\ny = 2\n```", cell, None) == "%time 1\nx = (1,)\ny = 2"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import pandas as pd\nx = (1,\ny = 2\nassert y == 2", "not Python"),
        ("import pandas as pd\nx = (1,)\ny = 2", "assertion"),
        ("import pandas as pd\nx = (1,)\ny = 2\nif x:\n    assert y == 2", "assertion"),
        ("", "changes nothing"),
    ],
)
def test_a_cell_that_is_not_python_keeps_its_rules(code: str, said: str) -> None:
    cause = "The bracket opened in the second line is never closed."
    assert said in refusal(answer([("replace", 0, code)], cause=cause), BROKEN, None)


def test_lines_with_magics_are_left_alone() -> None:
    transform = TransformerManager().transform_cell
    cell = Cell("%time 1\nx = sales['Revenue']", transform=transform)
    assert tried(answer([("replace", 1, "x = sales['revenue']")]), cell, 1) == "%time 1\nx = sales['revenue']"
    assert tried("```python\n%time 1\nx = sales['revenue']\n```", cell, 1) == "%time 1\nx = sales['revenue']"
    assert "not plain Python" in refusal(answer([("replace", 0, "y = 1")]), cell, 1)
    assert "IPython commands" in refusal("```python\n%time 1\n%time 2\nx = 1\n```", cell, 1)


def test_an_answer_is_plain_data() -> None:
    assert parse(GOOD) == Answer(
        "The statement raised.",
        "The statement names a column that the table does not have.",
        parse(GOOD).changes,
        "The columns listed.",
        0,
    )
