"""Localized texts of notifications (`words/*.toml`): the game, the people at the table, whose turn it is.

They contain no game state and no contents of envelopes.
"""

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from polyopolis.play.entities import NoticeKind

WORDS = Path(__file__).parent / "words"
LANGUAGES = tuple(sorted(path.name.split(".")[1] for path in WORDS.glob("notices.*.toml")))
DEFAULT_LANGUAGE = "en"


class NotificationContent(Struct, frozen=True):
    """The language-independent content of a notification."""

    id: str
    kind: NoticeKind
    game: str
    names: tuple[str, ...]
    """The names of the other people at the table."""
    table: str
    again: bool = False
    hours: int | None = None
    """Hours until the deadline; None without a clock."""
    about: str = ""
    """The name of the player whose time is up, or who asks."""
    wish: str | None = None
    """The kind of the request."""


class Text(Struct, frozen=True):
    title: str
    body: str


def language_of(wanted: str) -> str:
    return wanted if wanted in LANGUAGES else DEFAULT_LANGUAGE


@cache
def load_texts(language: str) -> dict[str, Any]:
    return tomllib.loads((WORDS / f"notices.{language_of(language)}.toml").read_text("utf-8"))


def joined_names(names: Sequence[str], language: str) -> str:
    """Joins names to a list: Ana, Ben and Cleo."""
    *first, last = names
    joined: str = load_texts(language)["list"]["last"]
    return joined.format(first=", ".join(first), last=last) if first else last


def notification_text(content: NotificationContent, language: str) -> Text:
    said = load_texts(language)
    about = said["again" if content.again else content.kind]
    left = "" if content.hours is None else _plural(said["left"], max(1, content.hours))
    body = about["body"].format(names=joined_names(content.names, language), left=left) if content.names else left
    if content.wish is not None:
        body = f"{about[content.wish].format(name=content.about)} {body}"
    return Text(about["title"].format(game=game_name(content, language), name=content.about), body.strip())


def game_name(content: NotificationContent, language: str) -> str:
    """Returns the name of the game in this language."""
    name: str = load_texts(language)["games"].get(content.game, content.game)
    return name


def _plural(forms: dict[str, str], count: int) -> str:
    return forms["one" if count == 1 else "other"].format(count=count)


def batch_text(contents: Sequence[NotificationContent], language: str) -> Text:
    """Returns one text for several notifications, with a line for each."""
    texts = [notification_text(each, language) for each in contents]
    tables = {each.table for each in contents}
    said, game = load_texts(language)["several"], game_name(contents[0], language)
    title = said["one"].format(game=game) if len(tables) == 1 else said["other"].format(count=len(tables))
    return Text(title, "\n".join(f"{each.title}: {each.body}" for each in texts))


def trial_text(language: str) -> Text:
    return Text(**load_texts(language)["trial"])
