"""With a port of their own the metrics are reached there and nowhere else."""

from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from harness.forked import ForkedSite
from harness.processes import free_port


@pytest.mark.parametrize("base", ["", "/games/sf"])
def test_metrics_are_at_their_own_port_only(tmp_path: Path, base: str) -> None:
    port = free_port()
    site = ForkedSite(tmp_path / "data", metrics_port=str(port), base_path=base)
    try:
        there, elsewhere = f"http://127.0.0.1:{port}{base}", f"http://127.0.0.1:{site.port}{base}"
        assert "fogline_rooms 0.0" in httpx.get(f"{there}/metrics").text
        assert httpx.get(f"{elsewhere}/metrics").status_code == 404
        assert httpx.get(f"{elsewhere}/healthz").status_code == 200
        for path in ("/", "/healthz", "/api/v1/rooms", "/static/js/pages/table.js"):
            assert httpx.get(f"{there}{path}").status_code == 404
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"ws://127.0.0.1:{port}{base}/ws/v1/rooms/AAAAAAAA")
    finally:
        site.stop()


def test_metrics_are_at_the_only_port_there_is(tmp_path: Path) -> None:
    site = ForkedSite(tmp_path / "data")
    try:
        assert httpx.get(f"http://127.0.0.1:{site.port}/metrics").status_code == 200
    finally:
        site.stop()
