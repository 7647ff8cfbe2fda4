"""Cells that change something in a way that is easily missed: taken back, or told.

Behind a line may stand `## told: NAME ...`: what cannot be taken back, and the names that the doubts
give. What a line changes is found by running it, and a line that changes nothing fails.
"""

from __future__ import annotations

import builtins
import decimal
import locale
import logging
import math
import sys
import warnings

import numpy as np
import pandas as pd
import pytest

from tests.execute.support import cell, executor, table_row, taken_back

SETUP = """
import abc, array, asyncio, builtins, collections, contextlib, contextvars, copy, csv, ctypes, dataclasses, datetime
import decimal, enum, functools, gc, hashlib, heapq, bisect, io, itertools, locale, logging, math, mmap, operator, os
import queue, random, re, string, sys, tempfile, threading, time, types, typing, warnings, weakref, zlib
import numpy as np, pandas as pd
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque, namedtuple

log, lst, words, counter = [], [3, 1, 2], ['b', 'a'], 0
cfg = {'a': {'b': [1, 2]}, 'n': 1}
df = pd.DataFrame({'k': list('aab'), 'v': [1, 2, 3], 'o': [[1], [2], [3]]})
left, right = pd.DataFrame({'x': [1]}), pd.DataFrame({'x': [2]})
series, view, arr = df['v'], df[['v']], np.arange(6.)
nest = [{'frames': [df, left]}, ({'arr': arr},)]

# functions
def note(x): log.append(x); return x
def bump():
    global counter
    counter += 1
def outer(): bump(); note('outer')
def far(): outer()
def default(x, into=[]): into.append(x); return into
def keyword(x, *, into={}): into[x] = 1; return into
def remember(x): remember.calls = getattr(remember, 'calls', 0) + 1; return x
def closure():
    total, parts = 0, []
    def add(n):
        nonlocal total
        total += n; parts.append(n)
        return total
    def get(): return total, parts
    return add, get
add, get = closure()
def deco(f):
    calls = []
    @functools.wraps(f)
    def inner(*a, **k): calls.append(a); return f(*a, **k)
    return inner
@deco
def decorated(x): return x
def counted(f):
    def inner(*a): inner.n += 1; return f(*a)
    inner.n = 0
    return inner
doubled = counted(lambda x: x * 2)
class Deco:
    def __init__(self, f): self.f, self.seen = f, []
    def __call__(self, *a): self.seen.append(a); return self.f(*a)
@Deco
def classy(x): return x
part = functools.partial(note, 'p')
method = lst.append
adder = functools.partial(lst.extend, [7])
compose = lambda x: note(part.func(x))
table = {'go': bump, 'note': note, 'both': [bump, note]}
def recurse(n):
    if n: cfg['a']['b'].append(n); recurse(n - 1)
@functools.lru_cache(None)
def cached(x): return note(x)
@functools.singledispatch
def shape(x): return 'any'
@shape.register
def _of_int(x: int): return 'int'
def gen_fn():
    for i in range(5):
        cfg['n'] = i
        yield i
gen, half, expr = gen_fn(), gen_fn(), (note(i) for i in range(3)); next(half)
async def coro_fn(): log.append('awaited'); return 1
@contextlib.contextmanager
def changed(): log.append('in'); yield; log.append('out')

# classes
class Meta(type):
    made = []
    def __call__(cls, *a, **k): Meta.made.append(cls.__name__); return super().__call__(*a, **k)
class Base(metaclass=Meta):
    registry = {}
    def __init_subclass__(cls): Base.registry[cls.__name__] = cls
class Thing(Base):
    shared, count = [], 0
    def __init__(self): self.items, self.df, self._n = [1], left, 0
    @property
    def n(self): return self._n
    @n.setter
    def n(self, value): self._n = value; log.append(value)
    @property
    def lazy(self): self.__dict__['computed'] = 1; return 1
    @functools.cached_property
    def slow(self): log.append('slow'); return [1]
    @classmethod
    def make(cls): cls.count += 1; return cls.count
    @staticmethod
    def stat(): counter_box['n'] += 1
    def __getattr__(self, name):
        if name.startswith('magic'): lst.append(name); return name
        raise AttributeError(name)
    def __len__(self): log.append('len'); return 3
    def __iadd__(self, other): self.items.append(other); return self
    def __getitem__(self, key): log.append(key); return key
    def __setitem__(self, key, value): cfg[key] = value
    def __delitem__(self, key): cfg.pop(key)
    def __enter__(self): self.items.append('in'); return self
    def __exit__(self, *a): self.items.append('out'); return True
    def __iter__(self): self._n += 1; return iter(self.items)
    def __contains__(self, x): log.append(x); return True
    def __repr__(self): log.append('repr'); return 'Thing'
    def __eq__(self, other): log.append('eq'); return True
    def __hash__(self): return 1
    def __add__(self, other): self.items.append(other); return self
    def __bool__(self): log.append('bool'); return True
    def __format__(self, spec): log.append('format'); return ''
    def __call__(self): self.shared.append(1)
class Other(Base): pass
counter_box = {'n': 0}
thing = Thing(); things = [Thing(), Thing()]
class Descriptor:
    def __init__(self): self.values = {}
    def __get__(self, owner, cls): log.append('get'); return self.values.get(id(owner), 0)
    def __set__(self, owner, value): self.values[id(owner)] = value
class Described: field = Descriptor()
described = Described()
class Slotted:
    __slots__ = ('x', '__hidden')
    def __init__(self): self.x, self.__hidden = [1], 1
    def hide(self): self.__hidden += 1
class Child(Slotted): __slots__ = ('y',)
slotted, child = Slotted(), Child()
@dataclasses.dataclass
class Point:
    x: int = 0
    tags: list = dataclasses.field(default_factory=list)
@dataclasses.dataclass(frozen=True)
class Frozen: tags: list
point, frozen = Point(), Frozen([1])
class Colour(enum.Enum):
    RED = [1]
    BLUE = 2
class Level(enum.IntFlag):
    LOW = 1
Pair = namedtuple('Pair', 'a b')
pair = Pair([1], {'k': 1})
class Estimator:
    def __init__(self): self.steps = 0
    def fit(self, X, y=None): self.coef_ = np.ones(3); self.steps += 1; self.seen_ = [len(X)]; return self
    def partial_fit(self, X): self.coef_ += 1; self.steps += 1; return self
    def predict(self, X): return X['v'] * self.coef_[0]
model, pipe = Estimator().fit(df), [('scale', Estimator()), ('fit', Estimator())]
class Borg:
    state = {}
    def __init__(self): self.__dict__ = self.state
borg = Borg()
class Money(float): pass
money = Money(3); money.unit = ['EUR']
class Tagged(str): pass
tagged = Tagged('a'); tagged.tags = [1]
class Path3(tuple): pass
path3 = Path3(([1], 2)); path3.extra = {'k': 1}
class Stack(list):
    def append(self, x): log.append(x); super().append(x)
stack = Stack([1]); stack.label = 'x'
class Auto(dict):
    def __missing__(self, k): self[k] = []; return self[k]
auto = Auto(a=1)
class Abstract(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
problem = ValueError('first', [1])

# containers
chain = ChainMap({'a': 1}, {'b': [2]}); dd = defaultdict(list, a=[1]); dl = defaultdict(lambda: note('made'))
od, cnt, dq = OrderedDict(a=1, b=[2], c=3), Counter('aab'), deque([1, [2], 3], maxlen=4)
ud, ul = UserDict(a=[1]), UserList([1, 2])
num, ba, mem = array.array('d', [1, 2]), bytearray(b'abc'), memoryview(bytearray(b'xyz'))
st, fz, tup = {1, 2, 3}, frozenset({(1, 2)}), ([1], {'k': [2]})
text, raw = io.StringIO('hello'), io.BytesIO(b'abc')
proxy, keys, values, items = types.MappingProxyType(cfg), cfg.keys(), cfg.values(), cfg.items()
loop = [1]; loop.append(loop)
twin_a = twin_b = [1]
space = types.SimpleNamespace(a=[1], df=df)
heap = [1, 5, 9]
weak, weak_set, weak_map = weakref.ref(thing), weakref.WeakSet([thing]), weakref.WeakValueDictionary(t=thing)
weak_keys = weakref.WeakKeyDictionary({thing: [1]}); weak_method = weakref.WeakMethod(thing.make)
cells = add.__closure__
big = [[i] for i in range(30)]
byte_view = memoryview(num)

# iterators
it, zipped, mapped, enum_it = iter([1, 2, 3]), zip([1, 2], 'ab'), map(note, [1, 2]), enumerate('abc')
ran, rev, filt, cnt_it = iter(range(5)), reversed([1, 2]), filter(note, [1, 2]), itertools.count()
sliced, chained = itertools.islice('abcd', 3), itertools.chain([1], [2])
prod, perms = itertools.product('ab', repeat=2), itertools.permutations('abc')
grouped = itertools.groupby('aab'); reader = csv.reader(['a,b', 'c,d'])
dict_it, set_it = iter({'a': 1, 'b': 2}), iter({1, 2})
rows, by_key = df.itertuples(), iter(df.groupby('k'))

# the process
var, empty_var = contextvars.ContextVar('var'), contextvars.ContextVar('empty'); var.set([1])
local = threading.local(); local.x = [1]
lock, rlock, event, sem = threading.Lock(), threading.RLock(), threading.Event(), threading.Semaphore(2)
fifo, simple, prio = queue.Queue(), queue.SimpleQueue(), queue.PriorityQueue()
logger = logging.getLogger('reflex.adversarial'); digest = hashlib.sha256(b'a')
number, chars, struct = ctypes.c_int(5), (ctypes.c_char * 3)(b'a'), None
mapping = mmap.mmap(-1, 8)
rng, rs, prng = np.random.default_rng(1), np.random.RandomState(1), random.Random(1)
stamp = datetime.datetime(2024, 1, 1)
pattern = re.compile('a')
"""

