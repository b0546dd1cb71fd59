"""What the tests run in a process of its own, to kill it or to race with it.

child open ADDRESS                   open the store and close it
child migrate ADDRESS SCRIPTS        run the migrations in the folder SCRIPTS
child play ADDRESS ROOM...           append moves to each room without end, printing each as it is acknowledged
"""

import asyncio
import sys
from pathlib import Path

from app.store import Store, open_store
from app.store.address import parse_address
from app.store.engine import make_engine
from app.store.migrate import migrate
from app.store.store import transact, writing
from harness.store_rows import move


async def run_migrations(address: str, scripts: Path) -> None:
    await transact(writing(make_engine(parse_address(address))), migrate, scripts)


async def play(store: Store, code: str) -> None:
    stored = await store.load_moves(code)
    number = len(stored)
    while True:
        number += 1
        await store.append_move(code, move(number))
        sys.stdout.write(f"{code} {number}\n")
        sys.stdout.flush()


async def main(task: str, address: str, *arguments: str) -> None:
    if task == "migrate":
        await run_migrations(address, Path(arguments[0]))
        return
    async with open_store(address) as store:
        await asyncio.gather(*(play(store, code) for code in arguments))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
