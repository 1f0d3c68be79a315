"""Texts of the terminal: phrases by topic and code, from `words/*.toml`."""

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from msgspec import Struct

from polyopolis.engine import Reason

PhraseTable = dict[str, Any]
WORDS_FOLDER = files("polyopolis.cli") / "words"
TOPIC_OF_FIELD = {
    "race": "race",
    "kind": "kind",
    "colour": "kind",
    "reward": "reward",
    "sticker": "reward",
    "church": "shape",
    "line": "line",
}
"""Topic that names the value of a field of a reason or an event."""


@cache
def shared_phrases() -> PhraseTable:
    """Returns the phrases that do not depend on a game."""
    return tomllib.loads((WORDS_FOLDER / "en.toml").read_text("utf-8"))


def phrase(topic: str, code: str, **about: Any) -> str:
    """Returns a shared phrase."""
    return str(shared_phrases()[topic][code]).format(**about)


def quantity(noun: str, n: int) -> str:
    """Returns a number with its noun: `1 place`, `3 places`."""
    single, many = shared_phrases()["count"][noun]
    return str(single if abs(n) == 1 else many).format(n=n)


@dataclass(frozen=True)
class GamePhrases:
    """Phrases of one game. Shared phrases are used where its file has none."""

    file: Traversable

    @cached_property
    def own(self) -> PhraseTable:
        return tomllib.loads(self.file.read_text("utf-8"))

    def has(self, topic: str, code: str) -> bool:
        return code in self._topic(topic)

    def __call__(self, topic: str, code: str, **about: Any) -> str:
        return str(self._topic(topic)[code]).format(**about)

    def _topic(self, topic: str) -> PhraseTable:
        return {**shared_phrases().get(topic, {}), **self.own.get(topic, {})}

    def reason(self, reason: Reason) -> str:
        """Returns the sentence for a refused action."""
        return self("reason", reason.code, **{name: self._value(name, value) for name, value in reason.about.items()})

    def line(self, code: str) -> str:
        """Returns the name of a line of the score sheet. In a code such as `episode-3`, the number is a parameter."""
        name, _, number = code.rpartition("-")
        return self("line", name, n=number) if number.isdecimal() else self("line", code)

    def event(self, event: Struct, names: tuple[str, ...]) -> str:
        """Returns the sentence for an event; `names` are the players by seat."""
        values = {name: self._value(name, getattr(event, name)) for name in event.__struct_fields__}
        if "seat" in values:
            values["seat"] = names[int(values["seat"])]
        return self("event", str(event.__struct_config__.tag), **values)

    def _value(self, name: str, value: Any) -> str:
        if name == "card":
            return self.card(value)
        if name in TOPIC_OF_FIELD:
            return self.line(value) if name == "line" else self(TOPIC_OF_FIELD[name], value)
        if name == "faces":
            return ", ".join(self("face", face) for face in value)
        if name == "points":
            return quantity("point", value)
        return " ".join(value) if isinstance(value, tuple) else str(value)

    def card(self, name: str) -> str:
        """Returns a card as its kind and shape, such as `residential T`."""
        kind, _, shape = name.partition("-")
        return f"{self('kind', kind)} {self('shape', shape)}" if shape else self("kind", kind)
