"""Authentication: a player on a device, by a secret token, in a cookie for browsers or as a bearer token."""

import hashlib
import hmac
import secrets
from asyncio import get_running_loop
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.bus import EVERY_ROOM, Bus
from app.news import News
from app.rooms import Code, LoadLimit, RefusedError
from app.store import Agent, InstallationRow, PlayerRow, Store, StoreUnavailableError, TokenRow, devices, links, players

from .cookies import OLD_NAME, Cookies
from .user_agent import parse_agent

LINK_SECONDS = 120
"""How long a one-time link is valid."""

TOKENS_KEPT = 4096

KNOWN_LASTS = 30.0
"""Seconds after which a token is read again, in case a message about it was lost."""

USE_LASTS = timedelta(hours=1)
"""The use of a token is stored once in this time."""

RENEWAL = timedelta(days=1)
"""The cookie is set again after this time."""

OVERLAP = timedelta(seconds=60)
"""How long a browser may still send a replaced token, because requests of other tabs may be under way with it."""


class UnauthenticatedError(RefusedError):
    """The call needs a player, and has no token or an unknown one."""

    def __init__(self, detail: str) -> None:
        super().__init__(Code.BAD_REQUEST, detail, reason="signed_out")


class UnknownLinkError(RefusedError):
    """A one-time link is used, expired or unknown; nobody learns which."""

    def __init__(self) -> None:
        super().__init__(Code.UNKNOWN_LINK, "This link has been used already, or its two minutes are over.")


@dataclass(frozen=True, slots=True)
class Session:
    """A player who calls, with which token, and in which cookie; a bearer token is in none."""

    row: TokenRow
    token: str
    cookie: str | None

    @property
    def player(self) -> PlayerRow:
        return self.row.player


@dataclass(frozen=True, slots=True)
class Known:
    """A token as it was read, and the time by the event loop's clock."""

    row: TokenRow
    read_at: float