LINES = r"""
note(1)
bump()
far()
add(2)
add(1); get()[1].append(2)
default(1)
keyword('k')
remember(1)
decorated(1)
doubled(2)
doubled.n = 9
classy(1)
part()
part.keywords['x'] = 1
part.tag = [1]
method(4)
adder()
compose(3)
table['go']()
table['both'][0](); table['both'].pop()
recurse(3)
(lambda: lst.append(1))()
(lambda f: f(5))(note)
[note(i) for i in range(3)]
{i: note(i) for i in 'ab'}
any(note(i) for i in [1, 2])
list(map(note, lst)); list(filter(note, lst))
sorted(lst, key=note)
functools.reduce(lambda a, b: note(a + b), lst)
max(lst, key=lambda x: log.append(x) or x)
print(file=type('F', (), {'write': lambda self, s: log.append(s)})())
(y := lst).append(1)
if (n := len(lst)) and lst.pop(): pass
while lst: lst.pop()
for lst[0] in range(3): pass
for cfg['i'], thing.items in [(1, [2])]: pass
with changed(): lst.append(1)
with thing as t: t.items.append(1)
with contextlib.suppress(ZeroDivisionError): lst.append(1); 1 / 0
try:\n    lst.append(1)\n    1 / 0\nexcept ZeroDivisionError as e: log.append(str(e))\nfinally: cfg['n'] = 9
try:\n    1 / 0\nfinally:\n    lst.clear()
def shadow():\n    lst.append(1)\nshadow()
def replaced(): global lst; lst = []\nreplaced()
class Late(Base): pass
class Thing: pass
def note(x): return None
del note, lst
lst, words = words, lst
lst[0], lst[1] = lst[1], lst[0]
lst[:] = []
lst[1:2] = [8, 9]; del lst[0]
lst *= 2
lst.sort(); words.reverse()
lst.insert(0, lst)
[*lst, lst.append(1)]
first, *rest = lst; lst.remove(first)
twin_a.append(2)
twin_a = [1]; twin_b.append(3)
copy.copy(cfg)['a']['b'].append(1)
cfg['a'] = copy.deepcopy(cfg['a']); cfg['a']['z'] = 1
cfg['a']['b'] += [3]
cfg |= {'new': 1}
cfg.setdefault('list', []).append(1)
cfg.update(a=1); cfg.popitem()
for k in list(cfg): cfg.pop(k)
for k, v in cfg.items(): cfg[k] = None
proxy['a']['b'].append(1)
list(values)[0]['b'].append(2)
next(iter(items))[1]['b'].append(2)
dict.fromkeys('ab', lst)['a'].append(1)
chain['c'] = 1; chain.maps[1]['b'].append(3)
chain.maps.append({}); chain = chain.new_child()
dd['x'].append(1)
dd['y']; dd.default_factory = None
dl['z']
auto['q'].append(1)
od.move_to_end('a'); od['b'].append(1)
od.popitem(last=False)
cnt.update('zzz'); cnt.subtract('a')
cnt['q'] += 1; del cnt['a']
dq.append(4); dq.append(5); dq[1].append(1)
dq.rotate(1); dq.extendleft([7])
ud['b'] = 2; ud['a'].append(2)
ud.data = {'z': 1}; ul.append(3); ul.data[0] = 9
num.append(3); num[0] = 9; num.byteswap()
byte_view[0] = 9.5
ba += b'z'; ba[0] = 90
mem[0] = 90
mem.release() ## told: mem
st.add(9); st.discard(1)
st |= {5, 6}; st &= {5}
tup[0].append(2); tup[1]['k'].append(3)
pair.a.append(2); pair.b['z'] = 1
loop.append(2); loop[1].append(3)
space.a.append(2); space.b = 1; space.df['z'] = 1
heapq.heappush(heap, 0); bisect.insort(heap, 3)
operator.iadd(lst, [1]); operator.setitem(cfg, 'k', 1)
random.shuffle(lst)
list.append(stack, 3); stack.append(4); stack.label = 'y'
path3[0].append(2); path3.extra['z'] = 1
money.unit.append('USD'); tagged.tags = []
text.write('J'); text.seek(2)
text.truncate(0)
raw.getbuffer()[0] = 65
weak().items.append(3)
for t in weak_set: t.items.append(1)
weak_set.clear()
weak_map['t'].items.append(2); weak_map['u'] = things[0]
weak_keys[thing].append(2)
weak_method()()
cells[0].cell_contents = [9]
add.__closure__[1].cell_contents = 9
doubled.__code__ = doubled.__code__.replace(co_name='other')
note.__doc__ = 'changed'; note.__name__ = 'n'; note.tag = [1]
note.__kwdefaults__ = {'a': 1}; keyword.__kwdefaults__['into']['z'] = 1
default.__defaults__[0].append(3)
note.__globals__['lst'].append(3)
note.__dict__['x'] = 1; note.__annotations__['x'] = int
thing.items.append(2); thing.new = 1
thing.n = 5
thing.lazy
thing.slow
thing.slow.append(1); del thing.slow
Thing.make(); thing.make()
Thing.stat()
thing.magic_field
len(thing)
thing += 5
thing + 5
thing['key']
thing['n'] = 3
del thing['n']
list(thing)
3 in thing
repr(thing); f'{thing}'; str(thing)
thing == 1
if thing: pass
thing()
del thing.items
thing.__class__ = Base
thing.__dict__ = {'other': 1}
vars(thing)['items'] = None
setattr(thing, 'items', 1); delattr(thing, '_n')
object.__setattr__(thing, 'items', 2)
operator.attrgetter('items')(thing).append(1)
operator.methodcaller('append', 1)(lst)
getattr(thing, 'items').append(3)
things[1].items.append(2); things.append(Thing())
Thing.shared.append(1); Thing.count = 9
Thing.extra = lambda self: 1; del Thing.stat
Thing.__init__ = lambda self: None
Thing.n = 3
setattr(Thing, 'dyn', 1)
type('Made', (Base,), {})
Base.registry.clear()
Meta.made.append(1); Meta.extra = 2
Thing.__bases__ = (Other,); Thing.__doc__ = 'doc'
Thing.__name__ = 'Other'
described.field = 4
described.field
type(described).__dict__['field'].values['z'] = 1
slotted.x.append(2); slotted.hide()
slotted.x = 3; del slotted.x
child.y = 5
point.x = 5; point.tags.append(1)
dataclasses.replace(point, x=3).tags.append(2)
frozen.tags.append(2); object.__setattr__(frozen, 'tags', [])
Colour.RED.value.append(2)
Colour.BLUE.note = [1]
Level.LOW.note = 1
problem.args = (); problem.note = 1
problem.args[1].append(2); problem.add_note('n')
borg.x = 1; Borg.state['y'] = 2
model.fit(df)
model.partial_fit(df); model.coef_[0] = 9
for name, step in pipe: step.fit(df)
copy.copy(model).partial_fit(df)
pipe[0][1].steps = 9
df['n'] = 1
nest[0]['frames'][0].loc[0, 'v'] = 9
nest[1][0]['arr'][0] = 9
nest[0]['frames'][1].drop(columns='x', inplace=True); nest[0]['frames'].pop()
series.iloc[0] = 9
view.iloc[0, 0] = 9
arr[1:3] = 9
df.apply(lambda c: log.append(c.name))
df.apply(lambda r: cfg.update({r['k']: r['v']}), axis=1)
df.groupby('k')['v'].transform(lambda s: note(s))
df.groupby('k')[['v']].apply(lambda g: lst.append(len(g)))
df['v'].map(note); df['o'].map(lambda o: o.append(1))
df.pipe(lambda d: cfg.update(p=len(d)))
df.assign(z=lambda d: note(1)); df.agg({'v': lambda s: log.append(1) or 1})
df['o'].explode(); df.o[0].append(3)
left, right = right, left
left['y'] = right['x'] = 5
df.sort_values('v', key=lambda s: note(s))
for frame in (left, right): frame['s'] = 1
exec('lst.append(1)')
exec('lst = 5')
eval('lst.append(1)')
globals()['lst'].append(1)
globals()['fresh'] = 1; del globals()['words']
globals().update(lst=1)
vars()['cfg']['n'] = 7
locals()['lst'].append(2)
exec(compile('def note(x): pass', 'f', 'exec'), globals())
json = 1; import json as pd
np.random.seed(1); np.random.rand()
random.seed(1); random.random()
rng.random(); rs.rand(); prng.random()
var.set(5)
var.get().append(2)
empty_var.set(1) ## told: empty_var
local.x.append(1); local.y = 2
lock.acquire(blocking=False) ## told: lock
rlock.acquire(blocking=False) ## told: rlock
event.set() ## told: event
sem.acquire() ## told: sem
fifo.put([1]) ## told: fifo
simple.put(1) ## told: simple
prio.put(3) ## told: prio
digest.update(b'b') ## told: digest
number.value = 9
chars[0] = b'z'
ctypes.memset(ctypes.addressof(chars), 66, 1); chars[1] = b'y'
mapping[0:2] = b'hi'; mapping.seek(3)
cached(1); cached(2)
cached.__wrapped__.__defaults__ = (1,)
shape.register(str, lambda x: note('str'))
shape.register(str, lambda x: note('str')); shape('x')
next(gen) ## told: gen
next(half) ## told: half
list(gen) ## told: gen
gen.close() ## told: gen
half.send(None) ## told: half
next(expr) ## told: expr
next(it) ## told: it
list(zipped) ## told: zipped
next(mapped) ## told: mapped
next(enum_it) ## told: enum_it
next(ran) ## told: ran
next(rev) ## told: rev
next(filt) ## told: filt
next(cnt_it) ## told: cnt_it
next(sliced) ## told: sliced
next(chained) ## told: chained
next(prod) ## told: prod
next(perms) ## told: perms
next(grouped) ## told: grouped
next(reader) ## told: reader
next(dict_it) ## told: dict_it
next(set_it) ## told: set_it
next(rows) ## told: rows
next(by_key) ## told: by_key
for x in it: break ## told: it
dict(zip(words, it)) ## told: it
a, b = zipped ## told: zipped
big[20].append(1)
gc.collect(); lst.append(1)
stamp = stamp.replace(year=2000); counter = counter + 1
counter += 1; counter -= 1; lst.append(counter)
lst.append(lst.append)
log.append(log); log[0].append(2)
cfg['self'] = cfg; cfg['self']['n'] = 2
Pair.extra = 1
Abstract.register(Thing); Thing.count = 5 ## told: Abstract
typing.cast(list, lst).append(1)
functools.partial(setattr, thing)('items', 5)
type.__setattr__(Thing, 'count', 7)
dict.__setitem__(auto, 'z', 1)
list.__iadd__(lst, [1])
"""

