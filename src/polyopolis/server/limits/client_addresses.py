"""Client addresses: networks that share limits, and the last address of each person."""

import logging
from collections import OrderedDict
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address

from litestar.types import Scope

logger = logging.getLogger(__name__)

PROXY_WARNING_PEOPLE = 50
"""Number of people at a single address after which a missing `--trusted-proxy` is suspected."""
MAX_PEOPLE = 20_000
"""Number of people whose address is stored; the least recently used are dropped."""

IPV6_NETWORKS = (64, 1), (56, 4), (48, 16)
"""Usual IPv6 assignments: prefix lengths, and the multiple of the limit of one address that each has."""


@lru_cache(4_096)
def networks_of(address: str) -> tuple[tuple[str, int], ...]:
    """Returns the networks of an address, narrowest first, each with its multiple of the limit of one address.

    An IPv4 address, also IPv4-mapped, is its own network, and so is text that is no address, such as a host name.
    Networks returned by `narrowest_network` are accepted as well.
    """
    try:
        found = ip_address(address.partition("%")[0].partition("/")[0])
    except ValueError:
        return ((address, 1),)
    if not isinstance(found, IPv6Address):
        return ((str(found), 1),)
    if found.ipv4_mapped:
        return ((str(found.ipv4_mapped), 1),)
    return tuple((str(IPv6Network((found, prefix), strict=False)), multiple) for prefix, multiple in IPV6_NETWORKS)


def narrowest_network(address: str) -> str:
    """Returns the /64 network of an IPv6 address, or else the address."""
    return networks_of(address)[0][0]


def client_address(scope: Scope) -> str:
    """Returns the narrowest network of the client; empty if it is unknown."""
    client = scope["client"]
    return narrowest_network(client[0]) if client else ""


class ClientAddressBook:
    def __init__(self) -> None:
        self._of: OrderedDict[str, str] = OrderedDict()
        self._only: str | None = None
        """The address of all people, as long as they share a single one."""
        self._noticed = False

    def seen(self, person: str, address: str) -> None:
        if not self._of:
            self._only = address
        self._of.pop(person, None)
        self._of[person] = address
        if address != self._only:
            self._only = None
        elif len(self._of) == PROXY_WARNING_PEOPLE and not self._noticed:
            self._noticed = True
            logger.warning(
                "all %s visitors come from %s: if this is a proxy, set --trusted-proxy, "
                "or all of them share the limits of one address",
                PROXY_WARNING_PEOPLE, address,
            )  # fmt: skip
        if len(self._of) > MAX_PEOPLE:
            self._of.popitem(last=False)

    def of(self, person: str) -> str:
        """Returns the last address of a person, or their id if it is not known; marks it as recently used."""
        if person in self._of:
            self._of.move_to_end(person)
        return self._of.get(person, person)
