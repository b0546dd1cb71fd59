"""The program's version has one home, `app.__version__`."""

import re
import tomllib

import pytest
from httpx import AsyncClient
from packaging.version import Version
from prometheus_client.parser import text_string_to_metric_families

from app import __version__
from app.__main__ import main
from harness.paths import ROOT


def test_the_package_takes_its_version_from_the_program() -> None:
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in configuration["project"]
    assert configuration["project"]["dynamic"] == ["version"]
    assert configuration["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "app.__version__"}
    assert str(Version(__version__)) == __version__


def test_the_command_tells_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["fogline", "--version"])
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code == 0
    assert capsys.readouterr().out == f"fogline {__version__}\n"


async def test_health_metrics_and_start_page_tell_it(client: AsyncClient) -> None:
    assert (await client.get("/healthz")).text.splitlines()[1:] == [f"Fogline {__version__}"]
    families = text_string_to_metric_families((await client.get("/metrics")).text)
    [build] = [sample for family in families for sample in family.samples if sample.name == "fogline_build_info"]
    assert (build.labels, build.value) == ({"version": __version__}, 1)
    foot = re.search(r"<footer[^>]*>(.*?)</footer>", (await client.get("/")).text)
    assert foot is not None
    assert foot[1] == f"Fogline {__version__}"
