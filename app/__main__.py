"""The command `fogline`, which is `python -m app` too."""

import sys

from app.cli import run
from app.config import SettingsError, read_settings


def main() -> None:
    """Do what the command line says."""
    try:
        run(sys.argv[1:], read_settings, "app.main:serve")
    except SettingsError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
