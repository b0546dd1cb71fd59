"""Random numbers from a seed, by a documented method that any language can follow (docs/shuffle.md has vectors).

Nothing else in the rules is random, so seed and moves determine a game, and anyone who has both can check it.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
DERIVATION = 2
"""How seeds of new games are derived. Games that began with derivation 1 continue with it."""

_WORD = 1 << 32
_EIGHT_WORDS = Struct(">8I").unpack


def commitment(server_part: bytes) -> str:
    """What players see before the deal: SHA-256 of the server's part of the seed, in hex."""
    return hashlib.sha256(server_part).hexdigest()


def mix_seed(server_part: bytes, nonces: Sequence[str]) -> bytes:
    """The seed of a game, 32 bytes: SHA-256 over the server's part and the nonces in seat order."""
    return _digest(b"fogline seed 1", (server_part, *(nonce.encode() for nonce in nonces)))


def all_nonces(nonces: Sequence[str | None], derivation: int) -> list[str]:
    """The nonces of all seats in order, from those of the players, with None for a bot.

    A bot's nonce is computed from its seat and the players' nonces, so that nobody can choose it.

    Raises:
        ValueError: there is no such derivation.
    """
    players = [nonce.encode() for nonce in nonces if nonce is not None]
    match derivation:
        case 1:
            return [nonce or "" for nonce in nonces]
        case 2:
            return [_bot_nonce(seat, players) if nonce is None else nonce for seat, nonce in enumerate(nonces)]
    raise ValueError(f"There is no derivation {derivation}.")


def _bot_nonce(seat: int, players: Sequence[bytes]) -> str:
    return _digest(b"fogline bot 2", (b"%d" % seat, *players)).hex()


def _digest(label: bytes, parts: Iterable[bytes]) -> bytes:
    """Puts the length of each part (4 bytes, big-endian) before it, so that different parts give different bytes."""
    digest = hashlib.sha256(label)
    for part in parts:
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.digest()


def words(seed: bytes, label: str) -> Iterator[int]:
    """The stream `label` of a seed: 32-bit words, big-endian, of HMAC-SHA-256(seed, label + NUL + counter).

    The counter starts at 0 and has 8 bytes, big-endian; each block of 32 bytes gives 8 words.
    """
    for number in count():
        yield from _block(seed, label, number)


def _block(seed: bytes, label: str, number: int) -> tuple[int, ...]:
    block = _keyed(seed).copy()
    block.update(b"%b\0%b" % (label.encode(), number.to_bytes(8, "big")))
    return _EIGHT_WORDS(block.digest())


@lru_cache(maxsize=64)
def _keyed(seed: bytes) -> hmac.HMAC:
    """Keyed once, since keying takes longer than a block."""
    return hmac.new(seed, digestmod="sha256")


def below(stream: Iterator[int], bound: int) -> int:
    """A uniform number from 0 to `bound` - 1. Words at or above the last multiple of `bound` are skipped."""
    for word in stream:
        number = word % bound
        if word - number + bound <= _WORD:
            return number
    raise EOFError("the stream of numbers has ended")


def shuffled(items: Sequence[T], seed: bytes, label: str) -> tuple[T, ...]:
    """The items in an order drawn from the stream `label` (Fisher-Yates, from the last place down)."""
    order, left, block = list(items), len(items), 0
    while left > 1:
        left = mix(order, left, _block(seed, label, block))
        block += 1
    return tuple(order)


def mix(order: list[T], left: int, words: Iterable[int]) -> int:
    """Continue a Fisher-Yates shuffle of the first `left` places while there are words; returns the new `left`.

    The body of `below` is inlined, since shuffles are frequent.
    """
    for word in words:
        if left < 2:
            break
        other = word % left
        if word - other + left <= _WORD:
            left -= 1
            order[left], order[other] = order[other], order[left]
    return left
