"""``orders.csv``: six weeks of a Canadian shop, as its till exports them.

Everything follows from the row number by plain arithmetic, so that the file is the same with every
version of every library. What an analyst trips over is all in there:

- a byte order mark at the start, and accents: read as latin1, the first column is ``ï»¿order_id``
- amounts as text: ``$129.99``, ``$1,299.00``, refunds in parentheses as ``($45.00)``
- local times with their UTC offset, which changes when daylight saving time begins
- orders late on Sunday evening, which are Monday's in UTC
- orders without a region
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

ROWS = 400
REGIONS = ("Québec", "Ontario", "Prairies", "Pacific", "Atlantic")

_START = datetime(2026, 2, 23, 5, tzinfo=UTC)
"""Monday 00:00 in Toronto."""
_SUMMER_BEGINS = datetime(2026, 3, 8, 7, tzinfo=UTC)
_WINTER, _SUMMER = timezone(timedelta(hours=-5)), timezone(timedelta(hours=-4))


def csv_bytes() -> bytes:
    """The whole file, UTF-8 with a byte order mark."""
    lines = ["order_id,region,amount,order_date,customer_id"]
    lines += [
        ",".join((str(20001 + i), _region(i), _amount(i), _when(i), f"C{1000 + i * 37 % 131}")) for i in range(ROWS)
    ]
    return ("\n".join(lines) + "\n").encode("utf-8-sig")


def _region(i: int) -> str:
    return "" if i % 19 == 7 else REGIONS[(i * 7 + i // 6) % len(REGIONS)]


def _amount(i: int) -> str:
    cents = 999 + (i * i * 113 + i * 7919) % 24000
    if i % 11 == 4:
        cents += 100_000
    if i % 53 == 20:
        cents = -4500
    text = f"${abs(cents) // 100:,}.{abs(cents) % 100:02}"
    if cents < 0:
        text = f"({text})"
    return f'"{text}"' if "," in text else text


def _when(i: int) -> str:
    moment = _START + timedelta(minutes=151 * i + i * i * 17 % 149)
    return moment.astimezone(_SUMMER if moment >= _SUMMER_BEGINS else _WINTER).isoformat()
