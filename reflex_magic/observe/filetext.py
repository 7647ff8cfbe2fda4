"""What stands in a text file that pandas has read: its first line, and a sample of its records as they are written.

A file of at most `WHOLE` bytes is read again; of a longer one only its beginning, its end and a few pieces between.
Files behind an address, compressed ones, and ways of reading that are not told apart here give no text.
"""

from __future__ import annotations

import codecs
import csv
import io
import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WHOLE = 24_576
"""Longest file, in bytes, that is read again in full."""

COUNTED = 1_048_576
"""Longest file, in bytes, of which the lines are counted."""

PIECES = 4
RECORDS = 300
"""Most records that are kept."""

ALIGNED = 100
"""So many of the first records are all kept."""

_PIECE = 2_048
_HEAD = 8_192
_PACKED = (".gz", ".bz2", ".zip", ".xz", ".zst", ".tar", ".tgz")
_ONE_BYTE = ("iso8859", "cp125", "cp437", "cp850", "latin", "mac-roman", "mac_roman", "charmap")
_NOT_FOLLOWED = frozenset(
    {"chunksize", "iterator", "compression", "dialect", "escapechar", "lineterminator", "comment", "converters"}
    | {"storage_options", "delim_whitespace"}
)
"""Arguments with which the records are not told."""

NAMES = frozenset(
    {"filepath_or_buffer", "sep", "delimiter", "encoding", "header", "skiprows", "names", "quotechar", "quoting"}
    | {"skipinitialspace", "skip_blank_lines", "index_col", "skipfooter", "nrows", "doublequote"}
)
"""The arguments that decide how a file is read."""


@dataclass(frozen=True, slots=True)
class Text:
    """A sample of a file.

    `labels` are the labels of the frame for the fields of a record, in their order; None for a field that is no
    column. `records` are sampled; the first `aligned` of them are the first rows of the frame. `whole` says that the
    file was read in full; `written` is then the number of its records. `wider` are records with more fields than the
    first ones, and `last` the last three of the file. `broken` says that a value may have a line break. `lines` is
    the number of lines, without most blank ones, where it is known. `shifted` says that records have one field more
    than the first line has names, `open_end` that they end with a separator, `quoted` that the file has quotes. `utf8`
    says that it was read as one byte a character but is written in UTF-8. `head` is its beginning.
    """

    separator: str
    header: tuple[str, ...]
    labels: tuple[Any, ...]
    records: tuple[list[str], ...]
    aligned: int
    whole: bool
    written: int
    wider: int
    last: tuple[list[str], ...]
    broken: bool
    lines: int | None
    size: int
    shifted: bool
    open_end: bool
    quoted: bool
    utf8: bool
    head: str

    def columns(self) -> dict[Any, tuple[str, ...]]:
        """The values of each column of the frame as they are written."""
        placed = zip(self.labels, zip(*self.records, strict=True), strict=True)
        return {label: values for label, values in placed if label is not None}


@dataclass(frozen=True, slots=True)
class _Source:
    pieces: tuple[str, ...]
    size: int
    whole: bool
    lines: int | None
    utf8: bool


def text_of(method: str, values: Mapping[str, Any], keywords: tuple[str, ...], frame: Any) -> Text | None:
    """The text that ``pd.read_csv(...)`` or ``pd.read_table(...)`` read; None where it cannot be told.

    Parameters
    ----------
    values
        Those of the arguments in `NAMES` that were given; "0" is the file.
    frame
        What was read; the text must have its columns.
    """
    if not _NOT_FOLLOWED.isdisjoint(keywords):
        return None
    separator = values.get("sep", values.get("delimiter"))
    separator = separator or ("\t" if method == "read_table" else ",")
    skipped, header = values.get("skiprows") or 0, values.get("header", "infer")
    if type(separator) is not str or len(separator) != 1 or type(skipped) is not int:
        return None
    if header == "infer":
        header = None if values.get("names") is not None else 0
    if header is not None and type(header) is not int:
        return None
    source = _source(values.get("0", values.get("filepath_or_buffer")), values.get("encoding"))
    if source is None:
        return None
    options: dict[str, Any] = {
        "delimiter": separator,
        "quotechar": values.get("quotechar") or '"',
        "quoting": values.get("quoting") or 0,
        "doublequote": values.get("doublequote", True),
        "skipinitialspace": values.get("skipinitialspace", False),
    }
    pieces = [_piece(source, i, skipped) for i in range(len(source.pieces))]
    parsed = [_records(piece, options) for piece in pieces]
    broken = any(_lines(piece) > len(records) for piece, records in zip(pieces, parsed, strict=True) if records)
    return _assemble(source, parsed, broken, separator, header, values, frame)


def _assemble(
    source: _Source, parsed: list[list[list[str]]], broken: bool, separator: str, header: int | None,
    values: Mapping[str, Any], frame: Any,
) -> Text | None:  # fmt: skip
    first, names = parsed[0], list[str]()
    if header is not None and len(first) > header:
        names, first = first[header], first[header + 1 :]
    limit, footer = values.get("nrows"), values.get("skipfooter") or 0
    end = first if source.whole else parsed[-1]
    if footer:
        del end[-footer:]
    if limit is not None:
        first, parsed = first[:limit], parsed[:1]
        end = first if len(first) == limit else []
    if not first:
        return None
    width = max(len(names), len(first[0]))
    shifted = bool(names) and width == len(names) + 1 and "index_col" not in values
    labels = _labels(names, width, values, frame)
    if labels is None:
        return None
    head = [r if len(r) == width else r + [""] * (width - len(r)) for r in first if len(r) <= width]
    wider = len(first) - len(head)
    aligned = 0 if wider else min(len(head), len(frame), ALIGNED)
    more = head[ALIGNED:] + [record for piece in parsed[1:] for record in piece if len(record) == width]
    step = max(1.0, len(more) / (RECORDS - ALIGNED))
    kept = head[:ALIGNED] + [more[int(i * step)] for i in range(int(len(more) / step))]
    if separator + " " in source.pieces[0]:
        kept = [[field.strip() for field in record] for record in kept]
    return Text(
        separator, tuple(names), labels, tuple(kept), aligned, source.whole, len(first), wider, tuple(end[-3:]), broken,
        source.lines, source.size, shifted, all(r[-1] == "" for r in kept), '"' in source.pieces[0], source.utf8,
        source.pieces[0],
    )  # fmt: skip


