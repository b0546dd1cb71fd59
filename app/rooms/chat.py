"""The two chats of a room: the players' and the spectators'. They are no part of the game.

The chat has its own lock and waits for no socket, so moves never wait for it.
"""

import asyncio
from collections.abc import Collection, Iterable
from itertools import accumulate, chain

from app.metrics import REFUSALS
from app.news import News
from app.rules import Viewer
from app.store import Circle, MessageRow, StoreUnavailableError, UnknownRoomError, talk
from app.wire import Said, Say, Spoken, Talked, dump

from .audience import Audience, Listener
from .confusables import tell_apart
from .context import Context
from .errors import RefusedError, unavailable, unknown_room
from .lobby import may_talk, names_of, need_voice, seat_of
from .replica import Replica
from .tasks import Coalesced, Tasks

CIRCLES: tuple[Circle, ...] = ("players", "spectators")

RECENT = 50
"""Messages of each chat that a new listener gets."""

MOST_TOLD = 24 * 1024
"""Maximum bytes of each chat's messages that a new listener gets; the oldest are left out."""


class Chat:
    """The latest chat messages of a room, as far as this process has read them."""

    def __init__(self, context: Context, replica: Replica, audience: Audience, tasks: Tasks) -> None:
        self._context = context
        self._replica = replica
        self._audience = audience
        self._tasks = tasks
        self._lock = asyncio.Lock()
        self._read_all = Coalesced(tasks, self._read_each, lambda: self._lock)
        self._messages: dict[Circle, list[MessageRow]] = {circle: [] for circle in CIRCLES}

    def say(self, speaker: Listener, message: Say) -> None:
        """Start to store a listener's message. The answer comes once it is stored; then everybody gets it.

        A repeated message gets the same answer and has no other effect.
        """
        assert speaker.player is not None
        self._tasks.start(self._say(speaker, self._row(speaker.player, speaker.name, message)))

    async def say_for(self, player: str, name: str, message: Say) -> Spoken:
        """Store the message of a player without a listener, and send it to everybody before answering.

        Raises:
            RefusedError: it was not stored.
        """
        need_voice(self._replica.row, seat_of(self._replica.row, player))
        return await self._tasks.finish(self._say_for(self._row(player, name, message)))

    def read_again(self) -> None:
        """Catch up in the background. Further calls before that begins are served by the same read."""
        self._read_all.ask()

    async def catch_up(self) -> None:
        """Read the messages that other processes stored, and send them."""
        async with self._lock:
            await self._read_each()

    def greet(self, listeners: Iterable[Listener]) -> None:
        """Send these listeners the latest messages."""
        if not any(self._messages.values()):
            return
        latest = chain.from_iterable(map(self._latest, CIRCLES))
        text = dump(Talked(tuple(sorted(latest, key=lambda message: message.at))))
        for listener in filter(self._takes_part, listeners):
            listener.outbox.hear(text)

    def name_of(self, player: str) -> str | None:
        """The name under which a player wrote one of the latest messages."""
        messages = chain.from_iterable(self._messages.values())
        return next((message.name for message in messages if message.player == player), None)

    def _takes_part(self, listener: Listener) -> bool:
        return may_talk(self._replica.row, listener.viewer)

    def _name(self, seat: Viewer, name: str) -> str:
        """The seat's name, which everybody at the table knows, even if its player has another name by now."""
        return name if seat is None else self._replica.row.seats[seat].name

    def _row(self, player: str, name: str, message: Say) -> MessageRow:
        seat = seat_of(self._replica.row, player)
        return MessageRow(
            talk="spectators" if seat is None else "players",
            number=0,
            player=player,
            name=self._name(seat, name),
            message_id=message.id,
            phrase=message.phrase,
            text=message.text,
            at=self._context.now(),
        )

    async def _say_for(self, message: MessageRow) -> Spoken:
        async with self._lock:
            stored = await self._store(message)
            await self._follow(stored)
            return Spoken(message.message_id, stored.talk, stored.number)

    async def _say(self, speaker: Listener, message: MessageRow) -> None:
        async with self._lock:
            try:
                stored = await self._store(message)
            except RefusedError as error:
                REFUSALS[error.code] += 1
                speaker.outbox.answer(dump(error.told(message.message_id, self._replica.version)))
            else:
                speaker.outbox.answer(dump(Spoken(message.message_id, stored.talk, stored.number)))
                await self._follow(stored)

    async def _store(self, message: MessageRow) -> MessageRow:
        try:
            stored = await self._context.store.write(talk.say, self._replica.code, message)
        except UnknownRoomError:
            raise unknown_room() from None
        except StoreUnavailableError as error:
            raise unavailable(error) from error
        self._context.bus.publish(self._replica.code, News.SAID, self._context.process)
        return stored

    async def _follow(self, message: MessageRow) -> None:
        """Send a stored message, after those before it."""
        if message.number == self._last(message.talk) + 1:
            self._hear([message])
        elif message.number > self._last(message.talk):
            await self._read(message.talk)

    async def _read_each(self) -> None:
        for circle in CIRCLES:
            await self._read(circle)

    async def _read(self, circle: Circle) -> None:
        try:
            messages = await self._context.store.read_list(
                talk.load_messages, self._replica.code, circle, self._last(circle), RECENT
            )
        except StoreUnavailableError as error:
            raise unavailable(error) from error
        self._hear(messages)

    def _hear(self, messages: Collection[MessageRow]) -> None:
        for message in messages:
            self._messages[message.talk] = [*self._messages[message.talk][1 - RECENT :], message]
            text = dump(self._said(message))
            for listener in filter(self._takes_part, self._audience.listeners):
                listener.outbox.hear(text)

    def _last(self, circle: Circle) -> int:
        messages = self._messages[circle]
        return messages[-1].number if messages else 0

    def _latest(self, circle: Circle) -> list[Said]:
        """The newest messages that fit into `MOST_TOLD`."""
        messages = [self._said(message) for message in self._messages[circle]]
        sizes = accumulate(len(dump(message)) for message in reversed(messages))
        return messages[len(messages) - sum(size <= MOST_TOLD for size in sizes) :]

    def _said(self, message: MessageRow) -> Said:
        seat, names = seat_of(self._replica.row, message.player), names_of(self._replica.row)
        name = names[seat] if seat is not None else tell_apart([(message.player[:4], message.name)], names)[0]
        return Said(message.number, message.at, message.talk, seat, message.player, name, message.phrase, message.text)
