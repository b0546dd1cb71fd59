"""Packed, so that the browser and the server of these tests are those of all of them."""
