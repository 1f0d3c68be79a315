"""Rate limits by address, person, token and mailbox."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from contextlib import ExitStack
from hashlib import sha256
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any, cast

import pytest
from litestar import Litestar
from litestar.exceptions import TooManyRequestsException, WebSocketDisconnect
from litestar.testing import TestClient

from polyopolis.play.close_codes import TOO_MANY_FRAMES
from polyopolis.server.app import create_app
from polyopolis.server.auth.bearer_auth import STREAM_RETRY_SECONDS
from polyopolis.server.auth.session_cookies import DAY
from polyopolis.server.limits.client_addresses import (
    PROXY_WARNING_PEOPLE,
    ClientAddressBook,
    narrowest_network,
    networks_of,
)
from polyopolis.server.limits.rate_limits import (
    MAX_ACCOUNTS,
    ChatLimiter,
    ConnectionLimiter,
    GuessLimiter,
    Limits,
    MailLimiter,
    RateLimit,
    RateLimitMiddleware,
    TokenBucket,
)
from polyopolis.server.options import Options
from polyopolis.server.services import services_of
from tests.server.support.server_process import ORIGIN, OWN_PAGE


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_tokens_are_spent_and_refilled() -> None:
    clock = Clock()
    credit = TokenBucket(RateLimit(3, 60), clock)
    assert [credit.spend("ada") for _ in range(4)] == [0.0, 0.0, 0.0, 20.0]
    assert credit.spend("ben") == 0.0, "accounts are separate"
    clock.now += 20
    assert [credit.spend("ada"), credit.spend("ada")] == [0.0, 20.0]
    clock.now += 3600
    assert [credit.spend("ada") for _ in range(4)] == [0.0, 0.0, 0.0, 20.0], "at most a full bucket"


def test_refused_requests_are_not_charged() -> None:
    clock = Clock()
    credit = TokenBucket(RateLimit(1, 10), clock)
    credit.spend("ada")
    for _ in range(50):
        credit.spend("ada")
    clock.now += 10
    assert credit.spend("ada") == 0.0


def test_the_number_of_accounts_is_bounded() -> None:
    credit = TokenBucket(RateLimit(1, 10), Clock())
    for number in range(MAX_ACCOUNTS + 5):
        credit.spend(number)
    assert {multiple: len(left) for multiple, left in credit._left.items()} == {1: MAX_ACCOUNTS}


def test_several_accounts_are_charged_together_or_not_at_all() -> None:
    credit = TokenBucket(RateLimit(2, 60), Clock())
    both = [("ada", 1), ("house", 2)]
    assert credit.spend_all(both) == 0.0
    credit.spend("ada")
    assert credit.spend_all(both) == 30.0, "the longest wait"
    assert [credit.spend_all([("house", 2)]) for _ in range(4)] == [0.0, 0.0, 0.0, 15.0]


def test_accounts_with_other_multiples_do_not_displace_an_account() -> None:
    """Otherwise the 65,536 /64 networks of a /48 network would displace the account of the /48."""
    credit = TokenBucket(RateLimit(2, 1e9), Clock())
    credit.spend_all([("the /48", 16)])
    for number in range(MAX_ACCOUNTS + 1):
        credit.spend(number)
    spent = sum(not credit.spend_all([("the /48", 16)]) for _ in range(32))
    assert spent == 31


def test_refused_requests_create_no_accounts() -> None:
    credit = TokenBucket(RateLimit(1, 1e9), Clock())
    credit.spend_all([("the /48", 16)], 16)
    for number in range(100):
        assert credit.spend_all([(number, 1), ("the /48", 16)])
    assert not credit._left[1]


def refused(spend: Callable[[str, str], None], mail: str, address: str) -> int:
    """Returns the seconds to wait, 0 if the mail was not refused."""
    try:
        spend(mail, address)
    except TooManyRequestsException as error:
        return int((error.headers or {})["retry-after"])
    return 0


def test_mails_are_limited_per_site_address_and_mailbox(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    letters = MailLimiter(Limits(mails=RateLimit(10, 3600)), clock)
    sign_in, proof = letters.spend_sign_in, letters.spend_proof
    assert [refused(sign_in, f"a{number}@x.de", "one") for number in range(3)] == [0, 0, 1801], (
        "one address may use a fifth"
    )
    assert refused(proof, "b@x.de", "one") == 1801
    others = [refused(proof, f"b{number}@x.de", f"address {number}") for number in range(9)]
    assert others == [*[0] * 8, 361]
    assert refused(sign_in, "c@x.de", "another") == 361
    assert [record.levelname for record in caplog.records] == ["WARNING"], "once"
    assert "--limit-mails" in caplog.text
    assert "@" not in caplog.text
    clock.now += 360
    assert [refused(sign_in, "c@x.de", "another") for _ in range(2)] == [0, 361]
    clock.now += 3240
    assert [refused(sign_in, "c@x.de", f"later {number}") for number in range(6)] == [0, 0, 0, 0, 0, 721], "one mailbox"
    assert refused(sign_in, "d@x.de", "later 5") == 0, "refused mails are not charged"


@pytest.fixture
def client(tmp_path: Path) -> TestClient[Litestar]:
    few = Limits(
        requests=RateLimit(6, 3600), reading=RateLimit(2, 3600), imports=RateLimit(1, 3600), sockets=RateLimit(1, 3600)
    )
    return TestClient(create_app(Options(tmp_path, limits=few)), base_url=ORIGIN)


def test_too_many_requests_are_429_with_retry_after(client: TestClient[Litestar]) -> None:
    with client:
        answers = [client.get("/api/hello") for _ in range(7)]
    assert [answer.status_code for answer in answers] == [200] * 6 + [429]
    assert answers[-1].json() == {"error": "too many requests; wait a moment"}
    assert 0 < int(answers[-1].headers["retry-after"]) <= 3600 // 6 + 1


def test_expensive_requests_have_their_own_limit(client: TestClient[Litestar]) -> None:
    with client:
        replays = [client.get("/api/tables/x/matches/0/replay").status_code for _ in range(3)]
        assert replays == [404, 404, 429]
        imports = [client.post("/api/imports", json={"record": {}}, headers=OWN_PAGE) for _ in range(2)]
        assert [answer.status_code for answer in imports] == [400, 429]
        assert client.get("/api/hello").status_code == 200


def test_tokens_have_their_own_limits_with_retry_after(tmp_path: Path) -> None:
    few = Limits(tokens=RateLimit(4, DAY), streams=2)
    with TestClient(create_app(Options(tmp_path, limits=few)), base_url=ORIGIN) as client:
        assert client.post("/api/me/code", json={}, headers=OWN_PAGE).is_success
        (bot,) = client.post("/api/me/bots", json={"name": "Deep Thought"}, headers=OWN_PAGE).json()["bots"]
        wish = {"name": "laptop", "scopes": ["watch", "play"]}
        token = client.post(f"/api/me/bots/{bot['id']}/tokens", json=wish, headers=OWN_PAGE).json()["token"]
        shown = {"authorization": f"Bearer {token}"}
        services_of(client.app).limiters.bearers._streams[sha256(token.encode()).hexdigest()] = 2
        answers = [client.get("/api/stream/event", headers=shown)]
        answers += [client.get("/api/hello", headers=shown) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [429, 200, 200, 200, 429]
        assert 0 < int(answers[0].headers["retry-after"]) <= STREAM_RETRY_SECONDS + 1
        assert 0 < int(answers[-1].headers["retry-after"]) <= DAY // 4 + 1


@pytest.mark.anyio
async def test_messages_of_one_address_share_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many connections within their own limit would still overload the server."""
    clock, waited = Clock(), list[float]()

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        clock.now += seconds

    monkeypatch.setattr(asyncio, "sleep", sleep)
    pages = ConnectionLimiter(Limits(messages=RateLimit(2, 20)), clock)
    for _ in range(2 * ConnectionLimiter.ADDRESS_FACTOR):
        await pages.wait("far")
    await pages.wait("near")
    assert waited == []
    await pages.wait("far")
    assert waited == [20 / (2 * ConnectionLimiter.ADDRESS_FACTOR)]


