"""The web side: pages, calls and sockets."""
