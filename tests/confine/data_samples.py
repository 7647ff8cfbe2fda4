"""Values that must come back from a confined child as they were."""

from __future__ import annotations

import datetime as dt
import decimal
import zoneinfo
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

DAYS = pd.date_range("2024-03-30", periods=4, freq="D")
MADRID = DAYS.tz_localize("Europe/Madrid")
NAN = float("nan")


def frame(**columns: object) -> pd.DataFrame:
    return pd.DataFrame(columns)


FRAMES: dict[str, pd.DataFrame] = {
    "numbers": frame(a=[1, 2, 3], b=[1.5, NAN, np.inf], c=[True, False, True], d=[1j, 2.0, NAN]),
    "small numbers": frame(a=np.array([1, 2], "int8"), b=np.array([1, 2], "float32"), c=np.array([1, 2], "uint16")),
    "strings": frame(a=pd.Series(["x", None, "é€𝄞"], dtype="str"), b=pd.Series(["", "b", "c"], dtype="str")),
    "nullable strings": frame(
        a=pd.Series(["x", None], dtype="string"), b=pd.Series(["x", None], dtype="string[python]")
    ),
    "object text": frame(a=pd.Series(["x", None, NAN, pd.NA, "y"], dtype=object)),
    "mixed objects": frame(a=pd.Series(["x", 1, 2.5, None, dt.date(2024, 1, 2), b"\0", True], dtype=object)),
    "no text": frame(a=pd.Series([None, NAN, 1], dtype=object)),
    "decimals": frame(a=[decimal.Decimal("1.10"), decimal.Decimal("NaN")]),
    "nullable numbers": frame(
        a=pd.array([1, None], dtype="Int64"), b=pd.array([1.5, None], dtype="Float32"), c=pd.array([True, None])
    ),
    "times": frame(
        a=DAYS, b=MADRID, c=DAYS - DAYS[0], d=[pd.NaT, *DAYS[1:]], e=DAYS.as_unit("s"), f=DAYS.tz_localize("UTC")
    ),
    "fixed offset": frame(a=DAYS.tz_localize(dt.timezone(dt.timedelta(hours=5, minutes=30)))),
    "categories": frame(
        a=pd.Categorical(["lo", "hi", None], ["lo", "mid", "hi"], ordered=True), b=pd.Categorical([3, 1, 3])
    ),
    "periods": frame(a=DAYS.to_period("M"), b=pd.interval_range(0, 4)),
    "arrow": frame(
        a=pd.array(["x", None], dtype="string[pyarrow]"),
        b=pd.array([1, None], dtype="int32[pyarrow]"),
        c=pd.array([decimal.Decimal("1.25"), None], dtype=pd.ArrowDtype(pa.decimal128(10, 2))),
        d=pd.array([True, None], dtype="bool[pyarrow]"),
        e=pd.array([DAYS[0], None], dtype=pd.ArrowDtype(pa.timestamp("us", "UTC"))),
    ),
    "arrow slice": frame(
        a=pd.array([True, None, False, True], dtype="bool[pyarrow]"), b=pd.array(list("wxyz"), dtype="string")
    )[1:3],
    "empty": pd.DataFrame(),
    "no rows": frame(a=pd.Series(dtype="int64"), b=pd.Series(dtype=object)),
    "no columns": pd.DataFrame(index=[1, 2]),
    "labels": pd.DataFrame([[1, 2], [3, 4]], columns=[("a", 1), None]),
    "same label twice": pd.DataFrame([[1, "x"], [3, "y"]], columns=["a", "a"]),
    "numbered columns": pd.DataFrame([[1, 2], [3, 4]]),
    "two levels": pd.DataFrame(
        [[1, 2], [3, 4]],
        index=pd.MultiIndex.from_tuples([("a", DAYS[0]), ("b", DAYS[1])], names=["k", None]),
        columns=pd.MultiIndex.from_product([["x"], ["p", "q"]]),
    ),
    "daily index": pd.DataFrame({"a": range(4)}, index=MADRID),
    "named index": pd.DataFrame({"a": range(3)}, index=pd.RangeIndex(1, 7, 2, name="n")),
    "categorical index": pd.DataFrame({"a": range(2)}, index=pd.CategoricalIndex(["x", "y"])),
    "text index": pd.DataFrame({"a": range(2)}, index=pd.Index(["x", None], dtype=object, name="t")),
    "sliced": pd.DataFrame({"a": range(9), "b": list("abcdefghi")})[2:7:2],
}

PLAIN: dict[str, object] = {
    "none": None,
    "numbers": [1, -(10**30), 2.5, float("inf"), 1 + 2j, True],
    "text": "é \ud800 \0 'quotes'",
    "bytes": b"\xff\x00",
    "dates": [
        dt.date(2024, 1, 2),
        dt.time(1, 2, 3),
        dt.timedelta(-1, 5, 7),
        dt.datetime(2024, 1, 2),
    ],
    "zones": [
        dt.datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=zoneinfo.ZoneInfo("Europe/Madrid")),
        dt.datetime(2024, 1, 2, tzinfo=dt.UTC),
        dt.datetime(2024, 1, 2, tzinfo=dt.timezone(dt.timedelta(hours=-3))),
    ],
    "pandas": [
        DAYS[0],
        MADRID[1],
        pd.Timestamp("2024-01-01 12:00:00.5").as_unit("ms"),
        pd.Timedelta("1h"),
        pd.Period("2024-01"),
    ],
    "missing": (pd.NaT, pd.NA),
    "interval": pd.Interval(1, 2.5, closed="left"),
    "containers": {"a": [1, (2, {3})], (1, "x"): frozenset({4}), None: {}, 2.5: range(1, 9, 2)},
    "slice": slice(1, None, 2),
    "path": Path("data") / "sales.csv",
    "decimal": decimal.Decimal("1.10"),
}