# These change the process itself, so they are run in one of their own.
PROCESS_LINES = r"""
__import__('math').pi = 3
math.pi = 3
math.fresh = [1]
setattr(math, 'pi', 4)
del math.pi
builtins.ascii = None
builtins.fresh_builtin = 1
np.answer = 42
np.mean = None
pd.DataFrame.extra = lambda self: 1
pd.DataFrame.head = None
pd.api.extensions.register_dataframe_accessor('adv')(type('A', (), {'__init__': lambda s, d: None}))
from math import *
from math import pi as lst
import os.path as cfg
sys.path.append('x')
sys.path.insert(0, 'x'); sys.path = list(sys.path)
sys.setrecursionlimit(3000)
sys.argv.append('x')
sys.stdout = io.StringIO(); print('lost'); cfg['n'] = 2
sys.modules['math'].pi = 3
string.ascii_letters = ''
os.environ['REFLEX_ADVERSARIAL'] = '1'
os.environ.pop('HOME'); os.environ.update(A='1')
os.putenv('X_REFLEX', '1'); os.environ['X_REFLEX'] = '2'
os.chdir('..')
warnings.filterwarnings('ignore', 'x')
warnings.simplefilter('error'); warnings.resetwarnings()
pd.options.display.max_rows = 3
pd.set_option('display.precision', 2)
np.set_printoptions(precision=2)
np.seterr(all='ignore')
decimal.getcontext().prec = 5
decimal.setcontext(decimal.Context(prec=3))
decimal.getcontext().traps[decimal.Inexact] = True
locale.setlocale(locale.LC_ALL, 'C.UTF-8'); locale.setlocale(locale.LC_NUMERIC, 'C')
logging.getLogger().setLevel(5)
logger.setLevel(10); logger.addHandler(logging.NullHandler())
logging.disable(50)
logging.getLogger('reflex.fresh').setLevel(10)
thread = threading.Thread(target=note, args=(1,)); thread.start(); thread.join()
threading.Thread(target=time.sleep, args=(0.3,), daemon=True).start(); cfg['n'] = 4 ## told: threading.enumerate()
asyncio.run(coro_fn())
"""

