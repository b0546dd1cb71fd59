"""Where the site is, as browsers see it."""

from dataclasses import dataclass

from starlette.requests import HTTPConnection


@dataclass(frozen=True, slots=True)
class Address:
    """`base` is empty or a path like `/fog`, `public_url` what people type where that is known."""

    base: str = ""
    public_url: str | None = None
    origins: frozenset[str] = frozenset()

    def url_of(self, connection: HTTPConnection) -> str:
        """The address of the home page, without a slash at its end."""
        return (self.public_url or f"{connection.url.scheme}://{connection.url.netloc}") + self.base
