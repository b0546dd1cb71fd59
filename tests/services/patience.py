"""How long the product waits for a database or a bus is what a few tests are about; elsewhere a busy machine has time.

Who tests these limits asks for `as_served`; a process of its own keeps them unless it is told to be patient.
"""

from app import bus
from app.store import waits

LONG = ((waits, "ANSWER", 60.0), (waits, "DATABASE", 50.0), (waits, "CONNECTION", 50), (bus, "PATIENCE", 50.0))
SERVED = tuple((module, name, getattr(module, name)) for module, name, _ in LONG)
"""The product's own."""


def wait_long() -> None:
    """From now on, in this process."""
    for module, name, seconds in LONG:
        setattr(module, name, seconds)
