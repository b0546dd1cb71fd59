"""The error for board files."""


class BoardError(ValueError):
    """A board file that can't be played. The text names the file, the place in it and what is wrong."""

    def __init__(self, source: str, place: str, problem: str) -> None:
        super().__init__(f"{source}: {place}: {problem}" if place else f"{source}: {problem}")
        self.source = source
        self.place = place
        self.problem = problem
