"""The audit notebook: complete, valid, harmless, and never written over somebody's work."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser

import nbformat
import pytest
from markdown_it import MarkdownIt
from nbconvert import HTMLExporter
from nbconvert.filters import markdown2html

from reflex_magic.audit import Chain, from_notebook, save, verify
from reflex_magic.audit.notebook import build
from reflex_magic.errors import RecordError
from tests.audit.builders import BODY, REPAIRED, repaired, unresolved

HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "![x](http://example.invalid/x.png) [l](javascript:alert(1)) <http://example.invalid>",
    "http://example.invalid www.example.invalid a@example.invalid",
    "```\n# heading\n- item\n> quote\n---\n| a | b |\n",
    "`````python\nx\n`````\n~~~\n<b>x</b>",
    "**bold** _x_ ~~x~~ &lt;b&gt; &#60;b&#62; \\<b> x](#y)",
    "</code></pre></span><b>x</b><!-- ",
    "`<b>x</b>` and `a|b` `",
    "- 1. # x\n\n    indented\n\n[ref]: http://example.invalid",
]


def text(notebook) -> str:
    return "\n\n".join(cell["source"] for cell in notebook["cells"])


def tags(html: str) -> Counter[str]:
    found: Counter[str] = Counter()

    class Parser(HTMLParser):
        def handle_starttag(self, tag, attrs):
            # Highlighting and MathJax guards make spans; a backtick pair makes code.
            if tag not in ("span", "code"):
                found[f"{tag} {sorted(k for k, _ in attrs)}"] += 1
            assert not any(k.startswith("on") or "javascript" in (v or "") for k, v in attrs)

        def handle_comment(self, data):
            found["comment"] += 1

    Parser().feed(html)
    return found


def rendered(notebook) -> list[str]:
    commonmark = MarkdownIt("commonmark", {"html": True}).enable("table")
    return [markdown2html(text(notebook)), commonmark.render(text(notebook))]


@pytest.fixture
def records():
    chain = Chain()
    chain.append(repaired())
    chain.append(unresolved())
    return chain.records


def test_tells_the_whole_story(records):
    said = text(build(records, "Quarter"))
    plain = re.sub(r"<[^>]+>", "", markdown2html(said))
    for part in ("Quarter", "1 repaired, 1 unresolved", "rule:currency-text", "model:test", "fails"):
        assert part in plain, part
    for part in ("l1", "l2", "root cause", "frozen condition", "700 tokens", "accept by policy", "✓ held", "NameError"):
        assert part in plain, part
    assert BODY in said
    assert REPAIRED in said
    assert records[0]["digest"] in plain
    assert records[0]["versions"]["pandas"] in plain


def test_nothing_in_it_can_run_and_it_is_valid(records, tmp_path):
    path = save(records, tmp_path / "audit.ipynb")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert {c.cell_type for c in notebook.cells} == {"markdown"}


def test_holds_the_records_for_programs(records, tmp_path):
    kept = from_notebook(json.loads(save(records, tmp_path / "a.ipynb").read_text(encoding="utf-8")))
    assert kept == json.loads(json.dumps(records))
    assert verify(kept) == []


def test_says_when_the_chain_is_broken(records):
    whole, broken = build(records), build([records[0] | {"goal": "another"}, records[1]])
    assert "is whole" in text(whole)
    assert "is broken" in text(broken)
    assert "Record 1 was changed" in text(broken)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_foreign_text_adds_no_element_in_two_renderers(hostile):
    # The harmless text has as many lines: in a fence each line is shown as it is.
    harmless = repaired("words")
    for mine, theirs in zip(
        rendered(build_one(harmless)), rendered(build_one(repaired(hostile, hostile))), strict=True
    ):
        assert tags(theirs) == tags(mine)


def build_one(report):
    chain = Chain()
    chain.append(report)
    return build(chain.records)


def test_foreign_code_cannot_close_its_fence():
    report = unresolved()
    report.original = "x = 1\n```\n````\n<img src=x>\n# heading"
    for html in rendered(build_one(report)):
        assert "img []" not in tags(html)
        assert "img ['src']" not in tags(html)


def test_foreign_text_is_no_formula():
    for html in rendered(build_one(repaired("costs $5 and $6 \\(x\\)"))):
        outside = re.sub(r"<(pre|code)\b.*?</\1>", "", html, flags=re.DOTALL)
        runs = [run for run in re.split(r"<[^>]*>", outside) if "$" in run or "\\" in run]
        # MathJax looks for a pair of marks in the text between two tags.
        assert set(runs) == {"$", "\\"}


def test_what_cannot_be_seen_is_shown():
    said = text(build_one(repaired("abc\u202e\u200b\x1b[31mdef")))
    assert "\u202e" not in said
    assert "\x1b" not in said
    assert "⟦U+202E⟧" in said


def test_links_of_the_summary_lead_somewhere(records):
    html, _ = HTMLExporter().from_notebook_node(nbformat.from_dict(build(records)))
    targets = re.findall(r'href="#(Record-\d+)"', html)
    assert {"Record-1", "Record-2"} <= set(targets)
    assert all(f'id="{t}"' in html for t in targets)


def test_writes_over_its_own_kind_only(records, tmp_path):
    path = save(records[:1], tmp_path / "audit.ipynb")
    save(records, path)
    assert len(from_notebook(json.loads(path.read_text(encoding="utf-8")))) == 2
    mine = tmp_path / "analysis.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x")]), mine)
    before = mine.read_bytes()
    with pytest.raises(RecordError, match="not an audit notebook"):
        save(records, mine)
    assert mine.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("audit.txt", "end it in .ipynb"),
        ("nowhere/audit.ipynb", "does not exist"),
        ("text.ipynb", "not an audit notebook"),
        ("list.ipynb", "not an audit notebook"),
        ("folder.ipynb", "cannot be written"),
    ],
)
def test_a_path_that_will_not_do_is_one_line(records, tmp_path, name, said):
    (tmp_path / "text.ipynb").write_text("no json")
    (tmp_path / "list.ipynb").write_text("[]")
    (tmp_path / "folder.ipynb").mkdir()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(RecordError, match=re.escape(said)) as caught:
        save(records, tmp_path / name)
    assert "\n" not in str(caught.value)
    assert sorted(tmp_path.iterdir()) == before


def test_without_records_it_says_that_nothing_was_needed(tmp_path):
    notebook = nbformat.read(save([], tmp_path / "a.ipynb"), as_version=4)
    assert "No cell needed a repair" in notebook.cells[0].source
