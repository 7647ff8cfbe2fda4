"""From an exception to plain data, and to what the shell would have printed."""

from __future__ import annotations

import builtins
import inspect
import linecache
import sys
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import FrameType, FunctionType, TracebackType
from typing import TYPE_CHECKING, Any

from reflex_magic.core.card import cut
from reflex_magic.core.cell import Cell, Span
from reflex_magic.core.outcome import Elsewhere, Frame, Operand, Raised

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

LONGEST = 10_000
"""So many characters of a message are kept; the traceback shows all of it."""

LIBRARY_FRAMES = 2
"""So many frames of libraries are kept, the innermost."""

_PACKAGE = __name__.partition(".")[0]
_LIBRARIES = tuple({sysconfig.get_paths()[k] for k in ("stdlib", "platstdlib", "purelib", "platlib")})

_ATTRIBUTES = {
    "NameError": ("name",),
    "AttributeError": ("name",),
    "ImportError": ("name",),
    "OSError": ("filename", "errno"),
    "UnicodeDecodeError": ("encoding", "start", "end", "reason"),
    "UnicodeEncodeError": ("encoding", "start", "end", "reason"),
    "SyntaxError": ("msg", "text"),
}


def trim(error: BaseException, filename: str) -> TracebackType | None:
    """The traceback from the cell's own frame on; all of it when the cell has none."""
    place = error.__traceback__
    while place is not None and place.tb_frame.f_code.co_filename != filename:
        place = place.tb_next
    return place or error.__traceback__


def unframe(error: BaseException) -> None:
    """Take the frames of this package out of the tracebacks of an error and of what led to it."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        waiting += [one.__cause__, one.__context__]
        BaseException.with_traceback(one, _without_ours(one.__traceback__))  # an assignment could be refused


def _without_ours(place: TracebackType | None) -> TracebackType | None:
    while place is not None and _is_ours(place):
        place = place.tb_next
    inner = place
    while inner is not None and (after := inner.tb_next) is not None:
        if _is_ours(after):
            inner.tb_next = after.tb_next
        else:
            inner = after
    return place


def _is_ours(place: TracebackType) -> bool:
    return str(place.tb_frame.f_globals.get("__name__")).partition(".")[0] == _PACKAGE


def line_in(error: BaseException, filename: str) -> int:
    """The line that a file was at when the error passed through it; 0 when it did not."""
    place = trim(error, filename)
    return place.tb_lineno if place is not None and place.tb_frame.f_code.co_filename == filename else 0


def describe(
    error: BaseException,
    cell: Cell,
    filename: str,
    step: int,
    operands: tuple[Operand, ...],
    earlier: Callable[[str], str | None],
) -> tuple[Raised, Mapping[str, Any]]:
    """The failure as data, and the local variables of the innermost frame of the analyst's.

    `earlier` says what the cell is called whose file name is given; None when it is that of no cell.
    """
    frames: list[tuple[Frame, bool]] = []
    span: Span | None = None
    scope: Mapping[str, Any] = {}
    elsewhere: Elsewhere | None = None
    place = trim(error, filename)
    while place is not None:
        frame = place.tb_frame
        name = frame.f_code.co_filename
        in_cell = name == filename
        label = None if in_cell else earlier(name)
        own = in_cell or label is not None or _is_own(name)
        frames.append((_frame(place, cell, in_cell), own))
        if in_cell:
            span = _span(place, cell)
        if own:
            scope = _locals(frame)
            elsewhere = _elsewhere(place, label) if label is not None else None
        place = place.tb_next
    libraries = [i for i, (_, own) in enumerate(frames) if not own][:-LIBRARY_FRAMES]
    kept = tuple(f for i, (f, _) in enumerate(frames) if i not in libraries)
    return replace(_raised(error, step, span, kept, operands), elsewhere=elsewhere), scope


def _elsewhere(place: TracebackType, cell: str) -> Elsewhere | None:
    """The function that a frame runs, where it is a plain one that its own text makes again."""
    code = place.tb_frame.f_code
    function = place.tb_frame.f_globals.get(code.co_name)
    if type(function) is not FunctionType or function.__code__ is not code or function.__closure__:
        return None
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    source = "".join(inspect.getblock(lines)).rstrip() if lines else ""
    span = _span(place, Cell("\n" * (code.co_firstlineno - 1) + source, 0))
    if not source.startswith("def ") or span is None:
        return None
    above = code.co_firstlineno - 1
    within = Span(span.line - above, span.column, span.end_line - above, span.end_column)
    return Elsewhere(code.co_name, cell, place.tb_lineno, source, within)


def describe_syntax(error: BaseException, cell: Cell, step: int | None) -> Raised:
    """What the compiler refused, as data; `step` is None for the cell as a whole."""
    span = None
    if isinstance(error, SyntaxError) and error.lineno:
        column = max(error.offset or 1, 1)
        end_line = max(getattr(error, "end_lineno", None) or error.lineno, error.lineno)
        end_column = getattr(error, "end_offset", None) or column
        if (end_line, end_column) <= (error.lineno, column):
            end_line, end_column = error.lineno, column + 1
        span = Span(error.lineno, column, end_line, end_column)
    return _raised(error, step, span, (), (), error.msg if isinstance(error, SyntaxError) else None)


def _raised(
    error: BaseException,
    step: int | None,
    span: Span | None,
    frames: tuple[Frame, ...],
    operands: tuple[Operand, ...],
    said: str | None = None,
) -> Raised:
    bases = tuple(c.__name__ for c in type(error).__mro__[1:] if c is not object)
    return Raised(type(error).__name__, said or _text(error), step, span, frames, operands, bases, _details(error))


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except (Exception, SystemExit):  # noqa: BLE001  the analyst's own __str__
        return f"<{type(error).__name__} whose text cannot be made>"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _details(error: BaseException) -> dict[str, Any]:
    """The plain attributes that say what was wrong."""
    found: dict[str, Any] = {}
    for kind, names in _ATTRIBUTES.items():
        if isinstance(error, getattr(builtins, kind)):
            found |= {n: _plain(v) for n in names if (v := getattr(error, n, None)) is not None}
    if isinstance(error, AttributeError) and getattr(error, "obj", None) is not None:
        found["obj_type"] = type(error.obj).__name__
    if isinstance(error, KeyError) and error.args:
        key = error.args[0]
        found["key"] = cut(key if isinstance(key, str) else repr(key)) if _is_plain(key) else type(key).__name__
    if error.__cause__ is not None:
        found["cause"] = type(error.__cause__).__name__
    if isinstance(notes := getattr(error, "__notes__", None), list):
        found["notes"] = [cut(n) for n in notes if isinstance(n, str)]
    return found


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, bytes, int, float, bool, type(None))) or (
        isinstance(value, tuple) and all(map(_is_plain, value))
    )


def _plain(value: Any) -> Any:
    if isinstance(value, (int, float, bool)):
        return value
    return cut(value if isinstance(value, str) else repr(value)) if _is_plain(value) else type(value).__name__


def _frame(place: TracebackType, cell: Cell, in_cell: bool) -> Frame:
    code, line = place.tb_frame.f_code, place.tb_lineno
    lines = cell.python_lines
    source = lines[line - 1].strip() if in_cell and 0 < line <= len(lines) else ""
    return Frame(code.co_name, line, source, in_cell, "" if in_cell else _short(code.co_filename))


def _short(filename: str) -> str:
    """A file name without the machine's folders."""
    for folder in _LIBRARIES:
        if filename.startswith(folder):
            return filename[len(folder) :].lstrip("/\\").removeprefix("site-packages/")
    return Path(filename).name


