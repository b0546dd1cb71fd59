"""A client for the tests that compare the program with its documents and packaging."""

from tests.web.conftest import client

__all__ = ["client"]
