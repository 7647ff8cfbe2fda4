"""The cell with probes behaves as the cell without."""

from __future__ import annotations

import ast
import gc
import traceback
import warnings
import weakref
from collections.abc import Mapping
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflex_magic.core.cell import Cell
from reflex_magic.core.outcome import Completed
from reflex_magic.execute.steps import bound
from reflex_magic.observe import CellObserver
from reflex_magic.observe.grouping import Grouping
from reflex_magic.observe.kind import Call, Facts, Kind
from reflex_magic.observe.probes import CallSite
from tests.observe.stepper import FILE, run_body, run_cell


def _traceback(body: str, *, probes: bool) -> list[tuple[Any, ...]]:
    """The frames of what a cell raises: file, function, lines and columns."""
    cell, observer = Cell(body), CellObserver()
    names: dict[str, Any] = {"pd": pd}
    try:
        for step, node in enumerate(cell.tree.body):
            shown = observer.instrument(node, step, cell) if probes else node
            exec(bound(compile(ast.Module([shown], []), FILE, "exec"), observer), names)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        return [
            (f.filename, f.name, f.lineno, f.end_lineno, f.colno, f.end_colno) for f in frames if f.name != "_traceback"
        ]
    raise AssertionError("the cell did not raise")


@pytest.mark.parametrize(
    "body",
    [
        'pd.DataFrame({"a": [1]}).groupby("b")["a"].sum()',
        'pd.DataFrame({"a": [1]}).groupby("a")["b"].sum()',
        'df = pd.DataFrame({"a": ["x"]})\ntotal = (\n    df\n    .groupby("a")["a"]\n    .astype(float)\n)',
        'x = pd.Series(["1", "zwei"])\nn = x.astype(float).sum()',
        'pd.merge(pd.DataFrame({"a": [1]}), pd.DataFrame({"b": [1]}), on=undefined)',
        'f = pd.DataFrame({"a": [1]})\nf["b"] = f["ü"].sum() + f["missing"].sum()',
        'def total(f):\n    return f.groupby("nope").sum()\nout = total(pd.DataFrame({"a": [1]}))',
        "assert pd.Series([1, 2]).sum() == len(nothing), 'text'",
        "assert len([1]) == 2, pd.Series([1]).sum()",
        "assert (pd.Series([1]) == 2).all()",
        "out = [pd.Series(['a']).astype(t) for t in (str, float)]",
        'f = pd.DataFrame({"a": [1]})\nf.nothing["b"] = f["a"].sum()',
        'f = pd.DataFrame({"a": [1]})\nf["b"][0] = 1',
        'f = pd.DataFrame({"a": [1]})\nf[\n    f["a"] > undefined\n]["a"] = 1',
        'f = pd.DataFrame({"a": [1]})\nf["b"].fillna(0, inplace=True)',
        'f = pd.DataFrame({"a": [1]})\nf["a"].fillna(nothing, inplace=True)',
        'f = pd.DataFrame({"a": [1]})\nstep = f["b"].diff().sum()',
        'f = pd.DataFrame({"a": [1]})\nstep = f["a"].diff(undefined)',
        'f = pd.DataFrame({"a": [1]})\nlast = f["a"].iloc[7]',
    ],
)
def test_tracebacks_are_unchanged(body: str) -> None:
    assert _traceback(body, probes=True) == _traceback(body, probes=False)


class Recorder:
    """Every attribute, item, call and comparison is logged, in the order in which it happens."""

    def __init__(self, log: list[str], name: str) -> None:
        self.log = log
        self.name = name

    def _next(self, what: str) -> Recorder:
        self.log.append(f"{self.name}.{what}")
        return Recorder(self.log, f"{self.name}.{what}")

    def __getattr__(self, name: str) -> Recorder:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._next(name)

    def __call__(self, *args: object, **kwargs: object) -> Recorder:
        return self._next(f"({', '.join([*map(str, args), *(f'{k}={v}' for k, v in kwargs.items())])})")

    def __getitem__(self, key: object) -> Recorder:
        return self._next(f"[{key}]")

    def __setitem__(self, key: object, value: object) -> None:
        self._next(f"[{key}]={value}")

    def __lt__(self, other: object) -> Recorder:
        return self._next(f"<{other}")

    def __bool__(self) -> bool:
        self._next("bool")
        return len(self.log) % 3 != 0

    def __len__(self) -> int:
        self._next("len")
        return 3

    def __repr__(self) -> str:
        self._next("repr")
        return self.name

    def __str__(self) -> str:
        return self.name


NAMES = st.sampled_from(["a", "b", "c"])
METHODS = st.sampled_from(
    [
        "groupby",
        "sum",
        "merge",
        "join",
        "astype",
        "apply",
        "pivot_table",
        "to_numeric",
        "all",
        "any",
        "eq",
        "strip",
        "agg",
    ]
)


