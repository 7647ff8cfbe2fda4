"""A cell that passes, or fails, looks and acts as without the magic."""
# ruff: noqa: E501  cells are shown on one line

from __future__ import annotations

import bdb
import contextlib
import io
import re
import sys
import traceback
import warnings

import pytest
from IPython.core.magic import no_var_expand

from reflex_magic.core.cell import Cell
from reflex_magic.core.outcome import Raised
from tests.differential import cells
from tests.execute.support import on

CASES = {
    "error on a line": "a = 1\nb = 2\na / 0\nc = 3",
    "error in a function": "def f(x):\n    return x / 0\n\nf(1)",
    "error in a comprehension": "xs = [1, 2, 0]\n[1 / x for x in xs]",
    "error in a multi-line statement": "d = {'a': 1,\n   'b': 2}\nd['zz'] + (1 +\n  2)",
    "error in a library": "import json\njson.loads('{')",
    "chained errors": "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('x') from e",
    "error in a method": "class A:\n    x = 1\n    def m(self):\n        raise RuntimeError('in m')\nA().m()",
    "error under a decorator": "def deco(f):\n    def w(*a):\n        return f(*a)\n    return w\n@deco\ndef g(x):\n    return x.y\ng(1)",
    "error in a recursion": "def r(n): return r(n - 1) if n else 1 / 0\nr(6)",
    "syntax error": "a = 1\nb = (2\nc = 3",
    "indentation error": "def f():\nreturn 1",
    "return outside a function, after output": "print('ran')\nreturn 5",
    "a last expression": "1 + 1",
    "a last expression that is None": "None",
    "a semicolon": "1 + 1;",
    "a semicolon and a comment": "1 + 1; # quiet",
    "a semicolon in a string": "'a;'",
    "an assignment last": "x = 5",
    "output, then a result": "print('hi')\n'val'",
    "both streams": "import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c', end='')",
    "main": "if __name__ == '__main__':\n    print('main')",
    "a line magic": "x = 3\n%pwd\ny = 4",
    "a shell command": "!echo hello\nz = 1",
    "an assigned shell command": "out = !echo hi\nout[0]",
    "an assigned magic": "p = %pwd\ntype(p).__name__",
    "a future import": "from __future__ import annotations\ndef f(x: Undefined) -> Nope: ...\nf.__annotations__",
    "a nested cell magic": "%%capture cap\nprint('captured')\nw = 6",
    "leading blank lines": "\n\na = 1\n1 / 0",
    "a leading comment": "# hi\n\n1 / 0",
    "SystemExit": "raise SystemExit(3)",
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "an unknown magic": "%nosuchmagic 3",
    "the last result's name": "41 + 1",
    "a global statement": "cnt = 0\ndef inc():\n    global cnt\n    cnt += 1\ninc(); inc()\ncnt",
    "a walrus": "(n := 10)\nn",
    "a class body": "class K:\n    import math\n    area = [math.pi * r for r in (1, 2)][:0]\nK.area, K.__module__",
    "only a comment": "# only a comment",
    "display": "from IPython.display import display\ndisplay('one')\nprint('two')\ndisplay({'three': 3})",
    "a name that is deleted": "k = 1\ndel k\nk",
    "an error that cannot be printed": "class E(Exception):\n    def __str__(self): raise RuntimeError\nraise ValueError('plain')",
    "redirected output": "import contextlib, io\ns = io.StringIO()\nwith contextlib.redirect_stdout(s):\n    print('in')\ns.getvalue()",
    "non-ASCII before the error": "größe = 'ä'; größe.fehlt",
    "a warning": "import warnings\nwarnings.warn('careful')\nwarnings.warn('careful')",
    "recorded warnings": "import warnings\nwith warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n    warnings.warn('x')\nlen(w)",
    "StopIteration": "next(iter([]))",
    "GeneratorExit": "def f(): raise GeneratorExit\nf()",
    "an error that refuses attributes": "class E(Exception):\n    def __setattr__(self, name, value): raise TypeError('frozen')\nraise E('x')",
    "an error with slots": "class E(Exception):\n    __slots__ = ()\nraise E('x')",
    "a group of errors": "def f(): raise ExceptionGroup('two', [ValueError('a'), KeyError('b')])\nf()",
    "a syntax error while it runs": "def f(text): return eval(text)\nf('1 +')",
    "a debugger that was left": "import bdb\nraise bdb.BdbQuit",
    "a semicolon above a comment": "1 + 1;\n# quiet",
    "an indentation error of the tokenizer": "if True:\n        a = 1\n    b = 2",
    "what the streams are": "import sys\nprint(type(sys.stdout), sys.stdout is sys.stdout)\nsys.stdout.write(b'no text')",
    "what shows warnings": "import warnings\nwarnings.showwarning.__name__",
    "the last failure": "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    kept = error\nraise kept",
    "an error in an assertion": "a, b = 1, 2\nassert a == b, f'{a} and {b}'",
}


