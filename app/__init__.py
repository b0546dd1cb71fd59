"""Fogline: a board game in the browser."""
