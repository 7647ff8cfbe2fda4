"""Every way in which pandas and numpy change a value is taken back, to the bit, or told beforehand.

Each line of the tables is run as a trial that changes something and then fails, and as a person's
cell that fails and is rewound. Behind a line may stand `## told: NAME`: it cannot be taken back, and
the doubt names NAME.
"""

from __future__ import annotations

import functools
import warnings

import numpy as np
import pytest

from reflex_magic.execute.fingerprint import differences, fingerprint
from tests.execute.support import cell, completed, executor, table_row, taken_back

FRAMES = """
import ctypes
import numpy as np, pandas as pd
df = pd.DataFrame({'a': range(6), 'b': [1., 2., None, 4., 5., 6.], 's': list('xyzxyz'), 'f': [True, False] * 3})
df['c'] = df['s'].astype('category')
df['t'] = pd.date_range('2024', periods=6)
df['z'] = pd.date_range('2024', periods=6, tz='Europe/Vienna')
df['d'] = pd.timedelta_range('1h', periods=6)
df['p'] = pd.period_range('2024', periods=6, freq='M')
df['v'] = pd.interval_range(0, 6)
df['I'] = pd.array([1, None, 3, 4, 5, 6], dtype='Int64')
df['F'] = pd.array([1, None, 3, 4, 5, 6], dtype='Float64')
df['B'] = pd.array([True, None] * 3, dtype='boolean')
df['S'] = pd.array(list('uvwuvw'), dtype='string[python]')
df['W'] = pd.array(list('uvwuvw'), dtype='string[pyarrow]')
df['x'] = pd.array([0., 0., 1., 0., 2., 0.], dtype='Sparse[float]')
df['o'] = [[i] for i in range(6)]
df['k'] = [{'n': i} for i in range(6)]
df.attrs['source'] = ['file']
alias, holder = df, {'inner': [df]}
ser, idx, columns, attrs, flags, block = df['a'], df.index, df.columns, df.attrs, df.flags, df[['a', 'b']]
other = pd.DataFrame({'a': [100, 200], 'b': [1., 2.]})
levels = pd.MultiIndex.from_tuples([(1, 'u'), (2, 'v')], names=['p', 'q'])
multi = pd.DataFrame({'x': [1, 2], 'y': [3, 4]}, index=levels)
labelled = pd.Series([1, 2, 3], index=['i', 'j', 'k'], name='n')
words = pd.Index(['i', 'j'], name='w')
arr = np.arange(6.)
shared = pd.DataFrame(arr.reshape(3, 2), columns=['l', 'r'], copy=False)
shared_series = pd.Series(arr, copy=False)
class Sub(pd.DataFrame):
    _metadata = ['notes']
    @property
    def _constructor(self): return Sub
sub = Sub({'a': [1, 2]})
sub.notes = {'by': ['me']}
"""

