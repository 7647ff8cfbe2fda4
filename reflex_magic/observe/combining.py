"""Tables put under each other, put beside each other, and matched by the nearest key.

Facts of kind `concat`, of ``pd.concat`` along the rows
    parts: how many frames. rows: of each. columns: of each. renamed: pairs of column names of which each part
    has one, and which differ in case, blanks or underscores only. replaced: pairs of column names, numeric
    alike and in the same place, that are the only difference between the first part that differs and the
    part before it. mixed: columns with numbers in one part and numbers written as text in another. repeated: rows whose
    number stands in an earlier row, where no part has one twice. again: parts whose rows stand in the
    part just before, or that are an earlier part itself. ignore_index: as written.

Facts of kind `beside`, of ``join``, ``merge`` and ``pd.concat`` of rows by their index
    numbered: no side has another index than row numbers. rows: of each side. shared: columns with the same
    name on two sides. marks: for each side, the columns that may be a key, with one number for each of the first
    `HEAD` rows; equal where the values are.

Facts of kind `select`, of ``frame[[columns]]``
    rows, and marks of the columns that were left out: as above. Only in a cell that puts tables beside each other.

Facts of kind `asof`, of ``pd.merge_asof``
    left_rows, right_rows, unmatched. by: whether it was written. tolerance: likewise. apart: the two sides' keys do
    not overlap. shared: other columns with the same name on both sides that may say whose row it is, with the
    number of rows that met and differ in it. far: rows that met a row more than `FAR` steps away, where the
    steps of the right table are even. gaps: numeric columns of the right table that are missing in rows that met none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from reflex_magic.observe import live
from reflex_magic.observe.keys import are_whole, fold, is_numbered, sample
from reflex_magic.observe.kind import ROWS, Call, Facts, Kind

COLUMNS = 20
"""Columns of a frame that are compared with those of another."""

LABELS = 20_000
"""Longest result of `concat` whose labels are compared with each other."""

PARTS = 50
"""Frames put under each other that are compared."""

FAR = 10
"""So many steps of an even table away, a match is no neighbour any more."""

_KEY = re.compile(r"(^|[_\W])(id|key|no|nr|code)$|id$", re.IGNORECASE)
_NO_KEY = re.compile("status|side|type|kind|flag|note|comment|remark|unit|source|level|version", re.IGNORECASE)
"""Names of columns that many tables have, and that tell nothing about whose rows they are."""

_BESIDE = re.compile(r"\b(join|concat)\b")

HEAD = 250
"""First rows that marks are made of."""


class Stacking(Kind):
    """``pd.concat`` along the rows."""

    name = "concat"
    methods = frozenset({"concat"})
    functions = frozenset({"concat"})
    arguments = frozenset({"0", "objs", "axis", "ignore_index", "join", "keys", "1"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_pandas_module(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        parts = _parts(values)
        if parts is None or _axis(values) != 0 or not live.is_frame(values["result"]):
            return None
        out, shown = values["result"], parts[:PARTS]
        names = [[c for c in p.columns[:COLUMNS] if type(c) is str] for p in shown]
        filled = [(p, n) for p, n in zip(shown, names, strict=True) if len(p)]
        ignore = bool(values.get("ignore_index", False))
        return {
            "parts": len(parts),
            "rows": tuple(len(p) for p in shown),
            "columns": tuple(map(len, names)),
            "renamed": _renamed([n for _, n in filled]),
            "replaced": _replaced(filled),
            "mixed": _mixed([p for p, _ in filled]),
            "repeated": _repeated(parts, out) if not ignore and "keys" not in values else 0,
            "again": _again(shown),
            "ignore_index": ignore,
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(len(facts["renamed"]) + len(facts["mixed"]) + facts["again"])


class Beside(Kind):
    """Rows put beside each other by their index."""

    name = "beside"
    methods = frozenset({"join", "merge", "concat"})
    functions = frozenset({"concat"})
    arguments = frozenset({"0", "other", "right", "objs", "on", "axis", "left_index", "right_index", "1"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver) or live.is_pandas_module(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        sides = _sides(call, values)
        if sides is None or not all(is_numbered(s.index) for s in sides) or len(sides) > PARTS:
            return None
        frames = [s.to_frame() if live.is_series(s) else s for s in sides]
        marked = [marks(f) for f in frames]
        shared = [c for c in marked[0] if any(c in m for m in marked[1:])]
        return {
            "rows": tuple(map(len, frames)),
            "shared": tuple(shared),
            "marks": tuple(marked),
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(len(facts["shared"]))


class Selecting(Kind):
    """``frame[[columns]]``."""

    name = "select"
    operators = frozenset({"[]"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_frame(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        frame, wanted = values["receiver"], values.get("0")
        if type(wanted) is not list or not is_numbered(frame.index) or not _BESIDE.search(call.cell.body):
            return None
        return {"rows": len(frame), "marks": marks(frame, [c for c in wanted if type(c) is str])}

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return 0.0


class AsOf(Kind):
    """``pd.merge_asof``."""

    name = "asof"
    methods = frozenset({"merge_asof"})
    functions = frozenset({"merge_asof"})
    arguments = frozenset({"0", "1", "2", "left", "right", "on", "left_on", "right_on", "by", "left_by", "suffixes"})

    def accepts(self, receiver: Any) -> bool:  # noqa: D102
        return live.is_pandas_module(receiver)

    def facts(self, call: Call, values: Mapping[str, Any]) -> Facts | None:  # noqa: D102
        left, right = values.get("0", values.get("left")), values.get("1", values.get("right"))
        out, on = values["result"], values.get("2", values.get("on"))
        names = (values.get("left_on", on), values.get("right_on", on))
        if not (live.is_frame(left) and live.is_frame(right) and live.is_frame(out)) or len(left) > ROWS:
            return None
        if not all(type(name) is str for name in names) or not len(left) or not len(right):
            return None
        mine, theirs = left[names[0]], right[names[1]]
        by = values.get("by", values.get("left_by"))
        used = {*names, *([by] if isinstance(by, str) else list(by or ()))}
        shared = [c for c in left.columns if c in right.columns and c not in used][:COLUMNS]
        alone = [c for c in right.columns if c not in left.columns and right[c].notna().all()]
        return {
            "left_rows": len(left),
            "right_rows": len(right),
            "unmatched": int(out[alone[0]].isna().sum()) if alone else 0,
            "by": by is not None,
            "tolerance": "tolerance" in call.keywords,
            "apart": len(right) > 1 and bool(mine.iloc[0] > theirs.iloc[-1] or mine.iloc[-1] < theirs.iloc[0]),
            "shared": _met_apart(right, out, shared, values.get("suffixes", ("_x", "_y"))),
            "far": _far(mine, theirs) if by is None else 0,
            "gaps": tuple(c for c in alone if live.is_number_dtype(right.dtypes[c])),
        }

    def telling(self, facts: Facts) -> float:  # noqa: D102
        return float(facts["apart"] + facts["far"] + len(facts["shared"]))


def marks(frame: Any, but: Collection[str] = ()) -> dict[str, tuple[int, ...]]:
    """The columns that may be a key (texts, dates, whole numbers), with a number for each of the first rows."""
    found: dict[str, tuple[int, ...]] = {}
    if not frame.columns.is_unique:
        return found
    for label, dtype in zip(frame.columns[:COLUMNS], frame.dtypes.tolist()[:COLUMNS], strict=True):
        if type(label) is str and label not in but and getattr(dtype, "kind", "O") in "iuOM":
            try:
                found[label] = tuple(hash((label, value)) for value in frame[label].head(HEAD).tolist())
            except TypeError:  # lists and the like
                continue
    return found


def _parts(values: Mapping[str, Any]) -> list[Any] | None:
    objects = values.get("0", values.get("objs"))
    if type(objects) is dict:
        objects = list(objects.values())
    if type(objects) not in (list, tuple) or len(objects) < 2:
        return None
    return list(objects) if all(live.is_frame(p) for p in objects) else None


def _axis(values: Mapping[str, Any]) -> int:
    return 1 if values.get("axis", 0) in (1, "columns") else 0


def _sides(call: Call, values: Mapping[str, Any]) -> list[Any] | None:
    """What is put beside each other by its index; None where there is another key."""
    if call.method == "concat":
        if not live.is_pandas_module(values["receiver"]) or _axis(values) != 1 or "keys" in call.keywords:
            return None
        objects = values.get("0", values.get("objs"))
        sides = list(objects) if type(objects) in (list, tuple) else []
    elif not live.is_frame(values["receiver"]):
        return None
    elif call.method == "join":
        if "on" in call.keywords or "1" in values:
            return None
        sides = [values["receiver"], values.get("0", values.get("other"))]
    else:
        if values.get("left_index") is not True or values.get("right_index") is not True:
            return None
        sides = [values["receiver"], values.get("0", values.get("right"))]
    return sides if len(sides) > 1 and all(live.is_frame(s) or live.is_series(s) for s in sides) else None


def _renamed(names: list[list[str]]) -> tuple[tuple[str, str], ...]:
    """Columns that are one to a person: no part has both, and each is missing where the other is there."""
    spelled: dict[str, dict[str, None]] = {}
    for part in names:
        for name in part:
            spelled.setdefault(fold(name.replace("_", " ")), {})[name] = None
    found = []
    for variants in spelled.values():
        for a, b in pairwise(variants):
            if not any(a in part and b in part for part in names):
                found.append((a, b))
    return tuple(found)


def _replaced(parts: list[tuple[Any, list[str]]]) -> tuple[tuple[str, str], ...]:
    """A numeric column in whose place a later part has one of another name, everything else being the same."""
    for (before, old), (after, new) in pairwise(parts):
        if len(old) != len(new) or len(old) < 2 or old == new:
            continue
        gone, come = [c for c in old if c not in new], [c for c in new if c not in old]
        if len(gone) == len(come) == 1 and old.index(gone[0]) == new.index(come[0]):
            kinds = (before.dtypes.get(gone[0]), after.dtypes.get(come[0]))
            if all(live.is_number_dtype(k) for k in kinds):
                return ((gone[0], come[0]),)
    return ()


def _mixed(parts: list[Any]) -> tuple[str, ...]:
    """Columns with numbers in one part, and numbers written as text in another."""
    dtypes: dict[Any, list[tuple[Any, Any]]] = {}
    for part in (p for p in parts if p.columns.is_unique):
        for label, dtype in zip(part.columns[:COLUMNS], part.dtypes.tolist()[:COLUMNS], strict=True):
            dtypes.setdefault(label, []).append((dtype, part))
    found = []
    for label, held in dtypes.items():
        if len({dtype for dtype, _ in held}) > 1 and any(live.is_number_dtype(dtype) for dtype, _ in held):
            texts = [part[label] for dtype, part in held if live.is_text_dtype(dtype)]
            if any(map(_are_numbers, texts)):
                found.append(str(label))
    return tuple(found)


def _are_numbers(texts: Any) -> bool:
    """Whether most of these texts are numbers."""
    there = [v for v in sample(texts).tolist() if isinstance(v, str) and v.strip()]
    plain = [v.strip().replace(",", "").lstrip("-+$€£ ") for v in there]
    return bool(there) and 2 * sum(v.replace(".", "", 1).isdecimal() for v in plain) > len(there)


def _repeated(parts: list[Any], out: Any) -> int:
    """Rows whose number stands in an earlier row; an index that has a name, or texts, is a key and may repeat."""
    if all(is_numbered(p.index) for p in parts):
        return len(out) - max(map(len, parts))
    index = out.index
    if len(out) > LABELS or index.nlevels > 1 or index.dtype.kind not in "iu" or index.name is not None:
        return 0
    return int(index.duplicated().sum()) if all(p.index.is_unique for p in parts) else 0


def _again(parts: list[Any]) -> int:
    """Parts that are an earlier part itself, or whose rows are the last ones of the part before."""
    first = {id(p) for p in parts}
    found = len(parts) - len(first)
    for before, part in pairwise(parts):
        if before is part or len(part) < 2 or len(before) < len(part) or part.shape[1] < 2:
            continue
        if list(before.columns) != list(part.columns):
            continue
        # most parts differ in the first or last row, which is the fastest to see
        ends = (
            (before.iat[len(before) - len(part) + i, c], part.iat[i, c]) for i in (0, len(part) - 1) for c in (0, 1)
        )
        if all(a == b for a, b in ends):
            found += before.tail(len(part)).reset_index(drop=True).equals(part.reset_index(drop=True))
    return int(found)


def _met_apart(right: Any, out: Any, shared: list[str], suffixes: Any) -> dict[str, int]:
    """Text columns on both sides in which rows met that differ, although the right side has the left one's values."""
    found = {}
    for name in shared:
        mine, theirs = f"{name}{suffixes[0] or ''}", f"{name}{suffixes[1] or ''}"
        if mine not in out.columns or theirs not in out.columns or not _may_be_key(name, right[name]):
            continue
        pairs = list(zip(sample(out[mine]).tolist(), sample(out[theirs]).tolist(), strict=True))
        known = set(right[name].unique().tolist())
        if len(known) > 1 and all(value in known for value, _ in pairs):
            differ = sum(a != b for a, b in pairs if isinstance(b, (str, int)))
            if differ:
                found[name] = differ
    return found


def _may_be_key(name: str, values: Any) -> bool:
    """Whether rows of a table belong to different things by this column: a text, or a number by name."""
    if _NO_KEY.search(name):
        return False
    return live.is_text_dtype(values.dtype) or (are_whole(values) and bool(_KEY.search(name)) and not values.is_unique)


def _far(mine: Any, theirs: Any) -> int:
    """Rows further than `FAR` steps after a row of an evenly spaced table."""
    if len(theirs) < FAR // 2:
        return 0
    keys = theirs.to_numpy()
    steps = np.diff(sample(theirs).to_numpy()) if len(theirs) <= 1_000 else np.diff(keys[:1_000])
    step: Any = np.median(steps)
    if not step > step * 0 or (np.abs(steps - step) <= 0.01 * step).mean() < 0.7:
        return 0
    own = sample(mine).to_numpy()
    at: Any = np.searchsorted(keys, own, side="right") - 1
    gaps = own[at >= 0] - keys[at[at >= 0]]
    return int((gaps > FAR * step).sum())
