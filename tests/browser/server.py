"""The server of the browser's tests."""

from pathlib import Path

from tests.services.forks import ForkedSite

BOARDS = Path(__file__).parents[1] / "rules" / "boards"


class FoglineServer(ForkedSite):
    """It can be killed, and started again on the same port and data; it knows the boards of the rules' tests."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, boards_dir=str(BOARDS))
