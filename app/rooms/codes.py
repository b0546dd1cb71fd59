"""Room codes: 8 signs of Crockford's base32, read as people write them."""

import secrets

SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 8
_MEANT = str.maketrans("OIL", "011", "- ")


def new_code() -> str:
    """A code nobody can guess: 40 random bits."""
    return "".join(secrets.choice(SIGNS) for _ in range(LENGTH))


def parse_code(text: str) -> str | None:
    """The code that is meant: in any case, with hyphens or spaces, O for 0, I or L for 1; None if it is none."""
    if len(text) > 4 * LENGTH:
        return None
    code = text.upper().translate(_MEANT)
    return code if len(code) == LENGTH and set(code) <= set(SIGNS) else None
