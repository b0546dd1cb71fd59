"""Headers of every answer: those that protect the browser's user, and the one that forbids storing."""

from starlette.datastructures import MutableHeaders

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def security_headers(hsts_seconds: int) -> list[tuple[str, str]]:
    """The headers of every answer, whichever part makes it. With 0 seconds, without the one about https."""
    hsts = [("Strict-Transport-Security", f"max-age={hsts_seconds}")] if hsts_seconds else []
    return [*HEADERS.items(), *hsts]


def forbid_storing(headers: MutableHeaders) -> None:
    """Forbid storing a response that says nothing about it; one with a tag may be stored, and checked each time."""
    headers.setdefault("Cache-Control", "no-cache" if "etag" in headers else "no-store")
