"""Values survive the way between processes, and no message whatever harms the reader."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from reflex_magic.execute.confine import transport
from tests.confine.data_samples import DAYS, FRAMES, PLAIN


def message(values: dict[str, object], plain: object = None) -> bytearray:
    return bytearray(b"".join(bytes(part) for part in transport.pack(values, plain)))


def there_and_back(value: object) -> object:
    values, opaque, _ = transport.unpack(memoryview(message({"value": value})))
    assert opaque == {}
    return values["value"]


@pytest.mark.parametrize("name", FRAMES)
def test_frame_comes_back_equal(name: str) -> None:
    frame = FRAMES[name]
    back = there_and_back(frame)
    pd.testing.assert_frame_equal(back, frame, check_freq=True)
    assert list(back.dtypes) == list(frame.dtypes)
    assert type(back.index) is type(frame.index)
    for column in range(frame.shape[1]):
        if frame.dtypes.iloc[column].kind == "O":
            assert list(map(repr, back.iloc[:, column])) == list(map(repr, frame.iloc[:, column]))


@pytest.mark.parametrize("name", PLAIN)
def test_plain_value_comes_back_equal(name: str) -> None:
    assert repr(there_and_back(PLAIN[name])) == repr(PLAIN[name])


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6).reshape(2, 3),
        np.arange(6, dtype=">i4")[::2],
        np.asfortranarray(np.eye(3, dtype="float16")),
        np.array(["a", "bcd"]),
        np.array([b"a"]),
        np.array(["2024-01-02", "NaT"], dtype="M8[D]"),
        np.array([1, "x", None], dtype=object),
        np.array(5.5),
        np.empty((0, 3)),
    ],
    ids=str,
)
def test_array_comes_back_equal_and_writable(array: np.ndarray) -> None:
    back = there_and_back(array)
    assert isinstance(back, np.ndarray)
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert (back == array).all() or array.dtype.kind == "M"
    assert back.flags.writeable


@pytest.mark.parametrize(
    "scalar", [np.float32(1.5), np.int8(-3), np.bool_(True), np.datetime64("2024-01-02"), np.str_("é")]
)
def test_numpy_scalar_keeps_its_type(scalar: np.generic) -> None:
    back = there_and_back(scalar)
    assert (type(back), back) == (type(scalar), scalar)


def test_series_and_index_keep_name_and_frequency() -> None:
    series = pd.Series(range(4), index=DAYS, name=("a", 1))
    series.attrs["unit"] = "EUR"
    back = there_and_back(series)
    pd.testing.assert_series_equal(back, series)
    assert (back.name, back.index.freq, back.attrs) == (("a", 1), DAYS.freq, {"unit": "EUR"})


def test_one_object_under_two_names_stays_one_object() -> None:
    frame = FRAMES["numbers"]
    values, _, _ = transport.unpack(memoryview(message({"a": frame, "b": frame, "c": {"all": [frame, frame]}})))
    assert values["a"] is values["b"]
    assert values["c"]["all"][1] is values["a"]  # type: ignore[index]


class Lying(float):
    """Equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = float.__hash__


class Subclass(pd.DataFrame):
    """A frame with behaviour of its own."""


class Hostile:
    """Fails when it is looked at."""

    def __getattribute__(self, name: str) -> object:
        raise SystemError(name)


LOOP: list[object] = []
LOOP.append(LOOP)

NOT_DATA = {
    "object": object(),
    "function": len,
    "module": pd,
    "class": Lying,
    "lying number": Lying(3),
    "subclass": Subclass({"a": [1]}),
    "objects in a column": pd.DataFrame({"a": [object()]}),
    "in a list": [1, {"a": (2, object())}],
    "loop": LOOP,
    "structured array": np.zeros(2, dtype=[("a", "i4")]),
    "masked array": np.ma.masked_array([1]),
    "sparse": pd.DataFrame({"a": pd.arrays.SparseArray([0, 1])}),
    "nested arrow": pd.DataFrame({"a": pd.array([[1], None], dtype=pd.ArrowDtype(pa.list_(pa.int64())))}),
    "huge integer": 1 << 5000,
    "too many items": list(range(transport.ITEMS + 1)),
    "generator": (i for i in range(3)),
    "hostile": Hostile(),
}


@pytest.mark.parametrize("name", NOT_DATA)
def test_what_is_not_data_is_opaque_with_a_reason(name: str) -> None:
    values, opaque, _ = transport.unpack(memoryview(message({"other": 1, "value": NOT_DATA[name]})))
    assert values == {"other": 1}
    assert opaque["value"]


