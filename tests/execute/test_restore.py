"""A trial leaves every object and every binding as it was; the table is of ways to change one."""

from __future__ import annotations

import collections
import os
import warnings

import numpy as np
import pandas as pd
import pytest

from reflex_magic.core.outcome import Completed
from reflex_magic.execute.checkpoint import take
from reflex_magic.execute.fingerprint import differences, fingerprint
from tests.execute.support import cell, completed, executor

SETUP = """
import array, collections, copy, enum, functools, io, os, random, types, warnings
import dataclasses
import numpy as np, pandas as pd
rng = np.random.default_rng(1)
df = pd.DataFrame({'a': range(6), 'b': [1., 2., None, 4., 5., 6.], 's': list('xyzxyz'), 'o': [[i] for i in range(6)]})
alias, df2 = df, df[['a', 'b']]
orders = pd.DataFrame({'id': [1, 2, 3], 'v': [1., 2., 3.]})
ser, idx = df['a'], df.index
dfs, tables = {'x': df, 'y': orders}, [df, orders]
nested = {'k': {'l': [1, 2, {'m': 3}]}}
deep = [[[[[[[[[[1]]]]]]]]]]
arr = np.arange(10.); view = arr[2:5]; grid = np.ones((200, 200)); big = np.zeros(30000)
objs = np.empty(2, dtype=object); objs[0] = [1]
masked = np.ma.array([1, 2, 3], mask=[0, 1, 0])
lst, tup, st = [3, 1, 2], ([1], {'a': 1}), {1, 2, 3}
dd, cnt = collections.defaultdict(list, {'a': [1]}), collections.Counter('abca')
od, dq = collections.OrderedDict(a=1, b=2), collections.deque([1, 2, 3])
ba, num, text = bytearray(b'abc'), array.array('i', [1, 2]), io.StringIO('abc')
mem = memoryview(bytearray(b'xyz'))
class Box:
    total = 0
    shared = []
    def __init__(self): self.items = [1]; self.df = orders; self.arr = np.zeros(3)
    def add(self, x): self.items.append(x); self.arr[0] += 1; return self
    def bump(self): Box.total += 1
    @property
    def size(self): return len(self.items)
    @size.setter
    def size(self, n): lst.append(n)
class Slots:
    __slots__ = ('x', '__y')
    def __init__(self): self.x = [1]; self.__y = 2
    def hide(self): self.__y = 3
class Strict(dict):
    def __setattr__(self, name, value): raise TypeError
@dataclasses.dataclass(frozen=True)
class Frozen:
    values: list
class Countdown:
    def __init__(self): self.n = 3
    def __iter__(self): return self
    def __next__(self): self.n -= 1; return self.n
class Colour(enum.Enum):
    RED = 1
class Mine(list): pass
mine = Mine([1, 2]); mine.note = [1]
box, sl, boxes, strict, frozen, down = Box(), Slots(), [Box(), Box()], Strict(a=1), Frozen([1]), Countdown()
space = types.SimpleNamespace(a=[1])
loop = [1]; loop.append(loop)
def clean(d): d['a'] = d['a'] * 2; return d
def touch_global(): global counter; counter += 1; lst.append(9); df['g'] = 1
def outer(): touch_global()
def make_closure():
    state = [0]
    count = 0
    def inc():
        nonlocal count
        count += 1; state[0] += 1; return state[0]
    return inc
inc, counter = make_closure(), 0
def default_arg(x, acc=[]): acc.append(x); return acc
def wrapper(f):
    @functools.wraps(f)
    def w(*a): return f(*a)
    return w
wrapped = wrapper(touch_global)
add_item, handlers = functools.partial(lst.append, 5), {'go': touch_global}
cat, I = pd.Series(['u', 'v'], dtype='category'), pd.array([1, 2, 3], dtype='Int64')
sI = pd.Series([1, 2, None], dtype='Int64')
multi = pd.DataFrame({'x': [1]}, index=pd.MultiIndex.from_tuples([(1, 'a')], names=['p', 'q']))
prng, rs = random.Random(0), np.random.RandomState(0)
df.note = 'kept'
"""

CODE = compile(SETUP, "<setup>", "exec", dont_inherit=True)

