"""Small programs as analysts write them, made up by hypothesis. More than one in three fails somewhere."""

from __future__ import annotations

from hypothesis import strategies as st

BEGIN = """\
import sys
import pandas as pd
df = pd.DataFrame({"a": [3, 1, 2, 1], "k": ["x", "y", None, "x"], "t": ["1", "2.5", "$3", ""]})
n = 2
"""

COLUMNS = st.sampled_from(["a", "a", "a", "k", "t", "A", "missing"])
NUMBERS = st.integers(-3, 4).map(str)
NAMES = st.sampled_from(["n", "m", "total", "größe"])

FRAMES = st.one_of(
    st.builds("df[df['{}'] > {}]".format, COLUMNS, NUMBERS),
    st.builds("df.groupby('{}')['{}'].sum()".format, COLUMNS, COLUMNS),
    st.builds("df.sort_values('{}').head({})".format, COLUMNS, NUMBERS),
    st.builds("df.merge(df, on='{}', how='left')".format, COLUMNS),
    st.builds("df['{}'].astype(float)".format, COLUMNS),
    st.builds("df.assign(b=lambda d: d['{}'] * {})".format, COLUMNS, NUMBERS),
    st.builds("df['{}'].map({{1: 'one', 'x': {}}})".format, COLUMNS, NUMBERS),
    st.builds("df['{}'].apply(lambda v: v + {})".format, COLUMNS, NUMBERS),
    st.builds("df.pivot_table(index='k', values='{}')".format, COLUMNS),
    st.just("df.isna().sum()"),
    st.just("df.describe()"),
)

VALUES = st.one_of(
    NUMBERS,
    NAMES,
    FRAMES,
    st.builds("{} / {}".format, NUMBERS, NUMBERS),
    st.builds("[i * {} for i in range(3)]".format, NUMBERS),
    st.builds("{{i: str(i) for i in range(3)}}[{}]".format, NUMBERS),
    st.builds("(lambda x: x - {})(n)".format, NUMBERS),
    st.builds("f'{{n:>{}}}|{{df.shape}}'".format, st.integers(1, 5)),
    st.builds("sum(x for x in range({}))".format, NUMBERS),
    st.builds("int('{}')".format, st.sampled_from(["7", "x"])),
    st.just("None"),
    st.just("'text;'"),
    st.just("pd.Timestamp('2024-02-29')"),
)

SIMPLE = st.one_of(
    st.builds("print({})".format, VALUES),
    st.builds("print({}, file=sys.stderr, flush=True)".format, VALUES),
    st.builds("print('part', end='', flush={})".format, st.booleans()),
    st.builds("display({})".format, VALUES),
    st.builds("{} = {}".format, NAMES, VALUES),
    st.builds("{} = {}; {}".format, NAMES, VALUES, VALUES),
    st.builds("df['{}'] = {}".format, COLUMNS, VALUES),
    st.builds("df.loc[df['a'] > {}, '{}'] = {}".format, NUMBERS, COLUMNS, VALUES),
    st.builds("df = {}".format, FRAMES),
    st.builds("df.drop(columns='{}', inplace=True)".format, COLUMNS),
    st.builds("del {}".format, NAMES),
    st.builds("n += {}".format, VALUES),
    st.builds("assert {} == {}, 'apart'".format, VALUES, VALUES),
    st.builds("assert df['{}'].notna().all()".format, COLUMNS),
    st.builds("(m := {})".format, VALUES),
    st.builds("raise {}({})".format, st.sampled_from(["ValueError", "KeyError", "SystemExit"]), VALUES),
    st.builds("import warnings; warnings.warn(str({}))".format, NUMBERS),
    st.builds("import random; print(random.random() < {})".format, NUMBERS),
    VALUES,
    st.just("pass"),
)

SHELL = st.sampled_from(
    ["!echo from the shell", "lines = !echo kept", "%precision 3", "%who_ls int", "await asyncio.sleep(0)"]
)


HEADS = st.sampled_from(
    [
        "for i in range(2):",
        "if n:",
        "if not n:",
        "while n and n > 0:\n    n -= 1",
        "with __import__('contextlib').suppress(KeyError):",
        "class Part:",
        "match n:\n  case 2:",
    ]
)


@st.composite
def blocks(draw: st.DrawFn) -> str:
    """A compound statement."""
    body = draw(st.lists(SIMPLE, min_size=1, max_size=2))
    pad = draw(st.sampled_from(["    ", "  ", "\t"]))
    kind = draw(st.integers(0, 4))
    inner = "\n".join(pad + line for line in body)
    if kind == 0:
        name = draw(st.sampled_from(["f", "g"]))
        call = draw(st.sampled_from([f"{name}(n)", f"print({name}(1))", f"{name}", f"x = {name}(2); x"]))
        return f"def {name}(p):\n{pad}global m\n{inner}\n{pad}return p\n{call}"
    if kind == 1:
        caught = f"except (ValueError, KeyError) as e:\n{pad}print(type(e).__name__)"
        return f"try:\n{inner}\n{caught}\nfinally:\n{pad}print('end')"
    head = draw(HEADS)
    if head.startswith(("while", "match")):
        first, _, second = head.partition("\n")
        more = "    " if head.startswith("while") else "      "
        return "\n".join([first, second, *(more + line for line in body)])
    return f"{head}\n{inner}"


@st.composite
def cells(draw: st.DrawFn) -> str:
    """A cell."""
    parts = draw(st.lists(st.one_of(SIMPLE, SIMPLE, blocks(), SHELL), min_size=1, max_size=4))
    gaps = draw(st.lists(st.sampled_from(["", "", "\n", "# a remark\n", "\n\n# größer\n"]), min_size=5, max_size=5))
    end = draw(st.sampled_from(["", "", ";", "  # last", ";  # quiet", "\n\n"]))
    body = "\n".join(gap + part for gap, part in zip(gaps, parts, strict=False)) + end
    begin = BEGIN.replace("import sys", "import asyncio, sys") if "await" in body else BEGIN
    return draw(st.sampled_from(["", "", "\n", "# what it is for\n"])) + begin + body
