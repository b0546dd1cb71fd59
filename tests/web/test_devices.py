"""Devices: the list, signing out, tokens that replace others, and cookies that last."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from pathlib import Path
from typing import cast

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Response

from app.store import PlayerRow, devices
from app.web import Site
from app.web.cookies import COOKIE_SECONDS, OLD_NAME
from app.web.identity import hash_of
from app.web.user_agent import parse_agent
from harness.callers import (
    Caller,
    Json,
    application,
    closed,
    follow,
    hear,
    new_caller,
    open_client,
    serving,
    settings_in,
)
from harness.queries import replace_query
from tests.web.test_joining import link_of, use

ANDROID = "Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.5 Mobile/15E148 Safari/604.1"
)
CHROME = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
)
AGENTS = {
    ANDROID: ("Firefox", "Android"),
    IPHONE: ("Safari", "iPhone"),
    CHROME: ("Chrome", "Windows"),
    f"{CHROME} Edg/131.0.0.0": ("Edge", "Windows"),
    f"{CHROME} OPR/115.0.0.0": ("Opera", "Windows"),
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36": (
        "Chrome",
        "ChromeOS",
    ),
    "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0": ("Firefox", "Linux"),
    "Mozilla/5.0 (Linux; Android 14; SM-S918B) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36": (
        "Samsung Internet",
        "Android",
    ),
    "python-httpx/0.27": (None, None),
    "": (None, None),
}


def site_of(client: AsyncClient) -> Site:
    """The site behind a client of the application itself."""
    app = cast("FastAPI", cast("ASGITransport", client._transport).app)
    return cast("Site", app.state.site)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Puts the clock of the site forward."""
    ahead = [timedelta(0)]
    monkeypatch.setattr("app.main.now", lambda: datetime.now(UTC) + sum(ahead, timedelta(0)))
    return ahead.append


async def devices_of(caller: Caller) -> list[Json]:
    answer = await caller.client.get("/api/v1/players/me/devices", headers=caller.headers)
    assert answer.status_code == 200, answer.text
    listed: list[Json] = answer.json()["devices"]
    return listed


async def further_device(caller: Caller, agent: str = ANDROID) -> Caller:
    """The same player on another device."""
    _, secret = await link_of(caller)
    body = {"secret": secret}
    answer = await caller.client.post("/api/v1/links/use", json=body, headers={"User-Agent": agent})
    assert answer.status_code == 201, answer.text
    caller.client.cookies.clear()
    return Caller(caller.client, caller.id, answer.json()["token"], caller.cookie)


async def rename(caller: Caller, name: str, headers: dict[str, str] | None = None) -> Response:
    wish = {"name": name}
    answer = await caller.client.patch("/api/v1/players/me", json=wish, headers=headers or caller.headers)
    caller.client.cookies.clear()
    return answer


async def status_of(caller: Caller, token: str | None = None) -> int:
    headers = {"Authorization": f"Bearer {token}"} if token else caller.headers
    return (await caller.client.get("/api/v1/players/me", headers=headers)).status_code


async def browses(caller: Caller, path: str = "/phone") -> Response:
    """A page as a browser asks for it."""
    answer = await caller.client.get(path, headers={"Cookie": caller.browser["Cookie"]})
    caller.client.cookies.clear()
    return answer


def is_known(page: Response) -> bool:
    """Whether the page is a player's."""
    return 'data-player=""' not in page.text


@pytest.mark.parametrize(("header", "agent"), AGENTS.items())
def test_the_kind_of_browser_is_read_from_its_header(header: str, agent: tuple[str | None, str | None]) -> None:
    found = parse_agent(header)
    assert (found.browser, found.system) == agent


async def test_who_calls_is_told(client: AsyncClient) -> None:
    ann = await new_caller(client)
    for headers in (ann.headers, {"Cookie": ann.browser["Cookie"]}):
        answer = await client.get("/api/v1/players/me", headers=headers)
        assert answer.json() == {"player": ann.id, "name": "Ann"}
    assert (await client.get("/api/v1/players/me")).status_code == 401


async def test_devices_are_listed_with_what_they_are(client: AsyncClient) -> None:
    ann = await new_caller(client)
    phone = await further_device(ann)
    listed = await devices_of(phone)
    assert {(device["browser"], device["system"], device["current"]) for device in listed} == {
        ("Firefox", "Android", True),
        (None, None, False),
    }
    assert [device["current"] for device in await devices_of(ann)] == [not device["current"] for device in listed]
    assert ann.token not in str(listed)


