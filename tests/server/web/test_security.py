"""Security of the server: headers, origins, cookies, hosts, invalid requests."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from polyopolis.server.auth.session_cookies import COOKIE, Sessions
from polyopolis.server.web.known_hosts import HostCheckMiddleware
from polyopolis.server.web.url_validation import INVALID_URL
from tests.server.support.server_process import ServerProcess, Visitor

pytestmark = pytest.mark.anyio
Visit = Callable[[], Visitor]
TABLE = {"game": "mycity", "setup": {}, "seats": [{"type": "me", "name": "Ada"}, {"type": "bot", "bot": "random"}]}


async def test_every_response_has_security_headers(house: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=house.url) as http:
        for path in ("/", "/t/x", "/api/hello", "/api/tables/x", "/api/schema/openapi.json"):
            headers = (await http.get(path)).headers
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert "script-src 'self' 'wasm-unsafe-eval';" in headers["content-security-policy"]
            assert headers["x-frame-options"] == "DENY"
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://evil.example", "x-polyopolis": "1"},
        {"origin": "null", "x-polyopolis": "1"},
        {"x-polyopolis": "1"},
        {"origin": "HOUSE"},
    ],
)
async def test_changes_require_the_own_origin(house: ServerProcess, headers: dict[str, str]) -> None:
    sent = {name: value.replace("HOUSE", house.url) for name, value in headers.items()}
    async with httpx.AsyncClient(base_url=house.url, headers=sent) as http:
        answer = await http.post("/api/tables", json=TABLE)
    assert (answer.status_code, answer.json()["error"]) == (403, "a change must come from a page of this server")


@pytest.mark.parametrize("origin", [None, "http://evil.example"])
async def test_sockets_require_the_own_origin(house: ServerProcess, visit: Visit, origin: str | None) -> None:
    table = await visit().table("Ada", "bot:random")
    address = f"ws://127.0.0.1:{house.port}/api/tables/{table}/socket"
    async with connect(address, origin=origin) as wire:  # type: ignore[arg-type]
        with pytest.raises(ConnectionClosed) as closed:
            await wire.recv()
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 4403


async def test_the_cookie_is_http_only_and_same_site(house: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=house.url) as http:
        cookie = (await http.get("/api/hello")).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Path=/" in cookie


async def test_pages_set_the_cookie_before_their_scripts_run(house: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=house.url) as http:
        for path in ("/", "/t/anything"):
            assert COOKIE in (await http.get(path)).cookies
            assert "set-cookie" not in (await http.get("/api/hello")).headers
            http.cookies.clear()
        assert "set-cookie" not in (await http.get("/icon.svg")).headers


def test_cookies_with_invalid_signatures_are_ignored() -> None:
    ours, theirs = Sessions({0: b"ours", 1: b"newer"}), Sessions({1: b"theirs"})
    shown = ours.fresh(1_000)
    cookie = ours.signed(shown)
    assert ours.read(cookie) == shown
    assert shown.key == 1
    for wrong in (None, "", ".", shown.person, f"{shown.person}.", theirs.signed(shown), cookie + "0", "é.é"):
        assert ours.read(wrong) is None
    for other in (replace(shown, person="eve"), replace(shown, device="x"), replace(shown, issued=2_000)):
        assert ours.read(f"{ours.signed(other).rpartition('.')[0]}.{cookie.rpartition('.')[2]}") is None
    assert ours.read(cookie.replace(".1.", ".0.")) is None
    assert ours.read(cookie.replace(".1.", ".7.")) is None
    for long in (f"ada.x.{'9' * 5_000}.1.0", f"ada.x.1.{'9' * 5_000}.0"):
        assert ours.read(long) is None, "without an error"


async def test_a_forged_cookie_gives_no_seat(visit: Visit) -> None:
    ada, eve = visit(), visit()
    table = await ada.table("Ada", "bot:random")
    person = ada.http.cookies[COOKIE].partition(".")[0]
    eve.http.cookies[COOKIE] = f"{person}.{'0' * 64}"
    assert (await eve.get(f"/tables/{table}"))["yours"] == []


async def test_responses_do_not_contain_person_ids(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "open")
    person, _, signature = ada.http.cookies[COOKIE].partition(".")
    async with ada.at(table) as screen:
        told = json.dumps([await ada.get("/hello"), await ada.get(f"/tables/{table}"), screen.heard])
    assert person not in told
    assert signature not in told


BAD_TABLES = [
    ({}, "missing required field `game`"),
    ({**TABLE, "game": 7}, "game"),
    ({**TABLE, "game": "chess"}, "there is no game 'chess'"),
    ({**TABLE, "seats": []}, "seats"),
    ({**TABLE, "seats": TABLE["seats"] * 3}, "2 to 4 seats, not for 6"),  # type: ignore[operator]
    ({**TABLE, "seats": [{"type": "bot", "bot": "hal"}, {"type": "open"}]}, "there is no bot 'hal'"),
    ({**TABLE, "seats": [{"type": "me", "name": ""}, {"type": "open"}]}, "name"),
    ({**TABLE, "seats": [{"type": "me", "name": "x" * 99}, {"type": "open"}]}, "name"),
    ({**TABLE, "setup": {"mode": "endless"}}, "Invalid enum value 'endless'"),
    ({**TABLE, "setup": {"episode": 3}}, "the eternal game has no episode"),
    ({**TABLE, "setup": {"mode": "episode", "episode": 99}}, "not 99"),
    ({**TABLE, "setup": {"mode": "episode", "episode": 5, "boards": [{"circles": 3}, {}]}}, "cannot be set directly"),
    ({**TABLE, "game": "rollwrite", "setup": {"episode": 11, "bandits": [["f1"], []]}}, "cannot be set directly"),
    ({**TABLE, "colour": "red"}, "colour"),
    ([], "object"),
]


@pytest.mark.parametrize(("body", "said"), BAD_TABLES, ids=[said for _, said in BAD_TABLES])
async def test_errors_name_the_problem(visit: Visit, body: Any, said: str) -> None:
    answer = await visit().http.post("/api/tables", json=body)
    assert answer.status_code == 400
    assert said in answer.text


@pytest.mark.parametrize(
    "path",
    ["/api/nothing", "/api/tables/x", "/api/tables/x/matches/0/record", "/api/tables/x/qr.svg", "/assets/none.js"],
)
async def test_unknown_paths_are_not_found(visit: Visit, path: str) -> None:
    answer = await visit().http.get(path)
    assert answer.status_code in (404, 503)
    assert "Traceback" not in answer.text


async def test_too_large_bodies_are_refused(visit: Visit) -> None:
    ada = visit()
    answer = await ada.http.post("/api/tables", json={**TABLE, "setup": {"x": "y" * 100_000}})
    assert answer.status_code == 413
    status, problem = await ada.refused("/imports", {"record": {"format": "y" * 100_000}})
    assert (status, problem[:15]) == (400, "the format is '"), "imports may be larger"
    answer = await ada.http.post("/api/imports", json={"record": {"format": "y" * 1_100_000}})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "message",
    ["", "[]", "{", '{"type": "act"}', '{"type": "shout"}', "x" * 20_000],
)
async def test_an_invalid_message_closes_only_its_connection(visit: Visit, message: str) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:random")
    async with ada.at(table) as screen:
        await screen.wire.send(message)
        assert await screen.hear_to_the_end() in (4400, 1009)
    async with ada.at(table) as again:
        await again.play(0, rounds=1)


async def test_table_ids_are_random(visit: Visit) -> None:
    ada = visit()
    tables = [await ada.table("Ada", "open") for _ in range(5)]
    assert len({table[:3] for table in tables}) == 5
    assert all(len(table) == 12 for table in tables)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "xn--80ak6aa92e.com"])
async def test_unknown_host_names_are_refused(house: ServerProcess, host: str) -> None:
    async with httpx.AsyncClient(base_url=house.url) as http:
        for path in ("/", "/api/hello"):
            answer = await http.get(path, headers={"host": host})
            assert answer.status_code == 421
            assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:8000", "192.168.1.7:80", "table.local"])
async def test_local_names_and_ip_addresses_are_accepted(house: ServerProcess, host: str) -> None:
    async with httpx.AsyncClient(base_url=house.url) as http:
        assert (await http.get("/api/hello", headers={"host": host})).status_code == 200


def test_the_public_host_name_is_accepted() -> None:
    hosts = HostCheckMiddleware("https://cities.example:444/table")
    assert hosts.knows("cities.example")
    assert hosts.knows("CITIES.example:444")
    assert not hosts.knows("other.example")
    for no_name in ("", "[", "[cities.example]", "cities.example]"):
        assert not hosts.knows(no_name)


async def test_deeply_nested_json_is_refused(house: ServerProcess, visit: Visit) -> None:
    deep = '{"a":' * 20_000 + "1" + "}" * 20_000
    visitor = visit()
    headers = {"origin": house.url, "x-polyopolis": "1", "content-type": "application/json"}
    body = f'{{"game":"mycity","seats":[],"setup":{deep[:30_000]}'
    answer = await visitor.http.post("/api/tables", content=body, headers=headers)
    assert answer.status_code == 400
    table = await visitor.table("Ada", "bot:random")
    async with visitor.at(table) as screen:
        await screen.wire.send('{"type":"act","seat":0,"turn":0,"action":' + '{"a":' * 3_000 + "1")
        await screen.wire.wait_closed()
    assert screen.wire.close_code == 4400


async def test_api_responses_are_not_stored_by_caches(house: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=house.url) as http:
        headers = (await http.get("/api/hello")).headers
    assert headers["cache-control"] == "no-store"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "strict-transport-security" not in headers, "the public URL is not https"


async def test_seat_codes_expire_when_the_seat_moves(visit: Visit) -> None:
    ada, ben, eve = visit(), visit(), visit()
    table = await ada.table("Ada", "bot:random")
    first, second = [(await ada.post(f"/tables/{table}/seats/0/code", {}))["code"] for _ in range(2)]
    assert (await ben.post("/codes", {"code": first}))["seat"] == 0
    assert (await eve.refused("/codes", {"code": second}))[0] == 404


NOT_TEXT = ["%00", "x%00y", "%ED%A0%80", "%FF"]
"""NUL, an unpaired surrogate, and invalid UTF-8."""


@pytest.mark.parametrize("bad", NOT_TEXT)
async def test_urls_that_are_not_text_are_refused(house: ServerProcess, visit: Visit, bad: str) -> None:
    ada = visit()
    paths = ("/api/tables/{}", "/api/hello?{}=1", "/api/hello?x={}", "/t/{}", "/{}", "/assets/{}", "/health?{}")
    for path in paths:
        answer = await ada.http.get(path.format(bad))
        assert (answer.status_code, answer.json()) == (400, {"error": INVALID_URL})
        assert "set-cookie" not in answer.headers
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert await ada.refused(f"/tables/{bad}/seats/0", {"type": "leave"}) == (400, INVALID_URL)
    for path in (f"/api/tables/{bad}/socket", f"/api/tables/x/socket?since={bad}"):
        async with connect(f"ws://127.0.0.1:{house.port}{path}", origin=Origin(house.url)) as wire:
            with pytest.raises(ConnectionClosed) as closed:
                await wire.recv()
        assert closed.value.rcvd
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4400, INVALID_URL)


@pytest.mark.parametrize("good", ["%C3%A9", "%2500", "%ED%9F%BF", "%F0%9F%8E%B2", "%01"])
async def test_urls_with_any_other_text_are_accepted(visit: Visit, good: str) -> None:
    assert (await visit().http.get(f"/api/tables/{good}?{good}={good}")).status_code == 404


@pytest.mark.parametrize("cookie", ["%00", '"\\000"', "%ED%A0%80", "a.b.1.1.%00", "a%00.b"])
async def test_cookies_that_are_not_text_are_ignored(house: ServerProcess, cookie: str) -> None:
    async with httpx.AsyncClient(base_url=house.url, headers={"cookie": f"{COOKIE}={cookie}"}) as http:
        answer = await http.get("/api/hello")
    assert answer.status_code == 200
    assert COOKIE in answer.cookies, "a new guest"


@pytest.mark.parametrize("name", ["Authorization", "Cookie", "Origin"])
async def test_headers_with_nul_are_refused(house: ServerProcess, name: str) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
    writer.write(f"GET /api/hello HTTP/1.1\r\nHost: localhost\r\n{name}: Bearer a\0b.c\r\n\r\n".encode())
    assert (await reader.readline()).split()[1] == b"400"
    writer.close()
