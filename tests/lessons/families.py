"""Kinds of failure: one repair as a model made it, and other cells of the kind, with what they must become."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """Another cell of the kind. `after` is exactly how it must read; `holds` must then be true."""

    setup: str
    cell: str
    after: str
    holds: str


@dataclass(frozen=True)
class Family:
    """The failing cell that a model repaired, its repair, and the variants."""

    name: str
    setup: str
    cell: str
    repaired: str
    variants: tuple[Variant, ...]


FAMILIES = (
    Family(
        "currency",
        "ORDERS = pd.DataFrame({'AMOUNT': ['$1,299.00', '$5.50']})",
        'ORDERS["AMOUNT"] = ORDERS["AMOUNT"].astype(float)\ntotal = ORDERS["AMOUNT"].sum()',
        'ORDERS["AMOUNT"] = ORDERS["AMOUNT"].str.replace(r"[$,]", "", regex=True).astype(float)\n'
        'total = ORDERS["AMOUNT"].sum()',
        (
            Variant(
                "sales = pd.DataFrame({'net price': ['$10.00', '$2,000.00']})",
                "# the mean price\nx = 1\nmean = round( sales['net price'].astype(float).mean(), 1 )  # rounded\ny = 2",
                "# the mean price\nx = 1\nmean = round( sales['net price'].str.replace('[$,]', '', regex=True)"
                ".astype(float).mean(), 1 )  # rounded\ny = 2",
                "mean == 1005.0",
            ),
            Variant(
                "d = {'t': pd.DataFrame({'fee': ['$1.25', '$3,000.75']})}",
                "for name in d:\n    f = d[name].fee.astype(float, copy=False)\n    biggest = f.max()",
                "for name in d:\n    f = d[name].fee.str.replace('[$,]', '', regex=True).astype(float, copy=False)\n"
                "    biggest = f.max()",
                "biggest == 3000.75",
            ),
        ),
    ),
    Family(
        "feet and inches",
        "people = pd.DataFrame({'height': ['5 ft 3 in', '6 ft 0 in']})",
        "people['inches'] = people['height'].astype(float)\nmean = people['inches'].mean()",
        "people['inches'] = people['height'].str.extract(r'(\\d+) ft (\\d+) in').astype(int).mul([12, 1]).sum(axis=1)\n"
        "mean = people['inches'].mean()",
        (
            Variant(
                "doors = pd.DataFrame({'size': ['7 ft 1 in', '6 ft 10 in']})",
                "wide = doors['size'].astype(float)\nlargest = wide.max()",
                "wide = doors['size'].str.extract('(\\\\d+) ft (\\\\d+) in').astype(int).mul([12, 1]).sum(axis=1)\n"
                "largest = wide.max()",
                "largest == 85",
            ),
        ),
    ),
    Family(
        "append",
        "df = pd.DataFrame({'a': [1]})\nrow = pd.DataFrame({'a': [2]})",
        "df = df.append(row, ignore_index=True)",
        "df = pd.concat([df, row], ignore_index=True)",
        (
            Variant(
                "jan = pd.DataFrame({'n': [1, 2]}); feb = {'x': pd.DataFrame({'n': [3]})}",
                "both = jan.append(feb['x']).reset_index(drop=True)",
                "both = pd.concat([jan, feb['x']]).reset_index(drop=True)",
                "list(both.n) == [1, 2, 3]",
            ),
            Variant(
                "a = pd.DataFrame({'n': [1]})",
                "def grow(t):\n    return t.append(\n        t * 2, ignore_index=True, sort=False)\n\nb = grow(a)",
                "def grow(t):\n    return pd.concat([t, t * 2], ignore_index=True, sort=False)\n\nb = grow(a)",
                "list(b.n) == [1, 2]",
            ),
        ),
    ),
    Family(
        "day first",
        "log = pd.DataFrame({'when': ['25/12/2024', '26/12/2024']})",
        "log['when'] = pd.to_datetime(log['when'], format='%m/%d/%Y')",
        "log['when'] = pd.to_datetime(log['when'], dayfirst=True)",
        (
            Variant(
                "visits = pd.DataFrame({'Tag': ['31/01/2023', '01/02/2023']})",
                "visits = visits.assign(day=pd.to_datetime(visits.Tag, format='%m/%d/%Y'))",
                "visits = visits.assign(day=pd.to_datetime(visits.Tag, dayfirst=True))",
                "list(visits.day.dt.month) == [1, 2]",
            ),
        ),
    ),
    Family(
        "json",
        "totals = {'n': np.int64(3)}",
        "text = json.dumps(totals)",
        "text = json.dumps(totals, default=int)",
        (
            Variant(
                "counts = {'rows': np.int64(7), 'name': 'x'}",
                "out = json.dumps({'all': counts}, indent=1, sort_keys=True)\nn = len(out)",
                "out = json.dumps({'all': counts}, default=int, indent=1, sort_keys=True)\nn = len(out)",
                "json.loads(out)['all']['rows'] == 7",
            ),
        ),
    ),
    Family(
        "int with gaps",
        "d = pd.DataFrame({'n': [1.0, None]})",
        "d['n'] = d['n'].astype(int)",
        "d['n'] = d['n'].astype('Int64')",
        (
            Variant(
                "people = pd.DataFrame({'Age': [30.0, None, 41.0]})",
                "ages = people.set_index('Age').index.to_series().astype(int)",
                "ages = people.set_index('Age').index.to_series().astype('Int64')",
                "ages.sum() == 71",
            ),
        ),
    ),
    Family(
        "int of a decimal text",
        "s = '12.0'",
        "n = int(s)",
        "n = int(float(s))",
        (
            Variant(
                "rows = [{'q': '3.0'}, {'q': '4.0'}]",
                "total = sum(int(r['q']) for r in rows)",
                "total = sum(int(float(r['q'])) for r in rows)",
                "total == 7",
            ),
        ),
    ),
    Family(
        "sort mixed",
        "codes = [1, 'b', 2]",
        "ordered = sorted(codes)",
        "ordered = sorted(codes, key=str)",
        (
            Variant(
                "t = pd.DataFrame({'Zone': ['b', 3, 'a']}, dtype=object)",
                "zones = list(sorted(t['Zone'].unique(), reverse=True))",
                "zones = list(sorted(t['Zone'].unique(), key=str, reverse=True))",
                "zones == ['b', 'a', 3]",
            ),
        ),
    ),
    Family(
        "blanks in column names",
        "sales = pd.DataFrame({' amount ': [1, 2]})",
        "total = sales['amount'].sum()",
        "sales.columns = sales.columns.str.strip()\ntotal = sales['amount'].sum()",
        (
            Variant(
                "k = pd.DataFrame({'Region ': ['a', 'b'], 'v': [1, 2]})",
                "if len(k):\n    first = k['Region'].iloc[0]  # the first",
                "if len(k):\n    k.columns = k.columns.str.strip()\n    first = k['Region'].iloc[0]  # the first",
                "first == 'a'",
            ),
            Variant(
                "k = pd.DataFrame({'Region ': ['a', 'b'], 'v': [1, 2]})",
                "x = 1; first = k['Region'].iloc[0]",
                "x = 1; k.columns = k.columns.str.strip(); first = k['Region'].iloc[0]",
                "first == 'a'",
            ),
        ),
    ),
    Family(
        "merge on text and number",
        "a = pd.DataFrame({'id': [1, 2]})\nb = pd.DataFrame({'id': ['1', '2'], 'v': [5, 6]})",
        "m = pd.merge(a, b, on='id')",
        "m = pd.merge(a.astype({'id': str}), b.astype({'id': str}), on='id')",
        (
            Variant(
                "o = pd.DataFrame({'cust no': [7]})\nc = pd.DataFrame({'cust no': ['7'], 'n': ['x']})",
                "joined = pd.merge(o[['cust no']], c, on='cust no', how='left')",
                "joined = pd.merge(o[['cust no']].astype({'cust no': str}), c.astype({'cust no': str}), "
                "on='cust no', how='left')",
                "list(joined.n) == ['x']",
            ),
        ),
    ),
    Family(
        "mask with and",
        "d = pd.DataFrame({'a': [1, 2], 'b': [1, 0]})",
        "m = d[(d.a > 1) and (d.b < 2)]",
        "m = d[(d.a > 1) & (d.b < 2)]",
        (
            Variant(
                "t = pd.DataFrame({'x': [1, 5], 'ok': [True, True]})",
                "n = len(t.loc[t['x'] > 2 and t['ok']])",
                "n = len(t.loc[(t['x'] > 2) & t['ok']])",
                "n == 1",
            ),
        ),
    ),
    Family(
        "iteritems",
        "d = pd.DataFrame({'a': [1]})",
        "names = [k for k, v in d.iteritems()]",
        "names = [k for k, v in d.items()]",
        (
            Variant(
                "t = pd.DataFrame({'x': [1], 'y': [2]})",
                "found = []\nfor c, column in t[['x']].iteritems():\n    found.append(c)",
                "found = []\nfor c, column in t[['x']].items():\n    found.append(c)",
                "found == ['x']",
            ),
        ),
    ),
    Family(
        "a module that is missing",
        "v = pd.Series([1.0, 4.0])",
        "roots = math.sqrt(v.max())",
        "import math\nroots = math.sqrt(v.max())",
        (
            Variant(
                "w = [9.0]",
                "r = [math.sqrt(x) for x in w]",
                "import math\nr = [math.sqrt(x) for x in w]",
                "r == [3.0]",
            ),
        ),
    ),
    Family(
        "aware and naive",
        "t = pd.DataFrame({'at': pd.to_datetime(['2024-01-01T00:00:00Z'])})\nstart = pd.Timestamp('2023-12-31')",
        "age = t['at'] - start",
        "age = t['at'].dt.tz_localize(None) - start",
        (
            Variant(
                "calls = pd.DataFrame({'Begin': pd.to_datetime(['2024-03-01T10:00:00Z'])})\n"
                "opening = pd.Timestamp('2024-03-01')",
                "hours = (calls['Begin'] - opening).dt.total_seconds() / 3600",
                "hours = (calls['Begin'].dt.tz_localize(None) - opening).dt.total_seconds() / 3600",
                "list(hours) == [10.0]",
            ),
        ),
    ),
)
