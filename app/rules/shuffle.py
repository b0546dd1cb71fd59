"""Chance: a documented stream of numbers from a seed, the same in every language (docs/shuffle.md has vectors).

Nothing else in the rules is random, so a game is its seed and its moves, and anyone who has both can check it.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, count, islice
from operator import mod
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_WORD = 1 << 32
_HMAC_BLOCK = 64
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
_EIGHT_WORDS = Struct(">8I").unpack


def commitment(server_part: bytes) -> str:
    """What is shown before the deal: SHA-256 of the server's part of the seed, in hex."""
    return hashlib.sha256(server_part).hexdigest()


def mix_seed(server_part: bytes, nonces: Sequence[str]) -> bytes:
    """The seed of a game, 32 bytes: SHA-256 over the server's part and the players' nonces in seat order.

    Each part is preceded by its length in bytes (4 bytes, big-endian), so that no two lists of parts read alike.
    """
    digest = hashlib.sha256(b"fogline seed 1")
    for part in (server_part, *(nonce.encode() for nonce in nonces)):
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.digest()


def words(seed: bytes, label: str) -> Iterator[int]:
    """The stream `label` of a seed: 32-bit words, big-endian, of HMAC-SHA-256(seed, label + NUL + counter).

    The counter starts at 0 and has 8 bytes, big-endian; each block of 32 bytes gives 8 words. `seed` has at most 64
    bytes.
    """
    return chain.from_iterable(_blocks(seed, label))


def _blocks(seed: bytes, label: str) -> Iterator[tuple[int, ...]]:
    inner, outer = _keyed(seed)
    start = label.encode() + b"\0"
    for number in count():
        inside, outside = inner.copy(), outer.copy()
        inside.update(start + number.to_bytes(8, "big"))
        outside.update(inside.digest())
        yield _EIGHT_WORDS(outside.digest())


@lru_cache(maxsize=64)
def _keyed(seed: bytes) -> tuple["hashlib._Hash", "hashlib._Hash"]:
    """The inner and the outer hash of HMAC (RFC 2104), keyed: the library's function does this again for each block."""
    key = seed.ljust(_HMAC_BLOCK, b"\0")
    return hashlib.sha256(key.translate(_INNER)), hashlib.sha256(key.translate(_OUTER))


def below(stream: Iterator[int], bound: int) -> int:
    """A number from 0 to `bound` - 1, each equally likely: words at or over the last multiple are passed over."""
    for word in stream:
        number = word % bound
        if word - number + bound <= _WORD:
            return number
    raise EOFError("the stream of numbers has ended")


def below_each(stream: Iterator[int], bounds: range) -> Sequence[int]:
    """A number `below` each of some falling bounds. Unless a word is among the very highest, none is passed over."""
    taken = list(islice(stream, len(bounds)))
    if max(taken, default=0) <= _WORD - bounds.start:
        return list(map(mod, taken, bounds))
    again = chain(taken, stream)
    return [below(again, bound) for bound in bounds]


def shuffled(items: Sequence[T], seed: bytes, label: str) -> tuple[T, ...]:
    """The items in an order drawn from the stream `label` (Fisher-Yates, from the last place down)."""
    order, size = list(items), len(items)
    others = below_each(words(seed, label), range(size, 1, -1))
    for last, other in zip(range(size - 1, 0, -1), others, strict=True):
        order[last], order[other] = order[other], order[last]
    return tuple(order)