def _is_own(filename: str) -> bool:
    """Whether a file is the analyst's: below the working folder and no library."""
    if not filename.endswith(".py") or filename.startswith(_LIBRARIES):
        return False
    try:
        return Path(filename).is_relative_to(Path.cwd())
    except OSError:
        return False


def _span(place: TracebackType, cell: Cell) -> Span | None:
    """The expression a frame was at, as the interpreter recorded it."""
    positions = list(place.tb_frame.f_code.co_positions())
    index = place.tb_lasti // 2
    if not 0 <= index < len(positions):
        return None
    line, end_line, column, end_column = positions[index]
    if line is None or end_line is None or column is None or end_column is None:
        return None
    return Span(line, cell.character(line, column) + 1, end_line, cell.character(end_line, end_column) + 1)


def _locals(frame: FrameType) -> Mapping[str, Any]:
    return {} if frame.f_locals is frame.f_globals or frame.f_code.co_name == "<module>" else dict(frame.f_locals)


def within(place: TracebackType | None, shell: InteractiveShell) -> TracebackType | None:
    """`place` below the frame in which the shell runs this cell: a plain cell's has it, and the shell counts on it."""
    code = getattr(type(shell).run_code, "__code__", None)
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return place if frame is None or place is None else TracebackType(place, frame, frame.f_lasti, frame.f_lineno)


def offset(place: TracebackType | None, shell: InteractiveShell) -> int | None:
    """How many frames of a traceback the shell leaves out; None is what it does by itself."""
    code = getattr(type(shell).run_code, "__code__", None)
    return None if place is not None and place.tb_frame.f_code is code else 0


def as_shell_would(error: BaseException, shell: InteractiveShell) -> None:
    """Let the shell print what it would have printed for a plain cell when `error` is raised once more.

    Our own frames then lie above the cell's; the exception's rendering leaves them out, once.
    """
    place = error.__traceback__

    def render() -> list[str]:
        del error._render_traceback_  # type: ignore[attr-defined]
        BaseException.with_traceback(error, place)
        lines: list[str] = shell.InteractiveTB.structured_traceback(
            type(error), error, place, tb_offset=offset(place, shell)
        )
        return lines

    try:
        error._render_traceback_ = render  # type: ignore[attr-defined]
    except Exception:  # noqa: BLE001  an exception class with slots, or one that refuses
        return
