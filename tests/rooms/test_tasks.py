"""Background tasks."""

import asyncio

from app.rooms.tasks import Tasks, repeat


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


async def test_work_that_other_work_began_is_waited_for_as_well() -> None:
    tasks, done = Tasks(), list[str]()

    async def second() -> None:
        await asyncio.sleep(0.01)
        done.append("second")

    async def first() -> None:
        await asyncio.sleep(0)
        tasks.start(second())
        done.append("first")

    tasks.start(first())
    await tasks.all_done()
    assert done == ["first", "second"]