def _expressions() -> st.SearchStrategy[str]:
    def deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        call = st.tuples(inner, METHODS, st.lists(inner, max_size=2), st.booleans()).map(
            lambda t: f"{t[0]}.{t[1]}({', '.join(t[2] + (['errors=' + t[2][0]] if t[3] and t[2] else []))})"
        )
        return st.one_of(
            call,
            st.tuples(inner, inner).map(lambda t: f"{t[0]}[{t[1]}]"),
            st.tuples(inner, inner).map(lambda t: f"({t[0]} < {t[1]})"),
            st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} else {t[2]})"),
            st.tuples(inner, inner).map(lambda t: f"({t[0]} and {t[1]})"),
            inner.map(lambda e: f"(lambda: {e})()"),
            inner.map(lambda e: f"[{e} for _ in range(2)][0]"),
            inner.map(lambda e: f"next({e} for _ in range(2))"),
            inner.map(lambda e: f"(w := {e})"),
        )

    return st.recursive(NAMES, deeper, max_leaves=8)


STATEMENTS = st.tuples(
    st.sampled_from(
        [
            "x = {}",
            "a['k'] = {}",
            "assert {}, b.message()",
            "assert not {}",
            "assert {} < {}.sum()",
            "{}",
            "a[{}]['k'] = {}",
            "a.loc[{}]['k'] = {}",
            "a.b[{}] = {}",
            "a['k'].loc[{}] = {}",
            "a[{}]['k'] += {}",
            "a['k'].fillna({}, inplace={})",
            "a.loc[{}].update({})",
            "a.b().drop({}, inplace=c)",
            "x = a['k'].diff({})",
            "x = a.b.head({}).sum({})",
            "x = a['k'].iloc[{}]",
            "{}.dropna({})",
        ]
    ),
    _expressions(),
    _expressions(),
).map(lambda t: t[0].format(t[1], t[2]) if t[0].count("{}") == 2 else t[0].format(t[1]))


def _log(body: str, *, probes: bool) -> list[str]:
    log: list[str] = []
    cell, observer = Cell(body), CellObserver()
    names: dict[str, Any] = {name: Recorder(log, name) for name in "abc"}
    try:
        for step, node in enumerate(cell.tree.body):
            shown = observer.instrument(node, step, cell) if probes else node
            observer.before(step, names)
            exec(bound(compile(ast.Module([shown], []), FILE, "exec"), observer), names)
            observer.after(step, names, 0.0, (), "")
    except Exception as error:
        log.append(type(error).__name__)
    return log


@given(st.lists(STATEMENTS, min_size=1, max_size=3).map("\n".join))
@settings(max_examples=150, deadline=None)
def test_order_and_number_of_evaluations_are_unchanged(body: str) -> None:
    assert _log(body, probes=True) == _log(body, probes=False)


def test_what_may_run_after_the_cell_is_left_alone() -> None:
    body = (
        "later = lambda f: f.groupby('a').sum()\n"
        "def also(f):\n    return f.groupby('a').sum()\n"
        "class Table:\n    def total(self, f):\n        return f.groupby('a').sum()\n"
        "lazy = (f.groupby('a').size().sum() for f in [df])\n"
        "size: 'df.groupby(1)' = df.groupby('a').size()\n"
    )
    run = run_body(body, "df = pd.DataFrame({'a': [1, 1, 2]})")
    assert [op.expression for op in run.operations] == ["df.groupby('a')"]
    names: Any = run.handle
    assert names["later"](names["df"]).shape == (2, 0)
    assert names["also"](names["df"]).shape == (2, 0)
    assert names["Table"]().total(names["df"]).shape == (2, 0)
    assert list(names["lazy"]) == [3]


def test_a_statement_without_anything_to_watch_is_returned_as_it_is() -> None:
    cell = Cell("x = y.strip()")
    assert CellObserver().instrument(cell.tree.body[0], 0, cell) is cell.tree.body[0]


def test_the_tree_of_the_cell_is_not_changed() -> None:
    cell = Cell("assert df.groupby('a').sum() == 1")
    before = ast.dump(cell.tree, include_attributes=True)
    assert CellObserver().instrument(cell.tree.body[0], 0, cell) is not cell.tree.body[0]
    assert ast.dump(cell.tree, include_attributes=True) == before


def test_what_others_hang_on_shared_nodes_is_not_followed() -> None:
    """IPython's traceback display sets `parent` on nodes such as ``ast.Load()``, which all trees share."""
    cell = Cell("x = df.groupby('a').sum()")
    value = cell.tree.body[0].value
    value.func.ctx.parent = cell.tree
    try:
        changed = CellObserver().instrument(cell.tree.body[0], 0, cell)
        inner = next(n for n in ast.walk(changed) if isinstance(n, ast.Attribute) and n.attr == "sum")
        assert inner.ctx is value.func.ctx
    finally:
        del value.func.ctx.parent


