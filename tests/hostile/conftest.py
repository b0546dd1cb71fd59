"""What the attacks share."""

from tests.web.conftest import client, server

__all__ = ["client", "server"]
