"""Where people come from: whoever takes a new name at the same address is nobody new to those who share."""

import logging
from collections import OrderedDict
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address

from litestar.types import Scope

logger = logging.getLogger(__name__)

MANY = 50
"""So many people from one address are no family: something stands between them and the server."""
MOST = 20_000
"""People whose address is remembered, those who came or were asked for last."""

NETWORKS = (64, 1), (56, 4), (48, 16)
"""What a customer is handed in IPv6: prefix lengths, and how many times the allowance of an address each has."""


@lru_cache(4_096)
def networks_of(address: str) -> tuple[tuple[str, int], ...]:
    """Return the networks that an address belongs to, the narrowest first, each with its multiple of an allowance.

    An address of IPv4 is its own network, also in the form of IPv6. What is not an address, such as a host name, is
    taken as it is. A network that `counted_as` has returned is accepted as well.
    """
    try:
        found = ip_address(address.partition("%")[0].partition("/")[0])
    except ValueError:
        return ((address, 1),)
    if not isinstance(found, IPv6Address):
        return ((str(found), 1),)
    if found.ipv4_mapped:
        return ((str(found.ipv4_mapped), 1),)
    return tuple((str(IPv6Network((found, prefix), strict=False)), multiple) for prefix, multiple in NETWORKS)


def counted_as(address: str) -> str:
    """Return the narrowest network of an address: its /64 network for IPv6, else the address."""
    return networks_of(address)[0][0]


def address_in(scope: Scope) -> str:
    """Return where a connection comes from, as it is counted; empty if that is unknown."""
    client = scope["client"]
    return counted_as(client[0]) if client else ""


class ClientAddressBook:
    def __init__(self) -> None:
        self._of: OrderedDict[str, str] = OrderedDict()
        self._only: str | None = None
        """The address of all whom anybody has seen, as long as there is only that one."""
        self._noticed = False

    def seen(self, person: str, address: str) -> None:
        if not self._of:
            self._only = address
        self._of.pop(person, None)
        self._of[person] = address
        if address != self._only:
            self._only = None
        elif len(self._of) == MANY and not self._noticed:
            self._noticed = True
            logger.warning(
                "all %s visitors come from %s: if that is a proxy, name it with --trusted-proxy, "
                "or they share the limits of one address",
                MANY, address,
            )  # fmt: skip
        if len(self._of) > MOST:
            self._of.popitem(last=False)

    def of(self, person: str) -> str:
        """The address of somebody; somebody who was not seen has one of their own. Who is asked for is remembered
        longer: it is about something of theirs."""
        if person in self._of:
            self._of.move_to_end(person)
        return self._of.get(person, person)