def _labels(names: list[str], width: int, values: Mapping[str, Any], frame: Any) -> tuple[Any, ...] | None:
    """The frame's label of each field; None where the frame has columns that are not among them."""
    given = values.get("names")
    if given is not None:
        labels: list[Any] = list(given)
        labels = [None] * (width - len(labels)) + labels
    elif names:
        labels = _mangled(names)
        labels = [None] * (width - len(labels)) + labels
    else:
        labels = list(range(width))
    columns = set(frame.columns)
    if not columns <= set(labels) or len(labels) != width:
        return None
    return tuple(label if label in columns or label in frame.index.names else None for label in labels)


def _mangled(names: list[str]) -> list[str]:
    """The names as pandas makes them unique."""
    seen: dict[str, int] = {}
    made: list[str] = []
    for number, name in enumerate(names):
        name = name if name else f"Unnamed: {number}"
        known = seen.get(name, 0)
        seen[name] = known + 1
        made.append(f"{name}.{known}" if known else name)
    return made


def _piece(source: _Source, number: int, skipped: int) -> str:
    """One piece, without what is skipped, and without the lines that are cut off."""
    text = source.pieces[number]
    if number == 0:
        for _ in range(skipped):
            text = text.partition("\n")[2]
        return text if source.whole else text.rpartition("\n")[0]
    text = text.partition("\n")[2]
    return text if number == len(source.pieces) - 1 else text.rpartition("\n")[0]


def _records(text: str, options: Mapping[str, Any]) -> list[list[str]]:
    """The records of a piece, without blank lines."""
    return [r for r in csv.reader(io.StringIO(text, newline=""), **options) if r and not (len(r) == 1 and not r[0])]


def _source(file: Any, encoding: Any) -> _Source | None:
    """The beginning, the end and pieces of a file; None where it is no plain local file and no text in memory."""
    if type(file) is io.StringIO:
        return None if file.closed else _of_text(file)
    if type(file) is io.BytesIO:
        return None if file.closed else _of_bytes(file, len(file.getbuffer()), encoding)
    if type(file) is io.TextIOWrapper:
        encoding, file = encoding or file.encoding, file.name
    elif type(file) is io.BufferedReader:
        file = file.name
    if type(file) is str or isinstance(file, pathlib.PurePath):
        path = pathlib.Path(file).expanduser()
        if "://" in str(file) or path.suffix.lower() in _PACKED or not path.is_file():
            return None
        with path.open("rb", buffering=0) as opened:
            return _of_bytes(opened, path.stat().st_size, encoding)
    return None


def _of_text(file: io.StringIO) -> _Source:
    at = file.tell()
    try:
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        if size <= WHOLE:
            text = file.read()
            return _Source((_plain(text),), size, True, _lines(text), False)
        pieces = []
        for start, length in _places(size):
            file.seek(start)
            pieces.append(_plain(file.read(length)))
        return _Source(tuple(pieces), size, False, None, False)
    finally:
        file.seek(at)


def _of_bytes(file: Any, size: int, encoding: Any) -> _Source | None:
    at = file.tell()
    try:
        codec = codecs.lookup(encoding if isinstance(encoding, str) else "utf-8").name
        file.seek(0)
        if codec.startswith(("utf-16", "utf-32")) and size > WHOLE:
            return None
        lines = None
        if size <= COUNTED:
            data = file.read()
            raw = [data] if size <= WHOLE else [data[s : s + n] for s, n in _places(size)]
        else:
            raw = []
            for start, length in _places(size):
                file.seek(start)
                raw.append(file.read(length))
        pieces = tuple(_plain(part.decode(codec, errors="replace")) for part in raw)
        if size <= WHOLE:
            lines = _lines(pieces[0])
        elif size <= COUNTED:
            lines = data.count(b"\n") + (not data.endswith(b"\n"))
        utf8 = codec.startswith(_ONE_BYTE) and _is_utf8(raw)
        return _Source(pieces, size, size <= WHOLE, lines, utf8)
    finally:
        file.seek(at)


def _places(size: int) -> list[tuple[int, int]]:
    """Where the pieces of a long file begin and how long they are."""
    between = (size - _HEAD) // (PIECES + 1)
    return [(0, _HEAD), *((_HEAD + between * i, _PIECE) for i in range(1, PIECES + 1)), (size - _PIECE, _PIECE)]


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _lines(text: str) -> int:
    """The number of lines, not counting single blank ones."""
    return text.strip("\n").count("\n") + 1 - text.count("\n\n")


def _is_utf8(pieces: list[bytes]) -> bool:
    """Whether these bytes have characters beyond ASCII and all of them are UTF-8."""
    if all(piece.isascii() for piece in pieces):
        return False
    for piece in pieces:
        cut = piece if len(pieces) == 1 else piece[piece.find(b"\n") + 1 : piece.rfind(b"\n")]
        try:
            cut.decode("utf-8")
        except UnicodeDecodeError:
            return False
    return True