DIFFERENT_IN_A_TERMINAL = (
    "syntax-warning",  # IPython asks the compiler once more, and shows its warning each time
    "results-in-last",  # `In` holds the call of the magic
    "text-unicode-newlines",  # IPython warns of a first line that ends with one of them; here that is the comment
)


def install(shell):
    """The smallest `%%reflect`: one run, shown as the real one shows it."""

    @no_var_expand
    def reflect(line, body):
        executor = on(shell)
        raw = shell.displayhook.exec_result.info.raw_cell
        run = executor.run(
            Cell(body, 1, shell.transform_cell), raw=raw, number=shell.displayhook.exec_result.execution_count
        )
        error = executor.exception(run)
        if error is None:
            return executor.result(run)
        if isinstance(error, (SystemExit, KeyboardInterrupt, bdb.BdbQuit)):
            executor.reraise(run)
        executor.show(run)
        shell.displayhook.exec_result.error_in_exec = error
        return None

    shell.register_magic_function(reflect, "cell", "reflect")


def to_stderr(message, category, filename, lineno, file=None, line=None):
    sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))


def outcome(shell, source):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = to_stderr
        result = shell.run_cell(source, store_history=True)
    error = result.error_in_exec or result.error_before_exec
    kept = {k: repr(v) for k, v in shell.user_ns["Out"].items()}
    found = [out.getvalue(), err.getvalue(), repr(result.result), type(error).__name__, result.success, kept]
    return [re.sub(r"0x[0-9a-f]+|ipython-input-[\w-]+", "X", str(part)) for part in found]


@pytest.mark.parametrize("name", CASES)
def test_a_cell_shows_what_it_shows_without_the_magic(new_shell, name):
    source = CASES[name]
    expected = outcome(new_shell(), f"#%%reflect\n{source}" if not source.startswith("%%") else source)
    shell = new_shell()
    install(shell)
    assert outcome(shell, f"%%reflect\n{source}") == expected


SAME_IN_A_TERMINAL = [
    pytest.param(case.source, id=name)
    for name, case in cells.CASES.items()
    if name.startswith(("results-", "syntax-", "text-"))
    and not name.startswith(DIFFERENT_IN_A_TERMINAL)
    and not (case.bare or case.then or case.expressions or case.silent or not case.store_history)
    and case.source.strip()
]


@pytest.mark.slow
@pytest.mark.parametrize("source", SAME_IN_A_TERMINAL)
def test_cells_of_the_table_of_differences_in_a_terminal(new_shell, source):
    expected = outcome(new_shell(), f"#%%reflect\n{source}")
    shell = new_shell()
    install(shell)
    assert outcome(shell, f"%%reflect\n{source}") == expected


def test_nothing_of_ours_hangs_on_an_error_afterwards(shell):
    install(shell)
    outcome(shell, "%%reflect\nkept = ValueError('x')\ndef f(): raise kept\nf()")
    kept = shell.user_ns["kept"]
    assert vars(kept) == {}
    frames = traceback.extract_tb(kept.__traceback__)
    assert [f.name for f in frames] == ["run_code", "<module>", "f"]
    assert sys.last_value is kept
    assert sys.last_traceback is kept.__traceback__


def test_an_error_caught_around_a_cell_has_no_frames_of_ours_in_its_causes(shell):
    executor = on(shell)
    run = executor.run(
        Cell("import sys\ntry:\n    sys.stdout.write(1)\nexcept TypeError as e:\n    raise ValueError from e", 0)
    )
    for error in (executor.exception(run), executor.exception(run).__cause__):
        assert not any("reflex_magic" in f.filename for f in traceback.extract_tb(error.__traceback__))


def test_a_catch_warnings_that_outlives_the_cell_puts_back_what_was_there(shell):
    before = warnings.showwarning
    try:
        on(shell).run(Cell("import warnings\nopened = warnings.catch_warnings()\nopened.__enter__()", 0))
    finally:
        shell.user_ns["opened"].__exit__(None, None, None)
    assert warnings.showwarning is before


def test_what_a_cell_writes_is_recorded_once_where_both_streams_are_one(shell, monkeypatch):
    monkeypatch.setattr(sys, "stderr", sys.stdout)
    run = on(shell).run(Cell("import sys\nprint('a', file=sys.stderr)\nprint('b')", 0))
    assert [o.data["text/plain"] for o in run.outputs] == ["a\nb\n"]


