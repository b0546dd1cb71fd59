"""Brings the schema up to date, in process and in one transaction, so that a migration happens whole or not at all."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from .errors import StoreSetupError

SCRIPTS = Path(__file__).resolve().parents[2] / "migrations"
LOCK = 0x666F676C696E65  # "fogline": an arbitrary number that no other program uses


def migrate(connection: Connection, scripts: Path = SCRIPTS, revision: str = "head") -> None:
    """Run the migrations that are missing. Alembic is loaded only if there are any: it takes a tenth of a start.

    Raises:
        StoreSetupError: the database can't keep every name, or its schema is of another version.
    """
    if trouble := encoding_trouble(connection):
        raise StoreSetupError(trouble)
    lock(connection)
    if revision != "head" or find_revision(connection) != newest_revision(scripts):
        upgrade(connection, scripts, revision)


def upgrade(connection: Connection, scripts: Path, revision: str) -> None:
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util.exc import CommandError  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise StoreSetupError(f"The database's schema is not of this version of Fogline: {error}") from error


def find_revision(connection: Connection) -> str | None:
    """The revision of the database's schema; None where there is nothing of Fogline."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def newest_revision(scripts: Path = SCRIPTS) -> str:
    """The revision that the names of the migrations' files end with: `0009_guests.py` is revision 0009."""
    return max(file.name for file in (scripts / "versions").glob("*.py")).partition("_")[0]


def encoding_trouble(connection: Connection) -> str | None:
    """What to fix where the database can't keep every text, or doesn't check it. SQLite always can."""
    if connection.dialect.name != "postgresql":
        return None
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding == "UTF8":
        return None
    return (
        f"The database has the encoding {encoding}, which can't keep every name; make one with UTF8: "
        "CREATE DATABASE fogline ENCODING 'UTF8' TEMPLATE template0;"
    )


def lock(connection: Connection) -> None:
    """Let no other process migrate before this transaction ends. On SQLite the transaction itself is the lock."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
