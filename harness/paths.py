"""Where things are."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The repository."""

BOARDS = Path(__file__).parent / "boards"
"""Small boards made for tests. Each goes to an extreme, such as no ferries or hardly anything else."""