def test_a_process_without_streams_runs_cells(shell, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    executor = on(shell)
    assert executor.result(executor.run(Cell("print('nobody reads this')\n1 + 1", 0))) == 2


def test_future_imports_persist(shell):
    install(shell)
    outcome(shell, "%%reflect\nfrom __future__ import annotations")
    assert outcome(shell, "def h(x: Undefined): ...\nh.__annotations__")[2] == "{'x': 'Undefined'}"


def test_the_streams_and_hooks_are_put_back(shell):
    before = sys.stdout, sys.stderr, sys.displayhook, warnings.showwarning
    on(shell).run(Cell("import sys\nprint(1, file=sys.stderr)\n1 / 0", 0))
    assert (sys.stdout, sys.stderr, sys.displayhook, warnings.showwarning) == before
    assert "publish" not in vars(shell.display_pub)


def test_a_stream_kept_by_the_cell_goes_on_working(shell, capsys):
    on(shell).run(Cell("import sys\nkept = sys.stdout", 0))
    print("later", file=shell.user_ns["kept"])
    assert capsys.readouterr().out == "later\n"


def test_interactivity_all_shows_every_expression(shell, capsys):
    shell.ast_node_interactivity = "all"
    with shell.display_trap:  # as around every cell; other shells of the process have theirs
        on(shell).run(Cell("1 + 1\n2 + 2", 0))
    shown = capsys.readouterr().out
    assert "2" in shown
    assert "4" in shown


def test_interactivity_last_expression_or_assignment(shell):
    shell.ast_node_interactivity = "last_expr_or_assign"
    executor = on(shell)
    assert executor.result(executor.run(Cell("x = 3 + 4", 0))) == 7


def test_syntax_transformers_of_the_shell_are_used(shell):
    import ast

    class Double(ast.NodeTransformer):
        def visit_Constant(self, node):
            return ast.copy_location(ast.Constant(node.value * 2), node) if type(node.value) is int else node

    shell.ast_transformers.append(Double())
    executor = on(shell)
    assert executor.result(executor.run(Cell("21", 0))) == 42


def test_a_warning_of_the_compiler_is_shown_once_when_its_step_runs(shell):
    install(shell)
    _, err, *_ = outcome(shell, "%%reflect\nimport sys\nprint('before', file=sys.stderr)\nassert (1, 'always')\n'\\d'")
    assert err.count("assertion is always true") == 1
    assert err.count("invalid escape sequence") == 1
    assert err.index("before") < err.index("assertion is always true")


async def _awaited(executor, body):
    run = await executor.arun(Cell(body, 0))
    return run, executor.result(run)


def test_top_level_await(shell):
    executor = on(shell)
    run, value = shell.loop_runner(
        _awaited(executor, "import asyncio\nawait asyncio.sleep(0)\n[i async for i in g()] if 0 else 7")
    )
    assert value == 7
    assert [c.step for c in run.cards] == [0, 1, 2]


def test_an_error_in_an_awaited_step_is_at_its_place(shell):
    run, _ = shell.loop_runner(_awaited(on(shell), "import asyncio\nasync def k():\n    1 / 0\nawait k()"))
    assert isinstance(run.outcome, Raised)
    assert (run.outcome.ename, run.outcome.step, run.outcome.span.line) == ("ZeroDivisionError", 2, 3)


def test_the_span_is_the_expression_in_characters(shell):
    run = on(shell).run(Cell("größe = {'ä': 1}; größe['fehlt'] + 1", 1))
    span = run.outcome.span
    assert (span.line, run.cell.text(span)) == (2, "größe['fehlt']")


def test_a_syntax_error_has_a_place_and_no_step(shell):
    outcome = on(shell).run(Cell("a = 1\nb = = 2", 1)).outcome
    assert (outcome.ename, outcome.step, outcome.span.line, outcome.span.column) == ("SyntaxError", None, 3, 5)


@pytest.mark.parametrize(
    ("body", "details"),
    [
        ("{}['x']", {"key": "x"}),
        ("nome", {"name": "nome"}),
        ("''.foo", {"name": "foo", "obj_type": "str"}),
        ("open('missing.csv')", {"filename": "missing.csv", "errno": 2}),
        ("b'\\xff'.decode()", {"encoding": "utf-8", "start": 0, "end": 1, "reason": "invalid start byte"}),
    ],
)
def test_details_are_plain(shell, body, details):
    assert on(shell).run(Cell(body, 0)).outcome.details == details


def test_library_frames_are_cut_to_the_innermost_two(shell):
    outcome = on(shell).run(Cell("import json\ndef f(s):\n    return json.loads(s)\nf('{')", 0)).outcome
    assert [f.in_cell for f in outcome.frames] == [True, True, False, False]
    assert [f.function for f in outcome.frames[:2]] == ["<module>", "f"]
    assert not any(f.file.startswith("/") for f in outcome.frames)
    assert outcome.is_a("ValueError", "JSONDecodeError")


def test_a_plain_namespace_needs_no_shell(capsys):
    from tests.execute.support import executor

    namespace = {"x": 2}
    runner = executor(namespace)
    run = runner.run(Cell("y = x + 1\nprint(y)\ny * 2", 0))
    assert (runner.result(run), namespace["y"], capsys.readouterr().out) == (6, 3, "3\n")


def test_warnings_are_noted_on_their_step(shell):
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = to_stderr
        run = on(shell).run(Cell("import warnings\nwarnings.warn('careful')", 0))
    assert [c.warnings for c in run.cards] == [(), ("UserWarning: careful",)]


def test_digests_tell_outputs_apart(shell):
    cards = on(shell).run(Cell("print('a')\nprint('b')\nprint('a')\nx = 1", 0)).cards
    digests = [c.digest for c in cards]
    assert digests[0] == digests[2] != digests[1]
    assert digests[3] == ""
