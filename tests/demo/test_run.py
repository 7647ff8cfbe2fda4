"""`make demo`, as a newcomer runs it: headless, without a model, on the real file."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import defaultdict
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import nbformat
import pytest

from reflex_magic.audit import from_notebook, read, verify

SCRIPT = Path(__file__).parents[2] / "scripts" / "demo"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "out"
    done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder, done.stdout


@pytest.fixture(scope="module")
def executed(ran):
    return nbformat.read(ran[0] / "orders-executed.ipynb", as_version=4)


@pytest.fixture(scope="module")
def orders(ran):
    with (ran[0] / "orders.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def cents(text: str) -> Decimal:
    amount = Decimal(text.strip("()").lstrip("$").replace(",", ""))
    return -amount if text.startswith("(") else amount


def rounded(amount: Decimal) -> float:
    return pytest.approx(float(amount), abs=0.005001)


def test_the_figures_per_region_are_right(ran, orders):
    per_region = defaultdict(list)
    for row in orders:
        per_region[row["region"] or "(no region)"].append(cents(row["amount"]))
    result = json.loads((ran[0] / "result.json").read_text())
    assert result["orders"] == len(orders)
    assert result["regions"] == {
        region: {
            "orders": len(amounts),
            "total": rounded(sum(amounts)),
            "average": rounded(sum(amounts) / len(amounts)),
        }
        for region, amounts in per_region.items()
    }


def test_the_weeks_are_those_of_the_shop(ran, orders):
    per_week = defaultdict(list)
    for row in orders:
        local = datetime.fromisoformat(row["order_date"]).date()
        per_week[str(local - timedelta(days=local.weekday()))].append(cents(row["amount"]))
    result = json.loads((ran[0] / "result.json").read_text())
    assert result["weeks"] == {
        week: {"orders": len(amounts), "total": rounded(sum(amounts))} for week, amounts in per_week.items()
    }


def test_every_first_version_failed_and_was_repaired_without_a_model(executed):
    reports = [read(r) for r in from_notebook(executed)]
    assert [r.status for r in reports] == ["repaired"] * 4
    assert [r.outcome["ename"] for r in reports] == ["KeyError", "ValueError", "ValueError", "TypeError"]
    assert {r.tokens.total for r in reports} == {0}
    assert all(r.decision.who == "policy" for r in reports)
    assert [all(c.held for c in r.conditions) for r in reports] == [True] * 4


def test_the_executed_notebook_shows_no_error_and_its_chain_is_whole(executed):
    assert not [o for c in executed.cells for o in c.get("outputs", ()) if o.output_type == "error"]
    assert verify(from_notebook(executed)) == []


def test_the_audit_notebook_holds_what_the_executed_one_shows(ran, executed):
    audit = nbformat.read(ran[0] / "audit.ipynb", as_version=4)
    nbformat.validate(audit)
    assert [r["digest"] for r in from_notebook(executed)] == [
        r["digest"] for r in from_notebook(audit) if r["status"] != "passed"
    ]


def test_the_summary_tells_what_was_wrong_and_where_to_look(ran):
    for word in ("400 orders", "failed", "because", "changed", "Québec", "(no region)", "audit.ipynb", "result.json"):
        assert word in ran[1], word
