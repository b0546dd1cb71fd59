"""What the compose file hands to the containers."""

from typing import Any

import yaml

from app.config import PREFIX, Settings
from harness.paths import ROOT

NOT_PASSED = {
    "host": "the image listens on all addresses of its container",
    "port": "FOGLINE_PUBLISH says at which port the host shows it",
    "metrics_port": "the image has one of its own",
    "data_dir": "the image has a volume there",
    "boards_dir": "needs a volume besides",
    "rate_limits": "only load tests go without",
}
"""Settings that the compose file does not pass on, and why."""

ONE_PROCESS = {"database_url", "bus_url"}
"""Settings that the single process has no use for: it runs on SQLite and its own bus."""

SEVERAL_PROCESSES = {"base_path"}
"""Settings that the proxy of the file has no use for."""


def passed(service: str) -> set[str]:
    services: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))["services"]
    return {name.removeprefix(PREFIX).lower() for name in services[service]["environment"]}


def test_every_setting_is_passed_on_or_left_out_for_a_reason() -> None:
    settings = set(Settings.model_fields) - set(NOT_PASSED)
    assert passed("fogline") == settings - ONE_PROCESS
    assert passed("app") == settings - SEVERAL_PROCESSES
