"""Damage is reported once."""

import pytest
import structlog
from structlog.testing import capture_logs

from app.store import DamagedRowError, damage
from app.store.damage import DamageReports


def test_each_damage_is_told_once_while_it_is_among_the_latest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(damage, "MOST_KNOWN", 2)
    monkeypatch.setattr(damage, "log", structlog.get_logger())  # of its own: one that was used may keep its way
    reports = DamageReports()
    with capture_logs() as log:
        for code in ("A", "B", "A", "C", "B", "A"):
            reports.report(DamagedRowError("room", code, "for a test"))
    assert [entry["detail"] for entry in log] == [
        str(DamagedRowError("room", code, "for a test")) for code in ("A", "B", "C", "A")
    ]
