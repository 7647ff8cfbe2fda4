"""`%reflect on`: every cell as if it had the magic. `%reflect`: the last cell that failed."""

from __future__ import annotations

import pytest

import reflex_magic
from tests.end_to_end.conftest import Notebook

SALES = "sales = pd.DataFrame({'region': ['N', 'S', 'N'], 'revenue': [10, 20, 30]})\nmade = []"
TYPO = "made.append(1)\ntotal = sales['Revenue'].sum()"
REPAIRED = TYPO.replace("Revenue", "revenue")


@pytest.fixture
def sales(notebook: Notebook) -> Notebook:
    """A notebook with a frame, and a list that counts executions."""
    notebook.run(SALES)
    return notebook


def newest() -> str | None:
    report = reflex_magic.last_report()
    return report.original if report is not None else None


# -- every cell -------------------------------------------------------------------------------------


def test_while_it_is_on_a_plain_cell_is_repaired(sales: Notebook) -> None:
    sales.run("%reflect on --accept --no-model")
    sales.run(TYPO)
    report = reflex_magic.last_report()
    assert (report.status, report.original, report.source) == ("repaired", TYPO, REPAIRED)
    assert (sales["total"], sales["made"]) == (60, [1])
    assert sales.shell.rl_next_input == REPAIRED, "the cell gets no magic line that it did not have"
    assert report.outcome["line"] == 2, "lines are counted as in the editor"


def test_while_it_is_on_a_plain_cell_shows_its_value_and_has_its_history(sales: Notebook) -> None:
    sales.run("%reflect on --no-model")
    result = sales.run("\n2 + 3")
    assert (result.result, newest()) == (5, "2 + 3")
    assert sales.shell.history_manager.input_hist_raw[-1] == "\n2 + 3"
    assert "eflect" not in sales.shown


def test_while_it_is_on_a_cell_may_await(sales: Notebook) -> None:
    sales.run("%reflect on --no-model")
    assert sales.run("import asyncio\nawait asyncio.sleep(0, 7)").result == 7
    assert newest() == "import asyncio\nawait asyncio.sleep(0, 7)"


def test_while_it_is_on_the_magic_line_has_its_own_options(sales: Notebook) -> None:
    sales.run("%reflect on --accept --no-model")
    sales.run(f"%%reflect --ask --no-model\n{TYPO}")
    assert reflex_magic.last_report().status == "pending"


@pytest.mark.parametrize("cell", ["%%capture out\nprint(1)", "%who_ls", "# a remark\n\n%reflect status", "!true", ""])
def test_cells_of_magics_are_left_alone(sales: Notebook, cell: str) -> None:
    sales.run("%reflect on --no-model")
    before = newest()
    assert sales.run(cell).success
    assert newest() == before


def test_magics_inside_a_cell_run_their_own_code_plainly(sales: Notebook) -> None:
    sales.run("%reflect on --no-model")
    cell = "%time x = 1\nget_ipython().run_cell_magic('capture', 'out', 'print(2)')\nshown = out.stdout"
    assert sales.run(cell).success
    assert (sales["x"], sales["shown"], newest()) == (1, "2\n", cell)
    sales.run("3")
    assert newest() == "3"


def test_off_leaves_cells_alone(sales: Notebook) -> None:
    sales.run("%reflect on --no-model")
    sales.run("%reflect off")
    before = newest()
    assert not sales.run(TYPO).success
    assert newest() == before
    assert "every cell: no" in (sales.run("%reflect status"), sales.shown)[1]


def test_unloading_ends_it(sales: Notebook) -> None:
    sales.run("%reflect on --no-model")
    sales.run("%unload_ext reflex_magic")
    assert sales.run("1 + 1").result == 2
    sales.run("%load_ext reflex_magic")
    assert newest() is None or newest() != "1 + 1"


def test_an_option_that_is_none_is_refused_when_it_is_switched_on(sales: Notebook) -> None:
    sales.run("%reflect on --acept")
    assert "Did you mean `--accept`?" in sales.shown
    before = newest()
    sales.run("1 + 1")
    assert newest() == before


