"""Which boundaries are kept: each keeps alive what was replaced since.

What a step replaces is freed in a plain cell; a boundary before that step keeps it. The cost is
estimated from the sizes that frames and arrays tell without being read, and weighed against the
seconds that a resume would have to replay without the boundary.

Limits: what is inside of Python objects is not counted (the texts of an object column, the items of
a list), nor are the indexes of frames. Data inside of a container count as alive as long as the
container is bound. Memory that other cells or threads hold counts as freed.
"""

from __future__ import annotations

import array
import ast
import builtins
import collections
import itertools
import mmap
import sys
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from reflex_magic.execute.checkpoint import Checkpoint, Record
from reflex_magic.execute.kinds import FrameKind, TableKind, own_dict
from reflex_magic.execute.limits import available_memory

if TYPE_CHECKING:
    from reflex_magic.execute.stepper import Boundary

CAP = 512 << 20
"""So many bytes the boundaries between the first and the newest may hold together, and no more than are alive."""

MOST = 8
"""So many boundaries are kept at most, however little they hold."""

SMALL = 1 << 16
"""An object of fewer bytes is not counted."""

FEW = 1000
"""A container of fewer items is not even measured."""

PLENTY = 64 << 20
"""As long as fewer bytes are held nobody asks how much is alive or left."""

Footprint = Mapping[int, int]
"""Bytes by the identity of the memory they are in."""

