"""From a cell to code, statement by statement."""

from __future__ import annotations

import ast
import codeop
import contextlib
import inspect
import io
import linecache
import re
import tokenize
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from reflex_magic.core.cell import Cell
from reflex_magic.core.ports import PROBE, Observer
from reflex_magic.core.uncollected import uncollected
from reflex_magic.core.warned import Warned, unheard

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


@dataclass(slots=True)
class Statement:
    """One step, compiled. `error` is what the compiler said of it; it is raised when its turn comes.

    `mode` is `exec`, `eval` for a last expression, or `single` where the shell shows more.
    `function` is what a function that it defines is called, its code, and its code with probes.
    """

    code: types.CodeType | None
    mode: str
    error: BaseException | None = None
    warned: list[Warned] = field(default_factory=list)
    function: tuple[str, types.CodeType, types.CodeType] | None = None

    @property
    def awaits(self) -> bool:
        """Whether the code gives a coroutine."""
        return self.code is not None and bool(self.code.co_flags & inspect.CO_COROUTINE)


@dataclass(slots=True)
class Program:
    """A compiled cell. `nodes` are the statements as written; `quiet` is a last ``;``."""

    cell: Cell
    filename: str
    nodes: list[ast.stmt]
    statements: list[Statement]
    quiet: bool
    shows: types.CodeType | None = None

    @property
    def codes(self) -> list[types.CodeType]:
        """The code of the statements that compiled."""
        return [s.code for s in self.statements if s.code is not None]

    def codes_from(self, step: int) -> list[types.CodeType]:
        """The code of the steps from `step` on."""
        return [s.code for s in self.statements[step:] if s.code is not None]


