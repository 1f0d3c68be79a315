"""The outline of Roll & Write."""

import msgspec

from polyopolis.games.rollwrite import rules
from polyopolis.games.rollwrite.content import NEWEST, content
from polyopolis.games.rollwrite.outline import Outline, outline

KNOWN = outline(NEWEST)


def test_every_episode_is_in_a_chapter() -> None:
    assert list(KNOWN.chapters) == list(content(NEWEST).episodes)
    assert list(KNOWN.chapters.values()) == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]


def test_modes_are_sorted_by_length() -> None:
    groups = [mode.group for mode in KNOWN.modes]
    assert groups == ["episode"] * 12 + ["chapter"] * 4 + ["campaign"] * 2
    assert KNOWN.modes[0].setup == {"episode": 1}
    assert [mode.plan for mode in KNOWN.modes if mode.group == "campaign"] == [tuple(range(1, 13)), (3, 6, 12)]


def test_every_mode_can_be_played() -> None:
    for mode in KNOWN.modes:
        assert rules.start(msgspec.convert({"seats": 1, **mode.setup}, rules.Setup)).acting
    assert sorted(mode.plan for mode in KNOWN.modes if mode.plan) == sorted(rules.plans(NEWEST).values())


def test_the_outline_round_trips_through_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(KNOWN), type=Outline) == KNOWN