_CONTAINERS = frozenset({
    list, dict, set, frozenset, tuple, str, bytes, bytearray, array.array, collections.OrderedDict,
    collections.defaultdict, collections.Counter, collections.deque,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Held:
    """What a boundary holds that the namespace does not, and the moment in seconds at which it was made."""

    footprint: Footprint
    at: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The boundaries to keep, by index, and why the first is not among them; empty when it is."""

    kept: tuple[int, ...]
    note: str = ""


def choose(boundaries: Sequence[Held], alive: int, available: int | None) -> Choice:
    """Which boundaries to keep.

    The newest always is: it holds nothing until a step replaces something, and then no more than a
    plain cell holds at that moment. The first is what a repair of the first steps needs; it goes
    only when memory is short, and all others with it. Those between go, the one first that holds
    most for each second of replay it saves, until they hold no more than `CAP`, and all together
    no more than what is alive: so a cell takes at most about twice the memory it would have taken.

    Parameters
    ----------
    boundaries
        In the order in which they were made.
    alive
        Bytes of the values that the namespace holds.
    available
        Bytes that could still be taken, less than twice what is held being short; None when not
        known: then more than `CAP` is short.
    """
    last = len(boundaries) - 1
    held = _bytes(boundaries)
    if last and (held > CAP if available is None else available < 2 * held):
        left = "" if available is None else f", {available >> 20:,} MB were left"
        note = f"memory was short (older values took {held >> 20:,} MB{left}): the state before the cell was not kept"
        return Choice((last,), note)
    kept = list(range(last + 1))
    ends = _bytes([boundaries[0], boundaries[last]])
    allowed = min(ends + CAP, max(alive, PLENTY))
    while len(kept) > 2 and (len(kept) > MOST or _bytes([boundaries[i] for i in kept]) > max(allowed, ends)):
        kept.remove(max(kept[1:-1], key=_rates(boundaries, kept).__getitem__))
    return Choice(tuple(kept))


def _bytes(boundaries: Sequence[Held]) -> int:
    """What these boundaries hold, shared memory counted once."""
    return sum({key: size for b in boundaries for key, size in b.footprint.items()}.values())


def _rates(boundaries: Sequence[Held], kept: Sequence[int]) -> dict[int, float]:
    """For each boundary between the first and the newest: its share of bytes for each second it saves."""
    holders = collections.Counter(key for i in kept for key in boundaries[i].footprint)
    rates = {}
    for before, i in itertools.pairwise(kept[:-1]):
        share = sum(size / holders[key] for key, size in boundaries[i].footprint.items())
        # One byte more, so that of those that hold nothing the one goes that saves least.
        rates[i] = (share + 1) / max(boundaries[i].at - boundaries[before].at, 1e-6)
    return rates


def thin(boundaries: MutableSequence[Boundary], namespace: Mapping[str, Any], *, first: bool) -> None:
    """Drop the boundaries that are not to be kept. What was written after one belongs to the one before it.

    Parameters
    ----------
    first
        Whether the first may go too. It then stays as a mark that says why there is nothing in it.
    """
    if len(boundaries) < 2:
        return
    choice = _choice(boundaries, namespace)
    for index in range(len(boundaries) - 2, 0, -1):
        if index not in choice.kept:
            for path, saved in boundaries[index].files.items():
                boundaries[index - 1].files.setdefault(path, saved)
            del boundaries[index]
    if choice.note and first and not boundaries[0].lost:
        bindings = boundaries[0].checkpoint.bindings
        # The names that hide a builtin are still needed, to evaluate conditions.
        hiding = {name: bindings[name] for name in bindings.keys() & vars(builtins).keys()}
        boundaries[0] = replace(boundaries[0], checkpoint=Checkpoint(hiding), lost=choice.note, heavy=None)


def is_short(boundaries: Sequence[Boundary], namespace: Mapping[str, Any]) -> bool:
    """Whether what the boundaries hold should be freed now."""
    return bool(_choice([*boundaries, *boundaries[-1:]], namespace).note)


def frees(node: ast.stmt) -> bool:
    """Whether this step is there to free memory: ``del name``, ``name = None``."""
    return isinstance(node, ast.Delete) or (
        isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is None
    )


def _choice(boundaries: Sequence[Boundary], namespace: Mapping[str, Any]) -> Choice:
    alive = {key: size for value in list(namespace.values()) for key, size in memory(value)}
    held = weigh(boundaries, namespace, alive)
    return choose(held, sum(alive.values()), available_memory() if _bytes(held) > PLENTY else None)


def weigh(boundaries: Sequence[Boundary], namespace: Mapping[str, Any], alive: Footprint) -> list[Held]:
    """What each boundary holds that is not alive in the namespace."""
    bound = set(map(id, list(namespace.values())))
    inside: set[int] = set()
    for boundary in boundaries:
        if boundary.heavy is None:
            boundary.heavy = _heavy(boundary.checkpoint)
        bindings = boundary.checkpoint.bindings
        for record, _ in boundary.heavy:
            container = bindings.get(record.root)
            if container is not record.thing and container is namespace.get(record.root):
                inside.update(key for key, _ in memory(record.thing))
    found = []
    for boundary in boundaries:
        gone = (v for v in boundary.checkpoint.bindings.values() if id(v) not in bound)
        footprint = {key: size for value in gone for key, size in memory(value)}
        for _, saved in boundary.heavy or ():
            footprint.update(saved)
        left = {key: size for key, size in footprint.items() if key not in alive and key not in inside}
        found.append(Held(left, boundary.at))
    return found


def _heavy(checkpoint: Checkpoint) -> list[tuple[Record, Footprint]]:
    """The records whose saved content takes memory, which they do as long as the checkpoint is kept."""
    found: list[tuple[Record, Footprint]] = []
    for record in checkpoint.records.values():
        content = _content(record)
        if type(content) in _CONTAINERS and len(content) < FEW:  # most records; there may be many
            continue
        saved = dict(memory(content))
        if saved:
            found.append((record, saved))
    return found


def _content(record: Record) -> Any:
    if isinstance(record.kind, FrameKind):
        return record.saved[0]
    return record.thing if isinstance(record.kind, TableKind) else record.saved  # a clone shares the memory


def memory(thing: Any) -> Iterator[tuple[int, int]]:
    """The memory a value takes: its identity, which is that of its owner, and its bytes.

    Nothing of the analyst's is run, and nothing is read: O(1), or O(blocks) for a frame.
    """
    found = [(id(thing), sys.getsizeof(thing))] if type(thing) in _CONTAINERS else _of_library(thing)
    return ((key, size) for key, size in found if size >= SMALL)


def _of_library(thing: Any) -> list[tuple[int, int]]:
    np, pd = sys.modules.get("numpy"), sys.modules.get("pandas")
    if np is not None and isinstance(thing, np.ndarray):
        return [_owner(thing, np)]
    if pd is not None and issubclass(type(thing), (pd.DataFrame, pd.Series)):
        manager = (own_dict(thing) or {}).get("_mgr")
        return [part for block in getattr(manager, "blocks", ()) for part in _of_values(block.values, np)]
    if pd is not None and issubclass(type(thing), pd.api.extensions.ExtensionArray):
        return _of_values(thing, np)
    library = type(thing).__module__.partition(".")[0]
    if library == "polars" and hasattr(type(thing), "estimated_size"):
        return [(id(thing), int(thing.estimated_size()))]
    if library == "pyarrow" and hasattr(type(thing), "nbytes"):
        return [(id(thing), int(thing.nbytes))]
    return []


def _of_values(values: Any, np: Any) -> list[tuple[int, int]]:
    """The memory of one block: an array, or a pandas array around arrays, which shallow copies share."""
    if isinstance(values, np.ndarray):
        return [_owner(values, np)]
    if hasattr(values, "_pa_array"):
        return [(id(values._pa_array), int(values._pa_array.nbytes))]
    parts: list[Any] = [getattr(values, name, None) for name in ("_ndarray", "_mask")]
    if parts[0] is None:
        parts.append(getattr(values, "_data", None))
    return [_owner(part, np) for part in parts if isinstance(part, np.ndarray)]


def _owner(values: Any, np: Any) -> tuple[int, int]:
    """The array whose memory this one is a view of. A mapped file takes no memory that could be freed."""
    while isinstance(values.base, np.ndarray):
        values = values.base
    if isinstance(values.base, mmap.mmap):
        return id(values), 0
    return id(values if values.base is None else values.base), values.nbytes
