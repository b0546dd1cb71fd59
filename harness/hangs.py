"""Ends a process of a test run in which a test, a fixture or the interpreter's exit hangs.

pytest-timeout fails a test after `timeout` seconds. But its timer, like that of pytest's own faulthandler plugin, stops
when the test has failed, so that a teardown that hangs then would hang for ever. This plugin starts the second timer
again. When it expires, it prints all stacks and kills the process. pytest-xdist names the test, starts another process
and goes on.
"""

import faulthandler
import os

import pytest

STDERR = pytest.StashKey[int]()
"""Standard error as it is before pytest captures it. Stays open, since it is needed until the process exits."""


def start_timer(config: pytest.Config) -> None:
    seconds = float(config.getini("faulthandler_timeout"))
    faulthandler.dump_traceback_later(seconds, exit=True, file=config.stash[STDERR])


def pytest_configure(config: pytest.Config) -> None:
    config.stash[STDERR] = os.dup(2)


@pytest.hookimpl(trylast=True)
def pytest_exception_interact(node: pytest.Item | pytest.Collector) -> None:
    """Watch the teardown of a test that has failed."""
    if isinstance(node, pytest.Item):
        start_timer(node.config)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Watch the exit, which waits for threads and child processes."""
    start_timer(config)
