"""What can go wrong with the store.

StoreError
├── StoreSetupError         the settings, the folder or the schema do not allow a start
│   └── InstanceLockedError     another server uses the database
├── ArchiveError            a file is no sound backup
├── NotEmptyError           a database that is to be filled holds something
├── StoreUnavailableError   the database is full, read-only, away or too slow; it may be back at any moment
│   ├── FileGoneError       the file was removed or replaced under the server; only a restart helps
│   └── DatabaseDamagedError    the database's own structure is broken; only a backup helps
├── DamagedRowError         what is stored in a row can't be so; all other rows are as they were
├── CodeTakenError          another room has this code
├── UnknownRoomError        a move for a room that does not exist
├── RoomOverError           a move for a room that is over
└── MoveTakenError          another move has this number, or this seat's action has been stored before
"""


class StoreError(Exception):
    """Anything the store reports; its text is a sentence fit for a log."""


class StoreSetupError(StoreError):
    """The store can't be opened; the text says what to mend."""


class ArchiveError(StoreError):
    """A file is no backup, of another version, or damaged."""


class NotEmptyError(StoreError):
    """The database holds something already."""

    def __init__(self) -> None:
        super().__init__("The database is not empty, and nothing was changed.")


class InstanceLockedError(StoreSetupError):
    """Another server uses the database, and one of the two is for itself alone."""


class StoreUnavailableError(StoreError):
    """The database did not do it. After a write the outcome may be unknown: read again before going on."""

    def __init__(self, reason: object) -> None:
        super().__init__(f"The database is unavailable: {reason}")


class FileGoneError(StoreUnavailableError):
    """What is written now would be lost: it would go into a file that has no name any more."""

    def __init__(self) -> None:
        super().__init__(
            "its file was removed or replaced while the server ran; put it back, and start the server anew"
        )


class DatabaseDamagedError(StoreUnavailableError):
    """The database has found its file damaged."""

    def __init__(self, reason: object) -> None:
        super().__init__(f"it is damaged ({reason}); stop the server and run `fogline restore BACKUP --replace`")


class DamagedRowError(StoreError):
    """A row was changed by something else than Fogline, or its file is damaged."""

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
    """The room was over before the move; nothing of it was written."""

    def __init__(self, code: str) -> None:
        super().__init__(f"Room {code} is over.")


class MoveTakenError(StoreError):
    """The move lost a race or is a repetition; nothing of it was written."""

    def __init__(self, code: str, number: int) -> None:
        super().__init__(f"Move {number} of room {code}, or an action with the same id, is already stored.")