def test_open_connections_of_an_address_are_limited() -> None:
    pages = ConnectionLimiter(Limits(pages=2))
    with pages.opened("far") as first:
        with pages.opened("far") as second, pages.opened("far") as third, pages.opened("near") as other:
            assert (first, second, third, other) == (True, True, False, True)
        with pages.opened("far") as again:
            assert again
    assert not pages._open


def test_too_many_connections_are_closed_with_a_reason(tmp_path: Path) -> None:
    app = create_app(Options(tmp_path, limits=Limits(pages=1)))
    with TestClient(app, base_url=ORIGIN) as client:
        services_of(app).limiters.connections._open[narrowest_network("testclient")] = 1
        own = {"origin": ORIGIN, "host": "testserver.local"}
        with (
            client.websocket_connect("/api/tables/x/socket", headers=own) as socket,
            pytest.raises(WebSocketDisconnect, match="too many pages are open") as refused,
        ):
            socket.receive()
    assert refused.value.code == TOO_MANY_FRAMES


@pytest.mark.anyio
async def test_an_ipv6_64_network_counts_as_one_address() -> None:
    """The owner of one address of a network has all of them, and could use another one for each request."""
    middleware, accepted = RateLimitMiddleware(RateLimit(2, 3600)), list[str]()

    async def ask(address: str) -> None:
        scope: Any = {"type": "http", "client": (address, 1)}

        async def enter(*_: Any) -> None:
            accepted.append(address)

        await middleware.handle(scope, cast("Any", None), cast("Any", None), enter)

    for address in ("2001:db8::1", "2001:db8::2:3:4:5"):
        await ask(address)
    with pytest.raises(TooManyRequestsException):
        await ask("2001:db8::6%eth0")
    await ask("2001:db8:0:1::1")
    assert len(accepted) == 3


