"""The OpenAPI document is complete and true: a fuzzer that knows it finds nothing."""

import threading
import time
from collections.abc import Generator
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from app.config import Settings
from app.main import create_app, server_of
from app.rooms import Code
from app.server import listen_at
from harness.callers import Json, settings_in
from harness.scale import scaled

Case = schemathesis.Case[Any]

few_or_many = pytest.mark.parametrize("examples", [5, pytest.param(scaled(30), marks=pytest.mark.slow)])


def fuzzed(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@cache
def document() -> Json:
    """What the application says of itself."""
    made: Json = create_app(Settings()).openapi()
    return made


CALLS = [(path, method) for path, methods in document()["paths"].items() for method in methods]
READ_BODIES = [
    (path, method) for path, method in CALLS if "requestBody" in document()["paths"][path][method] or "number" in path
]
"""The calls that say what they want, so that something else can be sent."""


@dataclass(frozen=True)
class Fuzzed:
    """A server, what it says of itself, and a host with rooms on it."""

    schema: Any
    headers: dict[str, str]
    codes: tuple[str, ...]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Fuzzed]:
    """A real server in a thread of its own, since the fuzzer is not asynchronous."""
    server = server_of(settings_in(tmp_path_factory.mktemp("fuzz")))
    thread = threading.Thread(target=server.run, args=[listen_at("127.0.0.1", 0)])
    thread.start()
    while not server.started:
        time.sleep(0.01)
    address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    with httpx.Client(base_url=address) as client:
        headers = {"Authorization": f"Bearer {client.post('/api/v1/players', json={'name': 'Ann'}).json()['token']}"}
        codes = (lobby(client, headers), game(client, headers))
    yield Fuzzed(schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json"), headers, codes)
    server.should_exit = True
    thread.join()


def lobby(client: httpx.Client, headers: dict[str, str]) -> str:
    """A room that waits for players."""
    code: str = client.post("/api/v1/rooms", json={"seats": 4}, headers=headers).json()["code"]
    return code


def game(client: httpx.Client, headers: dict[str, str]) -> str:
    """A room in which a bot plays along."""
    code = lobby(client, headers)
    client.post(f"/api/v1/rooms/{code}/bots", json={"level": "easy"}, headers=headers)
    assert client.post(f"/api/v1/rooms/{code}/start", headers=headers).status_code == 200
    return code


def holds(case: Case, **call: Any) -> None:
    """The answer is one that the document declares; no schema can say which names are good."""
    case.call_and_validate(excluded_checks=[positive_data_acceptance] if "players" in case.path else [], **call)


@few_or_many
@pytest.mark.parametrize(("path", "method"), CALLS)
def test_strangers_with_what_the_document_asks_for(server: Fuzzed, path: str, method: str, examples: int) -> None:
    @fuzzed(examples)
    @given(case=server.schema[path][method.upper()].as_strategy())
    def check(case: Case) -> None:
        holds(case)

    check()


@few_or_many
@pytest.mark.parametrize(("path", "method"), READ_BODIES)
def test_strangers_with_something_else(server: Fuzzed, path: str, method: str, examples: int) -> None:
    operation = server.schema[path][method.upper()]

    @fuzzed(examples)
    @given(case=operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))
    def check(case: Case) -> None:
        holds(case)

    check()


@few_or_many
@pytest.mark.parametrize("room", [0, 1])
@pytest.mark.parametrize(("path", "method"), [call for call in CALLS if "{code}" in call[0]])
def test_a_host_in_a_lobby_and_in_a_game(server: Fuzzed, path: str, method: str, room: int, examples: int) -> None:
    @fuzzed(examples)
    @given(case=server.schema[path][method.upper()].as_strategy())
    def check(case: Case) -> None:
        case.path_parameters["code"] = server.codes[room]
        answer = case.call(headers=server.headers)
        case.validate_response(answer, excluded_checks=[positive_data_acceptance])

    check()


def test_every_refusal_is_a_problem_with_a_code_of_the_contract() -> None:
    schemas = document()["components"]["schemas"]
    assert schemas["Code"]["enum"] == list(Code)
    for path, method in CALLS:
        for status, answer in document()["paths"][path][method]["responses"].items():
            if status >= "400":
                assert list(answer["content"]) == ["application/problem+json"], (path, method, status)


def test_every_call_of_the_contract_is_there() -> None:
    assert [(method.upper(), path) for path, method in CALLS] == [
        ("POST", "/api/v1/players"),
        ("GET", "/api/v1/players/me"),
        ("PATCH", "/api/v1/players/me"),
        ("GET", "/api/v1/players/me/devices"),
        ("DELETE", "/api/v1/players/me/devices"),
        ("DELETE", "/api/v1/players/me/devices/{device}"),
        ("POST", "/api/v1/links"),
        ("POST", "/api/v1/links/owner"),
        ("POST", "/api/v1/links/use"),
        ("GET", "/api/v1/rooms"),
        ("POST", "/api/v1/rooms"),
        ("GET", "/api/v1/rooms/{code}"),
        ("PATCH", "/api/v1/rooms/{code}"),
        ("POST", "/api/v1/rooms/{code}/join"),
        ("POST", "/api/v1/rooms/{code}/guests"),
        ("POST", "/api/v1/rooms/{code}/leave"),
        ("POST", "/api/v1/rooms/{code}/invitations"),
        ("GET", "/api/v1/rooms/{code}/bars"),
        ("POST", "/api/v1/rooms/{code}/bars"),
        ("DELETE", "/api/v1/rooms/{code}/bars/{player}"),
        ("POST", "/api/v1/rooms/{code}/bots"),
        ("DELETE", "/api/v1/rooms/{code}/seats/{number}"),
        ("POST", "/api/v1/rooms/{code}/start"),
        ("POST", "/api/v1/rooms/{code}/act"),
        ("POST", "/api/v1/rooms/{code}/talk"),
        ("GET", "/api/v1/rooms/{code}/messages"),
        ("GET", "/api/v1/rooms/{code}/view"),
        ("GET", "/api/v1/rooms/{code}/record"),
        ("POST", "/api/v1/rooms/{code}/rematch"),
        ("GET", "/api/v1/boards/{board_id}"),
        ("GET", "/healthz"),
        ("GET", "/readyz"),
        ("GET", "/metrics"),
    ]
