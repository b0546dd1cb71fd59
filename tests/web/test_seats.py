"""The rules say how many may play (S1); calls, their description and the start page follow."""

import re

from httpx import AsyncClient

from app.rules.game import SEATS
from harness.callers import new_caller


async def test_the_start_page_offers_each_number_of_seats_and_each_can_be_had(client: AsyncClient) -> None:
    offered = re.findall(r'name="seats" value="(\d+)"', (await client.get("/")).text)
    assert offered == [str(number) for number in SEATS]
    host = await new_caller(client)
    for number in SEATS:
        assert await host.create(seats=number)


async def test_the_description_of_the_calls_has_the_same_limits(client: AsyncClient) -> None:
    document = (await client.get("/api/v1/openapi.json")).json()
    seats = document["components"]["schemas"]["NewRoom"]["properties"]["seats"]
    assert (seats["minimum"], seats["maximum"]) == (SEATS[0], SEATS[-1])
