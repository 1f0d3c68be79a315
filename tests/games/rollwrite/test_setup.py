"""Setups that are accepted and refused."""

import msgspec
import pytest

from polyopolis.engine import BadSetup
from polyopolis.games.rollwrite import rules
from polyopolis.games.rollwrite.content import content
from polyopolis.games.rollwrite.state import Setup
from polyopolis.geometry import Board


@pytest.mark.parametrize(
    ("text", "setup"),
    [
        ('{"seats": 1}', Setup(episode=1, seats=1)),
        ('{"episode": 12, "seats": 12}', Setup(episode=12, seats=12)),
        ('{"episode": 11, "seats": 2, "bandits": [["f1"], []]}', Setup(episode=11, seats=2, bandits=(("f1",), ()))),
        ('{"episode": 3, "seats": 2, "bandits": [[], []]}', Setup(episode=3, seats=2, bandits=((), ()))),
    ],
)
def test_fields_that_do_not_apply_may_be_left_out(text: str, setup: Setup) -> None:
    assert msgspec.json.decode(text, type=Setup) == setup
    assert len(rules.start(setup).cities) == setup.seats


def test_the_content_version_is_always_written_and_bandits_only_where_there_are_any() -> None:
    assert msgspec.to_builtins(Setup(seats=2)) == {"episode": 1, "seats": 2, "content": 1}


def test_bandits_are_kept_in_reading_order() -> None:
    assert Setup(episode=11, seats=1, bandits=(("c8", "f1", "k6"),)).bandits == (("f1", "k6", "c8"),)


@pytest.mark.parametrize(
    "text", ["{}", '{"seats": 2, "mode": "quick"}', '{"seats": "2"}', '{"seats": 1, "bandits": [1]}']
)
def test_invalid_setups_are_not_decoded(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Setup)


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        (Setup(seats=0), "Roll & Write is for 1 to 12 seats, not for 0"),
        (Setup(seats=13), "Roll & Write is for 1 to 12 seats, not for 13"),
        (Setup(seats=2, content=2), "Roll & Write has content 1 to 1, not 2"),
        (Setup(seats=2, episode=0), "Roll & Write has episodes 1 to 12, not 0"),
        (Setup(seats=2, episode=13), "Roll & Write has episodes 1 to 12, not 13"),
        (Setup(seats=2, episode=11, bandits=((),)), "the setup has bandits for 1 seats, not for 2"),
        (Setup(seats=1, episode=9, bandits=(("f1",),)), "there are no bandits in episode 9"),
        (Setup(seats=1, episode=11, bandits=(("z9",),)), "no bandit can be carried over to z9 in episode 11"),
        (Setup(seats=1, episode=11, bandits=(("a3",),)), "no bandit can be carried over to a3 in episode 11"),
        (Setup(seats=1, episode=11, bandits=(("c1",),)), "no bandit can be carried over to c1 in episode 11"),
        (Setup(seats=1, episode=11, bandits=(("h1",),)), "no bandit can be carried over to h1 in episode 11"),
        (Setup(seats=1, episode=10, bandits=(("f1",),)), "no bandit can be carried over to f1 in episode 10"),
        (Setup(seats=1, episode=10, bandits=(("e1",),)), "no bandit can be carried over to e1 in episode 10"),
        (Setup(seats=1, episode=11, bandits=(("e1",),)), "no bandit can be carried over to e1 in episode 11"),
        (Setup(seats=1, episode=12, bandits=(("i4",),)), "no bandit can be carried over to i4 in episode 12"),
        (Setup(seats=1, episode=11, bandits=(("f1", "f1"),)), "no bandit can be carried over to f1 in episode 11"),
    ],
)
def test_an_impossible_setup_is_refused_with_a_reason(setup: Setup, message: str) -> None:
    with pytest.raises(BadSetup) as refused:
        rules.start(setup)
    assert str(refused.value) == message


@pytest.mark.rule("RW-30")
def test_bandits_come_from_the_cells_of_all_earlier_sheets_with_bandits() -> None:
    cells = {number: set(sheet(number).grid.cells(sheet(number).where("x"))) for number in range(1, 13)}
    for number in range(10, 13):
        before = set().union(*(cells[earlier] for earlier in range(10, number)))
        assert content().bandits_before(number) == before
        rules.start(Setup(seats=1, episode=number, bandits=(tuple(before),)))
    assert not any(content().bandits_before(number) for number in range(1, 11))


def sheet(number: int) -> Board:
    return content().episodes[number].board


def test_carried_returns_whether_a_setup_continues_a_campaign() -> None:
    assert rules.carried(Setup(seats=1, episode=11, bandits=(("f1",),)))
    assert not rules.carried(Setup(seats=1, episode=11))
