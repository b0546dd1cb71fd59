"""Those who follow a room."""

from dataclasses import dataclass

from app.rules import Viewer

from .outbox import Outbox, Update


@dataclass(eq=False, slots=True)
class Listener:
    """A socket that follows a room: of a player with a name, or of a stranger without one.

    `viewer` is its player's seat, which may change until the game starts. `caller` is the player, or the guardian.
    """

    player: str | None
    viewer: Viewer
    outbox: Outbox
    name: str = ""
    caller: str | None = None
    shown: bytes = b""

    def show(self, update: Update) -> None:
        """Put a state into the outbox."""
        self.shown = update.room
        self.outbox.show(update)
