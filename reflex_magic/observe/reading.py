"""Tables read from files: ``pd.read_csv(...)``, ``pd.read_excel(...)`` and the like, and ``pd.DataFrame(...)``.

Facts of kind `read`
    method, rows, names (of the columns that are looked at), then what is remarkable, by column where that makes
    sense; empty otherwise:

    codes: see `columntext.codes`, with `values` looked at. markers: see `columntext.data_marker`.
    texts: see `columntext.numbers_left`. dates: see `columntext.dates_as_text`; `asked` says that they are in a
    literal `parse_dates`. swapped: see `columntext.swapped`. thousands: values whose mark between digits was misread,
    and `values` looked at.
    mixed: columns that hold numbers and text. garbled: columns whose text was read in the wrong encoding.
    twice: columns that have the name of an earlier one, with that name and how many of the values looked at differ.
    order: the columns of `usecols` in the order they were asked for, where the frame has another.

    header: `data` the names are a record, `repeated` rows that repeat the header, `second` the first row is a second
    header, `above` a title stands above the header. total: `rows` at the end that are totals, `word` by which they
    are known, `sums` columns in which the last row is the sum of those above. within: rows in between that are
    subtotals. shifted: the first column became the index, and the last one has no values. swallowed: rows that one
    pair of quotes has made into a value. skipped: records left out as bad lines, of how many (`skipped_of`). unread:
    lines that were not read because of `nrows`. encoding: the file is written in UTF-8, and was read otherwise.
    numbering: the first column counts the rows and has no name; `alike` rows that are equal but for it.

Facts of kind `construct`
    given: columns or labels asked for. lost: the data had values, and none of them is in the result. split: pairs of
    columns whose names differ in case or blanks only, and that have values in different rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reflex_magic.observe import columntext, filetext, live
from reflex_magic.observe.filetext import Text
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind

COLUMNS = 60
"""Widest table of which each column is looked at."""

SAMPLE = 300
"""Values of a text column that are looked at, where the text of the file is not."""

SMALL = 20_000
"""Longest frame that is looked at in full where this is cheap."""

ROWS_OF_TOTAL = 5
"""Fewest rows of which the last is taken for a total without a label: 1, 2, 3 may be by chance."""

_ALWAYS = ("method", "rows", "names", "skipped_of", "encoding")
_TEXT_FILES = frozenset({"read_csv", "read_table"})
_READS = _TEXT_FILES | {
    "read_excel",
    "read_fwf",
    "read_json",
    "read_html",
    "read_sql",
    "read_sql_query",
    "read_sql_table",
}
_TOTAL = re.compile(
    r"((grand|over ?all|sub|column|net|gross)?[ -]?totals?|sum|all|totals? .{0,20}|"
    r"(end|zwischen|gesamt)?summe|gesamt|insgesamt|totale|total g[eé]n[eé]ral|somme|suma|totaal|razem|yhteensä|"
    r"итого|всего|合计|總計|总计|合計|小计|小計|계|합계|toplam)\s*:?",
    re.IGNORECASE,
)
_SUB = re.compile(
    r"^(?:sub[ -]?total|zwischensumme|小计|小計|sous[ -]total|subtotaal).{0,30}$", re.IGNORECASE | re.MULTILINE
)
_GARBLED = re.compile(
    "\ufffd|\u00c3[\u0080-\u00bf\u0152-\u0178\u2013-\u2122]|\u00c2[\u00a0-\u00bf]"
    "|\u00e2[\u0080\u20ac][\u0080-\u00bf\u0152-\u0178\u2013-\u2122]"
)
"""A replacement character, or two characters that are one in UTF-8."""
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d([ T].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


class Reading(Kind):
    """What reads a table from a file."""

    name = "read"
    methods = _READS
    functions = _READS
    arguments = filetext.NAMES | {"0", "path_or_buf", "io", "dtype", "thousands", "usecols", "parse_dates"}

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_pandas_module(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        frame = values["result"]
        if not live.is_frame(frame) or frame.empty or len(frame) > ROWS:
            return None
        if frame.columns.nlevels > 1 or not frame.columns.is_unique:
            return None
        table = _table(frame, _text(call, values, frame))
        facts: Facts = {"method": call.method, "rows": len(frame), "names": list(table.kinds)}
        facts |= _of_columns(table, call, values)
        facts |= _of_rows(table)
        facts |= _of_file(table, call, values)
        return facts if any(facts[name] for name in facts if name not in _ALWAYS) else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(sum(bool(value) for name, value in facts.items() if name not in _ALWAYS))


@dataclass(frozen=True, slots=True)
class _Table:
    """What was read. `kinds` has "number", "text", "stamp" or "" for each column that has a text as its name.

    `written` are values as they stand in the file; empty where its text cannot be told.
    """

    frame: Any
    text: Text | None
    kinds: dict[str, str]
    floats: frozenset[str]
    written: Mapping[Any, Sequence[str]]

    def of_kind(self, kind: str) -> list[str]:
        """The columns of one kind."""
        return [label for label, its in self.kinds.items() if its == kind]

    def values(self, label: str) -> Sequence[Any]:
        """Values of a text column that are not missing, from the file where that is at hand."""
        if label in self.written:
            return [v for v in self.written[label] if v and v not in columntext.MISSING]
        return [v for v in sample(self.frame[label]) if isinstance(v, str) and v.strip()]


def _table(frame: Any, text: Text | None) -> _Table:
    dtypes = dict(zip(frame.columns[:COLUMNS].tolist(), frame.dtypes.tolist()[:COLUMNS], strict=True))
    kinds = {label: _kind(dtype) for label, dtype in dtypes.items() if isinstance(label, str)}
    floats = frozenset(c for c, kind in kinds.items() if kind == "number" and dtypes[c].kind == "f")
    return _Table(frame, text, kinds, floats, text.columns() if text else {})


def _kind(dtype: Any) -> str:
    if live.is_number_dtype(dtype):
        return "number"
    if live.is_text_dtype(dtype):
        return "text"
    return "stamp" if getattr(dtype, "kind", "") == "M" else ""


class Constructing(Kind):
    """``pd.DataFrame(data, ...)`` and ``pd.Series(data, ...)``."""

    name = "construct"
    methods = frozenset({"DataFrame", "Series"})
    functions = methods
    arguments = frozenset({"0", "data", "columns", "index"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_pandas_module(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        made, data = values["result"], values.get("0", values.get("data"))
        if not (live.is_frame(made) or live.is_series(made)) or not 0 < made.size <= ROWS:
            return None
        given = [name for name in ("columns", "index") if values.get(name) is not None]
        facts = {"rows": len(made), "given": given, "lost": False, "split": []}
        if given and _had_values(data):
            first = made if live.is_series(made) else made.iloc[:, 0]
            facts["lost"] = bool(first.iloc[:5].isna().all() and not np.asarray(made.notna()).any())
        if type(data) is list and live.is_frame(made) and data and type(data[0]) is dict:
            facts["split"] = _split(made)
        return facts if facts["lost"] or facts["split"] else None

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["lost"] + len(facts["split"]))


def _had_values(data: Any) -> bool:
    """Whether pandas data, or a dict of it, held a value."""
    if type(data) is dict:
        return (
            bool(data) and all(live.is_series(v) for v in data.values()) and any(_had_values(v) for v in data.values())
        )
    return (live.is_frame(data) or live.is_series(data)) and data.size > 0 and bool(np.asarray(data.notna()).any())


def _split(made: Any) -> list[tuple[str, str]]:
    """Columns of one meaning that a difference in spelling has made two of."""
    by: dict[str, str] = {}
    found = []
    for label in made.columns[:COLUMNS]:
        if not isinstance(label, str):
            continue
        plain = re.sub(r"[\s_-]+", "", label.casefold())
        other = by.setdefault(plain, label)
        if other != label and not (made[label].notna() & made[other].notna()).any():
            found.append((other, label))
    return found


def _text(call: Call, values: Mapping[str, Any], frame: Any) -> Text | None:
    """The text of the file; None where it cannot be told."""
    if call.method not in _TEXT_FILES:
        return None
    try:
        return filetext.text_of(call.method, values, call.keywords, frame)
    except Exception:  # noqa: BLE001 - a file that is gone, or is no such text: the frame is looked at alone
        return None


def _of_columns(table: _Table, call: Call, values: Mapping[str, Any]) -> Facts:
    """What is remarkable in single columns."""
    found: Facts = {n: {} for n in ("codes", "markers", "texts", "dates", "swapped", "thousands", "twice")}
    found |= {"mixed": [], "garbled": []}
    text, frame = table.text, table.frame
    texts, numbers = table.of_kind("text"), table.of_kind("number")
    commas = any(columntext.has_decimal_comma(table.written[c]) for c in texts if c in table.written)
    thousands = values.get("thousands")
    for label in numbers:
        said = table.written.get(label, ())
        floats = label in table.floats
        if codes := columntext.codes(label, said, floats):
            found["codes"][label] = codes | {"values": len(said)}
        looked = said if thousands or floats else ()
        if number := columntext.misread_thousands(looked, thousands, commas):
            found["thousands"][label] = {"misread": number, "values": len(said)}
    for label in table.of_kind("stamp"):
        if text and label in table.written:
            stamps = frame[label].iloc[: text.aligned].tolist()
            if turned := columntext.swapped(table.written[label][: text.aligned], stamps):
                found["swapped"][label] = turned
    for label in texts:
        _of_text(found, table, label, values)
    if text and not {"na_filter", "keep_default_na"} & set(call.keywords):
        numbers_with_na = any("NA" in table.written.get(c, ()) for c in numbers)
        for label in texts:
            marker = columntext.data_marker(label, table.written.get(label, ()), text.quoted, text.head)
            if marker:
                marker["data"] = marker["data"] and not (marker["marker"] == "NA" and numbers_with_na)
                found["markers"][label] = marker
    for label in table.kinds if text and len(set(text.header)) < len(text.header) else ():
        base, _, suffix = label.rpartition(".")
        if suffix.isdigit() and base in table.kinds and text and text.header.count(base) > 1:
            pairs = zip(table.written[base], table.written[label], strict=True)
            found["twice"][label] = {"name": base, "differ": sum(one != two for one, two in pairs)}
    return found


def _of_text(found: Facts, table: _Table, label: str, values: Mapping[str, Any]) -> None:
    """What is remarkable in one text column."""
    texts = table.values(label)
    series = table.frame[label]
    if series.dtype == object and _numbers_and_digits(series):
        found["mixed"].append(label)
    together = "\n".join(texts)
    if not together.isascii() and _GARBLED.search(together):
        found["garbled"].append(label)
    asked = values.get("dtype")
    as_text = asked in (str, "str", "string") or (type(asked) is dict and asked.get(label) in (str, "str", "string"))
    if not as_text and (why := columntext.numbers_left(texts, label in table.written)):
        found["texts"][label] = why
    if why := columntext.dates_as_text(texts):
        wanted = values.get("parse_dates")
        found["dates"][label] = why | {"asked": type(wanted) is list and label in wanted}


def _numbers_and_digits(series: Any) -> bool:
    """Whether a column of objects holds numbers, and texts that are numbers."""
    looked = sample(series)
    return any(isinstance(v, str) and v.isdigit() for v in looked) and any(
        isinstance(v, int | float) and v == v for v in looked
    )


def sample(series: Any) -> list[Any]:
    """Values from the beginning, the end, and evenly between."""
    number = len(series)
    if number <= SAMPLE:
        return list(series.tolist())
    places = np.unique(np.r_[0:50, np.linspace(50, number - 51, SAMPLE - 100).astype(int), number - 50 : number])
    return list(series.iloc[places].tolist())


def _of_rows(table: _Table) -> Facts:
    """What is remarkable in the names and in the first and last rows."""
    found: Facts = {"header": {}, "total": _total(table), "within": 0, "numbering": {}}
    frame, texts = table.frame, table.of_kind("text")
    header: Facts = {"data": _names_are_data(table), "repeated": 0, "second": False, "above": False}
    header["above"] = not table.of_kind("number") and _lines_above(table.frame, list(table.kinds))
    # Each of them makes text of a column of numbers.
    if texts and len(frame) > 2 and not table.of_kind("number"):
        first = frame.iloc[:, 0].iloc[:SMALL].tolist()
        same = [i for i, v in enumerate(first) if v == frame.columns[0]]
        header["repeated"] = sum(all(str(frame[c].iloc[i]) == c for c in texts[:10]) for i in same[:50])
        header["second"] = _second_header(frame, texts)
    found["header"] = header if any(header.values()) else {}
    for label in texts[:2]:
        if not header["repeated"] and not found["within"]:
            found["within"] = len(_SUB.findall("\n".join(table.values(label))))
    if "Unnamed: 0" in table.kinds and frame.columns[0] == "Unnamed: 0" and table.kinds["Unnamed: 0"] == "number":
        first = np.asarray(frame.iloc[:, 0])
        start = first[0]
        if start in (0, 1) and first[-1] == start + len(first) - 1 and (np.diff(first[:SMALL]) == 1).all():
            alike = int(frame.iloc[:, 1:].duplicated().sum()) if len(frame) <= SMALL and frame.shape[1] > 1 else 0
            found["numbering"] = {"rows": len(frame), "alike": alike}
    return found


def _names_are_data(table: _Table) -> bool:
    """Whether the names of the columns are what the values are: the first record was taken for the header."""
    names, frame = list(table.kinds), table.frame
    if len(names) < 2 or len(names) != frame.shape[1]:
        return False
    # pandas adds ".1" to a name that is there already.
    numbers = [n for n in names if _NUMBER.fullmatch(re.sub(r"\.\d+$", "", n) if n.count(".") > 1 else n)]
    days = [n for n in names if _DAY.fullmatch(n)]
    if not (numbers or days) or any(not n.strip() for n in names):
        return False
    if set(table.of_kind("number")) != set(numbers):
        return False
    for name in days:
        if not all(isinstance(v, str) and _DAY.fullmatch(v) for v in frame[name].iloc[:5].tolist()):
            return False
    # Years, lengths or numbers of the columns go on from one to the next.
    run = [n for n in numbers if n.count(".") < 2]
    alike = len({len(n.partition(".")[2]) for n in run}) == 1
    goes_on = [float(n) for n in run] == sorted(map(float, run))
    return bool(days) or not (goes_on and (alike or len(run) > 2))


def _lines_above(frame: Any, names: list[str]) -> bool:
    """Whether a title stands where the names should be: most have none, and a later row has one in each column."""
    unnamed = sum(name.startswith("Unnamed: ") for name in names)
    if len(names) < 3 or unnamed < len(names) - 1:
        return False
    rows = frame.iloc[:10].to_numpy(dtype=object).tolist()
    return any(all(isinstance(v, str) and v.strip() for v in row) for row in rows)


def _second_header(frame: Any, texts: list[str]) -> bool:
    """Whether the first row is of units or names, where all others are numbers."""
    odd = 0
    for label in texts:
        first, *others = frame[label].iloc[:12].tolist()
        if not isinstance(first, str) or re.search(r"\d", first) or first.strip().lower() in columntext.MARKS:
            continue
        told = [v for v in others if v == v and v is not None]
        odd += len(told) >= 2 and all(type(v) in (int, float) or bool(_NUMBER.fullmatch(str(v).strip())) for v in told)
    return odd >= 2


def _total(table: _Table) -> Facts:
    """The total in the last row, if there is one."""
    frame, texts, numbers = table.frame, table.of_kind("text"), table.of_kind("number")
    rows = len(frame)
    if rows < 3 or not texts:
        return {}
    word, at = "", rows - 1
    last = _last(table, texts)
    for back, said in enumerate(last):
        if word := next((v for v in said if _TOTAL.fullmatch(v)), ""):
            at = rows - 1 - back
            break
    nameless = bool(texts) and bool(last) and not any(last[0]) and all(any(said) for said in last[1:])
    if not word and (rows < ROWS_OF_TOTAL or not nameless):
        return {}
    sums = [label for label in numbers[:8] if _ends_in_sum(np.asarray(frame[label].iloc[: at + 1], dtype=float))]
    if not sums and not (word and _only_at_the_end(frame, texts, word)):
        return {}
    return {"rows": rows - at, "word": word, "sums": sums}


def _last(table: _Table, texts: list[str]) -> list[list[str]]:
    """What the last three rows have in text columns, the last one first; "" where it is missing."""
    text = table.text
    if text and text.last:
        places = [i for i, label in enumerate(text.labels) if label in texts]
        return [[r[i].strip() for i in places if i < len(r)] for r in reversed(text.last)]
    rows = zip(*(table.frame[c].iloc[-3:].tolist() for c in texts), strict=True)
    return [[v.strip() if isinstance(v, str) else "" for v in row] for row in reversed(list(rows))]


def _ends_in_sum(values: Any) -> bool:
    """Whether the last of at least three numbers is the sum of those before."""
    last, above = values[-1], values[:-1]
    total = float(np.nansum(above))
    if last != last or not total or np.count_nonzero(above == above) < 2:
        return False
    return bool(np.isclose(last, total, rtol=1e-6, atol=0.006))


def _only_at_the_end(frame: Any, texts: list[str], word: str) -> bool:
    """Whether a word that stands in one of the last rows stands there alone."""
    return all(sum(v == word for v in sample(frame[c])) < 2 for c in texts)


def _of_file(table: _Table, call: Call, values: Mapping[str, Any]) -> Facts:
    """What is remarkable in the file beside its columns."""
    frame, text = table.frame, table.text
    found: Facts = {"shifted": {}, "swallowed": 0, "skipped": 0, "skipped_of": 0, "near": False, "unread": 0,
                    "encoding": False, "order": []}  # fmt: skip
    asked = values.get("usecols")
    if type(asked) is list and len(asked) > 1:
        order = [c for c in frame.columns if c in asked]
        if all(isinstance(c, str) for c in asked) and set(order) == set(asked) and order != asked:
            found["order"] = list(asked)
    if text is None:
        return found
    found["encoding"] = text.utf8
    if text.shifted and text.open_end and bool(frame.iloc[:, -1].isna().all()):
        found["shifted"] = {"last": str(frame.columns[-1]), "names": len(text.header)}
    if text.quoted and (text.broken or (text.lines is not None and text.lines > len(frame) + 1)):
        found["swallowed"] = _swallowed(table, text)
    if values.get("nrows") is not None:
        limit = int(values["nrows"])
        if len(frame) == limit:
            per = max(1, len(text.head)) / max(1, text.head.count("\n"))
            lines = text.lines if text.lines is not None else int(text.size / per)
            found["unread"] = max(0, lines - bool(text.header) - limit)
    elif "on_bad_lines" in call.keywords or "error_bad_lines" in call.keywords:
        found["skipped"] = text.wider
        found["skipped_of"] = text.written if text.whole else len(text.records) + text.wider
    return found


def _swallowed(table: _Table, text: Text) -> int:
    """Rows that stand in one value because a quote was left open."""
    frame, width, swallowed = table.frame, len(text.labels), 0
    numbers = [table.kinds.get(label) == "number" for label in text.labels]
    for label in table.of_kind("text"):
        if label not in text.labels:
            continue
        at = text.labels.index(label)
        for value in frame[label].tolist() if len(frame) <= SMALL else sample(frame[label]):
            if isinstance(value, str) and "\n" in value:
                lines = value.strip("\n").split("\n")
                if _are_records([line.split(text.separator) for line in lines], at, width, numbers):
                    swallowed += len(lines) - 1
    return swallowed


def _are_records(lines: list[list[str]], at: int, width: int, numbers: list[bool]) -> bool:
    """Whether the lines of a value in column `at` end one record, are whole ones, and begin another."""
    inner = lines[1:-1]
    if len(lines[0]) != width - at or len(lines[-1]) != at + 1 or any(len(fields) != width for fields in inner):
        return False
    placed = [(at + i, field) for i, field in enumerate(lines[0]) if i] + list(enumerate(lines[-1][:-1]))
    looked = [field for place, field in placed if numbers[place]]
    return all(_NUMBER.fullmatch(field.strip()) for field in looked) and bool(looked or inner)
