"""Every row of the tables of what pandas and numpy no longer have."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from reflex_magic.core.outcome import Completed
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import frequency_alias, removed_argument, removed_method, removed_name
from tests.repairs.conftest import Bench, applied

Ask = Callable[..., list[Proposal]]

SETUP = """
import numpy as np
import pandas as pd
from pathlib import Path
df = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 5.0]}, index=["x", "y"])
s = pd.Series([1.0, 3.0], index=["x", "y"])
t = pd.Series(pd.to_datetime(["2024-01-01", "2024-01-09"]))
g = pd.DataFrame({"k": ["u", "u"], "v": [1.0, None]})
two = pd.Series([1.0, 2.0], index=pd.MultiIndex.from_tuples([("x", 1), ("x", 2)]))
Path("t.csv").write_text("a,b\\n1,2\\n")
Path("w.txt").write_text("a  b\\n1  2\\n")
"""

METHODS = {
    ("DataFrame", "iteritems"): ("dict(df.iteritems())", "dict(df.items())"),
    ("Series", "iteritems"): ("dict(s.iteritems())", "dict(s.items())"),
    ("DataFrame", "applymap"): ("df.applymap(abs)", "df.map(abs)"),
    ("DataFrame", "pad"): ("df.pad()", "df.ffill()"),
    ("Series", "pad"): ("s.pad()", "s.ffill()"),
    ("DataFrame", "backfill"): ("df.backfill()", "df.bfill()"),
    ("Series", "backfill"): ("s.backfill()", "s.bfill()"),
    ("DataFrameGroupBy", "pad"): ("g.groupby('k').pad()", "g.groupby('k').ffill()"),
    ("SeriesGroupBy", "pad"): ("g.groupby('k')['v'].pad()", "g.groupby('k')['v'].ffill()"),
    ("DataFrameGroupBy", "backfill"): ("g.groupby('k').backfill()", "g.groupby('k').bfill()"),
    ("SeriesGroupBy", "backfill"): ("g.groupby('k')['v'].backfill()", "g.groupby('k')['v'].bfill()"),
    ("DataFrame", "as_matrix"): ("df.as_matrix()", "df.to_numpy()"),
    ("Series", "as_matrix"): ("s.as_matrix()", "s.to_numpy()"),
    ("DataFrame", "get_values"): ("df.get_values()", "df.to_numpy()"),
    ("Series", "get_values"): ("s.get_values()", "s.to_numpy()"),
    ("Series", "ravel"): ("s.ravel()", "s.to_numpy()"),
    ("Series", "order"): ("s.order()", "s.sort_values()"),
    ("Series", "is_monotonic"): ("s.is_monotonic", "s.is_monotonic_increasing"),
    ("Index", "is_monotonic"): ("s.index.is_monotonic", "s.index.is_monotonic_increasing"),
    ("Series", "bool"): ("pd.Series([True]).bool()", "pd.Series([True]).item()"),
    ("Series", "nonzero"): ("s.nonzero()", "s.to_numpy().nonzero()"),
    ("DatetimeProperties", "weekofyear"): ("t.dt.weekofyear", "t.dt.isocalendar().week"),
    ("DatetimeProperties", "week"): ("t.dt.week", "t.dt.isocalendar().week"),
    ("DatetimeIndex", "weekofyear"): ("pd.DatetimeIndex(t).weekofyear", "pd.DatetimeIndex(t).isocalendar().week"),
    ("DatetimeIndex", "week"): ("pd.DatetimeIndex(t).week", "pd.DatetimeIndex(t).isocalendar().week"),
    ("DataFrame", "append"): ("df.append(df, ignore_index=True)", "pd.concat([df, df], ignore_index=True)"),
    ("Series", "append"): ("s.append(s)", "pd.concat([s, s])"),
    ("DataFrame", "ix"): ("df.ix['x', 'a']", "df.loc['x', 'a']"),
    ("Series", "ix"): ("s.ix[0]", "s.iloc[0]"),
    ("DataFrame", "get_value"): ("df.get_value('x', 'a')", "df.at['x', 'a']"),
    ("Series", "get_value"): ("s.get_value('x')", "s.at['x']"),
    ("DataFrame", "set_value"): ("df.set_value('x', 'a', 9)", "df.at['x', 'a'] = 9"),
    ("DataFrame", "mad"): ("df.mad()", "(df - df.mean()).abs().mean()"),
    ("Series", "mad"): ("s.mad()", "(s - s.mean()).abs().mean()"),
    ("DataFrame", "sort"): ("df.sort('a')", "df.sort_values('a')"),
    ("DataFrame", "swapaxes"): ("df.swapaxes(0, 1)", "df.T"),
}

NOT_RUN = {("Styler", "applymap"), ("Series", "set_value")}
"""Needs jinja2; takes two arguments, which is silent."""


def test_every_row_of_the_table_of_methods_is_tried() -> None:
    assert {*removed_method.RENAMED, *removed_method.REWRITTEN} == {*METHODS, *NOT_RUN}


@pytest.mark.parametrize("row", METHODS, ids=".".join)
def test_a_removed_method(row: tuple[str, str], bench: Bench, ask: Ask) -> None:
    cell, after = METHODS[row]
    context = bench.earlier(SETUP).context(cell)
    if isinstance(context.run.outcome, Completed):
        pytest.skip(f"pandas {pd.__version__} still has it")
    assert [applied(context, p) for p in ask(context, removed_method.RemovedMethod)] == [after]
    bench.run(after)


APPENDS = {
    "df.append({'a': 1.0}, ignore_index=True)": "pd.concat([df, pd.DataFrame([{'a': 1.0}])], ignore_index=True)",
    "df.append(df.iloc[0])": "pd.concat([df, df.iloc[0].to_frame().T])",
    "df.append([df, df])": "pd.concat([df, *[df, df]])",
    "df.append([{'a': 1.0}])": "pd.concat([df, pd.DataFrame([{'a': 1.0}])])",
}


@pytest.mark.parametrize("cell", APPENDS)
def test_what_was_appended(cell: str, bench: Bench, ask: Ask) -> None:
    context = bench.earlier(SETUP).context(cell)
    assert [applied(context, p) for p in ask(context, removed_method.RemovedMethod)] == [APPENDS[cell]]
    bench.run(APPENDS[cell])


def test_positions_and_a_label_in_ix(bench: Bench, ask: Ask) -> None:
    context = bench.earlier(SETUP).context('df.ix[0:2, "b"]')
    (proposal,) = ask(context, removed_method.RemovedMethod)
    assert applied(context, proposal) == 'df.iloc[0:2, df.columns.get_loc("b")]'


NAMES = {
    **{("numpy", n): f"np.{n}" for n in removed_name.NUMPY},
    ("numpy", "product"): "np.product([1, 2])",
    ("numpy", "row_stack"): "np.row_stack([[1], [2]])",
    ("pandas", "np"): "pd.np.mean([1, 2])",
    ("pandas", "datetime"): "pd.datetime(2024, 1, 2)",
    ("pandas", "TimeGrouper"): "pd.TimeGrouper(freq='D')",
    ("pandas", "Int64Index"): "pd.Int64Index([1])",
    ("pandas", "UInt64Index"): "pd.UInt64Index([1])",
    ("pandas", "Float64Index"): "pd.Float64Index([1.0])",
    ("pandas", "scatter_matrix"): "pd.scatter_matrix",
    ("pandas", "json_normalize"): "pd.json_normalize({'a': 1})",
    ("pandas", "value_counts"): "pd.value_counts(s)",
    **{("pandas", f"rolling_{n}"): f"pd.rolling_{n}(s, 2)" for n in ("mean", "sum", "std", "max", "min", "median")},
}


def test_every_row_of_the_tables_of_names_is_tried() -> None:
    assert {*(("numpy", n) for n in removed_name.NUMPY), *(("pandas", n) for n in removed_name.PANDAS)} == set(NAMES)


@pytest.mark.parametrize("row", NAMES, ids=".".join)
def test_a_removed_name(row: tuple[str, str], bench: Bench, ask: Ask) -> None:
    context = bench.earlier(SETUP).context(f"y = {NAMES[row]}")
    if isinstance(context.run.outcome, Completed):
        pytest.skip(f"pandas {pd.__version__} with numpy {np.__version__} still has it")
    (proposal,) = ask(context, removed_name.RemovedName)
    bench.run(applied(context, proposal))


def test_minus_infinity_keeps_its_sign(bench: Bench, ask: Ask) -> None:
    context = bench.earlier(SETUP).context("y = 1 - np.NINF")
    (proposal,) = ask(context, removed_name.RemovedName)
    assert bench.run(applied(context, proposal))["y"] == np.inf


ARGUMENTS = {
    ("read_csv", "delim_whitespace"): "pd.read_csv('w.txt', delim_whitespace=True)",
    ("read_csv", "error_bad_lines"): "pd.read_csv('t.csv', error_bad_lines=False)",
    ("read_csv", "warn_bad_lines"): "pd.read_csv('t.csv', warn_bad_lines=True)",
    ("read_csv", "squeeze"): "pd.read_csv('t.csv', usecols=['a'], squeeze=True)",
    ("read_csv", "mangle_dupe_cols"): "pd.read_csv('t.csv', mangle_dupe_cols=True)",
    ("read_csv", "tupleize_cols"): "pd.read_csv('t.csv', tupleize_cols=False)",
    ("read_csv", "infer_datetime_format"): "pd.read_csv('t.csv', infer_datetime_format=True)",
    ("read_csv", "verbose"): "pd.read_csv('t.csv', verbose=True)",
    ("to_csv", "line_terminator"): "df.to_csv('o.csv', line_terminator='\\n')",
    ("to_datetime", "infer_datetime_format"): "pd.to_datetime(['2024-01-01'], infer_datetime_format=True)",
    ("fillna", "method"): "s.fillna(method='ffill')",
    ("date_range", "closed"): "pd.date_range('2024-01-01', '2024-01-03', closed=None)",
    ("drop_duplicates", "cols"): "df.drop_duplicates(cols='a')",
    ("drop_duplicates", "take_last"): "df.drop_duplicates(take_last=False)",
    **{
        (n, "level"): f"two.{n}(level=0)"
        for n in ("sum", "mean", "median", "min", "max", "std", "var", "count", "prod", "any", "all", "sem")
    },
}

SAME_AS = ("read_table", "read_excel", "read_fwf")


def test_every_row_of_the_table_of_arguments_is_tried() -> None:
    by_example = {
        ("read_csv", "date_parser"),
        ("read_csv", "sheetname"),
        ("read_csv", "skip_footer"),
        ("read_csv", "parse_cols"),
    }
    others = {("first", "level"), ("last", "level"), ("to_excel", "encoding"), ("to_excel", "verbose")}
    rows = {row for row in removed_argument.TABLE if row[0] not in SAME_AS}
    assert rows == {*ARGUMENTS, *by_example, *others}


@pytest.mark.parametrize("row", ARGUMENTS, ids="-".join)
def test_a_removed_argument(row: tuple[str, str], bench: Bench, ask: Ask) -> None:
    context = bench.earlier(SETUP).context(f"y = {ARGUMENTS[row]}")
    if isinstance(context.run.outcome, Completed):
        pytest.skip(f"pandas {pd.__version__} still knows it")
    (proposal,) = ask(context, removed_argument.RemovedArgument)
    bench.run(applied(context, proposal))


@pytest.mark.parametrize(
    "parser",
    [
        "lambda s: datetime.strptime(s, '%Y%m%d')",
        "lambda s: pd.to_datetime(s, format='%Y%m%d')",
    ],
)
def test_a_date_parser_that_is_a_format(parser: str, bench: Bench, ask: Ask) -> None:
    bench.earlier(SETUP + "from datetime import datetime\nPath('d.csv').write_text('d\\n20240102\\n')")
    context = bench.context(f"y = pd.read_csv('d.csv', parse_dates=['d'], date_parser={parser})")
    (proposal,) = ask(context, removed_argument.RemovedArgument)
    assert bench.run(applied(context, proposal))["y"]["d"].dt.day.tolist() == [2]


def test_a_date_parser_that_computes_is_left_alone(bench: Bench, ask: Ask) -> None:
    bench.earlier(SETUP + "def own(s):\n    return pd.Timestamp(s) + pd.Timedelta(days=1)")
    assert ask(bench.context("pd.read_csv('t.csv', parse_dates=['a'], date_parser=own)")) == []


@pytest.mark.parametrize(("old", "new"), frequency_alias.ALIASES.items())
def test_a_frequency_in_new_letters(old: str, new: str) -> None:
    assert frequency_alias.renewed(old) == new
    assert frequency_alias.renewed(f"2{old}") == f"2{new}"
    assert frequency_alias.renewed(new) is None
    pd.tseries.frequencies.to_offset(new)


def test_parts_and_anchors_of_a_frequency() -> None:
    assert frequency_alias.renewed("1H30T") == "1h30min"
    assert frequency_alias.renewed("Q-DEC") == "QE-DEC"
    assert frequency_alias.renewed("W-MON") is None
