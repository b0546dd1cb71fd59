"""The private names of uvicorn and websockets that the connection layer uses: each must exist, with its signature.

If this fails after an upgrade, compare both versions of the base class before changing the range in pyproject.toml.
"""

import ast
import asyncio
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.server import ServerProtocol

from app.main import server_of
from app.server import HttpProtocol, WebSocketProtocol
from app.server.refusals import Handshake
from harness.callers import settings_in

PAIRS: list[tuple[type[Any], type[Any]]] = [
    (HttpProtocol, HttpToolsProtocol),
    (WebSocketProtocol, WebSocketsSansIOProtocol),
]

MADE_LATER = {"scope", "url", "response", "request"}
"""Attributes that the base class sets after its construction."""


def names_of_base(ours: type[Any]) -> set[str]:
    """What the methods of a class use of `self` or `super()`."""
    [tree] = ast.parse(inspect.cleandoc("\n" + inspect.getsource(ours))).body
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and (
            (isinstance(node.value, ast.Name) and node.value.id == "self")
            or (isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "super")
        )
    }


def own_names(ours: type[Any]) -> set[str]:
    """What a class declares itself. An attribute that it only assigns must exist in the base class."""
    return set(vars(ours)) | set(ours.__annotations__)


@pytest.mark.parametrize(("ours", "base"), PAIRS)
async def test_every_name_used_of_a_base_class_is_there(ours: type[Any], base: type[Any], tmp_path: Path) -> None:
    config = server_of(settings_in(tmp_path)).config
    instance = base(config, ServerState(), {}, asyncio.get_running_loop())
    used = names_of_base(ours) - (own_names(ours) - set(vars(base))) - MADE_LATER
    assert len(used) > 10
    assert {name for name in used if not hasattr(instance, name)} == set()


@pytest.mark.parametrize(("ours", "base"), PAIRS)
def test_every_overridden_method_has_the_parameters_of_its_base(ours: type[Any], base: type[Any]) -> None:
    overridden = overridden_of(ours, base)
    assert len(overridden) > 5
    assert [name for name in overridden if not has_parameters_of_base(ours, base, name)] == []


def test_what_is_overridden_of_websockets_has_the_parameters_of_its_base() -> None:
    overridden = overridden_of(Handshake, ServerProtocol) - {"__init__"}
    assert overridden == {"recv_frame", "reject", "send_response"}
    assert [name for name in overridden if not has_parameters_of_base(Handshake, ServerProtocol, name)] == []


def overridden_of(ours: type[Any], base: type[Any]) -> set[str]:
    """The methods that a class and its base both have."""
    return {name for name, value in vars(ours).items() if inspect.isfunction(value) and hasattr(base, name)}


def has_parameters_of_base(ours: type[Any], base: type[Any], name: str) -> bool:
    return parameters(getattr(ours, name)) == parameters(getattr(base, name))


def parameters(function: Callable[..., Any]) -> list[str]:
    """The names in order."""
    return list(inspect.signature(function).parameters)


def test_names_set_later_are_set_by_the_base_classes() -> None:
    source = inspect.getsource(HttpToolsProtocol) + inspect.getsource(WebSocketsSansIOProtocol)
    assert {name for name in MADE_LATER if f"self.{name} = " not in source and f"self.{name}:" not in source} == set()


def test_the_pinned_range_is_the_installed_version() -> None:
    assert uvicorn.__version__.startswith("0.54.")


@pytest.mark.parametrize(
    ("owner", "names"),
    [
        (RequestResponseCycle, ["response_complete", "more_body", "keep_alive"]),
        (ServerProtocol, ["close_sent", "current_size", "handshake_exc"]),
    ],
)
def test_names_used_of_helpers_are_there(owner: type[Any], names: list[str]) -> None:
    source = "".join(inspect.getsource(each) for each in owner.__mro__[:-1])
    assert {name for name in names if f"self.{name}" not in source} == set()


def test_trusted_hosts_are_lists_of_addresses_and_networks_or_all() -> None:
    """`app/web/proxies.py` asks uvicorn's private class, so that both of us believe the same proxies."""
    trusted = _TrustedHosts(["10.0.0.0/8", "::1", "192.0.2.7"])
    asked = ["10.1.2.3", "::1", "192.0.2.7", "11.0.0.1", "::2", "nobody"]
    assert [address in trusted for address in asked] == [True, True, True, False, False, False]
    assert "11.0.0.1" in _TrustedHosts(["*"])
    assert "127.0.0.1" not in _TrustedHosts([])
