"""`python -m app` is the command `fogline`."""

from app.cli import main

main()