FRAME_LINES = r"""
df['n'] = 1
df[['n', 'm']] = 1
df['a'] = df['a'] * 2
df['a'] += 1
other[other > 2] = 0
df.n = 1
df.a = 5
df.loc[df.a > 2, 'b'] = 0
df.loc[0, 'a'] = 9
df.loc[99] = df.loc[0]
df.loc[:, 'new'] = 1
df.loc[0, 'b'] = 1.5; df.loc[0, 'a'] = 1.5
df.loc[2, 'I'] = 9
df.loc[2, 'c'] = 'x'; df.loc[1, 'c'] = None
df.loc[1, 't'] = pd.NaT
df.loc[1, 'z'] = pd.NaT
df.loc[1, 'W'] = 'q'
df.iloc[0, 0] = 5
df.iloc[:, 0] = 7
df.iloc[1:3, [0, 1]] = 8
df.at[0, 'a'] = 7
df.at[99, 'a'] = 7
df.iat[0, 1] = 7
df.iat[2, 10] = 7
df.insert(0, 'i', 1)
df.pop('b')
del df['a']
df.isetitem(0, list('abcdef'))
df.update(other)
df.drop(columns='a', inplace=True)
df.drop(index=0, inplace=True)
df.dropna(inplace=True)
df.drop_duplicates('s', inplace=True)
df.fillna({'b': 0}, inplace=True)
df.rename(columns={'a': 'A'}, inplace=True)
df.rename_axis('nn', inplace=True)
df.reset_index(inplace=True)
df.set_index('a', inplace=True)
df.sort_values('b', ascending=False, inplace=True)
df.sort_index(ascending=False, inplace=True)
df.replace({'s': {'x': 'y'}}, inplace=True)
other.mask(other > 2, inplace=True)
other.where(other > 2, inplace=True)
df[['a', 'b']] = df[['a', 'b']].clip(1, 2)
df.eval('e = a + b', inplace=True)
df.query('a > 2', inplace=True)
df.columns = list(range(df.shape[1]))
df.columns.name = 'cc'
df.index = list('abcdef')
df.index.name = 'ii'
df.index.names = ['jj']
df.axes[0].name = 'kk'
columns.name = 'held'
idx.name = 'held'
idx.rename('held', inplace=True)
df.attrs['k'] = 1
df.attrs['source'].append('more')
df.attrs = {'other': 1}
attrs['k'] = 1
flags.allows_duplicate_labels = False
df.flags.allows_duplicate_labels = False
df.flags['allows_duplicate_labels'] = False
df.note = 'on the frame'
object.__setattr__(df, 'note', ['x'])
ser.tag = 1
df.T.iloc[0, 0]; df = df.T
ser.iloc[0] = 77
ser.loc[99] = 1
ser[0] = 5
ser += 1
ser *= 2
ser.name = 'zz'
ser.index = list('abcdef')
ser.update(pd.Series([9, 9]))
ser.replace(1, 5, inplace=True)
ser.drop(0, inplace=True)
ser.mask(ser > 1, 0, inplace=True)
ser.sort_values(ascending=False, inplace=True)
ser.pop(0)
del ser[0]
labelled['j'] = 9
labelled.j = 9
labelled['new'] = 9
labelled.drop('i', inplace=True)
labelled.rename('other', inplace=True)
words.name = 'renamed'
block.iloc[0, 0] = 3
block['a'] = 0
df['c'] = df['c'].cat.add_categories(['new'])
df['c'] = df['c'].cat.rename_categories({'x': 'X'})
df['c'] = df['c'].cat.remove_unused_categories().cat.as_ordered()
multi.loc[(1, 'u'), 'x'] = 9
multi.loc[(3, 'w'), :] = 9
multi.index.names = ['r', 's']
multi.index = multi.index.set_levels([[7, 8]], level=[0])
multi.drop((1, 'u'), inplace=True)
multi.reset_index(level='p', inplace=True)
alias['x2'] = 1
holder['inner'][0].loc[0, 'a'] = 44
holder['inner'][0]['deep'] = 1; holder['inner'].append(3)
df.apply(lambda column: alias.__setitem__('q', 1) if column.name == 'a' else None)
df.groupby('s')['a'].apply(lambda g: alias.attrs.update(n=len(g)))
df.pipe(lambda d: alias.insert(0, 'piped', d['a']))
df.groupby('s')[['a']].apply(lambda g: g.__setitem__('w', 1)); df.pop('o')
for name, column in df.items(): df[name] = column.values
for row in df.itertuples(): df.at[row.Index, 'a'] = -1
df.set_flags(allows_duplicate_labels=False, copy=False) if pd.__version__ < '3' else None; df.pop('a')
df['o'].iloc[0].append(5)
df.at[0, 'o'].append(5)
df.loc[1, 'k']['n'] = 'changed'
df['o'].apply(lambda cell: cell.clear())
df['k'].map(lambda cell: cell.update(m=1))
for cell in df['o']: cell.append(1)
[cell.append(1) for cell in df['o'].tolist()]
df['o'].values[0].append(3)
df.to_dict('records')[0]['o'].append(9)
sub.notes['by'].append('you')
sub.notes = {'by': 'nobody'}
sub['b'] = 1; sub.notes['at'] = 1
Sub._metadata.append('more')
df['I'].array[0] = 9
df['F'].array[0] = 9
df['B'].array[0] = False
df['c'].array[0] = 'z'
df['t'].array[0] = pd.Timestamp('1999')
df['z'].array[0] = pd.Timestamp('1999', tz='Europe/Vienna')
df['d'].array[0] = pd.Timedelta('9h')
df['p'].array[0] = pd.Period('1999-01', 'M')
df['v'].array[0] = pd.Interval(9, 10)
df['a'].array[0] = 9
df['S'].array[0] = 'new'
df['W'].array[0] = 'new'
ser.array[0] = 9
df['a'].values[0] = 9
df.values[0, 0] = 9; df['n'] = 1
df['b'].to_numpy()[0] = 9
x = df['b'].to_numpy(); x.flags.writeable = True; x[0] = 9
x = df['a'].values; x.setflags(write=True); x[:] = 9
x = ser.to_numpy(); x.flags.writeable = True; x.fill(3)
x = idx.astype('int64'); y = x.values; y.flags.writeable = True; y[0] = 9; df['n'] = 1
y = words._values; y = pd.Index([1, 2, 3]).values; y.flags.writeable = True; y[0] = 9; words.name = 'r'
np.asarray(labelled.index.values).setflags(write=True); labelled._values[0] = 9
df['b']._values[0] = 9
df['I']._values._data[0] = 9
df['I'].array._mask[0] = True
df['B'].array._mask[:] = False; df['B'].array._data[:] = True
df['c'].array._codes.setflags(write=True); df['c']._values._codes[0] = 2
df['t']._values._ndarray[0] = 0
df._mgr.blocks[0].values[...] = 7
ser._mgr.blocks[0].values[...] = 7
ctypes.memset(df._mgr.blocks[0].values.ctypes.data, 1, 8)
np.put(df['b'].to_numpy(), 0, 9); df['n'] = 2
arr[0] = 99
arr[:] = 1
shared.iloc[0, 0] = 50
shared['l'] = 0
shared._mgr.blocks[0].values[0, 0] = 51
shared_series.iloc[0] = 52
shared_series._values[1] = 53
arr.sort(); arr[::-1].sort()
df = df.astype({'a': 'float32'})
df, other = other, df
del df, alias
"""