CELLS = r"""
df['n'] = 1
df.loc[df.a > 2, 'b'] = 0
df.iloc[0, 0] = 5
df.at[0, 'a'] = 7
df.drop(columns='a', inplace=True)
df = df.merge(orders, left_on='a', right_on='id', how='left')
df.columns = ['p', 'q', 'r', 't']
df.index.name = 'zz'
df.attrs['k'] = 1
df.note = 'changed'; df.other = 1
df.rename(columns={'a': 'A'}, inplace=True); alias['new'] = 2
alias['x'] = 1
df.eval('c = a + b', inplace=True)
df.query('a > 2', inplace=True)
df.sort_values('a', ascending=False, inplace=True)
df.insert(0, 'i', 1); df.pop('b')
df.update(pd.DataFrame({'a': [100]}))
df.set_index('a', inplace=True)
df.flags.allows_duplicate_labels = False
df.fillna(0, inplace=True)
df.groupby('s')['a'].transform(lambda s: lst.append(1) or s)
multi.index.names = ['r', 's']
dfs['x']['n'] = 5
dfs['x'].drop(columns='b', inplace=True); dfs['z'] = 1
tables[0].loc[0, 'a'] = 99; tables.append(3)
for t in tables: t['flag'] = True
for k, v in dfs.items(): v['flag'] = k
ser.iloc[0] = 77
ser += 1
ser.name = 'zz'; ser.index.name = 'q'
idx.name = 'nn'
df2.loc[0, 'a'] = 5
df = df.assign(z=1); df['y'] = 2; del df['a']
clean(df)
df = clean(df)
df.apply(lambda c: lst.append(c.name))
touch_global()
outer()
wrapped()
handlers['go']()
add_item()
inc()
default_arg(3)
default_arg.__defaults__ = ([7],); default_arg.tag = 1
orders.apply(lambda r: lst.append(r['id']), axis=1)
df['o'].iloc[0].append(5)
df.at[0, 'o'].append(5)
df['o'].apply(lambda l: l.append(1))
arr[0] = 9
arr += 1
view[0] = 9
v = arr[1:]; v[0] = 5
v = arr.reshape(2, 5); v[0, 0] = 5
np.add(arr, 1, out=arr)
np.fill_diagonal(grid, 7)
arr[::-1].sort()
grid[grid > 0] = 5
big[5] = 1
w = np.asarray(big); w[3] = 3
def g(a): a[0] = 1\ng(big)
(lambda a: a.fill(3))(big)
[x.fill(2) for x in [big]]
for row in list(grid): row[0] = 3
objs[0].append(4)
masked[0] = np.ma.masked
lst.append(1)
lst.sort()
lst += [5]
del lst[:]
l2 = lst; l2.append(3)
nested['k']['l'][2]['m'] = 9
nested['k']['l'].append(3)
deep[0][0][0][0][0][0][0][0][0].append(2)
tup[0].append(2); tup[1]['b'] = 2
st.add(9); st.discard(1)
dd['new'].append(1)
cnt.update('zz')
od.move_to_end('a'); od['c'] = 3
dq.append(4); dq.popleft()
ba.extend(b'zz')
mem[0] = 90
num.append(3)
text.seek(3); text.write('more')
loop.append(3)
mine.append(3); mine.note.append(2)
box.add(5)
box.items.append(1); box.new = 3
box.df['v'] = 0
box.arr[1] = 4
box.size = 4
Box.total = 5
box.bump()
Box.shared.append(1)
Box.extra = 1; del Box.add
sl.x.append(2)
sl.x = [5]; sl.hide()
del sl.x
boxes[1].items.append(3)
strict['b'] = 1
frozen.values.append(2); object.__setattr__(frozen, 'values', [9])
next(down)
space.a.append(2); space.b = 1
prng.random()
rs.rand()
rng.random(3)
np.random.seed(3); np.random.rand(2)
random.random()
cat = cat.cat.add_categories(['w'])
I[0] = 9
sI.array[0] = 9
sI.iloc[0] = 9
x = df['b'].to_numpy(); x.flags.writeable = True; x[0] = 9
df._mgr.blocks[0].values[...] = 7
exec('lst.append(5)')
globals()['lst'].append(5)
setattr(box, 'items', [9])
vars(box)['items'] = 4
del df
del df, orders, lst
df, orders = orders, df
import json as pd
counter += 1
(lst := [1]); lst.append(5)
try:\n    df['q'] = 1\n    1 / 0\nexcept ZeroDivisionError: pass
class Box:\n    pass
def clean(d): return 5
touch_global.__code__ = (lambda: None).__code__
os.environ['REFLEX_TEST'] = '1'
os.environ.pop('HOME', None)
os.mkdir('sub'); os.chdir('sub')
warnings.filterwarnings('ignore', 'never')
pd.options.display.max_rows = 7
pd.set_option('display.max_columns', 3)
np.set_printoptions(precision=2)
copy.copy(dfs)['x']['w'] = 1
r = [d for d in tables if d.insert(0, 'zz', 1) is None]
""".strip().split("\n")


