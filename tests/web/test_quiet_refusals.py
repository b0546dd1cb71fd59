"""A handshake that is refused is nothing to log."""

import pytest
from httpx import AsyncClient
from websockets.exceptions import InvalidStatus

from tests.web.callers import follow


async def test_a_refused_socket_leaves_no_line_in_the_log(
    server: AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await follow(server, "00000000")
    assert refused.value.response.status_code == 404
    assert [record.message for record in caplog.records if record.name.startswith("uvicorn")] == []
