"""One-time links, by which a player goes on with another device."""

from datetime import datetime

from sqlalchemy import Connection, delete, insert, or_, select

from .damage import sound
from .devices import UNKNOWN_AGENT, add_further_device
from .rows import Agent, PlayerRow
from .tables import links, players


def add_link(connection: Connection, player: str, secret_hash: bytes, now: datetime, expires_at: datetime) -> None:
    """A one-time link that replaces the player's earlier one. Deletes everybody's expired links, too."""
    connection.execute(delete(links).where(or_(links.c.player == player, links.c.expires_at <= now)))
    connection.execute(insert(links).values(hash=secret_hash, player=player, expires_at=expires_at))


def find_link(connection: Connection, secret_hash: bytes, now: datetime) -> PlayerRow | None:
    """The owner of a valid link."""
    query = select(players.c.id, players.c.name).join(links, links.c.player == players.c.id)
    found = connection.execute(query.where(links.c.hash == secret_hash, links.c.expires_at > now)).one_or_none()
    return None if found is None else sound(PlayerRow(*found), "player", found[0])


def use_link(
    connection: Connection, secret_hash: bytes, token_hash: bytes, now: datetime, agent: Agent = UNKNOWN_AGENT
) -> PlayerRow | None:
    """Exchange a valid link for another device of its player; None when it was used, has expired or never existed."""
    used = delete(links).where(links.c.hash == secret_hash, links.c.expires_at > now).returning(links.c.player)
    player = connection.scalar(used)
    if player is None:
        return None
    add_further_device(connection, player, token_hash, now, agent)
    found = connection.execute(select(players.c.id, players.c.name).where(players.c.id == player)).one()
    return sound(PlayerRow(*found), "player", player)
