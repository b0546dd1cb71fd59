"""Which cards a hand still lacks for some routes, and which it can best do without."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from app.rules import FERRY, Card, Payment, Route


def lacking(colors: Sequence[Card], hand: Mapping[Card, int], routes: Iterable[Route]) -> Counter[Card]:
    """The cards still to be drawn to pay for all the routes, ferries only for ferry symbols (R1, R2).

    Colored routes are counted first; each gray one then takes the color of which the most is left.
    """
    left, lacks = Counter(hand), Counter[Card]()
    for route in sorted(routes, key=lambda route: (route.color is None, -route.length)):
        color = route.color or max(colors, key=left.__getitem__)
        for card, number in ((FERRY, route.ferries), (color, route.length - route.ferries)):
            used = min(number, left[card])
            left[card] -= used
            lacks[card] += number - used
    return +lacks


def turns_to_claim(colors: Sequence[Card], hand: Mapping[Card, int], route: Route) -> int:
    """About how many turns it takes to claim a route: drawing two cards, or one ferry, in each, then claiming."""
    lacks = lacking(colors, hand, (route,))
    wild = max(0, hand.get(FERRY, 0) - route.ferries)
    plain = max(0, sum(lacks.values()) - lacks[FERRY] - wild)
    return 1 + lacks[FERRY] + (plain + 1) // 2


def least_missed(
    colors: Sequence[Card], hand: Mapping[Card, int], payments: Iterable[Payment], later: Sequence[Route]
) -> Payment:
    """The payment after which later routes lack least; of equal ones the one with fewest ferries."""

    def loss(payment: Payment) -> tuple[int, int]:
        left = {card: number - payment.get(card, 0) for card, number in hand.items()}
        return sum(lacking(colors, left, later).values()), payment.get(FERRY, 0)

    return min(payments, key=loss)


def saves_ferries(hand: Mapping[Card, int], route: Route, payment: Payment, later: Iterable[Route]) -> bool:
    """Whether the ferries a payment gives beyond the route's symbols leave enough for those of later routes."""
    extra = payment.get(FERRY, 0) - route.ferries
    spare = hand.get(FERRY, 0) - route.ferries - sum(other.ferries for other in later)
    return extra <= max(0, spare)
