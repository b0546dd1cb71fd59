"""The rules of the lobby, of bars and of the rematch: pure functions from a room's row to the next row.

They raise `RefusedError` where something is not allowed.
"""

from dataclasses import replace
from datetime import datetime

from app.rules import RULES_VERSION, Seat, Viewer
from app.rules.shuffle import all_nonces, mix_seed
from app.store import PlayerRow, RoomRow, SeatRow

from .confusables import tell_apart
from .errors import Code, ReasonName, RefusedError

BOT_NAMES = ("Karl", "Lotta", "Norton", "Lillie")
"""San Francisco's fog is called Karl; the others lived in the city."""

MOST_BARRED = 50
"""Maximum players barred from one table."""

MOST_ASKED = 8
"""Maximum spectators who are asked to sit down at the same time."""

Actor = str | Seat
"""A player by id, or a bot by its seat."""


def seat_of(row: RoomRow, player: str | None) -> Seat | None:
    """The seat of a player; None for a spectator or a stranger."""
    return next((Seat(seat.seat) for seat in row.seats if player is not None and seat.player == player), None)


def names_of(row: RoomRow) -> tuple[str, ...]:
    """The names of the seats as shown: names that look alike get the numbers of their seats, from 1."""
    return tell_apart([(str(seat.seat + 1), seat.name) for seat in row.seats])


def own_seats(row: RoomRow, player: str) -> list[Seat]:
    """The seats played on a player's device: the player's own, and those of their guests."""
    return [Seat(seat.seat) for seat in row.seats if player in (seat.player, seat.guardian)]


def guests_of(row: RoomRow, player: str) -> list[SeatRow]:
    """The seats of a player's guests."""
    return [seat for seat in row.seats if seat.guardian == player]


def acting_player(row: RoomRow, caller: PlayerRow | None, seat: int | None) -> PlayerRow | None:
    """The player for whom a caller acts: the caller or, if the caller names a guest's seat, that guest."""
    if seat is None:
        return caller
    found = next((each for each in row.seats if each.seat == seat), free(seat))
    if caller is None or found.player is None or caller.id not in (found.player, found.guardian):
        raise RefusedError(Code.NOT_SEATED, "You can't act for this seat.", reason="other_seat")
    return PlayerRow(found.player, found.name)


def taken_seat(row: RoomRow, who: Actor) -> Seat:
    """The seat of a player or bot, or a refusal if the player has none."""
    seat = seat_of(row, who) if isinstance(who, str) else who
    if seat is None:
        raise RefusedError(Code.NOT_SEATED, "You have no seat at this table.")
    return seat


def host_seat(row: RoomRow) -> Seat | None:
    """The seat of the host; None when the last person has left."""
    return seat_of(row, row.host)


def may_watch(row: RoomRow, viewer: Viewer) -> bool:
    """Whether this viewer may see the game."""
    return viewer is not None or row.status == "lobby" or bool(row.options["spectators"])


def need_sight(row: RoomRow, viewer: Viewer) -> None:
    """Refuse a spectator where the table has none."""
    if not may_watch(row, viewer):
        raise RefusedError(Code.NOT_SEATED, "This game has no spectators.", reason="no_spectators")


def may_talk(row: RoomRow, viewer: Viewer) -> bool:
    """Whether this viewer takes part in the chat: players always, spectators unless the table has none."""
    return viewer is not None or bool(row.options["spectators"])


def need_voice(row: RoomRow, viewer: Viewer) -> None:
    """Refuse a spectator's message where only players may write."""
    if not may_talk(row, viewer):
        raise RefusedError(Code.NOT_SEATED, "Only those with a seat talk at this table.", reason="say_seated")


def is_barred(row: RoomRow, player: str | None) -> bool:
    """Whether the host has barred a player."""
    return any(player == barred for barred, _ in row.barred)


def need_welcome(row: RoomRow, player: str | None) -> None:
    """Refuse a player who is barred."""
    if is_barred(row, player):
        raise RefusedError(Code.BARRED, "The host of this table has barred you from it.")


def free(number: int) -> SeatRow:
    """A free seat with this number."""
    return SeatRow(number, None, "", None, "")


def join(row: RoomRow, player: PlayerRow, nonce: str, wish: Seat | None = None) -> RoomRow:
    """Give a player the seat they wish for, or the first free one. Whoever has a seat keeps it.

    A player's first nonce before the start counts. In a room without a host the newcomer becomes host.
    """
    need_welcome(row, player.id)
    seat = seat_of(row, player.id)
    if seat is not None:
        return _with_nonce(row, seat, nonce)
    _need_lobby(row, "This game has started without you; you can watch it.")
    place = _free_seat(row, wish)
    seated = _with_seat(_not_asked(row, player.id), SeatRow(place, player.id, player.name, None, nonce))
    return seated if host_seat(row) is not None else replace(seated, host=player.id)


