"""Measures, and prints the table.

    ./run bench server [--rounds 5] [--tables 250] [--seconds 6] [--place FOLDER] [SCENE ...]

Scenes: `moves` (the floor, SQLite and PostgreSQL in turn), `memory`, `company` (bots that think, readers that stop),
`processes` (one and two on PostgreSQL and Valkey). Without any, all.
"""

import argparse

from .report import Table
from .scenes import SCENES, Setup
from .servers import Services


def main() -> None:
    """Every scene, so many rounds."""
    parser = argparse.ArgumentParser(prog="./run bench server")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=", ".join(SCENES))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tables", type=int, default=250, help="tables of four")
    parser.add_argument("--seconds", type=float, default=6.0, help="of each measurement")
    parser.add_argument("--place", default=".", help="a folder on the disk that is meant")
    wish = parser.parse_args()
    for name in wish.scenes or SCENES:
        table = Table()
        with Services(wish.place) as services:
            setup = Setup(services, wish.tables, wish.seconds)
            for _ in range(wish.rounds):
                SCENES[name](setup, table)
        print(f"\n{name}: {wish.rounds} rounds, {wish.tables} tables of four, {wish.seconds:g} s each")
        print(table.text())


if __name__ == "__main__":
    main()