ARRAYS = """
import ctypes, random
import numpy as np
import numpy.lib.stride_tricks as tricks
a, ints, small = np.arange(10.), np.arange(10), np.arange(6, dtype='i2')
view, rows, reverse = a[2:5], a.reshape(2, 5), a[::-1]
grid = np.ones((4, 4)); fortran = np.asfortranarray(np.arange(6.).reshape(2, 3)); zero = np.array(5.0)
big = np.zeros(30_000)
nan = np.array([np.nan, -0.0, 1.0])
bools, texts, raw = np.array([True, False]), np.array(['ab', 'c']), np.array([b'ab'])
stamps = np.array(['2024'], 'M8[D]')
complexes = np.array([1 + 2j, 3])
objs = np.empty(3, dtype=object); objs[:] = [[1], {'k': 2}, 'x']
rec = np.zeros(3, dtype=[('n', 'i4'), ('v', 'f8')]); records = rec.view(np.recarray)
nested = np.zeros(2, dtype=[('pos', [('x', 'f4'), ('y', 'f4')]), ('o', 'O')]); nested['o'] = [[1], [2]]
masked, unmasked = np.ma.array([1., 2., 3.], mask=[0, 1, 0]), np.ma.array([1., 2.])
hard = np.ma.array([1, 2], mask=[1, 0], hard_mask=True)
matrix = np.asmatrix(np.eye(2))
windows, spread = tricks.as_strided(a, (4, 3), (8, 8)), np.broadcast_to(a, (2, 10))
sliding = tricks.sliding_window_view(a, 3)
buffer = bytearray(b'abcdefgh'); over = np.frombuffer(buffer, dtype='u1')
frozen = np.arange(3); frozen.setflags(write=False)
flat, held, where = a.flat, [np.arange(3), {'in': np.zeros(2)}], np.array([0, 0, 3])
class Own(np.ndarray): pass
own = np.arange(3.).view(Own); own.unit = ['m']
rng, rs, prng = np.random.default_rng(1), np.random.RandomState(1), random.Random(1)
bits, seeds = np.random.PCG64(1), np.random.SeedSequence(1); twister = np.random.Generator(np.random.MT19937(1))
def fill(x): x[...] = 3
def widen(x, out): return np.multiply(x, 2, out=out)
"""

