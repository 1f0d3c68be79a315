"""Where people come from: whoever takes a new name at the same address is nobody new to those who share."""

from collections import OrderedDict

MOST = 20_000
"""People whose address is remembered, those who came last."""


class Addresses:
    def __init__(self) -> None:
        self._of: OrderedDict[str, str] = OrderedDict()

    def seen(self, person: str, address: str) -> None:
        self._of.pop(person, None)
        self._of[person] = address
        if len(self._of) > MOST:
            self._of.popitem(last=False)

    def of(self, person: str) -> str:
        """The address of somebody; somebody who was not seen has one of their own."""
        return self._of.get(person, person)
