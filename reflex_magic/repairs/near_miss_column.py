"""A column label that is a slip away from one that exists."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from reflex_magic.core.cell import Cell, Edit
from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import columns, labels, syntax
from reflex_magic.repairs.rule import Repair


class NearMissColumn(Repair):
    """A column is asked for under a name that the frame has in another spelling.

    Looks at subscripts, lists of labels, `usecols`, attribute access and the arguments of `groupby`, `merge`,
    `melt`, `set_index`, `sort_values` and the like. The same letters in another case, with other
    separators or with a byte order mark, and one slip of the fingers, is a clear answer. Where the
    result keeps the name and the cell goes on to use it, or where the code runs over several
    frames, the frame's column is renamed instead of the label. Two candidates are both offered.

    In a series or a dict only the same letters count, since labels there are data.

    Offered only where the label as it is written is a word of its own (`employer`, beside `employee`), where
    the goal uses it, or where another table has that very column.

    Silent where a digit differs, where short words differ by a letter, and where nothing comes near.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"region": ["n", "s"], "revenue": [1, 2]})
        %%reflect
        total = sales["Revenue"].sum()
        %%repaired
        total = sales["revenue"].sum()
    """

    name = "near-miss-column"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The label as the frame spells it."""
        node, failure = syntax.failing(context), context.failure
        if node is None or failure is None:
            return
        if failure.is_a("AttributeError"):
            yield from self._attribute(context, node)
        elif failure.is_a("KeyError", "ValueError"):
            for naming in (*columns.namings(context, node), *columns.merge_namings(context, node)):
                yield from self._labels(context, node, naming)

    def _attribute(self, context: Context, node: ast.AST) -> Iterator[Proposal]:
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            return
        known = _texts(columns.labels_of(context, ast.unparse(node.value)))
        near = labels.nearest(node.attr, known)
        for column in near.candidates:
            # `df.size` is the frame's size, whatever its columns are
            if column.isidentifier() and not self._is_member(context, node, column):
                edit = syntax.rename_member(context.cell, node, column)
            else:
                edit = Edit(
                    context.cell.span(node), f"{syntax.receiver(context.cell, node.value)}[{syntax.literal(column)}]"
                )
            sure = near.clear and not _is_meant(context, node.attr, column, ast.unparse(node.value))
            yield self._proposal([(node.attr, column)], [edit], known, sure)

    def _is_member(self, context: Context, node: ast.Attribute, column: str) -> bool:
        card = context.values.card(f"({ast.unparse(node.value)}).{column}")
        return column in _MEMBERS or card is None or not (card.is_series or card.is_frame)

    def _labels(self, context: Context, node: syntax.Located, naming: columns.Naming) -> Iterator[Proposal]:
        every = columns.labels_of(context, naming.frame)
        wrong = [c for c in naming.labels if every is not None and c.value not in every]
        if not wrong or every is None or not all(context.cell.editable(context.cell.span(c)) for c in wrong):
            return
        known = _texts(every)
        columned = naming.holder is None or columns.is_columned(context, naming.frame)
        answers = {str(c.value): self._answer(str(c.value), every, columned) for c in wrong}
        taken = {c.value for c in naming.labels}
        # an answer that is asked for beside the wrong label is another column
        if any(not a.candidates or (taken - {label}) & set(a.candidates) for label, a in answers.items()):
            return
        unclear = [label for label, a in answers.items() if not a.clear]
        if len(unclear) > 1:
            return
        choices = answers[unclear[0]].candidates if unclear else ("",)
        for choice in choices:
            pairs = [(label, choice if label in unclear else a.candidates[0]) for label, a in answers.items()]
            meant = any(_is_meant(context, label, column, naming.frame) for label, column in pairs)
            for edits in self._edits(context, node, naming, wrong, dict(pairs), every):
                yield self._proposal(pairs, self._with_the_rest(context, node, edits), known, not unclear and not meant)

    def _with_the_rest(self, context: Context, node: syntax.Located, edits: list[Edit]) -> list[Edit]:
        """The edits, with those of the other labels of the same statement that are as clear."""
        statement = syntax.statement(context.cell, node)
        if statement is None or hasattr(statement, "body"):
            return edits
        try:
            cell = first = context.cell.apply(edits)
        except ValueError:
            return edits
        for _ in range(_MORE):
            further = self._further(replace(context, cell=cell), statement.lineno)
            if not further:
                break
            cell = cell.apply(further)
        return edits if cell is first else [syntax.changed(context.cell, cell)]

    def _further(self, context: Context, line: int) -> list[Edit]:
        """The edits for the next wrong labels of the statement at a line."""
        cell = context.cell
        statement = next((n for n in syntax.nodes(cell) if isinstance(n, ast.stmt) and n.lineno == line), None)
        for node in ast.walk(statement) if statement is not None else ():
            if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                continue
            for naming in columns.namings(context, node):
                every = columns.labels_of(context, naming.frame) if naming.holder is not None else None
                wrong = [c for c in naming.labels if every is not None and c.value not in every]
                if every is None or not wrong or any(_literal(cell, c) != c.value for c in wrong):
                    continue
                columned = columns.is_columned(context, naming.frame)
                near = {c: self._answer(str(c.value), every, columned) for c in wrong}
                if all(
                    a.clear and not _is_meant(context, str(c.value), a.candidates[0], naming.frame)
                    for c, a in near.items()
                ):
                    return [syntax.replace(cell, c, _written(cell, c, a.candidates[0], every)) for c, a in near.items()]
        return []

    def _answer(self, label: str, every: Sequence[object], columned: bool) -> labels.Near:
        if label.isdecimal():
            # "007" and 7 may both be there
            same = [v for v in every if str(v).isdecimal() and int(str(v)) == int(label)]
            exact = [v for v in same if str(v) == label]
            return labels.Near((label,), "number") if len(exact) == len(same) == 1 else labels.Near()
        known = _texts(every)
        near = labels.nearest(label, known)
        # the labels of a series and the keys of a dict may be data: other letters are other data
        if near.candidates or not columned:
            data = near.how == "same letters" and len(label) > 2
            return near if columned or data else labels.Near()
        suffixed = tuple(n for n in (f"{label}_x", f"{label}_y") if n in known)
        if suffixed:
            return labels.Near(suffixed, "maybe")
        return labels.Near(labels.shortened(label, known)[:2], "maybe")

    def _edits(
        self,
        context: Context,
        node: syntax.Located,
        naming: columns.Naming,
        wrong: Sequence[ast.Constant],
        answers: dict[str, str],
        every: Sequence[object],
    ) -> Iterator[list[Edit]]:
        cell = context.cell
        if naming.holder is None and isinstance(node, ast.Call):
            if all(column.lstrip() == label for label, column in answers.items()):
                yield [syntax.add_keyword(cell, node, "skipinitialspace", "True")]
                return
        elif (
            columns.is_frame(context, naming.frame)
            and not any(map(str.isdecimal, answers))
            and _keeps_name(cell, node, naming, wrong)
        ):
            pairs = ", ".join(f"{syntax.literal(column)}: {syntax.literal(label)}" for label, column in answers.items())
            yield [syntax.insert_after(cell, cast(ast.expr, naming.holder), f".rename(columns={{{pairs}}})")]
            return
        places = {id(c): c for c in wrong}
        if isinstance(node, ast.Subscript):
            places |= {id(c): c for c in _again(context, node, answers)}
        yield [syntax.replace(cell, c, _written(cell, c, answers[str(c.value)], every)) for c in places.values()]

    def _proposal(
        self, pairs: Sequence[tuple[str, str]], edits: list[Edit], known: Sequence[str], sure: bool
    ) -> Proposal:
        what = ", ".join(f"`{label}` is spelled `{column}`" for label, column in pairs)
        return self.offer(
            f"{what} in the frame",
            edits,
            f"{what}; the frame has {len(known)} columns: {labels.listed(known)}",
            sure=sure,
        )