async def test_30_other_names_leave_one_valid_token(client: AsyncClient) -> None:
    ann = await new_caller(client)
    tokens = [ann.token]
    for number in range(30):
        answer = await rename(ann, f"Ann {number}", {"Authorization": f"Bearer {tokens[-1]}"})
        tokens.append(answer.json()["token"])
    assert await status_of(ann, tokens[-1]) == 200
    assert [await status_of(ann, token) for token in tokens[:-1]] == [401] * 30
    assert len(await devices_of(Caller(client, ann.id, tokens[-1]))) == 1


async def test_the_answer_to_another_name_may_be_lost(client: AsyncClient) -> None:
    ann = await new_caller(client)
    lost, again = [(await rename(ann, name)).json()["token"] for name in ("Anna", "Annie")]
    assert lost == again
    assert await status_of(ann) == 200
    assert await status_of(ann, again) == 200
    assert await status_of(ann) == 401


async def test_two_tabs_that_take_another_name_at_once_agree(
    clock: Callable[[timedelta], None], client: AsyncClient
) -> None:
    """Whichever answer comes last, the browser has a good cookie, and so has what is on its way."""
    ann = await new_caller(client)
    answers = await asyncio.gather(*(rename(ann, name, ann.browser) for name in ("Anna", "Annie")))
    assert len({answer.json()["token"] for answer in answers}) == 1
    renamed = Caller(client, ann.id, answers[0].json()["token"], ann.cookie)
    assert is_known(await browses(renamed))
    late = await browses(ann)
    assert is_known(late)
    assert SimpleCookie(late.headers["set-cookie"])[ann.cookie].value == renamed.token
    clock(timedelta(seconds=61))
    assert not is_known(await browses(ann))
    assert is_known(await browses(renamed))


async def test_one_device_is_signed_out(client: AsyncClient) -> None:
    ann = await new_caller(client)
    phone, tablet = await further_device(ann), await further_device(ann, IPHONE)
    (phone_id,) = [device["id"] for device in await devices_of(phone) if device["current"]]
    path = f"/api/v1/players/me/devices/{phone_id}"
    left = await client.delete(path, headers=ann.headers)
    assert {device["id"] for device in left.json()["devices"]} == {device["id"] for device in await devices_of(ann)}
    assert [await status_of(each) for each in (ann, phone, tablet)] == [200, 401, 200]
    again = await client.delete(path, headers=ann.headers)
    assert (again.status_code, again.json()["code"]) == (404, "unknown_device")


async def test_all_other_devices_are_signed_out_with_the_links_they_made(client: AsyncClient) -> None:
    ann = await new_caller(client)
    others = [await further_device(ann) for _ in range(3)]
    _, secret = await link_of(others[0])
    answer = await client.delete("/api/v1/players/me/devices", headers=ann.headers)
    assert [device["current"] for device in answer.json()["devices"]] == [True]
    assert [await status_of(each) for each in (ann, *others)] == [200, 401, 401, 401]
    assert (await use(client, secret)).status_code == 404


async def test_who_signs_out_this_browser_has_no_cookie_any_more(client: AsyncClient) -> None:
    ann = await new_caller(client)
    (device,) = await devices_of(ann)
    answer = await client.delete(f"/api/v1/players/me/devices/{device['id']}", headers=ann.browser)
    assert answer.json() == {"devices": []}
    assert SimpleCookie(answer.headers["set-cookie"])[ann.cookie]["max-age"] == "0"
    assert await status_of(ann) == 401


@pytest.mark.parametrize("origin", ["https://evil.example", None])
async def test_pages_of_other_sites_sign_nobody_out(client: AsyncClient, origin: str | None) -> None:
    ann = await new_caller(client)
    phone = await further_device(ann)
    headers = {"Cookie": ann.browser["Cookie"], **({"Origin": origin} if origin else {})}
    assert (await client.delete("/api/v1/players/me/devices", headers=headers)).status_code == 403
    assert await status_of(phone) == 200