def seat_guest(row: RoomRow, guardian: str, guest: PlayerRow, wish: Seat | None = None) -> RoomRow:
    """Seat a guest, who shares the device of a seated player and has no token, if the table allows guests."""
    need_guests(row, guardian)
    return _with_seat(row, SeatRow(_free_seat(row, wish), guest.id, guest.name, None, "", guardian))


def need_guests(row: RoomRow, guardian: str) -> None:
    """Refuse a guest where the table allows none or no seat is free. Only a seated player has guests."""
    taken_seat(row, guardian)
    if not row.options.get("pass_and_play"):
        everybody = "At this table everybody plays on a device of their own."
        raise RefusedError(Code.BAD_REQUEST, everybody, reason="no_guests")
    _need_lobby(row, "The game has started; nobody can sit down any more.")
    _free_seat(row)


def give_nonce(row: RoomRow, caller: PlayerRow, seat: int, nonce: str) -> RoomRow:
    """Give the nonce of the caller's own seat or of a guest's. The first one before the start counts."""
    acting_player(row, caller, seat)
    return _with_nonce(row, Seat(seat), nonce)


def ask(row: RoomRow, host: str, player: str, *, here: bool) -> RoomRow:
    """Ask a player who is here to take a free seat. Only the last `MOST_ASKED` who are asked count.

    For a seated player nothing changes.
    """
    _need_host(row, host)
    _need_lobby(row, "The game has started; nobody can sit down any more.")
    if seat_of(row, player) is not None:
        return row
    if not here:
        raise RefusedError(Code.BAD_REQUEST, "Nobody of this name watches the table now.", reason="not_watching")
    _free_seat(row)
    return replace(row, asked=(*_not_asked(row, player).asked, player)[-MOST_ASKED:])


def bars(row: RoomRow, host: str) -> tuple[tuple[str, str], ...]:
    """The ids and names of the barred players, for the host."""
    _need_host(row, host)
    return row.barred


def bar(row: RoomRow, host: str, player: str, name: str) -> RoomRow:
    """Bar a player. In the lobby a barred player loses their seat; those who play can't be barred."""
    _need_host(row, host)
    seat = seat_of(row, player)
    if player == host:
        raise RefusedError(Code.BAD_REQUEST, "You can't bar yourself.", reason="bar_self")
    if seat is not None and row.status != "lobby":
        raise RefusedError(Code.ALREADY_STARTED, "Nobody can be barred from a game they play.", reason="bar_playing")
    if seat is not None and row.seats[seat].guardian is not None:
        guest = "A guest comes with another player's device: free the seat, or bar that player."
        raise RefusedError(Code.BAD_REQUEST, guest, reason="bar_guest")
    if is_barred(row, player):
        return row
    if len(row.barred) >= MOST_BARRED:
        full = f"{MOST_BARRED} people are barred from this table already; lift a bar first."
        raise RefusedError(Code.BAD_REQUEST, full, reason="bar_full")
    without = row if seat is None else _without_seat(row, seat)
    return replace(_not_asked(without, player), barred=(*row.barred, (player, name)))


def bar_seat(row: RoomRow, host: str, number: int) -> RoomRow:
    """Bar the player on a seat."""
    _need_host(row, host)
    seat = next((each for each in row.seats if each.seat == number), free(number))
    if seat.player is None:
        raise RefusedError(Code.BAD_REQUEST, "Nobody sits there whom you could bar.", reason="bar_nobody")
    return bar(row, host, seat.player, seat.name)


def lift_bar(row: RoomRow, host: str, player: str) -> RoomRow:
    _need_host(row, host)
    return replace(row, barred=tuple(each for each in row.barred if each[0] != player))


def leave(row: RoomRow, player: str) -> RoomRow:
    """Free the seats of a player and their guests. If the host leaves, the first who is no guest becomes host."""
    seat = taken_seat(row, player)
    stays = "The game has started, and your seat stays yours: close the page and come back when you like."
    _need_lobby(row, stays, reason="seat_stays")
    return _with_host(_without_seat(row, seat))


def add_bot(row: RoomRow, player: str, level: str) -> RoomRow:
    """Put a bot on the first free seat."""
    _need_host(row, player)
    _need_lobby(row, "The game has started; nobody can sit down any more.")
    place = _free_seat(row)
    return _with_seat(row, SeatRow(place, None, _bot_name(row), level, ""))


def remove_seat(row: RoomRow, player: str, number: int) -> RoomRow:
    """Free a seat, whoever has it."""
    _need_host(row, player)
    _need_lobby(row, "The game has started; nobody can be sent away any more.")
    if number >= len(row.seats):
        raise RefusedError(Code.BAD_REQUEST, f"This table has the seats 0 to {len(row.seats) - 1}.")
    return _with_host(_without_seat(row, number))


