"""Longer timeouts for databases and buses, so that tests pass on a busy machine.

All test processes get them. The tests of the timeouts themselves use the fixture `production_timeouts`, and a server
process has longer ones only if it is started with `patient=True`.
"""

from app.bus import redis_bus
from app.store import timeouts

LENGTHENED = (
    (timeouts, "ANSWER", 60.0),
    (timeouts, "DATABASE", 50.0),
    (timeouts, "CONNECTION", 50),
    (redis_bus, "TIMEOUT", 50.0),
)
PRODUCTION = tuple((module, name, getattr(module, name)) for module, name, _ in LENGTHENED)


def lengthen_timeouts() -> None:
    """Do so for this process, from now on."""
    for module, name, seconds in LENGTHENED:
        setattr(module, name, seconds)
