"""What somebody is told of a table, in their language: the game, the people there, whose turn it is.

Nothing of what lies on the table, and nothing of what is in an envelope."""

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from polyopolis.play.entities import NoticeKind

WORDS = Path(__file__).parent / "words"
LANGUAGES = tuple(sorted(path.name.split(".")[1] for path in WORDS.glob("notices.*.toml")))
USUAL = "en"


class NotificationContent(Struct, frozen=True):
    """One thing that somebody is told, whatever their language."""

    id: str
    kind: NoticeKind
    game: str
    names: tuple[str, ...]
    """Of the other people there."""
    table: str
    again: bool = False
    hours: int | None = None
    """That are left, where time is counted."""
    about: str = ""
    """Whose time is up, or who asks."""
    wish: str | None = None
    """What they ask for."""


class Text(Struct, frozen=True):
    title: str
    body: str


def language_of(wanted: str) -> str:
    return wanted if wanted in LANGUAGES else USUAL


@cache
def words(language: str) -> dict[str, Any]:
    return tomllib.loads((WORDS / f"notices.{language_of(language)}.toml").read_text("utf-8"))


def listed(names: Sequence[str], language: str) -> str:
    """As one says it: Ana, Ben and Cleo."""
    *first, last = names
    joined: str = words(language)["list"]["last"]
    return joined.format(first=", ".join(first), last=last) if first else last


def text(told: NotificationContent, language: str) -> Text:
    said = words(language)
    about = said["again" if told.again else told.kind]
    left = "" if told.hours is None else _plural(said["left"], max(1, told.hours))
    body = about["body"].format(names=listed(told.names, language), left=left) if told.names else left
    if told.wish is not None:
        body = f"{about[told.wish].format(name=told.about)} {body}"
    return Text(about["title"].format(game=game_of(told, language), name=told.about), body.strip())


def game_of(told: NotificationContent, language: str) -> str:
    """As people call it."""
    name: str = words(language)["games"].get(told.game, told.game)
    return name


def _plural(forms: dict[str, str], count: int) -> str:
    return forms["one" if count == 1 else "other"].format(count=count)


def several(all_told: Sequence[NotificationContent], language: str) -> Text:
    """At once what has come together: a line for each."""
    texts, tables = [text(told, language) for told in all_told], {told.table for told in all_told}
    said, game = words(language)["several"], game_of(all_told[0], language)
    title = said["one"].format(game=game) if len(tables) == 1 else said["other"].format(count=len(tables))
    return Text(title, "\n".join(f"{each.title}: {each.body}" for each in texts))


def trial(language: str) -> Text:
    return Text(**words(language)["trial"])
