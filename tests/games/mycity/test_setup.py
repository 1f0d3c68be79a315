"""Setups that are accepted and refused."""

import msgspec
import pytest

from polyopolis.engine import BadSetup, PolyopolisError
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.state import Legacy, Setup


@pytest.mark.parametrize(
    ("text", "setup"),
    [
        ('{"seats": 2}', Setup(seats=2)),
        ('{"mode": "eternal", "seats": 4}', Setup(mode="eternal", seats=4)),
        ('{"mode": "episode", "episode": 1, "seats": 3}', Setup(mode="episode", episode=1, seats=3)),
        (
            '{"mode": "episode", "episode": 3, "seats": 2, "play": "campaign", "boards": [{"circles": 4}, {}]}',
            Setup(mode="episode", episode=3, seats=2, play="campaign", boards=(Legacy(4), Legacy(0))),
        ),
    ],
)
def test_fields_that_do_not_apply_may_be_left_out(text: str, setup: Setup) -> None:
    assert msgspec.json.decode(text, type=Setup) == setup
    assert len(rules.start(setup).cities) == setup.seats


def test_the_content_version_is_always_written_and_other_fields_only_where_they_apply() -> None:
    assert msgspec.to_builtins(Setup(seats=2)) == {"mode": "eternal", "seats": 2, "content": 1}


@pytest.mark.parametrize(
    "text", ['{"mode": "eternal"}', '{"seats": 2, "mode": "quick"}', '{"seats": 2, "colour": 1}', '{"seats": "2"}']
)
def test_invalid_setups_are_not_decoded(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Setup)


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        (Setup(seats=1), "My City is for 2 to 4 seats, not for 1"),
        (Setup(seats=5), "My City is for 2 to 4 seats, not for 5"),
        (Setup(seats=2, content=2), "My City has content 1 to 1, not 2"),
        (Setup(seats=2, content=0), "My City has content 1 to 1, not 0"),
        (Setup(seats=2, episode=1), "the eternal game has no episode, no play and no boards in its setup"),
        (Setup(seats=2, play="single"), "the eternal game has no episode, no play and no boards in its setup"),
        (
            Setup(seats=2, boards=(Legacy(), Legacy())),
            "the eternal game has no episode, no play and no boards in its setup",
        ),
        (Setup(mode="episode", seats=2), "My City has episodes 1 to 24; the setup names none"),
        (Setup(mode="episode", seats=2, episode=0), "My City has episodes 1 to 24; not 0"),
        (Setup(mode="episode", seats=2, episode=25), "My City has episodes 1 to 24; not 25"),
        (
            Setup(mode="episode", seats=3, episode=1, play="campaign", boards=(Legacy(),) * 2),
            "the setup has 2 boards for 3 seats",
        ),
    ],
)
def test_an_impossible_setup_is_refused_with_a_reason(setup: Setup, message: str) -> None:
    with pytest.raises(BadSetup) as refused:
        rules.start(setup)
    assert str(refused.value) == message
    assert isinstance(refused.value, PolyopolisError)
