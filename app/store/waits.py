"""How long one waits for a database. Who waits reads it from here, so that it can be changed for all at once."""

ANSWER = 2.0
"""Seconds until nobody waits any more for an answer."""

DATABASE = 1.5
"""Seconds until the database gives up by itself: first, so that the outcome is known."""

CONNECTION = 2
"""Seconds until a server that was called is given up; whole ones, since libpq counts so."""
