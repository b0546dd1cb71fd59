"""Errors of the store.

StoreError
├── StoreSetupError         the settings, the folder or the schema do not allow a start
│   └── InstanceLockedError     another server uses the database
├── ArchiveError            a file is not a sound backup
├── NotEmptyError           a database that is to be filled is not empty
├── StoreUnavailableError   the database is full, read-only, away or too slow; it may be back at any moment
│   ├── FileGoneError       the file was removed or replaced under the server; only a restart helps
│   └── DatabaseDamagedError    the database's own structure is broken; only a backup helps
├── DamagedRowError         a row holds impossible values; all other rows are fine
├── CodeTakenError          another room has this code
├── UnknownRoomError        a move for a room that does not exist
├── RoomOverError           a move for a room that is over
└── MoveTakenError          another move has this number, or this seat's action has been stored before
"""


class StoreError(Exception):
    """Any error of the store; its text is a sentence fit for a log."""


class StoreSetupError(StoreError):
    """The store can't be opened; the text says what to fix."""


class ArchiveError(StoreError):
    """A file is not a backup, is of another version, or is damaged."""


class NotEmptyError(StoreError):
    """The database is not empty."""

    def __init__(self) -> None:
        super().__init__("The database is not empty, and nothing was changed.")


class InstanceLockedError(StoreSetupError):
    """Another server uses the database, and one of the two does not share it."""


class StoreUnavailableError(StoreError):
    """The database did not answer in time or failed. The outcome of a write is unknown: read again before going on."""

    def __init__(self, reason: object) -> None:
        super().__init__(f"The database is unavailable: {reason}")


class FileGoneError(StoreUnavailableError):
    """Writes would be lost: they would go into a file that has no name any more."""

    def __init__(self) -> None:
        super().__init__(
            "its file was removed or replaced while the server ran; put it back, and start the server anew"
        )


class DatabaseDamagedError(StoreUnavailableError):
    """The database reports that its file is damaged."""

    def __init__(self, reason: object) -> None:
        super().__init__(f"it is damaged ({reason}); stop the server and run `fogline restore BACKUP --replace`")


class DamagedRowError(StoreError):
    """Another program changed the row, or its file is damaged."""

    def __init__(self, table: str, key: object, problem: str) -> None:
        super().__init__(f"In the database, {table} {key} is damaged: {problem}.")


class CodeTakenError(StoreError):
    """A room with this code exists."""

    def __init__(self, code: str) -> None:
        super().__init__(f"There is already a room {code}.")


class UnknownRoomError(StoreError):
    """There is no room with this code."""

    def __init__(self, code: str) -> None:
        super().__init__(f"There is no room {code}.")


class RoomOverError(StoreError):
    """The room was over before the move, which was not stored."""

    def __init__(self, code: str) -> None:
        super().__init__(f"Room {code} is over.")


class MoveTakenError(StoreError):
    """The move lost a race or is a repetition, and was not stored."""

    def __init__(self, code: str, number: int) -> None:
        super().__init__(f"Move {number} of room {code}, or an action with the same id, is already stored.")
