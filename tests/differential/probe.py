"""Loaded into both kernels: what is left after a cell, deep and in plain data, and a fresh start for the next.

`state` describes everything a later cell could tell the difference by; `fresh` makes the kernel as it was at
its start. Nothing here knows of the package under test.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import gc
import hashlib
import inspect
import json
import linecache
import logging
import os
import random
import re
import signal
import sys
import threading
import types
import warnings
import weakref
from pathlib import Path
from typing import Any

from IPython import get_ipython

DEEPEST = 7
CELL = re.compile(r"(/[^\s'\"]*?)?ipykernel_\d+/\d+\.py|<ipython-input-[\w-]+>")
HIDDEN = {"_", "__", "___", "_i", "_ii", "_iii", "_ih", "_oh", "_dh", "In", "Out", "_exit_code"}

_events: list[Any] = []
_start: dict[str, Any] = {}


# -- values --------------------------------------------------------------------------------------------


class Look:
    """One look at many values; an object met twice is the number of its first meeting, so aliases show."""

    def __init__(self) -> None:
        self._met: dict[int, int] = {}
        self._kept: list[Any] = []

    def at(self, value: Any, depth: int = 0) -> Any:
        """`value` as nested lists of text."""
        kind = type(value)
        if value is None or kind in (bool, int, float, complex, bytes, type(...)):
            return repr(value)
        if kind is str:
            return repr(value)
        if id(value) in self._met:
            return f"<{self._met[id(value)]}>"
        self._met[id(value)] = len(self._met)
        self._kept.append(value)
        if depth > DEEPEST:
            return f"{kind.__name__} ..."
        try:
            return [kind.__qualname__, *self._inside(value, kind, depth + 1)]
        except Exception as error:
            return [kind.__qualname__, f"cannot be looked at: {type(error).__name__}"]

    def _inside(self, value: Any, kind: type, depth: int) -> list[Any]:
        def at(part: Any) -> Any:
            return self.at(part, depth)

        def pairs(mapping: Any) -> list[Any]:
            return [[at(k), at(v)] for k, v in list(mapping.items())]

        module = kind.__module__.partition(".")[0]
        match value:
            case list() | tuple():
                return [at(v) for v in list.__iter__(value)] if isinstance(value, list) else [at(v) for v in value]
            case set() | frozenset():
                return sorted(repr(Look().at(v)) for v in value)
            case dict() if "version" in value and all(isinstance(k, (str, tuple)) for k in value):
                return pairs({k: v for k, v in value.items() if k != "version"})  # of warnings
            case dict():
                return [*pairs(value), *([at(vars(value))] if hasattr(value, "__dict__") else [])]
            case types.FunctionType():
                cells = [at(c.cell_contents) if _full(c) else "empty" for c in value.__closure__ or ()]
                own = {k: v for k, v in vars(value).items() if k != "__wrapped__"}
                return [
                    value.__qualname__, value.__module__, at(value.__code__), at(value.__defaults__),
                    at(value.__kwdefaults__), cells, pairs(own), at(value.__doc__),
                    repr(dict(vars(value).get("__annotations__") or value.__annotations__)),
                    value.__globals__ is get_ipython().user_ns,
                ]  # fmt: skip
            case types.CodeType():
                return [
                    value.co_name, value.co_qualname, value.co_firstlineno, value.co_flags, value.co_code.hex(),
                    value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars,
                    [at(c) for c in value.co_consts], list(value.co_positions()), scrub(value.co_filename),
                ]  # fmt: skip
            case types.ModuleType():
                return [value.__name__]
            case type():
                if value.__module__ != "__main__":
                    return [value.__module__, value.__qualname__]
                skipped = {"__dict__", "__weakref__"}
                own = {k: v for k, v in vars(value).items() if k not in skipped}
                return [value.__qualname__, [b.__qualname__ for b in value.__mro__], pairs(own)]
            case types.MethodType():
                return [at(value.__func__), at(value.__self__)]
            case staticmethod() | classmethod():
                return [at(value.__func__)]
            case property():
                return [at(value.fget), at(value.fset), at(value.fdel)]
            case types.GeneratorType():
                return [at(value.gi_code), value.gi_frame and value.gi_frame.f_lineno]
            case types.CoroutineType():
                return [at(value.cr_code), inspect.getcoroutinestate(value)]
            case types.FrameType():
                return [scrub(value.f_code.co_filename), value.f_code.co_name]
            case types.TracebackType():
                return trace(value)
            case BaseException():
                return [
                    at(value.args), trace(value.__traceback__), at(value.__cause__), at(value.__context__),
                    value.__suppress_context__, pairs(vars(value)),
                ]  # fmt: skip
            case weakref.ref():
                return [at(value())]
        if module == "pandas":
            return self._pandas(value, at)
        if module == "numpy" and hasattr(value, "tolist"):
            flags = getattr(value, "flags", None)
            return [str(value.dtype), value.shape, at(value.tolist()), flags is not None and flags.writeable]
        if module in ("IPython", "ipykernel", "matplotlib", "zmq", "threading", "logging", "tqdm"):
            return []
        said = scrub(repr(value))
        slots = [n for c in kind.__mro__ for n in _slots(c)]
        held = {n: getattr(value, n) for n in slots if hasattr(value, n)} if module == "__main__" else {}
        return [said, pairs(getattr(value, "__dict__", {})) if module == "__main__" else [], pairs(held)]

    def _pandas(self, value: Any, at: Any) -> list[Any]:
        name = type(value).__name__
        if name == "DataFrame":
            columns = [[at(c), str(t), at(value.iloc[:, i].tolist())] for i, (c, t) in enumerate(value.dtypes.items())]
            return [columns, at(value.index), value.columns.names, at(value.attrs), str(value.flags)[:200]]
        if name == "Series":
            return [str(value.dtype), repr(value.name), at(value.tolist()), at(value.index), at(value.attrs)]
        if hasattr(value, "tolist"):
            return [str(getattr(value, "dtype", "")), at(value.tolist()), repr(getattr(value, "names", None))]
        return [scrub(repr(value))]


def _full(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def scrub(text: str) -> str:
    """Without addresses, and without what the first line of a cell makes different."""
    return re.sub(r"0x[0-9a-f]+", "0x", CELL.sub("<cell>", text))


def trace(place: Any) -> list[Any]:
    """A traceback from the first cell's frame on."""
    found = []
    while place is not None:
        code = place.tb_frame.f_code
        name = CELL.sub("<cell>", code.co_filename)
        found.append((name if name == "<cell>" else Path(name).name, code.co_name, place.tb_lineno))
        place = place.tb_next
    first = next((i for i, (name, *_) in enumerate(found) if name == "<cell>"), None)
    return found[first:] if first is not None else []


