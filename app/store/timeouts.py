"""Time limits for calls to the database. They are read at each use, so that they can be changed for all at once."""

ANSWER = 2.0
"""Seconds that a caller waits for an answer."""

DATABASE = 1.5
"""Seconds after which the database cancels a statement: before the caller gives up, so that the outcome is known."""

CONNECTION = 2
"""Seconds that a connection attempt may take; a whole number, because libpq takes no fraction."""