ARRAY_LINES = r"""
a[0] = 9
a[1:4] = 9
a[::2] = 9
a[a > 3] = 0
a[[1, 2]] = [7, 8]
a[...] = 1
a[np.newaxis, 0] = 3
zero[()] = 9
grid[1, :] = 5
grid[:, [0, 2]] = 5
grid[np.ix_([0, 1], [2, 3])] = 5
fortran[0] = 7
a += 1
a -= 1; a *= 3; a /= 2
ints //= 2; ints %= 2; ints **= 2
ints |= 4; ints <<= 1; ints ^= 1
grid @= np.ones((4, 4)) * 2
bools &= False
np.add(a, 1, out=a)
np.add(a, 1, out=(a,), where=a > 5)
np.sin(a, a)
np.cumsum(a, out=a)
a.cumsum(out=a)
np.clip(a, 2, 3, out=a)
a.clip(2, 3, out=a)
np.round(a / 3, 1, out=a)
np.dot(np.ones((4, 4)), 3 * grid.copy(), out=grid)
np.matmul(2 * grid, grid.copy(), out=grid)
np.take(a, [1, 1], out=a[:2])
np.mean(rows, axis=0, out=a[:5])
np.maximum.accumulate(reverse, out=a)
np.add.reduce(rows, axis=0, out=a[:5])
np.add.at(a, where, 1)
np.subtract.at(ints, [0], 5)
np.negative.at(a, [1])
np.put(a, [0, 1], 9)
a.put([2], 9)
np.place(a, a > 3, [1, 2])
np.putmask(a, a > 3, 0)
np.copyto(a, 5)
np.copyto(a, 5, where=a > 3)
np.put_along_axis(grid, np.array([[0]]), 9, axis=1)
np.fill_diagonal(grid, 9)
np.nan_to_num(nan, copy=False)
nan[0] = -np.nan; nan.view('u8')[0] = 0x7ff8000000000001
nan[1] = 0.0
a.fill(3)
reverse.sort()
a[::-1].sort(kind='stable')
grid[0] = [4, 3, 2, 1]; grid.sort(axis=1)
reverse.partition(3)
a.byteswap(inplace=True)
a.setfield(1.5, 'f4', 0)
a.view('i8')[0] = 1
small.view('u1')[0] = 255
a.real = 3
complexes.imag = 9
complexes.real[0] = 9
a.flat = 4
a.flat[2] = 4
flat[0] = 7
rows.ravel()[0] = 6
rows.T[0, 0] = 6
rows.squeeze()[0] = 6
rows.swapaxes(0, 1)[1] = 6
rows.diagonal().sum(); np.einsum('ii->i', grid)[:] = 3
view[0] = 9
view += 1
reverse[0] = 99
rows[1, 1] = 9
a.reshape(5, 2)[0, 0] = 9
np.split(a, 2)[0][:] = 9
np.atleast_2d(a)[0, 1] = 9
np.expand_dims(a, 0)[0, 1] = 9
np.asarray(big)[3] = 3
big[5] = 1
fill(big)
fill(a)
fill(a[3:5])
widen(a, a)
widen(a, out=big[:10])
(lambda x: x.fill(2))(big)
[x.fill(2) for x in [big]]
np.apply_along_axis(lambda row: row.fill(9), 0, grid); grid[0] = 9
np.vectorize(lambda i: a.__setitem__(i, 0))([1, 2])
it = np.nditer(a, op_flags=['readwrite'])\nfor x in it: x[...] = 2
for x in np.nditer([grid], op_flags=[['readwrite']]): x[...] = 7
for row in grid: row[0] = 3
for i, x in np.ndenumerate(grid): grid[i] = i[0]
windows[0, 0] = 9
tricks.as_strided(a, (3,), (16,))[:] = 9
tricks.sliding_window_view(a, 2, writeable=True)[0] = 9
over[0] = 90
buffer[1] = 90
memoryview(a)[0] = 3.5
memoryview(a).cast('B')[0] = 255
ctypes.memset(a.ctypes.data, 0, 16)
ctypes.cast(a.ctypes.data, ctypes.POINTER(ctypes.c_double))[1] = 44.0
np.ctypeslib.as_array((ctypes.c_double * 10).from_address(a.ctypes.data))[2] = 45.0
frozen.setflags(write=True); frozen[0] = 9
a.flags.writeable = False
a.setflags(write=False); frozen.flags.writeable = True
a.shape = (5, 2)
rows.shape = (10,)
grid.dtype = 'i8'
rec.dtype.names = ('p', 'q')
texts[0] = 'zz'
raw[0] = b'z'
stamps[0] = '1999'
bools[:] = True
objs[0].append(4)
objs[1]['k'] = 3
objs[2] = [3]
objs[:] = None
for o in objs[:1]: o.append(1)
rec['n'] = 5
rec[0] = (1, 2.0)
rec[1]['v'] = 3
row = rec[0]; row['n'] = 4
records.n = 7
records[0].v = 3
nested['pos']['x'] = 5
nested['o'][0].append(3)
nested[0]['o'] = [9]
masked[0] = np.ma.masked
masked[1] = 5
masked.mask = True
masked.mask[0] = True
masked.data[1] = 99
masked.fill_value = 7
masked.harden_mask(); masked.unshare_mask()
unmasked[0] = np.ma.masked
unmasked.put(0, 8)
hard.soften_mask(); hard[0] = 9
np.ma.masked_where(masked > 1, masked, copy=False)[0] = 5
matrix[0, 0] = 9
held[0][0] = 9
held[1]['in'] += 1; held.append(1)
own[0] = 9
own.unit.append('s'); own.scale = 2
own.unit = 'km'
rng.shuffle(a)
rng.random(3)
rng.permuted(grid * [1, 2, 3, 4], out=grid)
rng.standard_normal(out=a)
rng.integers(9, size=big.size); rng.bit_generator.advance(5)
rng.bit_generator.state = np.random.default_rng(5).bit_generator.state
rng.spawn(2) ## told: rng
rs.rand(3)
rs.seed(5)
rs.shuffle(a)
rs.set_state(np.random.RandomState(7).get_state())
twister.normal(size=3)
bits.random_raw(3)
seeds.spawn(1) ## told: seeds
np.random.seed(3)
np.random.rand(2)
np.random.shuffle(a)
np.random.set_state(np.random.RandomState(9).get_state())
random.seed(4)
random.shuffle(held)
prng.random()
prng.shuffle(held)
del a, view
a, ints = ints, a
"""

