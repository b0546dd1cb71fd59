"""One-time links, by which a player goes on with another device."""

from datetime import datetime

from sqlalchemy import Connection, delete, insert, or_, select

from .damage import sound
from .devices import add_device
from .rows import Agent, PlayerRow
from .tables import links, players


def add_link(connection: Connection, player: str, secret_hash: bytes, now: datetime, expires_at: datetime) -> None:
    """A link of a player, in place of the one before; those of others that are past their time go too."""
    connection.execute(delete(links).where(or_(links.c.player == player, links.c.expires_at <= now)))
    connection.execute(insert(links).values(hash=secret_hash, player=player, expires_at=expires_at))


def find_link(connection: Connection, secret_hash: bytes, now: datetime) -> PlayerRow | None:
    """Whose link it is, if it is good still."""
    query = select(players.c.id, players.c.name).join(links, links.c.player == players.c.id)
    found = connection.execute(query.where(links.c.hash == secret_hash, links.c.expires_at > now)).one_or_none()
    return None if found is None else sound(PlayerRow(*found), "player", found[0])


def use_link(
    connection: Connection, secret_hash: bytes, token_hash: bytes, now: datetime, agent: Agent
) -> PlayerRow | None:
    """Use a link up for one more device of its player; None when it is used, past its time, or none at all."""
    used = delete(links).where(links.c.hash == secret_hash, links.c.expires_at > now).returning(links.c.player)
    player = connection.scalar(used)
    if player is None:
        return None
    add_device(connection, player, token_hash, now, agent)
    found = connection.execute(select(players.c.id, players.c.name).where(players.c.id == player)).one()
    return sound(PlayerRow(*found), "player", player)
