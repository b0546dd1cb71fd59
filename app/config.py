"""The settings, read from the environment. Only `main` and the command line read them, and hand their values down."""

import os
import re
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.origins import Origin, is_host_name, parse_origin

PREFIX = "FOGLINE_"

_RATE = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")

ALIKE = 0.84
"""Similarity, with the prefix, above which an unknown name counts as a misspelled setting; 1 is equal."""

_WITH_PASSWORDS = ("database_url", "bus_url")


class SettingsError(Exception):
    """Settings are wrong: the text has a line for each with its name, its value and what is allowed."""


def _base_path(value: str) -> str:
    path = "/" + value.strip("/")
    if not re.fullmatch(r"/|(/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+)+", path):
        raise ValueError("a path such as / or /games/fogline")
    return path.rstrip("/")


def _origin(value: str) -> str:
    """An origin as browsers send it: in lower case, without the scheme's default port."""
    try:
        scheme, _, authority = value.strip().removesuffix("/").partition("://")
        return str(parse_origin(f"{scheme}://{authority.encode('idna').decode()}"))
    except ValueError:
        raise ValueError("addresses such as https://example.org, without a path") from None


def _origins(value: str) -> str:
    return ",".join(_origin(part) for part in value.split(",") if part.strip())


def _public_url(value: str) -> str:
    return _origin(value) if value else ""


def _rate(value: str) -> str:
    found = _RATE.fullmatch(value.strip())
    if found is None or "0" in map(str, map(int, found.groups())):
        raise ValueError("so many at once, a slash, and so many a minute, such as 120/60; both from 1 to 999999")
    return found[0]


def _proxies(value: str) -> str:
    """Addresses, networks and names; or all."""
    parts = [part.strip() for part in value.split(",") if part.strip()]
    if not parts or not (parts == ["*"] or all(map(_is_proxy, parts))):
        raise ValueError(
            "addresses such as 192.0.2.1, networks such as 172.16.0.0/12, and names such as caddy, with commas "
            "between; or * alone"
        )
    return ",".join(parts)


def _is_proxy(part: str) -> bool:
    try:
        return is_host_name(part) or bool(ip_network(part))
    except ValueError:
        return False


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
    trusted_proxies: Annotated[str, AfterValidator(_proxies)] = "127.0.0.1"
    hsts_days: Annotated[int, Field(ge=0, le=3650)] = 365
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
    player_days: Annotated[int, Field(ge=0, le=36_500)] = 400
    log: Literal["text", "json"] = "text"

    @property
    def allowed_origins(self) -> frozenset[Origin]:
        """Other sites whose pages may call this one."""
        return frozenset(map(parse_origin, filter(None, self.origins.split(","))))

    @property
    def public_origin(self) -> Origin | None:
        """The origin that people type, if the settings have it."""
        return parse_origin(self.public_url) if self.public_url else None

    @property
    def hsts_seconds(self) -> int:
        """How long browsers use https only; 0 unless the public URL is on https."""
        return self.hsts_days * 24 * 3600 if self.public_url.startswith("https:") else 0

    @property
    def shared(self) -> bool:
        """Whether a bus connects this process with others."""
        return self.bus_url != "memory"

    @property
    def database(self) -> str:
        """The database's address; by default a file in the data folder."""
        file = (self.data_dir / "fogline.db").absolute()
        return self.database_url or f"sqlite:///{quote(str(file))}"

    @property
    def served_at(self) -> str:
        """The address at which this process listens."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{self.base_path}/"


def read_settings() -> Settings:
    """The settings of this environment.

    Raises:
        SettingsError: a value is not allowed.
    """
    wrong = [f"{name} is no setting; {meant} is one" for name, meant in unknown_names().items() if meant]
    if wrong:
        raise SettingsError("\n".join(wrong))
    try:
        return Settings()
    except ValidationError as error:
        lines = [_line(str(each["loc"][0]), each["msg"]) for each in error.errors(include_url=False)]
        raise SettingsError("\n".join(lines)) from None


def unknown_names() -> dict[str, str | None]:
    """Names in the environment that look like settings but are none, each with the setting it may be meant for."""
    names = [PREFIX + field.upper() for field in Settings.model_fields]
    unknown = [name for name in os.environ if name.upper().startswith(PREFIX) and name.upper() not in names]
    return {name: next(iter(get_close_matches(name.upper(), names, 1, ALIKE)), None) for name in unknown}


def _line(field: str, message: str) -> str:
    name = PREFIX + field.upper()
    value = os.environ.get(name, "")
    shown = "" if field in _WITH_PASSWORDS else f"={value}"
    return f"{name}{shown} is not allowed: {message.removeprefix('Value error, ')}"