def test_no_reference_to_data_is_kept() -> None:
    observer = CellObserver()
    names: dict[str, Any] = {
        "left": pd.DataFrame({"k": [1, 1], "v": [1.0, 2.0]}),
        "right": pd.DataFrame({"k": [1, 1], "w": ["3", "x4"]}),
    }
    body = (
        "m = left.merge(right, on='k')\nn = m.groupby('k')['v'].sum()\nm['w'] = m['w'].astype(str)\n"
        "assert m['v'].sum() > 1\ntry:\n    left.merge(right, on='nothing')\nexcept KeyError:\n    pass\n"
    )
    run = run_cell(body, names, observer=observer)
    assert isinstance(run.outcome, Completed)
    assert {op.kind for op in run.operations} == {"merge", "groupby", "coerce"}
    watched = [weakref.ref(names[name]) for name in ("left", "right", "m", "n")]
    del run
    names.clear()
    gc.collect()
    assert [ref() for ref in watched] == [None] * 4
    assert observer.operations()


def test_a_call_that_raises_leaves_nothing_behind() -> None:
    observer = CellObserver()
    names: dict[str, Any] = {"df": pd.DataFrame({"k": [1]})}
    run_cell("df.merge(df.copy(), on='nothing')", names, observer=observer)
    watched = weakref.ref(names["df"])
    names.clear()
    gc.collect()
    assert watched() is None


def test_loops_are_bounded_and_the_most_telling_call_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    honest = Grouping.facts

    def counted(self: Grouping, call: Call, values: Mapping[str, Any]) -> Facts | None:
        looked.append(call.method)
        return honest(self, call, values)

    monkeypatch.setattr(Grouping, "facts", counted)
    run = run_body(
        "for i in range(100):\n    part = df.assign(k=df['k'].where(df['v'] > i % 4))\n    part.groupby('k').size()",
        "df = pd.DataFrame({'k': ['a', 'b', 'c', 'a'], 'v': [1, 2, 3, 4]})",
    )
    (op,) = [op for op in run.operations if op.kind == "groupby"]
    assert len(looked) == 20
    assert op.calls == 100
    assert op.facts["missing"] == 3


def test_a_site_that_takes_long_is_only_counted() -> None:
    class Counting(Kind):
        name, methods = "count", frozenset({"f"})

        def accepts(self, receiver: Any) -> bool:
            return True

        def facts(self, call: Call, values: Any) -> dict[str, Any]:
            seen.append(values["result"])
            return {"result": values["result"]}

        def telling(self, facts: dict[str, Any]) -> float:
            return float(facts["result"])

    seen: list[int] = []
    ticks = iter([0.0, 0.2, 1.0, 1.2, 5.0, 5.2])
    site = CallSite(Call(Cell("f()"), 0, ast.parse("f()").body[0], "f"), [Counting()], clock=lambda: next(ticks))
    for i in range(6):
        site.note("receiver", None)
        site.note("result", i)
    assert seen == [0, 1]
    assert site.calls == 6
    assert site.operations()[0].facts == {"result": 1}


@pytest.mark.parametrize("error", [ValueError, RecursionError, MemoryError])
def test_a_failure_in_the_facts_is_invisible(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise error("ours")

    monkeypatch.setattr(Grouping, "facts", broken)
    monkeypatch.setattr("reflex_magic.observe.probes.brief", broken)
    run = run_body("n = df.groupby('k').size()\nassert n.sum() == 2", "df = pd.DataFrame({'k': ['a', 'b']})")
    assert isinstance(run.outcome, Completed)
    assert run.operations == ()


def test_a_subclass_of_the_analyst_is_not_touched() -> None:
    run = run_body(
        "n = df.groupby('k').sum()\nm = df.merge(df.copy(), on='k')",
        "class Frame(pd.DataFrame):\n    def isna(self):\n        raise ZeroDivisionError\n"
        "df = Frame({'k': ['a', None]})",
    )
    assert isinstance(run.outcome, Completed)
    assert run.operations == ()


def test_strings_and_paths_that_join_are_no_joins() -> None:
    run = run_body("import os.path\na = ', '.join(['x'])\nb = os.path.join('x', 'y')\nc = sep.join('ab')", "sep = '-'")
    assert isinstance(run.outcome, Completed)
    assert run.operations == ()


def test_warnings_are_those_of_the_cell_alone() -> None:
    """pandas tells a chained assignment by counting references: a probe must not add any."""
    body = "df['a'].ffill(inplace=True)\ndf[df['a'] > 0]['b'] = df['a'].astype(float)\n"
    told = []
    for probes in (True, False):
        cell, observer = Cell(body), CellObserver()
        names = {"df": pd.DataFrame({"a": [1.0, None]})}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for step, node in enumerate(cell.tree.body):
                shown = observer.instrument(node, step, cell) if probes else node
                exec(bound(compile(ast.Module([shown], []), FILE, "exec"), observer), names)
        told.append([(w.category, w.filename, w.lineno) for w in caught])
    assert told[0] == told[1] != []


def test_an_expression_too_deep_to_walk_still_runs() -> None:
    observer = CellObserver()
    cell = Cell("n = " + "+".join(["df.size"] * 950) + " + df.sum()")
    node = cell.tree.body[0]
    assert observer.instrument(node, 0, cell) is node
    names = {"df": pd.DataFrame({"a": [1]})}
    observer.before(0, names)
    assert observer.after(0, names, 0.0, (), "").line == 2
