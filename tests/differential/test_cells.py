"""Every cell of the table, plain and under the magic, in two real kernels."""

from __future__ import annotations

import pytest

from tests.differential.cells import CASES
from tests.differential.kernels import MAGIC, Pair

pytestmark = pytest.mark.slow

MESSAGES = "cell 0: messages"
REPLY = "cell 0: reply"
VALUE = {MESSAGES, "Out"}
ERROR = {MESSAGES, "failure"}

LATE = "a checkpoint keeps what a name held until the cell has ended; what happens when nobody needs it comes later"
DEPTH = "some ten frames of the magic lie below the cell: a recursion reaches its limit that much earlier"
ASKED = "IPython asks the compiler twice more whether a cell awaits, and shows its warning each time"

KNOWN = {
    "names-generator-closed": (LATE, {MESSAGES}),
    "names-del-of-earlier-magic": (LATE, {"cell 1: messages"}),
    "warnings-resource": (LATE, {MESSAGES, "names", "variable __warningregistry__"}),
    "errors-recursion": (DEPTH, ERROR),
    "errors-recursion-mutual": (DEPTH, ERROR),
    "names-stack-depth-value": (DEPTH, VALUE),
    "syntax-warning-is": (ASKED, {MESSAGES}),
    "syntax-warning-call": (ASKED, {MESSAGES}),
    "syntax-warning-assert": (ASKED, {MESSAGES}),
    "syntax-warning-index": (ASKED, {MESSAGES}),
    "syntax-warnings-two": (ASKED, {MESSAGES}),
    "syntax-unindent": ("after a cell that it cannot read, plain IPython leaves its display hook in place", {"hooks"}),
    "errors-in-str-of-error": (
        "the kernel fails at showing such an error, and we stand below",
        {*ERROR, REPLY, "events"},
    ),
    "errors-pdb-on": ("after %pdb had its turn, %debug takes sys.last_traceback, which is the same", {"failure"}),
    "text-empty": ("IPython refuses a cell magic without a cell", {*ERROR, REPLY, "events"}),
    "results-in-last": ("`In` holds the call of the magic, as for every cell magic", VALUE),
}
"""What differs, why, and in which parts."""


@pytest.mark.parametrize("name", CASES)
def test_nobody_can_tell_the_difference(pair: Pair, name: str) -> None:
    found = pair.differences(CASES[name])
    reason, parts = KNOWN.get(name, ("", set()))
    assert {f.partition("\n")[0] for f in found} == parts, "\n".join([reason, *found])


def test_each_known_difference_has_its_cell() -> None:
    assert KNOWN.keys() <= CASES.keys()


def test_run_all_stops_at_a_cell_that_failed(pair: Pair) -> None:
    both = {pair.plain: "1 / 0", pair.magic: f"{MAGIC}\n1 / 0"}
    replies = []
    for kernel, failing in both.items():
        sent = [kernel.send(failing), kernel.send("print('not run')")]
        replies.append([kernel.receive(s).reply["status"] for s in sent])
        kernel.looked(kernel.look())
    assert replies == [["error", "aborted"]] * 2
