"""A fingerprint differs whenever something that can be seen does, and only then; it changes and runs nothing."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from reflex_magic.execute.fingerprint import differences, fingerprint
from tests.execute import test_adversarial, test_operations

PAIRS = [
    ("1", "1.0"),
    ("1", "True"),
    ("0.0", "-0.0"),
    ("'1'", "b'1'"),
    ("[1]", "(1,)"),
    ("[1, 2]", "[2, 1]"),
    ("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}"),
    ("{1, 2}", "{1, 3}"),
    ("[None]", "[[]]"),
    ("[[1], [1]]", "[[1]] * 2"),
    ("defaultdict(list)", "defaultdict(int)"),
    ("defaultdict(list)", "{}"),
    ("np.array([1, 2])", "np.array([1, 2], dtype='i4')"),
    ("np.array([1, 2])", "np.array([[1, 2]])"),
    ("np.array([np.nan])", "np.array([-np.nan])"),
    ("np.array([0.0])", "np.array([-0.0])"),
    ("np.zeros(2)", "np.broadcast_to(np.zeros(1), 2).copy()[::-1]"),
    ("np.array([[1], None], dtype=object)", "np.array([[2], None], dtype=object)"),
    ("np.ma.array([1, 2], mask=[0, 1])", "np.ma.array([1, 2], mask=[1, 0])"),
    ("np.array([(1,)], dtype=[('a', int)])", "np.array([(1,)], dtype=[('b', int)])"),
    ("pd.Series([1, 2])", "pd.Series([1, 2], name='a')"),
    ("pd.Series([1, 2])", "pd.Series([1, 2], index=[1, 0])"),
    ("pd.Series([1, 2])", "pd.Series([1, 2], dtype='Int64')"),
    ("pd.Series([1, None], dtype='Int64')", "pd.Series([1, 0], dtype='Int64')"),
    ("pd.Series(['a', None], dtype='string[pyarrow]')", "pd.Series(['a', ''], dtype='string[pyarrow]')"),
    ("pd.Series(['a'], dtype='category')", "pd.Series(['a'], dtype=pd.CategoricalDtype(['b', 'a']))"),
    ("pd.Series([0, 1], dtype='Sparse[int]')", "pd.Series([0, 1], dtype=pd.SparseDtype(int, 1))"),
    ("pd.interval_range(0, 3)", "pd.interval_range(0, 3, closed='both')"),
    ("pd.period_range('2024', periods=2, freq='M')", "pd.period_range('2024', periods=2, freq='D')"),
    ("pd.date_range('2024', periods=2)", "pd.date_range('2024', periods=2, tz='UTC')"),
    ("pd.DatetimeIndex(['2024-01-01', '2024-01-02'])", "pd.date_range('2024', periods=2, unit='ns')"),
    ("pd.DataFrame({'a': [1]})", "pd.DataFrame({'b': [1]})"),
    ("pd.DataFrame({'a': [[1]]})", "pd.DataFrame({'a': [[2]]})"),
    ("pd.DataFrame({'a': [1]})", "pd.DataFrame({'a': [1]}).set_flags(allows_duplicate_labels=False)"),
    ("pd.DataFrame({'a': [1]})", "pd.DataFrame({'a': [1]}).rename_axis('i')"),
    ("pd.MultiIndex.from_tuples([(1, 2)])", "pd.MultiIndex.from_tuples([(1, 3)])"),
    ("np.random.default_rng(1)", "np.random.default_rng(2)"),
    ("random.Random(1)", "random.Random(2)"),
    ("io.StringIO('a')", "io.StringIO('b')"),
    ("slice(1, 2)", "slice(1, 3)"),
    ("dt.datetime(2024, 1, 1)", "dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc)"),
    ("decimal.Decimal('1.0')", "decimal.Decimal('1.00')"),
    ("types.SimpleNamespace(a=1)", "types.SimpleNamespace(a=2)"),
    ("lambda: 1", "lambda: 2"),
    ("lambda a=1: a", "lambda a=2: a"),
    ("partial(print, 1)", "partial(print, 2)"),
    ("iter([1, 2])", "iter([1, 2, 3])"),
    ("ValueError(1)", "ValueError(2)"),
    ("ValueError(1)", "KeyError(1)"),
    ("pa.table({'a': [1]})", "pa.table({'a': [2]})"),
]

SPACE = """
import datetime as dt, decimal, io, random, types
from collections import defaultdict
from functools import partial
import numpy as np, pandas as pd, pyarrow as pa
"""


def made(**values):
    space = {"__name__": "__main__"}
    exec(SPACE, space)
    return {name: eval(source, space) for name, source in values.items()}


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_what_differs_has_another_digest_and_what_is_alike_the_same(one, other):
    a, b = fingerprint(made(x=one), ["x"]), fingerprint(made(x=other), ["x"])
    assert differences(a, b) == ["x"]
    alike = fingerprint(made(x=one), ["x"])
    if not one.startswith("iter"):  # where an iterator stands is told by the identities of what it goes over
        assert differences(a, alike) == []


def test_the_same_code_makes_variables_with_the_same_digests():
    assert differences(*(fingerprint(test_operations.made("frames")) for _ in range(2))) == []
    assert len(fingerprint(test_operations.made("frames"))) > 20


def test_looking_twice_gives_the_same_and_changes_nothing():
    namespace = test_adversarial.made()
    keys = list(namespace)
    assert differences(fingerprint(namespace), fingerprint(namespace)) == []
    assert list(namespace) == keys
    assert namespace["log"] == [], "none of the functions of the analyst's was called"
    assert next(namespace["it"]) == 1


def test_two_names_for_one_object_are_seen():
    x = [1]
    one, two = fingerprint({"a": x, "b": x}), fingerprint({"a": x, "b": [1]})
    assert differences(one, two) == ["b"]


def test_shared_memory_is_seen():
    a = np.arange(4)
    assert differences(fingerprint({"a": a, "b": a[1:]}), fingerprint({"a": a, "b": a[1:].copy()})) == ["b"]
    s = pd.Series(a, copy=False)
    assert differences(fingerprint({"a": a, "s": s}), fingerprint({"a": a, "s": s.copy()})) == ["s"]


def test_a_change_counts_to_the_name_that_is_bound_to_the_object():
    frame = pd.DataFrame({"a": [1]})
    namespace = {"all_frames": [frame], "frame": frame, "other": [[1], [2]], "zeta": {"k": [3]}}
    before = fingerprint(namespace)
    frame["b"] = 1
    assert differences(before, fingerprint(namespace)) == ["frame"]
    before = fingerprint(namespace)
    namespace["all_frames"].append([1, [2, [3]]])
    assert differences(before, fingerprint(namespace)) == ["all_frames"]


def test_names_that_come_and_go_are_differences():
    assert differences(fingerprint({"a": 1, "b": 2}), fingerprint({"b": 2, "c": 3})) == ["a", "c"]


def test_only_the_names_asked_for_are_looked_at():
    assert set(fingerprint({"a": 1, "b": 2, "_": 3, "In": []}, ["a", "missing"])) == {"a"}
    assert "_" not in fingerprint({"a": 1, "_": 3, "_i1": "", "Out": {}})


def test_the_state_of_the_process_is_part_of_a_full_fingerprint(monkeypatch):
    before = fingerprint({})
    np.random.rand()
    monkeypatch.setenv("REFLEX_FINGERPRINT", "1")
    assert differences(before, fingerprint({})) == ["np.random.get_state()", "os.environ"]


def test_cycles_and_deep_chains_end():
    loop: list[object] = [1]
    loop.append({"loop": loop})
    chain: list[object] = []
    for _ in range(100_000):
        chain = [chain]
    before = fingerprint({"loop": loop, "chain": chain})
    loop.append(2)
    assert differences(before, fingerprint({"loop": loop, "chain": chain})) == ["loop"]
    while chain:  # freed without recursion
        chain = chain.pop()  # type: ignore[assignment]


HOSTILE = """
class Meta(type):
    def __getattribute__(cls, name): raise RuntimeError(name)
    def __instancecheck__(cls, other): raise RuntimeError
