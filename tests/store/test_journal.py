"""The group commit by itself, with a ledger that the test opens and closes, and breaks."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from app.store import MoveTakenError, Store, StoreUnavailableError, queries
from app.store.journal import MOST_AT_ONCE, Append, Journal, MoveKey, Outcome
from harness.store_rows import CODE, move, room


class GatedLedger:
    """Commits when the gate is open; remembers each batch's numbers."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.begun = asyncio.Event()
        self.batches: list[list[int]] = []
        self.failures: list[Exception] = []
        self.taken: set[MoveKey] = set()
        self.spoiled: set[int] = set()
        self.closed = False

    async def commit(self, batch: Sequence[Append]) -> dict[MoveKey, Outcome]:
        self.begun.set()
        await self.gate.wait()
        if self.failures:
            raise self.failures.pop()
        if any(entry.move.number in self.spoiled for entry in batch):
            raise ValueError("spoiled")
        self.batches.append([entry.move.number for entry in batch])
        outcomes = {entry.key: Outcome.TAKEN if entry.key in self.taken else Outcome.STORED for entry in batch}
        self.taken |= outcomes.keys()
        return outcomes

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
async def ledger() -> GatedLedger:
    return GatedLedger()


@pytest.fixture
async def journal(ledger: GatedLedger) -> AsyncIterator[Journal]:
    journal = Journal(ledger)
    yield journal
    ledger.gate.set()
    await journal.close()


def append(journal: Journal, number: int, *, action_id: str | None = None) -> asyncio.Task[None]:
    return asyncio.create_task(journal.append(CODE, move(number, action_id=action_id)))


async def occupy(journal: Journal, ledger: GatedLedger) -> asyncio.Task[None]:
    """The writer is in a commit: what comes now has to wait for the next."""
    first = append(journal, 1)
    await ledger.begun.wait()
    return first


async def test_what_waits_shares_one_commit(journal: Journal, ledger: GatedLedger) -> None:
    await occupy(journal, ledger)
    waiting = [append(journal, number) for number in range(2, 34)]
    await asyncio.sleep(0)
    ledger.gate.set()
    await asyncio.gather(*waiting)
    assert ledger.batches == [[1], list(range(2, 34))]


async def test_nobody_hears_before_the_commit(journal: Journal, ledger: GatedLedger) -> None:
    first = await occupy(journal, ledger)
    for _ in range(10):
        await asyncio.sleep(0)
    assert not first.done()
    ledger.gate.set()
    await first


async def test_a_transaction_has_a_limit(journal: Journal, ledger: GatedLedger) -> None:
    await occupy(journal, ledger)
    waiting = [append(journal, number) for number in range(2, MOST_AT_ONCE + 12)]
    await asyncio.sleep(0)
    ledger.gate.set()
    await asyncio.gather(*waiting)
    assert [len(batch) for batch in ledger.batches] == [1, MOST_AT_ONCE, 10]


async def test_two_that_exclude_each_other_never_share_a_transaction(journal: Journal, ledger: GatedLedger) -> None:
    await occupy(journal, ledger)
    waiting = [append(journal, number, action_id=name) for number, name in ((2, "a"), (2, "b"), (3, "a"), (4, "c"))]
    await asyncio.sleep(0)
    ledger.gate.set()
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert ledger.batches == [[1], [2, 4], [2, 3]]
    assert [type(each) for each in outcomes] == [type(None), MoveTakenError, type(None), type(None)]


async def test_a_failure_is_told_to_all_of_the_batch_and_the_next_batch_works(
    journal: Journal, ledger: GatedLedger
) -> None:
    ledger.failures = [StoreUnavailableError("full")]
    ledger.gate.set()
    outcomes = await asyncio.gather(append(journal, 1), append(journal, 2), return_exceptions=True)
    assert [type(each) for each in outcomes] == [StoreUnavailableError] * 2
    await append(journal, 1)
    assert ledger.batches == [[1]]


async def test_one_that_spoils_a_batch_is_refused_alone(journal: Journal, ledger: GatedLedger) -> None:
    ledger.spoiled = {2}
    ledger.gate.set()
    outcomes = await asyncio.gather(*(append(journal, number) for number in (1, 2, 3)), return_exceptions=True)
    assert [type(each) for each in outcomes] == [type(None), ValueError, type(None)]


async def test_who_stops_waiting_stalls_nobody(journal: Journal, ledger: GatedLedger) -> None:
    first = await occupy(journal, ledger)
    gone, stays = append(journal, 2), append(journal, 3)
    await asyncio.sleep(0)
    for task in (first, gone):
        task.cancel()
    await asyncio.wait({first, gone})
    ledger.gate.set()
    await stays
    assert ledger.batches == [[1], [3]]  # what was begun is finished, what nobody waits for is not begun


async def test_a_database_that_hangs_is_not_waited_for(ledger: GatedLedger) -> None:
    journal = Journal(ledger, longest_wait=0.05)
    for number in (1, 2):
        with pytest.raises(StoreUnavailableError, match="no answer"):
            await journal.append(CODE, move(number))
    journal._longest_wait = 60.0
    ledger.gate.set()
    await append(journal, 3)
    assert ledger.batches == [[1], [3]]
    await journal.close()


async def test_closing_finishes_what_waits_and_refuses_what_comes(ledger: GatedLedger) -> None:
    journal = Journal(ledger)
    waiting = [append(journal, number) for number in (1, 2, 3)]
    await asyncio.sleep(0)
    ledger.gate.set()
    await journal.close()
    await asyncio.gather(*waiting)
    assert ledger.closed
    with pytest.raises(StoreUnavailableError, match="stopping"):
        await journal.append(CODE, move(4))


async def test_32_who_wait_take_a_handful_of_transactions(store: Store) -> None:
    codes = [f"ROOM{number:04}" for number in range(32)]
    for code in codes:
        await store.write(queries.create_room, room(code))
    for number in range(1, 11):
        before = store.journal.commits
        await asyncio.gather(*(store.append_move(code, move(number)) for code in codes))
        assert store.journal.commits - before <= 3
