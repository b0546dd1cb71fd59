"""Chance: a documented stream of numbers from a seed, the same in every language (docs/shuffle.md has vectors).

Nothing else in the rules is random, so a game is its seed and its moves, and anyone who has both can check it.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
DERIVATION = 2
"""How the seed of a new game comes about; games begun by derivation 1 go on, and their records stay true."""

_WORD = 1 << 32
_HMAC_BLOCK = 64
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
_EIGHT_WORDS = Struct(">8I").unpack


def commitment(server_part: bytes) -> str:
    """What is shown before the deal: SHA-256 of the server's part of the seed, in hex."""
    return hashlib.sha256(server_part).hexdigest()


def mix_seed(server_part: bytes, nonces: Sequence[str]) -> bytes:
    """The seed of a game, 32 bytes: SHA-256 over the server's part and the nonces in seat order."""
    return _digest(b"fogline seed 1", (server_part, *(nonce.encode() for nonce in nonces)))


def all_nonces(nonces: Sequence[str | None], derivation: int) -> list[str]:
    """The nonces of all seats in order, given those of the players, with None for a bot.

    Nobody chooses the nonce of a bot: it follows from its seat and from what the players gave.

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
    """Each part follows its length in bytes (4 bytes, big-endian), so that no two lists of parts read alike."""
    digest = hashlib.sha256(label)
    for part in parts:
        digest.update(len(part).to_bytes(4, "big") + part)
    return digest.digest()


def words(seed: bytes, label: str) -> Iterator[int]:
    """The stream `label` of a seed: 32-bit words, big-endian, of HMAC-SHA-256(seed, label + NUL + counter).

    The counter starts at 0 and has 8 bytes, big-endian; each block of 32 bytes gives 8 words. `seed` has at most 64
    bytes.
    """
    for number in count():
        yield from _block(seed, label, number)


def _block(seed: bytes, label: str, number: int) -> tuple[int, ...]:
    keyed_inside, keyed_outside = _keyed(seed)
    inside, outside = keyed_inside.copy(), keyed_outside.copy()
    inside.update(b"%b\0%b" % (label.encode(), number.to_bytes(8, "big")))
    outside.update(inside.digest())
    return _EIGHT_WORDS(outside.digest())


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


def shuffled(items: Sequence[T], seed: bytes, label: str) -> tuple[T, ...]:
    """The items in an order drawn from the stream `label` (Fisher-Yates, from the last place down)."""
    order, left, block = list(items), len(items), 0
    while left > 1:
        left = mix(order, left, _block(seed, label, block))
        block += 1
    return tuple(order)


def mix(order: list[T], left: int, words: Iterable[int]) -> int:
    """Draw what comes to the last of the places that are left, then to the last but one, as far as the words go.

    Each is drawn as `below` does it, which is written out because games shuffle all the time. Given back is how many
    places are left: nothing is drawn for the last one.
    """
    for word in words:
        if left < 2:
            break
        other = word % left
        if word - other + left <= _WORD:
            left -= 1
            order[left], order[other] = order[other], order[left]
    return left
