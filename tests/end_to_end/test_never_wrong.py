"""Failures with a tempting wrong repair: accepting whatever is safe must not commit it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import reflex_magic

IMPORTS = "import json\nfrom pathlib import Path\nimport pandas as pd\n"


@dataclass(frozen=True)
class Trap:
    """A cell that fails, the goal that tells what is right, and the expression whose value proves it."""

    goal: str
    setup: str
    cell: str
    result: str
    right: Any


TRAPS = {
    "employer, beside employee": Trap(
        "Count the injured persons per employer.",
        "claims = pd.DataFrame({'claim': [1, 2, 3], 'employee_id': [11, 12, 11]})",
        "per = claims.groupby('employer_id').size()",
        "dict(per)",
        None,
    ),
    "a price in dollars, beside euro": Trap(
        "Total of the prices in euro; a euro is 1.25 dollars.",
        "prices = pd.DataFrame({'price ($)': [5.0, 10.0]})",
        "total = prices['price (€)'].sum()",
        "total",
        12.0,
    ),
    "a frame's size, beside the column": Trap(
        "Area times price.",
        "plots = pd.DataFrame({'size': [2.0, 3.0], 'price': [10.0, 20.0]})",
        "total = (plots.Size * plots.price).sum()",
        "total",
        80.0,
    ),
    "the file of another day": Trap(
        "Units of 12 January.",
        "_ = Path('units_2024_11_2.csv').write_text('units\\n1\\n')",
        "units = pd.read_csv('units_2024_1_12.csv')['units'].sum()",
        "units",
        None,
    ),
    "Polish towns": Trap(
        "Shops per town.",
        "_ = Path('shops.csv').write_bytes('town,n\\nGdańsk,3\\nKraków,4\\n'.encode('cp1250'))",
        "towns = list(pd.read_csv('shops.csv')['town'])",
        "towns",
        ["Gdańsk", "Kraków"],
    ),
    "points that part thousands": Trap(
        "Takings in whole euro.",
        "_ = Path('till.csv').write_text('till;takings\\nA;1.234\\nB;980\\nC;12.500\\n')",
        "total = pd.read_csv('till.csv')['takings'].sum()",
        "total",
        14714,
    ),
    "no discount": Trap(
        "Average discount over all orders.",
        "orders = pd.DataFrame({'discount': ['5', 'none', '10', 'none']})",
        "mean = orders['discount'].astype(float).mean()",
        "mean",
        3.75,
    ),
    "a code and a number joined": Trap(
        "A key for every visit: the store code and then the day, as in 0141.",
        "visits = pd.DataFrame({'store': ['014', '020'], 'day': [1, 2]})",
        "keys = list(visits['store'] + visits['day'])",
        "keys",
        ["0141", "0202"],
    ),
    "ages found among ids": Trap(
        "Orders with the customer's town.",
        "orders = pd.DataFrame({'customer_age': [21, 22], 'buyer': ['C-22', 'C-21']})\n"
        "customers = pd.DataFrame({'customer_id': [21, 22, 23], 'town': ['A', 'B', 'C']})",
        "towns = list(orders.merge(customers, on='customer_id')['town'])",
        "towns",
        ["B", "A"],
    ),
    "five minutes": Trap(
        "Mean load in bins of five minutes.",
        "load = pd.Series(range(20), index=pd.date_range('2024-05-01 10:00', periods=20, freq='min'))",
        "n = len(load.resample('5M').mean())",
        "n",
        4,
    ),
    "append that gives back to nobody": Trap(
        "Total of all days.",
        "days = [{'x': 5}, {'x': 6}]",
        "log = pd.DataFrame({'x': [0]})\nfor row in days:\n    log.append(row, ignore_index=True)\n"
        "total = int(log['x'].sum())",
        "total",
        11,
    ),
    "keys in another spelling": Trap(
        "Every order with its courier; all orders have one.",
        "orders = pd.DataFrame({'order': ['A1', 'A2'], 'eur': [20.0, 35.0]})\n"
        "couriers = pd.DataFrame({'order': ['A1', 'a2 '], 'courier': ['bike', 'van']})",
        "report = orders.merge(couriers, on='order')\nassert len(report) == len(orders)",
        "list(report['courier'])",
        ["bike", "van"],
    ),
}


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
def test_no_wrong_repair_is_committed(here: Path, trap: Trap) -> None:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(IMPORTS + trap.setup, namespace)
    report = reflex_magic.reflect(trap.cell, namespace, goal=trap.goal, accept=True, use_model=False)
    assert report.outcome["class"] in ("error", "resource", "wrong-result"), "the cell fails"
    if report.status == "repaired":
        assert eval(trap.result, namespace) == trap.right, report.proposals[0].title
    else:
        assert report.status in ("pending", "unresolved")
        assert report.source == trap.cell