# -- state ---------------------------------------------------------------------------------------------


def variables() -> dict[str, Any]:
    """The names the analyst's code sees, in their order."""
    shell = get_ipython()
    known = shell.user_ns_hidden
    return {n: v for n, v in shell.user_ns.items() if n not in HIDDEN and (n not in known or known[n] is not v)}


def state() -> str:
    """Everything that is left; a short text for each part."""
    shell, look = get_ipython(), Look()
    found = variables()
    shown = {n: v for n, v in found.items() if not re.fullmatch(r"_i?\d+", n)}
    parts: dict[str, Any] = {
        "names": list(shown),
        **{f"variable {n}": look.at(v) for n, v in shown.items()},
        "numbered": sorted(n for n in found if n not in shown),
        "Out": look.at(dict(shell.user_ns["Out"])),
        "Out is _oh": shell.user_ns["Out"] is shell.user_ns["_oh"] is shell.displayhook.shell.user_ns["_oh"],
        "_, __, ___": [look.at(shell.user_ns.get(n)) for n in ("_", "__", "___")],
        "_i, _ii": [_typed(shell.user_ns.get(n, "")) for n in ("_i", "_ii")],
        "history": [_typed(t) for t in shell.history_manager.input_hist_raw[-1:]],
        "In": len(shell.user_ns["In"]),
        "count": shell.execution_count,
        "streams": [type(s).__module__ + "." + type(s).__name__ for s in (sys.stdout, sys.stderr, sys.stdin)],
        "hooks": [_named(h) for h in (sys.displayhook, sys.excepthook, warnings.showwarning, builtins.input)],
        "tracing": [sys.gettrace() is None, sys.getprofile() is None],
        "filters": repr(warnings.filters),
        "once": sorted(map(repr, warnings.onceregistry)),
        "logging": [_named(h) for h in logging.getLogger().handlers],
        "signals": [_named(signal.getsignal(s)) for s in (signal.SIGINT, signal.SIGALRM, signal.SIGTERM)],
        "random": [hashlib.sha1(repr(random.getstate()).encode()).hexdigest(), _numpy_random()],
        "limits": [sys.getrecursionlimit(), gc.isenabled(), gc.get_threshold(), sys.getswitchinterval()],
        "folder": Path.cwd().name,
        "files": sorted(p.name for p in Path.cwd().iterdir()),
        "environment": sorted(os.environ.items() - _start["environment"].items()),
        "path": sys.path == _start["path"],
        "builtins": sorted(n for n in vars(builtins).keys() - _start["builtins"]),
        "main": sys.modules["__main__"].__dict__ is shell.user_ns,
        "flags": shell.compile.flags,
        "traps": [shell.ast_node_interactivity, len(shell.custom_exceptions), shell.call_pdb, shell.xmode],
        "threads": sorted(t.name for t in threading.enumerate() if t.name.startswith("analyst")),
        "events": _events,
        "failure": _failure(look),
        "figures": sys.modules["matplotlib.pyplot"].get_fignums() if "matplotlib.pyplot" in sys.modules else [],
        "lines": [_first_line(v) for v in shown.values() if type(v) is types.FunctionType],
    }
    return json.dumps(parts, default=repr)


