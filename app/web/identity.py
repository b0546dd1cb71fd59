"""Who calls: a player is a name and a secret token, in a cookie for browsers and as a bearer for programs."""

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime, timedelta

from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.rooms import Code, RefusedError, Turnstile
from app.store import PlayerRow, Store

COOKIE = "fogline"
COOKIE_SECONDS = 400 * 24 * 3600
"""As long as browsers keep a cookie at most."""

LINK_SECONDS = 120
"""How long a one-time link is good for."""

PLAYERS_KEPT = 4096


class NobodyError(RefusedError):
    """The call needs a player, and has none or a token of none."""

    def __init__(self, detail: str) -> None:
        super().__init__(Code.BAD_REQUEST, detail)


class UnknownLinkError(RefusedError):
    """A one-time link is used, past its time, or none; nobody learns which."""

    def __init__(self) -> None:
        super().__init__(Code.UNKNOWN_LINK, "This link has been used already, or its two minutes are over.")


class Identities:
    """Players by their tokens. Only hashes of tokens are kept, here and in the store."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now
        self._known: OrderedDict[bytes, PlayerRow] = OrderedDict()
        self._turnstile = Turnstile()

    async def add(self, name: str, origin: int | None = None) -> tuple[PlayerRow, str]:
        """A new player and the token, which is told this once; `origin` groups those who come from one network."""
        token = secrets.token_urlsafe(32)
        player = PlayerRow(secrets.token_urlsafe(9), name)
        await self._store.add_player(player, hash_of(token), self._now(), origin)
        return player, token

    async def find(self, connection: HTTPConnection) -> PlayerRow | None:
        """Who calls, None for a stranger; a browser with an old cookie is one.

        Raises:
            NobodyError: a program's token is of no player.
        """
        token = bearer_of(connection)
        player = await self._look_up(token or connection.cookies.get(COOKIE))
        if token is not None and player is None:
            raise NobodyError("This token belongs to no player.")
        return player

    async def need(self, connection: HTTPConnection) -> PlayerRow:
        """Who calls.

        Raises:
            NobodyError: nobody known.
        """
        player = await self.find(connection)
        if player is None:
            raise NobodyError("Say who you are first: POST /api/v1/players gives a token.")
        return player

    async def rename(self, player: PlayerRow, name: str) -> str:
        """Give a player another name; one more token, by which every process knows it.

        Here it is known by the other tokens too; another process may remember the old name by them for a while.
        """
        token = secrets.token_urlsafe(32)
        await self._store.rename_player(player.id, name, hash_of(token), self._now())
        for key in [key for key, known in self._known.items() if known.id == player.id]:
            del self._known[key]
        return token

    async def make_link(self, player: PlayerRow) -> str:
        """The secret of a new one-time link of a player, told this once."""
        secret, now = secrets.token_urlsafe(32), self._now()
        await self._store.add_link(player.id, hash_of(secret), now, now + timedelta(seconds=LINK_SECONDS))
        return secret

    async def owner_of(self, secret: str) -> PlayerRow:
        """Whose link it is.

        Raises:
            UnknownLinkError: it is good no more.
        """
        return known(await self._store.find_link(hash_of(secret), self._now()))

    async def use_link(self, secret: str) -> tuple[PlayerRow, str]:
        """The link's player, and one more token of theirs.

        Raises:
            UnknownLinkError: it is good no more.
        """
        token = secrets.token_urlsafe(32)
        player = await self._store.use_link(hash_of(secret), hash_of(token), self._now())
        return known(player), token

    async def _look_up(self, token: str | None) -> PlayerRow | None:
        if not token or len(token) > 100:
            return None
        key = hash_of(token)
        player = self._known.get(key) or await self._read(key)
        if player is not None:
            self._remember(key, player)
        return player

    async def _read(self, key: bytes) -> PlayerRow | None:
        async with self._turnstile.passed():
            return self._known.get(key) or await self._store.find_player(key)

    def _remember(self, key: bytes, player: PlayerRow) -> None:
        self._known[key] = player
        self._known.move_to_end(key)
        if len(self._known) > PLAYERS_KEPT:
            self._known.popitem(last=False)


def known(player: PlayerRow | None) -> PlayerRow:
    """The player of a link."""
    if player is None:
        raise UnknownLinkError
    return player


def sign_in(response: Response, token: str, base: str, home: str) -> None:
    """Let a browser keep a token for the site under this base path; `home` is the site's address."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_SECONDS,
        path=base or "/",
        secure=home.startswith("https:"),
        httponly=True,
        samesite="lax",
    )


def hash_of(token: str) -> bytes:
    """What is kept of a token; with 256 random bits nothing slower is needed."""
    return hashlib.sha256(token.encode()).digest()


def bearer_of(connection: HTTPConnection) -> str | None:
    """A program's token; a bearer without one is no bearer."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None
