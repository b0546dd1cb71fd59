"""What may be in a chat message."""

from dataclasses import replace

from app.rooms import Code, ReasonName, RefusedError
from app.wire import Say

from .text import has_hidden, has_piles, is_visible, tidy, visible_length

LONGEST = 300


def checked(message: Say) -> Say:
    """The message, with its text, if it has one, as it is stored.

    Raises:
        RefusedError: the text is not allowed.
    """
    return message if message.text is None else replace(message, text=parse_text(message.text))


def parse_text(text: str) -> str:
    """The text as it is stored: in Unicode's form C, without spaces round it.

    Raises:
        RefusedError: the text is empty, too long, or partly invisible.
    """
    words = tidy(text)
    if has_hidden(words):
        raise _refuse("say_hidden", "It may hold no control or direction marks, nor characters that show nothing.")
    if not is_visible(words):
        raise _refuse("say_empty", "There is nothing in it that can be seen.")
    if visible_length(words) > LONGEST:
        raise _refuse("say_length", f"It has {LONGEST} characters at most.")
    if has_piles(words):
        raise _refuse("say_marks", "There are too many marks on one character.")
    return words


def _refuse(reason: ReasonName, detail: str) -> RefusedError:
    return RefusedError(Code.BAD_REQUEST, f"text: {detail}", reason=reason)
