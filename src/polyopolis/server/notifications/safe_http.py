"""HTTP client for user-supplied URLs (SSRF protection): https only, public addresses only.

A host name is resolved once. All its addresses must be public, and the connection is made to one of these, so that a
later DNS answer cannot redirect it. Redirects are not followed, and response bodies are not read.
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

TIMEOUT_SECONDS = 10.0
"""For one request, from name resolution to the response."""
MAX_URL_LENGTH = 1024
MAX_HEADER_BYTES = 8190
"""Maximum size of a response header."""
NAT64_NETWORK = IPv6Network("64:ff9b::/96")
"""NAT64 prefix: the last four bytes are the IPv4 address that is reached."""
PUBLIC_IPV6_NETWORKS = (IPv6Network("2000::/3"), NAT64_NETWORK)
"""All other IPv6 addresses are local or unassigned, even if `ipaddress` calls them global."""
DOCUMENTATION_NETWORK = IPv6Network("3fff::/20")

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


class BlockedAddress(PolyopolisError):
    """The client does not send to this URL; the message says why."""


class Unreachable(PolyopolisError):
    """No response was received in time."""


@dataclass(frozen=True)
class HttpAnswer:
    status: int
    wait: float | None = None
    """Value of `Retry-After` in seconds."""


async def resolve_host(host: str, port: int) -> Sequence[str]:
    """Returns all addresses of a host name."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Whether an address is public: not local or private, also not when embedded in an IPv6 address."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        wrapped = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if wrapped is None and found in NAT64_NETWORK:
            wrapped = IPv4Address(int(found) & 0xFFFFFFFF)
        if wrapped is not None and not is_public(str(wrapped)):
            return False
        if found in DOCUMENTATION_NETWORK or not any(found in network for network in PUBLIC_IPV6_NETWORKS):
            return False
    return found.is_global and not found.is_multicast


class SafeHttpClient:
    """Sends POST requests to user-supplied URLs. With `private`, http and all addresses are allowed: for tests and for
    home networks."""

    def __init__(self, private: bool = False, resolve: Resolve = resolve_host) -> None:
        self._private = private
        self._resolve = resolve

    async def check(self, url: str) -> None:
        """Raises `BlockedAddress` if the client would not send to this URL."""
        await self._checked_addresses(url)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> HttpAnswer:
        """Sends a POST request. Raises `BlockedAddress` or `Unreachable`."""
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                return await self._send(url, body, headers, await self._checked_addresses(url))
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            raise Unreachable(f"no response: {type(error).__name__}") from None

    async def _send(self, url: str, body: bytes, headers: Mapping[str, str], found: Sequence[str]) -> HttpAnswer:
        connector = aiohttp.TCPConnector(resolver=PinnedResolver(found), use_dns_cache=False, force_close=True)
        async with (
            aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                max_line_size=MAX_HEADER_BYTES,
                max_field_size=MAX_HEADER_BYTES,
                auto_decompress=False,
            ) as session,
            session.post(url, data=body, headers=dict(headers), allow_redirects=False) as answer,
        ):
            wait = answer.headers.get("retry-after", "")
            return HttpAnswer(answer.status, float(wait) if wait.isdigit() else None)

    async def _checked_addresses(self, url: str) -> Sequence[str]:
        """Returns the addresses that the connection may use. Raises `BlockedAddress`."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise BlockedAddress("invalid address") from None
        if not host or len(url) > MAX_URL_LENGTH or not url.isascii() or not url.isprintable() or " " in url:
            raise BlockedAddress("invalid address")
        if parts.username or parts.password:
            raise BlockedAddress("addresses with a user name or password are not allowed")
        if parts.scheme != "https" and not (self._private and parts.scheme == "http"):
            raise BlockedAddress("the address must begin with https://")
        try:
            found = await self._resolve(host, port or (443 if parts.scheme == "https" else 80))
        except (OSError, UnicodeError):
            raise BlockedAddress("this host name cannot be resolved") from None
        if not found or not (self._private or all(map(is_public, found))):
            raise BlockedAddress("this address is not public")
        return found


class PinnedResolver(AbstractResolver):
    """Resolves every name to the addresses that were checked."""

    def __init__(self, found: Sequence[str]) -> None:
        self._addresses = found

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
            for address in self._addresses
        ]

    async def close(self) -> None:
        """Required by the interface."""