_MORE = 8
"""So many labels more are repaired in one statement."""

_MEMBERS = frozenset({"size", "count", "rank", "mean", "sum", "min", "max", "mode", "shape", "index", "values", "name"})
"""Members of frames under which people also have columns."""


def _is_meant(context: Context, label: str, column: str, frame: str) -> bool:
    """Whether something says that `label` is right as it is written, and no slip for `column`."""
    if labels.plain(label) != labels.plain(column):
        said = set(labels.words(context.goal))
        if (set(labels.words(label)) - set(labels.words(column))) & said:
            return True
    node = syntax.failing(context)
    if isinstance(node, ast.Call) and any(columns.merge_namings(context, node)):
        return False
    tables = [name for name, kind in context.values.names().items() if kind == "DataFrame" and name not in frame]
    return any(label in (columns.labels_of(context, name) or ()) for name in tables[:50])


def _texts(every: Sequence[object] | None) -> list[str]:
    return [v for v in every or () if isinstance(v, str)]


def _written(cell: Cell, node: ast.Constant, column: str, every: Sequence[object]) -> str:
    # a label that is a number in the frame was written as text
    return column if column not in every and column.isdecimal() else syntax.quoted(cell, node, column)


def _literal(cell: Cell, node: ast.Constant) -> object:
    """What stands in the source at a constant; in an f-string that may be something else."""
    try:
        return ast.literal_eval(syntax.text(cell, node))
    except (SyntaxError, ValueError):
        return None


def _keeps_name(cell: Cell, node: syntax.Located, naming: columns.Naming, wrong: Sequence[ast.Constant]) -> bool:
    """Whether the frame's column should be renamed rather than the label.

    That is so where the code runs over several frames, where a merge joins two frames under one
    name, and where the result carries the name on to later code.
    """
    holder = naming.holder
    if not isinstance(holder, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
        return False
    if isinstance(node, ast.Subscript):
        return syntax.repeated(cell, node) and isinstance(node.ctx, ast.Load)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr.startswith("merge"):
        shared = syntax.keyword(node, "on")
        return shared is not None and any(c is n for n in ast.walk(shared.value) for c in wrong)
    if node.func.attr not in columns.RENAMED_BY:
        return False
    return syntax.repeated(cell, node) or any(syntax.uses(cell, str(c.value), cell.span(c)) for c in wrong)


def _again(context: Context, node: ast.Subscript, answers: dict[str, str]) -> Iterator[ast.Constant]:
    """The same wrong labels at other subscripts of the same frame, unless the cell makes such a column."""
    frame = ast.dump(node.value)
    others = [
        n
        for n in syntax.nodes(context.cell)
        if isinstance(n, ast.Subscript) and ast.dump(n.value) == frame and n is not node
    ]
    made = {syntax.constant(n.slice) for n in others if isinstance(n.ctx, ast.Store)}
    for other in others:
        label = other.slice
        if not isinstance(label, ast.Constant) or not context.cell.editable(context.cell.span(label)):
            continue
        if label.value in answers and label.value not in made:
            yield label
