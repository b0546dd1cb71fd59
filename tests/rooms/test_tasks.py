"""Background tasks."""

import asyncio

from app.rooms.tasks import repeat


async def test_a_step_that_fails_is_not_the_last() -> None:
    enough, steps = asyncio.Event(), 0

    async def step() -> None:
        nonlocal steps
        steps += 1
        if steps == 3:
            enough.set()
        raise RuntimeError("this one fails")

    going_on = asyncio.create_task(repeat(step, 0))
    await enough.wait()
    assert not going_on.done()
    going_on.cancel()
    await asyncio.wait({going_on})
    assert going_on.cancelled()
