"""The examples for proxies, each in front of a real server under a path."""

import asyncio
import json
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
import yaml
from websockets.asyncio.client import ClientConnection, connect
from websockets.frames import Frame, Opcode
from websockets.protocol import Event

from app.cli.proxy import look_through
from app.server.config import KEEP_ALIVE, PING_EVERY
from harness.equipment import find_program
from harness.forked import ForkedSite
from harness.processes import PATIENCE, ChildProcess, free_port, make_folder
from harness.site import Site

DEPLOY = Path(__file__).parents[2] / "deploy"
BASE = "/games/sf"

NGINX = """
daemon off;
pid {folder}/pid;
error_log {folder}/error;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {example}
}}
"""


class Proxy:
    """A proxy with an example of ours as its configuration."""

    def __init__(self, kind: str, upstream: int, example: str) -> None:
        self.port = free_port()
        self.folder = make_folder("proxy", None)
        command = getattr(self, f"_{kind}")(example.replace("127.0.0.1:8000", f"127.0.0.1:{upstream}"))
        self._server = ChildProcess(command, self.folder, ending="KILL", user=None)
        self._wait()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _nginx(self, example: str) -> list[str]:
        placed = example.replace("listen 80;", f"listen 127.0.0.1:{self.port};")
        (self.folder / "nginx.conf").write_text(NGINX.format(folder=self.folder, example=placed))
        return [find_program("nginx"), "-p", str(self.folder), "-c", "nginx.conf", "-e", "error"]

    def _caddy(self, example: str) -> list[str]:
        placed = re.sub(r"^fog\.example\.org", f"http://127.0.0.1:{self.port}", example, flags=re.MULTILINE)
        (self.folder / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{placed}")
        return [find_program("caddy"), "run", "--config", "Caddyfile", "--adapter", "caddyfile"]

    def _wait(self) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                httpx.get(f"{self.address}{BASE}/healthz", trust_env=False)
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return
        raise RuntimeError((self.folder / "log").read_text())

    def close(self) -> None:
        self._server.stop(signal.SIGTERM)
        shutil.rmtree(self.folder)


class QuickSite(ForkedSite):
    """Pings its sockets ten times more often."""

    main = ("tests.deploy.server_with_quick_pings",)


@pytest.fixture(scope="module", params=["base path", "base path/"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server under a path, said with a slash at its end or without."""
    path = BASE + request.param.removeprefix("base path")
    site = ForkedSite(tmp_path_factory.mktemp("site"), base_path=path)
    yield site
    site.stop()


@pytest.fixture(params=["nginx", "caddy"])
def proxy(request: pytest.FixtureRequest, site: Site) -> Iterator[Proxy]:
    example = DEPLOY / {"nginx": "nginx.conf", "caddy": "Caddyfile"}[request.param]
    proxy = Proxy(request.param, site.port, example.read_text())
    yield proxy
    proxy.close()


@pytest.mark.slow
async def test_BUG1402_a_game_is_begun_through_the_proxy_and_stays_below_its_path(proxy: Proxy) -> None:
    async with httpx.AsyncClient(base_url=proxy.address, trust_env=False, headers={"Origin": proxy.address}) as web:
        made = await web.post(f"{BASE}/api/v1/players", json={"name": "Ann"})
        assert f"path={BASE};" in made.headers["set-cookie"].lower() + ";"
        room = (await web.post(f"{BASE}/api/v1/rooms", json={"seats": 2})).raise_for_status().json()
        assert room["url"] == f"{proxy.address}{BASE}/t/{room['code']}"
        for page in (f"{BASE}/", urlsplit(room["url"]).path):
            await everything_below(web, page)
        cookie = "; ".join(f"{name}={value}" for name, value in web.cookies.items())
    address = f"{proxy.address.replace('http', 'ws')}{BASE}/ws/v1/rooms/{room['code']}"
    async with connect(address, origin=proxy.address, additional_headers={"Cookie": cookie}, proxy=None) as line:  # type: ignore[arg-type]
        first = json.loads(await line.recv())
        assert first["room"]["seats"][0]["name"] == "Ann"


async def everything_below(web: httpx.AsyncClient, path: str) -> None:
    """A page and all it names in its own text, which has to be there and below the path."""
    page = (await web.get(path)).raise_for_status()
    named = {name for name in re.findall(r'(?:src|href|action)="([^"#]+)"', page.text) if not name.startswith("data:")}
    assert any(name.endswith(".js") for name in named)
    for name in named:
        target = urlsplit(urljoin(str(page.url), name)).path
        assert target.startswith(f"{BASE}/"), name
        assert (await web.get(target)).status_code in (200, 405), name


@pytest.mark.slow
def test_check_finds_nothing_to_fix_through_the_proxy(proxy: Proxy) -> None:
    found = list(look_through(proxy.address + BASE))
    assert [text for fine, text in found if not fine] == []
    assert len(found) == 3


@pytest.mark.slow
def test_the_figures_of_a_process_are_not_for_visitors_of_the_proxy(proxy: Proxy, site: Site) -> None:
    assert httpx.get(f"http://127.0.0.1:{site.port}{BASE}/metrics", trust_env=False).status_code == 200
    for path in ("metrics", "./metrics", "x/../metrics", "%6detrics", "/metrics", "metrics?x=1"):
        assert httpx.get(f"{proxy.address}{BASE}/{path}", trust_env=False).status_code == 404, path


class CountsPings(ClientConnection):
    """A socket that notes the server's pings, which it answers by itself."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pings = asyncio.Semaphore(0)

    def process_event(self, event: Event) -> None:
        if isinstance(event, Frame) and event.opcode is Opcode.PING:
            self.pings.release()
        super().process_event(event)


@pytest.mark.slow
async def test_BUG1403_a_silent_socket_outlives_the_limit_of_nginx(tmp_path: Path) -> None:
    """Here its 60 seconds and the 20 between two pings of the server are ten times shorter."""
    assert PING_EVERY == 20
    site = QuickSite(tmp_path / "data", base_path=BASE)
    example = (DEPLOY / "nginx.conf").read_text().replace("proxy_pass", "proxy_read_timeout 6s;\n proxy_pass")
    proxy = Proxy("nginx", site.port, example)
    headers = {"Origin": proxy.address}
    async with httpx.AsyncClient(base_url=proxy.address, trust_env=False, headers=headers) as web:
        token = (await web.post(f"{BASE}/api/v1/players", json={"name": "Ann"})).json()["token"]
        bearer = {"Authorization": f"Bearer {token}"}
        room = (await web.post(f"{BASE}/api/v1/rooms", json={"seats": 2}, headers=bearer)).json()
    address = f"{proxy.address.replace('http', 'ws')}{BASE}/ws/v1/rooms/{room['code']}"
    async with connect(
        address, additional_headers=bearer, ping_interval=None, proxy=None, create_connection=CountsPings
    ) as line:
        assert isinstance(line, CountsPings)
        await line.recv()
        for _ in range(4):  # eight seconds, in which nothing else is sent
            await asyncio.wait_for(line.pings.acquire(), PATIENCE)
        await line.send('{"type":"ping"}')
        while json.loads(await line.recv()) != {"type": "pong"}:
            pass
    proxy.close()
    site.stop()


@pytest.mark.slow
async def test_no_request_is_lost_when_it_comes_as_a_connection_grows_old(proxy: Proxy) -> None:
    """The server must keep idle connections for longer than the proxy does, which holds some open to it.

    uvicorn's own 5 seconds lost requests that came just as they were over.
    """
    assert KEEP_ALIVE > 120, "Caddy keeps them for two minutes, Traefik for 90 seconds, nginx for 60"
    async with httpx.AsyncClient(base_url=proxy.address, trust_env=False) as web:

        async def ask(after: float) -> int:
            await web.get(f"{BASE}/healthz")
            await asyncio.sleep(after)
            return (await web.get(f"{BASE}/healthz")).status_code

        answers = await asyncio.gather(*(ask(4.9 + number * 0.005) for number in range(60)))
    assert answers == [200] * 60


@pytest.mark.slow
@pytest.mark.parametrize(
    ("left_out", "said"),
    [
        (r"proxy_set_header (Upgrade|Connection) .*", "does not let WebSockets through"),
        (r"proxy_set_header Host .*", "host or scheme are not passed on"),
    ],
)
def test_BUG1401_check_names_what_a_proxy_leaves_out(site: Site, left_out: str, said: str) -> None:
    proxy = Proxy("nginx", site.port, re.sub(left_out, "", (DEPLOY / "nginx.conf").read_text()))
    wrong = [text for fine, text in look_through(proxy.address + BASE) if not fine]
    proxy.close()
    assert said in wrong[0]


@pytest.mark.slow
def test_caddy_understands_the_proxy_of_the_compose_file() -> None:
    command = [
        find_program("caddy"),
        "validate",
        "--adapter",
        "caddyfile",
        "--config",
        str(DEPLOY / "compose.Caddyfile"),
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_example_for_traefik_says_the_same() -> None:
    """Traefik is in no Debian; that the file is sound, and names path and server, is all that is tested."""
    http = yaml.safe_load((DEPLOY / "traefik.yml").read_text())["http"]
    [router] = http["routers"].values()
    assert f"PathPrefix(`{BASE}`) && !Path(`{BASE}/metrics`)" in router["rule"]
    balancer = http["services"][router["service"]]["loadBalancer"]
    assert balancer["servers"] == [{"url": "http://127.0.0.1:8000"}]
    assert balancer["healthCheck"]["path"].startswith(BASE)
