"""The calls of `/api/v1`."""
