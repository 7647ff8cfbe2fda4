"""The walk-through notebook. This is its only source; ``python -m reflex_magic.demo DIR`` writes it."""

from __future__ import annotations

import json
from typing import Any

_STORY = [
    (
        "markdown",
        """
# Orders per region: from a first version to a right one

`orders.csv` holds 400 orders: `order_id`, `region`, `amount`, `order_date`, `customer_id`. Wanted: how many orders,
how much money and which average per region, the same per week, written to `result.json`.

Each cell below is what one would write first. Each one goes wrong, for a reason that is in the data. With
`%%reflect` on top the cell runs as always; when it fails, a repair is looked for, tried on a copy of the variables, and
kept only if every statement runs and everything the cell asserts is true. `--accept` lets a repair that is surely right
be taken without asking. No model is needed here, and nothing leaves your machine.
""",
    ),
    ("code", "%load_ext reflex_magic"),
    (
        "markdown",
        """
## 1. Read the file

Some other file once needed `encoding="latin1"`, so it is used here too. This file is UTF-8 and begins with a byte order
mark, three bytes that become part of the first column's name when they are read as latin1.
""",
    ),
    (
        "code",
        """
%%reflect --accept --goal "read the orders; each order occurs once"
import pandas as pd

orders = pd.read_csv("orders.csv", encoding="latin1")
assert orders["order_id"].is_unique
""",
    ),
    (
        "markdown",
        """
## 2. Count and add up per region

`amount` is text: `$129.99`, `$1,299.00`, and refunds as `($45.00)`. Once it is made a number, a second fault shows:
some orders have no region, and `groupby` leaves them out. The assertion at the end notices, because the groups no
longer add up to the rows. It is the analyst's own, and a repair may not touch it.
""",
    ),
    (
        "code",
        """
%%reflect --accept --goal "order count, total amount and average order value per region; every order counts"
orders["amount"] = orders["amount"].astype(float)
per_region = orders.groupby("region").agg(orders=("order_id", "count"), total=("amount", "sum"))
per_region["average"] = per_region["total"] / per_region["orders"]

assert per_region["orders"].sum() == len(orders)
""",
    ),
    (
        "markdown",
        """
## 3. Count per week

The shop is in Toronto. Daylight saving time began on 8 March, so the times carry two different UTC offsets. An order
late on Sunday evening is already Monday's in UTC: weeks have to be counted in local time.
""",
    ),
    (
        "code",
        """
%%reflect --accept --goal "order count and total amount per week from Monday on, in Toronto time"
local = pd.to_datetime(orders["order_date"]).dt.tz_convert("America/Toronto")
monday = local.dt.tz_localize(None).dt.to_period("W").dt.start_time
per_week = orders.groupby(monday.dt.strftime("%Y-%m-%d")).agg(orders=("order_id", "count"), total=("amount", "sum"))

assert per_week["orders"].sum() == len(orders)
""",
    ),
    (
        "markdown",
        """
## 4. Write the result

Now that we know of orders without a region, they get a name. The counts are numpy integers, which `json` does not
write.
""",
    ),
    (
        "code",
        """
%%reflect --accept --goal "write the figures per region and per week to result.json"
import json

per_region.index = per_region.index.fillna("(no region)")
result = {
    "orders": len(orders),
    "regions": {
        name: {
            "orders": per_region.loc[name, "orders"],
            "total": round(per_region.loc[name, "total"], 2),
            "average": round(per_region.loc[name, "average"], 2),
        }
        for name in per_region.index
    },
    "weeks": {
        week: {"orders": per_week.loc[week, "orders"], "total": round(per_week.loc[week, "total"], 2)}
        for week in per_week.index
    },
}
with open("result.json", "w") as file:
    json.dump(result, file, indent=2)
""",
    ),
    (
        "markdown",
        """
## The result, and the record

The figures as they were written:
""",
    ),
    (
        "code",
        """
with open("result.json") as file:
    written = json.load(file)
pd.DataFrame(written["regions"]).T.astype({"orders": int})
""",
    ),
    ("code", 'pd.DataFrame(written["weeks"]).T.astype({"orders": int})'),
    (
        "markdown",
        """
Everything that was found, tried and decided is kept in this notebook's outputs. It can also be written as a notebook of
its own, for whoever has to check the figures:
""",
    ),
    ("code", "%reflect audit save audit.ipynb"),
]


def notebook() -> dict[str, Any]:
    """The notebook (nbformat 4.5, no outputs), with cell ids that never change."""
    cells: list[dict[str, Any]] = []
    for number, (kind, text) in enumerate(_STORY, 1):
        source = text.strip("\n").splitlines(keepends=True)
        cell: dict[str, Any] = {"cell_type": kind, "id": f"orders-{number:02}", "metadata": {}, "source": source}
        cells.append(cell | {"execution_count": None, "outputs": []} if kind == "code" else cell)
    spec = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    metadata = {"kernelspec": spec, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def notebook_text() -> str:
    """The notebook as it stands in a file."""
    return json.dumps(notebook(), indent=1, ensure_ascii=False) + "\n"
