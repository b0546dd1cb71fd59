"""The cookies of this installation. Browsers keep one set for all ports of a host, so the names say whose they are."""

from dataclasses import dataclass
from datetime import datetime

from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.store import InstallationRow

from .address import Address

OLD_NAME = "fogline"
"""The name of every installation's cookie before each had a name of its own."""

OLD_LANGUAGE = "fogline-language"

COOKIE_SECONDS = 400 * 24 * 3600
"""As long as browsers keep a cookie at most."""


@dataclass(frozen=True, slots=True)
class Cookies:
    """The cookie that holds a device's token. `since` is when its name came into use."""

    installation: str
    since: datetime
    address: Address

    @classmethod
    def of(cls, row: InstallationRow, address: Address) -> "Cookies":
        """Those of an installation at this address."""
        return cls(row.id, row.created_at, address)

    def tokens(self, connection: HTTPConnection) -> list[tuple[str, str]]:
        """The names and values of the cookies there are, the one that is set today first."""
        names = dict.fromkeys([self.name(connection), self._plain, OLD_NAME])
        return [(name, connection.cookies[name]) for name in names if connection.cookies.get(name)]

    def name(self, connection: HTTPConnection) -> str:
        """What the cookie is called: by `__Host-` a browser lets no other host and no page without TLS set it."""
        return f"__Host-{self._plain}" if self._is_secure(connection) and not self.address.base else self._plain

    def set(self, response: Response, connection: HTTPConnection, token: str) -> None:
        """Let the browser keep a token, in place of all that it has kept by other names."""
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
        """Let the browser forget its token."""
        for name, _ in self.tokens(connection):
            self._delete(response, connection, name)

    @property
    def language(self) -> str:
        """The name of the cookie that holds the choice of language, which the page sets."""
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
