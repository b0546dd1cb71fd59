"""Queries for devices on which players are signed in, their tokens, and the removal of unused ones."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from .damage import sound
from .errors import DamagedRowError
from .players import add_guest, remove_unneeded
from .queries import insert_new, portions
from .rows import Agent, DeviceRow, InstallationRow, PlayerRow, TokenRow
from .tables import devices, installation, links, players, rooms, seats, tokens

UNKNOWN_AGENT = Agent()

MOST_DEVICES = 30
"""Devices of a player. One more signs out the one that was used least recently."""

IN_A_GAME = (
    select(seats.c.room)
    .join(rooms, rooms.c.code == seats.c.room)
    .where(seats.c.player == devices.c.player, rooms.c.status != "over")
    .exists()
)


def device_id(token_hash: bytes) -> str:
    """A device is named by the hash of its first token, of which this tells nothing."""
    return token_hash[-8:].hex()


def add_player(
    connection: Connection,
    player: PlayerRow,
    token_hash: bytes,
    now: datetime,
    agent: Agent = UNKNOWN_AGENT,
    origin: int | None = None,
) -> None:
    """A player with a first device; `origin` groups players by the network they came from."""
    add_guest(connection, player, now, origin)
    add_device(connection, player.id, token_hash, now, agent)


def add_device(connection: Connection, player: str, token_hash: bytes, now: datetime, agent: Agent) -> None:
    values = {"id": device_id(token_hash), "player": player, "browser": agent.browser, "system": agent.system}
    connection.execute(insert(devices).values(**values, created_at=now, used_at=now, renewed_at=now))
    connection.execute(insert(tokens).values(hash=token_hash, device=values["id"]))


def add_further_device(connection: Connection, player: str, token_hash: bytes, now: datetime, agent: Agent) -> None:
    add_device(connection, player, token_hash, now, agent)
    latest_first = devices.c.used_at.desc(), devices.c.created_at.desc(), devices.c.id
    query = select(devices.c.id).where(devices.c.player == player, devices.c.id != device_id(token_hash))
    surplus = connection.scalars(query.order_by(*latest_first).offset(MOST_DEVICES - 1))
    remove_devices(connection, list(surplus))


def find_token(connection: Connection, token_hash: bytes, now: datetime) -> TokenRow | None:
    """A valid token's player and device."""
    of_device = devices.c.id, devices.c.created_at, devices.c.used_at, devices.c.renewed_at
    query = (
        select(players.c.id, players.c.name, *of_device, tokens.c.replaces.is_not(None), tokens.c.ends_at.is_not(None))
        .select_from(tokens.join(devices).join(players))
        .where(tokens.c.hash == token_hash, or_(tokens.c.ends_at.is_(None), tokens.c.ends_at > now))
    )
    found = connection.execute(query).one_or_none()
    if found is None:
        return None
    player = sound(PlayerRow(*found[:2]), "player", found[0])
    return sound(TokenRow(player, *found[2:]), "device", found[2])


def rename_player(connection: Connection, player: str, name: str, old_hash: bytes, new_hash: bytes) -> bool:
    """Give a player another name, and the device a token in place of its old one; False when it is signed out by now.

    The old token stays valid until the new one is used, since the answer may be lost. The same again adds nothing.
    """
    query = select(devices.c.id).select_from(tokens.join(devices)).where(tokens.c.hash == old_hash)
    device = connection.scalar(query.with_for_update(key_share=True, of=devices))
    if device is None:
        return False
    connection.execute(update(players).where(players.c.id == player).values(name=name))
    insert_new(connection, tokens, {"hash": new_hash, "device": device, "replaces": old_hash})
    return True


def begin_token(connection: Connection, token_hash: bytes, now: datetime, others_end_at: datetime) -> None:
    """Called at the first use of a new token. The older tokens of its device end at `others_end_at`."""
    device = select(tokens.c.device).where(tokens.c.hash == token_hash).scalar_subquery()
    others = tokens.c.device == device, tokens.c.hash != token_hash
    connection.execute(update(tokens).where(*others, tokens.c.ends_at.is_(None)).values(ends_at=others_end_at))
    connection.execute(delete(tokens).where(*others, tokens.c.ends_at <= now))
    connection.execute(update(tokens).where(tokens.c.hash == token_hash).values(replaces=None))


def note_use(connection: Connection, device: str, now: datetime, agent: Agent) -> None:
    values = {"used_at": now, "browser": agent.browser, "system": agent.system}
    connection.execute(update(devices).where(devices.c.id == device).values(values))


def note_renewal(connection: Connection, device: str, now: datetime) -> None:
    connection.execute(update(devices).where(devices.c.id == device).values(renewed_at=now))


