"""Campaigns: the plan, the setup of the next episode, the standings."""

import pytest
from msgspec.structs import replace

from polyopolis.engine import CHANCE, BadCampaign, Campaign, Match, PolyopolisError
from tests.games.tiny import rules
from tests.games.tiny.actions import Keep, Leave, Throw
from tests.games.tiny.state import Setup


def played(setup: Setup | None) -> Match:
    """Returns an episode in which seat 0 keeps every die and seat 1 none; each throw is a 1."""
    assert setup
    match = Match.start(rules, setup)
    while not match.over:
        match = match.decide(CHANCE, Throw(1)).decide(0, Keep()).decide(1, Leave())
    return match


def campaign(*plan: int) -> Campaign:
    return Campaign(rules, plan, Setup(carried=(0, 4)))


def test_the_first_episode_of_the_plan_starts_from_the_first_setup() -> None:
    assert campaign(2, 3).next_setup() == Setup(episode=2, carried=(0, 4))


def test_each_episode_starts_from_the_result_of_the_last_one() -> None:
    begun = campaign(1, 2)
    begun = begun.add(played(begun.next_setup()))
    assert begun.next_setup() == Setup(episode=2, carried=(1, 4))


def test_the_plan_determines_the_next_episode() -> None:
    begun = campaign(1, 3)
    assert begun.add(played(begun.next_setup())).next_setup() == Setup(episode=3, carried=(1, 4))


def test_a_campaign_is_over_when_its_plan_is_played() -> None:
    going = campaign(1, 2)
    for _ in going.plan:
        assert not going.over
        going = going.add(played(going.next_setup()))
    assert going.over
    assert going.next_setup() is None
    assert len(going.matches) == 2


def test_a_plan_beyond_the_last_episode_is_refused() -> None:
    begun = campaign(3, 1)
    begun = begun.add(played(begun.next_setup()))
    with pytest.raises(BadCampaign, match="no episode can follow episode 3, but the plan has another one"):
        begun.next_setup()
    assert not begun.over


def test_an_unfinished_match_is_refused() -> None:
    begun = campaign(1, 2)
    with pytest.raises(BadCampaign, match=r"^episode 1 of the campaign is not finished$"):
        begun.add(Match.start(rules, begun.next_setup()))


def test_a_match_from_another_start_is_refused() -> None:
    begun = campaign(1, 2)
    begun = begun.add(played(begun.next_setup()))
    with pytest.raises(BadCampaign, match=r"^match 2 does not start from the state of the campaign$"):
        begun.add(played(Setup(episode=2)))


def test_parts_that_no_rule_uses_may_change_between_episodes() -> None:
    """Here, the names of purses."""
    begun = campaign(1, 2)
    for called in ((), ("mine", "yours")):
        setup = begun.next_setup()
        assert setup
        begun = begun.add(played(replace(setup, called=called)))
    assert [match.setup.called for match in begun.matches] == [(), ("mine", "yours")]


def test_a_match_beyond_the_plan_is_refused() -> None:
    begun = campaign(1)
    match = played(begun.next_setup())
    with pytest.raises(BadCampaign, match=r"^match 2 does not start from the state of the campaign$"):
        begun.add(match).add(match)


def test_a_refusal_is_a_polyopolis_error_and_changes_nothing() -> None:
    begun = campaign(1, 2)
    with pytest.raises(PolyopolisError):
        begun.add(played(Setup(episode=3)))
    assert begun == campaign(1, 2)


def test_adding_a_match_does_not_change_the_earlier_campaign() -> None:
    begun = campaign(1, 2)
    begun.add(played(begun.next_setup()))
    assert begun.matches == ()


def test_the_standings_are_those_of_the_game() -> None:
    going = campaign(1, 2)
    assert going.standings().scores == (0, 4)
    for _ in going.plan:
        going = going.add(played(going.next_setup()))
    assert going.standings().scores == (3, 4)
    assert going.standings().ranks == (2, 1)
