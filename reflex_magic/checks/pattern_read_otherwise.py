"""`pattern-read-otherwise`: a text is taken for a regular expression, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from reflex_magic.checks.base import Check, count
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run


class PatternReadOtherwise(Check):
    """A `.str` method reads its argument otherwise than it is written.

    `contains`, `match` and `count` take a regular expression: "1.2" also finds "112", "(new)" does not find brackets.
    So does `split` for more than one character. `replace` takes a text unless it is told ``regex=True``, and
    ``replace("[$,]", "")`` changes nothing. Silent when both readings give the same for the data, and for patterns
    that nobody writes who means a text.

    Example
    -------
    ::

        import pandas as pd
        sales = pd.DataFrame({"price": ["$1,200", "$35", "$7"]})
        %%reflect
        sales["price"] = sales["price"].str.replace("[$,]", "")
        %%clean
        sales["price"] = sales["price"].str.replace("[$,]", "", regex=True)
    """

    name = "pattern-read-otherwise"

    def check(self, run: Run) -> Iterator[Finding]:  # noqa: D102
        for op in run.of("text"):
            f = op.facts
            texts = count(f["looked"], "text")
            if f.get("as_pattern"):
                message = (
                    f"`{f['method']}` reads its argument as a regular expression: in {f['as_pattern']:,} of {texts}"
                    " that is"
                    f" not what the text itself would give, which {f['held']:,} of them hold{'s' * (f['held'] == 1)}"
                )
                advice = "Escape it with re.escape(), or say regex=False where the method has it."
            elif f.get("as_text"):
                message = (
                    f"`{f['method']}` reads its argument as a text, which none of {texts} holds: nothing was"
                    " replaced. As a"
                    f" regular expression it is found in {f['as_text']:,}"
                )
                advice = "Say regex=True."
            else:
                continue
            told = {name: f[name] for name in ("rows", "looked", "held", "as_pattern", "as_text") if name in f}
            yield self.finding(op, Severity.MAY, message, advice, told)
