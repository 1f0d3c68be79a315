"""What the terminal says: the codes of reasons, events and lines in plain words, read from `words/`."""

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from msgspec import Struct

from polyopolis.engine import Reason

Catalogue = dict[str, Any]
FOLDER = files("polyopolis.cli") / "words"
TOPICS = {
    "race": "race",
    "kind": "kind",
    "colour": "kind",
    "reward": "reward",
    "sticker": "reward",
    "church": "shape",
    "line": "line",
}
"""Where the words for a code are found, by what a reason or an event calls it."""


@cache
def catalogue() -> Catalogue:
    """What is said in all games."""
    return tomllib.loads((FOLDER / "en.toml").read_text("utf-8"))


def say(topic: str, code: str, **about: Any) -> str:
    """A phrase for all games."""
    return str(catalogue()[topic][code]).format(**about)


def count(what: str, n: int) -> str:
    """So many of something: `1 place`, `3 places`."""
    single, many = catalogue()["count"][what]
    return str(single if abs(n) == 1 else many).format(n=n)


@dataclass(frozen=True)
class Words:
    """The words of one game; what it has no words of its own for is said as in every game."""

    file: Traversable

    @cached_property
    def own(self) -> Catalogue:
        return tomllib.loads(self.file.read_text("utf-8"))

    def has(self, topic: str, code: str) -> bool:
        return code in self._topic(topic)

    def __call__(self, topic: str, code: str, **about: Any) -> str:
        return str(self._topic(topic)[code]).format(**about)

    def _topic(self, topic: str) -> Catalogue:
        return {**catalogue().get(topic, {}), **self.own.get(topic, {})}

    def reason(self, reason: Reason) -> str:
        return self("reason", reason.code, **{name: self._value(name, what) for name, what in reason.about.items()})

    def line(self, code: str) -> str:
        """A line of a score sheet; a code like `episode-3` speaks of number 3."""
        name, _, number = code.rpartition("-")
        return self("line", name, n=number) if number.isdecimal() else self("line", code)

    def event(self, event: Struct, names: tuple[str, ...]) -> str:
        """What came of an action, with the names of the players."""
        values = {name: self._value(name, getattr(event, name)) for name in event.__struct_fields__}
        if "seat" in values:
            values["seat"] = names[int(values["seat"])]
        return self("event", str(event.__struct_config__.tag), **values)

    def _value(self, name: str, value: Any) -> str:
        if name == "card":
            return self.card(value)
        if name in TOPICS:
            return self.line(value) if name == "line" else self(TOPICS[name], value)
        if name == "faces":
            return ", ".join(self("face", face) for face in value)
        if name == "points":
            return count("point", value)
        return " ".join(value) if isinstance(value, tuple) else str(value)

    def card(self, name: str) -> str:
        """A card named by its kind and its shape, as `residential T`."""
        kind, _, shape = name.partition("-")
        return f"{self('kind', kind)} {self('shape', shape)}" if shape else self("kind", kind)