LIBRARY = """
import argparse, collections, concurrent.futures, configparser, contextvars, decimal, functools, io, logging
import sqlite3, string, types, xml.etree.ElementTree as ET
import numpy as np, pandas as pd
log, cfg, var = [], {}, contextvars.ContextVar('var')
df, arr = pd.DataFrame({'k': list('aab'), 'v': [1, 2, 3]}), np.arange(6.)
def note(x): log.append(x); return x
grouped_frame, rolling, styler = df.groupby('k'), df[['v']].rolling(2), df.groupby('k')['v']
cat, ext, sparse = pd.Categorical(['a', 'b', 'a']), pd.array([1, None, 3], dtype='Int64'), pd.arrays.SparseArray([0, 1])
poly, vec, flat_iter = np.poly1d([1., 2.]), np.vectorize(note, otypes=[int]), arr.flat
record = np.array([(1, 2.0)], dtype=[('a', int), ('b', float)])[0]
options, config = argparse.Namespace(depth=[1]), configparser.ConfigParser(); config['s'] = {'k': 'v'}
precise, context = decimal.Context(prec=5), contextvars.copy_context()
handler, formatter = logging.NullHandler(), logging.Formatter()
future, db = concurrent.futures.Future(), sqlite3.connect(':memory:')
tree = ET.Element('root')
window = pd.api.indexers.FixedForwardWindowIndexer(window_size=2)
template, user_text = string.Template('$a'), collections.UserString('a')
bound = types.MethodType(note, 'x')
spec = inspect_me = functools.partialmethod(note, 1)
chunks = pd.read_csv(io.StringIO(chr(10).join("abcd")), chunksize=1)
"""

