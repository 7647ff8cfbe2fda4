"""A file name that is a slip away from one that exists."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from reflex_magic.core.cell import Edit
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
        if not wanted or _writes(node):
            return
        files = context.values.files()
        if not written:
            yield from self._joined(context, wanted, files)
            return
        near = _nearest(wanted, files)
        for name in near.candidates:
            edits = [syntax.replace(context.cell, n, syntax.quoted(context.cell, n, name)) for n in written]
            evidence = f"`{wanted}` does not exist; of {len(files)} files in the folder `{name}` comes nearest"
            yield self.offer(f"the file is called `{name}`", edits, evidence, sure=near.clear)

    def _joined(self, context: Context, wanted: str, files: tuple[str, ...]) -> Iterator[Proposal]:
        """A path put together with ``/`` or in an f-string: its last part is written."""
        cell, own = context.cell, PurePosixPath(wanted).name
        other_case = [f for f in files if f.casefold() == wanted.casefold()]
        if len(other_case) == 1:
            parts = zip(PurePosixPath(wanted).parts, PurePosixPath(other_case[0]).parts, strict=True)
            differ = dict(p for p in parts if p[0] != p[1])
            constants = [n for n in syntax.nodes(cell) if isinstance(n, ast.Constant) and n.value in differ]
            if {n.value for n in constants} == set(differ) and all(cell.editable(cell.span(n)) for n in constants):
                named = [(n, differ[str(n.value)]) for n in constants]
                edits = [syntax.replace(cell, n, syntax.quoted(cell, n, new)) for n, new in named]
                evidence = f"`{wanted}` does not exist; in another case one file does"
                yield self.offer(f"the file is `{other_case[0]}`", edits, evidence)
                return
        written = [
            n
            for n in syntax.nodes(cell)
            if isinstance(n, ast.Constant) and n.value == own and cell.editable(cell.span(n))
        ]
        near = _nearest(wanted, files)
        for name in near.candidates:
            path = PurePosixPath(name)
            if path.parent != PurePosixPath(wanted).parent:
                continue
            edits = [syntax.replace(cell, n, syntax.quoted(cell, n, path.name)) for n in written]
            edits = edits or _in_f_strings(context, own, path.name)
            evidence = f"`{wanted}` does not exist; of {len(files)} files in the folder `{name}` comes nearest"
            if edits:
                yield self.offer(f"the file is called `{path.name}`", edits, evidence, sure=near.clear)


def _in_f_strings(context: Context, wanted: str, name: str) -> list[Edit]:
    """The f-string that makes `wanted`, when what is written out in it differs in nothing but case."""
    cell = context.cell
    if wanted.casefold() != name.casefold() or len(wanted) != len(name):
        return []
    for node in syntax.nodes(cell):
        if not isinstance(node, ast.JoinedStr) or not cell.editable(cell.span(node)):
            continue
        pieces = [str(p.value).rpartition("/")[2] for p in node.values if isinstance(p, ast.Constant)]
        source, place = syntax.text(cell, node), 0
        for piece in (p for p in pieces if p):
            place = wanted.find(piece, place)
            # each piece is written once, so that it is known which one to change
            if place < 0 or source.count(piece) != 1:
                break
            source = source.replace(piece, name[place : place + len(piece)])
            place += len(piece)
        else:
            if source != syntax.text(cell, node):
                return [syntax.replace(cell, node, source)]
    return []


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
