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
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.server import ServerProtocol

from app.main import server_of
from app.server import HttpProtocol, WebSocketProtocol
from tests.web.callers import settings_in

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
    overridden = {name for name, value in vars(ours).items() if inspect.isfunction(value) and hasattr(base, name)}
    assert len(overridden) > 5
    different = {name for name in overridden if parameters(getattr(ours, name)) != parameters(getattr(base, name))}
    assert different == set()


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
        (ServerProtocol, ["close_sent", "handshake_exc"]),
    ],
)
def test_names_used_of_helpers_are_there(owner: type[Any], names: list[str]) -> None:
    source = "".join(inspect.getsource(each) for each in owner.__mro__[:-1])
    assert {name for name in names if f"self.{name}" not in source} == set()
