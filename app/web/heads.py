"""HEAD: what GET would answer, without its body."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadsLikeGets:
    """Asks for the whole, and passes on its head."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def send_head(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        if scope["type"] == "http" and scope["method"] == "HEAD":
            await self._app({**scope, "method": "GET"}, receive, send_head)
        else:
            await self._app(scope, receive, send)
