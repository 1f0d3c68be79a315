"""The client has texts for all parts of an episode in every language, and none outside of its envelope."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from polyopolis.games.mycity import placement_rules, rules
from polyopolis.games.mycity.actions import Event
from polyopolis.games.mycity.building_site import PIECE_CARDS, SIGNS
from polyopolis.games.mycity.content import COLOURS, FOURTH_CHURCH, NEWEST, Episode, content
from polyopolis.games.mycity.legacy import rewards, starting_boards

CLIENT = Path(__file__).parents[3] / "client" / "src"
CHAPTERS = CLIENT / "games" / "mycity" / "chapters"
LANGUAGES = sorted(folder.name for folder in (CLIENT / "i18n").iterdir() if folder.is_dir())
NUMBERS = content(NEWEST).numbers
each_language = pytest.mark.parametrize("language", LANGUAGES)
each_episode = pytest.mark.parametrize("number", NUMBERS)


@cache
def catalogue(language: str) -> frozenset[str]:
    files = (CLIENT / "i18n" / language).rglob("*.json")
    return frozenset(key for file in files for key in json.loads(file.read_text("utf-8")))


@cache
def chapter(number: int, language: str) -> frozenset[str]:
    return frozenset(json.loads((CHAPTERS / str(number) / f"{language}.json").read_text("utf-8")))


def episode(number: int) -> Episode:
    return content(NEWEST).episodes[f"episode-{number:02}"]


def known(number: int, language: str) -> frozenset[str]:
    """Returns the keys available in an episode: those of all envelopes up to its own."""
    opened = range(1, (episode(number).rules.chapter or 0) + 1)
    return catalogue(language).union(*(chapter(number, language) for number in opened))


def needed(number: int) -> Iterator[str]:
    """Yields the keys that an episode needs."""
    found, holds = episode(number), episode(number).rules
    yield from lines(found)
    for sign in set("".join(found.land.rows)) | ({"~"} if holds.flooded else set()) | {"1"}:
        if SIGNS[sign] not in PIECE_CARDS:
            yield f"mycity.ground.{'meadow' if SIGNS[sign] == 'empty' else SIGNS[sign]}"
    for piece in found.site.pieces.values():
        yield f"mycity.piece.{piece.card.name}"
    if FOURTH_CHURCH in found.cards:
        yield f"mycity.piece.{FOURTH_CHURCH}"
        yield from (f"mycity.shape.{shape}" for shape in found.fourth)
    if holds.fourth_church:
        yield "mycity.event.took-church"
    if holds.kiosks:
        yield from ("mycity.piece.yellow-kiosk", "mycity.piece.kiosks", "mycity.piece.left", "mycity.ask.kiosk")
    if holds.start != "river":
        yield from (f"mycity.ask.start.{holds.start}", f"mycity.reason.not-at-{holds.start}")
    if holds.flooded:
        yield "mycity.reason.flooded"
    if holds.passing is None:
        yield "mycity.reason.no-passing"
    yield from shafts(found)
    yield from gifts(found)


def lines(found: Episode) -> Iterator[str]:
    holds = found.rules
    names = ["start", "passes", "limit", *(once.line for once in holds.at_once), *(race.race for race in holds.races)]
    counted = [counting.line for counting in holds.counting]
    for line in counted:
        yield f"mycity.line.{line}.about"
        names += [line, *(f"group-{colour}" for colour in COLOURS if line == "groups")]
    yield from (f"mycity.line.{name}" for name in names)
    for once in holds.at_once:
        yield from (f"mycity.line.{once.line}.about", f"mycity.event.scored.{once.line}")
    for race in holds.races:
        yield from (f"mycity.race.{race.race}{part}" for part in ("", ".title", ".about"))
    if "parks" in counted:
        yield from ("mycity.event.planted", "mycity.ground.park")


def shafts(found: Episode) -> Iterator[str]:
    for colour in found.rules.shafts:
        yield f"mycity.shaft.{colour}"
    if found.rules.shafts:
        yield from ("mycity.event.ticked", "mycity.shaft.title", "mycity.shaft.about", "mycity.shaft.state")


def gifts(found: Episode) -> Iterator[str]:
    """Yields all rewards that can be won."""
    table, boxes = found.rules.rewards, content(NEWEST).campaign.shafts
    given = {*table.first, *table.second, *table.others}
    given |= {box.gives for colour in found.rules.shafts for box in boxes[colour].rewards}
    given |= {"nugget" for race in found.rules.races if race.nuggets or race.later}
    yield from (f"mycity.sticker.{reward}{part}" for reward in given for part in ("", ".count"))
    yield from (f"mycity.event.received.{reward}" for reward in given & {*rewards.MARKED_REWARDS})
    yield from (f"mycity.event.stuck.{reward}" for reward in given & {*rewards.STICKERS})
    yield from (f"mycity.ask.{reward}" for reward in given - {*rewards.MARKED_REWARDS})
    if "gear" in given:
        yield from ("mycity.event.geared", "mycity.reason.no-gear-there")


@each_language
@each_episode
def test_all_parts_of_an_episode_have_words(number: int, language: str) -> None:
    assert sorted(set(needed(number)) - known(number, language)) == []


@each_language
def test_all_languages_have_the_same_words_in_each_envelope(language: str) -> None:
    for number in range(1, 9):
        assert chapter(number, language) == chapter(number, "en")


@each_language
def test_sealed_texts_are_in_no_other_catalogue(language: str) -> None:
    for number in range(1, 9):
        others = [chapter(other, language) for other in range(1, 9) if other != number]
        assert not chapter(number, language) & catalogue(language).union(*others)


@each_language
def test_every_reason_has_words_once_all_envelopes_are_open(language: str) -> None:
    sources = [
        Path(module.__file__ or "").read_text("utf-8") for module in (placement_rules, rewards, rules, starting_boards)
    ]
    sources.append((Path(rules.__file__ or "").parents[1] / "placement.py").read_text("utf-8"))
    codes = {code for source in sources for code in re.findall(r'Reason\("([a-z-]+)"', source)} | {"flipped"}
    spoken = known(NUMBERS[-1], language)
    unsaid = [code for code in codes if not {f"mycity.reason.{code}", f"building.reason.{code}"} & spoken]
    assert sorted(unsaid) == []


@each_language
def test_every_event_has_words_once_all_envelopes_are_open(language: str) -> None:
    spoken = known(NUMBERS[-1], language)
    tags = [event.__struct_config__.tag for event in get_args(Event)]
    unsaid = [tag for tag in tags if not any(key.startswith(f"mycity.event.{tag}") for key in spoken)]
    assert unsaid == []


def test_every_chapter_of_the_content_has_an_envelope() -> None:
    chapters = {found.rules.chapter for found in content(NEWEST).episodes.values()} - {None}
    assert {folder.name for folder in CHAPTERS.iterdir() if folder.is_dir()} == {str(number) for number in chapters}
