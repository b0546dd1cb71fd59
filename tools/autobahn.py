"""Runs the Autobahn test suite for WebSockets (its fuzzing client) against the connection layer.

    .venv/bin/python -m tools.autobahn [CASES] [--python PYTHON2.7]

CASES are numbers or patterns such as `7.*`, with commas between them. The suite is written for Python 2.7, and so it
gets a folder of its own, `.venv/autobahn`, and no place in the lock files. Compression is left out: the server has
none.
"""

import argparse
import asyncio
import json
import logging
import shutil
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn
from starlette.types import Receive, Scope, Send

from app.server import Connections, FileBudget, ServerConfig, listen_at, websocket
from app.web import network_of, refusal, security_headers

SUITE = "autobahntestsuite==25.10.1"
FOLDER = Path(__file__).parents[1] / ".venv" / "autobahn"

CASES = "*"
COMPRESSION = ["12.*", "13.*"]

MOST_BYTES = 16 * 1024 * 1024
"""Bytes of the largest message of the suite."""

START = "import site, sys; site.addsitedir(sys.argv.pop(1)); from autobahntestsuite.wstest import run; run()"
"""`addsitedir` also finds namespace packages, which a search path does not."""

GOOD = {"OK", "NON-STRICT", "INFORMATIONAL"}


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Echo every message in the same form."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({**message, "type": "websocket.send"})


def echo_server() -> uvicorn.Server:
    """The server without the limits that the suite exceeds on purpose: sizes, frames and fragments of a message."""
    websocket.MOST_PARTS = websocket.MOST_PIECES = MOST_BYTES
    websocket.MOST_UNREAD = 2 * MOST_BYTES
    connections = Connections(network_of, (), None, FileBudget.of_process())
    return uvicorn.Server(ServerConfig(echo, connections, refusal, headers=security_headers(0), most_bytes=MOST_BYTES))


async def run(*command: str | Path, log: Path) -> None:
    """Run a program, and show its output only if it fails."""
    with log.open("wb") as out:
        process = await asyncio.create_subprocess_exec(*command, stdout=out, stderr=out)
        failed = await process.wait()
    if failed:
        sys.exit(f"{ending_of(log)}\n{command[0]} failed")


def ending_of(log: Path) -> str:
    return log.read_text(errors="replace")[-3000:]


async def results_of(python: str, cases: list[str], folder: Path) -> dict[str, dict[str, str]]:
    """The result of each case."""
    [listening] = listen_at("127.0.0.1", 0)
    port = listening.getsockname()[1]
    spec = folder / "spec.json"
    spec.write_text(
        json.dumps(
            {
                "outdir": str(folder),
                "servers": [{"agent": "fogline", "url": f"ws://127.0.0.1:{port}"}],
                "cases": cases,
                "exclude-cases": COMPRESSION,
                "exclude-agent-cases": {},
            }
        )
    )
    server = echo_server()
    serving = asyncio.create_task(server.serve([listening]))
    while not server.started:  # noqa: ASYNC110 - uvicorn says it no other way
        await asyncio.sleep(0.01)
    await run(python, "-c", START, FOLDER, "--mode", "fuzzingclient", "--spec", spec, log=folder / "log")
    server.should_exit = True
    await serving
    results: dict[str, dict[str, str]] = json.loads((folder / "index.json").read_text())["fogline"]
    return results


def report(results: dict[str, dict[str, str]], folder: Path) -> bool:
    """Print a table of the groups, and each case that did not simply pass. Gives whether none failed."""
    groups: dict[str, Counter[str]] = {}
    for case, result in results.items():
        verdicts = {result["behavior"], result["behaviorClose"]}
        worst = next(iter(sorted(verdicts - GOOD)), None) or result["behavior"]
        groups.setdefault(case.partition(".")[0], Counter())[worst] += 1
        if verdicts != {"OK"}:
            say(f"{case}: {result['behavior']}, close {result['behaviorClose']}: {told(folder, result)}")
    for group, counts in sorted(groups.items(), key=lambda each: int(each[0])):
        say(f"{group:>3}: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    total = sum(groups.values(), Counter[str]())
    say(f"{total.total()} cases: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(total.items())))
    return set(total) <= GOOD


def told(folder: Path, result: dict[str, str]) -> str:
    """The suite's description of a case."""
    details = json.loads((folder / result["reportfile"]).read_text())
    return f"{details['result']} {details['resultClose']}"


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> None:
    """Exits with 1 if a case fails."""
    parser = argparse.ArgumentParser(description="Run the Autobahn test suite for WebSockets.")
    parser.add_argument("cases", nargs="?", default=CASES)
    parser.add_argument("--python", default="python2.7")
    wanted = parser.parse_args()
    python = shutil.which(wanted.python)
    if python is None:
        parser.error(f"the suite needs Python 2.7 with pip, and there is no {wanted.python}: name one with --python")
    logging.disable(logging.INFO)
    with TemporaryDirectory() as name:
        folder = Path(name)
        if not (FOLDER / "autobahntestsuite").is_dir():
            asyncio.run(run(python, "-m", "pip", "install", "--target", FOLDER, SUITE, log=folder / "log"))
        results = asyncio.run(results_of(python, wanted.cases.split(","), folder))
        sys.exit(not (results and report(results, folder)))


if __name__ == "__main__":
    main()
