"""The cookies of this installation. Browsers share cookies among all ports of a host, so their names differ."""

from dataclasses import dataclass
from datetime import datetime

from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.store import InstallationRow

from .address import Address

OLD_NAME = "fogline"
"""The name of the cookie in earlier versions, the same for every installation."""

OLD_LANGUAGE = "fogline-language"

COOKIE_SECONDS = 400 * 24 * 3600
"""The longest that browsers keep a cookie."""


@dataclass(frozen=True, slots=True)
class Cookies:
    """The cookie with a device's token. `since` is when its present name came into use."""

    installation: str
    since: datetime
    address: Address

    @classmethod
    def of(cls, row: InstallationRow, address: Address) -> "Cookies":
        return cls(row.id, row.created_at, address)

    def tokens(self, connection: HTTPConnection) -> list[tuple[str, str]]:
        """The names and values of the cookies that hold a token, the present name first."""
        names = dict.fromkeys([self.name(connection), self._plain, OLD_NAME])
        return [(name, connection.cookies[name]) for name in names if connection.cookies.get(name)]

    def name(self, connection: HTTPConnection) -> str:
        """The cookie's name. With `__Host-`, browsers let no other host and no page without TLS set it."""
        return f"__Host-{self._plain}" if self._is_secure(connection) and not self.address.base else self._plain

    def set(self, response: Response, connection: HTTPConnection, token: str) -> None:
        """Set the token, and delete cookies with other names."""
        for name, _ in self.tokens(connection):
            if name != self.name(connection):
                self._delete(response, connection, name)
        response.set_cookie(
            self.name(connection),
            token,
            max_age=COOKIE_SECONDS,
            path=self._path,
            secure=self._is_secure(connection),
            httponly=True,
            samesite="lax",
        )

    def delete(self, response: Response, connection: HTTPConnection) -> None:
        for name, _ in self.tokens(connection):
            self._delete(response, connection, name)

    @property
    def language(self) -> str:
        """The name of the cookie with the chosen language, which the page sets."""
        return f"{OLD_LANGUAGE}-{self.installation}"

    @property
    def _plain(self) -> str:
        return f"fogline-{self.installation}"

    @property
    def _path(self) -> str:
        return self.address.base or "/"

    def _is_secure(self, connection: HTTPConnection) -> bool:
        return self.address.url_of(connection).startswith("https:")

    def _delete(self, response: Response, connection: HTTPConnection, name: str) -> None:
        secure = self._is_secure(connection)
        response.delete_cookie(name, path=self._path, secure=secure, httponly=True, samesite="lax")
