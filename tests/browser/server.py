"""The server of the browser's tests."""

from tests.services.forks import ForkedSite


class FoglineServer(ForkedSite):
    """It can be killed, and started again on the same port and data."""