class Hostile(list):
    def refuse(self, *a, **k): raise RuntimeError
    __getattribute__ = __getattr__ = __setattr__ = __iter__ = __len__ = __getitem__ = __eq__ = __hash__ = refuse
    __repr__ = __str__ = __reduce_ex__ = __getstate__ = __copy__ = __deepcopy__ = __contains__ = __bool__ = refuse
class Bag(Hostile, metaclass=Meta): pass
class Plain:
    __getattribute__ = __repr__ = __eq__ = __hash__ = Hostile.refuse
bag, plain = Bag(), Plain()
list.extend(bag, [1, [2]])
list.__dict__['append'](bag, {'k': 1})
"""


def test_nothing_of_the_analysts_is_run():
    namespace = {"__name__": "__main__"}
    exec(HOSTILE, namespace)
    before = fingerprint(namespace)
    list.append(namespace["bag"], 3)
    object.__setattr__(namespace["plain"], "x", 1)
    assert differences(before, fingerprint(namespace)) == ["bag", "plain"]


def test_pieces_of_an_arrow_table_say_nothing():
    whole, half = pa.table({"a": [1, 2]}), pa.table({"a": [1]})
    pieces = pa.concat_tables([half, pa.table({"a": [2]})])
    assert pieces.column("a").num_chunks == 2
    assert differences(fingerprint({"t": whole}), fingerprint({"t": pieces})) == []


@pytest.mark.skipif(importlib.util.find_spec("polars") is None, reason="polars is not installed")
def test_polars_frames_are_put_back():
    """In a process of its own: with polars loaded nothing can be confined any more."""
    source = """
import polars as pl
from reflex_magic.core.cell import Cell
from reflex_magic.execute.fingerprint import differences, fingerprint
from tests.execute.support import taken_back
def make():
    df = pl.DataFrame({'a': [1, 2], 's': ['x', None]})
    return {'__name__': '__main__', 'pl': pl, 'df': df, 'alias': df, 's': df['a'], 'held': [df.lazy().collect()]}
for line in ["df[0, 'a'] = 9", "df.insert_column(0, pl.Series('n', [1, 2]))", "df.columns = ['p', 'q']", "s[0] = 4",
             "df.extend(df)", "df.drop_in_place('a')", "df.replace_column(0, pl.Series('z', [7, 8]))",
             "held[0].columns = ['u', 'v']", "df = df.with_columns(b=1); alias[1, 's'] = 'y'"]:
    assert taken_back(make, line, frozenset()), line
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", source], check=True, timeout=60)