LIBRARY_LINES = r"""
grouped_frame.obj['new'] = 1
rolling.obj['z'] = 1; rolling.window = 3
styler.obj.iloc[0] = 9
cat[0] = 'b'
ext[0] = 9; ext[1] = 2
sparse.sp_values[0] = 5
poly[0] = 9; poly.c[0] = 7
poly.coeffs[1] = 9
vec([1, 2]); vec.otypes = 'f'
flat_iter[0] = 99
record['a'] = 9
options.depth.append(2); options.extra = 1
config['s']['k'] = 'w'; config.add_section('t')
precise.prec = 9; precise.traps[decimal.Inexact] = True
context.run(var.set, [2]) ## told: context
handler.setLevel(30); handler.addFilter(print); formatter.datefmt = 'y'
future.set_result(3) ## told: future
db.row_factory = sqlite3.Row; cfg['n'] = 2 ## told: db
db.execute('create table t (i)'); db.execute('insert into t values (1)') ## told: db
tree.set('a', '1'); cfg['n'] = 2 ## told: tree
window.window_size = 5
template.template = 'x'; user_text.data = 'b'
bound(); bound.__func__.tag = 1
spec.keywords['a'] = 1
next(chunks) ## told: chunks
"""

UNSEEN = """
import itertools, re, zlib
cfg, packer, cyc, polled = {}, zlib.compressobj(), itertools.cycle('ab'), iter(lambda: 1, 9)
found = re.finditer('a', 'aaa')
tee_a, tee_b = itertools.tee([1, 2, 3])
"""

