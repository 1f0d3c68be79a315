"""A match as a value: deciding, staging, changing one's mind, luck, and what it refuses."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyopolis.engine import (
    CHANCE,
    BadSetup,
    Dealer,
    GameOver,
    IllegalAction,
    Match,
    Move,
    NotDue,
    NothingStaged,
    PolyopolisError,
    Reason,
    describe_action,
    ranks,
    seed_of,
)
from tests.games.tiny import rules
from tests.games.tiny.actions import Keep, Kept, Leave, Left, Throw, Thrown
from tests.games.tiny.state import Setup


def thrown(pips: int = 2, seats: int = 2, rounds: int = 2, carried: tuple[int, ...] = ()) -> Match:
    """A match in which the die of the first round lies."""
    setup = Setup(seats=seats, episode=rounds, carried=carried)
    return Match.start(rules, setup).decide(CHANCE, Throw(pips))


def finished() -> Match:
    return thrown(rounds=1).decide(0, Keep()).decide(1, Leave())


def test_a_match_starts_with_luck_and_without_moves() -> None:
    match = Match.start(rules, Setup())
    assert match.due == {CHANCE}
    assert (match.moves, match.events, dict(match.staged), match.over) == ((), (), {}, False)


def test_a_match_with_a_bad_setup_does_not_start() -> None:
    with pytest.raises(BadSetup, match=r"^the tiny game is for 2 or 3$"):
        Match.start(rules, Setup(seats=4))


def test_a_decision_is_staged_while_others_are_due() -> None:
    match = thrown().decide(1, Keep())
    assert match.due == {0}
    assert match.staged == {1: Keep()}
    assert match.state == thrown().state
    assert match.moves == (Move(CHANCE, Throw(2)),)
    assert match.events == (Thrown(2),)


def test_with_the_last_decision_all_become_moves_in_the_order_of_the_seats() -> None:
    match = thrown(seats=3).decide(2, Keep()).decide(0, Leave()).decide(1, Keep())
    assert match.moves[1:] == (Move(0, Leave()), Move(1, Keep()), Move(2, Keep()))
    assert match.events[1:] == (Left(0), Kept(1, 2), Kept(2, 2))
    assert match.staged == {}
    assert match.state.pips == (0, 2, 2)
    assert match.due == {CHANCE}


def test_deciding_again_replaces_what_was_staged() -> None:
    match = thrown().decide(0, Keep()).decide(0, Leave())
    assert match.staged == {0: Leave()}
    assert match.decide(1, Keep()).state.pips == (0, 2)


def test_a_staged_decision_can_be_taken_back() -> None:
    match = thrown(seats=3).decide(0, Keep()).decide(2, Keep()).retract(0)
    assert match.due == {0, 1}
    assert match.staged == {2: Keep()}


def test_the_record_does_not_tell_who_decided_first() -> None:
    early = thrown().decide(0, Keep()).decide(1, Leave())
    late = thrown().decide(1, Keep()).decide(1, Leave()).retract(1).decide(0, Keep()).decide(1, Leave())
    assert early == late


def test_who_has_not_decided_takes_nothing_back() -> None:
    match = thrown().decide(0, Keep())
    with pytest.raises(NothingStaged, match=r"^seat 1 has no decision to take back$"):
        match.retract(1)
    with pytest.raises(NothingStaged, match=r"^chance has no decision to take back$"):
        match.retract(CHANCE)


def test_what_has_become_a_move_is_not_taken_back() -> None:
    match = thrown().decide(0, Keep()).decide(1, Keep())
    with pytest.raises(NothingStaged, match=r"^seat 0 has no decision to take back$"):
        match.retract(0)


def test_a_refusal_names_seat_action_and_reason() -> None:
    match = thrown(carried=(0, 6))
    with pytest.raises(IllegalAction) as refused:
        match.decide(1, Keep())
    assert type(refused.value) is IllegalAction
    assert str(refused.value) == "seat 1 cannot keep: too-rich, pips 6, limit 5"
    assert (refused.value.seat, refused.value.action) == (1, Keep())
    assert refused.value.reason == Reason("too-rich", {"pips": 6, "limit": 5})


def test_who_is_not_to_decide_is_told_who_is() -> None:
    with pytest.raises(NotDue) as refused:
        thrown(seats=3).decide(CHANCE, Throw(1))
    assert str(refused.value) == "chance cannot throw 1: not-due, due seat 0 seat 1 seat 2"
    with pytest.raises(NotDue) as refused:
        Match.start(rules, Setup()).decide(0, Keep())
    assert str(refused.value) == "seat 0 cannot keep: not-due, due chance"


@pytest.mark.parametrize("seat", [2, 7, -2])
def test_a_seat_that_is_not_there_is_not_due(seat: int) -> None:
    with pytest.raises(NotDue, match=f"^seat {seat} cannot keep: not-due, due seat 0 seat 1$"):
        thrown().decide(seat, Keep())


def test_luck_that_cannot_be_is_refused() -> None:
    with pytest.raises(IllegalAction, match=r"^chance cannot throw 4: impossible-luck$") as refused:
        Match.start(rules, Setup()).decide(CHANCE, Throw(4))
    assert type(refused.value) is IllegalAction


def test_after_the_end_nobody_decides() -> None:
    match = finished()
    assert match.over
    assert match.due == frozenset()
    for seat, action in [(0, Keep()), (1, Leave()), (CHANCE, Throw(1))]:
        with pytest.raises(GameOver) as refused:
            match.decide(seat, action)
        assert refused.value.reason == Reason("game-over")
    with pytest.raises(GameOver, match=r"^seat 0 cannot keep: game-over$"):
        match.decide(0, Keep())


@pytest.mark.parametrize("kind", [IllegalAction, NotDue, GameOver, NothingStaged, BadSetup])
def test_every_refusal_is_an_error_of_the_house(kind: type[Exception]) -> None:
    assert issubclass(kind, PolyopolisError)


@pytest.mark.parametrize(
    ("seat", "action"), [(0, Keep()), (0, Throw(1)), (CHANCE, Throw(1)), (5, Leave()), (0, "keep"), (0, None)]
)
def test_a_refused_decision_changes_nothing(seat: int, action: Any) -> None:
    match = thrown(seats=3, carried=(9, 0, 0)).decide(1, Keep())
    before = repr(match)
    with pytest.raises(IllegalAction):
        match.decide(seat, action)
    assert repr(match) == before


def test_why_not_says_what_decide_would_raise() -> None:
    match = thrown(carried=(6, 0))
    assert match.why_not(0, Keep()) == Reason("too-rich", {"pips": 6, "limit": 5})
    assert match.why_not(0, Leave()) is None
    assert match.why_not(1, Throw(1)) == Reason("not-an-action")
    assert match.why_not(CHANCE, Throw(1)) == Reason("not-due", {"due": ("seat 0", "seat 1")})
    assert finished().why_not(0, Leave()) == Reason("game-over")


def test_deciding_leaves_the_earlier_match_as_it_was() -> None:
    before = thrown()
    kept = repr(before)
    before.decide(0, Keep()).decide(1, Keep())
    assert repr(before) == kept
    with pytest.raises(FrozenInstanceError):
        before.state = None  # type: ignore[misc]


def test_dealing_plays_all_the_luck_that_is_due_and_nothing_else() -> None:
    dealer = Dealer(seed_of("tiny"))
    match = Match.start(rules, Setup()).deal(dealer)
    assert match.moves == (Move(CHANCE, dealer.pick(0, rules.odds(match.state))),)
    assert match.deal(dealer) == match
    staged = match.decide(0, Leave())
    assert staged.deal(dealer) == staged


def test_the_dealer_counts_the_luck_of_the_match_not_its_moves() -> None:
    dealer = Dealer(seed_of("tiny"))
    match = Match.start(rules, Setup(episode=3))
    for number in range(3):
        match = match.deal(dealer)
        assert match.moves[-1] == Move(CHANCE, dealer.pick(number, rules.odds(match.state)))
        match = match.decide(0, Leave()).decide(1, Leave())
    assert match.deal(dealer) == match


def test_going_back_never_throws_again() -> None:
    dealer = Dealer(seed_of("tiny"))
    match = Match.start(rules, Setup(episode=2)).deal(dealer).decide(0, Keep()).decide(1, Keep()).deal(dealer)
    again = match.rewound(3).deal(dealer)
    assert again == match


def test_a_match_is_rewound_to_its_first_moves() -> None:
    match = thrown().decide(0, Keep()).decide(1, Leave()).decide(CHANCE, Throw(3))
    assert match.rewound(4) == match
    assert match.rewound(1) == thrown()
    assert match.rewound(0) == Match.start(rules, Setup(episode=2))


def test_rewound_into_a_round_its_decisions_are_staged() -> None:
    match = thrown().decide(0, Keep()).decide(1, Leave())
    assert match.rewound(2) == thrown().decide(0, Keep())


def test_a_replay_is_the_match() -> None:
    match = thrown().decide(1, Leave()).decide(0, Keep())
    assert Match.replay(rules, match.setup, match.moves) == match


def test_a_replay_checks_every_move() -> None:
    moves = [Move(CHANCE, Throw(2)), Move(0, Leave()), Move(1, Throw(2))]
    with pytest.raises(IllegalAction, match=r"^seat 1 cannot throw 2: not-an-action$"):
        Match.replay(rules, Setup(), moves)


def test_the_result_is_the_score_sheets() -> None:
    result = finished().result
    assert (result.scores, result.ranks) == ((2, 0), (1, 2))


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=6))
def test_a_shared_rank_leaves_out_the_next(keys: list[int]) -> None:
    ordered = sorted(keys)
    assert ranks(keys) == tuple(ordered.index(key) + 1 for key in keys)


def test_actions_and_reasons_are_worded_in_one_line() -> None:
    assert describe_action(Throw(3)) == "throw 3"
    assert describe_action("nonsense") == "'nonsense'"
    assert str(Reason("blocked", {"cells": ("a1", "b1"), "by": "seat 2"})) == "blocked, cells a1 b1, by seat 2"
    assert str(Reason("blocked")) == "blocked"
