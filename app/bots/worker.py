"""The process in which bots think: `python -m app.bots.worker`, questions on its input, answers on its output.

It knows the rules and the bots only. It ends when its input does, in the middle of a thought too, so it never outlives
the server, however that ends.
"""

import os
from queue import SimpleQueue
from random import Random
from threading import Thread
from traceback import print_exc
from typing import BinaryIO

from app.bots import choose
from app.bots.clock import Clock
from app.bots.pipe import LENGTH_BYTES, Failed, Question, dump_answer, length, load_question

NICENESS = 10
"""The niceness of this process, so that the server goes first."""

MOST_FRAMES = 20
"""Maximum frames of a bot's traceback; an endless recursion has a thousand."""

STDIN, STDOUT, STDERR = 0, 1, 2


def main() -> None:
    """Answer questions one after the other until the server is gone. If a bot raises, the error is the answer."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    answers = _take_output()
    questions: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(questions,), daemon=True).start()
    while True:
        answer = _answer(load_question(questions.get()))
        try:
            answers.write(answer)
            answers.flush()
        except OSError:
            os._exit(0)  # the server was killed: nobody is left to be told anything


def _answer(question: Question) -> bytes:
    """Answer one question. Errors and answers that can't be sent don't stop the process."""
    level, view, seed, known, seconds = question
    try:
        return dump_answer(choose(level, view, Random(seed), Clock(seconds), known))
    except BaseException as error:  # noqa: BLE001
        print_exc(limit=MOST_FRAMES)
        return dump_answer(Failed(f"{type(error).__name__}"))


def _take_output() -> BinaryIO:
    """Keep the output for answers: send everything that is printed to the error output."""
    answers = os.fdopen(os.dup(STDOUT), "wb")
    os.dup2(STDERR, STDOUT)
    return answers


def _listen(questions: "SimpleQueue[bytes]") -> None:
    while True:
        questions.put(_read(length(_read(LENGTH_BYTES))))


def _read(size: int) -> bytes:
    """Read so many bytes of input. At its end, exit at once, even if the other thread is thinking."""
    data = b""
    while len(data) < size:
        part = os.read(STDIN, size - len(data))
        if not part:
            os._exit(0)
        data += part
    return data


if __name__ == "__main__":
    main()