def _first_line(function: Any) -> str:
    return linecache.getline(inspect.getsourcefile(function) or "", function.__code__.co_firstlineno)


def _failure(look: Look) -> Any:
    """What `%tb` and `%debug` work on."""
    error = getattr(sys, "last_value", None)
    if error is None:
        return None
    same = sys.last_type is type(error), getattr(sys, "last_exc", error) is error
    shown = getattr(get_ipython().InteractiveTB, "tb", None)
    return [
        type(error).__name__,
        look.at(error),
        trace(sys.last_traceback),
        same,
        trace(shown),
    ]


def _typed(text: str) -> str:
    """A cell as typed, with either first line."""
    head, found, rest = text.partition("\n")
    return rest if found and head.lstrip("#").startswith("%%reflect") else text


def _named(thing: Any) -> str:
    if isinstance(thing, (int, type(None))):
        return repr(thing)
    own = getattr(thing, "__qualname__", None) or type(thing).__qualname__
    return f"{getattr(thing, '__module__', '')}.{own}"


def _numpy_random() -> str:
    numpy = sys.modules.get("numpy")
    return hashlib.sha1(repr(numpy.random.get_state()).encode()).hexdigest() if numpy else ""


# -- a fresh start -------------------------------------------------------------------------------------


def _before(info: Any) -> None:
    _events.append(["pre_run_cell", _typed(info.raw_cell), info.silent, info.store_history])


def _after(result: Any) -> None:
    _events.append(
        ["post_run_cell", _typed(result.info.raw_cell), result.success, type(result.result).__name__,
         type(result.error_before_exec).__name__, type(result.error_in_exec).__name__, result.execution_count]
    )  # fmt: skip


def begin() -> None:
    """Note what a fresh start is."""
    shell = get_ipython()
    shell.events.register("pre_run_cell", _before)
    shell.events.register("post_run_cell", _after)
    for stream in (sys.stdout, sys.stderr):
        stream.flush_interval = 600  # else the clock decides how the two streams interleave
    _start.update(
        environment=dict(os.environ), path=list(sys.path), builtins=set(vars(builtins)), filters=list(warnings.filters),
        show=warnings.showwarning, streams=(sys.stdout, sys.stderr, sys.stdin), hook=sys.displayhook,
        excepthook=sys.excepthook, flags=shell.compile.flags, folder=Path.cwd(), namespace=dict(shell.user_ns),
        limit=sys.getrecursionlimit(), thread=sys.stdout.pub_thread, sigint=signal.getsignal(signal.SIGINT),
        printers={k: _printers(f) for k, f in shell.display_formatter.formatters.items()},
    )  # fmt: skip


def _printers(formatter: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
    return dict(formatter.type_printers), dict(formatter.deferred_printers)


def fresh() -> None:
    """The kernel as at its start."""
    shell, space = get_ipython(), get_ipython().user_ns
    sys.stdout, sys.stderr, sys.stdin = _start["streams"]
    for stream in (sys.stdout, sys.stderr):
        stream.pub_thread = _start["thread"]  # it may have been closed
    sys.displayhook, sys.excepthook, warnings.showwarning = _start["hook"], _start["excepthook"], _start["show"]
    os.chdir(_start["folder"])
    os.environ.clear()
    os.environ.update(_start["environment"])
    sys.path[:] = _start["path"]
    sys.setrecursionlimit(_start["limit"])
    signal.signal(signal.SIGINT, _start["sigint"])
    signal.setitimer(signal.ITIMER_REAL, 0)
    for path in Path.cwd().iterdir():
        with contextlib.suppress(OSError):
            path.unlink()
    for name in [n for n in space if n not in _start["namespace"]]:
        del space[name]
    for name in ("_", "__", "___"):
        space[name] = ""
    shell.displayhook._, shell.displayhook.__, shell.displayhook.___ = "", "", ""
    space["Out"].clear()
    shell.set_custom_exc((), None)
    shell.ast_node_interactivity, shell.compile.flags, shell.call_pdb = "last_expr", _start["flags"], False
    shell.autoawait = True
    shell.run_line_magic("xmode", "Context")
    warnings.filters[:] = _start["filters"]
    warnings._filters_mutated()
    warnings.onceregistry.clear()
    logging.getLogger().handlers.clear()
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        vars(sys).pop(name, None)
    for kind, formatter in shell.display_formatter.formatters.items():
        formatter.type_printers, formatter.deferred_printers = map(dict, _start["printers"][kind])
    shell.ast_transformers.clear()
    shell.InteractiveTB.tb = None
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    random.seed(1)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(1)
    gc.enable()
    gc.collect()
    gc.freeze()  # what is left are caches of tracebacks; to look through them each time would take most of the time
    _events.clear()


def read(text: str) -> dict[str, Any]:
    """`state` as it comes back from a kernel: the repr of its text."""
    found: dict[str, Any] = json.loads(ast.literal_eval(text))
    return found
