"""Where people come from: whoever takes a new name at the same address is nobody new to those who share."""

import logging
from collections import OrderedDict
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

logger = logging.getLogger(__name__)

MANY = 50
"""So many people from one address are no family: something stands between them and the server."""
MOST = 20_000
"""People whose address is remembered, those who came or were asked for last."""


HOUSEHOLD = 64
"""Bits of an address of IPv6 that name a network; whoever has one has all addresses in it."""


@lru_cache(4_096)
def counted_as(address: str) -> str:
    """Whose address it is, as far as anybody can tell: what limits and shares go by."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:  # a name, or none at all
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    others = 128 - HOUSEHOLD
    return f"{IPv6Address(int(found) >> others << others)}/{HOUSEHOLD}"


class Addresses:
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