@pytest.mark.anyio
@pytest.mark.parametrize(("prefix", "multiple"), [(64, 1), (56, 4), (48, 16)])
async def test_an_ipv6_network_has_a_multiple_of_the_limit(prefix: int, multiple: int) -> None:
    """Otherwise a /48 or /56 would count as many addresses as it has /64 networks."""
    middleware, most, accepted = RateLimitMiddleware(RateLimit(3, 1e9)), 3, 0

    async def enter(*_: Any) -> None:
        nonlocal accepted
        accepted += 1

    for number in range(100):
        address = str(IPv6Address("2001:db8:1::") + (257 * number % 2 ** (64 - prefix) << 64))
        with contextlib.suppress(TooManyRequestsException):
            await middleware.handle(cast("Any", {"client": (address, 1)}), cast("Any", None), cast("Any", None), enter)
    assert accepted == most * multiple


def spent_in_network(spend: Callable[[str], bool]) -> int:
    """Returns the number of successes if 255 /64 networks of a /48 try once each."""
    return sum(spend(f"2001:db8:1:{257 * number:x}::/64") for number in range(255))


def is_allowed(action: Callable[[], None]) -> bool:
    try:
        action()
    except TooManyRequestsException:
        return False
    return True


def test_all_limits_per_address_apply_to_networks() -> None:
    limits = Limits(tries=RateLimit(2, 1e9), remarks=RateLimit(2, 1e9), pages=2)
    tries, chat, pages = GuessLimiter(limits), ChatLimiter(limits), ConnectionLimiter(limits)
    assert spent_in_network(lambda address: is_allowed(lambda: tries.spend(address, address))) == 2 * 16
    assert spent_in_network(lambda address: is_allowed(lambda: chat.spend(address, address))) == 2 * 5 * 16
    with ExitStack() as stack:
        assert spent_in_network(lambda address: stack.enter_context(pages.opened(address))) == 2 * 16
    assert not pages._open


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "::/64"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_narrowest_network_of_an_address(address: str, counted: str) -> None:
    assert narrowest_network(address) == counted


def test_networks_of_an_address() -> None:
    wide = ("2001:db8:1:2::/64", 1), ("2001:db8:1::/56", 4), ("2001:db8:1::/48", 16)
    assert networks_of("2001:db8:1:2:3:4:5:6") == networks_of("2001:db8:1:2::/64") == wide
    assert networks_of("::ffff:192.0.2.7") == networks_of("192.0.2.7") == (("192.0.2.7", 1),)
    assert networks_of("testclient") == (("testclient", 1),)


def test_a_missing_trusted_proxy_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    addresses = ClientAddressBook()
    with caplog.at_level(logging.WARNING):
        for number in range(3 * PROXY_WARNING_PEOPLE):
            addresses.seen(f"guest {number}", "10.0.0.1")
    (record,) = caplog.records
    assert "--trusted-proxy" in record.getMessage()


def test_visitors_from_several_addresses_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    addresses = ClientAddressBook()
    with caplog.at_level(logging.WARNING):
        for number in range(3 * PROXY_WARNING_PEOPLE):
            addresses.seen(f"guest {number}", f"10.0.0.{number % 2}")
    assert caplog.records == []


def test_exceeded_quotas_are_explained(tmp_path: Path) -> None:
    table = {"game": "mycity", "setup": {"mode": "eternal"}, "seats": [{"type": "me", "name": "Ada"}, {"type": "open"}]}
    options = Options(tmp_path, limits=Limits(unplayed=1, tables_daily=RateLimit(2, DAY)))
    with TestClient(create_app(options), base_url=ORIGIN) as client:
        client.headers.update(OWN_PAGE)
        made = client.post("/api/tables", json=table)
        refused = client.post("/api/tables", json=table)
        assert (made.status_code, refused.status_code) == (201, 507)
        assert "remove some from your list on the home page, then try again" in refused.json()["error"]
        listing = {"listed": False}
        assert client.post(f"/api/tables/{made.json()['table']}/listing", json=listing).status_code == 200
        assert client.post("/api/tables", json=table).status_code == 201
        client.cookies.clear()
        tired = client.post("/api/tables", json=table)
        assert (tired.status_code, 0 < int(tired.headers["retry-after"]) <= DAY // 2 + 1) == (429, True)
        assert "your network has" in tired.json()["error"]