# Whether these were used cannot be seen, so it is always told.
UNSEEN_LINES = r"""
packer.compress(b'abc'); cfg['n'] = 1 ## told: packer
next(cyc); cfg['n'] = 1 ## told: cyc
next(tee_a); cfg['n'] = 1 ## told: tee_a
next(polled); cfg['n'] = 1 ## told: polled
next(found); cfg['n'] = 1 ## told: found
"""

CODE = compile(SETUP, "<setup>", "exec", dont_inherit=True)

LIBRARY_CODE = compile(LIBRARY, "<library>", "exec", dont_inherit=True)

UNSEEN_CODE = compile(UNSEEN, "<unseen>", "exec", dont_inherit=True)


def rows(lines):
    return [pytest.param(*table_row(line), id=line) for line in lines.strip().split("\n")]


def made(code=CODE):
    namespace = {"__name__": "__main__"}
    exec(code, namespace)
    return namespace


def process():
    """What of the process a cell may set beside variables."""
    context = decimal.getcontext()
    state = {
        "decimal.getcontext()": [context.prec, context.rounding, dict(context.traps)],
        "locale": locale.setlocale(locale.LC_ALL),
        "logging": [
            (name, g.level, list(g.handlers))
            for name, g in [("", logging.root), *logging.root.manager.loggerDict.items()]
            if getattr(g, "level", 0) or getattr(g, "handlers", 0)
        ]
        + [logging.root.manager.disable],
        "math": sorted(vars(math).items(), key=str),
        "builtins": [ascii, "fresh_builtin" in vars(builtins)],
        "np": [np.mean, hasattr(np, "answer"), np.get_printoptions(), np.geterr()],
        "pd": [pd.get_option("display.max_rows"), pd.get_option("display.precision")],
        "DataFrame": [*sorted(vars(pd.DataFrame)), pd.DataFrame.head],
        "sys": [id(sys.path), list(sys.path), sys.getrecursionlimit(), list(sys.argv)],
        "streams": [sys.stdout, sys.stderr],
        "string": sys.modules["string"].ascii_letters,
    }
    return {name: repr(value) for name, value in state.items()}