def test_what_a_front_end_runs_for_itself_is_not_reflected(sales: Notebook) -> None:
    sales.run("%reflect on --no-model")
    before = newest()
    assert sales.shell.run_cell("seen = 1", silent=True).success
    assert not sales.shell.run_cell("sales['Revenue']", store_history=False).success
    assert newest() == before
    assert sales["seen"] == 1


def test_whether_a_cell_is_complete_is_asked_of_what_was_typed(sales: Notebook) -> None:
    sales.run("%reflect on --no-model")
    assert sales.shell.check_complete("for i in range(3):")[0] == "incomplete"
    assert sales.shell.check_complete("%%reflect\nawait x")[0] == "incomplete"


# -- the last cell that failed ------------------------------------------------------------------------


def test_the_last_plain_cell_that_failed_is_offered_a_repair(sales: Notebook) -> None:
    assert not sales.run(TYPO).success
    assert sales.run("%reflect").success
    report = reflex_magic.last_report()
    assert (report.status, report.original) == ("pending", TYPO)
    assert "%reflect accept" in sales.shown
    assert "total" not in sales.shell.user_ns
    assert sales.run("%reflect accept").success
    assert (sales["total"], sales["made"]) == (60, [1]), "what ran before the failure is not run twice"
    assert report.source == REPAIRED
    assert sales.run("%reflect undo").success
    assert "total" not in sales.shell.user_ns


def test_a_plain_cell_is_not_repaired_without_a_person(sales: Notebook) -> None:
    sales.run("%config ReflectMagics.policy = 'accept'")
    sales.run(TYPO)
    sales.run("%reflect")
    assert reflex_magic.last_report().status == "pending"


def test_the_last_failure_is_found_past_cells_that_passed(sales: Notebook) -> None:
    sales.run(TYPO)
    sales.run("other = 1")
    sales.run("%reflect")
    assert reflex_magic.last_report().original == TYPO


def test_a_failure_from_before_the_extension_was_loaded(sales: Notebook) -> None:
    sales.run("%unload_ext reflex_magic")
    sales.run(TYPO)
    sales.run("%load_ext reflex_magic")
    sales.run("%reflect")
    assert reflex_magic.last_report().status == "pending"


def test_a_failure_inside_a_function_of_an_earlier_cell(sales: Notebook) -> None:
    sales.run("def total_of(frame):\n    return frame['Revenue'].sum()")
    sales.run("total = total_of(sales)")
    sales.run("%reflect")
    assert reflex_magic.last_report().original == "total = total_of(sales)"
    assert reflex_magic.last_report().outcome["ename"] == "KeyError"


def test_a_reflected_cell_that_failed_is_taken_up_again(sales: Notebook) -> None:
    sales.run(f"%%reflect --dry-run --no-model\n{TYPO}")
    first = reflex_magic.last_report()
    sales.run("%reflect")
    again = reflex_magic.last_report()
    assert again.id != first.id
    assert (again.original, again.proposals[0].verdict) == (TYPO, "holds")
    sales.run("%reflect accept")
    assert (sales["total"], sales["made"]) == (60, [1])


def test_a_cell_that_is_not_python(sales: Notebook) -> None:
    sales.run("total = sales['revenue'].sum(")
    assert sales.run("%reflect").success
    assert reflex_magic.last_report().outcome["ename"] == "SyntaxError"


def test_another_magic_on_top_is_named(sales: Notebook) -> None:
    sales.run(f"%%time\n{TYPO}")
    sales.run("%reflect")
    assert "`%%time`" in sales.shown


def test_nothing_failed(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("sys.last_value", raising=False)
    notebook.run("%reflect")
    assert "no cell has failed" in notebook.shown


def test_a_failure_outside_any_cell_is_not_taken_for_one(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.last_value", ValueError("elsewhere"), raising=False)
    notebook.run("%reflect")
    assert "not a cell's" in notebook.shown