MAPPED = """
import numpy as np
mapped = np.memmap('mapped.bin', dtype='f8', mode='w+', shape=(4,))
part = mapped[1:]
"""

# The values are put back, and that the file was written is told.
MAPPED_LINES = r"""
mapped[0] = 5; part.fill(3); mapped.flush() ## told: mapped.bin
"""

SETUPS = {
    "frames": compile(FRAMES, "<frames>", "exec", dont_inherit=True),
    "arrays": compile(ARRAYS, "<arrays>", "exec", dont_inherit=True),
    "mapped": compile(MAPPED, "<mapped>", "exec", dont_inherit=True),
}


def operations():
    for name, lines in (("frames", FRAME_LINES), ("arrays", ARRAY_LINES), ("mapped", MAPPED_LINES)):
        for line in lines.strip().split("\n"):
            yield pytest.param(name, *table_row(line), id=line)


ROWS = list(operations())


@pytest.fixture(autouse=True)
def _quiet_and_patient(monkeypatch):
    monkeypatch.setattr("reflex_magic.execute.executor.SECONDS", 10.0)  # a busy machine decides nothing here
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def made(name):
    namespace = {"__name__": "__main__"}
    exec(SETUPS[name], namespace)
    return namespace


@pytest.mark.parametrize(("name", "body", "told"), ROWS)
def test_what_an_operation_changes_is_taken_back(name, body, told):
    assert taken_back(functools.partial(made, name), body, told), "the line changes nothing"


def test_the_tables_are_as_long_as_they_should_be():
    assert len(ROWS) >= 300


@pytest.mark.xfail(strict=True, reason="numpy resizes only an array that nothing else refers to; a checkpoint does")
def test_an_array_is_resized_in_place():
    completed(executor({"__name__": "__main__", "a": np.arange(3)}).run(cell("a.resize(5)")))


SHARING = """
import numpy as np, pandas as pd
arr = np.arange(6.)
df = pd.DataFrame(arr.reshape(3, 2), columns=['l', 'r'], copy=False)
column, part, ser = df['l'], df.iloc[:2], pd.Series(arr, copy=False)
"""


@pytest.mark.parametrize("line", ["arr[0] = 9", "df._mgr.blocks[0].values[0, 0] = 9", "column._values[0] = 9"])
def test_what_shared_memory_shares_it_afterwards(line):
    namespace = {"__name__": "__main__"}
    exec(SHARING, namespace)
    runner = executor(namespace)
    trial = completed(runner.trial(cell(line), completed(runner.run(cell("pass"))), ()))
    assert trial.doubts == ()
    views = ("arr", "df", "column", "part", "ser")
    assert {name: np.ravel(namespace[name])[0] for name in views} == dict.fromkeys(views, 0.0)
    namespace["arr"][0] = 7.0  # past every copy that pandas makes on writing
    assert {name: np.ravel(namespace[name])[0] for name in views} == dict.fromkeys(views, 7.0)
    runner.commit(runner.trial(cell(line), runner.run(cell("pass")), ()))
    assert {name: np.ravel(namespace[name])[0] for name in views} == dict.fromkeys(views, 9.0)


def test_what_a_hurried_checkpoint_did_not_reach_is_told(monkeypatch):
    namespace = made("frames")
    before = fingerprint(namespace)
    monkeypatch.setattr("reflex_magic.execute.executor.PATIENT", 0.0)
    runner = executor(namespace)
    trial = runner.trial(cell("df['n'] = 1"), runner.run(cell("pass")), ())
    assert trial.doubts == ("`df` (DataFrame) is too large to be put back",)
    assert differences(before, fingerprint(namespace)) == [], "what cannot be put back is not run"