def options():
    """What is set in libraries."""
    return pd.get_option("display.max_rows"), pd.get_option("display.max_columns"), np.get_printoptions()["precision"]


@pytest.fixture
def namespace():
    made = {"__name__": "__main__"}
    exec(CODE, made)
    return made


@pytest.fixture(autouse=True)
def _quiet(monkeypatch):
    kept = dict(os.environ)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    os.environ.clear()
    os.environ.update(kept)


def body_of(line):
    return line.replace("\\n", "\n")


@pytest.mark.parametrize("line", CELLS)
def test_a_trial_leaves_everything_as_it_was(namespace, line):
    runner = executor(namespace)
    base = completed(runner.run(cell("pass")))
    before, identities = fingerprint(namespace), {k: id(v) for k, v in namespace.items()}

    was = options()
    trial = completed(runner.trial(cell(body_of(line)), base, ()))
    assert differences(fingerprint(namespace), before) == []
    assert options() == was
    assert {k: id(v) for k, v in namespace.items()} == identities
    assert trial.doubts == ()

    # What was undone is what executing would have done, and committing does it.
    if not any(part in line for part in ("os.", "random", "warnings", "option")):
        reference = {"__name__": "__main__"}
        exec(CODE, reference)
        completed(executor(reference).run(cell(body_of(line))))
        expected = fingerprint(reference)
        assert differences(expected, before), "the line of the table changes nothing"
        runner.commit(trial)
        assert differences(fingerprint(namespace), expected) == []
        runner.undo(trial)
        assert differences(fingerprint(namespace), before) == []
    pd.reset_option("display.max_rows")
    pd.reset_option("display.max_columns")
    np.set_printoptions(precision=8)


def test_a_failed_first_run_stays_as_it_is_and_a_trial_starts_before_it(namespace):
    runner = executor(namespace)
    base = runner.run(cell("df['n'] = 1\nlst.append(4)\ndel counter\ndf['nope']"))
    after_failure = fingerprint(namespace)
    trial = completed(runner.trial(cell("out = list(df.columns), list(lst), counter"), base, ()))
    assert fingerprint(namespace) == after_failure
    with runner.at(trial) as look_at:
        assert look_at["out"] == (["a", "b", "s", "o"], [3, 1, 2], 0)
    assert fingerprint(namespace) == after_failure


@pytest.mark.parametrize(
    ("setup", "body", "named"),
    [
        ("gen = (i for i in range(5))", "next(gen)", "gen"),
        ("def g():\n    while True: yield 1\ngen = g(); next(gen)", "next(gen); next(gen)", None),
        ("it = iter([1, 2, 3])", "next(it)", "it"),
        ("pairs = zip([1, 2], [3, 4])", "next(pairs)", "pairs"),
        ("import csv; rows = csv.reader(['a', 'b'])", "next(rows)", "rows"),
        ("f = open('log.txt', 'w')", "f.write('x' * 10)", "f log.txt"),
        ("gen = (i for i in range(5))", "x = gen", None),
        ("import sqlite3; db = sqlite3.connect(':memory:'); db.execute('create table t (i)')",
         "db.execute('insert into t values (1)')", "db"),
    ],
)  # fmt: skip
def test_what_cannot_be_put_back_is_a_doubt_only_when_it_was_used(setup, body, named):
    namespace = {"__name__": "__main__"}
    exec(setup, namespace)
    runner = executor(namespace)
    trial = completed(runner.trial(cell(body), runner.run(cell("pass")), ()))
    if named is None:
        assert trial.doubts == ()
    else:
        assert [d.split(" ")[0] for d in trial.doubts] == [f"`{name}`" for name in named.split()]
    for name in ("f", "db"):
        if name in namespace:
            namespace[name].close()


def test_a_file_that_is_read_goes_back_to_its_place():
    with open("lines.txt", "w") as file:
        file.write("one\ntwo\n")
    namespace = {"f": open("lines.txt")}  # noqa: SIM115  it stays open across cells
    runner = executor(namespace)
    trial = completed(runner.trial(cell("text = f.read()"), runner.run(cell("pass")), ()))
    assert trial.doubts == ()
    assert namespace["f"].read() == "one\ntwo\n"
    namespace["f"].close()


