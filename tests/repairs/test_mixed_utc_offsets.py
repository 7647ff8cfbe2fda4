"""Times with different UTC offsets: read as UTC only where the cell names a zone at once."""

from __future__ import annotations

import pytest

import reflex_magic

SETUP = """
import pandas as pd
trips = pd.DataFrame({"start": ["2024-03-30T23:30:00+01:00", "2024-03-31T23:30:00+02:00"]})
"""


def reflected(cell: str, setup: str = SETUP):
    namespace: dict[str, object] = {}
    exec(setup, namespace)
    return reflex_magic.reflect(cell, namespace, accept=True, use_model=False), namespace


@pytest.mark.parametrize(
    "cell",
    [
        'days = pd.to_datetime(trips["start"]).dt.tz_convert("Europe/Rome").dt.day',
        't = pd.to_datetime(trips["start"])\nt = t.dt.tz_convert("Europe/Rome")\ndays = t.dt.day',
        'trips["t"] = pd.to_datetime(trips["start"])\n'
        'trips["t"] = trips["t"].dt.tz_convert("Europe/Rome")\ndays = trips["t"].dt.day',
    ],
)
def test_repairs_where_the_zone_is_named(cell):
    report, namespace = reflected(cell)
    assert report.status == "repaired"
    assert list(namespace["days"]) == [30, 31]


@pytest.mark.parametrize(
    "cell",
    [
        'days = pd.to_datetime(trips["start"]).dt.day',
        'days = pd.to_datetime(trips["start"]).dt.tz_convert(None).dt.day',
        't = pd.to_datetime(trips["start"])\ndays = t.dt.day\nt = t.dt.tz_convert("Europe/Rome")',
    ],
)
def test_offers_where_days_would_be_those_of_utc(cell):
    report, namespace = reflected(cell)
    assert report.status == "pending"
    assert report.proposals[0].origin == "rule:mixed-utc-offsets"
    assert "UTC" in report.proposals[0].evidence
    assert "days" not in namespace


@pytest.mark.parametrize(
    "cell",
    [
        'pd.to_datetime(trips["start"], utc=False).dt.tz_convert("Europe/Rome")',
        'pd.to_datetime(trips["start"] + "x").dt.tz_convert("Europe/Rome")',
    ],
)
def test_is_silent_where_it_cannot_be_sure(cell):
    report, _ = reflected(cell)
    assert not [p for p in report.proposals if p.origin == "rule:mixed-utc-offsets"]
