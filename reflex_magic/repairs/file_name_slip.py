"""A file name that is a slip away from one that exists."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import labels, syntax
from reflex_magic.repairs.rule import Repair

_FOLDERS = frozenset({"", "data", "input", "inputs", "raw", "files", "csv", "datasets", "source", "sources"})
"""Folders in which the files of a project are kept."""


class FileNameSlip(Repair):
    r"""A file is asked for under a name that the folder has in another spelling.

    The same letters in another case, in another order, with other separators or in another folder, with
    one candidate, is a clear answer. One letter more, less or otherwise may be another person's or place's
    file and is offered, as the same name with another ending is.

    Silent where a digit differs, and for files that are to be written.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("sales_2024_03.csv").write_text("units\n1\n")
        %%reflect
        sales = pd.read_csv("sales_2024-03.csv")
        %%repaired
        sales = pd.read_csv("sales_2024_03.csv")
    """

    name = "file-name-slip"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The file's name as it is."""
        failure, node = context.failure, syntax.failing(context)
        if failure is None or node is None or not failure.is_a("FileNotFoundError"):
            return
        wanted = _wanted(failure.evalue, failure.details.get("filename"))
        written = [
            n
            for n in syntax.nodes(context.cell)
            if isinstance(n, ast.Constant) and n.value == wanted and context.cell.editable(context.cell.span(n))
        ]
        if not wanted or not written or _writes(node):
            return
        files = context.values.files()
        near = _nearest(wanted, files)
        for name in near.candidates:
            edits = [syntax.replace(context.cell, n, syntax.quoted(context.cell, n, name)) for n in written]
            evidence = f"`{wanted}` does not exist; of {len(files)} files in the folder `{name}` comes nearest"
            yield self.offer(f"the file is called `{name}`", edits, evidence, sure=near.clear)


def _wanted(evalue: str, filename: object) -> str:
    if isinstance(filename, str) and filename:
        return filename
    return evalue.rpartition(": ")[2].strip("'\"") if "No such file" in evalue else ""


def _writes(node: ast.AST) -> bool:
    """Whether the failing call makes files: then the folder is missing, not the file."""
    if not isinstance(node, ast.Call):
        return False
    mode = syntax.constant(node.args[1]) if len(node.args) > 1 else None
    given = syntax.keyword(node, "mode")
    mode = syntax.constant(given.value) if given else mode
    name = getattr(node.func, "attr", "")
    return name.startswith(("to_", "write", "save")) or (isinstance(mode, str) and any(c in mode for c in "wax"))


def _nearest(wanted: str, files: tuple[str, ...]) -> labels.Near:
    path = PurePosixPath(wanted.replace("\\", "/"))
    elsewhere = tuple(f for f in files if PurePosixPath(f).name == path.name)
    if elsewhere:
        # a file of that name in "old" or "backup" is another file, and so is one in "raw" where "clean" is asked for
        usual = all(p.name.casefold() in _FOLDERS for p in (path.parent, *(PurePosixPath(f).parent for f in elsewhere)))
        return labels.Near(elsewhere, "same name" if usual else "maybe")
    beside = {PurePosixPath(f).name: f for f in files if PurePosixPath(f).parent == path.parent}
    same_kind = {n: f for n, f in beside.items() if _ending(n) == _ending(path.name)}
    near = labels.nearest(_stem(path.name), map(_stem, same_kind))
    if near.candidates:
        found = tuple(f for n, f in same_kind.items() if _stem(n) in near.candidates)
        # names of people and places differ by a letter, and each has a file of its own
        letters = {"".join(sorted(labels.plain(_stem(PurePosixPath(f).name)))) for f in (wanted, *found)}
        return labels.Near(found, near.how if len(letters) == 1 else "maybe")
    # the same ending in another case
    exact = tuple(f for n, f in same_kind.items() if _stem(n) == _stem(path.name))
    if exact:
        return labels.Near(exact, "same letters")
    other = tuple(f for n, f in beside.items() if labels.plain(_stem(n)) == labels.plain(_stem(path.name)))
    return labels.Near(other, "maybe")


def _ending(name: str) -> str:
    return "".join(PurePosixPath(name).suffixes[-1:]).casefold()


def _stem(name: str) -> str:
    ending = PurePosixPath(name).suffix
    return name.removesuffix(ending)