def set_public(row: RoomRow, player: str, *, public: bool) -> RoomRow:
    """List the table among the open ones, or stop that."""
    _need_host(row, player)
    _need_lobby(row, "The game has started; nobody can sit down any more.")
    return replace(row, options={**row.options, "public": public})


def start(row: RoomRow, player: str, now: datetime, rules: int = RULES_VERSION) -> RoomRow:
    """Start the game under this version of the rules.

    Free seats are removed, the others get new numbers, and the seed is mixed from all parts in that order. A player who
    gave no nonce has an empty one, and no part in the seed.
    """
    _need_host(row, player)
    _need_lobby(row, "The game has started already.")
    taken = [seat for seat in row.seats if not seat.is_free]
    if len(taken) < 2:
        few = "Two or more seats have to be taken before the game can start."
        raise RefusedError(Code.BAD_REQUEST, few, reason="seats_empty")
    nonces = all_nonces([None if seat.is_bots else seat.nonce for seat in taken], row.derivation)
    seats = tuple(replace(seat, seat=number, nonce=nonces[number]) for number, seat in enumerate(taken))
    seed = mix_seed(row.server_seed, nonces)
    began = max(now, row.created_at)
    return replace(row, status="playing", seed=seed, rules_version=rules, started_at=began, asked=(), seats=seats)


def need_end(row: RoomRow, player: str) -> None:
    """Refuse a rematch before the end, or to somebody who did not play."""
    taken_seat(row, player)
    if row.status != "over":
        raise RefusedError(Code.NOT_STARTED, "The next game comes after the end of this one.", reason="rematch_early")


def seats_again(row: RoomRow, player: PlayerRow) -> tuple[SeatRow, ...]:
    """The seats of the next game: the player, their guests and the bots keep theirs, all others are free.

    Nonces are not kept: everybody gives a new one after the server has committed to its part of the new seed.
    """
    mine = taken_seat(row, player.id)
    bots = [replace(seat, nonce="") for seat in row.seats if seat.is_bots]
    guests = [replace(seat, nonce="", driver=None) for seat in guests_of(row, player.id)]
    taken = {seat.seat: seat for seat in (*bots, *guests)}
    taken[mine] = SeatRow(mine, player.id, player.name, None, "")
    return tuple(taken.get(number) or free(number) for number in range(row.options["seats"]))


def sit_again(row: RoomRow, player: PlayerRow, before: RoomRow) -> RoomRow:
    """Give a player and their guests the seats they had before or, if those are taken, other free ones."""
    if seat_of(row, player.id) is not None:
        return row
    row = join(row, player, "", taken_seat(before, player.id))
    for seat in guests_of(before, player.id):
        if seat.player is not None and any(each.is_free for each in row.seats):
            row = seat_guest(row, player.id, PlayerRow(seat.player, seat.name), Seat(seat.seat))
    return row


def _need_host(row: RoomRow, player: str) -> None:
    if seat_of(row, player) is None or row.host != player:
        raise RefusedError(Code.NOT_HOST, "Only the host of this table can do that.")


def _need_lobby(row: RoomRow, otherwise: str, reason: ReasonName | None = None) -> None:
    if row.status != "lobby":
        raise RefusedError(Code.ALREADY_STARTED, otherwise, reason=reason)


def _free_seat(row: RoomRow, wish: Seat | None = None) -> int:
    places = [seat.seat for seat in row.seats if seat.is_free]
    if not places:
        raise RefusedError(Code.ROOM_FULL, "All seats of this table are taken; you can watch the game.")
    return wish if wish in places else places[0]


def _with_seat(row: RoomRow, seat: SeatRow) -> RoomRow:
    return replace(row, seats=tuple(seat if old.seat == seat.seat else old for old in row.seats))


def _without_seat(row: RoomRow, number: int) -> RoomRow:
    """Free a seat, and those of its player's guests, since nobody else could play for them."""
    player = row.seats[number].player
    gone = {number, *(seat.seat for seat in row.seats if player is not None and seat.guardian == player)}
    return replace(row, seats=tuple(free(seat.seat) if seat.seat in gone else seat for seat in row.seats))


def _with_nonce(row: RoomRow, seat: Seat, nonce: str) -> RoomRow:
    if row.status != "lobby" or row.seats[seat].nonce:
        return row
    return _with_seat(row, replace(row.seats[seat], nonce=nonce))


def _with_host(row: RoomRow) -> RoomRow:
    """Keep the host while seated. Otherwise the first player who is no guest becomes host, if there is one."""
    people = [seat.player for seat in row.seats if seat.player is not None and seat.guardian is None]
    return row if row.host in people or not people else replace(row, host=people[0])


def _not_asked(row: RoomRow, player: str) -> RoomRow:
    return replace(row, asked=tuple(each for each in row.asked if each != player))


def _bot_name(row: RoomRow) -> str:
    taken = {seat.name for seat in row.seats}
    return next(name for name in BOT_NAMES if name not in taken)
