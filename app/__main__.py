"""The command `fogline`, also run as `python -m app`."""

import gc
import sys

gc.set_threshold(
    100_000, 10, 100
)  # imports make objects that stay: searching them for garbage takes a tenth of a start

from app.cli import run  # noqa: E402
from app.config import SettingsError, read_settings  # noqa: E402


def main() -> None:
    """Do what the command line says."""
    try:
        run(sys.argv[1:], read_settings, "app.main:serve")
    except SettingsError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
