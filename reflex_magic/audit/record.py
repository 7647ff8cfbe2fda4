"""The record of one cell: its report as JSON, chained to the record before.

A record stands in the cell's output beside HTML and text, and travels with the saved notebook. It
is the report's dict with these keys added:

=============  ========================================================================================
versions       versions of Python and of the libraries that matter, by name
chain          the kernel session that wrote the record; each session begins a new chain
sequence       1 for the first record of its chain, then 2, 3, ...
previous       the digest of the record before, "" for the first
absent         sequence numbers of earlier records that no output shows (any more), as [first, last] pairs
cut            what was left out to keep the record small, in words
digest         SHA-256 over everything else
=============  ========================================================================================

The chain shows what was changed, removed or moved by somebody who did not compute it anew; a
removed tail does not show, and neither does a chain computed anew.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import uuid
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from reflex_magic.core.report import MIMETYPE, Report
from reflex_magic.errors import RecordError

NOTEBOOK_KEY = "reflex_magic"
"""Our key in the metadata of an audit notebook."""

MAX_BYTES = 256 * 1024
"""Largest record, as canonical JSON. A saved notebook may hold hundreds of them."""

_LIMITS = ((20_000, 400), (4_000, 100), (1_000, 40), (250, 20))
"""(characters of a text, items of a list), tried in this order until the record is small enough."""

_DEEPEST = 8
_LARGEST_INTEGER = 2**53
"""Front ends are JavaScript: a larger integer would come back from a saved notebook as another one."""

_LIBRARIES = ("reflex-magic", "pandas", "numpy", "pyarrow", "ipython")
_OWN = frozenset({"versions", "chain", "sequence", "previous", "absent", "cut", "digest"})


def make(report: Report, previous: Mapping[str, Any] | None = None, absent: Iterable[int] = ()) -> dict[str, Any]:
    """The record of `report`, chained to the record `previous` (None: it begins a chain).

    The result is plain JSON of at most `MAX_BYTES`, and stays the same when a front end written
    in another language reads and writes it.
    """
    head = {
        "versions": dict(versions()),
        "chain": previous["chain"] if previous else uuid.uuid4().hex[:12],
        "sequence": previous["sequence"] + 1 if previous else 1,
        "previous": previous["digest"] if previous else "",
        "absent": _ranges(absent),
    }
    data = report.to_dict()
    record: dict[str, Any] = {}
    for limits in _LIMITS:
        left_out: list[str] = []
        record = {**_plain(data, limits, "", left_out), **head, "cut": left_out[:20]}
        if len(canonical(record)) <= MAX_BYTES:
            break
    else:
        # Only a cell with thousands of columns comes here; what was decided is worth more than the cards.
        record |= {"cards": [], "cut": [*record["cut"], f"cards: all {len(data['cards'])} left out"]}
    record["digest"] = digest(record)
    return record


def read(record: Mapping[str, Any]) -> Report:
    """The report that a record holds.

    Raises
    ------
    RecordError
        It is no record, or one of a newer version.
    """
    try:
        return Report.from_dict(record)
    except ValueError as e:
        raise RecordError(f"the record cannot be read: {e}") from e
    except (KeyError, TypeError, AttributeError, IndexError) as e:
        raise RecordError("the record cannot be read: parts of it are missing") from e


def from_notebook(notebook: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The records that a notebook holds (nbformat 4, as a dict), in the order of its cells.

    An audit notebook holds them in its metadata, any other notebook in the outputs of its cells.
    """
    kept = notebook.get("metadata", {}).get(NOTEBOOK_KEY, {})
    if is_audit(notebook):
        return [dict(r) for r in kept.get("records", ())]
    outputs = (o for cell in notebook.get("cells", ()) for o in cell.get("outputs", ()))
    found = (o.get("data", {}).get(MIMETYPE) for o in outputs)
    return [dict(r) for r in found if isinstance(r, Mapping)]


def verify_notebook(path: str | os.PathLike[str]) -> list[str]:
    """What is wrong with the records of a saved notebook or audit notebook; see `verify`.

    Raises
    ------
    RecordError
        The file cannot be read, or holds no record.
    """
    try:
        records = from_notebook(json.loads(Path(path).read_text(encoding="utf-8")))
    except OSError as e:
        raise RecordError(f"{path} cannot be read: {e.strerror or e}") from e
    except (ValueError, AttributeError, TypeError) as e:
        raise RecordError(f"{path} is not a notebook") from e
    if not records:
        raise RecordError(f"{path} holds no record of reflex-magic")
    return verify(records)


def is_audit(notebook: object) -> bool:
    """Whether a notebook (as a dict) is an audit notebook of ours."""
    data = notebook.get("metadata") if isinstance(notebook, Mapping) else None
    kept = data.get(NOTEBOOK_KEY) if isinstance(data, Mapping) else None
    return isinstance(kept, Mapping) and kept.get("kind") == "audit"