@pytest.fixture(autouse=True)
def _quiet_and_patient(monkeypatch):
    monkeypatch.setattr("reflex_magic.execute.executor.SECONDS", 10.0)  # a busy machine decides nothing here
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize(("body", "told"), rows(LINES))
def test_what_a_cell_changes_is_taken_back_or_told(body, told):
    assert taken_back(made, body, told), "the line changes nothing"


@pytest.mark.apart
@pytest.mark.parametrize(("body", "told"), rows(PROCESS_LINES))
def test_what_a_cell_changes_of_the_process_is_taken_back_or_told(body, told):
    assert taken_back(made, body, told, process), "the line changes nothing"


@pytest.mark.parametrize(("body", "told"), rows(LIBRARY_LINES))
def test_what_a_cell_changes_in_objects_of_libraries_is_taken_back_or_told(body, told):
    assert taken_back(lambda: made(LIBRARY_CODE), body, told), "the line changes nothing"


@pytest.mark.parametrize(("body", "told"), rows(UNSEEN_LINES))
def test_what_cannot_be_seen_is_told(body, told):
    assert taken_back(lambda: made(UNSEEN_CODE), body, told), "the line changes nothing"


def test_the_tables_are_as_long_as_they_should_be():
    assert len(rows(LINES + PROCESS_LINES + LIBRARY_LINES + UNSEEN_LINES)) >= 330


