"""The command that checks board files."""

from argparse import Namespace

from app.boards import BoardError, load_board
from app.rules import Board

from .host import CommandError, Host


def check(_host: Host, asked: Namespace) -> None:
    """Print what a board has, or fail with what is wrong with it."""
    try:
        board = load_board(asked.file)
    except BoardError as error:
        raise CommandError(str(error)) from error
    print(f"{asked.file}: the board can be played.")
    for name, value in facts(board).items():
        print(f"  {name:<10} {value}")


def facts(board: Board) -> dict[str, str]:
    """What the board has, in words."""
    doubles = sum(route.twin is not None for route in board.routes) // 2
    gray = sum(route.color is None for route in board.routes)
    ferries = sum(route.ferries > 0 for route in board.routes)
    points = [ticket.points for ticket in board.tickets]
    return {
        "name": f"{board.name} ({board.id})",
        "locations": str(len(board.locations)),
        "routes": f"{len(board.routes)}: {doubles} double, {gray} of any color, {ferries} with ferries",
        "lengths": f"{min(board.route_points)} to {max(board.route_points)}",
        "tickets": f"{len(points)}, worth {min(points)} to {max(points)}",
        "cards": f"{len(board.colors)} colors of {board.cards_per_color}, {board.ferry_cards} ferries",
        "tokens": f"{len(board.token_stacks)} stacks",
        "cars": f"{board.cars_per_player} for each player",
    }