class Identities:
    """Players by their tokens. Only hashes of tokens are stored, here and in the database."""

    def __init__(
        self, store: Store, bus: Bus, cookies: Cookies, installation: InstallationRow, now: Callable[[], datetime]
    ) -> None:
        self.cookies = cookies
        self._store = store
        self._bus = bus
        self._key = installation.key
        self._now = now
        self._known: OrderedDict[bytes, Known] = OrderedDict()
        self._changes = 0
        self._loads = LoadLimit()
        bus.listen(self._hear)

    async def add(self, connection: HTTPConnection, name: str, origin: int | None = None) -> tuple[PlayerRow, str]:
        """Make a player, and the token, which only the caller learns. `origin` groups players from one network."""
        token = secrets.token_urlsafe(32)
        player = PlayerRow(secrets.token_urlsafe(9), name)
        await self._store.write(devices.add_player, player, hash_of(token), self._now(), agent_of(connection), origin)
        return player, token

    async def add_guest(self, name: str, origin: int | None = None) -> PlayerRow:
        """Make a player without a device, for whom only the player acts whose device they share."""
        player = PlayerRow(secrets.token_urlsafe(9), name)
        await self._store.write(players.add_guest, player, self._now(), origin)
        return player

    async def find(self, connection: HTTPConnection) -> Session | None:
        """Who calls, or None. The cookie of a page is `renewed` afterwards if it is old.

        Raises:
            UnauthenticatedError: a bearer token is unknown.
        """
        session = await self._find(connection)
        connection.state.session = session
        return session

    async def need(self, connection: HTTPConnection) -> Session:
        """Who calls.

        Raises:
            UnauthenticatedError: there is no token, or an unknown one.
        """
        session = await self.find(connection)
        if session is None:
            raise UnauthenticatedError("Say who you are first: POST /api/v1/players gives a token.")
        return session

    async def renewed(self, connection: HTTPConnection, response: Response) -> Response:
        """The response, which sets the cookie again if it is old, has an old name, or holds a replaced token."""
        session: Session | None = getattr(connection.state, "session", None)
        if session is None or session.cookie is None:
            return response
        now, row = self._now(), session.row
        if row.is_replaced:
            self.cookies.set(response, connection, self._following(session.token))
        elif session.cookie != self.cookies.name(connection) or is_old(row.renewed_at, now):
            self.cookies.set(response, connection, session.token)
            self._change(hash_of(session.token), replace(row, renewed_at=now))
            await self._note(self._store.write(devices.note_renewal, row.device, now))
        return response

    async def rename(self, session: Session, name: str) -> str:
        """Give a player another name; the token that takes the place of the caller's once it is used.

        From one token always follows the same other one. So nothing is lost with a lost answer, and tabs that ask at
        the same time agree.

        Raises:
            UnauthenticatedError: the device has been signed out.
        """
        token, player = self._following(session.token), session.player.id
        if not await self._store.write(devices.rename_player, player, name, hash_of(session.token), hash_of(token)):
            raise self.signed_out(player)
        self.tell(player)
        return token

    async def make_link(self, player: PlayerRow) -> str:
        """Make a one-time link, and return its secret, which only the caller learns."""
        secret, now = secrets.token_urlsafe(32), self._now()
        await self._store.write(links.add_link, player.id, hash_of(secret), now, now + timedelta(seconds=LINK_SECONDS))
        return secret

    async def owner_of(self, secret: str) -> PlayerRow:
        """The player of a link.

        Raises:
            UnknownLinkError: it is not valid any more.
        """
        return known(await self._store.read(links.find_link, hash_of(secret), self._now()))

    async def use_link(self, connection: HTTPConnection, secret: str) -> tuple[PlayerRow, str]:
        """Use up a link: its player, and a token for one more device of theirs.

        Raises:
            UnknownLinkError: it is not valid any more.
        """
        token = secrets.token_urlsafe(32)
        player = await self._store.write(
            links.use_link, hash_of(secret), hash_of(token), self._now(), agent_of(connection)
        )
        found = known(player)
        self.tell(found.id)  # a device too many has been signed out
        return found, token

    def tell(self, player: str) -> None:
        """Tell all processes that a player's name or devices have changed, this one at once."""
        self._forget(player)
        self._bus.publish(EVERY_ROOM, News.PLAYER, player)

    def signed_out(self, player: str) -> UnauthenticatedError:
        """The refusal of a caller whose device has just been signed out."""
        self._forget(player)
        return UnauthenticatedError("This device has been signed out.")

    async def _find(self, connection: HTTPConnection) -> Session | None:
        bearer = bearer_of(connection)
        if bearer is not None:
            row = await self._look_up(connection, bearer, timedelta(0))
            if row is None:
                raise UnauthenticatedError("This token belongs to no player.")
            return Session(row, bearer, None)
        for name, token in self.cookies.tokens(connection):
            row = await self._look_up(connection, token, OVERLAP)
            # nobody was given a cookie of the old name since there are others: what comes later was put there by others
            if row is not None and (name != OLD_NAME or row.created_at <= self.cookies.since):
                return Session(row, token, name)
        return None

    async def _look_up(self, connection: HTTPConnection, token: str, overlap: timedelta) -> TokenRow | None:
        if not token or len(token) > 100:
            return None
        key = hash_of(token)
        row = self._recall(key) or await self._read(key)
        return None if row is None else await self._use(connection, key, row, overlap)

    async def _read(self, key: bytes) -> TokenRow | None:
        async with self._loads.slot():
            if (row := self._recall(key)) is not None:
                return row
            changes = self._changes
            row = await self._store.read(devices.find_token, key, self._now())
            if row is not None and changes == self._changes:
                self._remember(key, row)
            return row

    async def _use(self, connection: HTTPConnection, key: bytes, row: TokenRow, overlap: timedelta) -> TokenRow:
        """Store that a token is used, unless that was stored recently."""
        now = self._now()
        if not row.is_new and abs(now - row.used_at) <= USE_LASTS:
            return row
        if row.is_new and await self._note(self._store.write(devices.begin_token, key, now, now + overlap)):
            self.tell(row.player.id)
        self._change(key, replace(row, used_at=now))
        await self._note(self._store.write(devices.note_use, row.device, now, agent_of(connection)))
        return row

    async def _note(self, work: Coroutine[Any, Any, None]) -> bool:
        """Store something that may wait, and return whether that worked."""
        try:
            await work
        except StoreUnavailableError:
            return False
        return True

    def _following(self, token: str) -> str:
        """The token that replaces this one. Only this installation can compute it."""
        made = hmac.digest(self._key, token.encode(), "sha256")
        return urlsafe_b64encode(made).decode().rstrip("=")

    def _recall(self, key: bytes) -> TokenRow | None:
        known = self._known.get(key)
        return known.row if known and get_running_loop().time() < known.read_at + KNOWN_LASTS else None

    def _remember(self, key: bytes, row: TokenRow) -> None:
        """Cache a token, unless it has been replaced and soon expires."""
        if row.is_replaced:
            return
        self._known[key] = Known(row, get_running_loop().time())
        self._known.move_to_end(key)
        if len(self._known) > TOKENS_KEPT:
            self._known.popitem(last=False)

    def _change(self, key: bytes, row: TokenRow) -> None:
        """Change a cached token without prolonging its time in the cache."""
        if key in self._known:
            self._known[key] = replace(self._known[key], row=row)

    def _forget(self, player: str) -> None:
        self._changes += 1
        for key in [key for key, known in self._known.items() if known.row.player.id == player]:
            del self._known[key]

    def _hear(self, _code: str, news: str, text: str) -> None:
        if news == News.PLAYER:
            self._forget(text)


def known(player: PlayerRow | None) -> PlayerRow:
    if player is None:
        raise UnknownLinkError
    return player


def is_old(renewed_at: datetime | None, now: datetime) -> bool:
    """Whether a cookie must be set again. None: it was set before that was stored."""
    return renewed_at is None or abs(now - renewed_at) > RENEWAL


def agent_of(connection: HTTPConnection) -> Agent:
    return parse_agent(connection.headers.get("user-agent", ""))


def hash_of(token: str) -> bytes:
    """The stored form of a token. With 256 random bits it needs no slow hash."""
    return hashlib.sha256(token.encode()).digest()


def bearer_of(connection: HTTPConnection) -> str | None:
    """The bearer token, or None if there is none or it is empty."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None
