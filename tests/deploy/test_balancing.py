"""The proxies' examples with several processes: what belongs to a room goes to one of them."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from tests.deploy.test_proxies import BASE, DEPLOY, Proxy

ROOMS = [f"ABCD23{number:02}" for number in range(30)]


@contextmanager
def answering() -> Iterator[int]:
    """A server that answers everything with its port, which is given."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = str(self.connection.getsockname()[1]).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def nginx(ports: list[int]) -> str:
    servers = " ".join(f"server 127.0.0.1:{port};" for port in ports)
    return (DEPLOY / "nginx.conf").read_text().replace("server 127.0.0.1:8000;", servers)


def caddy(ports: list[int]) -> str:
    example = (DEPLOY / "compose.Caddyfile").read_text().replace("{$FOGLINE_DOMAIN:localhost}", "fog.example.org")
    places = " ".join(f"127.0.0.1:{port}" for port in ports)
    return re.sub(r"dynamic a app 8000 \{.*?\}", f"to {places}", example, flags=re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("example", [nginx, caddy], ids=lambda example: example.__name__)
def test_a_room_is_served_by_one_process_and_rooms_by_all(example: Callable[[list[int]], str]) -> None:
    with ExitStack() as stack:
        ports = [stack.enter_context(answering()) for _ in range(3)]
        proxy = Proxy(example.__name__, 0, example(ports))
        stack.callback(proxy.close)
        web = stack.enter_context(httpx.Client(base_url=f"{proxy.address}{BASE}", trust_env=False))

        def served(path: str) -> str:
            return web.get(path, headers={"X-Fogline-Room": "chosen"}).raise_for_status().text

        paths = "/api/v1/rooms/{0}/messages?session=a&after=1", "/api/v1/rooms/{0}/act", "/ws/v1/rooms/{0}"
        by_room = [{served(path.format(room)) for path in paths for _ in range(3)} for room in ROOMS]
        assert [len(each) for each in by_room] == [1] * len(ROOMS)
        assert set.union(*by_room) == set(map(str, ports))
        assert {served("/") for _ in range(60)} == set(map(str, ports))
