"""The command line: its arguments, and the function for each command."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pkgutil import resolve_name

from app import __version__

from .host import CommandError, Host

DESCRIPTION = "Fogline, a board game in the browser. Without a command it serves."
SETTINGS = "All settings are FOGLINE_... in the environment; README.md lists them."


def run(arguments: Sequence[str], read_host: Callable[[], Host], serve: str) -> None:
    """Run the command. `serve` names the function that serves, which this package must not import."""
    asked = parser().parse_args(arguments)
    if asked.call is None:
        resolve_name(serve)()
        return
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names may have characters that the terminal can't show
    try:
        status = resolve_name(f"app.cli.{asked.call}")(read_host(), asked)
        sys.stdout.flush()  # a reader who is gone is no error here, but is one when Python exits
        sys.exit(status)
    except CommandError as error:
        sys.exit(f"fogline: {error}")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # otherwise Python tries again when it exits
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit("fogline: interrupted")


def parser() -> argparse.ArgumentParser:
    """The parser. It names functions instead of importing them, so that only the called one is loaded."""
    top = argparse.ArgumentParser(prog="fogline", description=DESCRIPTION, epilog=SETTINGS)
    top.add_argument("--version", action="version", version=f"fogline {__version__}")
    top.set_defaults(call=None)
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    add(commands, "serve", None, "serve the site")
    add(commands, "migrate", "database:migrate", "bring the database's schema up to date (serving does it too)")
    add_backup(commands)
    add_restore(commands)
    add_check(commands)
    add_rooms(commands)
    add_board(commands)
    add_verify(commands)
    return top


Commands = argparse._SubParsersAction  # noqa: SLF001 - argparse has no other name for it


def add(
    commands: "Commands[argparse.ArgumentParser]", name: str, call: str | None, what: str
) -> argparse.ArgumentParser:
    made = commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    made.set_defaults(call=call)
    return made


def add_backup(commands: "Commands[argparse.ArgumentParser]") -> None:
    backup = add(
        commands, "backup", "database:backup", "save the whole database into one file, while the site is served"
    )
    backup.add_argument("file", help="a new file, or - for standard output")


def add_restore(commands: "Commands[argparse.ArgumentParser]") -> None:
    what = "fill a database from a backup of either kind of database, while the site is not served"
    restore = add(commands, "restore", "database:restore", what)
    restore.add_argument("file", help="a file that backup wrote, or - for standard input")
    restore.add_argument("--replace", action="store_true", help="remove what the database holds now")


def add_check(commands: "Commands[argparse.ArgumentParser]") -> None:
    check = add(commands, "check", "check:check", "look at settings, database, bus, disk, clock and proxy")
    check.epilog = "Each line is a finding; the exit status is 1 if there is something to fix."
    check.add_argument("--url", help="where people find the site, to look through the proxy; else FOGLINE_PUBLIC_URL")


def add_rooms(commands: "Commands[argparse.ArgumentParser]") -> None:
    rooms = add(commands, "rooms", "rooms:show", "list the rooms; end one, or delete it")
    rooms.add_argument("--status", choices=("lobby", "playing", "over"), help="only these")
    rooms.add_argument("--most", type=positive, default=1000, metavar="N", help="so many of the newest; else 1000")
    steps = rooms.add_subparsers(title="what to do", metavar="")
    add(steps, "list", "rooms:show", "list the rooms, the newest first")
    end = add(steps, "end", "rooms:end", "end a room's game as it stands; its record stays")
    end.add_argument("code", help="the room's code")
    delete = add(steps, "delete", "rooms:delete", "remove a room and its moves for good")
    delete.add_argument("code", help="the room's code")


def positive(text: str) -> int:
    """A number of rooms."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text} is no whole number over 0")
    return int(text)


def add_board(commands: "Commands[argparse.ArgumentParser]") -> None:
    board = add(commands, "board", None, "look at a board file")
    steps = board.add_subparsers(title="what to do", metavar="", required=True)
    check = add(steps, "check", "boards:check", "say what is wrong with a board file and where, or what the board has")
    check.add_argument("file", help="a JSON file, or the name of a board that is built in")


def add_verify(commands: "Commands[argparse.ArgumentParser]") -> None:
    what = "play a finished game again from its record, and say whether all of it agrees"
    verify = add(commands, "verify", "records:verify", what)
    verify.add_argument("record", help="a file with the JSON of /api/v1/rooms/CODE/record, or - for standard input")