def test_a_container_over_the_budget_is_a_doubt(monkeypatch):
    from reflex_magic.execute import checkpoint

    monkeypatch.setattr(checkpoint, "ITEMS", 10)
    namespace = {"many": [[i] for i in range(20)]}
    runner = executor(namespace)
    trial = runner.trial(cell("many[0].append(1)"), runner.run(cell("pass")), ())
    assert trial.doubts == ("`many` (list) is too large to be put back",)
    assert namespace["many"][0] == [0], "what cannot be put back is not run"


def test_an_object_that_is_only_mentioned_costs_no_doubt_and_large_arrays_only_read_no_copy(monkeypatch):
    from reflex_magic.execute import checkpoint

    monkeypatch.setattr(checkpoint, "BYTES", 1000)
    namespace = {"np": np, "big": np.zeros(30000)}
    runner = executor(namespace)
    base = runner.run(cell("pass"))
    assert runner.trial(cell("m = big.mean() + np.sum(big)"), base, ()).doubts == ()
    assert runner.trial(cell("big[0] = 1"), base, ()).doubts == ("`big` (ndarray) is too large to be put back",)


def test_the_warnings_a_trial_gives_are_given_again(shell):
    from tests.execute.support import on

    runner = on(shell)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = lambda *_: None
        body = "import warnings\nwarnings.warn('careful')\n1 / 0"
        base = runner.run(cell(body))
        trial = runner.trial(cell(body.replace("1 / 0", "pass")), base, ())
    assert trial.outcome == Completed()
    assert [c.warnings for c in trial.cards] == [(), ("UserWarning: careful",), ()]


@pytest.mark.parametrize("budget", [64 << 20, 10])
@pytest.mark.parametrize("line", ["df['n'] = 1", "del df['a']", "df.columns = list('pqrs')", "df = df.assign(z=1)"])
def test_without_copy_on_write_frames_are_copied_and_what_is_too_large_is_said(namespace, monkeypatch, line, budget):
    from reflex_magic.execute import checkpoint

    monkeypatch.setattr(checkpoint, "_copy_on_write", lambda pandas: False)
    monkeypatch.setattr(checkpoint, "BYTES", budget)
    runner = executor(namespace)
    base = runner.run(cell("pass"))
    before = fingerprint(namespace)
    trial = completed(runner.trial(cell(line), base, ()))
    assert differences(fingerprint(namespace), before) == []
    told = "`df` (DataFrame) is too large for a full copy, which this code needs"
    assert (told in trial.doubts) == (budget == 10)
    assert bool(trial.doubts) == (budget == 10)


def long(hidden):
    """Content of which only the beginning is looked at within milliseconds."""
    return [*range(30_000), hidden, *range(10_000)]


LONG = {
    "list": long,
    "tuple": lambda hidden: tuple(long(hidden)),
    "deque": lambda hidden: collections.deque(long(hidden)),
    "dict": lambda hidden: dict(enumerate(long(hidden))),
    "frame": lambda hidden: pd.DataFrame({"o": pd.Series(long(hidden), dtype=object)}),
    "series": lambda hidden: pd.Series(long(hidden), dtype=object),
    "array": lambda hidden: np.array([*long(0)[:-1], hidden, 0], dtype=object)[:-1],
    "nested": lambda hidden: [(i, str(i)) if i != 30_000 else (i, hidden) for i in range(40_000)],
}


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize(("hidden", "told"), [("text", False), ((1, "a"), False), ([1], True), (np.zeros(1), True)])
def test_what_hides_far_inside_is_told_before_a_trial_and_when_it_is_put_back(kind, hidden, told):
    made = LONG[kind](hidden)
    namespace = {"big": made}
    checkpoint = take(namespace, {"big"}, set)
    message = [f"`big` ({type(made).__name__}) is too large to be put back"]
    assert take(namespace, {"big"}, set).contents() == (message if told else [])
    assert checkpoint.unsaved() == (message if told else [])
    patient = take(namespace, {"big"}, set, seconds=30.0)
    assert patient.unsaved() == []
    if told:
        hidden[0] = 2
        assert patient.contents() == []
        assert hidden[0] == (1 if isinstance(hidden, list) else 0.0)


def test_a_large_dictionary_is_copied_only_where_there_is_time():
    namespace = {"big": dict.fromkeys(range(300_000))}
    assert take(namespace, {"big"}, set).unsaved() == ["`big` (dict) is too large to be put back"]
    patient = take(namespace, {"big"}, set, seconds=30.0)
    namespace["big"].clear()
    assert patient.restore(namespace) == []
    assert len(namespace["big"]) == 300_000
