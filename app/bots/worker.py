"""The process in which bots think: `python -m app.bots.worker`, questions on its input, answers on its output.

It knows the rules and the bots only. It ends when its input does, in the middle of a thought too, so it never outlives
the server, however that ends.
"""

import os
from queue import SimpleQueue
from random import Random
from threading import Thread
from typing import BinaryIO

from app.bots import choose
from app.bots.pipe import LENGTH_BYTES, Question, dump_answer, length, load_question

NICENESS = 10
"""Serving comes before thinking."""

STDIN, STDOUT, STDERR = 0, 1, 2


def main() -> None:
    """Answer questions one after the other. A bot's error ends the process, with its trace on the error output."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    answers = _take_output()
    questions: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(questions,), daemon=True).start()
    while True:
        answers.write(_answer(load_question(questions.get())))
        answers.flush()


def _answer(question: Question) -> bytes:
    level, view, seed = question
    return dump_answer(choose(level, view, Random(seed)))


def _take_output() -> BinaryIO:
    """The output for answers alone: whatever else is printed goes to the error output."""
    answers = os.fdopen(os.dup(STDOUT), "wb")
    os.dup2(STDERR, STDOUT)
    return answers


def _listen(questions: "SimpleQueue[bytes]") -> None:
    while True:
        questions.put(_read(length(_read(LENGTH_BYTES))))


def _read(size: int) -> bytes:
    """So many bytes of the input. At its end the process ends at once, whatever its other thread is doing."""
    data = b""
    while len(data) < size:
        part = os.read(STDIN, size - len(data))
        if not part:
            os._exit(0)
        data += part
    return data


if __name__ == "__main__":
    main()
