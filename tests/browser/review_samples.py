"""An IPython extension for these tests: `%%sample` shows a review of its cell, `%decisions` what was decided."""

from __future__ import annotations

from typing import Any

from reflex_magic.core.cell import diff
from reflex_magic.core.proposal import Decision
from reflex_magic.core.report import Report, now
from reflex_magic.review import Review, cell_id
from tests.review.review_reports import CARD, FINDING, choice, proposal
from tests.review.review_reports import report as sample

REVIEWS: list[Review] = []
DECIDED: list[tuple[str, str]] = []
REFUSAL: list[str] = []


def repaired(text: str) -> str:
    return text.replace('"Revenue"', '"revenue"')


def other(text: str) -> str:
    return text.replace('"Revenue"', '"revenue_net"')


def load_ipython_extension(shell: Any) -> None:
    def show(line: str, cell: str) -> None:
        """`%%sample`, `%%sample choice`, `%%sample hostile`."""
        base = shell.get_parent()["content"]["code"]
        body = base.split("\n", 1)[1]
        first = proposal(source=repaired(body), diff=diff(body, repaired(body)))
        report = sample(original=body, source=body, proposals=[first], findings=[FINDING], cards=[CARD])
        if "choice" in line:
            given = choice()
            second = proposal(2, other(body), origin="model:small", title="Use the column `revenue_net`", foreign=True)
            report = sample(
                original=body, source=body, proposals=[first, second], files=given.files, tokens=given.tokens
            )
        if "hostile" in line:
            attack = '<img src=x onerror="window.attacked = 1"><script>window.attacked = 1</script> $x^2$'
            report = sample(original=body, source=body, proposals=[proposal(source=repaired(body), title=attack)])
        review = Review(shell, report, cell=cell_id(shell) or "")
        REVIEWS.append(review)

        def decide(what: str, chosen: str) -> str:
            if REFUSAL:
                return REFUSAL.pop()
            DECIDED.append((what, chosen))
            settle(report, what, chosen)
            review.update(None)
            return ""

        texts = {p.id: base.split("\n", 1)[0] + "\n" + p.source for p in report.offered}
        review.show(None, base, texts, decide)

    def decide_here(line: str) -> None:
        """`%elsewhere accept`: a decision that does not come from the widget."""
        review = REVIEWS[-1]
        settle(review._report, line.strip(), "p1")
        review.update(None)

    shell.register_magic_function(show, "cell", "sample")
    shell.register_magic_function(decide_here, "line", "elsewhere")
    shell.register_magic_function(lambda line: REFUSAL.append(line), "line", "refuse")
    shell.register_magic_function(lambda line: print(DECIDED), "line", "decisions")


def settle(report: Report, what: str, chosen: str) -> None:
    """What the loop does with a decision, as far as it shows."""
    report.status = "repaired" if what == "accept" else "pending"
    report.source = next(p.source for p in report.proposals if p.id == chosen) if what == "accept" else report.original
    report.decision = Decision(what, "person", now(), chosen)