def test_a_value_that_fails_halfway_leaves_nothing_behind() -> None:
    array = np.arange(3)
    values, opaque, _ = transport.unpack(memoryview(message({"a": [array, object()], "b": [array]})))
    assert list(opaque) == ["a"]
    assert (values["b"][0] == array).all()  # type: ignore[index]


def test_names_that_no_cell_makes_are_left_out() -> None:
    values, opaque, _ = transport.unpack(memoryview(message({"__builtins__": 1, "a b": 2, "": 3, "fine": 4})))
    assert (values, opaque) == ({"fine": 4}, {})


@pytest.mark.parametrize(
    "tree",
    [
        ["array", "|O", [1], 0],
        ["array", "<i8", [1 << 40], 0],
        ["array", "<i8", [-1, -1], 0],
        ["array", "<U0", [1 << 60], 0],
        ["array", "<U2", [1], 0],
        ["array", "<i8", [1], 7],
        ["list", [["array", "<i8", [1], 0], ["array", "<i8", [1], 0]]],
        ["ref", 0],
        ["def", 0, ["list", [["ref", 0]]]],
        ["arrow", ["large_string", 1 << 40, [None, 0, 0]]],
        ["arrow", ["list<item: int64>", 1, [None, 0]]],
        ["arrow", ["timestamp[ns, tz=../../etc/passwd]", 1, [None, 0]]],
        ["category", ["array", "|i1", [8], 0], ["index", ["items", []], None, None], False],
        ["datetime", "2024-01-01", ["zone", "/etc/passwd"], 0],
        ["value", 1],
        ["__class__"],
        [],
        {},
        [["list", []]],
    ],
    ids=str,
)
def test_forged_tree_is_an_opaque_value(tree: object) -> None:
    data = transport.pack({}, None)
    header = transport.json.dumps({"values": {"v": tree}, "opaque": {}, "plain": None, "buffers": [8]}).encode()
    forged = transport.struct.pack("<Q", len(header)) + header + b"\x05" * 8
    values, opaque, _ = transport.unpack(memoryview(forged))
    assert (values, list(opaque)) == ({}, ["v"])
    assert len(data) == 2


def flip(data: bytearray, r: random.Random) -> None:
    data[r.randrange(len(data))] = r.randrange(256)


def flip_digit(data: bytearray, r: random.Random) -> None:
    places = [i for i in range(8, len(data)) if chr(data[i]).isdigit()]
    data[r.choice(places)] = r.choice(b"0123456789")


def flip_a_buffer(data: bytearray, r: random.Random) -> None:
    start = 8 + int.from_bytes(data[:8], "little") % len(data)
    if start < len(data):
        data[r.randrange(start, len(data))] = r.randrange(256)


def cut(data: bytearray, r: random.Random) -> None:
    del data[r.randrange(1, len(data)) :]


def insert(data: bytearray, r: random.Random) -> None:
    place = r.randrange(len(data))
    data[place:place] = r.choice([b"9", b"[", b"null", b"-", b"1e9", b"\xff" * 8])


def swap(data: bytearray, r: random.Random) -> None:
    here, there = r.randrange(len(data)), r.randrange(len(data))
    data[here : here + 20] = data[there : there + 20]


MUTATIONS: list[Callable[[bytearray, random.Random], None]] = [flip, flip_digit, flip_a_buffer, cut, insert, swap]


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
@pytest.mark.filterwarnings("ignore")
def test_corrupted_message_never_harms(
    mutate: Callable[[bytearray, random.Random], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unpickled(*_: object, **__: object) -> None:
        pytest.fail("a message was unpickled")

    monkeypatch.setattr("pickle.loads", unpickled)
    monkeypatch.setattr("pickle.load", unpickled)
    whole = message({f"v{i}": value for i, value in enumerate([*FRAMES.values(), *PLAIN.values()])}, {"a": [1]})
    r = random.Random(mutate.__name__)
    survived = 0
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(r.choice((1, 1, 5))):
            mutate(data, r)
        try:
            values, opaque, _ = transport.unpack(memoryview(data))
        except transport.Corrupted:
            continue
        survived += 1
        assert all(isinstance(reason, str) for reason in opaque.values())
        for value in values.values():
            try:
                repr(value)
            except Exception:  # a date of the year 99999 cannot be shown; that is no harm
                continue
    assert survived or mutate in (cut, insert, flip, swap)
