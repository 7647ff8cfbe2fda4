"""A text file in another encoding than it is read with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reflex_magic.core.ports import Context
from reflex_magic.core.proposal import Proposal
from reflex_magic.repairs import syntax, tables
from reflex_magic.repairs.rule import Repair

BYTES = 1 << 20
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_OF_A_PATH = ("read_text", "open")
_TYPOGRAPHY = "‘’‚“”„–—…•€™°£§©®«»·½¼¾±¿¡´×µºª¨\u00a0"


class FileEncoding(Repair):
    r"""A file is not UTF-8, or has a byte order mark that was read as text.

    What the bytes prove: a byte order mark, valid UTF-8, or Windows-1252 where every byte beyond
    ASCII is a letter within a word or a typographic mark. Other encodings are offered.

    Silent when the file cannot be looked at.

    Example
    -------
    ::

        from pathlib import Path
        import pandas as pd
        _ = Path("products.csv").write_bytes("name,price\nCafé crème – 250g,4.5\nJalapeño €,6\n".encode("cp1252"))
        %%reflect
        products = pd.read_csv("products.csv")
        %%repaired
        products = pd.read_csv("products.csv", encoding="cp1252")
    """

    name = "file-encoding"

    def propose(self, context: Context) -> Iterator[Proposal]:
        """The encoding written out."""
        failure = context.failure
        if failure is None:
            return
        if failure.is_a("UnicodeDecodeError", "UnicodeError"):
            node = syntax.failing(context)
            calls = [node] if isinstance(node, ast.Call) else []
            # a file object is opened in one place and read in another
            if not calls or not _path(context, calls[0]):
                calls = [c for c in _readers(context) if _opens(c)]
        elif failure.is_a("KeyError", "ValueError"):
            calls = [c for c in _readers(context) if _marked(context, c)]
        else:
            return
        for call in calls:
            path = _path(context, call)
            content = context.values.text(path, BYTES) if path else None
            if content is None:
                continue
            for encoding, why, sure in encodings(content):
                edits = [syntax.add_keyword(context.cell, call, "encoding", syntax.literal(encoding))]
                yield self.offer(f"read `{path}` as {encoding}", edits, why, sure=sure)


def _readers(context: Context) -> Iterator[ast.Call]:
    for node in syntax.nodes(context.cell):
        if not isinstance(node, ast.Call) or not context.cell.editable(context.cell.span(node)):
            continue
        pandas = ("read_csv", "read_table", "read_json")
        if _opens(node) or syntax.function_of(context.cell, node, "pandas") in pandas:
            yield node


def _path(context: Context, call: ast.AST) -> str:
    """The file that a call reads, as far as it is known."""
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _OF_A_PATH:
        return tables.file_named(context, call.func.value)
    return tables.path_of(context, call)


def _opens(call: ast.Call) -> bool:
    """Whether a call opens a file as text."""
    return syntax.dotted(call.func) == "open" or getattr(call.func, "attr", "") in _OF_A_PATH


def _marked(context: Context, call: ast.Call) -> bool:
    """Whether a byte order mark was read as text: the encoding written does not take it away."""
    given = syntax.keyword(call, "encoding")
    encoding = str(syntax.constant(given.value)).lower().replace("_", "-") if given else "utf-8"
    text = context.values.text(_path(context, call), 3)
    plain = given is None and syntax.dotted(call.func) != "open"
    return text == _BOMS[0][0] and encoding != "utf-8-sig" and not plain


def encodings(content: bytes) -> Iterator[tuple[str, str, bool]]:
    """The encodings that `content` may have, with the proof and whether it is one."""
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            yield encoding, "the file begins with a byte order mark", True
            return
    if _decodes(content, "utf-8"):
        yield "utf-8", "all bytes are valid UTF-8", True
        return
    western = _western(content)
    if western:
        count = sum(b > 127 for b in content)
        yield "cp1252", f"all {count} bytes beyond ASCII are letters within words or typographic marks", True
        return
    if _cyrillic(content):
        yield "cp1251", "the bytes beyond ASCII make Cyrillic words with capitals at their beginning", False
        return
    from charset_normalizer import from_bytes

    best = from_bytes(content).best()
    if best is not None and best.encoding not in ("ascii", "utf_8"):
        yield best.encoding.replace("_", "-"), "the letters of the file are most usual in this encoding", False


def _decodes(content: bytes, encoding: str) -> bool:
    # the sample may end within a character, the file does not
    for cut in range(4 if len(content) >= BYTES else 1):
        try:
            content[: len(content) - cut].decode(encoding)
        except UnicodeDecodeError:
            continue
        return True
    return False


def _cyrillic(content: bytes) -> bool:
    """Whether the bytes make Cyrillic words when read as Windows-1251; in KOI8-R capitals are small letters there."""
    try:
        text = content.decode("cp1251")
    except UnicodeDecodeError:
        return False
    words = re.findall(r"[^\W\d_]+", text)
    foreign = [w for w in words if not w.isascii()]
    pure = all(all("\u0400" <= c <= "\u04ff" for c in w) for w in foreign)
    return bool(foreign) and pure and all(w.islower() or w.istitle() or w.isupper() for w in foreign)


def _western(content: bytes) -> bool:
    """Whether the bytes make Western European words when read as Windows-1252.

    Many letters of other code pages are letters here as well: "Gdańsk" reads "Gdañsk", "Győr" reads
    "Gyõr", and the "Café" of a DOS program "Caf‚". So each letter and mark must stand where Western
    languages put it.
    """
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError:
        return False
    beyond = [(i, c) for i, c in enumerate(text) if ord(c) > 127]
    for i, c in beyond:
        around = text[max(0, i - 1) : i] + text[i + 1 : i + 2]
        foreign = any(ord(a) > 127 and a.isalpha() for a in around)
        # other alphabets read so are runs of accented letters
        if c.isalpha() and foreign and not any(a.isascii() and a.isalpha() for a in around):
            return False
        before, after = (a if a.isalpha() else "" for a in (text[max(0, i - 1) : i], text[i + 1 : i + 2]))
        if c.isalpha() or c in "ªº":
            if not _fits(c.lower(), before.lower(), after.lower()):
                return False
        elif (
            c not in _TYPOGRAPHY or (before and (c in "‘‚“„¿¡£€" or (after and c not in "’–—"))) or (after and c == "£")
        ):
            return False
    return True


_PLAIN = frozenset("áâäçéëíîóôöúüß")
"""Letters that are the same in Windows-1250, or have no rival there."""


def _fits(letter: str, before: str, after: str) -> bool:
    """Whether a letter stands beside letters as it does in the languages that have it."""
    vowels = frozenset("aeiouyáéíóúâêôàèîûäöü")
    if letter in _PLAIN:
        return True
    match letter:
        case "ñ":
            return after in vowels and after != ""
        case "è":
            return after not in vowels or after == ""
        case "ê":
            return after in frozenset("tmcpvlqn") and before not in frozenset("wkzi")
        case "à" | "å":
            return True
        case "ï":
            return before in vowels and before != ""
        case "ø":
            return not ({before, after} - {"", "e", "y"} & vowels)
        case "õ":
            return after == "e"
        case "ã":
            return after in ("o", "e") and after != ""
        case "æ":
            return after != ""
        case "œ":
            return after == "u"
        case "û":
            return before in ("o", "a") and after != ""
        case "ù" | "ò" | "ì":
            return after == ""
        case "ª" | "º":
            return not after
    return False
