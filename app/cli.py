"""The command `fogline`."""

import argparse
from collections.abc import Sequence
from pkgutil import resolve_name

COMMANDS = {"serve": "app.main:serve"}
"""What a command calls, by name: the command line stands below `main` and can't import it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line says; without a command, serve."""
    parser = argparse.ArgumentParser(prog="fogline", description="Fogline, a board game in the browser.")
    commands = parser.add_subparsers(dest="command", title="commands")
    commands.add_parser("serve", help="serve the site; its settings are FOGLINE_... in the environment")
    command = parser.parse_args(arguments).command or "serve"
    resolve_name(COMMANDS[command])()


if __name__ == "__main__":
    main()
