"""Brings the schema up to date, in process and in one transaction: it happens whole or not at all."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection, text

from .errors import StoreSetupError

SCRIPTS = Path(__file__).resolve().parents[2] / "migrations"
LOCK = 0x666F676C696E65  # "fogline": any number that is ours


def migrate(connection: Connection, scripts: Path = SCRIPTS, revision: str = "head") -> None:
    """Run what is missing, in a database that can keep every name."""
    if trouble := encoding_trouble(connection):
        raise StoreSetupError(trouble)
    lock(connection)
    try:
        command.upgrade(configuration(connection, scripts), revision)
    except CommandError as error:
        raise StoreSetupError(f"The database's schema is not of this version of Fogline: {error}") from error


def encoding_trouble(connection: Connection) -> str | None:
    """What to mend where the database can't keep every text, or keeps it unchecked. SQLite always can."""
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
    """Let nobody else migrate before this transaction ends. On SQLite the transaction itself is the lock."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def configuration(connection: Connection, scripts: Path) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