async def test_the_sockets_of_a_device_that_is_signed_out_are_closed_and_no_others(server: AsyncClient) -> None:
    ann = await new_caller(server)
    phone = await further_device(ann)
    code = await ann.create()
    async with follow(server, code, ann) as kept, follow(server, code, phone) as lost, follow(server, code) as watching:
        for socket in (kept, lost, watching):
            await hear(socket)
        await rename(ann, "Anna")  # another token of the same device
        await server.delete("/api/v1/players/me/devices", headers=ann.headers)
        assert await closed(lost) == 1008
        assert lost.close_reason == "signed out"
        for socket in (kept, watching):
            await socket.send('{"type":"ping"}')
            assert await hear(socket, "pong")


async def test_a_socket_of_a_device_that_is_gone_is_closed_even_without_news(tmp_path: Path) -> None:
    """A command removed it, or the bus was away."""
    settings = settings_in(tmp_path)
    async with serving(settings) as server:
        ann = await new_caller(server)
        code = await ann.create()
        (device,) = await devices_of(ann)
        site = cast("Site", application(settings.base_path).app.state.site)
        async with follow(server, code, ann) as socket:
            await hear(socket)
            await site.store.write(devices.remove_device, ann.id, device["id"], device["id"])
            await site.devices.sweep()
            assert await closed(socket) == 1008