def verify(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is wrong with these records, one line each; empty when nothing is.

    Records of several kernel sessions may stand side by side. A record whose cell was run again
    is not missed when a later record says so.
    """
    problems = []
    chains: dict[str, list[Mapping[str, Any]]] = {}
    for place, record in enumerate(records, 1):
        if not _well_formed(record):
            problems.append(f"The record at place {place} is not a record of reflex-magic.")
        else:
            chains.setdefault(record["chain"], []).append(record)
    for chain in chains.values():
        problems += _verify_chain(chain, f" of session {chain[0]['chain']}" if len(chains) > 1 else "")
    return problems


def canonical(record: Mapping[str, Any]) -> bytes:
    """One spelling for equal records: sorted keys, no spaces, ASCII, whole floats as integers."""
    return json.dumps(_whole(record), sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def digest(record: Mapping[str, Any]) -> str:
    """SHA-256 over a record without its own digest."""
    return hashlib.sha256(canonical({k: v for k, v in record.items() if k != "digest"})).hexdigest()


@cache
def versions() -> dict[str, str]:
    """The versions that a result may depend on."""
    found = {"python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _verify_chain(chain: Sequence[Mapping[str, Any]], where: str) -> list[str]:
    problems = []
    by_number: dict[int, Mapping[str, Any]] = {}
    last = 0
    for record in chain:
        number = record["sequence"]
        if not _intact(record):
            problems.append(f"Record {number}{where} was changed: its digest does not fit its content.")
        if number in by_number:
            problems.append(f"Record {number}{where} occurs more than once.")
        elif number < last:
            problems.append(f"Record {number}{where} stands after record {last}: moved, or run in another order.")
        by_number[number] = record
        last = max(last, number)
    absent = {n for r in chain for first, final in r["absent"] for n in range(first, min(final, last) + 1)}
    for number in range(1, last + 1):
        if number not in by_number:
            if number not in absent:
                problems.append(f"Record {number}{where} is missing: removed, or its cell was run again.")
            continue
        before = by_number.get(number - 1)
        wanted = before["digest"] if before else "" if number == 1 else None
        if wanted is not None and by_number[number]["previous"] != wanted:
            problems.append(f"Record {number}{where} does not follow record {number - 1}: one was put in later.")
    return problems


def _intact(record: Mapping[str, Any]) -> bool:
    try:
        return bool(digest(record) == record["digest"])
    except (ValueError, RecursionError):
        # NaN, an endless number, a nest without a bottom: nothing that `make` writes.
        return False


def _well_formed(record: object) -> bool:
    if not isinstance(record, Mapping) or not record.keys() >= _OWN:
        return False
    if not isinstance(record["sequence"], int) or not 0 < record["sequence"] < 10**6:
        return False
    pairs = record["absent"]
    return (
        isinstance(record["chain"], str)
        and isinstance(pairs, list)
        and all(isinstance(p, list) and len(p) == 2 and all(isinstance(n, int) and n > 0 for n in p) for p in pairs)
    )


def _ranges(numbers: Iterable[int]) -> list[list[int]]:
    """Numbers as [first, last] pairs: a cell that ran a thousand times in a row needs one pair."""
    found: list[list[int]] = []
    for n in sorted(numbers):
        if found and found[-1][1] == n - 1:
            found[-1][1] = n
        else:
            found.append([n, n])
    return found


def _plain(value: Any, limits: tuple[int, int], path: str, left_out: list[str], depth: int = 0) -> Any:
    """`value` as JSON within `limits`; what was cut is added to `left_out`."""
    characters, items = limits
    match value:
        case None | bool():
            return value
        case int():
            return value if abs(value) <= _LARGEST_INTEGER else str(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case str():
            # A lone surrogate cannot be written to a file as UTF-8.
            text = value.encode("utf-8", "replace").decode()
            if len(text) > characters:
                left_out.append(f"{path}: {len(text) - characters:,} characters")
                text = f"{text[:characters]}… [{len(text) - characters:,} more characters]"
            return text
        case Mapping() if depth < _DEEPEST:
            # The fields of the report itself are never left out, the entries of a finding's evidence may be.
            kept = list(value.items())[: items if "].evidence" in path else None]
            if len(kept) < len(value):
                left_out.append(f"{path}: {len(value) - len(kept):,} entries")
            return {
                str(k)[:characters]: _plain(v, limits, f"{path}.{k}"[-80:].lstrip("."), left_out, depth + 1)
                for k, v in kept
            }
        case list() | tuple() if depth < _DEEPEST:
            if len(value) > items:
                left_out.append(f"{path}: {len(value) - items:,} items")
            return [_plain(v, limits, f"{path}[{i}]", left_out, depth + 1) for i, v in enumerate(value[:items])]
        case _:
            return _plain(str(value), limits, path, left_out, depth)


def _whole(value: Any) -> Any:
    """`value` with whole floats as integers: a front end writes 1.0 as 1."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case Mapping():
            return {str(k): _whole(v) for k, v in value.items()}
        case list() | tuple():
            return [_whole(v) for v in value]
        case _:
            return value