class Compiler:
    """Compiles cells of one namespace; ``from __future__`` stays in force, as in the shell."""

    def __init__(self, shell: InteractiveShell | None) -> None:
        self._shell = shell
        self._compile: Any = shell.compile if shell is not None else codeop.Compile()
        self._number = 0

    @property
    def flags(self) -> int:
        """The compiler flags in force."""
        return int(self._compile.flags)

    @flags.setter
    def flags(self, value: int) -> None:
        self._compile.flags = value

    def compile(self, cell: Cell, observer: Observer, raw: str | None = None, number: int | None = None) -> Program:
        """Compile every statement.

        Raises
        ------
        SyntaxError, ValueError, OverflowError, RecursionError, MemoryError
            The cell cannot be parsed.
        """
        return uncollected(lambda: self._program(cell, observer, raw, number))

    def _program(self, cell: Cell, observer: Observer, raw: str | None, number: int | None) -> Program:
        with _in_editor(cell):
            filename = self._name(cell, raw, number)
        tree = compile(cell.python, filename, "exec", self.flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        cell.steps  # noqa: B018  parses once more, for the spans; its warnings were shown already
        if self._shell is not None and self._shell.ast_transformers:
            tree = self._shell.transform_ast(tree)
        nodes: list[ast.stmt] = tree.body
        interactivity = self._shell.ast_node_interactivity if self._shell is not None else "last_expr"
        simple, quiet = self._compiles_in_silence(tree, filename), _ends_quietly(cell.python)
        if quiet and interactivity in ("all", "last"):
            interactivity = "none"
        statements = [
            self._statement(
                node, _mode(node, interactivity, last=i == len(nodes) - 1), i, cell, observer, filename, simple
            )
            for i, node in enumerate(nodes)
        ]
        program = Program(cell, filename, nodes, statements, quiet)
        if interactivity == "last_expr_or_assign" and nodes and (name := _assigned(nodes[-1])):
            program.shows = compile(name, filename, "eval", dont_inherit=True)
        return program

    def _compiles_in_silence(self, tree: ast.Module, filename: str) -> bool:
        """Whether no statement of a whole cell is refused or warned of: asking once is cheaper than for each."""
        warned: list[Warned] = []
        try:
            unheard(lambda: compile(tree, filename, "exec", self.flags | self._await, dont_inherit=True), warned)
        except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
            return False
        return not warned

    def _name(self, cell: Cell, raw: str | None, number: int | None) -> str:
        if self._shell is not None:
            count = self._shell.execution_count if number is None else number
            # Tracebacks show the magic line, as a comment so that the text parses.
            head = "".join(f"#{line}\n" for line in (raw or "").split("\n")[: cell.offset]) if raw else ""
            text = head + cell.python.removeprefix("#\n" * cell.offset) if head else cell.python
            return str(self._shell.compile.cache(text, count, raw_code=raw))
        self._number += 1
        name = f"<reflect {self._number}>"
        lines = [line + "\n" for line in cell.python_lines]
        linecache.cache[name] = (len(cell.python), None, lines, name)
        return name

    def _statement(
        self, node: ast.stmt, mode: str, step: int, cell: Cell, observer: Observer, filename: str, simple: bool
    ) -> Statement:
        """Compile one step. Where it is not `simple`, the compiler first has its say about what is written."""
        plain: types.CodeType | None = None
        warned: list[Warned] = []
        if not simple:
            try:
                plain = unheard(lambda: self._code(node, mode, filename), warned)
            except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
                return Statement(None, mode, error)
        try:
            watched = observer.instrument(node, step, cell)
            if watched is not node or plain is None:
                plain = bound(unheard(lambda: self._code(watched, mode, filename)), observer)
        except Exception:  # noqa: BLE001  a fault of the observer must not cost the analyst the step
            plain = plain or self._code(node, mode, filename)
        return Statement(plain, mode, None, warned, self._function(node, plain, step, cell, observer, filename))

    def _function(
        self, node: ast.stmt, code: types.CodeType, step: int, cell: Cell, observer: Observer, filename: str
    ) -> tuple[str, types.CodeType, types.CodeType] | None:
        """A plain function with probes in its body, for the time of the cell."""
        if not isinstance(node, ast.FunctionDef) or node.decorator_list or _may_leave(cell):
            return None
        try:
            watched = observer.instrument_function(node, step, cell)
            if watched is node:
                return None
            made = bound(unheard(lambda: self._code(watched, "exec", filename)), observer)
            pair = [_named(c, node.name) for c in (code, made)]
        except Exception:  # noqa: BLE001  as in `_statement`
            return None
        plain, probed = pair
        if plain is None or probed is None or plain.co_freevars or plain.co_flags & _SUSPENDED:
            return None
        return node.name, plain, probed

    @property
    def _await(self) -> int:
        """The flag for top-level await, where the shell allows it."""
        return ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if self._shell is None or self._shell.autoawait else 0

    def _code(self, node: ast.stmt, mode: str, filename: str) -> types.CodeType:
        module: ast.mod
        if mode == "eval" and isinstance(node, ast.Expr):
            module = ast.Expression(node.value)
        elif mode == "single":
            module = ast.Interactive([node])
        else:
            module = ast.Module([node], [])
        flags = self._compile.flags
        self._compile.flags |= self._await
        try:
            code: types.CodeType = self._compile(module, filename, mode)
        finally:
            if not flags & ast.PyCF_ALLOW_TOP_LEVEL_AWAIT:
                self._compile.flags &= ~ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        return code


def bound(code: types.CodeType, observer: Observer) -> types.CodeType:
    """The code with the observer in place of the constant that stands for it.

    A constant needs no name that the analyst's code could see or hide, and functions that are
    still running when the cell has ended go on as they were.
    """
    constants = tuple(
        bound(c, observer) if isinstance(c, types.CodeType) else observer if c == PROBE else c for c in code.co_consts
    )
    return code if constants == code.co_consts else code.replace(co_consts=constants)


@contextlib.contextmanager
def _in_editor(cell: Cell) -> Iterator[None]:
    """The shell's own syntax is read without the magic line; what it refuses is counted as in the editor."""
    try:
        yield
    except SyntaxError as error:
        if error.lineno is not None:
            place = (error.filename, error.lineno + cell.offset, *error.args[1][2:])
            error.args, error.lineno = (error.args[0], place), error.lineno + cell.offset
        raise


_SUSPENDED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""Functions whose calls may go on after the cell."""

_LEAVING = re.compile(
    r"pickle|dill|joblib|multiprocess|concurrent|dask|ray|spark|n_jobs|numba|jit|inspect|dis\b|__code__"
)
"""Words of cells that may send a function elsewhere, compile it or look into it."""


def _may_leave(cell: Cell) -> bool:
    return _LEAVING.search(cell.body) is not None


def _named(code: types.CodeType, name: str) -> types.CodeType | None:
    """The code of a function among the constants of the statement that defines it."""
    return next((c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name), None)


def _mode(node: ast.stmt, interactivity: str, *, last: bool) -> str:
    if interactivity == "all":
        return "single"
    if not last or interactivity == "none":
        return "exec"
    if isinstance(node, ast.Expr):
        return "eval"
    return "single" if interactivity == "last" else "exec"


def _assigned(node: ast.stmt) -> str | None:
    """The one name a statement assigns to, or None."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.AugAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None


def _ends_quietly(body: str) -> bool:
    """Whether the last token is a ``;``, which asks for no output."""
    last = body.rstrip().rpartition("\n")[2]
    if ";" not in (body if last.lstrip().startswith("#") else last):
        return False
    ignored = (tokenize.ENDMARKER, tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.DEDENT)
    try:
        tokens = [t for t in tokenize.generate_tokens(io.StringIO(body).readline) if t.type not in ignored]
    except (tokenize.TokenError, SyntaxError):
        return False
    return bool(tokens) and tokens[-1].type == tokenize.OP and tokens[-1].string == ";"
