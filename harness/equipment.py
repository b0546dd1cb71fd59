"""Finds the programs that `./run equip` installs for the tests of proxies and of the image."""

import os
import shutil

import pytest

PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"
"""Debian keeps some programs in folders that an ordinary user's path lacks."""


def find_program(name: str) -> str:
    """The path of a program. Where it is missing, skip the test, or fail where `TEST_EQUIPPED` is set.

    CI sets it after `./run equip`, so that no missing program hides a test there.
    """
    if found := shutil.which(name, path=PATH):
        return found
    missing = f"{name} is not installed (./run equip)"
    if os.environ.get("TEST_EQUIPPED"):
        pytest.fail(missing)
    pytest.skip(missing)
