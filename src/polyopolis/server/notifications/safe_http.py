"""Posts to addresses that guests have named: https only, into the open network only, to the machine that was looked at.

A name is resolved once. Every address that it has must be one that anybody may reach, and the connection goes to these
and no others, so that no name can mean another machine a moment later. Redirects are not followed, and of an answer
nothing is read but how it begins.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from polyopolis.engine import PolyopolisError

SECONDS = 10.0
"""For one post, from the name to the answer."""
LONGEST = 1024
"""Characters of an address."""
LARGEST_ANSWER = 8190
"""Bytes of a line of its head."""
TRANSLATED = IPv6Network("64:ff9b::/96")
"""Where a network translates to IPv4 the last four bytes are the address that is reached."""
EVERYBODYS = (IPv6Network("2000::/3"), TRANSLATED)
"""All others are of one network, or mean nothing, whatever a library says of them."""
IN_DOCUMENTS = IPv6Network("3fff::/20")

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


class BlockedAddress(PolyopolisError):
    """Nothing is sent to this address; says why."""


class Unreachable(PolyopolisError):
    """Nobody has answered in time."""


@dataclass(frozen=True)
class HttpAnswer:
    status: int
    wait: float | None = None
    """Seconds that the other side wants to be left alone."""


async def resolved(host: str, port: int) -> Sequence[str]:
    """All addresses of a name."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Whether anybody may reach it: not this machine, not its network, whatever it is wrapped in."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        wrapped = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if wrapped is None and found in TRANSLATED:
            wrapped = IPv4Address(int(found) & 0xFFFFFFFF)
        if wrapped is not None and not is_public(str(wrapped)):
            return False
        if found in IN_DOCUMENTS or not any(found in network for network in EVERYBODYS):
            return False
    return found.is_global and not found.is_multicast


class SafeHttpClient:
    def __init__(self, private: bool = False, resolve: Resolve = resolved) -> None:
        """With `private` http and all addresses are good enough: for tests, and for networks at home."""
        self._private = private
        self._resolve = resolve

    async def check(self, url: str) -> None:
        """`BlockedAddress` if nothing would be sent there."""
        await self._found(url)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> HttpAnswer:
        """`BlockedAddress` or `Unreachable` if there is no answer."""
        try:
            async with asyncio.timeout(SECONDS):
                return await self._posted(url, body, headers, await self._found(url))
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            raise Unreachable(f"nobody answers: {type(error).__name__}") from None

    async def _posted(self, url: str, body: bytes, headers: Mapping[str, str], found: Sequence[str]) -> HttpAnswer:
        connector = aiohttp.TCPConnector(resolver=Pinned(found), use_dns_cache=False, force_close=True)
        async with (
            aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                max_line_size=LARGEST_ANSWER,
                max_field_size=LARGEST_ANSWER,
                auto_decompress=False,
            ) as session,
            session.post(url, data=body, headers=dict(headers), allow_redirects=False) as answer,
        ):
            wait = answer.headers.get("retry-after", "")
            return HttpAnswer(answer.status, float(wait) if wait.isdigit() else None)

    async def _found(self, url: str) -> Sequence[str]:
        """The addresses that a connection may go to."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise BlockedAddress("this is no address") from None
        if not host or len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
            raise BlockedAddress("this is no address")
        if parts.username or parts.password:
            raise BlockedAddress("an address with a name and a password is not used")
        if parts.scheme != "https" and not (self._private and parts.scheme == "http"):
            raise BlockedAddress("the address has to begin with https://")
        try:
            found = await self._resolve(host, port or (443 if parts.scheme == "https" else 80))
        except (OSError, UnicodeError):
            raise BlockedAddress("there is no such machine") from None
        if not found or not (self._private or all(map(is_public, found))):
            raise BlockedAddress("this machine is not in the open network")
        return found


class Pinned(AbstractResolver):
    """Every name is the machine that was looked at."""

    def __init__(self, found: Sequence[str]) -> None:
        self._found = found

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in self._found
        ]

    async def close(self) -> None:
        """There is nothing to close."""
