"""Fogline: a board game in the browser."""

__version__ = "0.1.0"