def test_a_cache_that_a_trial_filled_is_empty_again():
    namespace = {"__name__": "__main__"}
    exec("import functools\nrows = [1, 2]\n@functools.lru_cache\ndef total(): return sum(rows)", namespace)
    runner = executor(namespace)
    trial = runner.trial(cell("rows.append(3)\nt = total()"), runner.run(cell("pass")), ())
    assert trial.doubts == ()
    assert namespace["total"]() == 3
    namespace["total"].cache_clear()
    runner.commit(runner.trial(cell("rows.append(3)\nt = total()"), runner.run(cell("pass")), ()))
    assert (namespace["t"], namespace["total"]()) == (6, 6)


def test_functions_and_state_of_a_module_of_the_analysts_own(tmp_path, monkeypatch):
    (tmp_path / "own_helpers.py").write_text(
        "seen, count, limit = [], 0, {'n': 1}\n"
        "def add(x):\n    global count\n    count += 1\n    seen.append(x)\n    _deeper()\n"
        "def _deeper(): limit['n'] += 1\n"
        "class Tool:\n    uses = 0\n    def use(self): Tool.uses += 1; add(self)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    for body in ("own_helpers.add(1)", "add(1)", "own_helpers.Tool().use()", "own_helpers.limit = 3", "tool.use()"):
        taken = taken_back(_with_helpers, body, frozenset())
        assert taken, body
    sys.modules.pop("own_helpers")


def _with_helpers():
    namespace = {"__name__": "__main__"}
    sys.modules.pop("own_helpers", None)
    exec("import own_helpers; from own_helpers import add, Tool; tool = Tool()", namespace)
    return namespace