async def test_a_use_is_written_down_once_an_hour(
    clock: Callable[[timedelta], None], client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes: list[object] = []

    async def note(note_use: Callable[..., Awaitable[None]], *told: object) -> None:
        notes.append(told)
        await note_use(*told)

    replace_query(monkeypatch, devices.note_use, note)
    ann = await new_caller(client)
    for hours in range(1, 4):
        clock(timedelta(hours=1, seconds=1))
        for _ in range(5):
            assert await status_of(ann) == 200
        assert len(notes) == hours


async def test_a_cookie_is_set_again_by_use_and_not_on_every_page(
    clock: Callable[[timedelta], None], client: AsyncClient
) -> None:
    ann = await new_caller(client)
    assert "set-cookie" not in (await browses(ann)).headers
    for _ in range(3):
        clock(timedelta(days=1, seconds=1))
        found = SimpleCookie((await browses(ann)).headers["set-cookie"])[ann.cookie]
        assert (found.value, found["max-age"]) == (ann.token, str(COOKIE_SECONDS))
        assert "set-cookie" not in (await browses(ann)).headers


async def test_a_player_who_comes_every_day_is_known_after_years_and_one_who_stays_away_is_not(
    clock: Callable[[timedelta], None], tmp_path: Path
) -> None:
    async with open_client(settings_in(tmp_path, player_days=30)) as client:
        devices = site_of(client).devices
        daily, gone, seated = [await new_caller(client) for _ in range(3)]
        await seated.create()
        for _ in range(45):
            clock(timedelta(hours=23))
            assert await status_of(daily) == 200
            await devices.sweep()
        assert [await status_of(each) for each in (daily, gone, seated)] == [200, 401, 200]


async def test_days_on_which_the_site_was_down_or_its_clock_wrong_remove_nobody(
    clock: Callable[[timedelta], None], tmp_path: Path
) -> None:
    settings = settings_in(tmp_path, player_days=30)
    async with open_client(settings) as client:
        ann = await new_caller(client)
        await site_of(client).devices.sweep()
        clock(timedelta(days=900))
        await site_of(client).devices.sweep()
    clock(timedelta(days=900))
    async with open_client(settings) as client:
        await site_of(client).devices.sweep()
        assert await status_of(Caller(client, ann.id, ann.token)) == 200


async def test_nothing_is_removed_where_the_host_wants_to_keep_all(
    clock: Callable[[timedelta], None], tmp_path: Path
) -> None:
    async with open_client(settings_in(tmp_path, player_days=0)) as client:
        ann = await new_caller(client)
        for _ in range(3):
            clock(timedelta(hours=23))
            await site_of(client).devices.sweep()
        clock(timedelta(days=5000))
        await site_of(client).devices.sweep()
        assert await status_of(ann) == 200


async def test_two_installations_on_one_host_keep_their_cookies(tmp_path: Path) -> None:
    """On other ports, or at other paths: browsers send a cookie to all ports, and one of `/` to all paths."""
    jar: dict[str, str] = {}
    players: list[str] = []
    installations = [
        settings_in(tmp_path, base_path=base, database_url=f"sqlite:///{tmp_path}/{number}.db")
        for number, base in enumerate(("", "/fog", ""))
    ]
    for settings in installations:
        async with open_client(settings) as client:
            answer = await client.post(f"{settings.base_path}/api/v1/players", json={"name": "Ann"})
            jar |= dict(answer.cookies)
            players.append(answer.json()["player"])
    assert len(jar) == 3
    cookie = "; ".join(f"{name}={value}" for name, value in jar.items())
    for settings, player in zip(installations, players, strict=True):
        async with open_client(settings) as client:
            answer = await client.get(f"{settings.base_path}/api/v1/players/me", headers={"Cookie": cookie})
            assert answer.json()["player"] == player


async def test_a_cookie_with_the_old_name_is_moved_over(client: AsyncClient) -> None:
    new = await new_caller(client)
    tossed = Caller(client, new.id, new.token, OLD_NAME)
    assert not is_known(await browses(tossed))  # never given by this name: a page of a neighbouring host has set it
    site, token = site_of(client), "of-a-player-from-before"
    before = site.identities.cookies.since - timedelta(days=1)
    await site.store.write(devices.add_player, PlayerRow("ann", "Ann"), hash_of(token), before)
    old, ann = [Caller(client, "ann", token, name) for name in (OLD_NAME, new.cookie)]
    page = await browses(old)
    assert is_known(page)
    cookies = SimpleCookie()
    for header in page.headers.get_list("set-cookie"):
        cookies.load(header)
    assert cookies[ann.cookie].value == ann.token
    assert cookies[OLD_NAME]["max-age"] == "0"
    assert "set-cookie" not in (await browses(ann)).headers


async def test_by_https_at_the_root_only_this_host_can_set_the_cookie(tmp_path: Path) -> None:
    async with open_client(settings_in(tmp_path, public_url="https://fogline.example")) as client:
        answer = await client.post("/api/v1/players", json={"name": "Ann"})
        name, _, rest = answer.headers["set-cookie"].partition("=")
        assert name.startswith("__Host-fogline-")
        parts = {part.strip().lower() for part in rest.split(";")}
        assert {"secure", "path=/", "httponly", "samesite=lax"} <= parts
        assert not any(part.startswith("domain") for part in parts)
        token = answer.json()["token"]
        plain = name.removeprefix("__Host-")
        # as it was set before the site had TLS: moved over, and of less weight
        moved = await client.get("/phone", headers={"Cookie": f"{plain}={token}"})
        assert {header.partition("=")[0] for header in moved.headers.get_list("set-cookie")} == {name, plain}
        other = (await client.post("/api/v1/players", json={"name": "Eve"})).json()
        client.cookies.clear()
        both = {"Cookie": f"{plain}={other['token']}; {name}={token}"}
        assert (await client.get("/api/v1/players/me", headers=both)).json()["name"] == "Ann"


async def test_by_https_the_socket_has_the_cookie_of_the_page(server: AsyncClient) -> None:
    """Also where only a proxy says that it is https."""
    origin = f"https://{server.base_url.netloc.decode()}"
    proxied = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7", "Origin": origin}
    answer = await server.post("/api/v1/players", json={"name": "Ann"}, headers=proxied)
    name = answer.headers["set-cookie"].partition("=")[0]
    assert name.startswith("__Host-fogline-")
    headers = {**proxied, "Cookie": f"{name}={answer.json()['token']}"}
    code = (await server.post("/api/v1/rooms", json={"seats": 2}, headers=headers)).json()["code"]
    async with follow(server, code, headers=headers) as socket:
        assert (await hear(socket))["seat"] == 0


async def call_that_waits(client: AsyncClient, path: str, going: Json, headers: Json) -> "asyncio.Task[Response]":
    """A call for messages when there are no more: that somebody is here is told a moment after the first answer."""
    while True:
        waiting = asyncio.create_task(client.get(path, params=going, headers=headers))
        done, _ = await asyncio.wait([waiting], timeout=2)
        if not done:
            return waiting
        going["after"] = waiting.result().json()["after"]


async def test_who_fetches_messages_on_a_device_that_is_signed_out_is_sent_away(client: AsyncClient) -> None:
    ann = await new_caller(client)
    phone, code = await further_device(ann), await ann.create()
    path = f"/api/v1/rooms/{code}/messages"
    first = (await client.get(path, headers=phone.headers)).json()
    going = {"session": first["session"], "after": first["after"]}
    waiting = await call_that_waits(client, path, going, phone.headers)
    await client.delete("/api/v1/players/me/devices", headers=ann.headers)
    assert (await waiting).json()["closed"] == "signed out"
    assert (await client.get(path, params=going, headers=phone.headers)).status_code == 401