def note_presence(connection: Connection, present: Collection[str], now: datetime, before: datetime) -> None:
    """Note that these devices are connected, unless their last noted use is later than `before`."""
    for named in portions(present):
        stale = select(devices.c.id).where(devices.c.id.in_(named), devices.c.used_at < before)
        free = stale.with_for_update(skip_locked=True)
        connection.execute(update(devices).where(devices.c.id.in_(free)).values(used_at=now))


def devices_of(connection: Connection, player: str, most: int) -> list[DeviceRow | DamagedRowError]:
    """The player's devices, the last used first."""
    columns = devices.c.id, devices.c.created_at, devices.c.used_at, devices.c.browser, devices.c.system
    latest_first = devices.c.used_at.desc(), devices.c.created_at.desc(), devices.c.id
    query = select(*columns).where(devices.c.player == player).order_by(*latest_first).limit(most)
    return [device_of(*row) for row in connection.execute(query)]


def device_of(name: Any, created_at: Any, used_at: Any, *agent: Any) -> DeviceRow | DamagedRowError:
    try:
        return sound(DeviceRow(name, created_at, used_at, sound(Agent(*agent), "device", name)), "device", name)
    except DamagedRowError as error:
        return error


def known_devices(connection: Connection, asked: Collection[str]) -> set[str]:
    """Those of the asked devices that are still signed in."""
    found: set[str] = set()
    for named in portions(asked):
        found |= set(connection.scalars(select(devices.c.id).where(devices.c.id.in_(named))))
    return found


def remove_device(connection: Connection, player: str, by: str, device: str) -> bool | None:
    """Sign out one of the player's devices. False without it; None when `by`, which asks, is signed out itself."""
    found = devices_to_remove(connection, player, by)
    if found is None or device not in found:
        return None if found is None else False
    sign_out(connection, player, [device])
    return True


def remove_other_devices(connection: Connection, player: str, by: str) -> bool | None:
    """Sign out all devices of the player but `by`, which asks; None when `by` is signed out itself."""
    found = devices_to_remove(connection, player, by)
    if found is None:
        return None
    sign_out(connection, player, found - {by})
    return True


def devices_to_remove(connection: Connection, player: str, by: str) -> set[str] | None:
    """The player is locked, so that two devices can't sign each other out at the same time and lose the player."""
    connection.execute(select(players.c.id).where(players.c.id == player).with_for_update())
    found = set(connection.scalars(select(devices.c.id).where(devices.c.player == player)))
    return found if by in found else None


def sign_out(connection: Connection, player: str, signed_out: Collection[str]) -> None:
    """One-time links end too: whoever is signed out may hold one."""
    connection.execute(delete(links).where(links.c.player == player))
    remove_devices(connection, signed_out)
    remove_unneeded(connection, [player])


def remove_devices(connection: Connection, removed: Collection[str]) -> None:
    for named in portions(removed):
        connection.execute(delete(tokens).where(tokens.c.device.in_(named)))
        connection.execute(delete(devices).where(devices.c.id.in_(named)))


def remove_unused(connection: Connection, before: datetime, most: int) -> list[str]:
    """Remove at most `most` devices last used before then, with players who are in no room; returns the devices' ids.

    Players in an unfinished game keep their devices. Several processes may call this at once.
    """
    query = (
        select(devices.c.id, devices.c.player)
        .where(devices.c.used_at < before, ~IN_A_GAME)
        .order_by(devices.c.used_at)
        .limit(most)
        .with_for_update(skip_locked=True, of=devices)
    )
    found = connection.execute(query).all()
    remove_devices(connection, [device for device, _ in found])
    gone = sorted({player for _, player in found})
    connection.execute(delete(links).where(links.c.player.in_(gone), links.c.expires_at < before))
    remove_unneeded(connection, gone)
    return [device for device, _ in found]


def last_use(connection: Connection) -> datetime | None:
    """When any device was last used. A value that can't be read counts as long ago, so that no device is removed."""
    last = connection.scalar(select(func.max(devices.c.used_at)))
    return last if last is None or isinstance(last, datetime) else datetime.min.replace(tzinfo=UTC)


def find_installation(connection: Connection) -> InstallationRow:
    """The id and keys of this installation, which all its processes share."""
    columns = installation.c.id, installation.c.key, installation.c.created_at, installation.c.counted_from
    found = connection.execute(select(*columns)).one_or_none()
    if found is None:
        raise DamagedRowError("installation", "1", "it is missing")
    return sound(InstallationRow(*found), "installation", "1")


def count_from(connection: Connection, now: datetime) -> None:
    """Count days of disuse from now on."""
    connection.execute(update(installation).values(counted_from=now))
