"""The settings, read from the environment; only `main` knows them and hands their values down."""

import os
import re
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "FOGLINE_"

_ORIGIN = re.compile(r"(https?)://([^\s/?#@:\[\]]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?/?")
_USUAL_PORTS = {"http": ":80", "https": ":443"}
_RATE = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")
_WITH_PASSWORDS = ("database_url", "bus_url")


class SettingsError(Exception):
    """A setting is wrong: the text names it, its value and what is allowed, a line for each."""


def _base_path(value: str) -> str:
    path = "/" + value.strip("/")
    if not re.fullmatch(r"/|(/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+)+", path):
        raise ValueError("a path such as / or /games/fogline")
    return path.rstrip("/")


def _origin(value: str) -> str:
    """An origin as browsers say it: in small letters, without the port that goes without saying."""
    found = _ORIGIN.fullmatch(value.strip().lower())
    if found is None:
        raise ValueError("addresses such as https://example.org, without a path")
    scheme, host, port = found.groups(default="")
    return f"{scheme}://{host}{port.removesuffix(_USUAL_PORTS[scheme])}"


def _origins(value: str) -> str:
    return ",".join(_origin(part) for part in value.split(",") if part.strip())


def _public_url(value: str) -> str:
    return _origin(value) if value else ""


def _rate(value: str) -> str:
    found = _RATE.fullmatch(value.strip())
    if found is None or "0" in map(str, map(int, found.groups())):
        raise ValueError("so many at once, a slash, and so many a minute, such as 120/60; both from 1 to 999999")
    return found[0]


def _boards_dir(value: Path | None) -> Path | None:
    if value is not None and not value.is_dir():
        raise ValueError("a folder that exists")
    return value


class Settings(BaseSettings):
    """All settings; each has a default."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    metrics_port: Annotated[int | None, Field(ge=1, le=65535)] = None
    data_dir: Path = Path("data")
    database_url: str = ""
    bus_url: str = "memory"
    base_path: Annotated[str, AfterValidator(_base_path)] = ""
    public_url: Annotated[str, AfterValidator(_public_url)] = ""
    trusted_proxies: str = "127.0.0.1"
    origins: Annotated[str, AfterValidator(_origins)] = ""
    rate_limits: Literal["on", "off"] = "on"
    new_players: Annotated[str, AfterValidator(_rate)] = "120/60"
    new_rooms: Annotated[str, AfterValidator(_rate)] = "60/30"
    connections_per_address: Annotated[int, Field(ge=1)] = 600
    sockets_per_address: Annotated[int, Field(ge=1)] = 100
    sockets_per_seat: Annotated[int, Field(ge=1)] = 5
    boards_dir: Annotated[Path | None, AfterValidator(_boards_dir)] = None
    bot_pace: Annotated[float, Field(ge=0, le=10)] = 1.0
    room_days: Annotated[int, Field(ge=0, le=36_500)] = 30
    log: Literal["text", "json"] = "text"

    @property
    def allowed_origins(self) -> frozenset[str]:
        """Whose pages may call, besides our own."""
        return frozenset(filter(None, self.origins.split(",")))

    @property
    def shared(self) -> bool:
        """Whether a bus joins this process with others."""
        return self.bus_url != "memory"

    @property
    def database(self) -> str:
        """The database's address: a file in the data folder where nothing else is said."""
        file = (self.data_dir / "fogline.db").absolute()
        return self.database_url or f"sqlite:///{quote(str(file))}"

    @property
    def served_at(self) -> str:
        """Where this process itself is found."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{self.base_path}/"


def read_settings() -> Settings:
    """The settings of this environment.

    Raises:
        SettingsError: a value is not allowed.
    """
    try:
        return Settings()
    except ValidationError as error:
        lines = [_line(str(each["loc"][0]), each["msg"]) for each in error.errors(include_url=False)]
        raise SettingsError("\n".join(lines)) from None


def _line(field: str, message: str) -> str:
    name = PREFIX + field.upper()
    value = os.environ.get(name, "")
    shown = "" if field in _WITH_PASSWORDS else f"={value}"
    return f"{name}{shown} is not allowed: {message.removeprefix('Value error, ')}"
